"""Characters adopted from MJCF and URDF models."""

import importlib.util
import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

from poise.characters.kinematics import compute_frames
from poise.characters.model import Character
from poise.errors import FileFormatError, InputError
from poise.world.adopt import load_any_character, load_mjcf_character
from tools.fuzz_seeds import ROLES

LEG = """
<body name="thigh_{s}" pos="0 {y} -0.1">
  {hip}
  <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.05"/>
  <body name="shank_{s}" pos="0 0 -0.4">
    <joint name="knee_{s}" axis="0 1 0" range="0 2.5" ref="0.5" limited="true" damping="0.3"/>
    <geom type="cylinder" fromto="0 0 0 0 0 -0.4" size="0.04"/>
    <body name="sole_{s}" pos="0 0 -0.4" euler="0 0 0.3">
      <geom type="box" size="0.1 0.04 0.02" pos="0.05 0 0"/>
    </body>
  </body>
</body>"""
HIP = """<joint name="hip_y_{s}" axis="0 1 0" pos="0 0 0.02" range="-1 2" limited="true" armature="0.02"/>
  <joint name="hip_x_{s}" axis="1 0 0" pos="0 0 0.02"/>"""


def mjcf(hip: str = HIP, root: str = '<freejoint name="root"/>', more: str = "") -> str:
    legs = "".join(LEG.format(s=s, y=y, hip=hip.format(s=s)) for s, y in (("l", 0.1), ("r", -0.1)))
    return f"""<mujoco>
<compiler angle="radian"/>
<worldbody>
<geom type="plane" size="1 1 1"/>
<body name="crate" pos="3 0 0"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
<body name="base" pos="0 0 1" euler="0 0 0">
{root}
<geom type="ellipsoid" size="0.1 0.15 0.2" pos="0 0 0.1"/>
<geom type="sphere" size="0.1" pos="0 0 0.4" contype="0" conaffinity="0"/>{legs}
</body>
</worldbody>
<actuator>
<motor joint="hip_y_l" gear="50" ctrlrange="-2 2" ctrllimited="true"/>
<position joint="knee_l" kp="80" kv="8" forcerange="-60 60"/>
</actuator>
{more}</mujoco>"""


TABLE = f"""{ROLES}[axes]
left_hip_pitch = "-hip_y_l"
left_hip_roll = "hip_x_l"
left_knee_pitch = "knee_l"
right_hip_pitch = "-hip_y_r"
right_hip_roll = "-hip_x_r"
right_knee_pitch = "knee_r"
[gains]
hip_pitch = [200, 20]
[landmarks.left_toe]
segment = "shank_l"
position_m = [0.15, 0, -0.42]
ground = true
"""


def adopt(folder: Path, model: str | None = None, table: str = TABLE, suffix: str = ".xml") -> Character:
    (folder / f"walker{suffix}").write_text(mjcf() if model is None else model)
    (folder / "walker.toml").write_text(table)
    return load_any_character(folder / f"walker{suffix}")


def refusal(folder: Path, model: str | None = None, table: str = TABLE) -> str:
    with pytest.raises(FileFormatError) as caught:
        adopt(folder, model, table)
    return str(caught.value).replace(f"{folder}/", "")


def test_bodies_become_segments_at_their_hinges(tmp_path) -> None:
    walker = adopt(tmp_path)
    assert walker.name == "walker"
    assert walker.root == "free"
    assert walker.segment_names == ("base", "thigh_l", "shank_l", "thigh_r", "shank_r")
    assert walker.segment("thigh_l").origin_m == pytest.approx((0.0, 0.1, -0.08))
    assert walker.segment("shank_l").origin_m == pytest.approx((0.0, 0.0, -0.42))


def test_bodies_without_joints_become_part_of_their_parents(tmp_path) -> None:
    walker = adopt(tmp_path)
    assert walker.roles["left_foot"] == "shank_l"
    shank = walker.segment("shank_l")
    assert [s.kind for s in shank.shapes] == ["cylinder", "box"]
    rod, sole = 1000 * math.pi * 0.04**2 * 0.4, 1000 * 0.2 * 0.08 * 0.04
    assert shank.mass_kg == pytest.approx(rod + sole)
    assert shank.com_m[2] == pytest.approx((rod * -0.2 + sole * -0.4) / (rod + sole))


