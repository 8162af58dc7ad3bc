"""Measures of effort and smoothness: torques, work, and their rates of change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from poise.constants import GRAVITY_MPS2
from poise.measures.metrics import MIN_TRAVEL_M, compute_way_m
from poise.measures.window import Window
from poise.recordings.recording import FloatArray


def _power(w: Window) -> float:
    whole_s = max(float(w.recording.time_s[-1] - w.recording.time_s[0]), 1e-9)
    return w.recording.tallies[0].absolute_work_j / (w.recording.characters[0].mass_kg * whole_s)


def _cost_of_transport(w: Window) -> float:
    """Absolute work / (weight × distance), over the whole run; very high for a body that stays in place."""
    way = abs(float(compute_way_m(w.recording)[-1]))
    weight = w.recording.characters[0].mass_kg * GRAVITY_MPS2
    return w.recording.tallies[0].absolute_work_j / (weight * max(way, MIN_TRAVEL_M))


def _mean_change(w: Window, values: FloatArray) -> float:
    """Mean absolute rate of change of per-frame values."""
    return float(np.abs(np.diff(values, axis=0)).mean()) * max(len(w.time_s) - 1, 1) / w.seconds


EFFORT: Final[Mapping[str, Callable[[Window], float]]] = {
    "power_w_per_kg": _power,
    "cost_of_transport": _cost_of_transport,
    "mean_torque_nm": lambda w: w.recording.tallies[0].mean_abs_torque_nm,
    "peak_torque_nm": lambda w: w.recording.tallies[0].peak_torque_nm,
    "squared_torque_nm2": lambda w: float(np.square(w.recording.torque_nm[w.frames]).mean()),
    "roughness_radps2": lambda w: _mean_change(w, w.recording.joint_v_radps[w.frames]),
    "torque_roughness_nmps": lambda w: _mean_change(w, w.recording.torque_nm[w.frames]),
}
