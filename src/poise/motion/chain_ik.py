"""IK for all axes of a limb at once, for legs beyond a plain thigh and shank: hips of several hinges, three bones.

Damped least squares: every step moves ankle and parts toward their goals within the joint limits.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poise.characters.model import Character
from poise.kernels.fixed import contract, solve_definite
from poise.motion.joint_angles import compose_character
from poise.motion.rotations import (
    FloatArray,
    quat_about,
    quat_conjugate,
    quat_multiply,
    quat_rotate,
    quat_to_rotation_vector,
)
from poise.motion.skeleton import Skeleton

_STEPS: Final = 25
_DAMPING: Final = 0.02
"""Relative to errors, which are of the order of one: steps stay small near singularities."""

_MAX_STEP_RAD: Final = 0.3


class ChainSolver:
    """Solves for the angles of the axes between a base segment and an end segment of a character."""

    def __init__(self, character: Character, skeleton: Skeleton, base: int, end: int) -> None:
        self.character, self.skeleton, self.end = character, skeleton, end
        chain = [s for s in skeleton.up_from(end) if s != base and s not in set(skeleton.up_from(base))]
        self.segments = chain[::-1]
        self.columns = self._find_columns()
        axes = [character.axes[c] for c in self.columns]
        self.low = np.array([axis.low_rad for axis in axes])
        self.high = np.array([axis.high_rad for axis in axes])

    def solve(
        self,
        angles_rad: FloatArray,
        root_pos_m: FloatArray,
        root_quat_wxyz: FloatArray,
        goal_m: FloatArray,
        turns: dict[int, tuple[FloatArray, float]],
        size_m: float,
    ) -> FloatArray:
        """Angles of all axes (F, axes), with those of the chain moving its end to `goal_m` (F, 3).

        `turns` are wanted orientations (F, 4) of the chain's segments with their weights; a distance of `size_m` counts
        as one radian.
        """
        angles = angles_rad.copy()
        for _ in range(_STEPS):
            quats = compose_character(self.character, angles)
            quats[:, 0] = root_quat_wxyz
            places, world = self.skeleton.compute_globals(root_pos_m, quats)
            error, jacobian = self._linearize(angles, places, world, goal_m, turns, size_m)
            square = contract(jacobian.swapaxes(-1, -2), jacobian) + _DAMPING * np.eye(len(self.columns))
            step = solve_definite(square, contract(jacobian.swapaxes(-1, -2), error[..., None]))[..., 0]
            step = np.clip(step, -_MAX_STEP_RAD, _MAX_STEP_RAD)
            angles[:, self.columns] = np.clip(angles[:, self.columns] + step, self.low, self.high)
        return angles

    def _find_columns(self) -> list[int]:
        names = self.character.axis_names
        joints = [self.character.segments[s].joint for s in self.segments]
        return [names.index(axis.name) for joint in joints if joint is not None for axis in joint.axes]

    def _linearize(
        self,
        angles: FloatArray,
        places: FloatArray,
        world: FloatArray,
        goal: FloatArray,
        turns: dict[int, tuple[FloatArray, float]],
        size_m: float,
    ) -> tuple[FloatArray, FloatArray]:
        """Errors (F, R) and their Jacobian with respect to the angles, (F, R, axes)."""
        axes, owners = self._find_world_axes(angles, world)
        arms = places[:, self.end][:, None] - places[:, owners]
        errors = [(goal - places[:, self.end]) / size_m]
        rows = [np.swapaxes(np.cross(axes, arms), 1, 2) / size_m]
        for segment, (wished, weight) in turns.items():
            apart = quat_to_rotation_vector(quat_multiply(wished, quat_conjugate(world[:, segment])))
            moves = np.array([o in set(self.skeleton.up_from(segment)) for o in owners])
            errors.append(weight * apart)
            rows.append(weight * np.swapaxes(axes, 1, 2) * moves)
        return np.concatenate(errors, axis=1), np.concatenate(rows, axis=1)

    def _find_world_axes(self, angles: FloatArray, world: FloatArray) -> tuple[FloatArray, list[int]]:
        """Directions of the axes in the world, (F, axes, 3), and the segments that they rotate."""
        directions, owners = [], []
        column = 0
        for segment in self.segments:
            joint = self.character.segments[segment].joint
            assert joint is not None
            frame = world[:, self.skeleton.parents[segment]]
            for axis in joint.axes:
                directions.append(
                    quat_rotate(frame, np.broadcast_to(np.array(axis.direction), frame.shape[:-1] + (3,)))
                )
                owners.append(segment)
                frame = quat_multiply(frame, quat_about(axis.direction, angles[:, self.columns[column]]))
                column += 1
        return np.stack(directions, axis=1), owners
