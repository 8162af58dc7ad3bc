"""A clip prepared for retargeting: parts, hips and ankles at the character's size, on level ground, from the origin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.kernels.fixed import cos, sin
from poise.motion.anatomy import compute_part_turns
from poise.motion.body_plan import BodyPlan
from poise.motion.clip import BoolArray, Clip
from poise.motion.contacts import MAX_SPEED_MPS, compute_speed_mps, find_contacts, find_toe_contacts
from poise.motion.conventions import compute_leg_length
from poise.motion.floor import Floor, find_floor
from poise.motion.mapping import Mapping
from poise.motion.rotations import FloatArray, compute_heading_rad, quat_about, quat_multiply, quat_rotate

_SMOOTH_S: Final = 0.4
"""Time over which headings are averaged for a character that cannot turn."""


@dataclass(frozen=True, eq=False)
class SourceMotion:
    """F frames of parts by role (F, 4), the midpoint of the hips (F, 3), ankles (F, 2, 3) and contacts (F, 2).

    Ankle heights are relative to the height of standing ankles.
    """

    parts: dict[str, FloatArray]
    hips_w_m: FloatArray
    ankles_w_m: FloatArray
    contacts: BoolArray
    #: Whether toes are on the ground, (F, 2).
    toe_contacts: BoolArray
    scale: float
    floor: Floor
    #: Distance between the hips, at the character's size.
    hip_width_m: float


def make_source_motion(clip: Clip, mapping: Mapping, plan: BodyPlan, scale: float | None = None) -> SourceMotion:
    """The motion of a clip for a character; `scale` defaults to the ratio of the leg lengths."""
    mapping.require_legs(clip.skeleton, clip.name)
    leg_m = compute_leg_length(clip.skeleton, mapping, clip.shifts_m)
    factor = scale if scale is not None else plan.leg_m / leg_m if leg_m else 1.0
    thighs, feet = ([mapping.joints[f"{side}_{part}"] for side in SIDES] for part in ("thigh", "foot"))
    contacts = clip.contacts if clip.contacts is not None else find_contacts(clip, mapping)
    assert contacts is not None
    clip = replace(clip, contacts=contacts)
    hips, ankles = clip.places_w_m[:, thighs].mean(axis=1), clip.places_w_m[:, feet]
    floor = find_floor(ankles, compute_speed_mps(ankles, clip.frame_s) < MAX_SPEED_MPS, hips)
    start_m = float(floor.height_m(hips[0]))
    hips, ankles = _level(hips, floor, start_m), _level(ankles, floor, start_m)
    parts = compute_part_turns(clip, _match_arms(mapping, clip, plan))
    toes = find_toe_contacts(clip, mapping)
    width = factor * float(np.median(np.linalg.norm(np.diff(clip.places_w_m[:, thighs], axis=1), axis=-1)))
    motion = SourceMotion(parts, factor * hips, factor * ankles, contacts, toes, factor, floor, width)
    motion = _start_at_origin(motion)
    return _straighten(motion, clip.frame_s) if plan.character.root == "planar" else motion


def _match_arms(mapping: Mapping, clip: Clip, plan: BodyPlan) -> Mapping:
    """The same roles, except for a character whose arms are attached to its head: its head is the joint of the arms."""
    arm, head = plan.index("left_upper_arm"), plan.index("head")
    if arm is None or head is None or plan.skeleton.parents[arm] != head or "trunk" not in mapping.joints:
        return mapping
    carrier = mapping.joints["trunk"]
    below = clip.skeleton.parents[carrier]
    if below < 0 or below == mapping.joints["pelvis"]:
        return mapping
    return Mapping({**mapping.joints, "head": carrier, "trunk": below})


def _level(places_m: FloatArray, floor: Floor, start_m: float) -> FloatArray:
    """Positions above a floor at height zero; a ramp stays a ramp, whose height at the start is `start_m`."""
    out = places_m.copy()
    out[..., 2] -= start_m if floor.is_ramp else floor.height_m(places_m)
    return out


def _start_at_origin(motion: SourceMotion) -> SourceMotion:
    """The same motion, starting above the origin and facing x."""
    heading = float(compute_heading_rad(motion.parts["pelvis"][:1])[0])
    return _turn(motion, np.full(len(motion.hips_w_m), -heading), motion.hips_w_m[0] * [1.0, 1.0, 0.0])


def _turn(motion: SourceMotion, angle_rad: FloatArray, about_m: FloatArray) -> SourceMotion:
    turn = quat_about((0.0, 0.0, 1.0), angle_rad)
    return replace(
        motion,
        parts={role: quat_multiply(turn, quats) for role, quats in motion.parts.items()},
        hips_w_m=quat_rotate(turn, motion.hips_w_m - about_m),
        ankles_w_m=quat_rotate(turn[:, None], motion.ankles_w_m - np.reshape(about_m, (-1, 1, 3))),
    )


def _straighten(motion: SourceMotion, frame_s: float) -> SourceMotion:
    """The motion of a character that cannot turn: straight ahead, at the clip's speed along its heading."""
    heading = np.unwrap(compute_heading_rad(motion.parts["pelvis"]))
    count = max(1, round(_SMOOTH_S / frame_s)) | 1
    padded = np.pad(heading, count // 2, mode="edge")
    heading = np.convolve(padded, np.ones(count) / count, mode="valid")
    steps = np.diff(motion.hips_w_m, axis=0)
    middle = 0.5 * (heading[1:] + heading[:-1])
    forward = cos(middle) * steps[:, 0] + sin(middle) * steps[:, 1]
    ground = motion.hips_w_m * [1.0, 1.0, 0.0]
    turned = _turn(motion, -heading, ground)
    way = np.zeros_like(motion.hips_w_m)
    way[1:, 0] = np.cumsum(forward)
    return replace(turned, hips_w_m=turned.hips_w_m + way, ankles_w_m=turned.ankles_w_m + way[:, None])
