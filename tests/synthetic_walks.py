"""Recordings made by hand: a body that walks by formula, so that every figure is known beforehand.

The stance foot stands still, the swing foot flies in an arc, the legs follow by inverse kinematics. Poses are built
with scipy's rotations, which the code under test does not use.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
from scipy.spatial.transform import Rotation

from poise.characters.model import Axis, Character, Joint, JointKind, Landmark, RootKind, Segment, Shape, Vec3
from poise.recordings.recording import Event, Recording, Tally

THIGH_M, SHANK_M, ANKLE_M, HIP_Y_M = 0.45, 0.45, 0.07, 0.1
HIP_HEIGHT_M = 0.93
STEP_S = 0.5
DUTY = 0.6
"""Part of a stride in which a foot is on the ground; a stride is two steps."""

_DIRECTIONS: dict[str, Vec3] = {"pitch": (0.0, -1.0, 0.0), "roll": (1.0, 0.0, 0.0), "yaw": (0.0, 0.0, 1.0)}


def _joint(name: str, kind: JointKind, *turns: str, knee: bool = False) -> Joint:
    axes = []
    for turn in turns:
        x, y, z = _DIRECTIONS[turn]
        axes.append(Axis(f"{name}_{turn}", (x, -y, z) if knee else (x, y, z), torque_limit_nm=200.0))
    return Joint(name, kind, tuple(axes))


def _segment(
    name: str, parent: str | None, joint: Joint | None, origin: Vec3, mass: float, com: Vec3, *shapes: Shape
) -> Segment:
    inertia = (0.02 * mass, 0.018 * mass, 0.005 * mass, 0.0, 0.001 * mass, 0.0)
    return Segment(name, parent, joint, origin, mass, com, inertia, shapes)


def make_character(root: RootKind = "planar", name: str = "synthetic") -> Character:
    """A biped with ball hips, a ball back, arms and toes; its legs are the constants above."""
    segments = [
        _segment("pelvis", None, None, (0, 0, 0), 12.0, (0, 0, 0.02), Shape("box", (0.16, 0.26, 0.14), (0, 0, 0.03))),
        _segment(
            "trunk", "pelvis", _joint("back", "ball", "pitch", "roll", "yaw"), (0, 0, 0.1), 28.0, (0, 0, 0.2),
            Shape("capsule", (0.11, 0.26), (0, 0, 0.2)),
        ),
        _segment(
            "head", "trunk", _joint("neck", "hinge", "pitch"), (0, 0, 0.45), 5.0, (0, 0, 0.12),
            Shape("ellipsoid", (0.09, 0.08, 0.12), (0.01, 0, 0.12)),
        ),
    ]  # fmt: skip
    for side, y in (("left", HIP_Y_M), ("right", -HIP_Y_M)):
        segments += [
            _segment(
                f"{side}_thigh", "pelvis", _joint(f"{side}_hip", "ball", "pitch", "roll", "yaw"), (0, y, 0), 8.0,
                (0, 0, -THIGH_M / 2), Shape("capsule", (0.065, THIGH_M - 0.06), (0, 0, -THIGH_M / 2)),
            ),
            _segment(
                f"{side}_shank", f"{side}_thigh", _joint(f"{side}_knee", "hinge", "pitch", knee=True),
                (0, 0, -THIGH_M), 4.0, (0, 0, -SHANK_M / 2),
                Shape("capsule", (0.045, SHANK_M - 0.04), (0, 0, -SHANK_M / 2)),
            ),
            _segment(
                f"{side}_foot", f"{side}_shank", _joint(f"{side}_ankle", "universal", "pitch", "roll"),
                (0, 0, -SHANK_M), 1.0, (0.03, 0, -0.04), Shape("box", (0.18, 0.09, 0.06), (0.03, 0, -0.04)),
            ),
            _segment(
                f"{side}_toes", f"{side}_foot", _joint(f"{side}_toe", "hinge", "pitch"), (0.12, 0, -0.05), 0.2,
                (0.03, 0, 0.0), Shape("cylinder", (0.02, 0.08), (0.02, 0, 0), (math.sqrt(0.5), math.sqrt(0.5), 0, 0)),
            ),
            _segment(
                f"{side}_upper_arm", "trunk", _joint(f"{side}_shoulder", "ball", "pitch", "roll", "yaw"),
                (0, 1.9 * y, 0.38), 2.0, (0, 0, -0.14), Shape("capsule", (0.04, 0.22), (0, 0, -0.14)),
            ),
            _segment(
                f"{side}_forearm", f"{side}_upper_arm", _joint(f"{side}_elbow", "hinge", "pitch"), (0, 0, -0.28),
                1.5, (0, 0, -0.13),
                Shape("capsule", (0.032, 0.2), (0, 0, -0.12)), Shape("sphere", (0.045,), (0, 0, -0.26)),
            ),
        ]  # fmt: skip
    roles = {"pelvis": "pelvis", "trunk": "trunk", "head": "head"}
    for part in ("thigh", "shank", "foot", "toes", "upper_arm", "forearm"):
        roles |= {f"{side}_{part}": f"{side}_{part}" for side in ("left", "right")}
    marks = (Landmark("left_heel", "left_foot", (-0.06, 0.0, -0.07), ground=True),)
    return Character(name, root, tuple(segments), roles, marks, {"left_knee_pitch": 0.1}, "made by hand")


def foot_position_m(side: int, time_s: float, speed_mps: float) -> tuple[float, float, bool]:
    """Ankle of foot 0 (left) or 1 (right): x, height above its stance height, and whether it stands.

    Foot `side` strikes at the times STEP_S * (2 k + side), at speed * time plus half of what its stance covers.
    """
    stride = 2 * STEP_S
    phase, since = divmod(time_s - side * STEP_S, stride)[0], (time_s - side * STEP_S) % stride
    struck = side * STEP_S + phase * stride
    landed = speed_mps * (struck + 0.5 * DUTY * stride)
    if since < DUTY * stride:
        return landed, 0.0, True
    u = (since - DUTY * stride) / ((1 - DUTY) * stride)
    smooth = u * u * (3 - 2 * u)
    return landed + speed_mps * stride * smooth, 0.1 * math.sin(math.pi * u) ** 2, False


def _joint_angles(character: Character, time_s: float, speed_mps: float) -> dict[str, float]:
    angles = dict.fromkeys(character.axis_names, 0.0)
    hip_x = speed_mps * time_s
    swing = math.sin(math.pi * time_s / STEP_S)
    for side, name in enumerate(("left", "right")):
        x, height, _ = foot_position_m(side, time_s, speed_mps)
        dx, dz = x - hip_x, ANKLE_M + height - HIP_HEIGHT_M
        reach = min(math.hypot(dx, dz), 0.999 * (THIGH_M + SHANK_M))
        knee = math.pi - math.acos((THIGH_M**2 + SHANK_M**2 - reach**2) / (2 * THIGH_M * SHANK_M))
        lean = math.atan2(dx, -dz)
        hip = lean + math.atan2(SHANK_M * math.sin(knee), THIGH_M + SHANK_M * math.cos(knee))
        sign = 1 - 2 * side
        angles |= {
            f"{name}_hip_pitch": hip,
            f"{name}_knee_pitch": knee,
            f"{name}_ankle_pitch": knee - hip,
            f"{name}_shoulder_pitch": -0.5 * sign * swing,
            f"{name}_elbow_pitch": 0.5 - 0.2 * sign * swing,
        }
        if character.root == "free":
            angles |= {f"{name}_hip_roll": 0.05 * swing, f"{name}_shoulder_roll": 0.2 * sign, f"{name}_hip_yaw": 0.1}
    angles["back_pitch"] = -0.06
    if character.root == "free":
        angles |= {"back_yaw": 0.1 * swing, "back_roll": 0.04 * swing}
    return angles


def _pose(
    character: Character, times: np.ndarray, speed_mps: float, turn_radius_m: float
) -> tuple[np.ndarray, list[Rotation], np.ndarray]:
    """Positions (F, S, 3), orientations (a stack for each segment) and joint angles (F, U) at the times."""
    way = speed_mps * times
    yaw = way / turn_radius_m
    height = np.full_like(times, HIP_HEIGHT_M)
    if math.isfinite(turn_radius_m):
        root = np.stack([turn_radius_m * np.sin(yaw), turn_radius_m * (1 - np.cos(yaw)), height], axis=-1)
    else:
        root = np.stack([way, 0 * way, height], axis=-1)
    by_time = [_joint_angles(character, t, speed_mps) for t in times]
    angles = np.array([[pose[name] for name in character.axis_names] for pose in by_time])
    at: dict[str, np.ndarray] = {}
    turned: dict[str, Rotation] = {}
    for segment in character.segments:
        if segment.parent is None or segment.joint is None:
            at[segment.name], turned[segment.name] = root, Rotation.from_rotvec(np.outer(yaw, [0.0, 0.0, 1.0]))
            continue
        rotation = turned[segment.parent]
        at[segment.name] = at[segment.parent] + rotation.apply(segment.origin_m)
        for axis in segment.joint.axes:
            column = angles[:, character.axis_index(axis.name)]
            rotation = rotation * Rotation.from_rotvec(np.outer(column, axis.direction))
        turned[segment.name] = rotation
    names = character.segment_names
    return np.stack([at[n] for n in names], axis=1), [turned[n] for n in names], angles


def _com(character: Character, positions: np.ndarray, rotations: list[Rotation]) -> np.ndarray:
    total = sum(s.mass_kg * (positions[:, k] + rotations[k].apply(s.com_m)) for k, s in enumerate(character.segments))
    return np.asarray(total) / character.mass_kg


def make_walk(
    *,
    root: RootKind = "planar",
    seconds: float = 3.0,
    hz: float = 100.0,
    speed_mps: float = 1.2,
    turn_radius_m: float = math.inf,
    falls_at_s: float | None = None,
    offset_m: float = 0.0,
    character: Character | None = None,
) -> Recording:
    """A walk at constant speed, on a circle to the left where a radius is given (then the root must be free)."""
    body = character or make_character(root)
    time = np.arange(round(seconds * hz) + 1) / hz
    shift = np.array([offset_m, 0.0, 0.0])
    positions, rotations, joints = _pose(body, time, speed_mps, turn_radius_m)
    com = _com(body, positions, rotations) + shift
    positions = positions + shift
    quats = np.stack([r.as_quat(scalar_first=True) for r in rotations], axis=1)
    h = 1e-5
    ahead = _pose(body, time + h, speed_mps, turn_radius_m)
    behind = _pose(body, time - h, speed_mps, turn_radius_m)
    com_vel = (_com(body, *ahead[:2]) - _com(body, *behind[:2])) / (2 * h)
    joint_v = (ahead[2] - behind[2]) / (2 * h)
    start, segments, points, forces = _make_contacts(body, positions, time, speed_mps)
    torque = 20.0 * np.sin(joints + np.arange(joints.shape[1]))
    return Recording(
        characters=(body,),
        controllers=("made/by-hand",),
        props=(),
        timestep_s=0.001,
        time_s=time,
        qpos=np.concatenate([positions[:, 0], quats[:, 0], joints], axis=1),
        qvel=np.concatenate([com_vel, np.zeros((len(time), 3)), joint_v], axis=1),
        joint_q_rad=joints,
        joint_v_radps=joint_v,
        torque_nm=torque,
        segment_pos_w_m=positions,
        segment_quat_wxyz=quats,
        com_w_m=com[:, None],
        com_vel_w_mps=com_vel[:, None],
        contact_start=start,
        contact_segment=segments,
        contact_other=np.full(len(segments), -1),
        contact_pos_w_m=points,
        contact_force_w_n=forces,
        events=_make_events(seconds, falls_at_s),
        meta={"seed": 3, "terrain": "flat", "parameters": {"speed_mps": speed_mps}, "notes": ["ä", None, True]},
    )


def _make_events(seconds: float, falls_at_s: float | None) -> tuple[Event, ...]:
    events = []
    for k in range(1, math.floor(seconds / STEP_S) + 1):
        events.append(Event(k * STEP_S, "strike", 0, ("left_foot", "right_foot")[k % 2]))
        lift = (k - 2) * STEP_S + DUTY * 2 * STEP_S
        if 0 < lift <= seconds:
            events.append(Event(lift, "lift", 0, ("left_foot", "right_foot")[k % 2]))
    if falls_at_s is not None:
        events.append(Event(falls_at_s, "down", 0, "trunk", "trunk past its tilt"))
    return tuple(sorted(events, key=lambda e: e.time_s))


def _make_contacts(
    body: Character, positions: np.ndarray, time: np.ndarray, speed_mps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Four corners under each standing foot, which share the weight evenly."""
    start, segments, points, forces = [0], [], [], []
    weight = body.mass_kg * 9.81
    for f, t in enumerate(time):
        standing = [side for side in range(2) if foot_position_m(side, t, speed_mps)[2]]
        for side in standing:
            index = body.segment_names.index(("left_foot", "right_foot")[side])
            x, y, _ = positions[f, index]
            for dx, dy in ((-0.06, -0.045), (-0.06, 0.045), (0.12, -0.045), (0.12, 0.045)):
                segments.append(index)
                points.append((x + dx, y + dy, 0.0))
                forces.append((0.0, 0.0, weight / (4 * len(standing))))
        start.append(len(segments))
    return (
        np.array(start, dtype=np.int64),
        np.array(segments, dtype=np.int64),
        np.array(points, dtype=np.float64).reshape(-1, 3),
        np.array(forces, dtype=np.float64).reshape(-1, 3),
    )


