"""Figures of trials: survival by direction around the character, and measured over commanded values."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poise.files import picture_format, write_atomic
from poise.trials.outcomes import PushLimits, PushMatrix, PushTrains, RandomPush, RandomPushes
from poise.trials.sweep import Sweep
from poise.trials.trial_file import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK: Final = "#2b3038"
_GRID: Final = "#e3e5e8"
_FELL: Final = "#c2413b"
_COLORS: Final = ("#3a7d6f", "#4f8fc0", "#a8487f", "#d9a441", "#5b6472", "#7a5ea8")
_DPI: Final = 140


def export_report(report: Report, path: str | PathLike[str]) -> None:
    """Writes the figure of a report (PNG, SVG or PDF by the suffix), atomically."""
    figure = draw_report(report)
    with write_atomic(path) as file:
        figure.savefig(file, format=picture_format(path), dpi=_DPI)


def draw_report(report: Report) -> Figure:
    """The matplotlib figure of a report."""
    if isinstance(report, Sweep):
        return _draw_sweep(report)
    return _draw_random(report) if isinstance(report, RandomPushes) else _draw_pushes(report)


def _draw_random(report: RandomPushes) -> Figure:
    """Pushes by direction and moment of the stride: the inner ring is the step of one foot, the outer the other's."""
    figure, axes = _make_compass()
    feet = list(dict.fromkeys(o.foot for o in report.outcomes))

    def place(outcomes: Sequence[RandomPush]) -> tuple[Any, list[float]]:
        # Standing, there is no phase: all on one circle.
        radius = [0.5 if not o.foot else o.phase + feet.index(o.foot) for o in outcomes]
        return np.deg2rad([o.direction_deg for o in outcomes]), radius

    axes.scatter(*place([o for o in report.outcomes if o.survived]), s=9, color=_GRID, edgecolors="#b9bec6")
    for k, force in enumerate(report.forces_n):
        outcomes = report.of_force(force)
        falls = [o for o in outcomes if not o.survived]
        label = f"{force:g} N: {len(outcomes) - len(falls)} of {len(outcomes)}"
        axes.scatter(*place(falls), s=34, marker="x", color=_COLORS[k % len(_COLORS)], label=label)
    axes.set_ylim(0.0, max(len(feet), 1))
    axes.set_yticks([k + 0.5 for k in range(len(feet))], [foot.replace("_", " ") for foot in feet])
    axes.set_yticks(range(1, len(feet)), minor=True)
    axes.grid(axis="y", which="minor", color=_INK, linewidth=0.8)
    duration = f"{report.settings.get('duration_s', 0.0):g} s"
    _add_head(figure, report, f"random pushes of {duration} by direction and phase of the step; x: fell")
    figure.legend(loc="lower right", frameon=False, fontsize=9)
    return figure


