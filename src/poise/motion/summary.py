"""Summary of a clip for people and programs: lengths, rates, travel, contacts, roles of joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.motion.clip import Clip
from poise.motion.contacts import Skate, find_clip_floor, measure_skate
from poise.motion.conventions import compute_leg_length
from poise.motion.fragments import describe_fragments, find_fragments
from poise.motion.mapping import Mapping


@dataclass(frozen=True)
class ClipSummary:
    """Output of `poise clip info`."""

    name: str
    joints: int
    frames: int
    rate_hz: float
    duration_s: float
    height_m: float
    leg_m: float | None
    #: Length of the pelvis's path over the ground, and its distance from start to end.
    path_m: float
    distance_m: float
    mean_speed_mps: float
    lowest_m: float
    #: Height of standing ankles, and slope of the floor along the path; None if the feet are unknown.
    floor_m: float | None
    floor_slope: float | None
    loops: bool
    #: Whether the file walks in place, and its travel was restored.
    in_place: bool
    sliding_joints: bool
    #: Share of the time that each foot stands, and its mean sliding speed then.
    left_contact: float | None
    right_contact: float | None
    skate_mps: float | None
    #: Stance feet and frames of each fragment, as in `poise.motion.fragments`.
    fragments: str
    roles: dict[str, str]
    notes: tuple[str, ...]


def summarize_clip(clip: Clip, mapping: Mapping) -> ClipSummary:
    """Summarize a clip whose joints have these roles."""
    ground = clip.places_w_m[:, mapping.joints.get("pelvis", 0), :2]
    path = float(np.linalg.norm(np.diff(ground, axis=0), axis=-1).sum())
    heights = clip.places_w_m[..., 2]
    shares = (None, None) if clip.contacts is None else clip.contacts.mean(axis=0).tolist()
    floor = find_clip_floor(clip, mapping)
    skate = measure_clip_skate(clip, mapping)
    return ClipSummary(
        name=clip.name,
        joints=len(clip.skeleton.names),
        frames=clip.frames,
        rate_hz=round(clip.rate_hz, 4),
        duration_s=clip.duration_s,
        height_m=float(np.median(np.ptp(heights, axis=1))),
        leg_m=compute_leg_length(clip.skeleton, mapping, clip.shifts_m),
        path_m=path,
        distance_m=float(np.linalg.norm(ground[-1] - ground[0])),
        mean_speed_mps=path / clip.duration_s if clip.frames > 1 else 0.0,
        lowest_m=float(heights.min()),
        floor_m=None if floor is None else float(np.median(floor.height_m(clip.places_w_m[:, mapping.feet]))),
        floor_slope=None if floor is None else floor.slope if floor.is_ramp else 0.0,
        loops=clip.loops,
        in_place=clip.in_place,
        sliding_joints=clip.shifts_m is not None,
        left_contact=shares[0],
        right_contact=shares[1],
        skate_mps=None if skate is None else skate.mean_speed_mps,
        fragments="" if clip.contacts is None else describe_fragments(find_fragments(clip)),
        roles=mapping.name_joints(clip.skeleton),
        notes=clip.notes,
    )


def measure_clip_skate(clip: Clip, mapping: Mapping) -> Skate | None:
    """Sliding of the ankles during contact; None if contacts are unknown."""
    feet = mapping.feet
    if clip.contacts is None or feet is None:
        return None
    return measure_skate(clip.places_w_m[:, feet], clip.contacts, clip.frame_s)
