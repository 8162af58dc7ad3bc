"""The language in three dimensions: what it says, what it refuses, and what it does to the joints."""

from pathlib import Path

import numpy as np
import pytest

from poise.characters.kinematics import compute_frames
from poise.checking.subject import ask
from poise.controllers.script import layout as lay
from poise.controllers.script.build import build_controller, find_character
from poise.errors import FileFormatError
from poise.language.check import check_program
from poise.language.load import load_program
from poise.language.names import Body
from poise.language.parse import parse_script
from poise.language.write import write_script
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.world import World
from script_worlds import BODY as PLANAR
from script_worlds import one_phase

HUMANOID = load_any_character("humanoid")
BODY = Body(HUMANOID)
AXES = HUMANOID.axis_names
EVERYTHING = one_phase(
    "POSE lHip((-.1, .2, x), 300, (30, 20, 10)), lAnkle((0, .1)), rKnee(.1);",
    "LIPOSE rShoulder((0, linterp(x, 0, 1, 0, 1), 0), 100, 10).time(.5);",
    "POSEFB lHip(1, 2).side(3, 4).on(joint lAnkle), rHip(1, 2).on(part lFoot);",
    "COMFB2 .1 .2 j lAnkle.side(.3, .4)",
    "VPD rThigh((-.2, .1, 0), -300, (-30, -30, -5)).joint(rHip).flags(s);",
    "VF (10, 20, 30).on(uTorso).by(lAnkle);",
    "VFFB uTorso(200, 25).side(100, 10).by(lAnkle).over(feet);",
    "VFSFB uTorso(20).side(10).by(lAnkle).speed(1, .2);",
    "IK rForearm.targetlocal(.3, -.2, .1).base(rShoulder);",
    "HOLD neck2head;",
    parameters="x",
)


def near(value: float) -> object:
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def open_world(folder: Path, *lines: str, joints: dict[str, float] | None = None) -> World:
    """The humanoid in a pose, in the body's own signs, with a script of one phase."""
    (folder / "main.ctl").write_text(one_phase(*lines))
    world = World(
        [HUMANOID],
        [build_controller(folder / "main.ctl", HUMANOID, "main")],
        settings=PhysicsSettings(timestep_s=0.001),
    )
    for name, angle in (joints or {}).items():
        world.percepts[0].joint_q[AXES.index(name)] = angle
    return world


def torques(world: World) -> dict[str, float]:
    """What the law writes now, in the body's own signs, the damping's share included."""
    answer = ask(world)
    total = answer.torque - answer.damping * np.asarray(world.percepts[0].joint_v)
    return dict(zip(AXES, map(float, total), strict=True))


def problems(folder: Path, *lines: str, body: Body = BODY) -> list[str]:
    """First lines of all that the checker finds, without the file."""
    (folder / "main.ctl").write_text(one_phase(*lines))
    found = check_program(load_program(folder / "main.ctl"), body)
    return [f"{p.severity}: {str(p.error).splitlines()[0].partition('main.ctl:')[2].removesuffix('.')}" for p in found]


# --- what it says -----------------------------------------------------------------------------------------------------
def test_all_forms_are_read_and_written_back() -> None:
    script = parse_script("CHARACTER humanoid;\n" + EVERYTHING)
    text = write_script(script)
    assert parse_script(text) == script
    assert write_script(parse_script(text)) == text
    for piece in (
        "lHip((-.1, .2, x), 300, (30, 20, 10))",
        "rShoulder((0, linterp(x, 0, 1, 0, 1), 0), 100, 10).time(.5)",
        "lHip(1, 2).side(3, 4).on(joint lAnkle)",
        "COMFB2 .1 .2 j lAnkle.side(.3, .4)\n",
        "VFFB uTorso(200, 25).side(100, 10).by(lAnkle).over(feet);",
        "VFSFB uTorso(20).side(10).by(lAnkle).speed(1, .2);",
    ):
        assert piece in text


