"""Drawing of the skill graph, in the style of [Firmin15 Fig. 5].

Rectangles are poses and rounded boxes are motions. Thin arrows are immediate switches, thick ones learned transitions,
dashed ones corrections after a failure. Skills lie on a circle, sorted by height and then by speed.
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poise.files import picture_format, write_atomic
from poise.skills.graph import CORRECTIVE, LEARNED, NAIVE, Edge, SkillGraph

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK, _POSE, _MOTION = "#2b3038", "#eef3f1", "#e8eef6"
_COLORS: Final = {NAIVE: "#8a919c", LEARNED: "#3a7d6f", CORRECTIVE: "#d9694a"}
#: A skill slower than the first, and reached within the second, is a pose.
_STILL_MPS, _SOON_S = 0.05, 2.0
_DPI: Final = 120
#: Drawing order; the last kind lies on top.
_ORDER: Final = (NAIVE, CORRECTIVE, LEARNED)


def export_skill_graph(graph: SkillGraph, path: str | PathLike[str]) -> None:
    """Write the picture atomically, as PNG, SVG or PDF by the suffix."""
    figure = draw_skill_graph(graph)
    with write_atomic(path) as file:
        figure.savefig(file, format=picture_format(path), dpi=_DPI)


def draw_skill_graph(graph: SkillGraph) -> Figure:
    """The picture as a matplotlib figure."""
    from matplotlib.figure import Figure

    names = sorted(graph.manners, key=lambda n: (round(graph.manners[n].height_m, 1), graph.manners[n].speed_mps))
    size = 6.0 + 0.25 * len(names)
    figure = Figure(figsize=(size, size), facecolor="white")
    axes: Any = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(-1.35, 1.35)
    axes.set_ylim(-1.35, 1.35)
    axes.axis("off")
    angles = np.pi - 2.0 * np.pi * np.arange(len(names)) / max(len(names), 1)
    places = {n: (float(np.cos(a)), float(np.sin(a))) for n, a in zip(names, angles, strict=True)}
    ways = {(e.source, e.target, e.kind) for e in graph.edges}
    for edge in sorted(graph.edges, key=lambda e: _ORDER.index(e.kind)):
        both = edge.kind == NAIVE and (edge.target, edge.source, NAIVE) in ways
        # One line stands for naive edges in both directions.
        if edge.source != edge.target and not (both and edge.source > edge.target):
            _draw_edge(axes, edge, places, both)
    for name, place in places.items():
        _draw_skill(axes, graph, name, place)
    for k, (kind, color) in enumerate(_COLORS.items()):
        count = sum(e.kind == kind for e in graph.edges)
        axes.text(-1.32, 1.28 - 0.06 * k, f"{kind}: {count}", color=color, fontsize=9, weight="bold")
    return figure


def _draw_edge(axes: Any, edge: Edge, places: dict[str, tuple[float, float]], both: bool) -> None:
    style: dict[str, Any] = {
        "arrowstyle": "-|>" if edge.kind == LEARNED else "<->" if both else "->",
        "edgecolor": _COLORS[edge.kind],
        "linewidth": 1.8 if edge.kind == LEARNED else 0.7,
        "alpha": 1.0 if edge.kind == LEARNED else 0.55,
        "linestyle": "--" if edge.kind == CORRECTIVE else "-",
        "connectionstyle": f"arc3,rad={0.0 if both else 0.12}",
        "shrinkA": 22,
        "shrinkB": 26,
        "facecolor": "white" if edge.kind == LEARNED else _COLORS[edge.kind],
    }
    axes.annotate("", xy=places[edge.target], xytext=places[edge.source], arrowprops=style)


def _draw_skill(axes: Any, graph: SkillGraph, name: str, place: tuple[float, float]) -> None:
    manner = graph.manners[name]
    still = abs(manner.speed_mps) < _STILL_MPS and manner.seconds < _SOON_S and not manner.ends
    shape = "square,pad=0.35" if still else "round4,pad=0.45"
    box = {"boxstyle": shape, "facecolor": _POSE if still else _MOTION, "edgecolor": _INK, "linewidth": 0.9}
    axes.text(*place, name, ha="center", va="center", fontsize=8.5, color=_INK, bbox=box)
