"""What each action does to the joints, against the formulas of the source."""

import math
from pathlib import Path

import numpy as np
import pytest

from poise.characters.kinematics import compute_frames
from poise.checking.subject import ask
from poise.controllers.script import layout as lay
from poise.controllers.script.build import build_controller
from poise.world.adopt import load_any_character
from poise.world.world import World
from script_worlds import BODY, PLANAR17, is_on, one_phase, open_world, read_target, script_torques, set_angle


def near(value: float) -> object:
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def test_pose_is_a_servo_in_the_sense_of_the_script(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("POSE lHip(-.4), rKnee(.5, 200, 20), lElbow(-1, 100);"))
    set_angle(world, "lHip", 0.1, 0.5)
    set_angle(world, "rKnee", 0.2, -1.0)
    torques = script_torques(world)
    assert torques["lHip"] == near(300 * (-0.4 - 0.1) - 30 * 0.5)
    assert torques["rKnee"] == near(200 * (0.5 - 0.2) + 20 * 1.0)
    assert torques["lElbow"] == near(100 * -1.0)
    assert torques["rHip"] == 0.0


def test_lipose_draws_a_straight_line_from_where_the_joint_is(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("LIPOSE rShoulder(-1, 100, 30).time(.1);"))
    set_angle(world, "rShoulder", 0.2)
    targets = []
    for _ in range(120):
        world.step(1)
        targets.append(read_target(world, "rShoulder"))
    assert targets[0] == near(0.2)
    assert targets[50] == near(0.2 + 0.5 * (-1.2))
    assert np.diff(targets[:100]) == pytest.approx(-0.012, abs=1e-9)
    assert targets[-1] == near(-1.0)


def test_lipose_without_time_takes_its_goal_at_once(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("LIPOSE rShoulder(-1).time(0);"))
    world.step(1)
    assert read_target(world, "rShoulder") == near(-1.0)


def test_match_follows_another_joint(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("MATCH lElbow.to(rElbow, 100, 10);", "MATCH lKnee.to(rKnee).time(.1);"))
    set_angle(world, "rElbow", -0.8)
    set_angle(world, "rKnee", 1.0)
    assert script_torques(world)["lElbow"] == near(100 * -0.8)
    world.step(1)
    assert read_target(world, "lKnee") == near(0.0)
    world.step(200)
    # The goal is that of the beginning, wherever the other knee has gone.
    assert read_target(world, "lKnee") == near(1.0)


def test_hold_keeps_the_angle_of_the_beginning(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("HOLD lKnee;"))
    set_angle(world, "lKnee", 0.7)
    world.step(50)
    assert read_target(world, "lKnee") == near(0.7)


def test_posefb_moves_the_target_with_the_centre_of_mass(tmp_path: Path) -> None:
    plain = one_phase("POSE lAnkle(.1, 100, 0);")
    with_law = one_phase("POSE lAnkle(.1, 100, 0);", "POSEFB lAnkle(2, 3).on(joint rAnkle);")
    torques = []
    for text in (plain, with_law):
        world = open_world(tmp_path, text)
        world.percepts[0].root_v[0] = 0.4
        torques.append(script_torques(world)["lAnkle"])
    percept = world.percepts[0]
    d = percept.com_w[0] - percept.pos_w[BODY.axis_segments[BODY.joints["rAnkle"]], 0]
    assert percept.com_vel_w[0] == near(0.4)
    assert torques[1] - torques[0] == near(100 * (2 * d + 3 * 0.4))


def test_vpd_turns_a_part_in_the_world(tmp_path: Path) -> None:
    text = one_phase("VPD uTorso(0, 1000, 100).joint(lHip);", "VPD rThigh(-.4, -300, -30).joint(rHip);")
    world = open_world(tmp_path, text)
    world.percepts[0].root_q[2] = 0.2
    world.percepts[0].root_v[2] = 0.5
    set_angle(world, "rHip", 0.1, 0.3)
    torques = script_torques(world)
    assert torques["lHip"] == near(1000 * 0.2 + 100 * 0.5)
    assert torques["rHip"] == near(300 * (-0.4 - 0.3) - 30 * 0.8)


def test_the_flag_s_hands_the_reaction_to_the_other_hip(tmp_path: Path) -> None:
    text = one_phase("VPD uTorso(.1, 1000, 100).joint(lHip);", "VPD rThigh(-.4, -300, -30).joint(rHip).flags(s);")
    torques = script_torques(open_world(tmp_path, text))
    assert torques["rHip"] == near(-120.0)
    assert torques["lHip"] == near(-100.0 + 120.0)


