"""Quantities from the contacts of a recording: forces under the feet, centre of pressure, support polygon."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES, Character
from poise.constants import LIFT_LOAD_N
from poise.recordings.recording import FloatArray, IntArray, Recording
from poise.world.hull import compute_convex_hull

GROUND = -1


def foot_segments(character: Character) -> dict[str, tuple[int, ...]]:
    """Per side, `left` then `right`: indices of the foot and the segments below it, such as toes."""
    names = character.segment_names
    return {
        side: tuple(names.index(name) for name in character.below(character.roles[f"{side}_foot"])) for side in SIDES
    }


def external_contacts(
    recording: Recording, character: int = 0, *, ground_only: bool = False
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Contacts of a character with anything else.

    Returns for each the frame, the segment (index within the character), the point and the force on the character, both
    in world. `ground_only` excludes props and other characters.
    """
    segments = recording.segments_of(character)
    first, second = recording.contact_segment, recording.contact_other
    a = (first >= segments.start) & (first < segments.stop)
    b = (second >= segments.start) & (second < segments.stop)
    # A pair may be listed in either order; the force is on the first.
    own = np.where(a, first, second)
    other = np.where(a, second, first)
    force = np.where(a[:, None], recording.contact_force_w_n, -recording.contact_force_w_n)
    chosen = (a != b) & ((other == GROUND) | (not ground_only))
    return (
        recording.contact_frame[chosen],
        own[chosen] - segments.start,
        recording.contact_pos_w_m[chosen],
        force[chosen],
    )


def compute_foot_forces_w_n(recording: Recording, character: int = 0) -> FloatArray:
    """External force on the left and right foot, including toes, (F, 2, 3)."""
    frame, segment, _, force = external_contacts(recording, character)
    forces = np.zeros((recording.frames, len(SIDES), 3))
    for side, members in enumerate(foot_segments(recording.characters[character]).values()):
        chosen = np.isin(segment, members)
        np.add.at(forces[:, side], frame[chosen], force[chosen])
    return forces


def compute_foot_loaded(recording: Recording, character: int = 0) -> NDArray[np.bool_]:
    """Whether the left and right foot carry load, (F, 2)."""
    return compute_foot_forces_w_n(recording, character)[:, :, 2] > LIFT_LOAD_N


def compute_center_of_pressure_m(recording: Recording, character: int = 0) -> FloatArray:
    """Centre of pressure in world, (F, 3), NaN in flight.

    The mean of the ground contacts weighted by vertical force: on level ground, the point about which the ground forces
    have no horizontal moment.
    """
    frame, _, points, force = external_contacts(recording, character, ground_only=True)
    load = np.maximum(force[:, 2], 0.0)
    total = np.bincount(frame, weights=load, minlength=recording.frames)
    center = np.full((recording.frames, 3), np.nan)
    loaded = total > 0.0
    for axis in range(3):
        moment = np.bincount(frame, weights=load * points[:, axis], minlength=recording.frames)
        center[loaded, axis] = moment[loaded] / total[loaded]
    return center


def compute_support_polygon_m(recording: Recording, frame: int, character: int = 0) -> FloatArray:
    """Corners (x, y in world) of the hull of the ground contacts at a frame, (M, 2), counter-clockwise.

    Two corners if all contacts lie on a line, none in flight. Negative frames count from the end.
    """
    index = range(recording.frames)[frame]
    frames, _, points, force = external_contacts(recording, character, ground_only=True)
    return compute_convex_hull(points[(frames == index) & (force[:, 2] > 0.0)][:, :2])
