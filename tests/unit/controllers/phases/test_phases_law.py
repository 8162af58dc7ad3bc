"""What the law of phases does: targets, ends of phases, Jacobians, limits, feedback, skills and symmetry."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.checking import check_controller
from poise.checking.subject import ask
from poise.controllers.phases import layout
from poise.controllers.phases.build import build_from_table
from poise.world.controller import Controller
from poise.world.world import World

BODY = load_character("bioloid")
STILL = {"name": "still", "duration_s": 10.0}


def make(*phases: dict[str, Any], **more: Any) -> Controller:
    return build_from_table({"phases": list(phases), **more}, BODY, "test", "")


def open_world(*phases: dict[str, Any], **more: Any) -> World:
    return World([BODY], [make(*phases, **more)])


def phase_of(world: World) -> int:
    return int(layout.read_memory(world.memories[0]).phase)


def test_a_servo_pulls_towards_the_sum_of_its_parameters() -> None:
    parameters = {"bend_rad": {"value": 0.02, "low": 0.0, "high": 1.0}}
    pose = {"knee_pitch": "0.01 + 2*bend_rad"}
    world = open_world({**STILL, "pose_rad": pose}, parameters=parameters, pose_rad={"knee_pitch": 0.0})
    knee = BODY.axis_index("left_knee_pitch")
    assert ask(world).torque[knee] == pytest.approx(10.0 * 0.05)
    assert ask(world).damping[knee] == 0.3
    world.set_parameter("bend", 0.0)
    assert ask(world).torque[knee] == pytest.approx(10.0 * 0.01)


def test_a_phase_ends_on_time_and_the_last_one_stays() -> None:
    world = open_world({"name": "one", "duration_s": 0.05}, {"name": "two", "duration_s": 0.02})
    dt = world.settings.timestep_s
    world.step(round(0.05 / dt) - 1)
    assert phase_of(world) == 0
    world.step(1)
    assert phase_of(world) == 1
    world.step(round(0.1 / dt))
    assert phase_of(world) == 1


def test_phases_go_round_where_the_last_names_an_earlier_one() -> None:
    phases = [{"name": n, "duration_s": 0.01} for n in ("begin", "left", "right")]
    world = open_world(*phases[:2], {**phases[2], "next": "left"})
    seen = []
    for _ in range(6):
        seen.append(phase_of(world))
        world.step(round(0.01 / world.settings.timestep_s))
    assert seen == [0, 1, 2, 1, 2, 1]


def test_a_duration_may_depend_on_a_parameter() -> None:
    parameters = {"more_s": {"value": 0.03, "low": 0.0, "high": 0.1}}
    world = open_world({"name": "one", "duration_s": "0.02 + more_s"}, STILL, parameters=parameters)
    world.step(round(0.045 / world.settings.timestep_s))
    assert phase_of(world) == 0
    world.step(round(0.01 / world.settings.timestep_s))
    assert phase_of(world) == 1


def test_lift_off_and_contact_end_phases() -> None:
    falling = {"name": "fall", "until": "contact"}
    world = open_world({"name": "stand", "until": "lift_off", "after_s": 0.05}, falling, STILL)
    world.step(200)
    assert phase_of(world) == 0
    world.percepts[0].root_q[2] += 0.05
    world.step(4)
    assert phase_of(world) == 1
    world.step(round(0.2 / world.settings.timestep_s))
    assert phase_of(world) == 2


def test_only_the_feet_that_count_end_a_phase() -> None:
    # It stands on both feet: the left one alone never leaves the ground.
    world = open_world({"name": "wait", "until": "lift_off", "feet": ["left"], "after_s": 0.05}, STILL)
    world.step(300)
    assert phase_of(world) == 0


def test_a_phase_that_waits_gives_up_after_its_duration() -> None:
    world = open_world({"name": "wait", "until": "lift_off", "after_s": 0.05, "duration_s": 0.1}, STILL)
    world.step(round(0.11 / world.settings.timestep_s))
    assert phase_of(world) == 1


def test_a_ramp_leads_from_one_pose_to_the_next() -> None:
    world = open_world(
        {"name": "one", "duration_s": 0.1, "pose_rad": {"knee_pitch": 0.0}},
        {"name": "two", "duration_s": 1.0, "ramp_s": 0.2, "pose_rad": {"knee_pitch": 0.04}},
        pose_rad={"knee_pitch": 0.0},
    )
    knee = BODY.axis_index("left_knee_pitch")
    world.step(round(0.2 / world.settings.timestep_s))
    elapsed = layout.read_memory(world.memories[0]).elapsed
    target = 0.04 * elapsed / 0.2
    assert ask(world).torque[knee] == pytest.approx(10.0 * (target - world.percepts[0].joint_q[knee]))


def jacobian_force(world: World, body: int, point: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Jᵀ·F of a point by MuJoCo, for the joints alone."""
    jac = np.zeros((3, world.model.nv))
    mujoco.mj_jac(world.model, world.data, jac, None, point, body)
    return np.asarray(jac.T @ force)[6:]


