"""States of the body as SAVE writes and LOAD reads them: the released code's file format, or JSON for other bodies.

The file has 171 lines: the centre of mass at the last step and the one before, its acceleration and velocity; for each
of 17 parts its number, centre, rotation (three rows of four), velocity and rate; for each of 16 joints its servo (on,
target, rate), gains, and previous rate. Axes: x forward, y up, z out of the page; angles are counter-clockwise.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from poise.constants import PLANE_Z_M
from poise.documents import parse_json
from poise.errors import FileFormatError
from poise.language.names import Body

PART_ORDER: Final = (
    *("lTorso", "uTorso", "pelvis", "head", "neck", "lArm", "rArm", "lForearm", "rForearm"),
    *("lThigh", "rThigh", "lShin", "rShin", "lFoot", "rFoot", "lHand", "rHand"),
)
JOINT_ORDER: Final = (
    *("neck2head", "uTorso2neck", "lShoulder", "rShoulder", "lElbow", "rElbow", "lHip", "rHip"),
    *("lKnee", "rKnee", "lAnkle", "rAnkle", "lTorso2uTorso", "waist", "lWrist", "rWrist"),
)
_LINES: Final = 4 + 7 * len(PART_ORDER) + 3 * len(JOINT_ORDER)
FORMAT: Final = "poise-state"


@dataclass(frozen=True)
class Servo:
    """A joint's servo as stored in a file; feedback is not stored."""

    on: bool
    target: float
    kp: float
    kd: float


@dataclass(frozen=True)
class BodyState:
    """Root in the physics's coordinates, joints and servos by axis."""

    root_q: tuple[float, ...]
    root_v: tuple[float, ...]
    joint_q: tuple[float, ...]
    joint_v: tuple[float, ...]
    servos: tuple[Servo, ...]


@dataclass(frozen=True)
class PartState:
    """A part in the plane: centre, angle (counter-clockwise) and their rates."""

    x: float
    y: float
    angle: float
    vx: float
    vy: float
    rate: float


def is_planar17(body: Body) -> bool:
    """Whether the body is planar and has the parts and exactly the joints of the released code's file."""
    character = body.character
    whole = all(p in body.parts for p in PART_ORDER) and all(j in body.joints for j in JOINT_ORDER)
    return whole and character.root == "planar" and len(character.axes) == len(JOINT_ORDER)


def write_state(body: Body, state: BodyState, parts: Sequence[PartState], com: Sequence[float], dt: float) -> str:
    """The text of a state; `com` is x, y, vx and vy of the centre of mass."""
    if not is_planar17(body):
        return write_json(body, state)
    x, y, vx, vy = com
    lines: list[Sequence[float | int]] = [(x, y, PLANE_Z_M), (x - vx * dt, y - vy * dt, PLANE_Z_M)]
    lines += [(0.0, 0.0, 0.0), (vx, vy, 0.0)]
    for k, name in enumerate(PART_ORDER):
        p = parts[body.parts[name]]
        c, s = math.cos(p.angle), math.sin(p.angle)
        lines += [(k,), (p.x, p.y, PLANE_Z_M), (c, -s, 0.0, 0.0), (s, c, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)]
        lines += [(p.vx, p.vy, 0.0), (0.0, 0.0, p.rate)]
    for name in JOINT_ORDER:
        axis = body.joints[name]
        servo = state.servos[axis]
        rate = body.sign(axis) * state.joint_v[axis]
        lines += [(int(servo.on), servo.target, 0.0), (servo.kp, servo.kd), (rate,)]
    return "\n".join(" ".join(repr(v) if isinstance(v, int) else repr(float(v)) for v in line) for line in lines) + "\n"


def write_json(body: Body, state: BodyState) -> str:
    axes = body.character.axis_names
    servos = {n: [int(s.on), s.target, s.kp, s.kd] for n, s in zip(axes, state.servos, strict=True)}
    table = {
        "format": FORMAT,
        "character": body.character.name,
        "root_q": state.root_q,
        "root_v": state.root_v,
        "joint_q_rad": dict(zip(axes, state.joint_q, strict=True)),
        "joint_v_radps": dict(zip(axes, state.joint_v, strict=True)),
        "servos": servos,
    }
    return json.dumps(table, indent=1) + "\n"


