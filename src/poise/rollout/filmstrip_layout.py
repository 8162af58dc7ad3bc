"""Chooses and places the poses of a film strip: along the path if the character travels, side by side if not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from poise.constants import UP_S
from poise.errors import InputError
from poise.measures.metrics import compute_forward_w, compute_metrics
from poise.measures.upright import find_down_spans, is_up_at_end
from poise.recordings.recording import FloatArray, Recording
from poise.rollout.outlines import View, compute_outlines, side_view

ROW_LENGTH: Final = 6.0
"""Maximum length of a row in character heights: in longer rows the character would be too small."""

MIN_ROW_LENGTH: Final = 3.6
"""Minimum length of a row in character heights: in shorter rows the character would be too large."""

MAX_ROWS: Final = 4

SPACING: Final = 0.4
"""Preferred spacing of poses in character heights: neighbours touch but remain distinguishable."""

SIDE_BY_SIDE: Final = 0.56
"""Spacing of side-by-side poses in character heights."""

LYING_PER_ROW: Final = 4
EDGE: Final = 0.01
"""Margin beside a pose at the end of a row that was made longer for it, in lengths of the row."""

LYING: Final = 1.0
"""Spacing of poses that are longer than high, in their lengths."""

WAITING: Final = 0.2
"""Weight of waiting in a motion without rhythm, as a fraction of its total movement."""

STEP_PARTS: Final = (0.5, 0.75, 1.25, 1.5)
"""Spacings in steps that show the gait in different phases; whole steps would repeat one pose."""


@dataclass(frozen=True)
class Pose:
    frame: int
    view: View
    #: Added to the pose's position along `view.across_w` to get its position in the row.
    shift_m: float


@dataclass(frozen=True)
class Row:
    poses: tuple[Pose, ...]
    #: Left and right end of the row.
    low_m: float
    high_m: float


@dataclass(frozen=True)
class Layout:
    rows: tuple[Row, ...]
    height_m: float
    #: Whether positions in a row are positions in the world.
    along_path: bool
    first_frame: int
    last_frame: int


def compute_layout(
    recording: Recording,
    character: int = 0,
    *,
    start_s: float | None = None,
    end_s: float | None = None,
    poses: int | None = None,
) -> Layout:
    """Rows of poses for the time from `start_s` to `end_s`; `poses` overrides their total number."""
    recording.check_character(character)
    first, last = _find_window(recording, start_s, end_s)
    if poses is not None and poses < 1:
        raise InputError("poses must be at least 1", where="film strip", got=poses)
    height = measure_height_m(recording, character, first)
    view = _find_path_view(recording, character, first, last)
    root = recording.segment_pos_w_m[:, recording.segments_of(character).start]
    place = root @ view.across_w
    length = _measure_lying_m(recording, character, view, first, last)
    travels = _is_travel(place[first : last + 1], max(height, length))
    if travels and not _turns_over(recording, character, first, last):
        spacing = max(_choose_spacing(recording, character, height), LYING * length)
        laid = _lay_along_path(place, view, height, first, last, spacing, poses or 0)
    else:
        laid = _lay_side_by_side(recording, character, height, length, first, last, poses)
    return replace(laid, rows=_fit_rows(recording, character, laid.rows))


def _measure_lying_m(recording: Recording, character: int, view: View, first: int, last: int) -> float:
    """Length of a body that is longer than high at first or in most frames, as when crawling; 0 if it is upright."""
    sizes = []
    for frame in np.unique(np.linspace(first, last, 9).astype(int)):
        outlines = compute_outlines(recording, int(frame), view, character)
        if outlines:
            sizes.append(np.ptp(np.concatenate([o.corners_m for o in outlines]), axis=0))
    if not sizes:
        return 0.0
    lengths = [float(length) for length, height in (sizes[0], np.median(sizes, axis=0)) if length > height]
    return max(lengths, default=0.0)


def _fit_rows(recording: Recording, character: int, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows, all made longer if a pose would be cropped at an end."""
    low = high = 0.0
    for row in rows:
        for pose in row.poses:
            outlines = compute_outlines(recording, pose.frame, pose.view, character)
            if outlines:
                across = np.concatenate([o.corners_m[:, 0] for o in outlines]) + pose.shift_m
                low = max(low, row.low_m - float(across.min()))
                high = max(high, float(across.max()) - row.high_m)
    margin = EDGE * (rows[0].high_m - rows[0].low_m)
    low, high = (more + margin if more > 0.0 else 0.0 for more in (low, high))
    return tuple(Row(row.poses, row.low_m - low, row.high_m + high) for row in rows)