def test_axes_take_our_names_and_signs(tmp_path) -> None:
    walker = adopt(tmp_path)
    axes = {a.name: a for a in walker.axes}
    hip = axes["left_hip_pitch"]
    assert hip.direction == (0.0, -1.0, 0.0)
    assert (hip.low_rad, hip.high_rad) == (-2.0, 1.0)
    assert (hip.torque_limit_nm, hip.kp_nm_per_rad, hip.kd_nms_per_rad) == (100.0, 200.0, 20.0)
    assert hip.armature_kgm2 == 0.02
    knee = axes["left_knee_pitch"]
    # The model's own zero lies half a radian away from the pose in which it is written down.
    assert (knee.low_rad, knee.high_rad) == (-0.5, 2.0)
    assert (knee.torque_limit_nm, knee.kp_nm_per_rad, knee.kd_nms_per_rad) == (60.0, 80.0, 8.0)
    assert knee.damping_nms_per_rad == 0.3
    assert axes["right_hip_roll"].direction == (-1.0, 0.0, 0.0)
    assert axes["right_knee_pitch"].torque_limit_nm == math.inf


def test_shapes_that_touch_nothing_stay_that_way(tmp_path) -> None:
    assert [s.collides for s in adopt(tmp_path).segment("base").shapes] == [True, False]


def test_the_adopted_body_moves_like_the_model(tmp_path) -> None:
    walker = adopt(tmp_path)
    model = mujoco.MjModel.from_xml_string(mjcf())
    data = mujoco.MjData(model)
    angles = {"hip_y_l": 0.7, "hip_x_l": -0.3, "knee_l": 1.1, "hip_y_r": -0.4, "hip_x_r": 0.2, "knee_r": 0.9}
    for joint, angle in angles.items():
        at = model.joint(joint).qposadr[0]
        data.qpos[at] = model.qpos0[at] + angle
    mujoco.mj_kinematics(model, data)
    pose = {
        "left_hip_pitch": -0.7, "left_hip_roll": -0.3, "left_knee_pitch": 1.1,
        "right_hip_pitch": 0.4, "right_hip_roll": -0.2, "right_knee_pitch": 0.9,
    }  # fmt: skip
    frames = compute_frames(walker, pose)
    base = data.body("base").xpos
    for name in ("thigh_l", "thigh_r"):
        assert frames[name].place(walker.segment(name).com_m) == pytest.approx(data.body(name).xipos - base, abs=1e-9)
    for side in ("l", "r"):
        masses = {b: float(model.body(f"{b}_{side}").mass[0]) for b in ("shank", "sole")}
        com = sum(m * data.body(f"{b}_{side}").xipos for b, m in masses.items()) / sum(masses.values())
        shank = walker.segment(f"shank_{side}")
        assert frames[shank.name].place(shank.com_m) == pytest.approx(com - base, abs=1e-9)


def test_the_whole_inertia_is_that_of_the_model(tmp_path) -> None:
    """In the reference pose, about the centre of mass of the character, from both descriptions."""
    walker = adopt(tmp_path)
    frames = compute_frames(walker, {})
    model = mujoco.MjModel.from_xml_string(mjcf())
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert walker.mass_kg == pytest.approx(model.body_subtreemass[model.body("base").id])
    base = data.body("base").xpos
    ours = (
        sum((s.mass_kg * np.array(frames[s.name].place(s.com_m)) for s in walker.segments), np.zeros(3))
        / walker.mass_kg
    )
    assert ours == pytest.approx(data.subtree_com[model.body("base").id] - base)


def test_a_model_may_face_another_way(tmp_path) -> None:
    turned = mjcf().replace('pos="0 0 1" euler="0 0 0"', 'pos="0 0 1" euler="0 0 1.5707963267948966"')
    straight = adopt(tmp_path)
    quarter = adopt(tmp_path, turned, 'forward = "y"\n' + TABLE)
    for one, other in zip(straight.segments, quarter.segments, strict=True):
        assert other.origin_m == pytest.approx(one.origin_m, abs=1e-9)
        assert other.inertia_kgm2 == pytest.approx(one.inertia_kgm2, abs=1e-9)
    for a, b in zip(straight.axes, quarter.axes, strict=True):
        assert b.direction == pytest.approx(a.direction, abs=1e-9)


def test_planar_models_are_recognized(tmp_path) -> None:
    root = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>'
    assert adopt(tmp_path, mjcf(root=root)).root == "planar"


