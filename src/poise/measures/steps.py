"""Steps: foot strikes of alternating feet, and how long and how wide each step is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from poise.recordings.recording import Event, FloatArray, Recording


def find_steps(
    recording: Recording, character: int = 0, start_s: float = 0.0, end_s: float = math.inf
) -> tuple[Event, ...]:
    """Foot strikes between two times, each of the other foot than the one before: a bounce is no step."""
    known = recording.check_character(character).segment_names
    steps: list[Event] = []
    for event in recording.events_of(character, "strike"):
        new = not steps or event.segment != steps[-1].segment
        if start_s <= event.time_s <= end_s and event.segment in known and new:
            steps.append(event)
    return tuple(steps)


def measure_steps(
    recording: Recording, character: int, forward: FloatArray, strikes: Sequence[Event]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Length of each step along the heading, and its width, positive while the left foot is on the left.

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