def _make_compass() -> tuple[Figure, Any]:
    """A figure with polar axes: forward is up, left is left."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 6.8), facecolor="white")
    axes: Any = figure.add_axes((0.1, 0.07, 0.8, 0.76), projection="polar")
    axes.set_theta_zero_location("N")
    axes.set_thetagrids(range(0, 360, 45), ["forward", "45°", "left", "135°", "backward", "225°", "right", "315°"])
    axes.tick_params(labelsize=8, colors=_INK)
    axes.grid(color=_GRID)
    axes.spines["polar"].set_color(_GRID)
    return figure, axes


def _draw_pushes(report: PushMatrix | PushLimits | PushTrains) -> Figure:
    figure, axes = _make_compass()
    lines = _list_lines(report)
    for k, (label, directions, values) in enumerate(lines):
        angle = np.deg2rad([*directions, directions[0]]) if len(directions) > 2 else np.deg2rad(directions)
        radius = [*values, values[0]] if len(directions) > 2 else values
        color = _COLORS[k % len(_COLORS)]
        axes.plot(angle, radius, color=color, linewidth=1.6, marker="o", markersize=4, label=label)
        if len(directions) > 2:
            axes.fill(angle, radius, color=color, alpha=0.08)
    if isinstance(report, PushLimits):
        # If no limit was found, the line leaves the figure: a planar body does not respond to lateral pushes.
        found = [limit.limit_n for limit in report.limits if limit.fails_n is not None]
        axes.set_ylim(0.0, 1.12 * max([*found, 1.0]))
    else:
        axes.set_ylim(0.0, 1.05)
        axes.set_yticks([0.25, 0.5, 0.75, 1.0], ["25 %", "50 %", "75 %", "100 %"])
    _add_head(figure, report, _title(report))
    if len(lines) > 1:
        figure.legend(loc="lower right", frameon=False, fontsize=9)
    return figure


def _list_lines(report: PushMatrix | PushLimits | PushTrains) -> list[tuple[str, list[float], list[float]]]:
    """Label, directions and radii of each line."""
    if isinstance(report, PushLimits):
        return [("", [p.direction_deg for p in report.limits], [p.limit_n for p in report.limits])]
    lines = []
    for force in dict.fromkeys(o.force_n for o in report.outcomes):
        if isinstance(report, PushMatrix):
            shares = {d: report.share(force, d) for d in report.directions_deg}
        else:
            shares = {o.direction_deg: o.survived_pushes / report.repeat for o in report.outcomes if o.force_n == force}
        known = {d: share for d, share in shares.items() if share is not None}
        lines.append((f"{force:g} N", list(known), list(known.values())))
    return lines


def _title(report: PushMatrix | PushLimits | PushTrains) -> str:
    duration = f"{report.settings.get('duration_s', 0.0):g} s"
    if isinstance(report, PushLimits):
        return f"largest push of {duration} survived at all of {len(report.phases)} phases of the step (N)"
    if isinstance(report, PushTrains):
        return f"survived fraction of {report.repeat} pushes of {duration}, one every {report.every_s:g} s"
    return f"survived fraction of pushes of {duration} at {len(report.phases)} phases of the step"


def _draw_sweep(report: Sweep) -> Figure:
    from matplotlib.figure import Figure

    panels: list[tuple[str, list[float | None]]] = []
    if report.commanded:
        panels.append((f"measured {report.parameter}", [r.measured for r in report.rows]))
    else:
        panels.append(("speed_mps", [None if r.gait.seconds <= 0.0 else r.gait.speed_mps for r in report.rows]))
        panels.append(("step_time_s", [r.gait.mean_step_time_s for r in report.rows]))
    figure = Figure(figsize=(7.2, 1.2 + 3.6 * len(panels)), facecolor="white")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    top = 1.0 - 0.9 / figure.get_figheight()
    figure.subplots_adjust(left=0.11, right=0.97, top=top, bottom=0.6 / figure.get_figheight(), hspace=0.12)
    for panel, (label, values) in zip(axes, panels):
        _draw_values(panel, report, values)
        panel.set_ylabel(label, fontsize=9, color=_INK)
    _mark_values(axes[-1], report)
    if report.commanded:
        ends = [min(r.value for r in report.rows), max(r.value for r in report.rows)]
        axes[0].plot(ends, ends, color=_INK, linewidth=0.9, linestyle=(0, (4, 3)), label="commanded", zorder=1)
        axes[0].legend(frameon=False, fontsize=9)
    _add_head(figure, report, f"{report.parameter} over {report.settings.get('seconds', 0.0):g} s each")
    return figure


def _draw_values(panel: Axes, report: Sweep, values: list[float | None]) -> None:
    for fell, color, marker, label in ((False, _COLORS[0], "o", "measured"), (True, _FELL, "x", "fell")):
        points = [
            (row.value, value)
            for row, value in zip(report.rows, values, strict=True)
            if row.gait.fell == fell and value is not None
        ]
        if points:
            x, y = zip(*points, strict=True)
            line = "-" if not fell else "none"
            panel.plot(x, y, color=color, marker=marker, markersize=5, linestyle=line, linewidth=1.2, label=label)
    for row in report.rows:
        if row.gait.fell:
            panel.axvline(row.value, color=_FELL, linewidth=4.0, alpha=0.12)
    panel.grid(color=_GRID, linewidth=0.8)
    panel.set_axisbelow(True)
    panel.tick_params(labelsize=8, colors=_INK, length=3)
    for name, spine in panel.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(_INK)


def _mark_values(panel: Axes, report: Sweep) -> None:
    panel.set_xlabel(report.parameter, fontsize=9, color=_INK)
    if any(row.label != f"{row.value:g}" for row in report.rows):
        panel.set_xticks([row.value for row in report.rows], [row.label for row in report.rows])


def _add_head(figure: Figure, report: Report, text: str) -> None:
    height = figure.get_figheight()
    name = f"{report.settings.get('controller', '')} on {report.settings.get('character', '')}"
    figure.text(0.02, 1.0 - 0.26 / height, name, fontsize=11, color=_INK, va="center")
    figure.text(0.02, 1.0 - 0.54 / height, text, fontsize=9, color=_INK, va="center")
