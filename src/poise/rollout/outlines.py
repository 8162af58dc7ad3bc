"""Outlines of a character's shapes, projected to polygons for figures."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.characters.model import Shape
from poise.recordings.recording import FloatArray, Recording
from poise.recordings.rotations import quat_multiply, quat_rotate
from poise.world.hull import compute_convex_hull

_CIRCLE_POINTS = 32


class View(NamedTuple):
    """An orthographic view: `across_w` points to the picture's right, `up_w` up; both unit vectors in world."""

    across_w: FloatArray
    up_w: FloatArray

    @property
    def toward_w(self) -> FloatArray:
        """Unit vector from the scene to the camera."""
        return np.cross(self.across_w, self.up_w)


class Outline(NamedTuple):
    segment: int
    #: Corners (across, up), (M, 2).
    corners_m: FloatArray


def side_view(heading_rad: float) -> View:
    """The view of a character with a heading from its right side; it faces the picture's right."""
    across = np.array([np.cos(heading_rad), np.sin(heading_rad), 0.0])
    return View(across, np.array([0.0, 0.0, 1.0]))


def compute_outlines(recording: Recording, frame: int, view: View, character: int = 0) -> list[Outline]:
    """The outline of every shape of a character at a frame, in the order of its segments."""
    span = recording.segments_of(character)
    outlines = []
    for index, segment in enumerate(recording.characters[character].segments):
        position = recording.segment_pos_w_m[frame, span.start + index]
        quat = recording.segment_quat_wxyz[frame, span.start + index]
        for shape in segment.shapes:
            corners = compute_shape_outline_m(shape, position, quat, view)
            outlines.append(Outline(index, corners))
    return outlines


def compute_shape_outline_m(shape: Shape, position_w_m: FloatArray, quat_wxyz: FloatArray, view: View) -> FloatArray:
    """Corners of one shape's outline, (M, 2), counter-clockwise; circles have 32 corners."""
    center = position_w_m + quat_rotate(quat_wxyz, np.array(shape.center_m))
    axes = quat_rotate(quat_multiply(quat_wxyz, np.array(shape.quat_wxyz))[None], np.eye(3))
    plane = np.stack([view.across_w, view.up_w])
    flat = axes @ plane.T  # row k: direction of the shape's own axis k in the picture
    return compute_convex_hull(plane @ center + _extent(shape, flat))


def _extent(shape: Shape, flat: FloatArray) -> FloatArray:
    """Points around the centre whose hull is the outline."""
    turn = 2.0 * np.pi * np.arange(_CIRCLE_POINTS) / _CIRCLE_POINTS
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    size = shape.size_m
    if shape.kind == "box":
        signs = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
        return 0.5 * (signs * np.array(size)) @ flat
    if shape.kind in ("sphere", "ellipsoid"):
        radii = np.array(size if shape.kind == "ellipsoid" else size * 3)
        # The edge's extreme point in direction u is A A^T u / |A^T u|, with A the projected half axes.
        half = (radii[:, None] * flat).T
        reach = circle @ half
        return (reach / np.linalg.norm(reach, axis=1, keepdims=True)) @ half.T
    radius, length = size
    end = 0.5 * length * flat[2]
    rim = radius * (circle if shape.kind == "capsule" else circle @ flat[:2])
    return np.concatenate([rim + end, rim - end])