def measure_height_m(recording: Recording, character: int, frame: int) -> float:
    """Height from the lowest to the highest point of a character at a frame."""
    outlines = compute_outlines(recording, frame, side_view(0.0), character)
    if not outlines:
        span = recording.segments_of(character)
        heights = recording.segment_pos_w_m[frame, span, 2]
        return max(float(np.ptp(heights)), 0.1)
    heights = np.concatenate([o.corners_m[:, 1] for o in outlines])
    return max(float(np.ptp(heights)), 0.1)


def _find_window(recording: Recording, start_s: float | None, end_s: float | None) -> tuple[int, int]:
    time = recording.time_s
    if not len(time):
        raise InputError("the recording has no frames", where="film strip")
    start = time[0] if start_s is None else start_s
    end = time[-1] if end_s is None else end_s
    chosen = np.flatnonzero((time >= start) & (time <= end))
    if not len(chosen):
        raise InputError(
            f"no frames between {start:g} and {end:g} s",
            where="film strip",
            allowed=f"The recording lasts from {time[0]:g} to {time[-1]:g} s",
        )
    return int(chosen[0]), int(chosen[-1])


def _find_path_view(recording: Recording, character: int, first: int, last: int) -> View:
    """Side view of the path from the first to the last frame, with the character facing right."""
    forward = compute_forward_w(recording, character)[first]
    if recording.characters[character].root == "free":
        root = recording.segment_pos_w_m[:, recording.segments_of(character).start]
        way = (root[last] - root[first]) * [1.0, 1.0, 0.0]
        if np.linalg.norm(way) > 1e-3:
            ahead = way / np.linalg.norm(way)
            forward = ahead if ahead @ forward >= 0.0 else -ahead
    return side_view(float(np.arctan2(forward[1], forward[0])))


def _is_travel(place: FloatArray, height: float) -> bool:
    """Whether a path is long enough to spread poses along it, and does not double back."""
    onward = place * np.sign(place[-1] - place[0])
    back = np.max(np.maximum.accumulate(onward) - onward)
    return bool(abs(place[-1] - place[0]) >= height and back < 0.4 * height)


def _turns_over(recording: Recording, character: int, first: int, last: int) -> bool:
    """Whether the body is down or upside down for a while, then up again: on a path such poses would overlap."""
    if not is_up_at_end(recording, character):
        return False
    start, end = recording.time_s[first], recording.time_s[last]
    return any(
        begin >= start and stop <= end and stop - begin >= UP_S for begin, stop in find_down_spans(recording, character)
    )


def _lay_along_path(
    place: FloatArray, view: View, height: float, first: int, last: int, spacing: float, count: int
) -> Layout:
    """Evenly spaced poses along the path: `count` of them, or determined by `spacing` if `count` is 0."""
    onward = np.maximum.accumulate(np.abs(place[first : last + 1] - place[first]))
    longest = MAX_ROWS * ROW_LENGTH * height
    if not count and onward[-1] > longest:
        # The end of a run is more interesting than its beginning.
        cut = int(np.searchsorted(onward, onward[-1] - longest))
        first, onward = first + cut, onward[cut:] - onward[cut]
    travel = float(onward[-1])
    marks = np.linspace(0.0, travel, count or max(2, round(travel / spacing) + 1))
    frames = np.minimum(first + np.searchsorted(onward, marks), last)
    rows = max(1, min(MAX_ROWS, int(np.ceil(travel / (ROW_LENGTH * height) - 0.1))))
    margin = 0.4 * height
    laid = []
    for part in np.array_split(frames, rows):
        row = tuple(Pose(int(f), view, 0.0) for f in part)
        laid.append(Row(row, float(place[part].min()) - margin, float(place[part].max()) + margin))
    return Layout(_make_equally_long(laid, height), height, True, first, last)


