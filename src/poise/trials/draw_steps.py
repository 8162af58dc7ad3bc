"""Draws the measurements of `poise.trials.step_plots`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poise.characters.model import SIDES
from poise.errors import InputError
from poise.files import picture_format, write_atomic
from poise.rollout.filmstrip import COLORS
from poise.rollout.plots import finish_panel
from poise.trials.step_plots import HIPS_EVERY_S, HipPlot, PhaseDiagram, Picture, RangePlot, StepPlot, VariablePlot

if TYPE_CHECKING:
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.figure import Figure

ENDINGS: Final = (".png", ".svg")
_INK: Final = "#2b3038"
_FELL: Final = "#c2413b"
_COLORS: Final = ("#3a7d6f", "#4f8fc0", "#a8487f")
#: Colours of curves and of marks from the first step to the last.
_PALE_TO_DARK: Final = ("#d5e6e1", "#3a7d6f", "#143a33")
_MARKS: Final = ("#efd9e5", "#a8487f", "#5c1f42")
_DPI: Final = 140
_DASHES: Final = (0, (4, 3))
#: At the head line's font size, to shorten names that are too long.
_LETTERS_PER_INCH: Final = 10.5
#: Hip plots: margins (left, right, bottom, top) and maximum size of the path in inches, maximum inches per metre, and
#: metres around the path.
_HIPS_MARGINS: Final = (0.75, 0.3, 0.6, 0.85)
_HIPS_ROOM: Final = (10.0, 7.5)
_HIPS_METRE: Final = 2.0
_HIPS_AROUND_M: Final = 0.35
#: Minimum span of a panel of regulated values: values that hardly differ should look so.
_LEAST_VALUES: Final = 0.02
_VARIABLES: Final = {
    "up": "lean of the torso",
    "pelvis": "lean of the pelvis",
    "swing": "centre of mass over the swing foot",
    "stance": "centre of mass over the stance foot",
}

_STRATEGIES: Final = {
    "FL": "FL: forward, then lateral",
    "LF": "LF: lateral, then forward",
    "SP": "SP: separate, superposed",
}


def check_picture_path(path: str | PathLike[str]) -> None:
    """Raises unless a picture can be written to a path; lets callers check before a long run."""
    name = fspath(path).lower().rpartition("/")[2]
    if not any(name.endswith(ending) and len(name) > len(ending) for ending in ENDINGS):
        raise InputError(
            "cannot write a picture to a file with this suffix",
            where=fspath(path),
            allowed=f"Allowed: {', '.join(ENDINGS)}",
        )


def export_picture(picture: Picture, path: str | PathLike[str]) -> None:
    """Writes a picture (PNG or SVG by the suffix), atomically; the same numbers give the same file."""
    import matplotlib

    check_picture_path(path)
    figure = draw_picture(picture)
    kind = picture_format(path)
    settings: Any = {"svg.hashsalt": "poise", "svg.fonttype": "none"}
    with matplotlib.rc_context(settings), write_atomic(path) as file:
        figure.savefig(file, format=kind, dpi=_DPI, metadata={"Date": None} if kind == "svg" else None)


def draw_picture(picture: Picture) -> Figure:
    """A picture as a matplotlib figure."""
    kind = type(picture.plotted)
    figure, title = _DRAWERS[kind](picture.plotted, picture.fell_at_s is not None)
    name = f"{picture.controller} on {picture.character}"
    _add_head(figure, name, f"{title}  ·  {picture.outcome}", _KEYS.get(kind, ()))
    return figure


def _add_head(figure: Figure, name: str, text: str, key: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Adds two lines at the top: the name; the content and, at the right, the key of the marks."""
    from matplotlib.lines import Line2D

    width, height = figure.get_size_inches()
    most = int((width - 0.4) * _LETTERS_PER_INCH)
    shown = name if len(name) <= most else f"…{name[1 - most :]}"
    figure.text(0.15 / width, 1.0 - 0.24 / height, shown, fontsize=11, color=_INK, va="center")
    figure.text(0.15 / width, 1.0 - 0.5 / height, text, fontsize=9, color=_INK, va="center")
    lines = [Line2D([], [], **look) for _, look in key]
    figure.legend(
        lines, [label for label, _ in key], loc="center right", bbox_to_anchor=(1.0 - 0.1 / width, 1.0 - 0.5 / height),
        ncols=max(len(key), 1), frameon=False, fontsize=9, handlelength=1.6, borderpad=0.0,
    )  # fmt: skip


