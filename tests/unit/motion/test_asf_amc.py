"""ASF and AMC: bones with axes of their own, checked against scipy's rotations."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from poise.errors import FileFormatError
from poise.motion.load import load_clip
from poise.motion.read_amc import read_amc
from poise.motion.read_asf import read_asf
from tools.fuzz_seeds import ASF

AMC = """#!OML:ASF small.asf
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
lfemur 11 -12 13
ltibia 40
2
root 1.5 2 3 10 20 30
lfemur 11 -12 14
ltibia 41
"""


@pytest.fixture
def pair(tmp_path):
    """Writes both files and reads them."""

    def read(asf=ASF, amc=AMC):
        (tmp_path / "small.asf").write_text(asf)
        (tmp_path / "small.amc").write_text(amc)
        return read_amc(tmp_path / "small.amc")

    return read


def test_bones_turn_about_axes_of_their_own(pair):
    raw = pair()
    places, _ = raw.skeleton.compute_globals(raw.root_pos, raw.quats_wxyz)
    direction = np.array([0.342020, -0.939693, 0.0])
    direction /= np.linalg.norm(direction)
    root = Rotation.from_euler("xyz", [10, 20, 30], degrees=True)
    c = Rotation.from_euler("xyz", [0, 0, 20], degrees=True)
    femur = root * c * Rotation.from_euler("xyz", [11, -12, 13], degrees=True) * c.inv()
    c = Rotation.from_euler("xyz", [10, -30, 20], degrees=True)
    tibia = femur * c * Rotation.from_euler("x", 40, degrees=True) * c.inv()
    knee = np.array([1.0, 2.0, 3.0]) + femur.apply(7.1 * direction)
    ankle = knee + tibia.apply(7.4 * direction)
    names = raw.skeleton.names
    assert names == ("root", "lfemur", "ltibia", "lfoot")
    assert places[0, names.index("ltibia")] == pytest.approx(knee, abs=1e-9)
    assert places[0, names.index("lfoot")] == pytest.approx(ankle, abs=1e-9)
    assert raw.unit_m == pytest.approx(0.0254 / 0.45)
    assert raw.root_pos[1, 0] == 1.5


def test_a_subject_s_skeleton_is_found_beside_its_motions(tmp_path):
    (tmp_path / "07.asf").write_text(ASF)
    (tmp_path / "08.asf").write_text(ASF)
    (tmp_path / "07_01.amc").write_text(AMC)
    clip = load_clip(tmp_path / "07_01.amc")
    assert "the skeleton is that of 07.asf" in clip.notes
    assert clip.rate_hz == pytest.approx(120.0)
    (tmp_path / "walk.amc").write_text(AMC)
    with pytest.raises(FileFormatError) as error:
        load_clip(tmp_path / "walk.amc")
    assert str(error.value) == (
        f"{tmp_path}/walk.amc: needs the ASF file of its skeleton. Give it with --skeleton F. Found: 07.asf, 08.asf."
    )
    assert load_clip(tmp_path / "walk.amc", skeleton=tmp_path / "08.asf").frames == 2


def test_radians_and_other_orders(pair):
    rad = pair(amc=AMC.replace(":DEGREES", ":RADIANS").replace("ltibia 40", f"ltibia {np.radians(40)}"))
    assert rad.quats_wxyz[0, 2] == pytest.approx(pair().quats_wxyz[0, 2])
    swapped = pair(
        asf=ASF.replace("order TX TY TZ RX RY RZ", "order RX RY RZ TX TY TZ"),
        amc=AMC.replace("1 2 3 10 20 30", "10 20 30 1 2 3").replace("1.5 2 3 10 20 30", "10 20 30 1.5 2 3"),
    )
    assert np.array_equal(swapped.root_pos, pair().root_pos)
    assert np.array_equal(swapped.quats_wxyz, pair().quats_wxyz)


def test_a_last_frame_that_is_cut_off_is_left_out(pair):
    raw = pair(amc=AMC.partition("ltibia 41")[0])
    assert len(raw.root_pos) == 1
    assert "the last frame is cut off and was left out" in raw.notes


BROKEN_AMC = {
    "an unknown bone": (
        AMC.replace("ltibia 40", "ltiba 40"),
        "small.amc:7:1: no bone is named 'ltiba'. Did you mean 'ltibia'?\n    ltiba 40\n    ^",
    ),
    "a number too many": (
        AMC.replace("ltibia 40", "ltibia 40 1"),
        "small.amc:7:1: 'ltibia' has 1 numbers, got 2.\n    ltibia 40 1\n    ^",
    ),
    "a bone too few": (AMC.replace("ltibia 40\n", ""), "small.amc:4: this frame lacks 'ltibia'.\n    1"),
    "no frames": (AMC.partition("\n1\n")[0], "small.amc:3: no frames.\n    :DEGREES"),
    "no number": (
        AMC.replace("ltibia 40", "ltibia x"),
        "small.amc:7:8: a value of 'ltibia' is not a number, got 'x'.\n    ltibia x\n           ^",
    ),
    "another file": (
        "hello\n",
        "small.amc:1:1: not an AMC file. A frame begins with its number on its own line.\n    hello\n    ^",
    ),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN_AMC.values(), ids=BROKEN_AMC)
def test_broken_motions_are_refused(pair, tmp_path, text, expected):
    with pytest.raises(FileFormatError) as error:
        pair(amc=text)
    assert str(error.value) == f"{tmp_path}/{expected}"


BROKEN_ASF = {
    "no bones": (ASF.replace(":bonedata", ":bondata"), "no section is named ':bondata'. Did you mean ':bonedata'?"),
    "a bone without a length": (ASF.replace("     length 7.4\n", ""), "bone 'ltibia' has no length."),
    "a bone on nothing": (ASF.replace("    ltibia lfoot\n", ""), "bone 'lfoot' has no parent in :hierarchy."),
    "a loop": (ASF.replace("root lfemur", "lfoot lfemur"), "bone 'lfemur' is part of a cycle."),
    "two of a name": (ASF.replace("name ltibia", "name lfemur"), "two bones are named 'lfemur'."),
    "an axis of its own": (
        ASF.replace("dof rx\n", "dof tx\n"),
        "bone 'ltibia' has the degree of freedom 'tx'. Allowed: rx ry rz.",
    ),
    "no length of a unit": (ASF.replace("length 0.45", "length 0"), "length must be positive."),
}


@pytest.mark.parametrize(("text", "reason"), BROKEN_ASF.values(), ids=BROKEN_ASF)
def test_broken_skeletons_are_refused(tmp_path, text, reason):
    (tmp_path / "x.asf").write_text(text)
    with pytest.raises(FileFormatError) as error:
        read_asf(tmp_path / "x.asf")
    assert error.value.reason == reason
    assert error.value.line is not None


def test_a_skeleton_alone_is_no_motion(tmp_path):
    (tmp_path / "x.asf").write_text(ASF)
    with pytest.raises(FileFormatError, match=r"holds a skeleton without motion\. Give the AMC file"):
        load_clip(tmp_path / "x.asf")
