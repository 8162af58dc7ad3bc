"""Converts a clip on a character to a recording, so that the tools for runs also draw and export motion files.

Nothing was simulated: torques and forces are zero or empty, and so is the physics state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.characters.model import SIDES, Character
from poise.errors import InputError
from poise.motion.body_plan import BodyPlan
from poise.motion.clip import Clip
from poise.motion.contacts import find_clip_floor, find_runs
from poise.motion.derivatives import differentiate
from poise.motion.mapping import Mapping
from poise.motion.rotations import FloatArray, quat_rotate
from poise.recordings.recording import Event, Recording


def make_clip_recording(clip: Clip, character: Character, angles_rad: FloatArray) -> Recording:
    """The recording of a clip on a character's own skeleton; `angles_rad` (F, axes) are its joint angles."""
    if clip.skeleton.names != character.segment_names:
        raise InputError(f"the clip is not on the skeleton of {character.name}", where=f"clip {clip.name}")
    com = _compute_com_m(clip, character)
    frames = clip.frames
    return Recording(
        characters=(character,),
        controllers=(clip.name,),
        props=(),
        timestep_s=clip.frame_s,
        time_s=clip.time_s,
        qpos=np.zeros((frames, 0)),
        qvel=np.zeros((frames, 0)),
        joint_q_rad=angles_rad,
        joint_v_radps=differentiate(angles_rad, clip.frame_s),
        torque_nm=np.zeros_like(angles_rad),
        segment_pos_w_m=clip.places_w_m,
        segment_quat_wxyz=clip.turns_wxyz,
        com_w_m=com[:, None],
        com_vel_w_mps=differentiate(com, clip.frame_s)[:, None],
        contact_start=np.zeros(frames + 1, dtype=np.int64),
        contact_segment=np.zeros(0, dtype=np.int64),
        contact_other=np.zeros(0, dtype=np.int64),
        contact_pos_w_m=np.zeros((0, 3)),
        contact_force_w_n=np.zeros((0, 3)),
        events=_find_strikes(clip, character),
        meta={"terrain": "flat", "clip": clip.name, **_find_ramp(clip, character)},
    )


def _find_ramp(clip: Clip, character: Character) -> dict[str, Any]:
    """The ground of a clip on a ramp: its height over the origin, its slope, and the direction of the slope."""
    names = character.segment_names
    mapping = Mapping({role: names.index(segment) for role, segment in character.roles.items()})
    floor = find_clip_floor(clip, mapping)
    if floor is None or not floor.is_ramp:
        return {}
    level_m = floor.level_m - BodyPlan(character).ankle_m
    return {"ramp": {"level_m": level_m, "slope": floor.slope, "way": floor.way.tolist()}}


def _compute_com_m(clip: Clip, character: Character) -> FloatArray:
    total = np.zeros((clip.frames, 3))
    for k, segment in enumerate(character.segments):
        own = np.broadcast_to(np.array(segment.com_m), total.shape)
        total += segment.mass_kg * (clip.places_w_m[:, k] + quat_rotate(clip.turns_wxyz[:, k], own))
    return total / character.mass_kg


def _find_strikes(clip: Clip, character: Character) -> tuple[Event, ...]:
    """Strikes at the beginning of each contact, except contacts that exist in the first frame."""
    if clip.contacts is None:
        return ()
    strikes = []
    for k, side in enumerate(SIDES):
        for first, _ in find_runs(clip.contacts[:, k]):
            if first > 0:
                strikes.append(Event(first * clip.frame_s, "strike", 0, character.roles[f"{side}_foot"]))
    return tuple(sorted(strikes, key=lambda e: e.time_s))