def _choose_spacing(recording: Recording, character: int, height: float) -> float:
    wished = SPACING * height
    step = compute_metrics(recording, character).mean_step_length_m
    if step is None or abs(step) < 0.1 * height:
        return wished
    return min((part * abs(step) for part in STEP_PARTS), key=lambda s: abs(float(np.log(s / wished))))


def _lay_side_by_side(
    recording: Recording, character: int, height: float, length: float, first: int, last: int, poses: int | None
) -> Layout:
    """Poses beside each other; `length` is that of a lying body, or 0."""
    slot = max(SIDE_BY_SIDE * height, LYING * length)
    per_row = LYING_PER_ROW if length > 0.0 else int(ROW_LENGTH / SIDE_BY_SIDE) + 1
    shown = 2 * per_row if length > 0.0 else per_row
    time = recording.time_s
    step = _find_step_time_s(recording, character, first, last)
    if poses is None and step is not None:
        # Four poses per step; for a long run, only the last rows.
        count = min(int((time[last] - time[first]) / (0.25 * step)) + 1, per_row * MAX_ROWS // 2)
        moments = time[last] - 0.25 * step * np.arange(count)[::-1]
    elif poses is None:
        moments = _find_moving_moments(recording, character, first, last, shown)
    else:
        moments = np.linspace(time[first], time[last], poses)
    frames = np.clip(np.searchsorted(time, moments - 1e-9), first, last)
    forward = compute_forward_w(recording, character)
    root = recording.segment_pos_w_m[:, recording.segments_of(character).start]
    rows = []
    for part in np.array_split(frames, max(1, int(np.ceil(len(frames) / per_row)))):
        row = []
        for k, f in enumerate(part):
            view = side_view(float(np.arctan2(forward[f, 1], forward[f, 0])))
            row.append(Pose(int(f), view, k * slot - float(root[f] @ view.across_w)))
        rows.append(Row(tuple(row), -0.5 * height, (len(part) - 1) * slot + 0.5 * height))
    return Layout(_make_equally_long(rows, height), height, False, int(frames[0]), int(frames[-1]))


def _find_step_time_s(recording: Recording, character: int, first: int, last: int) -> float | None:
    """Mean step time if steps fill most of the window; None for motions without rhythm: jumps, kicks, walkovers."""
    time = recording.time_s
    strikes = [e.time_s for e in recording.events_of(character, "strike") if time[first] <= e.time_s <= time[last]]
    step = compute_metrics(recording, character).mean_step_time_s
    if len(strikes) < 2 or strikes[-1] - strikes[0] < 0.5 * (time[last] - time[first]):
        return None
    if _turns_over(recording, character, first, last):
        return None
    return step or None


def _find_moving_moments(recording: Recording, character: int, first: int, last: int, count: int) -> FloatArray:
    """Times spaced by equal amounts of movement, to show the motion and not the waiting."""
    time = recording.time_s[first : last + 1]
    if last == first:
        return time.copy()
    places = recording.segment_pos_w_m[first : last + 1, recording.segments_of(character)]
    moved = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=2).mean(axis=1))])
    waited = (time - time[0]) / (time[-1] - time[0])
    along = moved + max(WAITING * float(moved[-1]), 1e-9) * waited
    return np.interp(np.linspace(0.0, along[-1], count), along, time)


def _make_equally_long(rows: list[Row], height: float) -> tuple[Row, ...]:
    """The rows at one scale: each starts at the left, and a single short one is centred."""
    longest = max(row.high_m - row.low_m for row in rows)
    spare = max(0.0, MIN_ROW_LENGTH * height - longest)
    return tuple(Row(row.poses, row.low_m - 0.5 * spare, row.low_m + longest + 0.5 * spare) for row in rows)
