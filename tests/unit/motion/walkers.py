"""A walking skeleton made from formulas, in the conventions of any program: names, axes, units, frames of the bones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.motion.clip import Clip
from poise.motion.rotations import quat_about, quat_conjugate, quat_multiply, quat_normalize, quat_rotate
from poise.motion.skeleton import EndSite, Skeleton

#: Joint, parent, place in the parent's frame: standing, arms out, x forward, y left, z up.
JOINTS = (
    ("Hips", None, (0.0, 0.0, 0.0)),
    ("LeftUpLeg", "Hips", (0.0, 0.09, -0.05)),
    ("LeftLeg", "LeftUpLeg", (0.0, 0.0, -0.43)),
    ("LeftFoot", "LeftLeg", (0.0, 0.0, -0.42)),
    ("LeftToeBase", "LeftFoot", (0.13, 0.0, -0.06)),
    ("RightUpLeg", "Hips", (0.0, -0.09, -0.05)),
    ("RightLeg", "RightUpLeg", (0.0, 0.0, -0.43)),
    ("RightFoot", "RightLeg", (0.0, 0.0, -0.42)),
    ("RightToeBase", "RightFoot", (0.13, 0.0, -0.06)),
    ("Spine", "Hips", (0.0, 0.0, 0.1)),
    ("Spine1", "Spine", (0.0, 0.0, 0.2)),
    ("Neck", "Spine1", (0.0, 0.0, 0.22)),
    ("Head", "Neck", (0.02, 0.0, 0.1)),
    ("LeftShoulder", "Spine1", (0.0, 0.04, 0.18)),
    ("LeftArm", "LeftShoulder", (0.0, 0.13, 0.0)),
    ("LeftForeArm", "LeftArm", (0.0, 0.28, 0.0)),
    ("LeftHand", "LeftForeArm", (0.0, 0.25, 0.0)),
    ("RightShoulder", "Spine1", (0.0, -0.04, 0.18)),
    ("RightArm", "RightShoulder", (0.0, -0.13, 0.0)),
    ("RightForeArm", "RightArm", (0.0, -0.28, 0.0)),
    ("RightHand", "RightForeArm", (0.0, -0.25, 0.0)),
)
ENDS = {"Head": (0.0, 0.0, 0.18), "LeftHand": (0.0, 0.1, 0.0), "RightHand": (0.0, -0.1, 0.0)}
ENDS |= {"LeftToeBase": (0.06, 0.0, 0.0), "RightToeBase": (0.06, 0.0, 0.0)}
NAMES = tuple(j[0] for j in JOINTS)
ANKLE_M = 0.09


def make_skeleton() -> Skeleton:
    """The skeleton in our axes."""
    parents = tuple(-1 if p is None else NAMES.index(p) for _, p, _ in JOINTS)
    ends = tuple(EndSite(NAMES.index(name), offset) for name, offset in ENDS.items())
    return Skeleton(NAMES, parents, np.array([j[2] for j in JOINTS]), ends)


def make_walk(frames: int = 90, rate_hz: float = 30.0, heading_rad: float = 0.0, turn_radps: float = 0.0) -> Clip:
    """A walk at about 1 m/s; the pelvis follows the lower foot, and arms hang and swing."""
    time = np.arange(frames) / rate_hz
    phase = 2.0 * np.pi * 0.9 * time
    quats = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(NAMES), 1))
    yaw = heading_rad + turn_radps * time
    quats[:, 0] = quat_multiply(quat_about((0, 0, 1), yaw), quat_about((1, 0, 0), 0.04 * np.sin(phase)))
    for side, sign, shift in (("Left", 1.0, 0.0), ("Right", -1.0, np.pi)):
        swing = phase + shift
        hip, knee = 0.4 * np.sin(swing), 0.15 + 0.45 * (1.0 + np.cos(swing)) ** 2 / 2.0
        ankle = np.where(np.cos(swing) < 0.0, hip - knee, 0.3 * (hip - knee))
        quats[:, NAMES.index(f"{side}UpLeg")] = quat_about((0, -1, 0), hip)
        quats[:, NAMES.index(f"{side}Leg")] = quat_about((0, 1, 0), knee)
        quats[:, NAMES.index(f"{side}Foot")] = quat_about((0, 1, 0), ankle)
        hang = quat_about((-sign, 0, 0), np.full(frames, 1.4))
        quats[:, NAMES.index(f"{side}Arm")] = quat_multiply(quat_about((0, 1, 0), 0.4 * np.sin(swing)), hang)
        quats[:, NAMES.index(f"{side}ForeArm")] = quat_about((0, 0, -sign), 0.3 + 0.2 * np.cos(swing))
    skeleton = make_skeleton()
    root = _follow_feet(skeleton, quats, yaw, rate_hz)
    return Clip("walk", skeleton, 1.0 / rate_hz, root, quat_normalize(quats))


def _follow_feet(skeleton: Skeleton, quats: np.ndarray, yaw: np.ndarray, rate_hz: float) -> np.ndarray:
    """Where the root goes when the lower ankle stands still."""
    frames = len(quats)
    places, _ = skeleton.compute_globals(np.zeros((frames, 3)), quats)
    feet = places[:, [NAMES.index("LeftFoot"), NAMES.index("RightFoot")]]
    lower = np.argmin(feet[..., 2], axis=1)
    root = np.zeros((frames, 3))
    for f in range(1, frames):
        root[f] = root[f - 1] + feet[f - 1, lower[f - 1]] - feet[f, lower[f - 1]]
    root[:, 2] = ANKLE_M - feet[np.arange(frames), lower, 2]
    return root


def make_foreign(clip: Clip, names: Mapping[str, str], seed: int | None = None) -> Clip:
    """The same motion with other names and, with a seed, bones whose own frames are turned at random."""
    skeleton = clip.skeleton
    base = np.tile([1.0, 0.0, 0.0, 0.0], (len(skeleton.names), 1))
    if seed is not None:
        base = quat_normalize(np.random.default_rng(seed).normal(size=base.shape))
    inverse = quat_conjugate(base)
    parents = np.array(skeleton.parents)
    above = np.where(parents[:, None] < 0, [1.0, 0.0, 0.0, 0.0], inverse[parents])
    quats = quat_multiply(quat_multiply(above, clip.quats_wxyz), base)
    offsets = quat_rotate(above, skeleton.offsets_m)
    ends = tuple(EndSite(e.joint, tuple(quat_rotate(inverse[e.joint], np.array(e.offset_m)))) for e in skeleton.ends)
    renamed = tuple(names.get(name, name) for name in skeleton.names)
    return Clip(clip.name, Skeleton(renamed, skeleton.parents, offsets, ends), clip.frame_s, clip.root_pos_m, quats)


def _sided(pairs: Mapping[str, str], left: str, right: str) -> dict[str, str]:
    """Names of both sides; % stands for the side."""
    return {f"{s}{k}": v.replace("%", w) for k, v in pairs.items() for s, w in (("Left", left), ("Right", right))}


_PARTS = ("UpLeg", "Leg", "Foot", "ToeBase", "Shoulder", "Arm", "ForeArm", "Hand")
#: Names of joints by program.
STYLES: dict[str, dict[str, str]] = {
    "motionbuilder": {},
    "mixamo": {name: f"mixamorig:{name}" for name in NAMES},
    "cmu_asf": {
        "Hips": "root", "Spine": "lowerback", "Spine1": "thorax", "Neck": "lowerneck", "Head": "head",
        **_sided(dict(zip(_PARTS, ("%femur", "%tibia", "%foot", "%toes", "%clavicle", "%humerus", "%radius", "%hand"))),
                 "l", "r"),
    },
    "bandai": {
        "Spine1": "Chest",
        **_sided(dict(zip(_PARTS, ("UpperLeg_%", "LowerLeg_%", "Foot_%", "Toes_%", "Shoulder_%", "UpperArm_%",
                                   "LowerArm_%", "Hand_%"))), "L", "R"),
    },
    "biovision": {
        "Spine": "Chest", "Spine1": "Chest2",
        **_sided(dict(zip(_PARTS, ("%Hip", "%Knee", "%Ankle", "%Toe", "%Collar", "%Shoulder", "%Elbow", "%Wrist"))),
                 "Left", "Right"),
    },
    "max": {
        "Hips": "Bip01 Pelvis", "Spine": "Bip01 Spine", "Spine1": "Bip01 Spine1", "Neck": "Bip01 Neck",
        "Head": "Bip01 Head",
        **_sided(dict(zip(_PARTS, ("Bip01 % Thigh", "Bip01 % Calf", "Bip01 % Foot", "Bip01 % Toe0", "Bip01 % Clavicle",
                                   "Bip01 % UpperArm", "Bip01 % Forearm", "Bip01 % Hand"))), "L", "R"),
    },
    "iclone": {
        "Hips": "CC_Base_Hip", "Spine": "CC_Base_Waist", "Spine1": "CC_Base_Spine01", "Neck": "CC_Base_NeckTwist01",
        "Head": "CC_Base_Head",
        **_sided(dict(zip(_PARTS, ("CC_Base_%_Thigh", "CC_Base_%_Calf", "CC_Base_%_Foot", "CC_Base_%_ToeBase",
                                   "CC_Base_%_Clavicle", "CC_Base_%_Upperarm", "CC_Base_%_Forearm",
                                   "CC_Base_%_Hand"))), "L", "R"),
    },
    "advanced_skeleton": {
        "Hips": "Root_M", "Spine": "Spine1_M", "Spine1": "Chest_M", "Neck": "Neck_M", "Head": "Head_M",
        **_sided(dict(zip(_PARTS, ("Hip_%", "Knee_%", "Ankle_%", "Toes_%", "Scapula_%", "Shoulder_%", "Elbow_%",
                                   "Wrist_%"))), "L", "R"),
    },
    "unreal": {
        "Hips": "pelvis", "Spine": "spine_01", "Spine1": "spine_02", "Neck": "neck_01", "Head": "head",
        **_sided(dict(zip(_PARTS, ("thigh_%", "calf_%", "foot_%", "ball_%", "clavicle_%", "upperarm_%", "lowerarm_%",
                                   "hand_%"))), "l", "r"),
    },
    "smpl": {
        "Hips": "Pelvis", "Spine": "Torso", "Spine1": "Chest",
        **_sided(dict(zip(_PARTS, ("%_Hip", "%_Knee", "%_Ankle", "%_Foot", "%_Thorax", "%_Shoulder", "%_Elbow",
                                   "%_Wrist"))), "L", "R"),
    },
    "blender": {
        "Hips": "hips", "Spine": "spine", "Spine1": "chest", "Neck": "neck", "Head": "head",
        **_sided(dict(zip(_PARTS, ("thigh.%", "shin.%", "foot.%", "toe.%", "shoulder.%", "upper_arm.%", "forearm.%",
                                   "hand.%"))), "L", "R"),
    },
    "poser": {
        "Hips": "hip", "Spine": "abdomen", "Spine1": "chest", "Neck": "neck", "Head": "head",
        **_sided(dict(zip(_PARTS, ("%Thigh", "%Shin", "%Foot", "%Toe", "%Collar", "%Shldr", "%ForeArm", "%Hand"))),
                 "l", "r"),
    },
    "kinect": {
        "Hips": "SpineBase", "Spine": "SpineMid", "Spine1": "SpineShoulder",
        **_sided(dict(zip(_PARTS, ("Hip%", "Knee%", "Ankle%", "Foot%", "Collar%", "Shoulder%", "Elbow%", "Wrist%"))),
                 "Left", "Right"),
    },
    "vrm": {
        "Hips": "J_Bip_C_Hips", "Spine": "J_Bip_C_Spine", "Spine1": "J_Bip_C_Chest", "Neck": "J_Bip_C_Neck",
        "Head": "J_Bip_C_Head",
        **_sided(dict(zip(_PARTS, ("J_Bip_%_UpperLeg", "J_Bip_%_LowerLeg", "J_Bip_%_Foot", "J_Bip_%_ToeBase",
                                   "J_Bip_%_Shoulder", "J_Bip_%_UpperArm", "J_Bip_%_LowerArm", "J_Bip_%_Hand"))),
                 "L", "R"),
    },
    "mmd": {
        "Hips": "センター", "Spine": "上半身", "Spine1": "上半身2", "Neck": "首", "Head": "頭",
        **_sided(dict(zip(_PARTS, ("%足", "%ひざ", "%足首", "%つま先", "%肩", "%腕", "%ひじ", "%手首"))), "左", "右"),
    },
}  # fmt: skip
