"""Retouches: small changes of a motion's fragments, found by search, that make the motion feasible for the body.

"Optimised reference data would allow our controller to be more robust" [Lee10 §6]: a recording is of another body with
other masses, and in fast turns feedback cannot correct that in time. A retouch of a fragment rotates the pelvis over
the stance leg, the swing thigh and the stance feet, lowers the body and raises the swing foot. Each change fades in
over the fragment, like the feedback that it is added to, and fades out in the next one with the warp [Lee10 Eq. 6].
Gains of the swing hip and of the stance ankle may also differ by fragment, as in [Lee10 Fig. 5].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from poise.controllers.tracker import layout
from poise.motion.rotations import FloatArray
from poise.tables import Table, as_table

#: Name in files -> how many numbers of a fragment's row, and the limits of each. Rotations are vectors in the heading
#: of the recorded pelvis: ahead, to the left, up. Gains are relative changes.
PARTS: Final[Mapping[str, tuple[int, float, float]]] = {
    "lean_rad": (3, -0.5, 0.5),
    "reach_rad": (3, -0.5, 0.5),
    "tread_rad": (3, -0.5, 0.5),
    "crouch_m": (1, -0.1, 0.1),
    "raise_m": (1, -0.1, 0.1),
    "swing_speed": (1, -1.0, 3.0),
    "swing_place": (1, -1.0, 3.0),
    "ankle": (1, -1.0, 3.0),
}


def read_retouch(table: Mapping[str, Any], fragments: int, name: str) -> FloatArray:
    """The rows (F, 14) of a file's table, which has a row for every fragment; omitted parts are zero."""
    table = as_table(table, name, "retouch")
    table.only(*PARTS)
    rows = np.zeros((fragments, layout.RETOUCH))
    column = 0
    for key, (width, *_) in PARTS.items():
        if key in table:
            rows[:, column : column + width] = _read_part(table, key, fragments)
        column += width
    return rows


def _read_part(table: Table, key: str, fragments: int) -> FloatArray:
    width, low, high = PARTS[key]
    value = table[key]
    try:
        part = np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        part = np.zeros(0)
    if part.shape != ((fragments,) if width == 1 else (fragments, width)):
        what = "a number" if width == 1 else f"a list of {width} numbers"
        got = f"{len(value)} entries" if isinstance(value, list) else repr(value)
        table.fail(f"must have {what} for each of the {fragments} fragments, got {got}", key)
    for number in part.ravel():
        if not low <= number <= high:
            table.fail("out of range", key, got=float(number), allowed=f"Allowed: {low:g} to {high:g}")
    return part.reshape(fragments, width)


def write_retouch(rows: FloatArray) -> dict[str, Any]:
    """A file's table from rows (F, 14), to four decimals."""
    table, column = {}, 0
    for key, (width, *_) in PARTS.items():
        part = np.round(rows[:, column : column + width], 4) + 0.0
        table[key] = part.tolist() if width > 1 else part[:, 0].tolist()
        column += width
    return table


def limits() -> tuple[FloatArray, FloatArray]:
    """The lower and the upper limits of a row, (14,) each."""
    widths = [width for width, _, _ in PARTS.values()]
    lows, highs = ([part[k] for part in PARTS.values()] for k in (1, 2))
    return np.repeat(lows, widths), np.repeat(highs, widths)