def test_all_forms_pass_the_checker_and_run(tmp_path: Path) -> None:
    (tmp_path / "main.ctl").write_text(EVERYTHING)
    assert [str(p) for p in check_program(load_program(tmp_path / "main.ctl"), BODY) if p.severity == "error"] == []
    controller = build_controller(tmp_path / "main.ctl", HUMANOID, "main")
    world = World([HUMANOID], [controller], settings=PhysicsSettings(timestep_s=0.001))
    world.step(50)
    assert np.all(np.isfinite(world.data.qpos))


def test_a_script_names_its_character_and_others_are_for_the_plane() -> None:
    assert find_character("# CHARACTER bird;\nCHARACTER humanoid;\n" + EVERYTHING) == "humanoid"
    assert find_character(EVERYTHING) == "planar17"
    script = parse_script("CHARACTER humanoid;\n" + EVERYTHING)
    assert script.character is not None and script.character.text == "humanoid"
    assert write_script(script).startswith("CHARACTER humanoid;\n")
    with pytest.raises(FileFormatError, match=r"this CHARACTER cannot be read. It is written 'CHARACTER name;'"):
        parse_script("CHARACTER humanoid\n" + EVERYTHING)


def test_four_components_are_refused_with_a_place() -> None:
    with pytest.raises(FileFormatError) as caught:
        parse_script(one_phase("POSE lHip((0, 0, 0, 0));"), "a.ctl")
    assert str(caught.value).splitlines() == [
        "a.ctl:4:19: at most three components: (pitch, roll, yaw).",
        "    POSE lHip((0, 0, 0, 0));",
        "                      ^",
    ]


# --- what it refuses --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("POSE lHip((0, 0, 0));", "4:11: planar17 moves in a plane: it has one angle at lHip, got 3"),
        ("VPD uTorso((0, 0, 0)).joint(lHip);", "4:12: planar17 moves in a plane: it has one angle at uTorso, got 3"),
        (
            "VFFB uTorso(1, 1).side(1, 1).by(lAnkle).over(cop);",
            "4:1: planar17 moves in a plane: it has no sideways balance",
        ),
        (
            "POSEFB lHip(1, 1).side(1, 1).on(part lFoot);",
            "4:8: planar17 moves in a plane: it has no sideways balance",
        ),
    ],
)
def test_a_body_in_a_plane_has_no_components(tmp_path: Path, line: str, what: str) -> None:
    assert f"error: {what}" in problems(tmp_path, line, body=PLANAR)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("POSE lKnee((.1, 0, 0));", "4:12: lKnee rotates about one axis (pitch), so it takes one angle"),
        ("POSE lAnkle((0, 0, .1));", "4:20: lAnkle has no yaw, only pitch and roll. Leave it out, or write 0"),
        (
            "POSE lHip((0, 0, 0), (1, 2));",
            "4:22: 3 angles and 2 gains. Give one gain for all angles, or one for each",
        ),
        ("POSE lHip(0, (1, 2, 3));", "4:14: one angle and 3 gains. Give one gain for all angles, or one for each"),
        ("VPD uTorso((0, 0)).joint(lHip);", "4:12: VPD takes one angle or three (pitch, roll, yaw), got 2"),
        ("VPD lShin((0, 0, 0)).joint(lKnee);", "4:28: lKnee rotates about one axis, so it can control one angle"),
        ("POSEFB lKnee(1, 1).side(1, 1).on(part lFoot);", "4:8: lKnee has no roll, which .side would move"),
        (
            "VFSFB uTorso(1).by(lAnkle).speed(1, 1);",
            "4:1: the second speed is sideways and needs a gain: VFSFB part(cv).side(cv)",
        ),
    ],
)
def test_components_must_fit_the_joint(tmp_path: Path, line: str, what: str) -> None:
    assert f"error: {what}" in problems(tmp_path, line)


def test_zero_for_an_axis_that_is_not_there_is_allowed(tmp_path: Path) -> None:
    assert problems(tmp_path, "POSE lAnkle((0, .1, 0));") == problems(tmp_path, "POSE lAnkle((0, .1));")