def read_state(text: str, body: Body, where: str) -> BodyState:
    """Parse a state in either format."""
    if text.lstrip().startswith("{"):
        return _read_json(text, body, where)
    if not is_planar17(body):
        what = f"this state is for the body of 17 parts, not for {body.character.name}"
        raise FileFormatError(what, path=where)
    rows = _read_rows(text, where)
    parts, at = {}, 4
    for name in PART_ORDER:
        _, centre, first, second, _, velocity, rate = rows[at : at + 7]
        parts[name] = PartState(
            centre[0], centre[1], math.atan2(second[0], first[0]), velocity[0], velocity[1], rate[2]
        )
        at += 7
    servos = {}
    for name in JOINT_ORDER:
        on, gains = rows[at], rows[at + 1]
        servos[body.joints[name]] = Servo(on[0] != 0.0, on[1], gains[0], gains[1])
        at += 3
    return _assemble(body, parts, servos)


def _read_rows(text: str, where: str) -> list[list[float]]:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    widths = [3, 3, 3, 3, *([1, 3, 4, 4, 4, 3, 3] * len(PART_ORDER)), *([3, 2, 1] * len(JOINT_ORDER))]
    if len(lines) < _LINES:
        raise FileFormatError(f"a state has {_LINES} lines, got {len(lines)}", path=where)
    rows: list[list[float]] = []
    for number, (words, width) in enumerate(zip(lines, widths, strict=False), start=1):
        try:
            row = [float(w) for w in words]
        except ValueError:
            row = []
        if len(row) < width or not all(math.isfinite(v) for v in row):
            # The line is not quoted: a script could name any file here.
            what = f"expected {width} number{'s' if width > 1 else ''}"
            raise FileFormatError(what, path=where, line=number)
        rows.append(row)
    return rows


def _assemble(body: Body, parts: dict[str, PartState], servos: dict[int, Servo]) -> BodyState:
    """The state with joint angles from the parts' world angles and the root from the pelvis."""
    character = body.character
    by_segment = {body.parts[name]: state for name, state in parts.items()}
    q, v = [], []
    for axis, spec in enumerate(character.axes):
        child = body.axis_segments[axis]
        parent, sign = by_segment[body.parents[child]], body.sign(axis)
        angle = parent.angle - by_segment[child].angle
        middle = 0.5 * sign * (spec.low_rad + spec.high_rad) if math.isfinite(spec.low_rad + spec.high_rad) else 0.0
        angle = middle + (angle - middle + math.pi) % (2.0 * math.pi) - math.pi
        q.append(sign * angle)
        v.append(sign * (parent.rate - by_segment[child].rate))
    root = by_segment[0]
    pitch, rate = -root.angle, -root.rate
    cx, _, cz = character.segments[0].com_m
    rx, rz = math.cos(pitch) * cx + math.sin(pitch) * cz, -math.sin(pitch) * cx + math.cos(pitch) * cz
    ox, _, oz = character.segments[0].origin_m
    return BodyState(
        root_q=(root.x - rx - ox, root.y - rz - oz, pitch),
        root_v=(root.vx - rate * rz, root.vy + rate * rx, rate),
        joint_q=tuple(q),
        joint_v=tuple(v),
        servos=tuple(servos[a] for a in range(len(character.axes))),
    )


def _read_json(text: str, body: Body, where: str) -> BodyState:
    axes = body.character.axis_names
    try:
        table: dict[str, Any] = parse_json(text, where)
        if table.get("format") != FORMAT:
            raise FileFormatError("not a saved state", path=where)
        rows = [table["servos"][a] for a in axes]
        state = BodyState(
            root_q=tuple(map(float, table["root_q"])),
            root_v=tuple(map(float, table["root_v"])),
            joint_q=tuple(float(table["joint_q_rad"][a]) for a in axes),
            joint_v=tuple(float(table["joint_v_radps"][a]) for a in axes),
            servos=tuple(Servo(bool(r[0]), float(r[1]), float(r[2]), float(r[3])) for r in rows),
        )
    except FileFormatError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, IndexError, AttributeError) as error:
        # Values are not quoted: a script could name any file here.
        known = f" {error}" if isinstance(error, KeyError) else ""
        what = f"not a saved state of {body.character.name}: {type(error).__name__}{known}"
        raise FileFormatError(what, path=where) from None
    free = body.character.root == "free"
    sizes = (len(state.root_q), len(state.root_v))
    numbers = [*state.root_q, *state.root_v, *state.joint_q, *state.joint_v]
    if sizes != ((7, 6) if free else (3, 3)) or not np.all(np.isfinite(numbers)):
        raise FileFormatError(f"not a saved state of {body.character.name}: its root does not fit", path=where)
    return state
