"""Make the clips drawn as key poses: `python -m tools.author_clips [NAME ...] [--out FOLDER]`.

Eight poses of one leg, joined by splines, make a cycle; the other leg follows half a cycle later. The body advances so
that the stance foot stays in place. The clips are pure kinematics, without masses or forces.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from poise.characters.catalog import load_character
from poise.characters.model import SIDES, Character
from poise.errors import unknown_name
from poise.motion.clip import Clip
from poise.motion.clip_file import save_clip
from poise.motion.contacts import annotate
from poise.motion.mapping import Mapping as Roles
from poise.motion.pose_algebra import rise
from poise.motion.retarget import retarget
from poise.motion.rotations import quat_about, quat_multiply
from poise.motion.skeleton import Skeleton, make_character_skeleton

FloatArray = NDArray[np.float64]
LIBRARY = Path(__file__).resolve().parents[1] / "src" / "poise" / "library"
TARGET = "lee13"
RATE_HZ = 30.0
#: Durations of standing, and of starting and stopping.
REST_S, EASE_S = 1.2, 1.4
SOLE_M = 0.0444


@dataclass(frozen=True)
class Drawing:
    """Angles in degrees at eight moments of a cycle that begins when the foot lands; flexion is positive."""

    about: str
    cycle_s: float
    cycles: int
    hip: tuple[float, ...]
    knee: tuple[float, ...]
    ankle: tuple[float, ...]
    shoulder: tuple[float, ...]
    #: Constant angles, by axis.
    held: Mapping[str, float] = field(default_factory=dict)
    #: Sideways shift of the hips over the stance foot.
    sway_m: float = 0.025


DRAWINGS: Mapping[str, Drawing] = {
    "stroll": Drawing(
        "strolls, drawn as key poses", 1.0, 7,
        (13, 9, 2, -5, -12, -8, 8, 15), (8, 14, 11, 8, 14, 40, 46, 20), (0, -4, 4, 8, 8, -12, -2, 2),
        (-16, -12, -3, 7, 16, 12, 3, -7), {"left_elbow_pitch": 18, "right_elbow_pitch": 18},
    ),
}  # fmt: skip


def sample(keys: tuple[float, ...], phase: FloatArray) -> FloatArray:
    """A closed curve through the keys, sampled at phases in cycles."""
    times = np.linspace(0.0, 1.0, len(keys) + 1)
    return np.asarray(CubicSpline(times, [*keys, keys[0]], bc_type="periodic")(phase % 1.0))


def draw_angles(drawing: Drawing) -> tuple[dict[str, FloatArray], FloatArray]:
    """Angles of all moving axes (rad), and the hips' shift to the left (m)."""
    walk_s = drawing.cycle_s * drawing.cycles
    time = np.arange(round((2.0 * REST_S + walk_s) * RATE_HZ) + 1) / RATE_HZ - REST_S
    amount = rise(time, 0.0, EASE_S) * (1.0 - rise(time, walk_s - EASE_S, walk_s))
    phase = time / drawing.cycle_s
    angles = {name: np.radians(value) * amount for name, value in drawing.held.items()}
    rest = {"hip": 6.0, "knee": 12.0, "ankle": 6.0, "shoulder": 0.0}
    for side, shift in zip(SIDES, (0.0, 0.5), strict=True):
        for joint, still in rest.items():
            moving = sample(getattr(drawing, joint), phase + shift)
            angles[f"{side}_{joint}_pitch"] = np.radians(still + amount * (moving - still))
    # The left foot is the stance foot in the first half of a cycle.
    return angles, drawing.sway_m * amount * np.sin(2.0 * np.pi * (phase + 0.05))


def pose(character: Character, angles: Mapping[str, FloatArray]) -> FloatArray:
    """Rotations of all segments, (F, S, 4)."""
    frames = len(next(iter(angles.values())))
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(character.segments), 1))
    for k, segment in enumerate(character.segments):
        for axis in segment.joint.axes if segment.joint else ():
            if axis.name in angles:
                turns[:, k] = quat_multiply(turns[:, k], quat_about(axis.direction, angles[axis.name]))
    return turns


def walk(skeleton: Skeleton, turns: FloatArray, drawing: Drawing, sway_m: FloatArray, feet: list[int]) -> FloatArray:
    """Positions of the root: the speed keeps the stance foot in place on average, the height the lower foot."""
    places = np.zeros((len(turns), 3))
    ankles = skeleton.compute_globals(places, turns)[0][:, feet]
    time = np.arange(len(turns)) / RATE_HZ - REST_S
    walk_s = drawing.cycle_s * drawing.cycles
    amount = rise(time, 0.0, EASE_S) * (1.0 - rise(time, walk_s - EASE_S, walk_s))
    middle = (time > EASE_S) & (time < walk_s - EASE_S)
    stands = (time / drawing.cycle_s) % 1.0 < 0.5
    back = np.gradient(ankles[:, 0, 0]) * RATE_HZ
    speed = -float(back[middle & stands].mean())
    places[:, 0] = np.cumsum(amount) * speed / RATE_HZ
    places[:, 1] = sway_m
    places[:, 2] = SOLE_M - ankles[:, :, 2].min(axis=1)
    return places


def make(name: str, drawing: Drawing) -> Clip:
    """Make a clip from a drawing, with its feet on the ground."""
    character = load_character(TARGET)
    names, skeleton = character.segment_names, make_character_skeleton(character)
    roles = Roles({role: names.index(segment) for role, segment in character.roles.items()})
    angles, sway_m = draw_angles(drawing)
    turns = pose(character, angles)
    feet = [names.index(character.roles[f"{side}_foot"]) for side in SIDES]
    clip = Clip(name, skeleton, 1.0 / RATE_HZ, walk(skeleton, turns, drawing, sway_m, feet), turns, character=TARGET)
    fitted = retarget(annotate(clip, roles), roles, character, scale=1.0).clip
    note = f"{drawing.about} by tools/author_clips.py"
    return replace(
        fitted, name=name, character=TARGET, notes=(note,), root_pos_m=fitted.root_pos_m.round(5),
        quats_wxyz=fitted.quats_wxyz.round(5),
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(DRAWINGS))
    parser.add_argument("--out", type=Path, default=LIBRARY / "clips")
    options = parser.parse_args()
    for name in options.names:
        if name not in DRAWINGS:
            raise unknown_name("author_clips", "clip", name, list(DRAWINGS))
        clip = make(name, DRAWINGS[name])
        save_clip(clip, options.out / f"{name}.npz")
        print(f"{name}: {clip.frames} frames")


if __name__ == "__main__":
    main()
