"""Positions of segments for given joint angles, and extents of a character: plain geometry for files and pictures.

`poise.world` has the simulated state; this module works without a world.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from poise.characters.model import Character, Shape, Vec3
from poise.characters.solids import Matrix, rotation_matrix, to_vec3
from poise.kernels.fixed import dot, multiply, norm, turn, turn_back


@dataclass(frozen=True)
class Frame:
    """A segment's rotation and origin in the root's frame."""

    rotation: Matrix
    origin_m: Matrix

    def place(self, point_m: Vec3) -> Vec3:
        """A point of the segment, in the root's frame."""
        return to_vec3(self.origin_m + turn(self.rotation, point_m))


def axis_rotation(direction: Vec3, angle_rad: float) -> Matrix:
    """Rotation about a unit vector."""
    half = 0.5 * angle_rad
    x, y, z = (math.sin(half) * c for c in direction)
    return rotation_matrix((math.cos(half), x, y, z))


def compute_frames(character: Character, pose_rad: Mapping[str, float] | None = None) -> dict[str, Frame]:
    """Every segment's frame for joint angles by name (zero if not named); None means the rest pose."""
    pose = character.rest_pose_rad if pose_rad is None else pose_rad
    frames: dict[str, Frame] = {}
    for s in character.segments:
        if s.parent is None or s.joint is None:
            frames[s.name] = Frame(np.eye(3), np.zeros(3))
            continue
        parent = frames[s.parent]
        rotation = parent.rotation
        for axis in s.joint.axes:
            rotation = multiply(rotation, axis_rotation(axis.direction, pose.get(axis.name, 0.0)))
        frames[s.name] = Frame(rotation, np.array(parent.place(s.origin_m)))
    return frames


def compute_support_m(shape: Shape, direction: Matrix) -> Matrix:
    """The point of a shape farthest along a unit vector; both in the segment's frame."""
    rotation = rotation_matrix(shape.quat_wxyz)
    own = turn_back(rotation, direction)
    s = shape.size_m
    match shape.kind:
        case "box":
            point = np.sign(own) * np.array(s) / 2
        case "sphere":
            point = s[0] * own
        case "ellipsoid":
            point = np.array(s) ** 2 * own / norm(np.array(s) * own)
        case "cylinder":
            across = math.hypot(own[0], own[1]) or 1.0
            point = np.array([s[0] * own[0] / across, s[0] * own[1] / across, np.sign(own[2]) * s[1] / 2])
        case "capsule":
            point = s[0] * own + np.array([0.0, 0.0, np.sign(own[2]) * s[1] / 2])
    return np.asarray(np.array(shape.center_m) + turn(rotation, point))


def compute_reach_m(shape: Shape, direction: Matrix) -> float:
    """Extent of a shape from its segment's origin along a unit vector of the segment's frame."""
    return dot(compute_support_m(shape, direction), direction)


def compute_height_m(character: Character) -> float:
    """Height from the lowest to the highest point of the shapes at rest; without shapes, of joints and landmarks."""
    low, high = compute_vertical_span_m(character)
    return high - low


def compute_vertical_span_m(character: Character) -> tuple[float, float]:
    """Heights of the lowest and highest point at rest, relative to the root's origin."""
    frames = compute_frames(character)
    heights = [float(f.origin_m[2]) for f in frames.values()]
    heights += [frames[m.segment].place(m.position_m)[2] for m in character.landmarks]
    if any(s.shapes for s in character.segments):
        heights = []
    for s in character.segments:
        frame = frames[s.name]
        up = frame.rotation[2]
        for shape in s.shapes:
            heights.append(float(frame.origin_m[2]) + compute_reach_m(shape, up))
            heights.append(float(frame.origin_m[2]) - compute_reach_m(shape, -up))
    return min(heights), max(heights)


def compute_center_of_mass_m(character: Character, pose_rad: Mapping[str, float] | None = None) -> Vec3:
    """Centre of mass in the root's frame."""
    frames = compute_frames(character, pose_rad)
    total = sum((s.mass_kg * np.array(frames[s.name].place(s.com_m)) for s in character.segments), np.zeros(3))
    return to_vec3(total / character.mass_kg)