@pytest.mark.parametrize(
    ("part", "gains", "link", "joint", "wanted"),
    [
        ("rThigh", "-300, -30", "pelvis", "rHip", "-300, -30"),
        # Gains of either sign drive the part towards its angle.
        ("rThigh", "300, 30", "pelvis", "rHip", "-300, -30"),
        ("rThigh", "", "pelvis", "rHip", "-300, -30"),
        ("rThigh", "kp, kd", "pelvis", "rHip", "-300, -30"),
        ("uTorso", "300, 30", "lThigh", "lHip", "300, 30"),
        ("uTorso", "-300, -30", "lThigh", "lHip", "300, 30"),
        ("uTorso", "kp, kd", "rThigh", "rHip", "300, 30"),
        # The swing thigh may be held by the stance hip.
        ("rThigh", "300, 30", "lThigh", "lHip", "300, 30"),
        ("rFoot", "300", "rShin", "rAnkle", "-300, -30"),
        ("lFArm", "", "lArm", "lElbow", "-300, -30"),
        ("uTorso", "", "pelvis", "lTorso2uTorso", "-300, -30"),
        ("rThigh", "-300, -30", "rHip", "rHip", "-300, -30"),
    ],
)
def test_the_old_form_parent_names_the_link_on_the_other_side(
    tmp_path: Path, part: str, gains: str, link: str, joint: str, wanted: str
) -> None:
    """With a joint it is another word for .joint, and the signs are the script's own."""
    torques = []
    for k, (given, by) in enumerate([(gains, f"parent({link})"), (wanted, f"joint({joint})")]):
        given = f", {given}" if given else ""
        text = one_phase(f"VPD {part}(.3{given}).{by};", parameters="kp, kd")
        (tmp_path / str(k)).mkdir()
        world = open_world(tmp_path / str(k), f"SET kp = 300\nSET kd = 30\n{text}")
        world.percepts[0].root_q[2] = 0.2
        world.percepts[0].root_v[2] = 0.5
        set_angle(world, joint, 0.1, 0.3)
        torques.append(script_torques(world))
    assert torques[0] == torques[1]
    assert torques[0][joint] != 0.0


def test_feedback_and_the_flag_s_serve_the_old_form_too(tmp_path: Path) -> None:
    lines = "COMFB2 0 -.5 c x\nVPD rThigh(-.4, 300, 30).{}.flags(s);"
    torques = []
    for k, by in enumerate(["parent(pelvis)", "joint(rHip)"]):
        (tmp_path / str(k)).mkdir()
        text = lines.format(by).replace("300, 30", "300, 30" if k == 0 else "-300, -30")
        world = open_world(tmp_path / str(k), one_phase(text))
        world.percepts[0].root_v[0] = 0.8
        torques.append(script_torques(world))
    assert torques[0] == torques[1]
    assert torques[0]["lHip"] != 0.0


def test_the_old_form_works_in_space(tmp_path: Path) -> None:
    humanoid = load_any_character("humanoid")
    found = []
    for gains, by in [("300, 30", "parent(pelvis)"), ("-300, -30", "joint(rHip)")]:
        (tmp_path / "main.ctl").write_text(one_phase(f"VPD rThigh((.3, .1, .2), {gains}).{by};"))
        world = World([humanoid], [build_controller(tmp_path / "main.ctl", humanoid, "main")])
        answer = ask(world)
        found.append((answer.torque, answer.damping))
    assert np.array_equal(found[0], found[1])
    assert np.any(found[0][0] != 0.0)


def test_comfb2_belongs_to_the_next_vpd_alone(tmp_path: Path) -> None:
    text = one_phase("COMFB2 0 -.5 c x", "VPD rThigh(0, -300, 0).joint(rHip);", "VPD lThigh(0, -300, 0).joint(lHip);")
    world = open_world(tmp_path, text)
    world.percepts[0].root_v[0] = 0.8
    torques = script_torques(world)
    assert torques["rHip"] == near(300 * -0.5 * 0.8)
    assert torques["lHip"] == near(0.0)