def test_a_side_that_the_vpd_does_not_take_is_noticed(tmp_path: Path) -> None:
    lines = ("COMFB2 1 1 c x.side(1, 1)", "VPD uTorso(0).joint(lHip);")
    what = "warning: 4:1: the VPD in line 5 has one angle, so the .side of this COMFB2 is lost"
    assert what in problems(tmp_path, *lines)


# --- what it does -----------------------------------------------------------------------------------------------------
def test_each_component_is_a_servo_of_its_axis(tmp_path: Path) -> None:
    world = open_world(tmp_path, "POSE lHip((-.4, .2, .1), 100, 0), rHip((-.4, .2, .1), (100, 50, 20), 0);")
    now = torques(world)
    # Hips bend with minus in scripts, with plus in the body's own count; roll and yaw run to the outside on both sides.
    assert [now[f"left_hip_{a}"] for a in ("pitch", "roll", "yaw")] == [near(40.0), near(20.0), near(10.0)]
    assert [now[f"right_hip_{a}"] for a in ("pitch", "roll", "yaw")] == [near(40.0), near(10.0), near(2.0)]


def test_the_sagittal_form_leaves_the_other_axes_to_their_own_servos(tmp_path: Path) -> None:
    joints = {"left_hip_roll": 0.1, "left_hip_pitch": 0.2, "back_yaw": 0.05, "left_toe_pitch": 0.1}
    now = torques(open_world(tmp_path, "POSE lHip(-.5, 100, 0);", joints=joints))
    assert now["left_hip_pitch"] == near(100 * (0.5 - 0.2))
    for name in ("left_hip_roll", "back_yaw", "left_toe_pitch"):
        assert now[name] == near(-HUMANOID.axes[AXES.index(name)].kp_nm_per_rad * joints[name])
    # What the language has words for, and nobody sets, is limp as ever.
    assert now["left_knee_pitch"] == near(0.0)


def test_an_axis_may_be_named_alone(tmp_path: Path) -> None:
    now = torques(open_world(tmp_path, "POSE left_hip_roll(.3, 100, 0);"))
    assert now["left_hip_roll"] == near(30.0)
    assert now["left_hip_pitch"] == near(0.0)


def test_hold_and_match_mean_the_whole_joint(tmp_path: Path) -> None:
    joints = {"left_shoulder_pitch": 0.3, "left_shoulder_roll": 0.4, "left_shoulder_yaw": -0.2}
    world = open_world(tmp_path, "HOLD lShoulder;", "MATCH rShoulder.to(lShoulder, 100, 0);", joints=joints)
    now = torques(world)
    for turn in ("pitch", "roll", "yaw"):
        assert now[f"left_shoulder_{turn}"] == near(0.0)
        assert now[f"right_shoulder_{turn}"] == near(100 * joints[f"left_shoulder_{turn}"])


def test_a_virtual_force_in_space_is_the_transposed_jacobian_of_all_axes(tmp_path: Path) -> None:
    pose = {
        "right_shoulder_pitch": 0.7,
        "right_shoulder_roll": 0.4,
        "right_shoulder_yaw": -0.3,
        "right_elbow_pitch": 0.5,
    }
    force = np.array([30.0, 7.0, -50.0])  # forward, left, up
    now = torques(open_world(tmp_path, "VF (30, -50, -7).on(rForearm).by(rShoulder);", joints=pose))
    held = torques(open_world(tmp_path, "VF (0, 0, 0).on(rForearm).by(rShoulder);", joints=pose))
    segment = HUMANOID.segments[BODY.parts["rForearm"]]
    for axis in pose:
        ends = []
        for step in (1e-6, -1e-6):
            frame = compute_frames(HUMANOID, {**pose, axis: pose[axis] + step})[segment.name]
            ends.append(np.array(frame.place(segment.com_m)))
        moved = (ends[0] - ends[1]) / 2e-6
        assert now[axis] - held[axis] == pytest.approx(float(force @ moved), abs=1e-5)


