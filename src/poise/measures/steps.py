"""Steps: foot strikes of alternating feet, their lengths and widths. All packages count steps with this module."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.recordings.recording import Event, FloatArray, Recording

#: Shorter lifts of a foot are trembling, not swings.
SHORTEST_SWING_S: Final = 0.1


def find_steps(
    recording: Recording, character: int = 0, start_s: float = 0.0, end_s: float = math.inf
) -> tuple[Event, ...]:
    """Foot strikes of alternating feet between two times: a bounce is not a step."""
    known = recording.check_character(character).segment_names
    steps: list[Event] = []
    for event in recording.events_of(character, "strike"):
        new = not steps or event.segment != steps[-1].segment
        if start_s <= event.time_s <= end_s and event.segment in known and new:
            steps.append(event)
    return tuple(steps)


def find_swings(recording: Recording, character: int = 0) -> list[tuple[float, float]]:
    """Lift and strike times of each swing of a foot, in the order of the strikes.

    Unlike steps, swings of one foot may follow each other. Trembling is not a swing.
    """
    body = recording.check_character(character)
    swings = []
    for foot in (body.roles[f"{side}_foot"] for side in SIDES):
        lifts = [e.time_s for e in recording.events_of(character, "lift") if e.segment == foot]
        for strike in (e.time_s for e in recording.events_of(character, "strike") if e.segment == foot):
            before = [t for t in lifts if t < strike]
            if before and strike - before[-1] >= SHORTEST_SWING_S:
                swings.append((before[-1], strike))
    return sorted(swings, key=lambda swing: swing[1])


def measure_steps(
    recording: Recording, character: int, forward: FloatArray, strikes: Sequence[Event]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Length of each step along the heading, and its width, positive if the left foot is on the left.

    `forward` is the heading of every frame, as `compute_forward_w` returns it.
    """
    body = recording.characters[character]
    offset = recording.segments_of(character).start
    feet, headings = [], []
    for event in strikes:
        column = offset + body.segment_names.index(event.segment)
        feet.append(_at(event.time_s, recording.time_s, recording.segment_pos_w_m[:, column]))
        headings.append(_at(event.time_s, recording.time_s, forward))
    lengths, widths = [], []
    for k in range(1, len(strikes)):
        way, ahead = feet[k] - feet[k - 1], headings[k]
        lengths.append(float(way @ ahead))
        to_the_left = float(way[1] * ahead[0] - way[0] * ahead[1])
        widths.append(to_the_left if strikes[k].segment == body.roles["left_foot"] else -to_the_left)
    return tuple(lengths), tuple(widths)


def _at(at_s: float, time_s: FloatArray, values: FloatArray) -> FloatArray:
    return np.array([np.interp(at_s, time_s, values[:, k]) for k in range(values.shape[1])])