def point_of(part: str, angles: dict[str, float]) -> np.ndarray:
    """The centre of a part for angles in the script's sense, seen from the root."""
    own = {PLANAR17.axis_names[BODY.joints[j]]: BODY.sign(BODY.joints[j]) * a for j, a in angles.items()}
    frames = compute_frames(PLANAR17, own)
    segment = PLANAR17.segments[BODY.parts[part]]
    return np.array(frames[segment.name].place(segment.com_m))


def test_a_virtual_force_is_the_transposed_jacobian_of_its_chain(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("VF (30, -50, 7).on(rHand).by(rShoulder);"))
    angles = {"rShoulder": -0.7, "rElbow": -0.5, "rWrist": 0.2}
    for joint, angle in angles.items():
        set_angle(world, joint, angle)
    torques = script_torques(world)
    for joint in angles:
        step = 1e-6
        ahead, behind = ({**angles, joint: angles[joint] + s} for s in (step, -step))
        moved = (point_of("rHand", ahead) - point_of("rHand", behind)) / (2 * step)
        assert torques[joint] == pytest.approx(30 * moved[0] - 50 * moved[2], abs=1e-6)
    assert sum(t != 0.0 for t in torques.values()) == 3


def test_a_virtual_force_over_the_hip_turns_the_other_side(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("VF (100, 0, 0).on(uTorso).by(rAnkle);"))
    torques = script_torques(world)
    trunk = point_of("uTorso", {})
    for joint in ("rHip", "rKnee", "rAnkle"):
        anchor = compute_frames(PLANAR17, {})[PLANAR17.segments[BODY.axis_segments[BODY.joints[joint]]].name].origin_m
        # A push ahead above the joint leans what is above forward: the leg below it turns back, which is minus.
        assert torques[joint] == pytest.approx(-100 * (trunk[2] - anchor[2]), abs=1e-6)


def test_vffb_pushes_the_centre_of_mass_back_over_its_place(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("VFFB uTorso(2000, 250).by(rAnkle).over(rFoot);"))
    world.percepts[0].root_v[0] = 0.1
    torques = script_torques(world)
    percept = world.percepts[0]
    d = percept.com_w[0] - percept.segment_com_w[BODY.parts["rFoot"], 0]
    force = -(2000 * d + 250 * 0.1)
    ankle = percept.pos_w[BODY.axis_segments[BODY.joints["rAnkle"]], 2]
    assert torques["rAnkle"] == pytest.approx(-force * (percept.com_w[2] - ankle), rel=1e-6)


def test_vffb_over_cop_is_between_what_touches(tmp_path: Path) -> None:
    both = open_world(tmp_path, one_phase("VFFB uTorso(2000, 0).by(rAnkle).over(cop);"))
    feet = script_torques(both)["rAnkle"]
    percept = both.percepts[0]
    percept.touch_load[BODY.parts["rHand"]] = 10.0
    hand = script_torques(both)["rAnkle"]
    shift = percept.segment_com_w[BODY.parts["rHand"], 0] - percept.segment_com_w[BODY.parts["rFoot"], 0]
    ankle = percept.pos_w[BODY.axis_segments[BODY.joints["rAnkle"]], 2]
    assert hand - feet == pytest.approx(-2000 * shift * (percept.com_w[2] - ankle), rel=1e-6)


def test_vfsfb_pushes_towards_a_speed(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("VFSFB uTorso(300).by(rAnkle).speed(1);"))
    world.percepts[0].root_v[0] = 0.4
    torques = script_torques(world)
    percept = world.percepts[0]
    ankle = percept.pos_w[BODY.axis_segments[BODY.joints["rAnkle"]], 2]
    assert torques["rAnkle"] == pytest.approx(-300 * 0.6 * (percept.com_w[2] - ankle), rel=1e-6)


def test_gravity_compensation_carries_a_limb(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("GC rHand.by(rShoulder);"))
    set_angle(world, "rShoulder", -math.pi / 2)
    torques = script_torques(world)
    percept = world.percepts[0]
    shoulder = percept.pos_w[BODY.axis_segments[BODY.joints["rShoulder"]], 0]
    limb = {"rArm": 2.0, "rForearm": 1.0, "rHand": 0.5}
    weight = sum(m * (percept.segment_com_w[BODY.parts[p], 0] - shoulder) for p, m in limb.items())
    trunk = 16.0 * (percept.segment_com_w[BODY.parts["uTorso"], 0] - shoulder)
    assert torques["rShoulder"] == pytest.approx(-10 * (weight - trunk), rel=1e-6)


