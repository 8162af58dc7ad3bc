"""Exports a recording as a table: one row per frame, one column per quantity, units in the names."""

from __future__ import annotations

import csv
import io
from os import PathLike

import numpy as np

from poise.characters.model import SIDES
from poise.files import write_atomic
from poise.recordings.contacts import compute_foot_forces_w_n
from poise.recordings.recording import FloatArray, Recording

_ROWS_AT_ONCE = 1000


def export_csv(recording: Recording, path: str | PathLike[str]) -> None:
    """Writes time, root, joints, torques, centre of mass and the force under each foot, atomically.

    If there are several characters, their columns begin with `c0_`, `c1_` and so on.
    """
    names, table = compute_table(recording)
    with write_atomic(path, "w") as file:
        csv.writer(file, lineterminator="\n").writerow(names)
        for start in range(0, len(table), _ROWS_AT_ONCE):
            text = io.StringIO()
            np.savetxt(text, table[start : start + _ROWS_AT_ONCE], fmt="%.10g", delimiter=",")
            file.write(text.getvalue())


def compute_table(recording: Recording) -> tuple[list[str], FloatArray]:
    """Column names and values, (F, columns)."""
    columns: list[tuple[str, FloatArray]] = [("time_s", recording.time_s)]
    for index in range(len(recording.characters)):
        prefix = f"c{index}_" if len(recording.characters) > 1 else ""
        columns += [(prefix + name, values) for name, values in _columns_of(recording, index)]
    return [name for name, _ in columns], np.column_stack([values for _, values in columns])


def _columns_of(recording: Recording, index: int) -> list[tuple[str, FloatArray]]:
    root = recording.segments_of(index).start
    axes = recording.characters[index].axis_names
    span = recording.axes_of(index)
    forces = compute_foot_forces_w_n(recording, index)
    return [
        *_vector("root", "m", recording.segment_pos_w_m[:, root]),
        *((f"root_quat_{c}", recording.segment_quat_wxyz[:, root, k]) for k, c in enumerate("wxyz")),
        *((f"{name}_rad", recording.joint_q_rad[:, span.start + k]) for k, name in enumerate(axes)),
        *((f"{name}_radps", recording.joint_v_radps[:, span.start + k]) for k, name in enumerate(axes)),
        *((f"{name}_torque_nm", recording.torque_nm[:, span.start + k]) for k, name in enumerate(axes)),
        *_vector("com", "m", recording.com_w_m[:, index]),
        *_vector("com_vel", "mps", recording.com_vel_w_mps[:, index]),
        *(column for k, side in enumerate(SIDES) for column in _vector(f"{side}_foot_force", "n", forces[:, k])),
    ]


def _vector(name: str, unit: str, values: FloatArray) -> list[tuple[str, FloatArray]]:
    return [(f"{name}_{c}_{unit}", values[:, k]) for k, c in enumerate("xyz")]
