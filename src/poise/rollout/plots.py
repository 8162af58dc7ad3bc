"""Curves of a recording over time: joint angles, centre of mass, contact forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poise.characters.model import SIDES, swap_side
from poise.constants import GRAVITY_MPS2
from poise.errors import unknown_name
from poise.files import picture_format, write_atomic
from poise.measures.metrics import compute_forward_w, compute_way_m
from poise.recordings.contacts import compute_foot_forces_w_n, compute_foot_loaded
from poise.recordings.recording import FloatArray, Recording
from poise.rollout.filmstrip import COLORS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DPI: Final = 140
_INK: Final = "#2b3038"
_GRID: Final = "#e3e5e8"


def export_plot(recording: Recording, path: str | PathLike[str], kind: str, character: int = 0) -> None:
    """Writes one of PLOTS as a picture (PNG, SVG or PDF by the suffix), atomically."""
    figure = draw_plot(recording, kind, character)
    with write_atomic(path) as file:
        figure.savefig(file, format=picture_format(path), dpi=_DPI)


def draw_plot(recording: Recording, kind: str, character: int = 0) -> Figure:
    """One of PLOTS as a matplotlib figure."""
    draw = PLOTS.get(kind)
    if draw is None:
        raise unknown_name("plot", "plot", kind, PLOTS)
    recording.check_character(character)
    return draw(recording, character)


def _draw_joints(recording: Recording, character: int) -> Figure:
    """Draws a panel for each joint axis, both sides in one; bars below show when each foot carries load."""
    names = recording.characters[character].axis_names
    panels = [n for n in names if not (n.startswith("right_") and swap_side(n) in names)]
    if not panels:
        return make_figure(1, 1)[0]
    columns = min(3, len(panels))
    figure, axes = make_figure(-(-len(panels) // columns), columns)
    start = recording.axes_of(character).start
    loaded = compute_foot_loaded(recording, character)
    for panel, name in zip(axes, panels):
        pair = [n for n in dict.fromkeys((name, swap_side(name))) if n in names]
        for axis in pair:
            angle = np.rad2deg(recording.joint_q_rad[:, start + names.index(axis)])
            panel.plot(recording.time_s, angle, color=_color(axis), linewidth=1.3)
        shown = name.removeprefix("left_") if len(pair) > 1 else name
        finish_panel(panel, shown.replace("_", " "), "degrees")
        _draw_stance(panel, recording.time_s, loaded)
    _hide(axes[len(panels) :])
    _add_head(figure, recording, character, "joint angles", [(side, COLORS[side]) for side in SIDES])
    return figure


def _draw_com(recording: Recording, character: int) -> Figure:
    """Draws distance, height, lateral position and velocities of the centre of mass."""
    time = recording.time_s
    com, velocity = recording.com_w_m[:, character], recording.com_vel_w_mps[:, character]
    forward = compute_forward_w(recording, character)
    left = np.stack([-forward[:, 1], forward[:, 0], forward[:, 2]], axis=-1)
    curves: list[tuple[str, str, FloatArray]] = [
        ("distance along the heading", "m", compute_way_m(recording, character)),
        ("speed along the heading", "m/s", np.sum(velocity * forward, axis=-1)),
        ("height", "m", com[:, 2]),
        ("vertical speed", "m/s", velocity[:, 2]),
    ]
    if recording.characters[character].root == "free":
        curves += [
            ("lateral position in the world, left positive", "m", com[:, 1]),
            ("speed to the left of the heading", "m/s", np.sum(velocity * left, axis=-1)),
        ]
    figure, axes = make_figure(len(curves) // 2, 2)
    loaded = compute_foot_loaded(recording, character)
    for panel, (title, unit, values) in zip(axes, curves):
        panel.plot(time, values, color=COLORS[""], linewidth=1.4)
        finish_panel(panel, title, unit)
        _draw_stance(panel, time, loaded)
    _add_head(figure, recording, character, "centre of mass", [(f"{s} foot loaded", COLORS[s]) for s in SIDES])
    return figure


def _draw_contacts(recording: Recording, character: int) -> Figure:
    """Draws the ground force on each foot: vertical with body weight as a line, along the heading, to the left."""
    forces = compute_foot_forces_w_n(recording, character)
    forward = compute_forward_w(recording, character)
    left = np.stack([-forward[:, 1], forward[:, 0], forward[:, 2]], axis=-1)
    weight = recording.characters[character].mass_kg * GRAVITY_MPS2
    parts = [
        ("vertical", np.broadcast_to([0.0, 0.0, 1.0], forward.shape)),
        ("along the heading", forward),
        ("to the left of the heading", left),
    ]
    planar = recording.characters[character].root == "planar"
    figure, axes = make_figure(2 if planar else 3, 1)
    for panel, (title, direction) in zip(axes, parts):
        for k, side in enumerate(SIDES):
            values = np.sum(forces[:, k] * direction, axis=-1)
            panel.plot(recording.time_s, values, color=COLORS[side], linewidth=1.3)
        if title == "vertical":
            panel.axhline(weight, color=_INK, linewidth=0.8, linestyle=(0, (4, 3)))
            panel.annotate(
                "body weight", (1.0, weight), xycoords=("axes fraction", "data"), xytext=(-4, 3),
                textcoords="offset points", ha="right", fontsize=8, color=_INK,
            )  # fmt: skip
        finish_panel(panel, title, "N")
    _add_head(figure, recording, character, "contact forces", [(f"{s} foot", COLORS[s]) for s in SIDES])
    return figure


#: name -> function that draws the plot.
PLOTS: Final[dict[str, Callable[[Recording, int], Figure]]] = {
    "joints": _draw_joints,
    "com": _draw_com,
    "contacts": _draw_contacts,
}


def make_figure(rows: int, columns: int) -> tuple[Figure, list[Any]]:
    """A figure with space for a head line, and its panels row by row, with a common time axis."""
    from matplotlib.figure import Figure

    width, height = 11.0, 1.0 + 1.9 * rows
    figure = Figure(figsize=(width, height), facecolor="white")
    axes = figure.subplots(rows, columns, sharex=True, squeeze=False)
    # Margins and gaps in inches; automatic layouts would draw everything twice.
    panel_width = (width - 0.9 - 0.75 * (columns - 1)) / columns
    panel_height = (height - 1.2 - 0.4 * (rows - 1)) / rows
    figure.subplots_adjust(
        left=0.75 / width, right=1.0 - 0.15 / width, bottom=0.5 / height, top=1.0 - 0.7 / height,
        wspace=0.75 / panel_width, hspace=0.4 / panel_height,
    )  # fmt: skip
    for panel in axes[-1]:
        panel.set_xlabel("time (s)", color=_INK, fontsize=9)
    return figure, list(axes.flat)


_LEAST_SPAN: Final = {"degrees": 4.0, "m": 0.04, "m/s": 0.1, "N": 100.0}
"""Minimum span of a panel's y axis by unit: a constant curve should look constant."""


