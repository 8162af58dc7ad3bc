"""Judges of the humanoid's skill runs: each returns why a run failed, or an empty text."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.constants import GRAVITY_MPS2
from poise.recordings.contacts import external_contacts
from poise.recordings.recording import Recording
from poise.reproduce.firmin.judges import Judge, find_segment

FloatArray = NDArray[np.float64]
END_S: Final = 0.5
#: Standing: largest trunk lean, least pelvis height above the lower ankle, highest speed.
TILT_RAD, PELVIS_M, STILL_MPS = 0.3, 0.85, 0.1
#: A foot is in the air when it carries less than this fraction of the weight.
UNLOADED: Final = 0.05


def compute_tilt_rad(recording: Recording) -> FloatArray:
    """Lean of the trunk from upright in any direction, (F,)."""
    character = recording.characters[0]
    q = recording.segment_quat_wxyz[:, character.segment_names.index(character.roles["trunk"])]
    return np.asarray(np.arccos(np.clip(1.0 - 2.0 * (q[:, 1] ** 2 + q[:, 2] ** 2), -1.0, 1.0)))


def compute_pelvis_m(recording: Recording) -> FloatArray:
    """Height of the pelvis above the lower ankle, (F,)."""
    feet = np.minimum(find_segment(recording, "left_foot")[:, 2], find_segment(recording, "right_foot")[:, 2])
    return np.asarray(find_segment(recording, "pelvis")[:, 2] - feet)


def compute_load(recording: Recording, names: tuple[str, ...]) -> FloatArray:
    """Fraction of the weight that some segments carry, (F,)."""
    character = recording.characters[0]
    frame, segment, _, force = external_contacts(recording)
    chosen = np.isin(segment, [character.segment_names.index(name) for name in names])
    weight = GRAVITY_MPS2 * sum(s.mass_kg for s in character.segments)
    up = np.bincount(frame[chosen], weights=force[chosen, 2], minlength=recording.frames)
    return np.asarray(up / weight)


def stands(recording: Recording) -> str:
    """Upright, on straight legs and at rest at the end."""
    end = recording.time_s >= recording.time_s[-1] - END_S
    tilt, height = compute_tilt_rad(recording)[end], compute_pelvis_m(recording)[end]
    if tilt.max() > TILT_RAD or height.min() < PELVIS_M:
        return f"does not stand: trunk at {tilt.max():.2f} rad, pelvis {height.min():.2f} m above the feet"
    speed = float(np.linalg.norm(recording.com_vel_w_mps[end, 0], axis=1).max())
    return f"still moves at {speed:.2f} m/s" if speed > STILL_MPS else ""


def stays_up(recording: Recording) -> str:
    """Upright all the time, and standing at the end."""
    tilt, height = compute_tilt_rad(recording).max(), compute_pelvis_m(recording).min()
    if tilt > TILT_RAD or height < PELVIS_M:
        return f"did not stay up: trunk at {tilt:.2f} rad, pelvis {height:.2f} m above the feet"
    return stands(recording)


def goes_down_to(most_m: float) -> Judge:
    """The pelvis comes down to `most_m` above the ankles."""

    def judge(recording: Recording) -> str:
        low = float(compute_pelvis_m(recording).min())
        return "" if low <= most_m else f"pelvis only down to {low:.2f} m"

    return judge


def _hand(recording: Recording) -> FloatArray:
    """Path of the right hand, (F, 3)."""
    character = recording.characters[0]
    mark = next(m for m in character.landmarks if m.name == "right_hand")
    q = recording.segment_quat_wxyz[:, character.segment_names.index(mark.segment)]
    w, v, p = q[:, :1], q[:, 1:], np.asarray(mark.position_m)
    turned = p + 2.0 * np.cross(v, np.cross(v, np.broadcast_to(p, v.shape)) + w * p)
    return np.asarray(find_segment(recording, mark.segment) + turned)


def waves(times: int) -> Judge:
    """The right hand is raised above the neck and swings outward at least `times` times there."""

    def judge(recording: Recording) -> str:
        hand, neck = _hand(recording), find_segment(recording, "head")
        up = hand[:, 2] > neck[:, 2]
        if not up.any():
            return f"hand only at {hand[:, 2].max():.2f} m"
        # Outward is to the right.
        across = neck[up, 1] - hand[up, 1]
        out = across > 0.5 * (across.min() + across.max())
        swings = int(np.sum(out[1:] & ~out[:-1])) if np.ptp(across) > 0.1 else 0
        return "" if swings >= times else f"swung its hand {swings} times"

    return judge


def sits(least: float, seconds: float) -> Judge:
    """Pelvis and thighs carry at least a fraction `least` of the weight for at least `seconds`."""

    def judge(recording: Recording) -> str:
        load = compute_load(recording, ("pelvis", "left_thigh", "right_thigh"))
        time = float(np.sum(load >= least) * np.median(np.diff(recording.time_s)))
        return "" if time >= seconds else f"sat for {time:.1f} s with {load.max():.0%} of its weight"

    return judge


def steps_up(least_m: float) -> Judge:
    """Both feet end at least `least_m` higher; first the right one alone is lifted, then the left one."""

    def judge(recording: Recording) -> str:
        first = {}
        for side, other in (("right", "left"), ("left", "right")):
            height = find_segment(recording, f"{side}_foot")[:, 2]
            if height[-1] - height[0] < least_m:
                return f"{side} foot {height[-1] - height[0]:.2f} m higher"
            free = compute_load(recording, (f"{side}_foot", f"{side}_toes")) < UNLOADED
            stood = compute_load(recording, (f"{other}_foot", f"{other}_toes")) > 1.0 - 2.0 * UNLOADED
            alone = np.flatnonzero(free & stood & (height > height[0] + 0.5 * least_m))
            if not len(alone):
                return f"never stood on its {other} leg with the {side} foot lifted"
            first[side] = int(alone[0])
        return "" if first["right"] < first["left"] else "the left foot was lifted first"

    return judge
