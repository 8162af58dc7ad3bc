import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.errors import InputError
from poise.measures.metrics import compute_forward_w, compute_metrics, compute_way_m
from poise.measures.walking import measure_gait
from poise.recordings.recording import Recording, Tally
from synthetic_walks import DUTY, STEP_S, cut, make_walk


def test_a_walk_in_the_plane(walk):
    metrics = compute_metrics(walk)
    assert metrics.controller == "made/by-hand" and metrics.character == "synthetic"
    assert metrics.seconds == 3.0
    assert not metrics.fallen and metrics.fell_at_s is None
    assert metrics.distance_m == pytest.approx(3.6, abs=1e-9)
    assert metrics.mean_speed_mps == pytest.approx(1.2, abs=1e-9)
    assert metrics.steps == 6
    assert metrics.step_lengths_m == pytest.approx([1.2 * STEP_S] * 5)
    assert metrics.step_times_s == pytest.approx([STEP_S] * 5)
    assert metrics.duty_factor == pytest.approx({"left": DUTY, "right": DUTY}, abs=0.01)


@given(speed=st.floats(-1.0, 1.0))
def test_speed_and_distance_are_signed(speed):
    metrics = compute_metrics(make_walk(seconds=1.0, hz=20.0, speed_mps=speed))
    assert metrics.distance_m == pytest.approx(speed, abs=0.01)
    assert metrics.mean_speed_mps == pytest.approx(speed, abs=0.05)


def test_on_a_circle_speed_follows_the_heading_and_distance_does_not(turn):
    metrics = compute_metrics(turn)
    # The centre of mass swings within each step: over whole steps the mean is the speed of the root.
    assert metrics.mean_speed_mps == pytest.approx(1.2, abs=0.01)
    assert metrics.distance_m == pytest.approx(2.0 * math.sin(4.8 / 2.0), abs=0.05)
    assert compute_way_m(turn)[-1] == pytest.approx(4.8, abs=0.02)
    yaw = np.unwrap(np.arctan2(*compute_forward_w(turn)[:, 1::-1].T))
    assert yaw == pytest.approx(0.6 * turn.time_s, abs=1e-9)


def test_the_way_does_not_depend_on_where_north_is(turn):
    angle = 2.0
    c, s = math.cos(angle), math.sin(angle)
    rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    w, z = math.cos(angle / 2), math.sin(angle / 2)
    q = turn.segment_quat_wxyz
    turned = np.stack(
        [
            w * q[..., 0] - z * q[..., 3],
            w * q[..., 1] - z * q[..., 2],
            w * q[..., 2] + z * q[..., 1],
            w * q[..., 3] + z * q[..., 0],
        ],
        axis=-1,
    )
    other = replace(
        turn,
        segment_quat_wxyz=turned,
        **{
            name: getattr(turn, name) @ rotation.T
            for name in ("segment_pos_w_m", "com_w_m", "com_vel_w_mps", "contact_pos_w_m", "contact_force_w_n")
        },
    )
    a, b = compute_metrics(turn).as_dict(), compute_metrics(other).as_dict()
    for name in ("distance_m", "mean_speed_mps", "mean_step_length_m", "cost_of_transport"):
        assert a[name] == pytest.approx(b[name], abs=1e-9)


def test_torque_and_work_come_from_the_loop_where_it_summed_them(walk):
    tally = Tally(positive_work_j=70.0, absolute_work_j=100.0, peak_torque_nm=55.0, mean_abs_torque_nm=11.0)
    metrics = compute_metrics(replace(walk, tallies=(tally,)))
    assert (metrics.max_torque_nm, metrics.mean_torque_nm, metrics.work_j) == (55.0, 11.0, 100.0)
    weight = walk.characters[0].mass_kg * 9.81
    assert metrics.cost_of_transport == pytest.approx(100.0 / (weight * 3.6))


def test_without_sums_the_frames_serve(walk):
    metrics = compute_metrics(walk)
    power = np.abs(walk.torque_nm * walk.joint_v_radps).sum(axis=1)
    assert metrics.work_j == pytest.approx(np.trapezoid(power, walk.time_s))
    assert metrics.max_torque_nm == np.abs(walk.torque_nm).max()


def test_after_a_fall_steps_no_longer_count():
    metrics = compute_metrics(make_walk(falls_at_s=1.6))
    assert metrics.fallen and metrics.fell_at_s == 1.6
    assert metrics.steps == 3 and len(metrics.step_times_s) == 2


def test_who_stays_in_place_has_no_cost_of_transport():
    assert compute_metrics(make_walk(seconds=1.0, speed_mps=0.0)).cost_of_transport is None


def test_each_character_has_its_own_figures(pair):
    first, second = compute_metrics(pair, 0), compute_metrics(pair, 1)
    assert (first.character, second.character) == ("synthetic", "other")
    assert first.mean_speed_mps == pytest.approx(1.2, abs=0.01)
    assert second.mean_speed_mps == pytest.approx(0.8, abs=0.01)
    assert second.mean_step_length_m == pytest.approx(0.4)
    assert (first.work_j, second.work_j) == (20.0, 2.0)
    assert second.duty_factor["left"] == pytest.approx(DUTY, abs=0.02)


def test_an_unknown_character_is_refused(walk):
    with pytest.raises(InputError) as error:
        compute_metrics(walk, 1)
    assert str(error.value) == "recording: character is out of range, got 1. Allowed: 0 to 0."


def test_the_noted_length_of_the_run_counts(walk):
    assert compute_metrics(replace(walk, meta={"seconds": 3.01})).seconds == 3.01


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_hardly_any_frames_do_no_harm(walk, frames):
    short = cut(walk, frames)
    metrics = compute_metrics(short)
    assert metrics.steps == 0 and metrics.mean_step_time_s is None and metrics.cost_of_transport is None
    assert math.isfinite(metrics.mean_speed_mps)


def test_the_figures_go_into_json(walk):
    data = compute_metrics(walk).as_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["duty_factor"].keys() == {"left", "right"}


def test_a_bounce_is_no_step_and_a_sweep_agrees(walk: Recording) -> None:
    strikes = [e for e in walk.events if e.kind == "strike"]
    bounce = replace(strikes[1], time_s=strikes[1].time_s + 0.02)
    bouncing = replace(walk, events=tuple(sorted([*walk.events, bounce], key=lambda e: e.time_s)))
    metrics, gait = compute_metrics(bouncing), measure_gait(bouncing)
    assert metrics.steps == gait.steps == compute_metrics(walk).steps == len(strikes)
    assert metrics.step_times_s == gait.step_times_s
    assert metrics.step_lengths_m == gait.step_lengths_m
