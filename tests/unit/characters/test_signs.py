"""Which way every angle of every shipped character turns, seen from where the limb goes."""

import numpy as np
import pytest

from poise.characters.catalog import character_names
from poise.characters.conventions import CONVENTIONAL_DIRECTIONS
from poise.characters.kinematics import Frame, compute_frames
from poise.characters.model import KNOWN_AXES, Character, swap_side
from poise.characters.sides import mirror_direction
from poise.world.adopt import load_any_character

SMALL_RAD = 0.4
CASES = [(name, axis.name) for name in character_names() for axis in load_any_character(name).axes]
#: Axes without a meaning of their own in any other character; their sides are checked to be mirror images.
NAMELESS = ("shoulder_swing", "shoulder_twist")


def relative(frames: dict[str, Frame], lower: str, upper: str) -> np.ndarray:
    """The rotation of one segment in another's frame."""
    return frames[lower].rotation.T @ frames[upper].rotation


def seen_from(frames: dict[str, Frame], segment: str, point: tuple[float, float, float]) -> np.ndarray:
    """A point of the root's frame in a segment's."""
    return frames[segment].rotation.T @ (np.array(point) - frames[segment].origin_m)


def landmark(character: Character, frames: dict[str, Frame], name: str) -> tuple[float, float, float]:
    mark = next(m for m in character.landmarks if m.name == name)
    return frames[mark.segment].place(mark.position_m)


def owner(character: Character, axis: str) -> tuple[str, str]:
    """Parent and child of an axis."""
    segment = next(s for s in character.segments if s.joint and axis in [a.name for a in s.joint.axes])
    assert segment.parent is not None
    return segment.parent, segment.name


@pytest.mark.parametrize(("name", "axis"), CASES)
def test_positive_angles_flex_abduct_and_turn_outward(name: str, axis: str) -> None:
    character = load_any_character(name)
    before, after = compute_frames(character, {}), compute_frames(character, {axis: SMALL_RAD})
    parent, child = owner(character, axis)
    side = {"left": 1.0, "right": -1.0}.get(axis.partition("_")[0], 0.0)
    motion = axis.partition("_")[2] if side else axis
    joint = motion.rpartition("_")[0]
    small = name == "bioloid"

    def moved(point_before: tuple, point_after: tuple) -> np.ndarray:
        return seen_from(after, parent, point_after) - seen_from(before, parent, point_before)

    def tip(mark: str) -> np.ndarray:
        full = f"{axis.partition('_')[0]}_{mark}"
        return moved(landmark(character, before, full), landmark(character, after, full))

    match motion:
        case "hip_pitch" | "shoulder_pitch":
            hanging = (0.0, 0.0, -0.2)
            assert moved(before[child].place(hanging), after[child].place(hanging))[0] > 0.05
        case "knee_pitch" | "knee1_pitch" | "knee2_pitch":
            below = character.segment(child).com_m
            # The small robot's shank is a tenth of a person's.
            assert moved(before[child].place(below), after[child].place(below))[0] < (-0.01 if small else -0.05)
        case "knee3_pitch":
            assert tip("toe")[2] < -0.05
        case "ankle_pitch" | "toe_pitch":
            assert tip("toe")[2] > 0.01
        case "elbow_pitch":
            shoulder = character.segment(parent)
            assert shoulder.joint is not None
            reach = [
                np.linalg.norm(seen_from(f, parent, landmark(character, f, f"{axis.partition('_')[0]}_hand")))
                for f in (before, after)
            ]
            assert reach[1] < reach[0]
            assert tip("hand")[2] > 0.0
            # Their forearms do not hang when all angles are zero.
            assert name in ("gym_humanoid", "bioloid") or tip("hand")[0] > 0.0
        case "wrist_pitch":
            assert tip("hand")[0] > 0.01
        case "hip_roll" | "shoulder_roll" | "knee_roll" | "elbow_roll":
            hanging = (0.0, 0.0, -0.2)
            assert side * moved(before[child].place(hanging), after[child].place(hanging))[1] > 0.05
        case "ankle_roll":
            outer = (0.0, side * 0.05, 0.0)
            assert moved(before[child].place(outer), after[child].place(outer))[2] > 0.01
        case "hip_yaw" | "shoulder_yaw" | "knee_yaw" | "elbow_yaw" | "ankle_yaw":
            assert side * relative(after, parent, child)[1, 0] > 0.3
        case _ if joint.startswith("tail"):
            turn = relative(after, parent, child)
            lowered = -moved(before[child].place((-0.2, 0.0, 0.0)), after[child].place((-0.2, 0.0, 0.0)))[2]
            looked_at = {"pitch": 5.0 * lowered, "roll": -turn[1, 2], "yaw": turn[1, 0]}
            assert looked_at[motion.rpartition("_")[2]] > 0.3
        case _ if joint in ("back", "chest", "neck", "neck_base", "head"):
            hangs_from_trunk = character.roles["pelvis"] in character.below(child)
            lower, upper = (child, parent) if hangs_from_trunk else (parent, child)
            turn = relative(after, lower, upper)
            looked_at = {"pitch": turn[0, 2], "roll": -turn[1, 2], "yaw": turn[1, 0]}
            assert looked_at[motion.rpartition("_")[2]] > 0.3
        case _:
            assert motion in NAMELESS


@pytest.mark.parametrize("name", character_names())
def test_left_and_right_axes_are_mirror_images(name: str) -> None:
    character = load_any_character(name)
    directions = {a.name: a.direction for a in character.axes}
    for axis, direction in directions.items():
        if swap_side(axis) != axis:
            assert directions[swap_side(axis)] == pytest.approx(mirror_direction(direction), abs=1e-12)


@pytest.mark.parametrize("name", [n for n in character_names() if n != "gym_humanoid"])
def test_known_axes_point_the_conventional_way(name: str) -> None:
    for axis in load_any_character(name).axes:
        if axis.name in KNOWN_AXES:
            assert axis.direction == pytest.approx(CONVENTIONAL_DIRECTIONS[axis.name], abs=1e-12)
