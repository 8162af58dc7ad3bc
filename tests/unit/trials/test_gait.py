"""The figures of a gait, on walks that go by formula, and of one that is simulated."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from poise.api import run_scene
from poise.measures.steps import find_steps
from poise.measures.walking import wrap_deg
from poise.recordings.recording import Event
from poise.rollout.scene import Scene
from poise.trials import Gait, measure_gait, run_trial
from synthetic_walks import HIP_Y_M, STEP_S, cut, make_walk

SPEED = 1.2
WALK = "simbicon/planar-walk"


def test_a_straight_walk_has_the_figures_of_its_formula() -> None:
    gait = measure_gait(make_walk(root="free"), start_s=0.3)
    assert gait.speed_mps == pytest.approx(SPEED, abs=0.02)
    assert gait.side_speed_mps == pytest.approx(0.0, abs=0.02)
    assert gait.velocity_w_mps == pytest.approx((SPEED, 0.0), abs=0.02)
    assert (gait.heading_deg, gait.fell_at_s, gait.fell) == (pytest.approx(0.0), None, False)
    assert gait.steps == 6
    assert gait.step_times_s == pytest.approx([STEP_S] * 5)
    assert gait.mean_step_length_m == pytest.approx(SPEED * STEP_S, abs=0.02)
    # The hips roll a little as it walks, which moves the feet in.
    assert gait.mean_step_width_m == pytest.approx(2 * HIP_Y_M, abs=0.05)


def test_on_a_circle_the_speed_is_along_the_heading_of_each_moment() -> None:
    gait = measure_gait(make_walk(root="free", seconds=4.0, turn_radius_m=2.0))
    turned = math.degrees(SPEED * 4.0 / 2.0)
    assert gait.speed_mps == pytest.approx(SPEED, abs=0.03)
    assert gait.heading_deg == pytest.approx(turned / 2, abs=1.0)
    assert gait.heading_error_deg(90.0) == pytest.approx(90.0 - turned / 2, abs=1.0)
    course = gait.course_deg
    assert course is not None
    assert gait.speed_along_mps(course) == pytest.approx(math.hypot(*gait.velocity_w_mps))


def test_a_fall_ends_the_window() -> None:
    gait = measure_gait(make_walk(falls_at_s=1.6), start_s=0.3)
    assert (gait.fell_at_s, gait.end_s, gait.steps) == (1.6, 1.6, 3)
    early = measure_gait(make_walk(falls_at_s=0.2), start_s=1.0)
    assert (early.seconds, early.steps, early.mean_step_time_s) == (0.0, 0, None)


def test_a_foot_that_bounces_makes_one_step() -> None:
    walk = make_walk()
    bounced = replace(walk, events=(*walk.events, Event(0.55, "strike", 0, "right_foot")))
    assert len(find_steps(bounced)) == len(find_steps(walk))


def test_nothing_recorded_is_nothing_measured() -> None:
    gait = measure_gait(cut(make_walk(), 0))
    assert (gait.speed_mps, gait.steps, gait.seconds, gait.course_deg) == (0.0, 0, 0.0, None)
    assert gait.as_dict()["mean_step_time_s"] is None


@pytest.mark.parametrize(("angle", "wrapped"), [(0.0, 0.0), (190.0, -170.0), (-190.0, 170.0), (540.0, -180.0)])
def test_angles_are_wrapped(angle: float, wrapped: float) -> None:
    assert wrap_deg(angle) == wrapped


def test_a_trial_agrees_with_the_metrics_of_the_same_run() -> None:
    scene = Scene(WALK)
    gait: Gait = run_trial(scene, 6.0, settle_s=3.0)
    metrics = run_scene(scene, 6.0).metrics
    assert gait.speed_mps == pytest.approx(metrics.mean_speed_mps, abs=1e-3)
    assert gait.fell_at_s is None


def test_a_diverged_trial_counts_as_fallen() -> None:
    from poise.world.compile import PhysicsSettings

    wild = Scene(WALK, values={"torso_kp": 1e5, "torso_kd": 1e5}, physics=PhysicsSettings(timestep_s=0.005))
    assert run_trial(wild, 5.0).fell