def test_a_ball_joint_is_three_axes(tmp_path) -> None:
    table = TABLE
    for side in "lr":
        table = table.replace(f"hip_y_{side}", f"hip_{side}:y").replace(f"hip_x_{side}", f"hip_{side}:x")
    ball = '<joint name="hip_{s}" type="ball" range="0 1.2" limited="true"/>'
    model = mjcf(hip=ball).replace('<motor joint="hip_y_l" gear="50" ctrlrange="-2 2" ctrllimited="true"/>', "")
    walker = adopt(tmp_path, model, table)
    joint = walker.segment("thigh_l").joint
    assert joint is not None
    assert joint.kind == "ball"
    assert [a.name for a in joint.axes] == ["left_hip_pitch", "left_hip_roll", "hip_l_z"]
    assert [(a.low_rad, a.high_rad) for a in joint.axes] == [(-1.2, 1.2)] * 3


URDF = """<?xml version="1.0"?>
<robot name="robot">
  <link name="base">
    <inertial><origin xyz="0 0 0.1"/><mass value="8"/>
      <inertia ixx="0.2" iyy="0.2" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.2 0.3 0.4"/></geometry></collision>
  </link>
  {legs}
</robot>"""
URDF_LEG = """
  <link name="thigh_{s}"><inertial><origin xyz="0 0 -0.2"/><mass value="2"/>
    <inertia ixx="0.03" iyy="0.03" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.2"/><geometry><cylinder radius="0.05" length="0.3"/></geometry></collision></link>
  <link name="shank_{s}"><inertial><origin xyz="0 0 -0.2"/><mass value="1"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="sole_{s}"><inertial><mass value="0.5"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hip_{s}" type="revolute"><parent link="base"/><child link="thigh_{s}"/><origin xyz="0 {y} -0.2"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="1" effort="90" velocity="5"/></joint>
  <joint name="knee_{s}" type="revolute"><parent link="thigh_{s}"/><child link="shank_{s}"/>
    <origin xyz="0 0 -0.4"/><axis xyz="0 1 0"/><limit lower="0" upper="2.5" effort="70" velocity="5"/></joint>
  <joint name="fixed_{s}" type="fixed"><parent link="shank_{s}"/><child link="sole_{s}"/>
    <origin xyz="0 0 -0.4"/></joint>"""


def test_a_urdf_robot_is_adopted(tmp_path) -> None:
    table = TABLE.replace('left_hip_roll = "hip_x_l"\n', "").replace('right_hip_roll = "-hip_x_r"\n', "")
    table = table.replace("hip_y_", "hip_")
    legs = "".join(URDF_LEG.format(s=s, y=y) for s, y in (("l", 0.1), ("r", -0.1)))
    robot = adopt(tmp_path, URDF.format(legs=legs), table, ".urdf")
    assert robot.root == "free"
    assert robot.mass_kg == pytest.approx(15.0)
    assert robot.axis_names == ("left_hip_pitch", "left_knee_pitch", "right_hip_pitch", "right_knee_pitch")
    hip = robot.axes[0]
    assert (hip.low_rad, hip.high_rad, hip.torque_limit_nm) == (-1.0, 2.0, 90.0)
    assert robot.segment("shank_l").com_m[2] == pytest.approx((1.0 * -0.2 + 0.5 * -0.4) / 1.5)


@pytest.mark.parametrize(
    ("hip", "root", "reason"),
    [
        ('<joint name="s_{s}" type="slide" axis="0 0 1"/>', "",
         "walker.xml: joint 's_l' of body 'thigh_l' is sliding. "
         "Below the root, only hinge and ball joints can be adopted."),
        ('<joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/><joint axis="1 1 0"/>', "",
         "walker.xml: body 'thigh_l' has 4 hinges. Allowed: one to three."),
        ('<joint name="a{s}"/><joint name="b{s}" pos="0 0 0.1"/>', "",
         "walker.xml: body 'thigh_l': hinges 'al' and 'bl' lie at different points. "
         "The hinges of one body must share their anchor."),
        ('<joint name="a{s}" stiffness="3" springref="0.4"/>', "",
         "walker.xml: joint 'al': its spring is not at rest in the reference pose. "
         "Springs must be at rest in the reference pose."),
        (HIP, '<joint type="slide"/>',
         "walker.xml: body 'base': the root must move freely (a free joint or none) or in a plane "
         "(two slides along x and z and a hinge about y)."),
    ],
)  # fmt: skip
def test_models_that_are_no_characters(tmp_path, hip: str, root: str, reason: str) -> None:
    model = mjcf(hip=hip, root=root or "<freejoint/>").replace(
        '<motor joint="hip_y_l" gear="50" ctrlrange="-2 2" ctrllimited="true"/>', ""
    )
    assert refusal(tmp_path, model) == reason


