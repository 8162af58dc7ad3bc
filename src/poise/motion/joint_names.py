"""Side and body part from a joint's name, in the vocabularies of many programs.

It knows the names of CMU (BVH and ASF), MotionBuilder, Mixamo, LAFAN, Bandai-Namco, SFU, Biovision, Poser and Daz, 3ds
Max, Unreal, Blender, VRM, MMD, Kinect, Xsens, SMPL and DeepMimic.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

#: Words for a part, most reliable first: if a skeleton has two of them, the earlier one counts.
PART_WORDS: Final = {
    "thigh": (
        "upleg", "upperleg", "thigh", "thighbend", "femur", "legupper", "uleg", "hip", "hipjoint", "buttock", "leg",
    ),
    "shank": ("lowleg", "lowerleg", "shin", "shank", "calf", "tibia", "leglower", "lleg", "crus", "knee", "leg"),
    "foot": ("ankle", "foot"),
    "toes": ("toebase", "toe", "toes", "ball", "balls", "foretoe", "tip", "foot"),
    "upper_arm": ("uparm", "upperarm", "humerus", "armupper", "uarm", "shldr", "shldrbend", "arm", "shoulder"),
    "forearm": ("forearm", "lowarm", "lowerarm", "forearmbend", "radius", "ulna", "armlower", "larm", "farm", "elbow"),
    "hand": ("wrist", "hand", "palm"),
}  # fmt: skip
MIDDLE_WORDS: Final = {
    "head": ("head", "neckhead"),
    "neck": ("neck", "lowerneck", "upperneck"),
    "trunk": ("trunk", "upperchest", "chest", "thorax", "torso", "spine", "upperback", "abdomen", "back", "lowerback"),
    "pelvis": ("hips", "pelvis", "hip", "root", "spinebase", "hipcenter", "base"),
}

_SIDES: Final = {
    "left": "left",
    "l": "left",
    "lft": "left",
    "right": "right",
    "r": "right",
    "rgt": "right",
    "rt": "right",
}
#: Words that rigs add around the part.
_FILLERS: Final = (
    "joint",
    "bone",
    "jnt",
    "c",
    "bip",
    "bip01",
    "bip001",
    "j",
    "sk",
    "def",
    "org",
    "bn",
    "mixamorig",
    "m",
    "mid",
)
#: Japanese words, longer ones before the words that they contain.
JAPANESE: Final = {
    "センター": " root ", "上半身": " spine ", "下半身": " pelvis ", "つま先": " toe ", "太もも": " thigh ",
    "足首": " ankle ", "足先": " toe ", "爪先": " toe ", "ひざ": " knee ", "ヒザ": " knee ", "すね": " shin ",
    "大腿": " thigh ", "下腿": " shin ", "手首": " wrist ", "ひじ": " elbow ", "ヒジ": " elbow ", "上腕": " upperarm ",
    "前腕": " forearm ", "左": " left ", "右": " right ", "足": " leg ", "脚": " leg ", "膝": " knee ", "腕": " arm ",
    "肘": " elbow ", "手": " hand ", "肩": " clavicle ", "頭": " head ", "首": " neck ", "胸": " chest ",
    "腰": " hips ",
}  # fmt: skip
_GLUED: Final = sorted({word for words in PART_WORDS.values() for word in words} | {"clavicle", "fingers", "thumb"})


class NameParts(NamedTuple):
    """A side (`left`, `right` or empty) and the words for the part, in lower case without spaces."""

    side: str
    part: str


def split_names(names: Sequence[str]) -> list[NameParts]:
    """Side and part of every name of a skeleton, without their shared prefix."""
    plain = [name.rpartition(":")[2] for name in names]
    # A shared prefix ends where a word ends: `Bip01_`, not the L of three names on the left. It may have several words.
    while start := re.match(r".*?[_ .-]", plain[0]) if len(plain) > 2 else None:
        if not all(name.startswith(start[0]) and len(name) > len(start[0]) for name in plain):
            break
        plain = [name[len(start[0]) :] for name in plain]
    return [split_name(name) for name in plain]


def split_name(name: str) -> NameParts:
    """Side and part of one name. `LeftUpLeg`, `thigh_l`, `lfemur` and `Bip01 L Thigh` are all on the left."""
    # Wide letters and narrow kana have plain forms.
    name = unicodedata.normalize("NFKC", name)
    for word, meaning in JAPANESE.items():
        name = name.replace(word, meaning)
    # LUArm and RFArm have two letters before the word.
    name = re.sub(r"\b([LR])([UF])(?=Arm)", r"\1 \2", name)
    name = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)|(?<=\d)(?=[A-Za-z])", " ", name)
    words = [w for w in re.split(r"[^\w]+|_+", name.lower()) if w]
    sides = [_SIDES[w] for w in words if w in _SIDES]
    words = [w for w in words if w not in _SIDES and not w.isdecimal()]
    words = [w for w in words if w not in _FILLERS] or words
    part = "".join(words)
    if not sides and part:
        side, part = _split_glued(part)
        return NameParts(side, part)
    return NameParts(sides[0] if sides else "", part)


def _split_glued(part: str) -> tuple[str, str]:
    """Split names like `lfemur` or `leftfoot`, whose side has no separator."""
    for start, side in (("left", "left"), ("right", "right"), ("l", "left"), ("r", "right")):
        if part.startswith(start) and part[len(start) :] in _GLUED:
            return side, part[len(start) :]
    return "", part