@pytest.mark.parametrize("goal", [(0.3, -0.2), (0.1, -0.45), (0.45, 0.1)])
def test_ik_finds_angles_that_bring_the_part_to_its_place(tmp_path: Path, goal: tuple[float, float]) -> None:
    text = one_phase(f"IK rHand.targetlocal({goal[0]}, {goal[1]}, 0).base(rShoulder).tolerance(.001);")
    world = open_world(tmp_path, text)
    answer = ask(world)
    state = int(world.params[0][lay.H_M_STATES])
    angles = dict(zip(("rShoulder", "rElbow", "rWrist"), answer.memory[state + 1 : state + 4], strict=True))
    shoulder = compute_frames(PLANAR17, {})["right_upper_arm"].origin_m
    reached = point_of("rHand", angles) - np.array(shoulder)
    assert np.hypot(reached[0] - goal[0], reached[2] - goal[1]) < 0.001
    for joint, angle in angles.items():
        axis = PLANAR17.axes[BODY.joints[joint]]
        assert axis.low_rad - 1e-9 <= BODY.sign(BODY.joints[joint]) * angle <= axis.high_rad + 1e-9
    assert script_torques(world)["rElbow"] == pytest.approx(300 * angles["rElbow"], abs=1e-6)


def test_ik_out_of_reach_stretches_towards_its_place(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("IK rHand.targetlocal(2, 0, 0).base(rShoulder);"))
    state = int(world.params[0][lay.H_M_STATES])
    angles = ask(world).memory[state + 1 : state + 4]
    assert angles[0] == pytest.approx(-math.pi / 2, abs=0.1)
    assert np.all(np.isfinite(angles))


def test_a_world_target_does_not_move_with_the_body(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("IK rHand.targetglobal(.3, 1.3, -10).base(rShoulder).tolerance(.001);"))
    state = int(world.params[0][lay.H_M_STATES])
    here = ask(world).memory[state + 1 : state + 4].copy()
    world.percepts[0].root_q[0] += 0.1
    assert not np.allclose(ask(world).memory[state + 1 : state + 4], here)


def test_the_last_to_set_a_joint_counts_and_a_vpd_switches_it_off(tmp_path: Path) -> None:
    torques = script_torques(open_world(tmp_path, one_phase("POSE rHip(.1);", "POSE rHip(.2);")))
    assert torques["rHip"] == near(60.0)
    before = one_phase("POSE rHip(.2);", "VPD uTorso(0, 1000, 100).joint(rHip);")
    assert script_torques(open_world(tmp_path, before))["rHip"] == near(0.0)
    after = one_phase("VPD uTorso(.1, 1000, 100).joint(rHip);", "POSE rHip(.2);")
    assert script_torques(open_world(tmp_path, after))["rHip"] == near(60.0 - 100.0)


def test_servos_outlive_their_phase(tmp_path: Path) -> None:
    text = """BEGINSCRIPT a(void)
PHASE 0
ACTIONS
POSE lElbow(-1, 50, 5);
ENDACTIONS
TRANSITION to(1).after(complete);
ENDPHASE
PHASE 1
ACTIONS
POSE rElbow(-1, 50, 5);
ENDACTIONS
ENDPHASE
ENDSCRIPT
"""
    world = open_world(tmp_path, text)
    world.step(3)
    assert is_on(world, "lElbow") and is_on(world, "rElbow")
    assert read_target(world, "lElbow") == near(-1.0)


def test_the_torque_limit_holds_for_all_joints(tmp_path: Path) -> None:
    text = "SET TORQUELIMIT = 40\n" + one_phase("POSE lHip(-2, 1000, 0), lKnee(.01, 100, 0);")
    torques = script_torques(open_world(tmp_path, text))
    assert torques["lHip"] == near(-40.0)
    assert torques["lKnee"] == near(1.0)


def test_values_are_numbers_parameters_and_interpolations_of_both(tmp_path: Path) -> None:
    nested = "linterp(x, 0, 2, 0, linterp(x, 0, 1, .5, 1.5))"
    text = "SET x = .5\n" + one_phase(
        f"POSE lElbow(linterp(x, 0, 1, 0, -1), 100, 0), rElbow({nested}, 100, 0);", parameters="x"
    )
    world = open_world(tmp_path, text)
    torques = script_torques(world)
    assert torques["lElbow"] == near(-50.0)
    assert torques["rElbow"] == near(25.0)
    world.set_parameter("x", 1.0)
    assert script_torques(world)["lElbow"] == near(-100.0)
