"""The shapes of a world as plain data for the browser, sent once; afterwards only poses are sent."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.characters.kinematics import compute_height_m
from poise.characters.model import Character, Shape
from poise.world.terrain import HeightField, Terrain
from poise.world.world import World

#: Points drawn along each side of a height field; more would only be slower.
MAX_FIELD_POINTS = 160


def describe_scene(world: World) -> dict[str, Any]:
    """Bodies (the first character's segments, then the props, in the order of a moment's pose) and the ground."""
    character = world.characters[0]
    sides = find_sides(character)
    bodies = [
        {
            "name": segment.name,
            "kind": "segment",
            "side": sides[segment.name],
            "jointed": segment.parent is not None,
            "shapes": [_describe_shape(shape) for shape in segment.shapes],
        }
        for segment in character.segments
    ]
    for prop in world.props:
        shapes = [_describe_shape(shape) for shape in prop.shapes]
        bodies.append({"name": prop.name, "kind": "prop", "side": "middle", "jointed": False, "shapes": shapes})
    return {
        "bodies": bodies,
        "ground": _describe_ground(world.terrain),
        "planar": character.root == "planar",
        "height_m": compute_height_m(character),
        "weight_n": character.mass_kg * world.settings.gravity_mps2,
    }


def find_sides(character: Character) -> dict[str, str]:
    """`left`, `right` or `middle` for every segment: by its role, its name, or the segment on which it hangs."""
    by_role = {name: role.partition("_")[0] for role, name in character.roles.items()}
    sides: dict[str, str] = {}
    for segment in character.segments:
        side = segment.name.partition("_")[0]
        if side not in ("left", "right"):
            side = by_role.get(segment.name, "")
        if side not in ("left", "right"):
            side = sides[segment.parent] if segment.parent else "middle"
        sides[segment.name] = side
    return sides


def _describe_shape(shape: Shape) -> dict[str, Any]:
    return {
        "kind": shape.kind,
        "size": [float(s) for s in shape.size_m],
        "center": [float(c) for c in shape.center_m],
        "quat": [float(q) for q in shape.quat_wxyz],
    }


def _describe_ground(terrain: Terrain) -> dict[str, Any]:
    field = terrain.height_field
    return {
        "plane": terrain.plane,
        "height": float(terrain.plane_height_m),
        "solids": [
            {
                "size": [float(s) for s in solid.size_m],
                "center": [float(c) for c in solid.center_m],
                "quat": [float(q) for q in solid.quat_wxyz],
                "rgba": None if solid.rgba is None else [float(c) for c in solid.rgba],
            }
            for solid in terrain.solids
        ],
        "field": None if field is None else _describe_field(field),
    }


def _describe_field(field: HeightField) -> dict[str, Any]:
    rows, columns = field.heights_m.shape
    # Evenly spaced and including both edges, for any number of points.
    row = np.linspace(0, rows - 1, min(rows, MAX_FIELD_POINTS)).round().astype(int)
    column = np.linspace(0, columns - 1, min(columns, MAX_FIELD_POINTS)).round().astype(int)
    heights = field.heights_m[np.ix_(row, column)]
    cx, cy, cz = field.center_m
    return {
        "x": (cx - 0.5 * field.length_x_m + field.length_x_m * column / (columns - 1)).round(4).tolist(),
        "y": (cy - 0.5 * field.length_y_m + field.length_y_m * row / (rows - 1)).round(4).tolist(),
        "z": (cz + heights).round(4).ravel().tolist(),
    }