def join(a: Recording, b: Recording) -> Recording:
    """Both characters in one world with a ball that lies still at (5, 0, 0.1); times must agree."""
    assert np.array_equal(a.time_s, b.time_s)
    frames, shift = a.frames, a.segment_pos_w_m.shape[1]
    ball = np.broadcast_to([5.0, 0.0, 0.1], (frames, 1, 3))
    upright = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (frames, 1, 4))
    order = np.argsort(np.concatenate([a.contact_frame, b.contact_frame]), kind="stable")
    pick = lambda name: np.concatenate([getattr(a, name), getattr(b, name)])[order]  # noqa: E731
    moved = replace(b, contact_segment=b.contact_segment + shift)
    return replace(
        a,
        characters=a.characters + b.characters,
        controllers=a.controllers + b.controllers,
        props=("ball",),
        qpos=np.concatenate([a.qpos, b.qpos], axis=1),
        qvel=np.concatenate([a.qvel, b.qvel], axis=1),
        joint_q_rad=np.concatenate([a.joint_q_rad, b.joint_q_rad], axis=1),
        joint_v_radps=np.concatenate([a.joint_v_radps, b.joint_v_radps], axis=1),
        torque_nm=np.concatenate([a.torque_nm, b.torque_nm], axis=1),
        segment_pos_w_m=np.concatenate([a.segment_pos_w_m, b.segment_pos_w_m, ball], axis=1),
        segment_quat_wxyz=np.concatenate([a.segment_quat_wxyz, b.segment_quat_wxyz, upright], axis=1),
        com_w_m=np.concatenate([a.com_w_m, b.com_w_m], axis=1),
        com_vel_w_mps=np.concatenate([a.com_vel_w_mps, b.com_vel_w_mps], axis=1),
        contact_start=a.contact_start + b.contact_start,
        contact_segment=np.concatenate([a.contact_segment, moved.contact_segment])[order],
        contact_other=pick("contact_other"),
        contact_pos_w_m=pick("contact_pos_w_m"),
        contact_force_w_n=pick("contact_force_w_n"),
        events=a.events + tuple(replace(e, character=1) for e in b.events),
        tallies=(Tally(10.0, 20.0, 30.0, 4.0), Tally(1.0, 2.0, 3.0, 0.4)),
    )


def cut(recording: Recording, frames: int) -> Recording:
    """The first frames of a recording, without its events and contacts."""
    arrays = {
        f.name: getattr(recording, f.name)[:frames]
        for f in fields(Recording)
        if isinstance(getattr(recording, f.name), np.ndarray) and not f.name.startswith("contact")
    }
    return replace(
        recording,
        **arrays,
        contact_start=np.zeros(frames + 1, dtype=np.int64),
        contact_segment=np.zeros(0, dtype=np.int64),
        contact_other=np.zeros(0, dtype=np.int64),
        contact_pos_w_m=np.zeros((0, 3)),
        contact_force_w_n=np.zeros((0, 3)),
        events=(),
    )
