"""The linear model of a step from samples, and the scalings that reach a target with it [Laszlo96 §3.7]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from poise.controllers.limit_cycle.models import Model
from poise.kernels.fixed import solve_pair, turn
from poise.world.controller import FloatArray

#: A slope of the model (change of Q per degree of perturbation) below this is singular: the last scaling is kept.
LEAST_SLOPE: Final = 1e-5

#: Returns the result of the step with each of some scalings.
Attempt = Callable[[Sequence[FloatArray]], Sequence[FloatArray]]


def build_model(
    attempt: Attempt,
    strategy: str,
    target: FloatArray,
    sample: FloatArray,
    most: FloatArray,
    around: FloatArray,
    before: Sequence[float],
) -> Model:
    """The linear model of a step around some scalings; `before` are those of the previous step.

    SP takes each component from its own perturbation alone. F-L first solves for the forward scaling and samples the
    lateral one with it applied; L-F does the reverse. Our `jacobian` takes all four entries from the same four samples.
    """
    unit = np.eye(2)
    if strategy in ("SP", "jacobian"):
        tries = [around + sign * sample[k] * unit[k] for k in range(2) for sign in (1.0, -1.0)]
        found = np.array(attempt(tries))
        jacobian = np.column_stack([(found[2 * k] - found[2 * k + 1]) / (2.0 * sample[k]) for k in range(2)])
        middle = np.array([0.5 * (found[2 * k] + found[2 * k + 1]) for k in range(2)])
        if strategy == "SP":
            jacobian = np.diag(np.diag(jacobian))
            nominal = np.diag(middle)
        else:
            nominal = middle.mean(axis=0)
        return Model(nominal - turn(jacobian, around), jacobian)
    order = (0, 1) if strategy == "FL" else (1, 0)
    jacobian, nominal, settled = np.zeros((2, 2)), np.zeros(2), around.copy()
    for k in order:
        tries = [settled + sign * sample[k] * unit[k] for sign in (1.0, -1.0)]
        found = np.array(attempt(tries))
        jacobian[k, k] = (found[0, k] - found[1, k]) / (2.0 * sample[k])
        nominal[k] = 0.5 * (found[0, k] + found[1, k]) - jacobian[k, k] * settled[k]
        if abs(jacobian[k, k]) >= LEAST_SLOPE:
            settled[k] = min(max((target[k] - nominal[k]) / jacobian[k, k], -most[k]), most[k])
        else:
            settled[k] = before[k]
    return Model(nominal, jacobian)


def solve(model: Model, target: FloatArray, most: FloatArray, before: Sequence[float]) -> tuple[FloatArray, bool]:
    """K* = J⁻¹·(Q_d − Q_nom) clamped, and whether J is singular: components without a slope then keep `before`."""
    jacobian = model.jacobian
    scale = np.abs(np.diag(jacobian))
    if not np.isfinite(jacobian).all() or not np.isfinite(model.nominal).all():
        # A sample diverged and could not be measured.
        return np.clip(np.array(before), -most, most), True
    singular = bool(
        scale.min() < LEAST_SLOPE
        or abs(jacobian[0, 0] * jacobian[1, 1] - jacobian[0, 1] * jacobian[1, 0]) < LEAST_SLOPE * scale.max()
    )
    if singular:
        scaling = np.array(before, dtype=np.float64)
        for k in range(2):
            if scale[k] >= LEAST_SLOPE:
                scaling[k] = (target[k] - model.nominal[k]) / jacobian[k, k]
    else:
        scaling = solve_pair(jacobian, target - model.nominal)
    return np.clip(scaling, -most, most), singular
