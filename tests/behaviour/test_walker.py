"""The walker obeys its commands: it walks, stands, starts, stops, turns and survives pushes, on every body."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.controllers.walker import layout
from poise.reproduce.coros.walker_ground import place_steps
from poise.rollout.scene import Scene
from poise.rollout.simulate import Change
from poise.trials import Gait, PushTest, measure_gait, push_matrix, record_trial, run_trial
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Push

WALK = "walker/walk"
COARSE = PhysicsSettings(timestep_s=0.001)


def walk(
    seconds: float, settle_s: float, *, character: str | None = None, style: str = "plain", **values: float
) -> Gait:
    scene = Scene(WALK, character, values={"style": style, **values}, physics=COARSE)
    return run_trial(scene, seconds, settle_s=settle_s)


@pytest.mark.parametrize("speed_mps", [-0.4, 0.3, 0.6, 1.0])
def test_it_walks_as_fast_as_it_is_told(speed_mps: float) -> None:
    gait = walk(10.0, 4.0, speed_mps=speed_mps)
    assert not gait.fell
    assert gait.speed_mps == pytest.approx(speed_mps, abs=0.15)
    assert abs(gait.side_speed_mps) < 0.1 and abs(gait.heading_deg) < 3.0
    assert gait.steps > 8


def test_it_stands_without_a_step() -> None:
    gait = walk(10.0, 1.0)
    assert not gait.fell
    assert gait.steps == 0 and abs(gait.speed_mps) < 0.01


def test_standing_feet_do_not_creep() -> None:
    recording, fell = record_trial(Scene(WALK, physics=COARSE), 30.0)
    assert fell is None
    body = recording.characters[0]
    for foot in (body.roles["left_foot"], body.roles["right_foot"]):
        path = recording.segment_pos_w_m[:, body.segment_names.index(foot)]
        assert np.linalg.norm(path[-1] - path[recording.time_s > 2.0][0]) < 0.002


def test_idling_sets_feet_anew_and_stays_about() -> None:
    recording, fell = record_trial(Scene(WALK, values={"idle": 1.0}, physics=COARSE), 60.0, record_hz=20.0)
    assert fell is None
    assert measure_gait(recording, start_s=1.0).steps > 0
    com = recording.com_w_m[:, 0, :2]
    assert np.linalg.norm(com - com[0], axis=1).max() < 1.0


@pytest.mark.parametrize(("step_time_s", "error"), [(0.2, 0.03), (0.5, 0.03), (0.8, 0.15)])
def test_steps_take_the_time_they_are_told(step_time_s: float, error: float) -> None:
    gait = walk(16.0, 6.0, speed_mps=0.6, step_time_s=step_time_s)
    assert not gait.fell
    assert np.mean(gait.step_times_s) == pytest.approx(step_time_s, rel=error)


@pytest.mark.parametrize("angle_deg", [8.0, -8.0])
def test_it_knows_the_slope_it_walks_on(angle_deg: float) -> None:
    terrain = f"slope:angle_deg={angle_deg:g}"
    world = Scene(WALK, values={"speed_mps": 0.6}, terrain=terrain, physics=COARSE).open()
    world.step(12000)
    assert world.fell_at_s() is None
    memory = world.memories[0].view(layout.MEMORY)[0]
    assert memory.slope[0] == pytest.approx(math.tan(math.radians(angle_deg)), abs=0.03)
    assert abs(memory.slope[1]) < 0.03


def test_a_step_goes_to_a_given_point() -> None:
    errors_m, fell_at_s = place_steps(True, 0, 1, 0.1, 0.0)
    assert fell_at_s is None
    assert max(errors_m) < 0.05


@pytest.mark.parametrize("ahead_m", [0.1, -0.1])
def test_three_steps_in_a_row_go_to_given_points(ahead_m: float) -> None:
    errors_m, fell_at_s = place_steps(True, 0, 3, ahead_m, 0.0)
    assert len(errors_m) == 3
    assert max(errors_m) < 0.05
    assert fell_at_s is None


def test_a_step_to_a_point_further_away_takes_longer() -> None:
    world = Scene(WALK, values={"speed_mps": 0.6}, physics=COARSE).open()
    memory = world.memories[0].view(layout.MEMORY)[0]

    def step_s(ahead_m: float) -> float:
        """Time of the next step, whose foot goes that far ahead of the other."""
        stance = memory.strike_ankle.copy()
        world.set_parameter("foothold_1_x_m", float(stance[0]) + ahead_m)
        world.set_parameter("foothold_1_y_m", -float(stance[1]))
        world.set_parameter("footholds", 1.0)
        world.set_parameter("foothold_order", 1.0)
        before, start_s = int(memory.steps), world.time_s
        while int(memory.steps) == before:
            world.step(1)
        return world.time_s - start_s

    world.step(4000)
    before = int(memory.steps)
    while int(memory.steps) == before:
        world.step(1)
    strike = world.snapshot()
    times_s = []
    for ahead_m in (0.15, 0.25, 0.35):
        world.restore(strike)
        times_s.append(step_s(ahead_m))
    assert times_s[0] + 0.05 < times_s[1] < times_s[2] - 0.05


def test_it_turns_round_with_legs_that_cannot_pass() -> None:
    physics = PhysicsSettings(timestep_s=0.001, self_collision="legs")
    changes = [Change(3.0, "heading_deg", 180.0)]
    recording, fell = record_trial(Scene(WALK, values={"speed_mps": 1.0}, changes=changes, physics=physics), 11.0)
    assert fell is None
    assert abs(measure_gait(recording, start_s=9.0).heading_error_deg(180.0)) < 5.0


def test_it_steps_in_place_where_it_may_not_stand() -> None:
    gait = walk(8.0, 2.0, stand=0.0)
    assert not gait.fell
    assert gait.steps > 8 and abs(gait.speed_mps) < 0.1


def test_it_starts_and_stops() -> None:
    changes = [Change(1.0, "speed_mps", 0.6), Change(5.0, "speed_mps", 0.0)]
    recording, fell = record_trial(Scene(WALK, changes=changes, physics=COARSE), 12.0)
    assert fell is None
    before, going, after = (
        measure_gait(recording, start_s=a, end_s=b) for a, b in ((0.0, 1.0), (2.5, 5.0), (9.0, 12.0))
    )
    assert before.steps == 0
    assert going.steps > 3 and going.speed_mps > 0.4
    assert after.steps == 0 and abs(after.speed_mps) < 0.02


@pytest.mark.parametrize("angle_deg", [90.0, -90.0])
def test_it_turns_and_goes_on_in_the_new_direction(angle_deg: float) -> None:
    changes = [Change(3.0, "heading_deg", angle_deg)]
    scene = Scene(WALK, values={"speed_mps": 0.6}, changes=changes, physics=COARSE)
    recording, fell = record_trial(scene, 9.0)
    assert fell is None
    after = measure_gait(recording, start_s=6.0)
    assert abs(after.heading_error_deg(angle_deg)) < 5.0
    assert after.speed_along_mps(angle_deg) == pytest.approx(0.6, abs=0.15)


@pytest.mark.parametrize("direction_deg", [0.0, 90.0, 180.0, 270.0])
def test_it_walks_on_after_a_push(direction_deg: float) -> None:
    push = Push(300.0, direction_deg, 4.0, 0.1)
    scene = Scene(WALK, values={"speed_mps": 0.6}, pushes=[push], physics=COARSE)
    gait = run_trial(scene, 10.0, settle_s=7.5)
    assert not gait.fell
    assert gait.speed_mps == pytest.approx(0.6, abs=0.15)


def test_a_hard_shove_is_caught_late_in_a_step_where_legs_may_pass() -> None:
    physics = PhysicsSettings(timestep_s=0.001, self_collision="none")
    scene = Scene(WALK, values={"speed_mps": 0.6, "pass_legs": 1.0}, physics=physics)
    test = PushTest(directions=(135.0, 180.0, 337.5), phases=(0.5, 0.75), settle_s=3.0, after_s=3.0)
    assert push_matrix(scene, [600.0], test).survived == 6


def test_a_push_at_rest_is_caught_by_a_step_and_it_stands_again() -> None:
    scene = Scene(WALK, pushes=[Push(300.0, 0.0, 1.0, 0.1)], physics=COARSE)
    recording, fell = record_trial(scene, 9.0)
    assert fell is None
    assert measure_gait(recording, start_s=1.0, end_s=4.0).steps > 0
    assert measure_gait(recording, start_s=7.0).steps == 0


@pytest.mark.parametrize("speed_mps", [0.6, -0.4])
@pytest.mark.parametrize("name", ["beast1", "beast2", "robot"])
def test_it_walks_on_other_bodies(name: str, speed_mps: float) -> None:
    gait = walk(8.0, 3.0, character=name, speed_mps=speed_mps)
    assert not gait.fell
    assert gait.speed_mps == pytest.approx(speed_mps, abs=0.2)


def test_a_style_changes_the_pose_and_not_the_speed() -> None:
    arms = []
    for style in ("plain", "zombie"):
        scene = Scene(WALK, values={"speed_mps": 0.6, "style": style}, physics=COARSE)
        recording, fell = record_trial(scene, 8.0)
        assert fell is None
        assert measure_gait(recording, start_s=4.0).speed_mps == pytest.approx(0.6, abs=0.15)
        column = recording.characters[0].axis_index("left_shoulder_pitch")
        arms.append(float(np.mean(recording.joint_q_rad[recording.time_s > 4.0, column])))
    assert arms[1] - arms[0] > 0.5