def _draw_phase(diagram: PhaseDiagram, fell: bool) -> tuple[Figure, str]:
    from matplotlib.colors import Normalize

    figure, (panel,) = _make_figure(8.0, 6.4, 1, right=0.45)
    ramp, marks, step = _make_ramp(_PALE_TO_DARK), _make_ramp(_MARKS), diagram.step
    # Anything after the last whole step has its colour; standing has the darkest.
    least, most = (1, max(len(diagram.ends_s), 2)) if diagram.ends_s else (0, 1)
    _draw_ramp(panel, np.stack([diagram.angle_deg, diagram.rate_degps], axis=-1), step, Normalize(least, most), ramp)
    ends = [np.interp(diagram.ends_s, diagram.time_s, values) for values in (diagram.angle_deg, diagram.rate_degps)]
    number = np.arange(1, len(diagram.ends_s) + 1)
    panel.scatter(
        *ends, c=number, cmap=marks, vmin=least, vmax=most, s=34, edgecolors="white", linewidths=0.8, zorder=4
    )
    if fell:
        _mark_fall(panel, diagram.angle_deg[-1], diagram.rate_degps[-1])
    shown = diagram.axis.replace("_", " ")
    finish_panel(panel, "", f"rate of {shown} (degrees/s)")
    panel.margins(x=0.05)
    panel.set_xlabel(f"{shown} (degrees)", fontsize=9, color=_INK)
    if least:
        _add_step_bar(figure, panel, Normalize(least, most), ramp)
    return figure, f"phase diagram of {shown}"