@pytest.mark.parametrize("segment", ["left_foot", "right_forearm"])
def test_the_torques_of_a_force_are_those_of_the_jacobian(segment: str) -> None:
    force = [0.3, -0.2, -0.4]
    posed = {"left_hip_pitch": 0.6, "left_knee_pitch": 0.9, "right_shoulder_roll": 0.4, "left_hip_roll": 0.2}
    quiet = open_world(STILL, pose_rad=posed)
    pushing = open_world({**STILL, "forces": [{"at": segment, "force_n": force}]}, pose_rad=posed)
    added = ask(pushing).torque - ask(quiet).torque
    body = pushing.body(segment)
    expected = jacobian_force(pushing, body, pushing.data.xipos[body], np.array(force))
    assert np.abs(expected).max() > 0.01
    np.testing.assert_allclose(added, expected, atol=1e-12)


def test_a_force_at_the_centre_of_mass_pushes_both_feet_down() -> None:
    quiet = open_world(STILL)
    lifted = open_world({**STILL, "forces": [{"at": "com", "force_n": [0.0, 0.0, 4.0]}]})
    added = ask(lifted).torque - ask(quiet).torque
    com = lifted.data.subtree_com[1]
    down = np.array([0.0, 0.0, -2.0])
    expected = sum(jacobian_force(lifted, lifted.body(f"{s}_foot"), com, down) for s in ("left", "right"))
    np.testing.assert_allclose(added, expected, atol=1e-12)
    # It carries a part of the weight: with it the body stands higher.
    for world in (quiet, lifted):
        world.step(2000)
    assert lifted.percepts[0].com_w[2] > quiet.percepts[0].com_w[2] + 5e-5


def test_limits_hold_for_limited_forces_only() -> None:
    def peak(limited: bool) -> float:
        force = {"at": "foot", "force_n": [0.0, 0.0, -60.0], "limited": limited}
        world = open_world({**STILL, "forces": [force]}, pose_rad={"knee_pitch": 0.6, "hip_pitch": 0.3})
        world.step(20)
        return float(world.ledger.tallies[0].peak_torque_nm)

    assert peak(True) <= 0.6
    assert peak(False) > 1.0


@pytest.mark.parametrize(("measure", "speed"), [("com_vel_x_mps", (0.1, 0.0)), ("com_vel_y_mps", (0.0, 0.1))])
def test_feedback_answers_the_speed_of_the_centre_of_mass(measure: str, speed: tuple[float, float]) -> None:
    world = open_world(STILL, feedback=[{"axis": "ankle_roll", "measure": measure, "gain": 0.3}])
    world.percepts[0].root_v[:2] = speed
    answer = ask(world).torque
    left, right = (answer[BODY.axis_index(f"{s}_ankle_roll")] for s in ("left", "right"))
    assert left == pytest.approx(10.0 * 0.3 * 0.1)
    # Of a sideways measure the right side gets the mirror image.
    assert right == pytest.approx(left if measure == "com_vel_x_mps" else -left)


