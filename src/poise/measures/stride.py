"""The mean stride of a recording over its phase, and the distance between two styles of walking."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from poise.errors import InputError
from poise.measures.steps import find_steps
from poise.recordings.recording import FloatArray, Recording

#: Samples of each of a stride's two steps.
SAMPLES_PER_STEP: Final = 32


def mean_stride(recording: Recording, *, start_s: float = 0.0, character: int = 0) -> FloatArray:
    """Mean joint angles (2·SAMPLES_PER_STEP, axes) over a stride that begins with a strike of the left foot.

    Averages all whole strides from `start_s` up to a fall. Each step fills half of the stride, so a limp does not shift
    the legs relative to each other.
    """
    body = recording.check_character(character)
    falls = recording.events_of(character, "down")
    end_s = falls[0].time_s if falls else float(recording.time_s[-1])
    strikes = find_steps(recording, character, start_s, end_s)
    angles = recording.joint_q_rad[:, recording.axes_of(character)]
    phase = np.arange(SAMPLES_PER_STEP) / SAMPLES_PER_STEP
    steps: dict[bool, list[FloatArray]] = {True: [], False: []}
    for strike, following in pairwise(strikes):
        times = strike.time_s + phase * (following.time_s - strike.time_s)
        on_left = strike.segment == body.roles["left_foot"]
        steps[on_left].append(np.array([np.interp(times, recording.time_s, column) for column in angles.T]).T)
    if not steps[True] or not steps[False]:
        raise InputError(
            f"stride of {recording.controllers[character]} on {body.name}: no whole stride after {start_s:g} s, "
            f"got {len(strikes)} foot strikes. A run must have at least three steps."
        )
    return np.concatenate([np.mean(steps[True], axis=0), np.mean(steps[False], axis=0)])


def style_distance(
    a: Recording, b: Recording, *, start_s: float = 2.0, character_a: int = 0, character_b: int = 0
) -> float:
    """Mean absolute difference (rad) of two runs' joint angles, over all joint axes and the stride's phase."""
    names = a.check_character(character_a).axis_names, b.check_character(character_b).axis_names
    if names[0] != names[1]:
        bodies = a.characters[character_a].name, b.characters[character_b].name
        raise InputError(
            f"style distance: both runs must be of bodies with the same joints, got {' and '.join(bodies)}."
        )
    stride_a = mean_stride(a, start_s=start_s, character=character_a)
    stride_b = mean_stride(b, start_s=start_s, character=character_b)
    return float(np.mean(np.abs(stride_a - stride_b)))