def test_balance_to_the_side_pushes_the_centre_of_mass_back(tmp_path: Path) -> None:
    line = "VFFB uTorso(0, 0).side(1000, 100).by(lAnkle).over(lFoot);"
    world = open_world(tmp_path, line)
    plain = torques(open_world(tmp_path, "VFFB uTorso(0, 0).side(0, 0).by(lAnkle).over(lFoot);"))
    world.percepts[0].root_v[1] = 0.2
    now = torques(world)
    percept = world.percepts[0]
    left_of_foot = percept.com_w[1] - percept.segment_com_w[BODY.parts["lFoot"], 1]
    to_left = -(1000 * left_of_foot + 100 * 0.2)
    ankle = percept.pos_w[BODY.axis_segments[BODY.joints["lAnkle"]], 2]
    # Left above the ankle leans the body to the left, which turns the foot outward against it.
    assert now["left_ankle_roll"] - plain["left_ankle_roll"] == pytest.approx(
        to_left * (percept.com_w[2] - ankle), rel=1e-6
    )
    assert now["left_ankle_pitch"] == near(plain["left_ankle_pitch"])


def test_speed_to_the_side_is_driven_to_what_is_asked(tmp_path: Path) -> None:
    fast, slow = (
        open_world(tmp_path, f"VFSFB uTorso(0).side(100).by(lAnkle).speed(0, {speed});") for speed in (0.3, 0.1)
    )
    for world in (fast, slow):
        world.percepts[0].root_v[1] = -0.1
    # To the right is plus: at 0.1 m/s nothing is left to do.
    assert torques(slow)["left_ankle_roll"] == near(0.0)
    percept = fast.percepts[0]
    ankle = percept.pos_w[BODY.axis_segments[BODY.joints["lAnkle"]], 2]
    assert torques(fast)["left_ankle_roll"] == pytest.approx(-100 * 0.2 * (percept.com_w[2] - ankle), rel=1e-6)


def test_three_angles_of_a_part_are_steered_by_all_axes_of_a_joint(tmp_path: Path) -> None:
    gains = "(1000, 800, 600), (100, 80, 60)"
    world = open_world(tmp_path, f"VPD uTorso((0, .1, -.2), {gains}).joint(lHip);")
    world.percepts[0].root_v[3:6] = (0.3, 0.5, -0.1)
    now = torques(world)
    # Upright, so that the axes are those of the world; the hip turns the leg, which turns the trunk the other way.
    assert now["left_hip_pitch"] == near(-(100 * 0.5))
    assert now["left_hip_roll"] == near(-(800 * 0.1 - 80 * 0.3))
    assert now["left_hip_yaw"] == near(-(600 * -0.2 - 60 * -0.1))


def test_the_flag_s_hands_all_three_to_the_other_hip(tmp_path: Path) -> None:
    now = torques(open_world(tmp_path, "VPD rThigh((-.4, .2, .1), -300, 0).joint(rHip).flags(s);"))
    assert [now[f"right_hip_{a}"] for a in ("pitch", "roll", "yaw")] == [near(120.0), near(60.0), near(30.0)]
    # Roll and yaw to the outside on the right are to the inside on the left: the reaction has the same sign there.
    assert [now[f"left_hip_{a}"] for a in ("pitch", "roll", "yaw")] == [near(-120.0), near(60.0), near(30.0)]


MIRRORED = (
    "POSE lHip((-.3, .2, .1), 100, 10), rHip((-.1, 0, 0), 80, 8), lKnee(.3);",
    "POSEFB lHip(.5, .2).side(.7, .3).on(joint lAnkle);",
    "COMFB2 .1 .2 j rAnkle.side(.4, .6)",
    "VPD rThigh((-.2, .15, .05), -300, -30).joint(rHip);",
    "VFFB uTorso(500, 50).side(700, 70).by(lAnkle).over(lFoot);",
    "GC lForearm.by(lShoulder);",
    "IK rForearm.targetlocal(.25, -.2, {z}).base(rShoulder);",
)


