"""A program as a picture: a column per script that can run, a box per phase, arrows for transitions and calls."""

from __future__ import annotations

from collections import Counter
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

from poise.files import picture_format, write_atomic
from poise.language import tree
from poise.language.load import Program
from poise.language.spell import spell_condition

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK: Final = "#2b3038"
_BOX, _CALL_BOX, _EMPTY_BOX = "#eef3f1", "#e8eef6", "#f6f6f4"
_JUMP, _CALL = "#3a7d6f", "#4f8fc0"
_BOX_IN, _GAP_IN, _COLUMN_IN, _LINE_IN = 3.0, 0.35, 4.6, 0.17
_DPI: Final = 110
#: Longer lists are truncated: the picture shows the flow of a script, not its numbers.
_LINES: Final = 7


def export_graph(program: Program, path: str | PathLike[str]) -> None:
    """Write the picture atomically, as PNG, SVG or PDF by the suffix."""
    figure = draw_graph(program)
    with write_atomic(path) as file:
        figure.savefig(file, format=picture_format(path), dpi=_DPI)


def draw_graph(program: Program) -> Figure:
    """The picture as a matplotlib figure."""
    from matplotlib.figure import Figure

    names = program.called()
    columns = [[_describe(phase) for phase in program.scripts[name].phases] for name in names]
    heights = [sum(_height(lines) + _GAP_IN for lines in column) + 0.8 for column in columns]
    width, height = _COLUMN_IN * len(names) + 0.4, max(heights) + 0.4
    figure = Figure(figsize=(width, height), facecolor="white")
    axes: Any = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0.0, width)
    axes.set_ylim(0.0, height)
    axes.axis("off")
    tops: dict[tuple[int, int], tuple[float, float, float]] = {}
    for k, name in enumerate(names):
        _draw_column(axes, program.scripts[name], columns[k], k, height - 0.35, tops)
    for k, name in enumerate(names):
        _draw_arrows(axes, program.scripts[name], names, k, tops)
    return figure


def _describe(phase: tree.Phase) -> list[str]:
    """The text of a box: the label, the actions, and each transition."""
    done = Counter(type(a).__name__.upper() for a in phase.actions)
    lines = [f"PHASE {phase.label}"]
    for call in phase.calls:
        start = "" if call.at_phase is None else f", from its phase {call.at_phase}"
        lines.append(f"> {call.script.text}{start}")
    if done and not phase.calls:
        words = [word if n == 1 else f"{n} {word}" for word, n in done.items()]
        lines += [", ".join(words[i : i + 4]) for i in range(0, len(words), 4)]
    jumps = [f"{spell_condition(t.condition)}  \N{RIGHTWARDS ARROW} {_show(t.to)}" for t in phase.transitions]
    lines += jumps[:_LINES] + ([f"… and {len(jumps) - _LINES} more"] if len(jumps) > _LINES else [])
    return lines


def _show(target: int) -> str:
    return "end" if target < 0 else str(target)


def _height(lines: list[str]) -> float:
    return _LINE_IN * len(lines) + 0.14


def _draw_column(
    axes: Any,
    script: tree.Script,
    column: list[list[str]],
    k: int,
    top: float,
    tops: dict[tuple[int, int], tuple[float, float, float]],
) -> None:
    from matplotlib.patches import FancyBboxPatch

    left = 0.9 + k * _COLUMN_IN
    parameters = ", ".join(p.text for p in script.parameters) or "void"
    title = f"{script.path.name}({parameters})"
    axes.text(left, top, title if len(title) < 42 else title[:40] + "…)", color=_INK, fontsize=10, weight="bold")
    y = top - 0.2
    for n, (lines, phase) in enumerate(zip(column, script.phases, strict=True)):
        height = _height(lines)
        color = _CALL_BOX if phase.calls else _BOX if phase.actions else _EMPTY_BOX
        box = FancyBboxPatch((left, y - height), _BOX_IN, height, "round,pad=0.03", facecolor=color, edgecolor=_INK)
        axes.add_patch(box)
        for i, line in enumerate(lines):
            weight = "bold" if i == 0 else "normal"
            axes.text(left + 0.06, y - 0.15 - i * _LINE_IN, line[:52], color=_INK, fontsize=7.5, weight=weight)
        tops[k, n] = (left, y, height)
        y -= height + _GAP_IN


def _draw_arrows(
    axes: Any, script: tree.Script, names: list[str], k: int, tops: dict[tuple[int, int], tuple[float, float, float]]
) -> None:
    for n, phase in enumerate(script.phases):
        left, top, height = tops[k, n]
        for to in dict.fromkeys(t.to for t in phase.transitions):
            if (k, to) in tops:
                _draw_jump(axes, (left, top, height), tops[k, to], to - n)
        for call in phase.calls:
            if call.script.text in names:
                other = tops[names.index(call.script.text), call.at_phase or 0]
                style = {"arrowstyle": "->", "color": _CALL, "linestyle": "--", "connectionstyle": "arc3,rad=-0.12"}
                start, end = (left + _BOX_IN, top - 0.5 * height), (other[0] - 0.05, other[1] - 0.1)
                axes.annotate("", xy=end, xytext=start, arrowprops=style)


def _draw_jump(axes: Any, box: tuple[float, float, float], other: tuple[float, float, float], step: int) -> None:
    """An arrow to the next phase runs straight down; others curve around the left side."""
    left, top, height = box
    style: dict[str, Any] = {"arrowstyle": "->", "color": _JUMP, "shrinkA": 0, "shrinkB": 0}
    if step == 1:
        start, end = (left + 0.5 * _BOX_IN, top - height - 0.03), (left + 0.5 * _BOX_IN, other[1] + 0.03)
    elif step == 0:
        start, end = (left - 0.03, top - 0.3 * height), (left - 0.03, top - 0.7 * height)
        style["connectionstyle"] = "arc3,rad=1.2"
    else:
        start, end = (left - 0.03, top - 0.5 * height), (other[0] - 0.03, other[1] - 0.5 * other[2])
        style["connectionstyle"] = f"arc3,rad={-0.35 if step < 0 else 0.35}"
    axes.annotate("", xy=end, xytext=start, arrowprops=style)
