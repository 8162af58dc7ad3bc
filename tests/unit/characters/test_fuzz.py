"""Damaged and random files: whatever is in them, a reader gives a sound character or an error of ours.

The shares below make 10,000 cases together; POISE_FUZZ_EXAMPLES sets another total.
"""

import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.characters.bones import BonesFile
from poise.characters.catalog import LIBRARY, load_character
from poise.characters.model import Character
from poise.characters.read_bones import load_bones
from poise.characters.read_toml import load_character_toml, read_character
from poise.characters.solids import is_physical_inertia
from poise.characters.write_toml import format_character
from poise.documents import make_plain
from poise.errors import PoiseError
from poise.tables import as_table
from poise.world.adopt import load_mjcf_character

TOTAL = int(os.environ.get("POISE_FUZZ_EXAMPLES", "10000"))

BIPED = (LIBRARY / "biped7.toml").read_text()
HUMANOID = (LIBRARY / "humanoid.toml").read_text()
HUMAN_BONES = (LIBRARY / "human.bones").read_text()
BIRD_BONES = (LIBRARY / "robo-bird.bones").read_text()
MODEL = """<mujoco>
  <worldbody>
    <body name="base" pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.15 0.2"/>
      <body name="left_thigh" pos="0 0.1 -0.2"><joint name="lh" axis="0 1 0" range="-60 90"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.05"/>
        <body name="left_shank" pos="0 0 -0.4"><joint name="lk" axis="0 1 0"/><geom size="0.05" pos="0 0 -0.2"/></body>
      </body>
      <body name="right_thigh" pos="0 -0.1 -0.2"><joint name="rh" axis="0 1 0" stiffness="2"/>
        <geom type="cylinder" fromto="0 0 0 0 0 -0.4" size="0.05"/>
        <body name="right_shank" pos="0 0 -0.4"><joint name="rk" type="ball"/><geom size="0.05" pos="0 0 -0.2"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="lh" gear="30" ctrlrange="-1 1"/></actuator>
</mujoco>
"""
MODEL_TABLE = """\
mjcf = "model.xml"
forward = "x"
[roles]
pelvis = "base"
trunk = "base"
left_thigh = "left_thigh"
left_shank = "left_shank"
left_foot = "left_shank"
right_thigh = "right_thigh"
right_shank = "right_shank"
right_foot = "right_shank"
[axes]
left_hip_pitch = "-lh"
left_knee_pitch = "lk"
right_knee_pitch = "rk:y"
[gains]
knee_pitch = [10, 1]
[landmarks]
toe = { sided = true, segment = "shank", position_m = [0.1, 0, -0.2], ground = true }
[rest_pose_rad]
left_knee_pitch = 0.2
"""

NUMBERS = [
    "nan", "inf", "-inf", "0", "-1", "1e400", "-1e-320", "1e30", "9" * 20, "9" * 400, "-0.0", "true", '""', "[]", "{}",
]  # fmt: skip
NUMBER = re.compile(r"-?\d+\.?\d*")
WORD = re.compile(r"[A-Za-z_]+")

edits = st.lists(
    st.tuples(
        st.integers(0, 8),
        st.floats(0, 1, exclude_max=True),
        st.floats(0, 1, exclude_max=True),
        st.text(max_size=6),
    ),
    min_size=1,
    max_size=4,
)


def damage(text: str, changes: list[tuple[int, float, float, str]]) -> str:
    """The text after a few changes, as by a typing error, a bad merge or a broken disk."""
    for kind, where, what, insert in changes:
        lines = text.split("\n")
        i, j = int(where * len(lines)), int(what * len(lines))
        at = int(where * len(text))
        match kind:
            case 0:
                del lines[i]
                text = "\n".join(lines)
            case 1:
                text = "\n".join([*lines[:i], lines[j], *lines[i:]])
            case 2:
                lines[i], lines[j] = lines[j], lines[i]
                text = "\n".join(lines)
            case 3 | 4:
                text = replace_one(text, NUMBER, where, NUMBERS[int(what * len(NUMBERS))])
            case 5:
                words = WORD.findall(text) or ["x"]
                text = replace_one(text, WORD, where, words[int(what * len(words))])
            case 6:
                text = text[:at] + insert + text[at:]
            case 7:
                text = text[:at] + text[at + int(what * 30) :]
            case _:
                text = text[:at]
    return text