def test_feedback_of_a_place_is_from_the_middle_of_the_feet() -> None:
    lean = {"left_ankle_pitch": 0.1, "right_ankle_pitch": 0.1}
    world = open_world(STILL, pose_rad=lean, feedback=[{"axis": "hip_roll", "measure": "com_x_m", "gain": 1.0}])
    ask(world)
    feet = [world.data.xipos[world.body(f"{s}_foot")][0] for s in ("left", "right")]
    ahead = world.data.subtree_com[1][0] - np.mean(feet)
    assert ask(world).torque[BODY.axis_index("left_hip_roll")] == pytest.approx(10.0 * ahead)


def test_a_skill_makes_parameters_of_its_command() -> None:
    table: dict[str, Any] = {
        "parameters": {"bend_rad": {"value": 0.0, "low": 0.0, "high": 0.05}},
        "skill": {"parameter": "depth_m", "low": 1.0, "high": 3.0, "degree": 2,
                  "weights": {"bend_rad": [0.01, 0.02, 0.04]}},
        "pose_rad": {"knee_pitch": 0.0},
    }  # fmt: skip
    controller = make({**STILL, "pose_rad": {"knee_pitch": "bend_rad"}}, **table)
    for depth, bend in ((1.0, 0.01), (2.0, 0.01 + 0.01 + 0.01), (3.0, 0.05)):
        world = World([BODY], [controller.with_values({"depth": depth})])
        # The last one is cut at the end of the parameter's range.
        assert ask(world).torque[BODY.axis_index("left_knee_pitch")] == pytest.approx(10.0 * bend)


def test_symmetric_phases_say_so_and_others_do_not() -> None:
    assert make(STILL).mirror_memory is not None
    assert make({**STILL, "pose_rad": {"left_hip_roll": 0.1}}).mirror_memory is None
    left = {"name": "left", "duration_s": 0.2, "pose_rad": {"left_hip_roll": 0.1}}
    round_trip = make(left, {"name": "right", "mirror": "left", "next": "left"})
    assert round_trip.mirror_memory is not None
    mirrored = round_trip.mirror_memory(round_trip.memory)
    assert layout.read_memory(mirrored).phase == 1.0
    # Begun on the left, and ended there: the mirror image would end on the right.
    assert make(left, {"name": "right", "mirror": "left"}).mirror_memory is None


def test_two_halves_of_a_stride_pass_the_contract() -> None:
    step = {
        "name": "left", "duration_s": 0.1, "ramp_s": 0.05, "pose_rad": {"left_hip_pitch": 0.3, "left_knee_pitch": 0.4},
        "forces": [{"at": "right_foot", "force_n": [0.5, 0.2, -1.0]}, {"at": "com", "force_n": [0.0, 1.0, 1.0]}],
        "feedback": [{"axis": "left_hip_roll", "measure": "com_y_m", "gain": 1.0},
                     {"axis": "ankle_pitch", "measure": "trunk_pitch_rad", "gain": 0.2}],
    }  # fmt: skip
    controller = make(step, {"name": "right", "mirror": "left", "next": "left"})
    results = check_controller(controller, BODY)
    assert [r for r in results if not r.passed] == []
    assert not next(r for r in results if r.name == "mirrored").skipped


def test_the_same_bits_come_out_of_two_runs() -> None:
    states = []
    for _ in range(2):
        world = World([BODY], [make({**STILL, "pose_rad": {"knee_pitch": 0.3}})])
        world.step(400)
        states.append(world.snapshot().physics)
    assert states[0].tobytes() == states[1].tobytes()


def test_it_moves_a_larger_body_too() -> None:
    humanoid = load_character("humanoid")
    phases = [
        {"name": "crouch", "duration_s": 0.4, "ramp_s": 0.3, "pose_rad": {"knee_pitch": 0.8, "hip_pitch": 0.4}},
        {"name": "thrust", "until": "lift_off", "duration_s": 0.5, "forces": [
            {"at": "com", "force_n": [0.0, 0.0, 1200.0], "limited": False}]},
        {"name": "land", "duration_s": 1.0},
    ]  # fmt: skip
    controller = build_from_table({"phases": phases}, humanoid, "hop", "")
    world = World([humanoid], [controller])
    world.step(round(1.0 / world.settings.timestep_s))
    assert phase_of(world) == 2
    assert [r for r in check_controller(controller, humanoid) if not r.passed] == []
