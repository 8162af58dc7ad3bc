"""Plots of a measured claim: stored as numbers in the result and drawn for a report."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from poise.errors import InputError, unknown_name
from poise.trials import PushLimits, PushMatrix, PushTrains, Sweep

KINDS: Final = ("line", "bars", "polar")
_INK: Final = "#2b3038"
_GRID: Final = "#e3e5e8"
_COLORS: Final = ("#3a7d6f", "#4f8fc0", "#a8487f", "#d9a441", "#5b6472", "#7a5ea8")
#: Significant digits to store; more would be noise in the result file.
_DIGITS: Final = 4


@dataclass(frozen=True)
class Plot:
    """Data of a small plot: curves over `x`, bars over names, or radii over degrees (0 is forward, 90 left)."""

    kind: str
    #: Numbers, or the names of the bars.
    x: Sequence[float | str]
    #: Label of a curve -> a value for each x; None leaves a gap.
    series: Mapping[str, Sequence[float | None]] = field(default_factory=dict)
    x_label: str = ""
    y_label: str = ""
    title: str = ""
    #: Draw the line y = x: measured equals commanded.
    diagonal: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("plot", "kind of plot", self.kind, KINDS)
        for label, values in self.series.items():
            if len(values) != len(self.x):
                raise InputError(f"plot: {label!r} has {len(values)} values for {len(self.x)} positions.")


def make_plot(report: Sweep | PushMatrix | PushLimits | PushTrains) -> Plot:
    """The plot of a sweep or of pushes."""
    if isinstance(report, Sweep):
        return _plot_sweep(report)
    if isinstance(report, PushLimits):
        return Plot(
            "polar", [p.direction_deg for p in report.limits], {"limit": [_round(p.limit_n) for p in report.limits]},
            y_label="N", title="largest push survived",
        )  # fmt: skip
    directions = list(dict.fromkeys(o.direction_deg for o in report.outcomes))
    series: dict[str, Sequence[float | None]] = {}
    for force in dict.fromkeys(o.force_n for o in report.outcomes):
        if isinstance(report, PushMatrix):
            series[f"{force:g} N"] = [_round(report.share(force, d)) for d in directions]
        else:
            found = {o.direction_deg: o.survived_pushes / report.repeat for o in report.outcomes if o.force_n == force}
            series[f"{force:g} N"] = [_round(found.get(d)) for d in directions]
    return Plot("polar", directions, series, title="share of the pushes survived")


def _plot_sweep(report: Sweep) -> Plot:
    standing = [None if row.gait.fell else row for row in report.rows]
    if report.commanded:
        series = {"measured": [None if row is None else _round(row.measured) for row in standing]}
    else:
        series = {"speed (m/s)": [None if row is None else _round(row.gait.speed_mps) for row in standing]}
    label = report.parameter
    places: list[float | str] = [row.label if row.label != f"{row.value:g}" else row.value for row in report.rows]
    kind = "bars" if any(isinstance(p, str) for p in places) else "line"
    return Plot(kind, places, series, x_label=label, title=f"sweep of {label}", diagonal=report.commanded)


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{_DIGITS}g}")


def load_plot(table: Mapping[str, Any] | None) -> Plot | None:
    """A plot from the plain data of a result."""
    return None if table is None else Plot(**table)


def draw_svg(plot: Plot) -> bytes:
    """The plot as SVG; equal plots give identical bytes."""
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 3.0), facecolor="white", layout="constrained")
    polar = plot.kind == "polar"
    axes: Any = figure.add_subplot(projection="polar" if polar else None)
    draw = {"line": _draw_lines, "bars": _draw_bars, "polar": _draw_polar}[plot.kind]
    draw(axes, plot)
    axes.set_title(plot.title, loc="left", fontsize=9, color=_INK)
    axes.tick_params(labelsize=7, colors=_INK)
    axes.grid(color=_GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    if len(plot.series) > 1:
        axes.legend(frameon=False, fontsize=7)
    target = io.BytesIO()
    # No date and fixed ids: the same data must give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "poise", "svg.fonttype": "none"}):
        figure.savefig(target, format="svg", metadata={"Date": None})
    return target.getvalue()


def _numbers(values: Sequence[float | None]) -> list[float]:
    return [np.nan if value is None else float(value) for value in values]


def _draw_lines(axes: Any, plot: Plot) -> None:
    x = [float(v) for v in plot.x]
    for k, (label, values) in enumerate(plot.series.items()):
        color = _COLORS[k % len(_COLORS)]
        axes.plot(x, _numbers(values), color=color, marker="o", markersize=3, linewidth=1.2, label=label)
    if plot.diagonal and x:
        axes.plot([min(x), max(x)], [min(x), max(x)], color=_INK, linewidth=0.8, linestyle=(0, (4, 3)))
    _label(axes, plot)


def _draw_bars(axes: Any, plot: Plot) -> None:
    width = 0.8 / max(len(plot.series), 1)
    places = np.arange(len(plot.x))
    for k, (label, values) in enumerate(plot.series.items()):
        offset = (k - 0.5 * (len(plot.series) - 1)) * width
        axes.bar(places + offset, _numbers(values), width, color=_COLORS[k % len(_COLORS)], label=label)
    names = [v if isinstance(v, str) else f"{v:g}" for v in plot.x]
    axes.set_xticks(places, names, rotation=30 if len(names) > 6 else 0)
    _label(axes, plot)


def _label(axes: Any, plot: Plot) -> None:
    axes.set_xlabel(plot.x_label, fontsize=8, color=_INK)
    axes.set_ylabel(plot.y_label, fontsize=8, color=_INK)
    for name, spine in axes.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(_INK)


def _draw_polar(axes: Any, plot: Plot) -> None:
    axes.set_theta_zero_location("N")
    angles = np.deg2rad([float(v) for v in plot.x])
    for k, (label, values) in enumerate(plot.series.items()):
        radii = _numbers(values)
        closed = len(angles) > 2
        color = _COLORS[k % len(_COLORS)]
        axes.plot(
            [*angles, angles[0]] if closed else angles, [*radii, radii[0]] if closed else radii, color=color,
            marker="o", markersize=3, linewidth=1.2, label=label,
        )  # fmt: skip
    axes.set_ylim(bottom=0.0)
    axes.set_thetagrids(range(0, 360, 90), ["forward", "left", "backward", "right"])
    axes.spines["polar"].set_color(_GRID)