def replace_one(text: str, pattern: re.Pattern[str], where: float, new: str) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = found[int(where * len(found))]
    return text[: match.start()] + new + text[match.end() :]


def share(part: float) -> Any:
    return settings(max_examples=max(1, round(TOTAL * part)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("fuzz")
    for name in ("human.bones", "robo-bird.bones"):
        (place / name).write_text((LIBRARY / name).read_text())
    (place / "model.xml").write_text(MODEL)
    return place


def read(load: Callable[[Path], Any], path: Path, text: str) -> Any:
    """What the reader makes of a text; None where it refuses it in our own words."""
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        return load(path)
    except PoiseError as error:
        assert str(error)
        return None


def check_character(character: Character | None) -> None:
    if character is None:
        return
    assert 0 < character.mass_kg < 1e8
    for segment in character.segments:
        assert is_physical_inertia(segment.inertia_kgm2)
        assert all(math.isfinite(v) for v in (*segment.origin_m, *segment.com_m))
    for axis in character.axes:
        assert axis.low_rad < axis.high_rad
        assert math.isfinite(axis.kp_nm_per_rad)
    assert read_character(as_table(make_plain(format_character(character)), "")) == character


def check_bones(bones: BonesFile | None) -> None:
    if bones is None:
        return
    assert len({b.number for b in bones.bones}) == len(bones.bones)
    assert all(b.mass is None or 0 < b.mass <= 1e7 for b in bones.bones)


@share(0.2)
@given(changes=edits)
def test_damaged_character_files(folder: Path, changes: list) -> None:
    check_character(read(load_character_toml, folder / "biped.toml", damage(BIPED, changes)))


@share(0.05)
@given(changes=edits)
def test_damaged_files_of_a_large_character(folder: Path, changes: list) -> None:
    check_character(read(load_character_toml, folder / "humanoid.toml", damage(HUMANOID, changes)))


@share(0.25)
@given(changes=edits)
def test_damaged_bones_files(folder: Path, changes: list) -> None:
    check_bones(read(load_bones, folder / "damaged.bones", damage(HUMAN_BONES, changes)))


@share(0.2)
@given(changes=edits)
def test_damaged_bones_files_of_the_bird(folder: Path, changes: list) -> None:
    check_bones(read(load_bones, folder / "bird.bones", damage(BIRD_BONES, changes)))


@share(0.03)
@given(name=st.sampled_from(["laszlo_human.toml", "robo_bird.toml"]), changes=edits)
def test_damaged_tables_of_bones_files(folder: Path, name: str, changes: list) -> None:
    text = damage((LIBRARY / name).read_text(), changes)
    check_character(read(load_character, folder / f"damaged_{name}", text))


@share(0.09)
@given(changes=edits)
def test_damaged_tables_of_adoption(folder: Path, changes: list) -> None:
    def load(path: Path) -> Character:
        return load_mjcf_character(folder / "model.xml", path)

    check_character(read(load, folder / "table.toml", damage(MODEL_TABLE, changes)))


@share(0.06)
@given(changes=edits)
def test_damaged_models(folder: Path, changes: list) -> None:
    (folder / "good.toml").write_text(MODEL_TABLE)

    def load(path: Path) -> Character:
        return load_mjcf_character(path, folder / "good.toml")

    check_character(read(load, folder / "damaged.xml", damage(MODEL, changes)))


@share(0.07)
@given(text=st.text(max_size=200))
def test_random_text_is_no_character(folder: Path, text: str) -> None:
    assert read(load_character_toml, folder / "random.toml", text) is None


words = st.sampled_from(
    ["bone", "seg", "mass", "iner", "cofm", "hinge", "uhinge", "mon", "kpd", "set", "up_mon", "<", "1", "0,0,1", "\n"]
)


@share(0.05)
@given(text=st.one_of(st.text(max_size=100), st.lists(words, max_size=60).map(" ".join)))
def test_random_text_as_bones(folder: Path, text: str) -> None:
    check_bones(read(load_bones, folder / "random.bones", text))