def swap(line: str) -> str:
    """A line for the other side of the body."""
    table = str.maketrans({"l": "r", "r": "l"})
    for part in ("Hip", "Knee", "Ankle", "Foot", "Thigh", "Shoulder", "Forearm"):
        for side in "lr":
            line = line.replace(side + part, side.translate(table) + "!" + part)
    return line.replace("!", "")


def test_a_script_with_sides_swapped_does_the_mirror_image(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    lines = [line.format(z=".1") for line in MIRRORED]
    here = open_world(tmp_path, *lines)
    there = open_world(tmp_path, *[swap(line.format(z="-.1")) for line in MIRRORED])
    ours, theirs = here.percepts[0], there.percepts[0]
    ours.joint_q[:] += random.uniform(0.0, 0.2, len(AXES))
    ours.joint_v[:] = random.uniform(-0.3, 0.3, len(AXES))
    ours.root_v[:] = (0.2, 0.1, 0.0, 0.1, -0.2, 0.15)
    theirs.root_v[:] = (0.2, -0.1, 0.0, -0.1, -0.2, -0.15)
    signs = {}
    for k, name in enumerate(AXES):
        sided = name.startswith(("left_", "right_"))
        other = {"left": "right_", "right": "left_"}.get(name.partition("_")[0], "") + name.partition("_")[2]
        signs[name] = (other if sided else name, -1.0 if not sided and not name.endswith("pitch") else 1.0)
        place = AXES.index(signs[name][0])
        theirs.joint_q[place], theirs.joint_v[place] = (signs[name][1] * v for v in (ours.joint_q[k], ours.joint_v[k]))
    one, other_one = torques(here), torques(there)
    assert max(abs(t) for t in one.values()) > 10.0
    for name, (mirror, sign) in signs.items():
        assert other_one[mirror] == pytest.approx(sign * one[name], abs=1e-6), name


@pytest.mark.parametrize("goal", [(0.3, -0.2, 0.1), (0.1, -0.4, 0.15), (0.35, 0.1, -0.1)])
def test_ik_in_space_brings_the_part_to_its_place(tmp_path: Path, goal: tuple[float, float, float]) -> None:
    x, y, z = goal
    world = open_world(tmp_path, f"IK rForearm.targetlocal({x}, {y}, {z}).base(rShoulder).tolerance(.002);")
    answer = ask(world)
    state = int(world.params[0][lay.H_M_STATES])
    names = ("right_shoulder_pitch", "right_shoulder_roll", "right_shoulder_yaw", "right_elbow_pitch")
    angles = dict(zip(names, map(float, answer.memory[state + 1 : state + 5]), strict=True))
    frames, segment = compute_frames(HUMANOID, angles), HUMANOID.segments[BODY.parts["rForearm"]]
    reached = np.array(frames[segment.name].place(segment.com_m)) - np.array(frames["right_upper_arm"].origin_m)
    assert np.linalg.norm(reached - (x, -z, y)) < 0.002
    for name, angle in angles.items():
        axis = HUMANOID.axes[AXES.index(name)]
        assert axis.low_rad - 1e-9 <= angle <= axis.high_rad + 1e-9


def test_a_fall_to_the_side_is_a_fall_either_way(tmp_path: Path) -> None:
    text = one_phase("POSE lHip(0);", transition="TRANSITION to(-1).after(fallen x .5);")
    (tmp_path / "main.ctl").write_text(text)
    controller = build_controller(tmp_path / "main.ctl", HUMANOID, "main")
    for roll, ended in ((0.4, False), (-0.6, True), (0.6, True)):
        world = World([HUMANOID], [controller], settings=PhysicsSettings(timestep_s=0.001))
        world.percepts[0].root_q[3:7] = (np.cos(0.5 * roll), np.sin(0.5 * roll), 0.0, 0.0)
        world.step(3)
        assert bool(world.memories[0][lay.M_DEPTH] == 0.0) is ended
