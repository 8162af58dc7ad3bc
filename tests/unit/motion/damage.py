"""Damaged and odd motion files, drawn from a seed.

Each kind of damage has an expected result: `same` files keep their meaning, `refused` files cannot be understood, and
for `any` the result is open, because a changed digit is still a digit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

Random = np.random.Generator


class Damage(NamedTuple):
    name: str
    outcome: str
    change: Callable[[str, Random], str]


def _pick(texts: list[str], rng: Random) -> int:
    return int(rng.integers(len(texts)))


def _drop_line(text: str, rng: Random) -> str:
    lines = text.split("\n")
    del lines[_pick(lines, rng)]
    return "\n".join(lines)


def _double_line(text: str, rng: Random) -> str:
    lines = text.split("\n")
    k = _pick(lines, rng)
    return "\n".join(lines[: k + 1] + lines[k:])


def _cut(text: str, rng: Random) -> str:
    return text[: int(rng.integers(1, len(text)))]


def _swap_character(text: str, rng: Random) -> str:
    k = int(rng.integers(len(text)))
    return text[:k] + chr(int(rng.integers(32, 127))) + text[k + 1 :]


def _drop_characters(text: str, rng: Random) -> str:
    k = int(rng.integers(len(text)))
    return text[:k] + text[k + int(rng.integers(1, 40)) :]


def _swap_lines(text: str, rng: Random) -> str:
    lines = text.split("\n")
    a, b = _pick(lines, rng), _pick(lines, rng)
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def _strange_number(text: str, rng: Random) -> str:
    words = list(re.finditer(r"(?<=[ \n,\[])-?\d+\.\d+", text))
    match = words[int(rng.integers(len(words)))]
    strange = str(
        rng.choice(["nan", "inf", "-inf", "1e400", "1e30", "--1", "1.2.3", "0x10", "1,5", "#IND", "1_0", "½"])
    )
    return text[: match.start()] + strange + text[match.end() :]


def _garbage(text: str, rng: Random) -> str:
    k = int(rng.integers(len(text)))
    junk = bytes(rng.integers(0, 256, size=30, dtype=np.uint8)).decode("latin-1")
    return text[:k] + junk + text[k:]


ANY = (
    Damage("a line is missing", "any", _drop_line),
    Damage("a line is there twice", "any", _double_line),
    Damage("the file breaks off", "any", _cut),
    Damage("a character is another", "any", _swap_character),
    Damage("some characters are missing", "any", _drop_characters),
    Damage("two lines are swapped", "any", _swap_lines),
    Damage("garbage is in it", "any", _garbage),
    Damage("a number is none", "refused", _strange_number),
)


def _sub(pattern: str, new: str, count: int = 0, flags: int = 0) -> Callable[[str, Random], str]:
    return lambda text, rng: re.sub(pattern, new, text, count=count, flags=flags)


def _rescale_numbers(text: str, rng: Random) -> str:
    """Every number in scientific notation."""
    head, motion, rows = text.partition("MOTION")
    return head + motion + re.sub(r"(?<= )-?\d+\.\d+(?=[ \n])", lambda m: f"{float(m[0]):.9e}", rows)


def _shout(text: str, rng: Random) -> str:
    return re.sub(
        r"(?i)\b(hierarchy|root|joint|offset|channels|motion|end site|[xyz](?:position|rotation))\b", _flip, text
    )


def _flip(match: re.Match[str]) -> str:
    return match[0].upper() if match[0][0].islower() else match[0].lower()


BVH = (
    Damage("windows line ends", "same", _sub("\n", "\r\n")),
    Damage("old mac line ends", "same", _sub("\n", "\r")),
    Damage("tabs for spaces", "same", _sub("(?<! End) (?!Site)(?!Time)", "\t")),
    Damage("spaces for tabs", "same", _sub("\t", "    ")),
    Damage("no indents", "same", _sub(r"(?m)^[ \t]+", "")),
    Damage("empty lines", "same", _sub("\n", "\n\n")),
    Damage("other letters", "same", _shout),
    Damage("scientific notation", "same", _rescale_numbers),
    Damage("braces on the line", "same", _sub(r"\n\s*\{", " {")),
    Damage("no count of frames", "same", _sub(r"Frames: \d+\n", "")),
    Damage("another count of frames", "same", lambda t, r: re.sub(r"Frames: \d+", f"Frames: {r.integers(1, 99)}", t)),
    Damage("a byte order mark", "same", lambda t, r: "\N{BYTE ORDER MARK}" + t),
    Damage("spaces at the ends", "same", _sub("\n", "  \n")),
    Damage("end sites without length", "same", _sub(r"(End Site\s*\{\s*OFFSET) [^\n]*", r"\1 0 0 0")),
    Damage("no frame time", "refused", _sub(r"Frame Time: [^\n]*\n", "")),
    Damage("no braces", "refused", _sub(r"[{}]", "")),
    Damage("no channels", "refused", _sub(r"\s*CHANNELS [^\n]*", "")),
    Damage("no offsets", "refused", _sub(r"\s*OFFSET [^\n]*", "")),
    Damage("no motion", "refused", _sub(r"(?s)MOTION.*", "")),
    Damage("no frames", "refused", _sub(r"(?s)(Frame Time: [^\n]*\n).*", r"\1")),
    Damage("a channel too many", "refused", _sub(r"CHANNELS 3 ", "CHANNELS 4 Xposition ", count=1)),
    Damage("two skeletons", "refused", _sub(r"MOTION", "ROOT Other\n{\nOFFSET 0 0 0\n}\nMOTION")),
    Damage("a time that runs back", "refused", _sub(r"Frame Time: ", "Frame Time: -")),
)


def _json(change: Callable[[dict], object]) -> Callable[[str, Random], str]:
    def edit(text: str, rng: Random) -> str:
        data = json.loads(text)
        change(data)
        return json.dumps(data)

    return edit


DEEPMIMIC = (
    Damage("all on one line", "same", _json(lambda d: None)),
    Damage("more keys", "same", _json(lambda d: d.update(RightJoints=[3, 4], Label="walk"))),
    Damage("rows too short", "refused", _json(lambda d: d["Frames"][1].pop())),
    Damage("no frames", "refused", _json(lambda d: d.update(Frames=[]))),
    Damage("another shape", "refused", _json(lambda d: d.update(Frames={"a": 1}))),
    Damage("a text among numbers", "refused", _json(lambda d: d["Frames"][2].__setitem__(7, "1.0"))),
    Damage("quaternions of zeros", "refused", _json(lambda d: d["Frames"][2].__setitem__(slice(4, 8), [0, 0, 0, 0]))),
    Damage("durations of zero", "refused", _json(lambda d: d["Frames"][1].__setitem__(0, 0.0))),
)
AMC = (
    Damage("windows line ends", "same", _sub("\n", "\r\n")),
    Damage("comments", "same", _sub("\n(?=root)", "\n# a frame\n")),
    Damage("unknown bones", "refused", _sub("lfemur", "lfumer", count=1)),
    Damage("bones twice", "refused", _sub(r"(ltibia [^\n]*\n)", r"\1\1", count=1)),
    Damage("numbers too many", "refused", _sub(r"(ltibia [^\n]*)", r"\1 1", count=1)),
)
