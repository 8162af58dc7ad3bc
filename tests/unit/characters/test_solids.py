"""Analytic solids against sums over their parts."""

import math

import numpy as np
import pytest

from poise.characters.model import Shape
from poise.characters.solids import (
    combine,
    compute_mass_properties,
    compute_volume_m3,
    is_physical_inertia,
    quat_from_z_to,
    rotation_matrix,
    to_matrix,
)
from poise.characters.wireframe import solid_mass_properties, spans_volume

SHAPES = [
    Shape("box", (0.3, 0.2, 0.5)),
    Shape("sphere", (0.2,)),
    Shape("ellipsoid", (0.1, 0.2, 0.3)),
    Shape("cylinder", (0.1, 0.4)),
    Shape("capsule", (0.1, 0.4)),
]


def inside(shape: Shape, p: np.ndarray) -> np.ndarray:
    s = shape.size_m
    match shape.kind:
        case "box":
            return (np.abs(p) <= np.array(s) / 2).all(axis=1)
        case "sphere":
            return np.linalg.norm(p, axis=1) <= s[0]
        case "ellipsoid":
            return np.linalg.norm(p / np.array(s), axis=1) <= 1
        case "cylinder":
            return (np.hypot(p[:, 0], p[:, 1]) <= s[0]) & (np.abs(p[:, 2]) <= s[1] / 2)
    along = np.clip(p[:, 2], -s[1] / 2, s[1] / 2)
    return np.hypot(np.hypot(p[:, 0], p[:, 1]), p[:, 2] - along) <= s[0]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.kind)
def test_volume_and_inertia_agree_with_a_grid_of_points(shape: Shape) -> None:
    step = 0.01
    axis = np.arange(-0.395, 0.4, step)
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    grid = grid[inside(shape, grid)]
    assert compute_volume_m3(shape) == pytest.approx(len(grid) * step**3, rel=0.02)
    second = grid.T @ grid / len(grid)
    expected = np.trace(second) * np.eye(3) - second
    got = to_matrix(compute_mass_properties([shape], mass_kg=1.0).inertia_kgm2)
    assert got == pytest.approx(expected, rel=0.03, abs=1e-4)


def test_two_halves_make_the_whole() -> None:
    whole = compute_mass_properties([Shape("box", (0.4, 0.2, 0.6), (0.1, 0.0, 0.3))], density_kgpm3=500.0)
    halves = [Shape("box", (0.2, 0.2, 0.6), (x, 0.0, 0.3)) for x in (0.0, 0.2)]
    parts = compute_mass_properties(halves, density_kgpm3=500.0)
    assert parts.mass_kg == pytest.approx(whole.mass_kg)
    assert parts.com_m == pytest.approx(whole.com_m)
    assert parts.inertia_kgm2 == pytest.approx(whole.inertia_kgm2)
    assert combine([whole]).inertia_kgm2 == pytest.approx(whole.inertia_kgm2)


def test_a_turned_box_has_a_turned_inertia() -> None:
    quat = (math.cos(math.pi / 4), 0.0, math.sin(math.pi / 4), 0.0)
    upright = compute_mass_properties([Shape("box", (0.4, 0.2, 0.6))], mass_kg=3.0).inertia_kgm2
    lying = compute_mass_properties([Shape("box", (0.4, 0.2, 0.6), quat_wxyz=quat)], mass_kg=3.0).inertia_kgm2
    assert lying[:3] == pytest.approx((upright[2], upright[1], upright[0]))


@pytest.mark.parametrize("direction", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, -2, 0), (1, 2, -3)])
def test_a_rod_turns_to_its_direction(direction: tuple[float, float, float]) -> None:
    turned = rotation_matrix(quat_from_z_to(direction)) @ np.array([0.0, 0.0, 1.0])
    assert turned == pytest.approx(np.array(direction) / np.linalg.norm(direction), abs=1e-12)


def test_a_wire_frame_box_is_the_box() -> None:
    corners = [(x, y, z) for x in (-0.2, 0.2) for y in (-0.1, 0.1) for z in (0.0, 0.6)]
    edges = [(a, b) for a in corners for b in corners if a < b and sum(p != q for p, q in zip(a, b, strict=True)) == 1]
    assert len(edges) == 12 and spans_volume(edges)
    box = compute_mass_properties([Shape("box", (0.4, 0.2, 0.6), (0.0, 0.0, 0.3))], density_kgpm3=1000.0)
    made = solid_mass_properties(edges, 1000.0)
    assert made.mass_kg == pytest.approx(box.mass_kg)
    assert made.com_m == pytest.approx(box.com_m)
    assert made.inertia_kgm2 == pytest.approx(box.inertia_kgm2, abs=1e-12)


def test_crossed_lines_span_no_volume() -> None:
    assert not spans_volume([((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 1, 0))])


def test_no_body_has_a_moment_above_the_sum_of_the_others() -> None:
    assert is_physical_inertia((1.0, 1.0, 2.0, 0.0, 0.0, 0.0))
    assert not is_physical_inertia((1.0, 1.0, 2.1, 0.0, 0.0, 0.0))
    assert not is_physical_inertia((1.0, 1.0, 1.0, 1.0, 0.0, 0.0))
