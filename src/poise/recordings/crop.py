"""The beginning of a recording, up to a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.recordings.recording import Recording, Tally

#: Arrays with one row per frame.
_FRAMES = (
    *("time_s", "qpos", "qvel", "joint_q_rad", "joint_v_radps", "torque_nm"),
    *("segment_pos_w_m", "segment_quat_wxyz", "com_w_m", "com_vel_w_mps"),
)
_CONTACTS = ("contact_segment", "contact_other", "contact_pos_w_m", "contact_force_w_n")


def crop_limp(recording: Recording, end_s: float) -> Recording:
    """The frames and events up to a time after which no torque acts.

    The sums over all ticks are those of the whole run, since nothing was added to them; only the mean changes.
    """
    frames = int(np.searchsorted(recording.time_s, end_s, side="right"))
    contacts = int(recording.contact_start[frames])
    whole_s = recording.meta.get("seconds")
    ratio = whole_s / end_s if isinstance(whole_s, int | float) and 0.0 < end_s < whole_s else 1.0
    return replace(
        recording,
        **{name: getattr(recording, name)[:frames] for name in _FRAMES},
        **{name: getattr(recording, name)[:contacts] for name in _CONTACTS},
        contact_start=recording.contact_start[: frames + 1],
        events=tuple(e for e in recording.events if e.time_s <= end_s),
        tallies=tuple(_stretch(tally, ratio) for tally in recording.tallies),
    )


def _stretch(tally: Tally, ratio: float) -> Tally:
    return replace(tally, mean_abs_torque_nm=tally.mean_abs_torque_nm * ratio)
