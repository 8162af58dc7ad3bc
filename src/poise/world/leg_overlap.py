"""Penetration depth of the solids of a character's two legs in any pose.

Legs pass through each other unless `PhysicsSettings.self_collision` says otherwise; this measures by how much.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.characters.model import SIDES, Character
from poise.characters.solids import rotation_matrix
from poise.world.compile import MIDDLE_RGBA, add_shape, compile_spec, find_leg

FloatArray = NDArray[np.float64]


class LegOverlap:
    """The solids of a character's legs, to be evaluated in any number of poses.

    A percept holds the arguments of `depth_m`: `legs.depth_m(percept.pos_w, percept.quat_w)`.
    """

    def __init__(self, character: Character) -> None:
        spec = mujoco.MjSpec()
        names, at, turn, segment = character.segment_names, [], [], []
        #: Index of the right leg's first geom.
        self._split = 0
        for side in SIDES:
            for name in find_leg(character, side):
                for shape in character.segment(name).shapes:
                    if not shape.collides:
                        continue
                    add_shape(spec.worldbody, shape, MIDDLE_RGBA, 1, 1)
                    segment.append(names.index(name))
                    at.append(shape.center_m)
                    turn.append(rotation_matrix(shape.quat_wxyz))
            self._split = self._split or len(segment)
        self._model = compile_spec(spec)
        self._data = mujoco.MjData(self._model)
        self._segment = np.array(segment, dtype=np.int64)
        self._at, self._turn = np.array(at).reshape(-1, 3), np.array(turn).reshape(-1, 3, 3)
        self._reach = np.array(self._model.geom_rbound)

    def depth_m(self, segment_pos_w_m: ArrayLike, segment_quat_wxyz: ArrayLike) -> float:
        """The depth, zero if the legs are clear of each other; arguments are (n, 3) and (n, 4), by segment."""
        pos, quat = np.asarray(segment_pos_w_m, dtype=float), np.asarray(segment_quat_wxyz, dtype=float)
        rot = np.array([rotation_matrix(tuple(quat[k])) for k in range(len(quat))])[self._segment]
        points = pos[self._segment] + np.einsum("gij,gj->gi", rot, self._at)
        self._data.geom_xpos[:] = points
        self._data.geom_xmat[:] = (rot @ self._turn).reshape(-1, 9)
        left, right = points[: self._split], points[self._split :]
        gaps = np.linalg.norm(left[:, None] - right[None], axis=-1)
        gaps -= self._reach[: self._split, None] + self._reach[None, self._split :]
        depth = 0.0
        for a, b in np.argwhere(gaps < 0.0):
            distance = mujoco.mj_geomDistance(self._model, self._data, int(a), int(self._split + b), 0.0, None)
            depth = max(depth, -float(distance))
        return depth
