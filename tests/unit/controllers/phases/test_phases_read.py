"""Lists of phases as data: sums of parameters, sides, mirror images, and errors with their place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller, revise_table
from poise.controllers.phases.build import build_from_table
from poise.controllers.phases.linear import Linear, read_linear
from poise.controllers.phases.read_phases import read_phase_list
from poise.errors import InputError, PoiseError
from poise.world.props import ball, box
from poise.world.world import World
from refusals import refusal, write_in

BODY = load_character("bioloid")
TEXT = """\
method = "phases"
character = "bioloid"
description = "a squat, then a shift to the left"
feedback = [{ axis = "ankle_pitch", measure = "com_vel_x_mps", gain = -0.7 }]

[gains]
all = [10.0, 0.3]
knee_pitch = [8.0, 0.2]

[parameters]
depth_rad = { value = 0.5, low = 0.0, high = 1.0, about = "how deep" }
push_n = { value = 5.0, low = 0.0, high = 50.0 }

[pose_rad]
hip_pitch = 0.1

[[phases]]
name = "squat"
duration_s = "0.2 + 0.1*depth_rad"
pose_rad = { hip_pitch = "depth_rad", knee_pitch = "2*depth_rad - 0.1", left_ankle_pitch = 0.3 }

[[phases]]
name = "shift"
like = "squat"
until = "contact"
feet = ["left"]
duration_s = 0.5
after_s = 0.1
feedback = [{ axis = "hip_roll", measure = "com_y_m", gain = 2.0 }]
forces = [{ at = "left_foot", force_n = [1.0, 2.0, "-1*push_n"] }, { at = "com", force_n = [0, 0, "push_n"] }]

[[phases]]
name = "shift_back"
mirror = "shift"
next = "shift"
"""
SKILL = """
[skill]
parameter = "height_m"
low = 0.1
high = 0.3
degree = 2
[skill.weights]
depth_rad = [0.2, 0.1, 0.05]
"""


PROPS = """
[[props]]
kind = "ball"
radius_m = 0.04
mass_kg = 0.05
position_m = [0.1, 0.03, 0.04]

