"""Motions of `lee13` made from formulas."""

from __future__ import annotations

import numpy as np

from poise.characters.catalog import load_character
from poise.controllers.tracker.reference import Reference
from poise.motion.rotations import quat_about, quat_multiply

LEE = load_character("lee13")
#: Height of the root over level soles with straight legs.
STANDING_M = 0.0866707 + 0.444227 + 0.420924 + 0.044444


def make_stand(frames: int = 60) -> Reference:
    """Standing still with slightly bent knees."""
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 13, 1))
    for side in ("left", "right"):
        for part, angle in (("thigh", -0.15), ("shin", 0.3), ("foot", -0.15)):
            turns[:, _index(f"{side}_{part}")] = quat_about((0.0, 1.0, 0.0), np.full(frames, angle))
    return Reference(LEE, np.tile([0.0, 0.0, STANDING_M - 0.01], (frames, 1)), turns)


def make_walk(frames: int = 150, heading_rad: float = 0.0, turn_rad: float = 0.0, turn_at: int = 0) -> Reference:
    """Legs that swing as in walking, with feet that lift and land; the root goes with the lower foot.

    It may turn, over a step from a frame on.
    """
    phase = 2.0 * np.pi * np.arange(frames) / 36.0
    heading = heading_rad + turn_rad * np.clip((np.arange(frames) - turn_at) / 18.0, 0.0, 1.0)
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 13, 1))
    turns[:, 0] = quat_multiply(quat_about((0.0, 0.0, 1.0), heading), quat_about((1.0, 0.0, 0.0), 0.03 * np.sin(phase)))
    for side, shift in (("left", 0.0), ("right", np.pi)):
        hip = 0.4 * np.sin(phase + shift)
        knee = 0.1 + 0.8 * np.maximum(np.cos(phase + shift), 0.0) ** 2
        for part, angle in (("thigh", -hip), ("shin", knee), ("foot", hip - knee)):
            turns[:, _index(f"{side}_{part}")] = quat_about((0.0, 1.0, 0.0), angle)
    return _walk_on_lower_foot(Reference(LEE, np.zeros((frames, 3)), turns))


def _walk_on_lower_foot(reference: Reference) -> Reference:
    """The motion with a root that moves so that the lower foot stays where it is, on the ground."""
    feet = reference.places_w_m()[:, reference.feet()]
    places = reference.root_pos_m.copy()
    lower = np.argmin(feet[:, :, 2], axis=1)
    for f in range(reference.frames):
        ankle = feet[f, lower[f]]
        if f:
            places[f, :2] = places[f - 1, :2] - (ankle - feet[f - 1, lower[f]])[:2]
        places[f, 2] = 0.044444 - ankle[2]
    return Reference(LEE, places, reference.turns)


def _index(name: str) -> int:
    return LEE.segment_names.index(name)
