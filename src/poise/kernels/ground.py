"""The ground under a point: a plane, boxes and a height field, as flat arrays for laws."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from poise.kernels.jit import law

F8 = NDArray[np.float64]

PLAN: Final = np.dtype(
    (
        np.record,
        [
            ("plane_height", "f8"),  # at x = 0; -inf if there is no plane
            ("plane_rise", "f8"),  # per metre of x
            ("field_x", "f8"),  # corner of the height field with the least x and y
            ("field_y", "f8"),
            ("field_z", "f8"),  # added to its heights
            ("field_length_x", "f8"),
            ("field_length_y", "f8"),
        ],
    )
)

BOX: Final = np.dtype(
    (
        np.record,
        [
            ("solid", "f8"),  # 0 while it does not collide
            ("center", "f8", (3,)),
            ("half", "f8", (3,)),  # half its lengths along its own axes
            ("rot", "f8", (9,)),  # row-major, from its own axes to the world's
            ("reach", "f8"),  # half its diagonal
        ],
    )
)

#: Overlap of boxes that share an edge, to leave no gap between them: rounding is a thousand times smaller.
EDGE_M: Final = 1e-9
#: Below this cosine, an axis of a box counts as horizontal.
LEVEL: Final = 1e-12


class GroundTable(NamedTuple):
    """All supporting surfaces: the highest at a point is the ground there."""

    plan: F8  # of PLAN
    boxes: F8  # (B, 17) of BOX
    heights: F8  # (rows, columns) of the height field, rows along y; (0, 0) if there is none


GROUND_TYPE = types.NamedTuple([types.float64[::1], types.float64[:, ::1], types.float64[:, ::1]], GroundTable)


@law
def _find_top(box, x, y):
    """Return the highest z of a box at a point, -inf outside, and its outward axis there, 1 to 3 or negative."""
    sx, sy, sz = x - box.center[0], y - box.center[1], -box.center[2]
    low, high, face = -math.inf, math.inf, 0
    for k in range(3):
        # Coordinate of the vertical line through the point along the box's own axis k: start + z·direction.
        start = box.rot[k] * sx + box.rot[3 + k] * sy + box.rot[6 + k] * sz
        direction, half = box.rot[6 + k], box.half[k]
        if abs(direction) < LEVEL:
            if abs(start) > half + EDGE_M:
                return -math.inf, 0
            continue
        one, other = (-half - start) / direction, (half - start) / direction
        low = max(low, min(one, other))
        if max(one, other) < high:
            high, face = max(one, other), k + 1 if direction > 0.0 else -k - 1
    return (high, face) if low <= high + EDGE_M else (-math.inf, 0)


@law
def probe_ground(ground, x, y):
    """Return the height of the ground at (x, y) and its unit normal, (z, nx, ny, nz) in world; z is -inf over a void.

    Each cell of the height field is two triangles, split from its (-x, -y) to its (+x, +y) corner, as in MuJoCo.
    """
    plan = ground.plan.view(PLAN)[0]
    z, east, north = plan.plane_height + plan.plane_rise * x, plan.plane_rise, 0.0
    scale = 1.0 / math.sqrt(1.0 + east * east)
    nx, ny, nz = -east * scale, 0.0, scale
    for k in range(ground.boxes.shape[0]):
        box = ground.boxes[k].view(BOX)[0]
        if box.solid == 0.0 or abs(x - box.center[0]) > box.reach or abs(y - box.center[1]) > box.reach:
            continue
        top, face = _find_top(box, x, y)
        if top > z:
            sign, axis = (1.0, face - 1) if face > 0 else (-1.0, -face - 1)
            z, nx, ny, nz = top, sign * box.rot[axis], sign * box.rot[3 + axis], sign * box.rot[6 + axis]
    rows, columns = ground.heights.shape
    across, along = x - plan.field_x, y - plan.field_y
    if (
        rows > 0
        and -EDGE_M <= across <= plan.field_length_x + EDGE_M
        and -EDGE_M <= along <= plan.field_length_y + EDGE_M
    ):
        per_x, per_y = (columns - 1) / plan.field_length_x, (rows - 1) / plan.field_length_y
        u, v = across * per_x, along * per_y
        c, r = min(max(int(u), 0), columns - 2), min(max(int(v), 0), rows - 2)
        u, v = u - c, v - r
        near, right = ground.heights[r, c], ground.heights[r, c + 1]
        left, far = ground.heights[r + 1, c], ground.heights[r + 1, c + 1]
        east, north = (right - near, far - right) if u > v else (far - left, left - near)
        top = plan.field_z + near + u * east + v * north
        if top > z:
            east, north = east * per_x, north * per_y
            scale = 1.0 / math.sqrt(1.0 + east * east + north * north)
            z, nx, ny, nz = top, -east * scale, -north * scale, scale
    return z, nx, ny, nz
