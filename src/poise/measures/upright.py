"""Finds when a body is upright or down, frame by frame, from a recording.

The rule is that of the events `down` and `up`; `up` also requires a foot on the ground for a while.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.constants import FALL_HEIGHT_RATIO, FALL_ROLES, FALL_TILT_RAD, UP_S
from poise.measures.ending import crop_to_end, find_end_s
from poise.recordings.contacts import external_contacts
from poise.recordings.recording import Recording
from poise.world.views import standing_height_m

#: Number of times listed in a description; the recording has them all.
MOST_SPANS: Final = 3

Span = tuple[float, float]


def compute_upright(recording: Recording, character: int = 0) -> NDArray[np.bool_]:
    """Whether no fall rule is met, (F,): no tilted trunk, low head or pelvis, or forbidden ground contact."""
    body, first = recording.check_character(character), recording.segments_of(character).start
    names, roles = body.segment_names, body.roles
    x, y = recording.segment_quat_wxyz[:, first + names.index(roles["trunk"]), 1:3].T
    tilted = 1.0 - 2.0 * (x**2 + y**2) < np.cos(FALL_TILT_RAD)
    watched = roles.get("head", roles["pelvis"])
    heights = {n: recording.segment_pos_w_m[:, first + names.index(n), 2] for n in names}
    feet = np.minimum(heights[roles["left_foot"]], heights[roles["right_foot"]])
    low = heights[watched] - feet < FALL_HEIGHT_RATIO * standing_height_m(body, watched)
    frame, segment, _, _ = external_contacts(recording, character, ground_only=True)
    forbidden = [names.index(roles[role]) for role in FALL_ROLES if role in roles]
    touching = np.zeros(recording.frames, dtype=bool)
    touching[frame[np.isin(segment, forbidden)]] = True
    return np.asarray(~(tilted | low | touching))


def find_down_spans(recording: Recording, character: int = 0) -> list[Span]:
    """Times (from, to) in which the body was not upright; gaps shorter than UP_S are joined."""
    down = ~compute_upright(recording, character)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], down, [False]]).astype(int)))
    time_s = recording.time_s
    spans = [(float(time_s[a]), float(time_s[b - 1])) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    joined: list[Span] = spans[:1]
    for (_, end), span in pairwise(spans):
        joined = [*joined[:-1], (joined[-1][0], span[1])] if span[0] - end < UP_S else [*joined, span]
    return joined


def is_up_at_end(recording: Recording, character: int = 0) -> bool:
    """Whether the body never fell, or was upright for the last UP_S."""
    falls = recording.events_of(character, "down")
    if not falls:
        return True
    # A run that stops at the fall has no frame of it.
    if not recording.frames or falls[0].time_s > recording.time_s[-1] - UP_S:
        return False
    late = recording.time_s >= recording.time_s[-1] - UP_S
    return bool(compute_upright(recording, character)[late].all())


def describe_outcome(recording: Recording, character: int = 0) -> str:
    """A phrase that says whether a body fell, turned over and got up again, or is down as its script may intend.

    A body whose script ended is judged by the time before.
    """
    end_s = find_end_s(recording, character)
    if end_s is None:
        return _describe(recording, character, "still on its feet", "on its feet at the end", "")
    on_feet = f"on its feet when its script ended at {end_s:.2f} s"
    end = f", and its script ended at {end_s:.2f} s"
    return _describe(crop_to_end(recording, character), character, on_feet, on_feet, end)


def _describe(recording: Recording, character: int, never_down: str, up_again: str, end: str) -> str:
    """The phrase for a body that was never down, that got up again, or that is down at the end."""
    falls = recording.events_of(character, "down")
    if not falls:
        return never_down
    spans = find_down_spans(recording, character) if recording.frames else []
    if is_up_at_end(recording, character):
        graze = [(falls[0].time_s, falls[0].time_s)]
        return f"{up_again}; turned over or down {_list(spans or graze)}"
    # A script may intend the body to lie down, which we cannot know; any other body fell.
    word = "down since" if recording.meta.get("script") else "fell at"
    if len(spans) < 2:
        began_down = bool(spans) and spans[0][0] <= recording.time_s[0]
        return f"down from the start{end}" if began_down else f"{word} {falls[0].time_s:.2f} s{end}"
    return f"{word} {spans[-1][0]:.2f} s{end}; turned over or down before, {_list(spans[:-1])}"


def _list(spans: list[Span]) -> str:
    shown = ", ".join(f"{start:.2f} to {end:.2f} s" for start, end in spans[:MOST_SPANS])
    return f"from {shown}" + (f" and {len(spans) - MOST_SPANS} more times" if len(spans) > MOST_SPANS else "")
