"""Puts a character into its controller's start pose."""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np

from poise.characters.model import Character
from poise.kernels.percept import Percept
from poise.world.controller import Start
from poise.world.disturbances import Spawn


def write_pose(percept: Percept, character: Character, start: Start, spawn: Spawn) -> None:
    """Writes positions and velocities, with the root's origin at height zero."""
    for k, name in enumerate(character.axis_names):
        percept.joint_q[k] = start.joint_q_rad.get(name, character.rest_pose_rad.get(name, 0.0))
        percept.joint_v[k] = start.joint_v_radps.get(name, 0.0)
    percept.root_v[:] = 0.0
    if character.root == "free":
        _write_free_root(percept, start, spawn)
    else:
        percept.root_q[:] = [spawn.x_m, 0.0, start.root_pitch_rad]
        percept.root_v[:2] = start.root_vel_mps[0], start.root_vel_mps[2]


def _write_free_root(percept: Percept, start: Start, spawn: Spawn) -> None:
    half, pitch = 0.5 * spawn.heading_rad, 0.5 * start.root_pitch_rad
    yaw = np.array([math.cos(half), 0, 0, math.sin(half)])
    lean = np.array([math.cos(pitch), 0, math.sin(pitch), 0])
    if start.root_quat_wxyz is not None:
        lean = np.array(start.root_quat_wxyz)
    quat = np.zeros(4)
    mujoco.mju_mulQuat(quat, yaw, lean)
    percept.root_q[:] = [spawn.x_m, spawn.y_m, 0.0, *quat]
    percept.root_v[:3] = _rotate(start.root_vel_mps, spawn.heading_rad)
    percept.root_v[3:] = start.root_turn_b_radps


def lift_root(percept: Percept, character: Character, height_m: float) -> None:
    """Raises the root by a height."""
    percept.root_q[2 if character.root == "free" else 1] += height_m


def _rotate(v: Sequence[float], heading_rad: float) -> list[float]:
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    return [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]]
