"""Recordings on disk: NPZ without pickle, one array per field, the rest as JSON text in the entry `json`.

`numpy.load(path)` reads the file without Poise. JSON is Python's dialect: infinite limits are `Infinity`.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from os import PathLike
from typing import Any, Final

import numpy as np

from poise.archives import Field, load_archive, parse_json, save_archive
from poise.characters.model import Axis, Character, Joint, Landmark, Segment, Shape
from poise.documents import make_plain
from poise.errors import FileFormatError, PoiseError
from poise.recordings.recording import Event, Recording, Tally, compute_expected_shapes
from poise.world.event_kinds import EARLIER_NAMES

FORMAT: Final = "poise-recording"
VERSION: Final = 1

MAX_BYTES: Final = 8 * 2**30
"""Unpacked size of eight hours of a humanoid at 100 Hz; a larger file could fill the memory."""

MIN_TIMESTEP_S: Final = 1e-9
MAX_SPAN_S: Final = 1e6
"""Eleven days; a longer video would not fit in memory."""

MAX_EVEN_FRAMES: Final = 1e6
MAX_UNEVENNESS: Final = 100.0
"""BVH and video have a fixed rate: a gap between frames is filled, and may not be most of the file."""

_INT_ARRAYS: Final = ("contact_start", "contact_segment", "contact_other")
_ARRAYS: Final = (
    "time_s", "qpos", "qvel", "joint_q_rad", "joint_v_radps", "torque_nm", "segment_pos_w_m",
    "segment_quat_wxyz", "com_w_m", "com_vel_w_mps", *_INT_ARRAYS, "contact_pos_w_m", "contact_force_w_n",
)  # fmt: skip

_AXES: Final = {"time_s": 1, "segment_pos_w_m": 3, "segment_quat_wxyz": 3, "com_w_m": 3, "com_vel_w_mps": 3}


def _describe(name: str) -> Field:
    """An array of a recording; missing values are NaN."""
    if name in _INT_ARRAYS:
        return Field("int", shape=(None,))
    return Field(shape=(None,) * _AXES.get(name, 2), finite=name == "time_s")


_FIELDS: Final = {"json": Field("text", shape=()), **{name: _describe(name) for name in _ARRAYS}}


class _WrongError(Exception):
    """A fault in the file; its path is added later."""


def save_recording(recording: Recording, path: str | PathLike[str]) -> None:
    """Writes a recording as NPZ, atomically; the same recording gives the same bytes."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "characters": make_plain(recording.characters),
        "controllers": list(recording.controllers),
        "props": list(recording.props),
        "timestep_s": float(recording.timestep_s),
        "events": make_plain(recording.events),
        "tallies": make_plain(recording.tallies),
        "meta": make_plain(recording.meta),
    }
    arrays = {
        name: np.asarray(getattr(recording, name), dtype=np.int64 if name in _INT_ARRAYS else np.float64)
        for name in _ARRAYS
    }
    save_archive(path, {"json": np.array(json.dumps(head)), **arrays})


def load_recording(path: str | PathLike[str]) -> Recording:
    """The recording in an NPZ file written by `save_recording`; anything else raises a FileFormatError."""
    entries = load_archive(path, _FIELDS, kind="recording", max_bytes=MAX_BYTES)
    head = parse_json(str(entries.pop("json")), path, "json")
    try:
        return _build(head, entries)
    except _WrongError as error:
        raise FileFormatError(str(error), path=path) from error
    except PoiseError as error:
        raise FileFormatError(f"damaged recording, {error}", path=path) from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, MemoryError) as error:
        raise FileFormatError("damaged recording, its description is malformed", path=path) from error


def _build(head: Any, entries: dict[str, np.ndarray]) -> Recording:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise _WrongError(f"not a recording, its format is not {FORMAT!r}")
    if head.get("version") != VERSION:
        got = head.get("version")
        raise _WrongError(f"unknown version of the recording, got {got!r}. Allowed: {VERSION}")
    recording = Recording(
        characters=tuple(_decode_character(c) for c in head["characters"]),
        controllers=_strings(head["controllers"]),
        props=_strings(head["props"]),
        timestep_s=_number(head["timestep_s"]),
        events=tuple(_decode_event(e) for e in head["events"]),
        tallies=tuple(Tally(**{k: _number(v) for k, v in t.items()}) for t in head["tallies"]),
        meta=_table(head["meta"]),
        **entries,
    )
    _check(recording)
    return recording


def _check(recording: Recording) -> None:
    """Raises unless sizes and indices are consistent; callers can rely on them."""
    for name, wanted in compute_expected_shapes(recording).items():
        got = getattr(recording, name).shape
        if len(got) != len(wanted) or any(w is not None and w != g for w, g in zip(wanted, got)):
            shown = ", ".join("any" if w is None else str(w) for w in wanted)
            raise _WrongError(f"{name} must have the shape ({shown}), got {got}")
    count = len(recording.characters)
    if len(recording.controllers) != count or len(recording.tallies) not in (0, count):
        raise _WrongError(f"there must be {count} controllers and tallies, one per character")
    _check_times(recording)
    start = recording.contact_start
    if start[0] != 0 or start[-1] != len(recording.contact_segment) or np.any(np.diff(start) < 0):
        raise _WrongError("contact_start must increase from 0 to the number of contacts")
    bodies = recording.segment_pos_w_m.shape[1]
    for name in ("contact_segment", "contact_other"):
        values = getattr(recording, name)
        if np.any(values < -1) or np.any(values >= bodies):
            raise _WrongError(f"{name} must lie in -1 to {bodies - 1}")
    for event in recording.events:
        texts = (event.kind, event.segment, event.detail)
        if not all(isinstance(t, str) for t in texts) or event.character not in range(-1, count):
            raise _WrongError(f"an event is malformed, got {event}")