def _add_step_bar(figure: Figure, panel: Any, scale: Normalize, ramp: Colormap) -> None:
    """Adds a colour bar that maps shades to steps."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.ticker import MaxNLocator

    bar = figure.colorbar(ScalarMappable(scale, ramp), ax=panel, fraction=0.04, pad=0.03, aspect=32)
    bar.set_label("step", fontsize=9, color=_INK)
    bar.ax.tick_params(labelsize=8, colors=_INK, length=3)
    bar.ax.yaxis.set_major_locator(MaxNLocator(8, integer=True))
    bar.outline.set_visible(False)  # type: ignore[operator]


def _draw_hips(hips: HipPlot, fell: bool) -> tuple[Figure, str]:
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    every = np.concatenate([hips.pelvis_m, hips.hips_m.reshape(-1, 2)])
    low, high = every.min(axis=0) - _HIPS_AROUND_M, every.max(axis=0) + _HIPS_AROUND_M
    # Equal scales: the figure takes the shape of the path.
    per_m = min(_HIPS_METRE, *(room / span for room, span in zip(_HIPS_ROOM, high - low, strict=True)))
    left, right, bottom, top = _HIPS_MARGINS
    width, height = max(per_m * (high - low)[0], 5.5), max(per_m * (high - low)[1], 1.5)
    figure = Figure(figsize=(width + left + right, height + bottom + top), facecolor="white")
    w, h = figure.get_size_inches()
    panel: Any = figure.add_axes((left / w, bottom / h, width / w, height / h))
    ramp = _make_ramp(_PALE_TO_DARK)
    lines = LineCollection(list(hips.hips_m), cmap=ramp, array=hips.time_s, linewidths=1.1, zorder=2)
    panel.add_collection(lines)
    panel.plot(*hips.pelvis_m.T, color=_COLORS[2], linewidth=1.5, zorder=3)
    panel.plot(*hips.pelvis_m[0], color=_COLORS[2], marker="o", markersize=6, zorder=4)
    if fell:
        _mark_fall(panel, *hips.pelvis_m[-1])
    finish_panel(panel, "", "to the left (m)")
    panel.set_xlabel("ahead (m)", fontsize=9, color=_INK)
    middle, half = 0.5 * (low + high), 0.5 * np.array([width, height]) / per_m
    panel.set_xlim(middle[0] - half[0], middle[0] + half[0])
    panel.set_ylim(middle[1] - half[1], middle[1] + half[1])
    panel.set_aspect("equal")
    return figure, f"hips from above, every {HIPS_EVERY_S:g} s"


def _draw_step_lengths(steps: StepPlot, fell: bool) -> tuple[Figure, str]:
    figure, panels = _make_figure(8.0, 5.8, 2)
    number = np.arange(2, len(steps.side) + 2)
    parts = (("length of each step", "m", steps.length_m), ("its duration", "s", steps.duration_s))
    for panel, (title, unit, values) in zip(panels, parts, strict=True):
        _draw_numbered(panel, number, values, [COLORS[side] for side in steps.side])
        finish_panel(panel, title, unit)
        low, high = panel.get_ylim()
        panel.set_ylim(min(low, 0.0), max(1.08 * high, 0.0))
        _number_steps(panel, number, fell)
    _label_steps(figure, panels)
    return figure, "length and duration of steps"


def _draw_variable(variable: VariablePlot, fell: bool) -> tuple[Figure, str]:
    figure, panels = _make_figure(8.0, 5.8, 2)
    number = np.arange(1, len(variable.reached) + 1)
    for k, (panel, where) in enumerate(zip(panels, ("ahead", "to the left"), strict=True)):
        target, reached = variable.target[:, k], variable.reached[:, k]
        panel.step(number, target, where="mid", color=_INK, linewidth=1.0, linestyle=_DASHES, zorder=2)
        _draw_numbered(panel, number, reached, [_COLORS[0]] * len(number), line=_COLORS[0])
        finish_panel(panel, f"{_VARIABLES[variable.variables[k]]}, {where}", "component of a unit vector")
        low, high = panel.get_ylim()
        spare = max(0.0, _LEAST_VALUES - (high - low))
        panel.set_ylim(low - 0.5 * spare, high + 0.5 * spare)
        _number_steps(panel, number, fell)
    _label_steps(figure, panels)
    return figure, "regulated at the end of each step"


def _draw_range(found: RangePlot, fell: bool) -> tuple[Figure, str]:
    figure, panels = _make_figure(8.0, 1.45 + 1.75 * len(found.steps), len(found.steps))
    gap = min(np.diff(found.targets), default=0.1)
    for panel, color, (strategy, steps) in zip(panels, _COLORS, found.steps.items(), strict=False):
        for target, done in zip(found.targets, steps, strict=True):
            if done is not None:
                whole = done >= found.most_steps
                panel.bar(target, done, 0.7 * gap, color=color, alpha=1.0 if whole else 0.35)
                panel.annotate(
                    str(done), (target, done), xytext=(0, 2), textcoords="offset points", ha="center", fontsize=7,
                    color=_INK,
                )  # fmt: skip
        panel.axhline(found.most_steps, color=_INK, linewidth=0.8, linestyle=_DASHES, zorder=1)
        finish_panel(panel, _STRATEGIES.get(strategy, strategy), "steps")
        panel.set_ylim(0.0, 1.18 * found.most_steps)
        panel.set_xlim(found.targets[0] - gap, found.targets[-1] + gap)
    panels[-1].set_xlabel("target ahead", fontsize=9, color=_INK)
    return figure, "steps by target"


_DRAWERS: Final[dict[type, Callable[[Any, bool], tuple[Any, str]]]] = {
    PhaseDiagram: _draw_phase,
    HipPlot: _draw_hips,
    StepPlot: _draw_step_lengths,
    VariablePlot: _draw_variable,
    RangePlot: _draw_range,
}
_DOT: Final = {"linestyle": "none", "marker": "o", "markersize": 5}
#: Keys of the marks of each picture.
_KEYS: Final[dict[type, Sequence[tuple[str, Mapping[str, Any]]]]] = {
    PhaseDiagram: (("end of a step", {"color": _COLORS[2], **_DOT}),),
    HipPlot: (("hips", {"color": _COLORS[0], "linewidth": 1.1}), ("pelvis", {"color": _COLORS[2], "linewidth": 1.5})),
    StepPlot: tuple((f"{side} foot strikes", {"color": COLORS[side], **_DOT}) for side in SIDES),
    VariablePlot: (
        ("reached", {"color": _COLORS[0], **_DOT}),
        ("target", {"color": _INK, "linewidth": 1.0, "linestyle": _DASHES}),
    ),
}


def _make_figure(width: float, height: float, panels: int, *, right: float = 0.25) -> tuple[Figure, list[Any]]:
    """A figure with space for a head line, and its panels in a column."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor="white")
    axes = figure.subplots(panels, 1, sharex=True, squeeze=False)[:, 0]
    gap = 0.42 * panels / max(height - 1.45 - 0.42 * (panels - 1), 1.0)
    figure.subplots_adjust(
        left=0.8 / width, right=1.0 - right / width, bottom=0.55 / height, top=1.0 - 0.9 / height, hspace=gap
    )
    return figure, list(axes)


