"""Skills written in the controller language do what their names say, on the body for which they are written."""

from functools import cache

import numpy as np
import pytest

import poise.api as api
from poise.reproduce.firmin.skills import SKILLS, try_skill
from poise.skills.skill import skill_names
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Push

#: Default ground of scripts.
FIRM = PhysicsSettings(timestep_s=0.001)
SOFT = PhysicsSettings(timestep_s=0.001, ground="default")
#: Skills that go on ordinary ground too: least and most speed over the second half of their time.
SPEEDS = {
    "script/backward-walk": (-0.6, -0.4),
    "script/fast-walk": (1.5, 2.0),
    "script/high-step": (0.9, 1.2),
    "script/hop": (-0.02, 0.02),
    "script/rise": (-0.02, 0.02),
    "script/run": (1.7, 2.5),
    "script/squat": (-0.01, 0.01),
    "script/stand": (-0.01, 0.01),
    "script/walk": (1.15, 1.55),
    "script/walk-in-place": (-0.1, 0.1),
    "script/walk-to-stop": (0.0, 0.2),
}


#: Ten seconds for all but these: the run takes as long to come to its speed, the stop to slow down.
SECONDS = {"script/run": 20.0, "script/walk-to-stop": 22.0}


KNEE = load_any_character("planar17").axis_index("left_knee_pitch")


@cache
def run(name: str, firm: bool = True) -> api.Run:
    return api.run(name, seconds=SECONDS.get(name, 10.0), physics=FIRM if firm else SOFT)


def test_every_shipped_skill_has_its_judge() -> None:
    assert sorted(SKILLS) == sorted(skill_names())


@pytest.mark.parametrize("name", SKILLS)
def test_the_skill_succeeds_from_a_changed_start(name: str) -> None:
    # At the time step of `poise run`: what turns over in the air is tuned for it.
    assert try_skill(name, seed=101) == ""


@pytest.mark.parametrize("firm", [True, False], ids=["firm ground", "ordinary ground"])
@pytest.mark.parametrize("name", SPEEDS)
def test_the_skill_lasts_and_holds_its_speed(name: str, firm: bool) -> None:
    metrics = run(name, firm).metrics
    assert metrics.fell_at_s is None
    low, high = SPEEDS[name]
    assert low < metrics.mean_speed_mps < high


def both_feet_up(name: str) -> float:
    """The part of the time in which neither foot carries anything, if the feet never overlap."""
    duty = run(name).metrics.duty_factor
    return 1.0 - duty["left"] - duty["right"]


def test_running_flies_and_walking_does_not() -> None:
    assert both_feet_up("script/run") > 0.1
    assert both_feet_up("script/walk") < 0.02


def lowest_and_last_pelvis(name: str) -> tuple[float, float]:
    height = run(name).recording.qpos[:, 1]
    return float(np.min(height)), float(height[-1])


def test_a_squat_goes_down_and_stays_there() -> None:
    lowest, last = lowest_and_last_pelvis("script/squat")
    assert 0.6 < lowest < 0.7
    assert last == pytest.approx(lowest, abs=0.02)


def test_rising_ends_as_high_as_it_began() -> None:
    lowest, last = lowest_and_last_pelvis("script/rise")
    assert 0.6 < lowest < 0.7
    assert last == pytest.approx(0.95, abs=0.01)


def test_a_hop_leaves_the_ground_and_comes_back_to_stand() -> None:
    done = run("script/hop")
    height = done.recording.qpos[:, 1]
    assert np.max(height) > 1.03
    assert height[-1] == pytest.approx(0.95, abs=0.02)
    feet = [k for k, name in enumerate(done.recording.characters[0].segment_names) if name.endswith("foot")]
    ankles = done.recording.segment_pos_w_m[:, feet, 2].min(axis=1)
    assert np.max(ankles) > 0.1


def test_stopping_ends_at_rest_where_walking_led() -> None:
    recording = run("script/walk-to-stop").recording
    assert recording.qpos[-1, 0] > 3.0
    assert np.max(np.abs(recording.qvel[-200:, :2])) < 0.1
    assert recording.qpos[-1, 1] == pytest.approx(0.95, abs=0.02)


def test_high_steps_lift_the_foot_higher_than_the_walk() -> None:
    lifts = {
        name: float(np.max(run(name).recording.joint_q_rad[500:, KNEE])) for name in ("script/high-step", "script/walk")
    }
    assert lifts["script/high-step"] > lifts["script/walk"] + 0.3


def test_standing_survives_a_push_that_holding_a_pose_does_not() -> None:
    push = Push(force_n=60.0, direction_deg=0.0, start_s=3.0, duration_s=0.2)
    fell = {}
    for name in ("script/stand", "pose/hold"):
        done = api.run(name, character="planar17", seconds=8.0, ground="firm", physics=FIRM, pushes=[push])
        fell[name] = done.metrics.fell_at_s is not None
    assert fell == {"script/stand": False, "pose/hold": True}


@pytest.mark.parametrize("direction_deg", [0.0, 180.0])
def test_the_walk_survives_a_push(direction_deg: float) -> None:
    push = Push(force_n=150.0, direction_deg=direction_deg, start_s=5.0, duration_s=0.1)
    done = api.run("script/walk", seconds=10.0, physics=FIRM, pushes=[push])
    assert done.metrics.fell_at_s is None


def test_a_parameter_of_a_script_is_one_of_its_controller() -> None:
    shallow = api.run("script/squat", seconds=5.0, set={"depth": 0.8}, physics=FIRM)
    assert shallow.metrics.fell_at_s is None
    assert float(np.min(shallow.recording.qpos[:, 1])) > lowest_and_last_pelvis("script/squat")[0] + 0.15
