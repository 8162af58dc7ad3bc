"""Motions made from formulas, and writers of files with the oddities of many programs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from poise.motion.clip import Clip
from poise.motion.pose_algebra import rise
from poise.motion.read_deepmimic import JOINTS as DEEPMIMIC_JOINTS
from poise.motion.rotations import quat_about, quat_multiply, quat_normalize, quat_slerp
from poise.motion.skeleton import Skeleton
from unit.motion.walkers import ANKLE_M, NAMES, make_skeleton, make_walk

RATE_HZ = 30.0
#: Height of the hips over level soles with straight legs.
STANDING_M = ANKLE_M + 0.05 + 0.43 + 0.42
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def index(name: str) -> int:
    return NAMES.index(name)


def make_clip(quats: np.ndarray, root: np.ndarray, name: str = "clip") -> Clip:
    return Clip(name, make_skeleton(), 1.0 / RATE_HZ, root, quats)


def identity(frames: int) -> np.ndarray:
    return np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(NAMES), 1))


def hang_arms(quats: np.ndarray, angle_rad: float | np.ndarray = 1.4) -> np.ndarray:
    """The poses with arms that hang down by an angle from a T-pose."""
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        quats[:, index(f"{side}Arm")] = quat_about((-sign, 0.0, 0.0), np.broadcast_to(angle_rad, len(quats)))
    return quats


def on_ground(quats: np.ndarray, way: np.ndarray, clearance_m: float | np.ndarray = 0.0) -> Clip:
    """The motion along positions (F, 2) with its lowest joint 3 cm above the ground, or higher."""
    root = np.zeros((len(quats), 3))
    root[:, :2] = way
    low = make_clip(quats, root).places_w_m[..., 2].min(axis=1)
    root[:, 2] = 0.03 - low + clearance_m
    return make_clip(quats, root)


def stand(frames: int) -> Clip:
    """Standing still with hanging arms."""
    quats = hang_arms(identity(frames))
    for side in ("Left", "Right"):
        for part, angle in (("UpLeg", -0.1), ("Leg", 0.2), ("Foot", -0.1)):
            quats[:, index(f"{side}{part}")] = quat_about(Y, np.full(frames, angle))
    return on_ground(quats, np.zeros((frames, 2)))


def t_pose(frames: int, at: Clip | None = None, frame: int = 0) -> Clip:
    """A T-pose, at the place of a frame of another motion."""
    root = np.tile([0.0, 0.0, STANDING_M], (frames, 1))
    if at is not None:
        root[:, :2] = at.root_pos_m[frame, :2]
    return make_clip(identity(frames), root)


def blend(a: Clip, b: Clip, frames: int) -> Clip:
    """The change from the end of a motion to the start of another."""
    part = np.asarray(rise(np.linspace(0.0, 1.0, frames + 2)[1:-1]))
    quats = quat_slerp(a.quats_wxyz[-1:], b.quats_wxyz[:1], part[:, None])
    root = a.root_pos_m[-1] + part[:, None] * (b.root_pos_m[0] - a.root_pos_m[-1])
    return replace(a, quats_wxyz=quats, root_pos_m=root)


def join(*clips: Clip) -> Clip:
    """Motions one after another."""
    quats, root = (np.concatenate([getattr(c, n) for c in clips]) for n in ("quats_wxyz", "root_pos_m"))
    return replace(clips[0], quats_wxyz=quats, root_pos_m=root)


def walk(frames: int = 120, **more: float) -> Clip:
    return make_walk(frames, RATE_HZ, **more)


def smooth_walk(frames: int = 120, speed_mps: float = 0.9, slope: float = 0.0) -> Clip:
    """A walk whose stance feet move evenly under the body, which moves evenly ahead, as on a treadmill or a ramp."""
    stride_s = 1.2
    phase = (np.arange(frames) / RATE_HZ / stride_s) % 1.0
    quats = hang_arms(identity(frames))
    for side, shift in (("Left", 0.0), ("Right", 0.5)):
        p = (phase + shift) % 1.0
        stance = p < 0.55
        s = np.where(stance, p / 0.55, (p - 0.55) / 0.45)
        half = 0.5 * 0.55 * speed_mps * stride_s
        x = np.where(stance, half * (1.0 - 2.0 * s), half * (2.0 * np.asarray(rise(s)) - 1.0))
        z = -0.8 + slope * x + np.where(stance, 0.0, 0.1 * np.sin(np.pi * s))
        distance = np.hypot(x, z)
        knee = np.arccos(np.clip((distance**2 - 0.43**2 - 0.42**2) / (2 * 0.43 * 0.42), -1.0, 1.0))
        inner = np.arctan2(0.42 * np.sin(knee), 0.43 + 0.42 * np.cos(knee))
        hip = np.arctan2(x, -z) + inner
        for part, angle in (("UpLeg", -hip), ("Leg", knee), ("Foot", hip - knee)):
            quats[:, index(f"{side}{part}")] = quat_about(Y, angle)
    root = np.zeros((frames, 3))
    root[:, 0] = speed_mps * np.arange(frames) / RATE_HZ
    root[:, 2] = ANKLE_M + 0.05 + 0.8 + slope * root[:, 0]
    return make_clip(quats, root, "walk")


def in_place(clip: Clip, speed_mps: float = 0.9) -> Clip:
    """A walk without its travel."""
    root = clip.root_pos_m.copy()
    root[:, 0] -= speed_mps * clip.time_s
    return replace(clip, root_pos_m=root)


def march(frames: int = 120, yaw_radps: float = 0.0, travel_mps: float = 0.0) -> Clip:
    """Stepping on the spot, with legs lifted in turn; it may turn."""
    time = np.arange(frames) / RATE_HZ
    phase = 2.0 * np.pi * time / 1.1
    quats = hang_arms(identity(frames))
    quats[:, 0] = quat_about(Z, yaw_radps * time)
    for side, shift in (("Left", 0.0), ("Right", np.pi)):
        lift = np.maximum(np.sin(phase + shift), 0.0)
        for part, angle in (("UpLeg", -0.6 * lift), ("Leg", 1.2 * lift), ("Foot", -0.6 * lift)):
            quats[:, index(f"{side}{part}")] = quat_about(Y, angle)
    way = np.stack([travel_mps * time, 0.0 * time], axis=-1)
    return on_ground(quats, way)


def side_to_side(frames: int = 150) -> Clip:
    """A dance: steps to the left and back, with arms that never repeat."""
    clip = march(frames)
    time = clip.time_s
    quats = clip.quats_wxyz.copy()
    for k, name in enumerate(("LeftArm", "RightArm", "LeftForeArm", "RightForeArm", "Spine", "Neck")):
        swing = 0.9 * np.sin(2.0 * np.pi * (0.23 + 0.071 * k) * time) + 0.5 * np.sin(2.0 * np.pi * 0.39 * time + k)
        quats[:, index(name)] = quat_multiply(quat_about(X, swing), quats[:, index(name)])
    sway = 0.25 * np.sin(2.0 * np.pi * time / 2.2)
    return on_ground(quats, np.stack([0.1 * sway, sway], axis=-1))


def cartwheels(frames: int = 150) -> Clip:
    """Turning over sideways again and again."""
    time = np.arange(frames) / RATE_HZ
    quats = hang_arms(identity(frames), -1.3)
    quats[:, 0] = quat_about(X, 2.0 * np.pi * time / 1.6)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        quats[:, index(f"{side}UpLeg")] = quat_about(X, np.full(frames, 0.6 * sign))
    return on_ground(quats, np.stack([0.0 * time, -0.9 * time], axis=-1))


def crawl(frames: int = 120) -> Clip:
    """On hands and knees."""
    time = np.arange(frames) / RATE_HZ
    phase = 2.0 * np.pi * time / 1.2
    quats = identity(frames)
    quats[:, 0] = quat_about(Y, np.full(frames, 1.45))
    for side, shift, sign in (("Left", 0.0, 1.0), ("Right", np.pi, -1.0)):
        swing = 0.35 * np.sin(phase + shift)
        quats[:, index(f"{side}UpLeg")] = quat_about(Y, -1.45 - swing)
        quats[:, index(f"{side}Leg")] = quat_about(Y, 1.4 + 0.15 * np.maximum(np.cos(phase + shift), 0.0))
        down = quat_multiply(quat_about(Y, -1.45 + swing), quat_about((-sign, 0.0, 0.0), np.full(frames, 1.5)))
        quats[:, index(f"{side}Arm")] = down
    return on_ground(quats, np.stack([0.4 * time, 0.0 * time], axis=-1))


def bend_forward(clip: Clip, angle_rad: float = 1.2) -> Clip:
    """The motion with a trunk that is bent forward."""
    quats = clip.quats_wxyz.copy()
    quats[:, index("Spine")] = quat_about(Y, np.full(clip.frames, angle_rad))
    return replace(clip, quats_wxyz=quats)


def bear_crawl(frames: int = 120) -> Clip:
    """Walking on hands and feet, with high hips."""
    clip = bend_forward(smooth_walk(frames, 0.5), 1.5)
    quats = clip.quats_wxyz.copy()
    quats[:, 0] = quat_about(Y, np.full(frames, 0.9))
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        down = quat_multiply(quat_about(Y, np.full(frames, -2.4)), quat_about((-sign, 0.0, 0.0), np.full(frames, 1.5)))
        quats[:, index(f"{side}Arm")] = down
        quats[:, index(f"{side}ForeArm")] = identity(frames)[:, 0]
        thigh = index(f"{side}UpLeg")
        quats[:, thigh] = quat_multiply(quat_about(Y, np.full(frames, -0.9)), quats[:, thigh])
    return replace(clip, quats_wxyz=quats)


def get_up(frames: int = 120) -> Clip:
    """From lying on the back to standing."""
    part = np.clip(1.5 * np.linspace(0.0, 1.0, frames) - 0.2, 0.0, 1.0)
    fold = np.sin(np.pi * part)
    quats = hang_arms(identity(frames))
    quats[:, 0] = quat_about(Y, -1.5 * (1.0 - part))
    for side in ("Left", "Right"):
        for name, angle in (("UpLeg", -1.9 * fold), ("Leg", 2.2 * fold), ("Foot", -0.3 * fold)):
            quats[:, index(f"{side}{name}")] = quat_about(Y, angle)
    return on_ground(quats, np.stack([0.6 * part, 0.0 * part], axis=-1))


def sit_down(frames: int = 90) -> Clip:
    """From standing to sitting, with a step back before."""
    part = np.asarray(rise(np.linspace(-0.3, 1.3, frames)))
    quats = hang_arms(identity(frames))
    for side in ("Left", "Right"):
        for name, angle in (("UpLeg", -1.6 * part), ("Leg", 1.6 * part)):
            quats[:, index(f"{side}{name}")] = quat_about(Y, angle)
    return on_ground(quats, np.stack([-0.4 * part, 0.0 * part], axis=-1))


def backflips(frames: int = 150) -> Clip:
    """Jumping backward and turning over, three times."""
    time = np.arange(frames) / RATE_HZ
    part = np.clip(((time % 1.6) - 0.5) / 0.7, 0.0, 1.0)
    quats = hang_arms(identity(frames))
    quats[:, 0] = quat_about(Y, -2.0 * np.pi * part)
    for side in ("Left", "Right"):
        for name, sign in (("UpLeg", -1.0), ("Leg", 1.6)):
            quats[:, index(f"{side}{name}")] = quat_about(Y, sign * np.sin(np.pi * part))
    way = np.stack([-0.5 * (time // 1.6 + part), 0.0 * time], axis=-1)
    return on_ground(quats, way, 0.5 * np.sin(np.pi * part))


def tremble(clip: Clip, size: float, seed: int = 0) -> Clip:
    """The motion with noise on every rotation and position, as a depth camera records it."""
    rng = np.random.default_rng(seed)
    quats = quat_normalize(clip.quats_wxyz + size * rng.normal(size=clip.quats_wxyz.shape))
    return replace(clip, quats_wxyz=quats, root_pos_m=clip.root_pos_m + 0.5 * size * rng.normal(size=(clip.frames, 3)))


def hop(frames: int = 120) -> Clip:
    """Hopping ahead on the left leg."""
    time = np.arange(frames) / RATE_HZ
    part = (time % 0.6) / 0.6
    air = np.sin(np.pi * np.clip((part - 0.4) / 0.6, 0.0, 1.0))
    quats = hang_arms(identity(frames))
    for name, angle in (("UpLeg", -0.2 + 0.0 * part), ("Leg", 0.4 + 0.0 * part)):
        quats[:, index(f"Left{name}")] = quat_about(Y, angle)
    quats[:, index("RightLeg")] = quat_about(Y, np.full(frames, 1.6))
    way = np.stack([0.6 * (time // 0.6 + np.clip((part - 0.4) / 0.6, 0.0, 1.0)), 0.0 * time], axis=-1)
    return on_ground(quats, way, 0.2 * air)


def step_onto_box(frames: int = 120) -> Clip:
    """Walking on level ground, then on a box of 25 cm."""
    clip = walk(frames)
    root = clip.root_pos_m.copy()
    root[:, 2] += 0.25 * (root[:, 0] > 0.5 * (root[0, 0] + root[-1, 0]))
    return replace(clip, root_pos_m=root)


# -- writers --------------------------------------------------------------------------------------------------------


def write_bvh(
    path: Path,
    clip: Clip,
    *,
    unit_m: float = 0.01,
    up: str = "y",
    names: dict[str, str] | None = None,
    root_offset_m: tuple[float, float, float] = (0.0, 0.0, 0.0),
    relative: bool = False,
    static_root: str = "",
    slide: bool = False,
    zero_offsets: bool = False,
    encoding: str = "utf-8",
    frame_time: str = "",
    blank: tuple[int, ...] = (),
) -> Path:
    """Write a clip as a BVH file of another program.

    With `static_root` the hips hang on a joint that never moves; `relative` positions are relative to the offset; with
    `slide` all joints have position channels, and with `zero_offsets` these alone hold the bones. `blank` frames hold
    zeros only.
    """
    axes = {"y": (1, 2, 0), "z": (0, 1, 2)}[up]
    skeleton, names = clip.skeleton, names or {}
    labels = [names.get(name, name) for name in skeleton.names]
    lines, rows = ["HIERARCHY"], []

    def offset(vector: np.ndarray) -> str:
        return "OFFSET " + " ".join(f"{vector[a] / unit_m:.6g}" for a in axes)

    def channel(values: np.ndarray) -> None:
        rows.append(values[:, axes] / unit_m)

    def turns(quats: np.ndarray) -> None:
        vectors = quats[:, 1:][:, axes]
        angles = Rotation.from_quat(np.concatenate([vectors, quats[:, :1]], axis=1)).as_euler("ZXY", degrees=True)
        rows.append(angles)

    def joint(k: int, depth: int) -> None:
        is_root = k == 0
        place = np.array(root_offset_m) if is_root else skeleton.offsets_m[k]
        shown = np.zeros(3) if zero_offsets and not is_root else place
        positions = "Xposition Yposition Zposition " if is_root or slide else ""
        count = 6 if positions else 3
        kind = "ROOT" if is_root and not static_root else "JOINT"
        lines.extend([f"{kind} {labels[k]}", "{", offset(shown)])
        lines.append(f"CHANNELS {count} {positions}Zrotation Xrotation Yrotation")
        if positions:
            values = clip.root_pos_m if is_root else np.tile(place, (clip.frames, 1))
            channel(values - place if relative and is_root else values)
        turns(clip.quats_wxyz[:, k])
        for child in skeleton.children[k]:
            joint(child, depth + 1)
        for end in [e for e in skeleton.ends if e.joint == k]:
            lines.extend(["End Site", "{", offset(np.array(end.offset_m)), "}"])
        lines.append("}")

    if static_root:
        lines.extend([f"ROOT {static_root}", "{", "OFFSET 0 0 0"])
        lines.append("CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation")
        rows.append(np.zeros((clip.frames, 6)))
    joint(0, 0)
    if static_root:
        lines.append("}")
    table = np.concatenate(rows, axis=1)
    table[list(blank)] = 0.0
    lines.extend(["MOTION", f"Frames: {clip.frames}", f"Frame Time: {frame_time or format(clip.frame_s, '.8g')}"])
    lines.extend(" ".join(f"{value:.6g}" for value in row) for row in table)
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return path


def write_deepmimic(path: Path, clip: Clip, *, stretch: float = 1.0, loop: str = "none") -> Path:
    """Write a clip as a DeepMimic motion; quaternions are longer by a factor."""
    ours = {
        "chest": "Spine", "neck": "Neck", "right_hip": "RightUpLeg", "right_knee": "RightLeg",
        "right_ankle": "RightFoot", "right_shoulder": "RightArm", "right_elbow": "RightForeArm",
        "left_hip": "LeftUpLeg", "left_knee": "LeftLeg", "left_ankle": "LeftFoot", "left_shoulder": "LeftArm",
        "left_elbow": "LeftForeArm", "root": "Hips",
    }  # fmt: skip
    # Its hips are at the root, and its legs are 2 cm shorter.
    root = clip.root_pos_m - [0.0, 0.0, 0.07]
    columns = [np.full((clip.frames, 1), clip.frame_s), _to_deepmimic(root)]
    for name, _, _, count in DEEPMIMIC_JOINTS:
        quats = clip.quats_wxyz[:, index(ours[name])]
        if "shoulder" in name:
            # Arms hang in a pose without rotation.
            sign = 1.0 if name.startswith("left") else -1.0
            quats = quat_multiply(quats, quat_about((sign, 0.0, 0.0), np.full(clip.frames, 0.5 * np.pi)))
        turned = np.concatenate([quats[:, :1], _to_deepmimic(quats[:, 1:])], axis=1)
        angle = 2.0 * np.arctan2(turned[:, 3:], turned[:, :1])
        columns.append(stretch * turned if count == 4 else angle)
    rows = np.concatenate(columns, axis=1)
    path.write_text(json.dumps({"Loop": loop, "Frames": rows.tolist()}))
    return path


def _to_deepmimic(vectors: np.ndarray) -> np.ndarray:
    """From our axes to x forward, y up, z to the right."""
    return vectors[:, [0, 2, 1]] * [1.0, 1.0, -1.0]


def write_amc(path: Path, clip: Clip, *, root_offset_m: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Path:
    """Write a clip as AMC beside its ASF; positions are relative to the position of the root in the ASF."""
    unit_m, axes = 0.0254 / 0.45, (1, 2, 0)
    skeleton = clip.skeleton
    place = " ".join(f"{root_offset_m[a] / unit_m:.6g}" for a in axes)
    bones, tree = [], ["begin"]
    for k, name in enumerate(skeleton.names):
        if k == 0:
            continue
        vector = skeleton.offsets_m[k][list(axes)] / unit_m
        size = float(np.linalg.norm(vector))
        direction = " ".join(f"{c:.8g}" for c in vector / size)
        bones.append(f"begin\nname to{name}\ndirection {direction}\nlength {size:.8g}\naxis 0 0 0 XYZ\nend")
        bones.append(f"begin\nname {name}\ndirection 0 0 1\nlength 0\naxis 0 0 0 XYZ\ndof rx ry rz\nend")
    for k, name in enumerate(skeleton.names):
        children = [f"to{skeleton.names[c]}" for c in skeleton.children[k]]
        if children:
            tree.append(" ".join(["root" if k == 0 else name, *children]))
        if k:
            tree.append(f"to{name} {name}")
    head = ":version 1.10\n:name body\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n"
    head += f":root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position {place}\n  orientation 0 0 0\n"
    text = f"{head}:bonedata\n" + "\n".join(bones) + "\n:hierarchy\n" + "\n".join([*tree, "end"]) + "\n"
    path.with_suffix(".asf").write_text(text)
    root = (clip.root_pos_m - np.array(root_offset_m))[:, axes] / unit_m
    lines = [":FULLY-SPECIFIED", ":DEGREES"]
    for f in range(clip.frames):
        lines.append(str(f + 1))
        for k, name in enumerate(skeleton.names):
            quat = clip.quats_wxyz[f, k]
            angles = Rotation.from_quat([*quat[1:][list(axes)], quat[0]]).as_euler("xyz", degrees=True)
            values = [*root[f], *angles] if k == 0 else angles
            lines.append(" ".join(["root" if k == 0 else name, *(f"{v:.6f}" for v in values)]))
    path.write_text("\n".join(lines) + "\n")
    return path


def drop_toes(clip: Clip) -> Clip:
    """The clip on a skeleton whose feet end at the ankles, with end sites ahead of them."""
    keep = [k for k, name in enumerate(NAMES) if "Toe" not in name]
    skeleton = clip.skeleton
    parents = tuple(-1 if skeleton.parents[k] < 0 else keep.index(skeleton.parents[k]) for k in keep)
    ends = [replace(e, joint=keep.index(e.joint)) for e in skeleton.ends if e.joint in keep]
    ends += [type(ends[0])(keep.index(index(f"{s}Foot")), (0.13, 0.0, -0.06)) for s in ("Left", "Right")]
    small = Skeleton(tuple(skeleton.names[k] for k in keep), parents, skeleton.offsets_m[keep], tuple(ends))
    return Clip(clip.name, small, clip.frame_s, clip.root_pos_m, clip.quats_wxyz[:, keep])
