"""Centre of mass, linear and angular momentum of a recorded character."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.characters.model import Character
from poise.recordings.recording import FloatArray, Recording
from poise.recordings.rotations import (
    quat_conjugate,
    quat_multiply,
    quat_rotate,
    quat_to_matrix,
    quat_to_rotation_vector,
)


class Momentum(NamedTuple):
    """Momentum of a whole character in world, (F, 3) each."""

    linear_w_kgmps: FloatArray
    #: About its centre of mass.
    angular_w_kgm2ps: FloatArray


def compute_segment_com_w_m(recording: Recording, character: int = 0) -> FloatArray:
    """Centre of mass of each segment, (F, S, 3)."""
    chosen = recording.segments_of(character)
    com_b = np.array([s.com_m for s in recording.characters[character].segments])
    turned = quat_rotate(recording.segment_quat_wxyz[:, chosen], com_b[None])
    return recording.segment_pos_w_m[:, chosen] + turned


def compute_com_w_m(recording: Recording, character: int = 0) -> FloatArray:
    """Centre of mass from the poses of the segments, (F, 3); `Recording.com_w_m` is the physics' own."""
    mass = _masses(recording.characters[character])
    return np.einsum("s,fsi->fi", mass, compute_segment_com_w_m(recording, character)) / mass.sum()


def compute_momentum(recording: Recording, character: int = 0) -> Momentum:
    """Linear momentum from the recorded velocity; angular momentum by differences of the segments' poses.

    L = sum of m (r - c) x v + R I R^T omega. The differences are central, so the error falls with the square of
    the time between frames; at the first and last frame they are one-sided. A single frame gives zeros.
    """
    body = recording.check_character(character)
    linear = body.mass_kg * recording.com_vel_w_mps[:, character]
    if recording.frames < 2:
        return Momentum(linear, np.zeros_like(linear))
    mass = _masses(body)
    com = compute_segment_com_w_m(recording, character)
    velocity = np.gradient(com, recording.time_s, axis=0, edge_order=1)
    arm = com - compute_com_w_m(recording, character)[:, None]
    orbital = np.einsum("s,fsi->fi", mass, np.cross(arm, velocity))
    quat = recording.segment_quat_wxyz[:, recording.segments_of(character)]
    matrix = quat_to_matrix(quat)
    inertia_w = matrix @ _inertias(body) @ np.swapaxes(matrix, -1, -2)
    spin = np.einsum("fsij,fsj->fi", inertia_w, compute_angular_velocity_w_radps(recording.time_s, quat))
    return Momentum(linear, orbital + spin)


def compute_angular_velocity_w_radps(time_s: FloatArray, quat_wxyz: FloatArray) -> FloatArray:
    """Angular velocity in world, (F, ..., 3), by differences: central, one-sided at the ends."""
    after = np.minimum(np.arange(len(time_s)) + 1, len(time_s) - 1)
    before = np.maximum(np.arange(len(time_s)) - 1, 0)
    turn = quat_to_rotation_vector(quat_multiply(quat_wxyz[after], quat_conjugate(quat_wxyz[before])))
    span = (time_s[after] - time_s[before]).reshape((-1,) + (1,) * (turn.ndim - 1))
    return turn / span


def _masses(character: Character) -> FloatArray:
    return np.array([s.mass_kg for s in character.segments])


def _inertias(character: Character) -> FloatArray:
    """About each segment's centre of mass in its own frame, (S, 3, 3)."""
    rows = []
    for segment in character.segments:
        xx, yy, zz, xy, xz, yz = segment.inertia_kgm2
        rows.append([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.array(rows)