[[props]]
kind = "box"
name = "wall"
size_m = [0.1, 0.5, 0.2]
mass_kg = 3.0
position_m = [0.8, 0.0, 0.1]
"""


def read_text(text: str = TEXT) -> dict[str, Any]:
    import tomllib

    table = tomllib.loads(text)
    return {k: v for k, v in table.items() if k not in ("method", "character", "description")}


@pytest.mark.parametrize(
    ("text", "constant", "factors"),
    [
        (0.5, 0.5, {}),
        ("a", 0.0, {"a": 1.0}),
        ("-a", 0.0, {"a": -1.0}),
        ("0.2 + 0.5*a - b", 0.2, {"a": 0.5, "b": -1.0}),
        ("1e-2*a + .5 + a", 0.5, {"a": 1.01}),
    ],
)
def test_a_sum_is_read_as_it_is_written(text: Any, constant: float, factors: dict[str, float]) -> None:
    assert read_linear(text, ["a", "b"], "here") == Linear(constant, factors)


@pytest.mark.parametrize("text", ["", "a b", "a*2", "2*3", "a +", "a**2", "(a)", True, [1.0], "0.5 0.5"])
def test_what_is_no_sum_is_refused(text: Any) -> None:
    with pytest.raises(InputError, match="here: must be a number or a sum"):
        read_linear(text, ["a", "b"], "here")


def test_the_file_in_the_handbook_loads(tmp_path: Path) -> None:
    page = Path(__file__).parents[4].joinpath("docs/phases.md").read_text()
    path = tmp_path / "hop.toml"
    path.write_text(page.split("```toml\n")[1].split("```")[0])
    controller = load_controller(str(path), BODY)
    assert [p.name for p in controller.parameters] == ["depth_rad", "thrust_n"]
    assert controller.limits_itself and controller.mirror_memory is not None


def test_a_name_without_its_side_stands_for_both() -> None:
    squat = read_phase_list(read_text(), BODY, "file").phases[0]
    for side in ("left", "right"):
        assert squat.pose_rad[f"{side}_hip_pitch"] == Linear(0.0, {"depth_rad": 1.0})
        assert squat.pose_rad[f"{side}_knee_pitch"] == Linear(-0.1, {"depth_rad": 2.0})
    assert squat.pose_rad["left_ankle_pitch"].constant == 0.3
    # Not named anywhere: the rest pose.
    assert squat.pose_rad["right_ankle_pitch"].constant == BODY.rest_pose_rad["right_ankle_pitch"]


def test_the_mirror_image_of_a_phase_has_everything_on_the_other_side() -> None:
    _, shift, back = read_phase_list(read_text(), BODY, "file").phases
    assert back.pose_rad["right_ankle_pitch"] == shift.pose_rad["left_ankle_pitch"]
    assert (shift.feet, back.feet) == (("left",), ("right",))
    left, com = back.forces
    assert left.at == "right_foot" and com.at == "com"
    assert [f.constant for f in left.force_n] == [1.0, -2.0, 0.0]
    # Both sides of a sideways measure are mirror images already: exchanging them changes nothing but the order.
    gains = [{(f.axis, f.gain.constant) for f in p.feedback} for p in (shift, back)]
    assert gains[0] == gains[1] == {("left_hip_roll", 2.0), ("right_hip_roll", -2.0)}
    assert (shift.following, back.following) == ("shift_back", "shift")


def test_the_command_of_a_skill_takes_the_place_of_what_it_decides() -> None:
    plain = build_from_table(read_text(), BODY, "file", "")
    skilled = build_from_table(read_text(TEXT + SKILL), BODY, "file", "")
    assert [p.name for p in plain.parameters] == ["depth_rad", "push_n"]
    assert [p.name for p in skilled.parameters] == ["push_n", "height_m"]
    assert skilled.value("height") == pytest.approx(0.2)
    with pytest.raises(InputError, match="height_m is out of range, got"):
        skilled.with_values({"height": 0.5})


def test_values_are_written_back_into_the_table() -> None:
    revised = revise_table("phases", read_text(TEXT + SKILL), {"push_n": 7.0, "height_m": 0.25}, BODY)
    again = build_from_table(revised, BODY, "file", "")
    assert again.values() == {"push_n": 7.0, "height_m": 0.25}
    with pytest.raises(InputError, match="no parameter named 'depth_rad'"):
        revise_table("phases", read_text(TEXT + SKILL), {"depth_rad": 0.1}, BODY)


@pytest.mark.parametrize(
    ("old", "new", "place", "what"),
    [
        ('until = "contact"', 'until = "contct"', "contct", "no way to end named 'contct'"),
        ('"2*depth_rad - 0.1"', '"2*dept_rad - 0.1"', "pose_rad = { hip_pitch", "Did you mean 'depth_rad'?"),
        ("left_ankle_pitch = 0.3", "left_ankl_pitch = 0.3", "left_ankl_pitch", "Did you mean 'left_ankle_pitch'?"),
        ('like = "squat"', 'like = "sqat"', "like", "no phase before this one named 'sqat'"),
        ('next = "shift"', 'next = "shft"', "next", "Did you mean 'shift'?"),
        ("after_s = 0.1", "after_s = -1", "after_s", "phases[1].after_s: out of range, got -1. Allowed: 0 to 1000"),
        (
            "high = 1.0",
            "high = 0.1",
            "depth_rad",
            "parameters.depth_rad.value: out of range, got 0.5. Allowed: 0 to 0.1",
        ),
        (
            "knee_pitch = [8.0",
            "knee_pitch = [-8.0",
            "knee_pitch = [",
            "gains.knee_pitch: out of range, got -8.0. Allowed: 0 to 1e+06",
        ),
        ('measure = "com_y_m"', 'measure = "com_z_m"', "com_z_m", "no measure named 'com_z_m'"),
        ("degree = 2", "degree = 9", "degree", "skill.degree: out of range, got 9. Allowed: 0 to 5"),
        ("[0.2, 0.1, 0.05]", "[0.2, 0.1]", "depth_rad", "skill.weights.depth_rad: must be a list of 3 numbers"),
    ],
)
def test_a_slip_is_told_with_its_line(tmp_path: Path, old: str, new: str, place: str, what: str) -> None:
    text = (TEXT + SKILL).replace(old, new, 1)
    assert text != TEXT + SKILL
    path = write_in(tmp_path, "moves.toml", text)
    message = refusal(lambda name: load_controller(name, BODY), str(path))
    assert what in message
    line = int(message.removeprefix(f"{path}:").partition(":")[0])
    assert place in text.splitlines()[line - 1]


def test_a_motion_brings_what_it_acts_on() -> None:
    controller = build_from_table(read_text(TEXT + PROPS), BODY, "file", "")
    wanted = (
        ball(0.04, 0.05, position_m=(0.1, 0.03, 0.04)),
        box((0.1, 0.5, 0.2), 3.0, position_m=(0.8, 0.0, 0.1), name="wall"),
    )
    assert controller.environment is not None and controller.environment.props == wanted
    world = World([BODY], [controller])
    assert world.props == wanted and world.terrain.plane
    assert build_from_table(read_text(), BODY, "file", "").environment is None


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ('kind = "box"', 'kind = "bx"', 9, "no kind of prop named 'bx'. Known here: ball, box. Did you mean 'box'?"),
        ('name = "wall"', 'name = "ball"', 10, "props[1].name: two props are named 'ball'."),
        ("radius_m = 0.04", "radius_m = 0", 4, "props[0].radius_m: out of range, got 0. Allowed: 0.001 to 100."),
        (
            "radius_m = 0.04",
            "size_m = [1, 1, 1]",
            4,
            "props[0].size_m: no key named 'size_m'. Known here: kind, name, radius_m, mass_kg, position_m.",
        ),
    ],
)
def test_a_slip_in_a_prop_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, what: str) -> None:
    path = write_in(tmp_path, "moves.toml", (TEXT + PROPS).replace(old, new, 1))
    message = refusal(lambda name: load_controller(name, BODY), str(path))
    first = (TEXT + PROPS).splitlines().index("[[props]]")
    assert message.startswith(f"{path}:{first + line - 1}:")
    assert what in message


junk = st.text(alphabet='[]{}="\n#.,-+0123456789enaifulst_ *', max_size=8)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(TEXT + SKILL)), st.integers(0, 40), junk)
def test_damaged_files_give_a_sound_controller_or_a_poise_error(
    tmp_path_factory: pytest.TempPathFactory, start: int, length: int, put: str
) -> None:
    text = TEXT + SKILL
    path = tmp_path_factory.mktemp("damaged") / "moves.toml"
    path.write_text(text[:start] + put + text[start + length :])
    try:
        controller = load_controller(str(path), BODY)
    except PoiseError:
        return
    assert np.all(np.isfinite(controller.params)) and np.all(np.isfinite(controller.memory))