def _make_ramp(colors: Sequence[str]) -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("steps", list(colors))


def _draw_ramp(panel: Any, points: Any, step: Any, scale: Normalize, ramp: Colormap) -> None:
    """Draws a curve that darkens from the first step to the last."""
    from matplotlib.collections import LineCollection

    firsts = np.flatnonzero(np.diff(step, prepend=0))
    # Each step begins at the end of the previous one.
    pieces = [points[max(first - 1, 0) : last] for first, last in pairwise([*firsts, len(points)])]
    curve = LineCollection(
        pieces, cmap=ramp, norm=scale, array=step[firsts], linewidths=1.1, capstyle="round", zorder=2
    )
    panel.add_collection(curve)
    panel.autoscale_view()


def _draw_numbered(panel: Any, number: Any, values: Any, colors: Sequence[str], line: str = COLORS[""]) -> None:
    """Draws a value for each step, connected to show alternation."""
    panel.plot(number, values, color=line, linewidth=0.9, alpha=0.6, zorder=2)
    panel.scatter(number, values, c=list(colors), s=20, zorder=3)


def _number_steps(panel: Any, number: Any, fell: bool) -> None:
    """Labels the axis with whole numbers; adds a line after the last step if the run ended with a fall."""
    from matplotlib.ticker import MaxNLocator

    panel.set_xlim(number[0] - 0.6, number[-1] + 0.6)
    panel.xaxis.set_major_locator(MaxNLocator(12, integer=True, steps=[1, 2, 5, 10]))
    if fell:
        panel.set_xlim(right=number[-1] + 1.0)
        panel.axvline(number[-1] + 0.5, color=_FELL, linewidth=1.6)
        panel.annotate(
            "falls", (number[-1] + 0.5, 1.0), xycoords=("data", "axes fraction"), xytext=(0, 4),
            textcoords="offset points", ha="right", fontsize=9, color=_FELL,
        )  # fmt: skip


def _label_steps(figure: Figure, panels: Sequence[Any]) -> None:
    panels[-1].set_xlabel("step", fontsize=9, color=_INK)
    figure.align_ylabels(panels)


def _mark_fall(panel: Any, x: float, y: float) -> None:
    panel.plot(x, y, color=_FELL, marker="x", markersize=9, markeredgewidth=2.2, zorder=5)
    panel.annotate("falls", (x, y), xytext=(8, 6), textcoords="offset points", fontsize=9, color=_FELL, zorder=5)