BODIES = "crate, base, thigh_l, shank_l, sole_l, thigh_r, shank_r, sole_r"


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('pelvis = "base"', 'pelvis = "bas"', 3,
         f"roles.pelvis: no body named 'bas'. Known here: {BODIES}. Did you mean 'base'?"),
        ('pelvis = "base"', 'pelvi = "base"', 3, None),
        ('pelvis = "base"', "", 2, "roles: missing role pelvis."),
        ('trunk = "base"', 'trunk = "crate"', 4, "roles.trunk: body 'crate' is not part of the pelvis's tree."),
        ('left_hip_roll = "hip_x_l"', 'left_hip_roll = "hip_z_l"', 13, None),
        ('left_hip_roll = "hip_x_l"', 'left_hip_roll = "hip_y_l"', 13,
         "axes.left_hip_roll: joint 'hip_y_l' is already axis 'left_hip_pitch'."),
        ("hip_pitch = [200, 20]", "hip_pitch = [200]", 19, "gains.hip_pitch: must be a list of 2 numbers, got [200]."),
        ("hip_pitch = [200, 20]", "hop_pitch = [200, 2]", 19, None),
        ('name = "walker"', 'name = "walker"\nforwards = "x"', 2, None),
    ],
)  # fmt: skip
def test_slips_in_the_table(tmp_path, old: str, new: str, line: int, reason: str | None) -> None:
    assert old in TABLE
    with pytest.raises(FileFormatError) as caught:
        adopt(tmp_path, table=TABLE.replace(old, new, 1))
    assert caught.value.line == line
    assert caught.value.path.endswith("walker.toml")
    if reason is not None:
        assert caught.value.reason == reason


def test_malformed_models_have_a_line(tmp_path) -> None:
    cut = refusal(tmp_path, mjcf().replace("</worldbody>", ""))
    assert cut.startswith("walker.xml:") and "malformed XML, mismatched tag" in cut and cut.endswith("^")
    wrong = refusal(tmp_path, mjcf().replace('type="capsule"', 'type="capsul"', 1))
    assert wrong.startswith("walker.xml:") and "MuJoCo cannot read it" in wrong
    nan = refusal(tmp_path, mjcf().replace('range="0 2.5"', 'range="0 nan"', 1))
    assert nan == "walker.xml: <joint> range: not a finite number, got '0 nan'."
    assert refusal(tmp_path, "") == "walker.xml:1:1: malformed XML, no element found.\n    \n    ^"


def test_a_model_needs_its_table(tmp_path) -> None:
    (tmp_path / "walker.xml").write_text(mjcf())
    with pytest.raises(FileFormatError, match=r"needs a table of roles beside it"):
        load_any_character(tmp_path / "walker.xml")


def test_a_missing_package_names_its_extra(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError) as caught:
        load_any_character("gym_humanoid")
    assert str(caught.value).endswith(
        "gym_humanoid.toml: needs the Python package 'gymnasium', which is not installed. "
        "Install it with: pip install 'poise[gym]'."
    )


def test_gym_humanoid_weighs_what_mujoco_says() -> None:
    spec = importlib.util.find_spec("gymnasium")
    assert spec is not None and spec.submodule_search_locations
    path = Path(spec.submodule_search_locations[0]) / "envs/mujoco/assets/humanoid.xml"
    model = mujoco.MjModel.from_xml_path(str(path))
    gym = load_any_character("gym_humanoid")
    assert gym.mass_kg == pytest.approx(float(model.body_mass.sum()))
    assert len(gym.axes) == model.njnt - 1
    hip = gym.axes[gym.axis_index("left_hip_pitch")]
    assert hip.torque_limit_nm == pytest.approx(120.0)
    assert (hip.low_rad, hip.high_rad) == pytest.approx((math.radians(-20), math.radians(110)))


def test_the_table_may_lie_anywhere(tmp_path) -> None:
    adopt(tmp_path)
    (tmp_path / "else.toml").write_text('mjcf = "walker.xml"\n' + TABLE)
    assert load_any_character(tmp_path / "else.toml") == load_mjcf_character(
        tmp_path / "walker.xml", tmp_path / "else.toml"
    )
