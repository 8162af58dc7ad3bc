"""Picture of a character: front and side view with its shapes, joints and landmarks, at rest."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Final

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from poise.characters.catalog import summarize
from poise.characters.kinematics import Frame, compute_frames, compute_support_m, compute_vertical_span_m
from poise.characters.model import Character, Vec3
from poise.characters.solids import Matrix
from poise.files import write_atomic_path

_COLORS: Final = {"left": (0.85, 0.45, 0.25), "right": (0.25, 0.5, 0.8), "": (0.75, 0.75, 0.72)}
_PAGE: Final = (14.0, 7.6)
_PANELS: Final = {"front": (0.06, 0.1, 0.435, 0.81), "side": (0.545, 0.1, 0.435, 0.81)}
_OUTLINE_POINTS: Final = 96
_MERGE_M: Final = 0.015
"""Landmarks closer than this in a view share a label."""

_NAMES_SHOWN: Final = 3


@dataclass(frozen=True)
class _View:
    """A viewing direction: unit vectors to the picture's right and toward the viewer; up is z."""

    title: str
    right: tuple[float, float, float]
    near: tuple[float, float, float]

    def project(self, point: Vec3 | Matrix) -> tuple[float, float]:
        return float(np.dot(point, self.right)), float(point[2])


#: In the front view its left is on the picture's right; in the side view it faces the picture's right.
_FRONT: Final = _View("front", (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
_SIDE: Final = _View("side", (1.0, 0.0, 0.0), (0.0, -1.0, 0.0))


def draw_character(character: Character, path: str | PathLike[str]) -> None:
    """Write a PNG of the character from the front and from its right side."""
    figure = Figure(figsize=_PAGE, dpi=110)
    FigureCanvasAgg(figure)
    frames = compute_frames(character)
    reach = max(_draw_view(figure.add_axes(_PANELS[v.title]), character, frames, v) for v in (_FRONT, _SIDE))
    low, high = compute_vertical_span_m(character)
    # Room for the names beside the picture; both views have the same scale.
    width = 2 * (reach + 0.42 * (high - low))
    shape = _PAGE[0] * _PANELS["front"][2] / (_PAGE[1] * _PANELS["front"][3])
    height = max(1.1 * (high - low), width / shape)
    for axes in figure.axes:
        axes.set_xlim(-height * shape / 2, height * shape / 2)
        axes.set_ylim((low + high - height) / 2, (low + high + height) / 2)
    figure.suptitle(str(summarize(character)), fontsize=13)
    figure.supxlabel(textwrap.shorten(character.source, 180), fontsize=8, color="0.4")
    with write_atomic_path(path) as part:
        figure.savefig(part, format="png")


def _draw_view(axes: Any, character: Character, frames: dict[str, Frame], view: _View) -> float:
    """Draw one view; return how far it reaches to the sides."""
    low, high = compute_vertical_span_m(character)
    axes.axhline(low, color="0.6", linewidth=1.0, zorder=0)
    outlines = [o for s in character.segments for o in _outlines(character, s.name, frames[s.name], view)]
    for _, points, color in sorted(outlines, key=lambda o: o[0]):
        axes.fill(points[:, 0], points[:, 1], facecolor=(*color, 0.75), edgecolor=(0.2, 0.2, 0.2), linewidth=0.8)
    for s in character.segments:
        kind = "o" if s.joint else "s"
        axes.plot(*view.project(frames[s.name].origin_m), kind, color="black", markersize=3.5, zorder=5)
    spots = _find_spots(character, frames, view)
    for x, z, ground, _ in spots:
        face = "#1a9850" if ground else "white"
        axes.plot(x, z, "D", markersize=4.0, markerfacecolor=face, markeredgecolor="#0b5d2f", zorder=6)
    ends = [abs(float(x)) for _, points, _ in outlines for x in points[:, 0]] + [abs(s[0]) for s in spots]
    reach = max(ends, default=0.0)
    _label(axes, spots, reach + 0.08 * (high - low), (low, high))
    axes.set_title(view.title, fontsize=11)
    axes.set_xlabel("y (m), left" if view is _FRONT else "x (m), forward", fontsize=9)
    axes.set_ylabel("z above the root (m)" if view is _FRONT else "", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    return reach


def _outlines(
    character: Character, name: str, frame: Frame, view: _View
) -> list[tuple[float, Matrix, tuple[float, float, float]]]:
    """Nearness, outline and colour of every shape of a segment."""
    side = name.partition("_")[0]
    color = _COLORS.get(side, _COLORS[""])
    found = []
    for shape in character.segment(name).shapes:
        points = []
        for i in range(_OUTLINE_POINTS):
            # The small offset avoids directions normal to the faces of boxes.
            angle = 2 * math.pi * (i + 0.37) / _OUTLINE_POINTS
            look = math.cos(angle) * np.array(view.right) + math.sin(angle) * np.array([0.0, 0.0, 1.0])
            local = compute_support_m(shape, frame.rotation.T @ look)
            points.append(view.project(frame.origin_m + frame.rotation @ local))
        center = frame.place(shape.center_m)
        found.append((float(np.dot(center, view.near)), np.array(points), color))
    return found


def _find_spots(
    character: Character, frames: dict[str, Frame], view: _View
) -> list[tuple[float, float, bool, list[str]]]:
    """Positions of the landmarks, whether the ground acts there, and their names; close ones are merged."""
    spots: list[tuple[float, float, bool, list[str]]] = []
    for mark in character.landmarks:
        if view is _SIDE and mark.name.startswith("left_"):
            continue
        name = mark.name.removeprefix("right_") if view is _SIDE else mark.name
        x, z = view.project(frames[mark.segment].place(mark.position_m))
        for i, (x0, z0, ground, names) in enumerate(spots):
            if math.hypot(x - x0, z - z0) < _MERGE_M:
                spots[i] = (x0, z0, ground or mark.ground, [*names, name])
                break
        else:
            spots.append((x, z, mark.ground, [name]))
    return spots


def _label(
    axes: Any, spots: Sequence[tuple[float, float, bool, list[str]]], margin: float, span: tuple[float, float]
) -> None:
    """Draw names in two columns beside the picture, each connected to its point by a thin line."""
    step = 0.035 * (span[1] - span[0])
    middle = float(np.mean([s[0] for s in spots])) if spots else 0.0
    for sign in (-1.0, 1.0):
        column = sorted((s for s in spots if (s[0] >= middle) == (sign > 0)), key=lambda s: s[1])
        # The lowest name stays clear of the ground line.
        height = span[0] - 0.4 * step
        for x, z, _, names in column:
            height = max(z, height + step)
            text = ", ".join(names[:_NAMES_SHOWN]) + (
                f" +{len(names) - _NAMES_SHOWN}" if len(names) > _NAMES_SHOWN else ""
            )
            axes.annotate(
                text,
                (x, z),
                (sign * margin, height),
                fontsize=7,
                ha="left" if sign > 0 else "right",
                va="center",
                arrowprops={
                    "arrowstyle": "-",
                    "linewidth": 0.4,
                    "color": "0.5",
                    "relpos": (0.0 if sign > 0 else 1.0, 0.5),
                },
            )