def _check_times(recording: Recording) -> None:
    """Raises unless the frame times are increasing and even enough to resample."""
    if not MIN_TIMESTEP_S <= recording.timestep_s <= MAX_SPAN_S:
        raise _WrongError(f"timestep_s must lie in {MIN_TIMESTEP_S:g} to {MAX_SPAN_S:g}, got {recording.timestep_s:g}")
    gaps = np.diff(recording.time_s)
    if not len(gaps):
        return
    if np.any(gaps <= 0):
        raise _WrongError("time_s must increase from frame to frame")
    if np.max(np.abs(recording.time_s)) > MAX_SPAN_S:
        raise _WrongError(f"time_s must lie in {-MAX_SPAN_S:g} to {MAX_SPAN_S:g}")
    even = float(np.sum(gaps) / np.median(gaps))
    if even > max(MAX_EVEN_FRAMES, MAX_UNEVENNESS * len(gaps)):
        raise _WrongError(f"time_s is too uneven, resampling would give {even:.3g} frames")


def _decode_event(data: Mapping[str, Any]) -> Event:
    event = _decode(Event, data, time_s=_number(data["time_s"]))
    assert isinstance(event, Event)
    return dataclasses.replace(event, kind=EARLIER_NAMES.get(event.kind, event.kind))


def _decode_character(data: Mapping[str, Any]) -> Character:
    return Character(
        name=_string(data["name"]),
        root=data["root"],
        segments=tuple(_decode_segment(s) for s in data["segments"]),
        roles={_string(k): _string(v) for k, v in data["roles"].items()},
        landmarks=tuple(_decode(Landmark, m, position_m=_numbers(m["position_m"], 3)) for m in data["landmarks"]),
        rest_pose_rad={_string(k): _number(v) for k, v in data["rest_pose_rad"].items()},
        source=_string(data["source"]),
    )


def _decode_segment(data: Mapping[str, Any]) -> Segment:
    joint = data["joint"]
    # Older recordings have no ground points of segments.
    data = {"ground_m": [], **data}
    return _decode(
        Segment,
        data,
        joint=None
        if joint is None
        else _decode(Joint, joint, axes=tuple(_decode_axis(axis) for axis in joint["axes"])),
        origin_m=_numbers(data["origin_m"], 3),
        com_m=_numbers(data["com_m"], 3),
        inertia_kgm2=_numbers(data["inertia_kgm2"], 6),
        shapes=tuple(
            _decode(
                Shape,
                shape,
                size_m=_numbers(shape["size_m"]),
                center_m=_numbers(shape["center_m"], 3),
                quat_wxyz=_numbers(shape["quat_wxyz"], 4),
            )
            for shape in data["shapes"]
        ),
        ground_m=tuple(_numbers(point, 3) for point in _list(data["ground_m"])),
    )


def _decode_axis(data: Mapping[str, Any]) -> Axis:
    figures = {key: _number(value) for key, value in data.items() if key not in ("name", "direction")}
    return _decode(Axis, data, direction=_numbers(data["direction"], 3), **figures)


def _decode(kind: type[Any], data: Mapping[str, Any], **decoded: Any) -> Any:
    """A dataclass from its table: fields not in `decoded` must be strings, flags, numbers or None."""
    names = {field.name for field in dataclasses.fields(kind)}
    if set(data) != names:
        odd = ", ".join(sorted(set(data) ^ names))
        raise _WrongError(f"damaged recording, {kind.__name__} has unknown or missing fields: {odd}")
    plain = {key: value for key, value in data.items() if key not in decoded}
    for key, value in plain.items():
        if not isinstance(value, str | bool | int | float | None):
            raise _WrongError(f"damaged recording, {kind.__name__}.{key} is malformed, got {value!r}")
    return kind(**plain, **decoded)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise _WrongError(f"damaged recording, expected a number, got {value!r}")
    return float(value)


def _numbers(values: Any, count: int | None = None) -> tuple[Any, ...]:
    if not isinstance(values, list) or (count is not None and len(values) != count):
        raise _WrongError(f"damaged recording, expected a list of {count or 'some'} numbers, got {values!r}")
    return tuple(_number(v) for v in values)


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise _WrongError(f"damaged recording, expected a list, got {value!r}")
    return value


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise _WrongError(f"damaged recording, expected text, got {value!r}")
    return value


def _strings(values: object) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise _WrongError(f"damaged recording, expected a list of texts, got {values!r}")
    return tuple(_string(v) for v in values)


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _WrongError(f"damaged recording, meta must be a table, got {value!r}")
    return value
