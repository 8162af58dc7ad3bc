"""Compares two recordings: metrics with their differences, and curves in one figure."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poise.files import picture_format, write_atomic
from poise.measures.metrics import Metrics, compute_forward_w, compute_metrics
from poise.recordings.recording import Recording
from poise.rollout.plots import add_head_line, finish_panel, make_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Value = str | bool | int | float | None

_COLORS: Final = ("#3a7d6f", "#a8487f")
_PITCHES: Final = ("hip_pitch", "knee_pitch", "ankle_pitch")


@dataclass(frozen=True)
class ComparisonRow:
    """One metric of both runs. Names carry the unit, as in `Metrics`."""

    name: str
    a: Value
    b: Value
    #: b - a; None unless both are numbers.
    difference: float | None
    #: b / a; None unless both are numbers and a is not zero.
    ratio: float | None

    def as_dict(self) -> dict[str, Value]:
        """Plain values for JSON."""
        return dataclasses.asdict(self)


def compare(a: Recording, b: Recording, *, character_a: int = 0, character_b: int = 0) -> list[ComparisonRow]:
    """Rows of metrics for one character of each recording, in the order of `Metrics`."""
    return compare_metrics(compute_metrics(a, character_a), compute_metrics(b, character_b))


def compare_metrics(a: Metrics, b: Metrics) -> list[ComparisonRow]:
    """Comparison rows for metrics already computed; lists are omitted, since their means are included."""
    flat_a, flat_b = _flatten(a.as_dict()), _flatten(b.as_dict())
    return [make_row(name, flat_a.get(name), flat_b.get(name)) for name in dict.fromkeys([*flat_a, *flat_b])]


def _flatten(values: Mapping[str, Any]) -> dict[str, Value]:
    flat: dict[str, Value] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}_{key}": inner for key, inner in value.items()}
        elif not isinstance(value, list):
            flat[name] = value
    return flat


def make_row(name: str, a: Value, b: Value) -> ComparisonRow:
    """One row, with difference and ratio if both values are numbers."""
    if isinstance(a, bool | str | None) or isinstance(b, bool | str | None):
        return ComparisonRow(name, a, b, None, None)
    return ComparisonRow(name, a, b, b - a, b / a if a else None)


def export_comparison(
    a: Recording,
    b: Recording,
    path: str | PathLike[str],
    *,
    labels: tuple[str, str] = ("A", "B"),
    character_a: int = 0,
    character_b: int = 0,
) -> None:
    """Writes a figure of both runs' speed, height and leg angles over time, atomically."""
    figure = draw_comparison(a, b, labels=labels, character_a=character_a, character_b=character_b)
    with write_atomic(path) as file:
        figure.savefig(file, format=picture_format(path), dpi=140)


def draw_comparison(
    a: Recording,
    b: Recording,
    *,
    labels: tuple[str, str] = ("A", "B"),
    character_a: int = 0,
    character_b: int = 0,
) -> Figure:
    """The matplotlib figure of `export_comparison`: left legs only, and only joints that both bodies have."""
    both = ((a, character_a), (b, character_b))
    names = [recording.check_character(character).axis_names for recording, character in both]
    pitches = [f"left_{p}" for p in _PITCHES if all(f"left_{p}" in known for known in names)]
    figure, axes = make_figure(2 + len(pitches), 1)
    for (recording, character), color, known in zip(both, _COLORS, names):
        time = recording.time_s - recording.time_s[:1]
        forward = compute_forward_w(recording, character)
        speed = np.sum(recording.com_vel_w_mps[:, character] * forward, axis=-1)
        curves = [speed, recording.com_w_m[:, character, 2]]
        start = recording.axes_of(character).start
        curves += [np.rad2deg(recording.joint_q_rad[:, start + known.index(p)]) for p in pitches]
        for panel, curve in zip(axes, curves):
            panel.plot(time, curve, color=color, linewidth=1.3)
    titles = [("speed along the heading", "m/s"), ("height of the centre of mass", "m")]
    for panel, (title, unit) in zip(axes, titles + [(p.replace("_", " "), "degrees") for p in pitches]):
        finish_panel(panel, title, unit)
    text = " and ".join(f"{r.controllers[c]} on {r.characters[c].name}" for r, c in both)
    add_head_line(figure, text, list(zip(labels, _COLORS)))
    return figure
