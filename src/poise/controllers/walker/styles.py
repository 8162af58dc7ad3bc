"""Styles: joint curves over a step [Coros10 §5.3.1, §5.5.2], read from TOML files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.controllers.walker import layout
from poise.errors import InputError, out_of_range, unknown_name
from poise.tables import as_table, load_table

LIBRARY: Final = Path(__file__).resolve().parents[2] / "library" / "styles"
#: The default style, and the slot for editing.
PLAIN, OWN = "plain", "own"
ANGLE_RANGE: Final = (-3.2, 3.2)
OFFSET_RANGE: Final = (-0.6, 0.6)
TEMPO_RANGE: Final = (0.4, 2.5)
UNITS: Final = {name: "m" if name.startswith("foot_") else "rad" for name in layout.CHANNELS}
#: Channels grouped as the studio shows them.
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "back and head": layout.CHANNELS[: layout.CHANNEL["stance_shoulder_pitch"]],
    "arms": layout.CHANNELS[layout.CHANNEL["stance_shoulder_pitch"] : layout.CHANNEL["stance_knee"]],
    "legs": layout.CHANNELS[layout.CHANNEL["stance_knee"] : layout.CHANNEL["foot_forward"]],
    "foot": layout.CHANNELS[layout.CHANNEL["foot_forward"] :],
}


def find_partner(channel: str) -> tuple[str, float] | None:
    """The channel that continues this one after a strike, and the sign it takes; None if there is none.

    A limb on the stance side is on the swing side in the next step. The midline keeps its pitch; its roll and yaw are
    given for the left leg and change sign. The swing knee has no curve: inverse kinematics bends it.
    """
    role, _, part = channel.partition("_")
    other = {"stance": "swing", "swing": "stance"}.get(role)
    if other is not None:
        partner = f"{other}_{part}"
        return (partner, 1.0) if partner in layout.CHANNEL else None
    if role == "foot":
        return None
    return channel, 1.0 if part == "pitch" else -1.0


def _no_curves() -> NDArray[np.float64]:
    return np.zeros((len(layout.CHANNELS), layout.KEYS))


@dataclass(frozen=True, eq=False)
class Style:
    """A style of walking: the value of each channel at five phases of a step, and the tempo of its steps."""

    name: str
    description: str = ""
    #: Factor of the step time that follows from the speed.
    tempo: float = 1.0
    curves: NDArray[np.float64] = field(default_factory=_no_curves)

    def curve(self, channel: str) -> tuple[float, ...]:
        return tuple(float(v) for v in self.curves[find_channel(channel, f"style {self.name}")])


def find_channel(name: str, where: str) -> int:
    """Row of a channel, with or without its unit."""
    for k, channel in enumerate(layout.CHANNELS):
        if name in (channel, f"{channel}_{UNITS[channel]}"):
            return k
    raise unknown_name(where, "channel", name, [f"{c}_{UNITS[c]}" for c in layout.CHANNELS])


def check_points(value: Any, channel: str, where: str) -> list[float]:
    """The five points of a channel's curve, checked; a number stands for five equal ones."""
    points = value if isinstance(value, list) else [value] * layout.KEYS
    if len(points) != layout.KEYS or not all(isinstance(v, int | float) and not isinstance(v, bool) for v in points):
        raise InputError(f"{channel} must be a number or a list of {layout.KEYS} numbers", where=where, got=value)
    low, high = ANGLE_RANGE if UNITS[channel] == "rad" else OFFSET_RANGE
    for v in points:
        if not low <= v <= high:
            raise out_of_range(where, f"{channel}_{UNITS[channel]}", v, low, high, UNITS[channel])
    return [float(v) for v in points]


def read_style(name: str, table: Mapping[str, Any], where: str) -> Style:
    """Read a style from its table."""
    table = as_table(table, where)
    table.only("description", "tempo", "curves")
    tempo, curves = table.number("tempo", *TEMPO_RANGE, 1.0), table.table("curves")
    values = _no_curves()
    for key, value in curves.items():
        with curves.errors_at(key):
            row = find_channel(key, "")
            values[row] = check_points(value, layout.CHANNELS[row], "")
    return Style(name, table.string("description", ""), tempo, values)


def write_style(style: Style) -> dict[str, Any]:
    """The style as a table, without channels that are zero."""
    curves: dict[str, Any] = {}
    for k, channel in enumerate(layout.CHANNELS):
        points = [float(v) for v in style.curves[k]]
        if any(points):
            curves[f"{channel}_{UNITS[channel]}"] = points[0] if len(set(points)) == 1 else points
    table: dict[str, Any] = {"description": style.description} if style.description else {}
    return {**table, "tempo": style.tempo, "curves": curves}


@cache
def shipped_styles() -> Mapping[str, Style]:
    """The shipped styles, `plain` first."""
    names = sorted((p.stem for p in LIBRARY.glob("*.toml")), key=lambda n: (n != PLAIN, n))
    return {n: read_style(n, load_table(LIBRARY / f"{n}.toml"), n) for n in names}


def _record(params: NDArray[np.float64]) -> Any:
    return params.view(layout.PARAMS)[0]


def read_curve(params: NDArray[np.float64], style_index: int, channel: str) -> tuple[float, ...]:
    """The five points of a style's channel in a walker's parameters."""
    return tuple(float(v) for v in _record(params).styles[style_index, find_channel(channel, "style")])


def write_curve(
    params: NDArray[np.float64], style_index: int, channel: str, points: Sequence[float], *, joined: bool = False
) -> None:
    """Write a channel's five points into a walker's parameters; `joined` keeps it continuous into the next step.

    Joined, the end of this curve becomes the start of its partner's, and its start their end (see `find_partner`).
    If a channel is its own partner, the end that moved sets the other.
    """
    row = find_channel(channel, "style")
    name = layout.CHANNELS[row]
    curves = _record(params).styles[style_index]
    before = curves[row].copy()
    curves[row] = check_points(list(points), name, f"style {style_index}")
    partner = find_partner(name) if joined else None
    if partner is None:
        return
    other, sign = layout.CHANNEL[partner[0]], partner[1]
    if other != row:
        curves[other, 0], curves[other, -1] = sign * curves[row, -1], sign * curves[row, 0]
    elif curves[row, 0] == before[0]:
        curves[row, 0] = sign * curves[row, -1]
    else:
        curves[row, -1] = sign * curves[row, 0]


def copy_style(params: NDArray[np.float64], source: int, target: int) -> None:
    """Copy a style's curves and tempo from one slot to another."""
    record = _record(params)
    record.styles[target] = record.styles[source]
    record.tempo[target] = record.tempo[source]


def write_tempo(params: NDArray[np.float64], style_index: int, tempo: float) -> None:
    """Set the factor of a style's step time."""
    if not TEMPO_RANGE[0] <= tempo <= TEMPO_RANGE[1]:
        raise out_of_range(f"style {style_index}", "tempo", tempo, *TEMPO_RANGE)
    _record(params).tempo[style_index] = tempo


def read_slot(params: NDArray[np.float64], style_index: int, name: str, description: str = "") -> Style:
    """The contents of a slot as a style."""
    record = _record(params)
    curves = np.array(record.styles[style_index], dtype=float)
    return Style(name, description, float(record.tempo[style_index]), curves)
