"""A SIMBICON gait in space as a TOML table: reading and writing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from poise.characters.model import SIDES
from poise.controllers.simbicon import spatial_law as law
from poise.controllers.simbicon.spatial_gait import (
    ANGLE_RANGE,
    DURATION_RANGE,
    FEEDBACK_KEYS,
    GAIN_RANGE,
    HOLD,
    JOINT_SPEED_RANGE,
    MASS_RANGE,
    SPEED_RANGE,
    STANCES,
    STATE_KEYS,
    STIFFNESS_RANGE,
    TURN_RANGE,
    UNTIL,
    SpatialGait,
    StepState,
)
from poise.tables import Table, as_table
from poise.world.controller import Start

_GAIT_KEYS = (
    "mass_kg", "until", "hold", "root_kp_nm_per_rad", "root_kd_nms_per_rad", "heading_joints", "gains", "start",
    "states",
)  # fmt: skip
_START_KEYS = ("stance", "joint_q_rad", "joint_v_radps", "velocity_mps", "pitch_rad")


def _read_state(table: Table) -> StepState:
    channels = [key for key in table if key.endswith("_rad") and key not in STATE_KEYS]
    for key in table:
        if key not in channels:
            table.check_known("key", key, [*STATE_KEYS, "CHANNEL_rad"], key)
    with table.errors_at():
        return StepState(
            name=table.string("name"),
            stance=table.choice("stance", "stance", STANCES, "both"),
            duration_s=table.number("duration_s", *DURATION_RANGE),
            turn_rad=table.number("turn_rad", *TURN_RANGE, 0.0),
            feedback={k: table.number(k, *GAIN_RANGE) for k in FEEDBACK_KEYS if k in table},
            targets_rad={k.removesuffix("_rad"): table.series(k, *ANGLE_RANGE, law.MAX_POINTS) for k in channels},
        )


def _read_start(table: Table) -> Start:
    table.only(*_START_KEYS)
    angles, speeds = table.table("joint_q_rad"), table.table("joint_v_radps")
    x, y, z = table.vector("velocity_mps", (3,), *SPEED_RANGE, (0.0, 0.0, 0.0))
    return Start(
        joint_q_rad={axis: angles.number(axis, *ANGLE_RANGE) for axis in angles},
        joint_v_radps={axis: speeds.number(axis, *JOINT_SPEED_RANGE) for axis in speeds},
        root_pitch_rad=table.number("pitch_rad", *ANGLE_RANGE, 0.0),
        root_vel_mps=(x, y, z),
    )


def _read_gains(table: Table) -> dict[str, tuple[float, float]]:
    gains = {}
    for axis in table:
        kp, kd = table.vector(axis, (2,), *STIFFNESS_RANGE)
        gains[axis] = (kp, kd)
    return gains


def read_gait(table: Mapping[str, Any], where: str) -> SpatialGait:
    """Read a gait from its TOML table."""
    table = as_table(table, where)
    table.only(*_GAIT_KEYS)
    states = tuple(_read_state(state) for state in table.tables("states", required=True))
    kp_pitch, kp_roll, kp_yaw = table.vector("root_kp_nm_per_rad", (3,), *STIFFNESS_RANGE)
    kd_pitch, kd_roll, kd_yaw = table.vector("root_kd_nms_per_rad", (3,), *STIFFNESS_RANGE)
    start = table.table("start")
    with table.errors_at("states"):
        return SpatialGait(
            states=states,
            until=table.choice("until", "way to end a step", UNTIL),
            hold=table.choice("hold", "way to hold the root", HOLD, "stance"),
            root_kp_nm_per_rad=(kp_pitch, kp_roll, kp_yaw),
            root_kd_nms_per_rad=(kd_pitch, kd_roll, kd_yaw),
            mass_kg=table.number("mass_kg", *MASS_RANGE),
            heading_joints=tuple(table.strings("heading_joints", ())),
            gains=_read_gains(table.table("gains")),
            start=_read_start(start),
            first_stance=start.choice("stance", "stance", SIDES, "left"),
        )


def _plain(points: tuple[float, ...]) -> float | list[float]:
    """A single point as a plain number."""
    return points[0] if len(points) == 1 else list(points)


def _write_start(start: Start, first_stance: str) -> dict[str, Any]:
    table: dict[str, Any] = {} if first_stance == "left" else {"stance": first_stance}
    if any(start.root_vel_mps):
        table["velocity_mps"] = list(start.root_vel_mps)
    if start.root_pitch_rad:
        table["pitch_rad"] = start.root_pitch_rad
    if start.joint_q_rad:
        table["joint_q_rad"] = dict(start.joint_q_rad)
    if start.joint_v_radps:
        table["joint_v_radps"] = dict(start.joint_v_radps)
    return table


def write_gait(gait: SpatialGait) -> dict[str, Any]:
    """The gait's TOML table."""
    states = [
        {
            "name": s.name,
            "stance": s.stance,
            "duration_s": s.duration_s,
            **({"turn_rad": s.turn_rad} if s.turn_rad else {}),
            **s.feedback,
            **{f"{c}_rad": _plain(points) for c, points in s.targets_rad.items()},
        }
        for s in gait.states
    ]
    start = _write_start(gait.start, gait.first_stance)
    return {
        "mass_kg": gait.mass_kg,
        "until": gait.until,
        **({"hold": gait.hold} if gait.hold != "stance" else {}),
        "root_kp_nm_per_rad": list(gait.root_kp_nm_per_rad),
        "root_kd_nms_per_rad": list(gait.root_kd_nms_per_rad),
        **({"heading_joints": list(gait.heading_joints)} if gait.heading_joints else {}),
        **({"gains": {k: list(v) for k, v in gait.gains.items()}} if gait.gains else {}),
        **({"start": start} if start else {}),
        "states": states,
    }
