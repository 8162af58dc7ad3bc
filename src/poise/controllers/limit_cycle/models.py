"""Linear models of a step, and a store that looks them up by the state at the start of the step [Laszlo96 §6.1.1].

The text names two ways to save samples: reuse a model while the cycle holds, or look up one that was sampled from a
similar state. In a look-up, Q_nom is the local affine fit over the nearest states, and J is their mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

import numpy as np

from poise.archives import Field, load_archive, save_archive
from poise.characters.model import ROLES, SIDES
from poise.errors import FileFormatError, InputError
from poise.kernels.fixed import contract, exp, solve_definite, turn
from poise.kernels.percept import Percept
from poise.world.controller import FloatArray

#: Number of neighbours in the fit of a model, and the ridge weight that pulls the fit towards their mean.
NEIGHBOURS, RIDGE = 40, 0.03
#: Size of `describe_state`: COM velocity, lean and rates of trunk and pelvis, position and velocity of both feet.
_STATE = 3 + 2 * 5 + 2 * 6
_FIELDS = {
    "states": Field(shape=("models", _STATE)),
    "nominals": Field(shape=("models", 2)),
    "jacobians": Field(shape=("models", 2, None)),
}
_TRUNK = ROLES.index("trunk")
_FEET = [ROLES.index(f"{side}_foot") for side in SIDES]


class Model(NamedTuple):
    """Q(K) = nominal + jacobian @ K of one step [Eq. 3.9]."""

    nominal: FloatArray
    jacobian: FloatArray

    def predict(self, scaling: FloatArray) -> FloatArray:
        return np.asarray(self.nominal + turn(self.jacobian, scaling))

    def mirrored(self) -> Model:
        """The model for the other leg: the component across changes sign, and so does every effect on it."""
        flip = np.array([1.0, -1.0])
        return Model(flip * self.nominal, flip[:, None] * self.jacobian)


def describe_state(percept: Percept, ahead: tuple[float, float], stance: int) -> FloatArray:
    """State features that predict the end of a step on that leg, in the frame of the hips; left is the swing side.

    COM velocity, lean and angular velocity of trunk and pelvis, position from the COM and velocity of both feet.
    """
    c, s = ahead
    side = 1.0 if stance == 1 else -1.0
    rotation = np.array([[c, s, 0.0], [-side * s, side * c, 0.0], [0.0, 0.0, 1.0]])
    trunk = percept.roles[_TRUNK]
    parts = [turn(rotation, percept.com_vel_w)]
    for segment in (trunk, 0):
        parts.append(turn(rotation, percept.rot_w[segment].reshape(3, 3)[:, 2])[:2])
        # An angular velocity is a pseudovector: a reflection also changes its sign.
        spin = turn(rotation, percept.spatial_vel[segment, :3])
        parts.append(spin * np.array([side, side, side]))
    for foot in (_FEET[stance], _FEET[1 - stance]):
        segment = percept.roles[foot]
        parts.append(turn(rotation, percept.pos_w[segment] - percept.com_w))
        velocity = percept.spatial_vel[segment]
        arm = percept.pos_w[segment] - percept.subtree_com_w[0]
        parts.append(turn(rotation, velocity[3:] + np.cross(velocity[:3], arm)))
    return np.concatenate(parts)


class ModelStore:
    """Models, looked up by the states that they were sampled from."""

    def __init__(self, states: FloatArray, nominals: FloatArray, jacobians: FloatArray) -> None:
        if not len(states) == len(nominals) == len(jacobians) or len(states) < 2:
            raise InputError(f"models: a store needs two models or more, got {len(states)}.")
        self.states, self.nominals, self.jacobians = states, nominals, jacobians
        self._middle, self._spread = states.mean(axis=0), np.maximum(states.std(axis=0), 1e-6)
        self._scaled = (states - self._middle) / self._spread

    @classmethod
    def gather(cls, seen: Sequence[tuple[FloatArray, Model]]) -> ModelStore:
        """A store of models and their states."""
        states, models = zip(*seen, strict=True)
        return cls(np.array(states), np.array([m.nominal for m in models]), np.array([m.jacobian for m in models]))

    def __len__(self) -> int:
        return len(self.states)

    def look_up(self, state: FloatArray) -> Model:
        """The model for a state, fitted to its nearest neighbours."""
        point = (state - self._middle) / self._spread
        distance = np.linalg.norm(self._scaled - point, axis=1)
        near = np.argsort(distance)[:NEIGHBOURS]
        width = max(float(distance[near[-1]]), 1e-9)
        weight = exp(-0.5 * (2.0 * distance[near] / width) ** 2)
        weight /= weight.sum()
        middle, mean = (contract(weight[None], part)[0] for part in (self._scaled[near], self.nominals[near]))
        x, y = self._scaled[near] - middle, self.nominals[near] - mean
        gram = contract((x * weight[:, None]).T, x)
        slope = solve_definite(gram + RIDGE * np.eye(len(point)), contract((x * weight[:, None]).T, y))
        jacobian = contract(weight[None], self.jacobians[near].reshape(len(near), -1)).reshape(2, 2)
        return Model(mean + contract((point - middle)[None], slope)[0], jacobian)

    def save(self, path: str | PathLike[str]) -> None:
        save_archive(path, {"states": self.states, "nominals": self.nominals, "jacobians": self.jacobians})


def join(stores: Sequence[ModelStore]) -> ModelStore:
    """All models of several stores in one."""
    return ModelStore(
        np.concatenate([s.states for s in stores]),
        np.concatenate([s.nominals for s in stores]),
        np.concatenate([s.jacobians for s in stores]),
    )


def load_models(path: str | PathLike[str]) -> ModelStore:
    """Load a store that `ModelStore.save` wrote."""
    arrays = load_archive(path, _FIELDS, kind="store of models")
    try:
        return ModelStore(arrays["states"], arrays["nominals"], arrays["jacobians"])
    except InputError as error:
        raise FileFormatError(f"not a store of models: {error}", path=path) from error