def finish_panel(panel: Axes, title: str, unit: str) -> None:
    """Sets title, unit, grid and minimum span of a panel."""
    low, high = panel.get_ylim()
    spare = max(0.0, _LEAST_SPAN.get(unit, 0.0) - (high - low))
    panel.set_ylim(low - 0.5 * spare, high + 0.5 * spare)
    panel.set_title(title, loc="left", fontsize=10, color=_INK)
    panel.set_ylabel(unit, fontsize=9, color=_INK)
    panel.grid(color=_GRID, linewidth=0.8)
    panel.set_axisbelow(True)
    panel.margins(x=0.0)
    panel.tick_params(labelsize=8, colors=_INK, length=3)
    for name, spine in panel.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(_INK)


def _draw_stance(panel: Axes, time_s: FloatArray, loaded: Any) -> None:
    """Draws two thin bars along the lower edge, showing when the left and right foot carry load."""
    low, high = panel.get_ylim()
    size = high - low
    panel.set_ylim(low - 0.1 * size, high)
    for k, side in enumerate(SIDES):
        bottom = low - (0.05 + 0.035 * k) * size
        panel.fill_between(
            time_s, bottom, bottom + 0.025 * size, where=loaded[:, k], color=COLORS[side], linewidth=0, step="mid"
        )


def _hide(panels: Sequence[Any]) -> None:
    for panel in panels:
        panel.set_axis_off()


def _color(axis: str) -> str:
    return next((COLORS[side] for side in SIDES if axis.startswith(f"{side}_")), COLORS[""])


def _add_head(figure: Figure, recording: Recording, character: int, title: str, key: Sequence[tuple[str, str]]) -> None:
    names = [recording.controllers[character], recording.characters[character].name, title]
    add_head_line(figure, "  ·  ".join(n for n in names if n), key)


def add_head_line(figure: Figure, text: str, key: Sequence[tuple[str, str]]) -> None:
    """Adds the line at the top: a description at the left, the colour key at the right."""
    from matplotlib.lines import Line2D

    y = 1.0 - 0.22 / figure.get_figheight()
    figure.text(0.012, y, text, fontsize=11, color=_INK, va="center")
    lines = [Line2D([], [], color=color, linewidth=3) for _, color in key]
    figure.legend(
        lines, [label for label, _ in key], loc="center right", bbox_to_anchor=(0.995, y), ncols=len(key),
        frameon=False, fontsize=9, handlelength=1.0,
    )  # fmt: skip
