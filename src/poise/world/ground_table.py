"""The ground of a world as tables for `poise.kernels.ground`."""

from __future__ import annotations

import math
from collections.abc import Container

import numpy as np

from poise.kernels.ground import BOX, PLAN, GroundTable
from poise.world.ground import PenaltyGround
from poise.world.terrain_model import Solid, Terrain, solid_geom_name


def pack_ground(terrain: Terrain, penalty: PenaltyGround | None = None) -> GroundTable:
    """The surfaces that carry characters: a terrain's, or the plane of a penalty ground."""
    plan = np.zeros(len(PLAN.names or ()))
    row = plan.view(PLAN)[0]
    if penalty is not None:
        row.plane_rise = math.tan(penalty.slope_rad)
        return GroundTable(plan, np.zeros((0, BOX.itemsize // 8)), np.zeros((0, 0)))
    row.plane_height = terrain.plane_height_m if terrain.plane else -math.inf
    boxes = np.zeros((len(terrain.solids), BOX.itemsize // 8))
    for box, solid in zip(boxes, terrain.solids, strict=True):
        _write_box(box, solid)
    field = terrain.height_field
    if field is None:
        return GroundTable(plan, boxes, np.zeros((0, 0)))
    (x, y, row.field_z), length_x, length_y = field.center_m, field.length_x_m, field.length_y_m
    row.field_x, row.field_y = x - 0.5 * length_x, y - 0.5 * length_y
    row.field_length_x, row.field_length_y = length_x, length_y
    return GroundTable(plan, boxes, np.array(field.heights_m))


def set_solid(ground: GroundTable, geoms: Container[str], solid: bool) -> None:
    """Includes boxes of the terrain in the ground or excludes them, by the names of their geoms."""
    for k in range(len(ground.boxes)):
        if solid_geom_name(k) in geoms:
            ground.boxes[k].view(BOX)[0].solid = float(solid)


def _write_box(box: np.ndarray, solid: Solid) -> None:
    row = box.view(BOX)[0]
    row.solid, row.reach = 1.0, 0.5 * math.hypot(*solid.size_m)
    row.center[:], row.half[:] = solid.center_m, 0.5 * np.array(solid.size_m)
    row.rot[:] = solid.rotation.ravel()
