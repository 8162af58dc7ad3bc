"""Judges of gaits, jumps and steps up, from the contacts of the feet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.recordings.recording import Recording
from poise.reproduce.firmin.judges import Judge, compute_lean_rad, find_segment

SIDES: Final = ("left", "right")
#: Minimum duration of a flight; contacts chatter for less.
FLIGHT_S: Final = 0.04
#: Minimum duration of a flight in a walk; a foot that bounces on landing is in the air for less.
STRIDE_FLIGHT_S: Final = 0.06
#: Minimum duration of a hop's flight.
HOP_S: Final = 0.1


def compute_contact(recording: Recording, segment: str) -> NDArray[np.bool_]:
    """Whether a segment touches anything, (F,)."""
    wanted = recording.characters[0].segment_names.index(segment)
    rows = (recording.contact_segment == wanted) | (recording.contact_other == wanted)
    touches = np.zeros(recording.frames, dtype=bool)
    touches[recording.contact_frame[rows]] = True
    return touches


@dataclass(frozen=True)
class Flight:
    """A flight: its start and duration, and the feet that left the ground last and landed first."""

    start_s: float
    seconds: float
    left_by: str
    landed_on: str


def _name_feet(left: bool, right: bool) -> str:
    return "both" if left and right else "left" if left else "right"


def find_flights(recording: Recording, least_s: float = FLIGHT_S) -> list[Flight]:
    """The flights of a run in order, without one that has not ended."""
    left, right = (compute_contact(recording, f"{side}_foot") for side in SIDES)
    change = np.diff((~(left | right)).astype(int))
    starts, ends = np.flatnonzero(change == 1) + 1, np.flatnonzero(change == -1) + 1
    flights = []
    for start in starts:
        end = next((e for e in ends if e > start), None)
        if end is None or recording.time_s[end] - recording.time_s[start] < least_s:
            continue
        flights.append(
            Flight(
                float(recording.time_s[start]),
                float(recording.time_s[end] - recording.time_s[start]),
                _name_feet(left[start - 1], right[start - 1]),
                _name_feet(left[end], right[end]),
            )
        )
    return flights


def _from(flights: list[Flight], start_s: float) -> list[Flight]:
    return [f for f in flights if f.start_s >= start_s]


def count_skips(recording: Recording, start_s: float = 0.0, least_s: float = HOP_S) -> int:
    """Number of hops that landed on the foot they left, each on the other foot than the previous one."""
    flights = _from(find_flights(recording, least_s), start_s)
    hops = [f.left_by for f in flights if f.left_by == f.landed_on and f.left_by != "both"]
    return sum(k == 0 or foot != hops[k - 1] for k, foot in enumerate(hops))


def count_stray_flights(recording: Recording, start_s: float = 0.0) -> int:
    """Number of flights that are not such hops: leaps from one foot to the other, and bounces."""
    return len(_from(find_flights(recording), start_s)) - count_skips(recording, start_s)


def skipped(times: int, last_s: float) -> Judge:
    """At least `times` hops on alternating feet in the last seconds, and hardly any other flight."""

    def judge(recording: Recording) -> str:
        start_s = float(recording.time_s[-1]) - last_s
        hops, stray = count_skips(recording, start_s), count_stray_flights(recording, start_s)
        if hops < times:
            return f"skipped {hops} times"
        return f"flew {stray} times without a hop" if stray > hops // 4 else ""

    return judge


def compute_leap_m(recording: Recording, least_s: float = HOP_S) -> float:
    """Longest forward distance of both feet in one flight, taking the smaller of the two; 0 without a flight."""
    best = 0.0
    for flight in find_flights(recording, least_s):
        start, end = np.searchsorted(recording.time_s, [flight.start_s, flight.start_s + flight.seconds])
        ways = [find_segment(recording, f"{side}_foot")[[start, end], 0] for side in SIDES]
        best = max(best, min(float(way[1] - way[0]) for way in ways))
    return best


def leapt(least_m: float) -> Judge:
    """Both feet move at least `least_m` forward in one flight."""

    def judge(recording: Recording) -> str:
        way = compute_leap_m(recording)
        return "" if way >= least_m else f"leapt {way:.2f} m"

    return judge


def walked_bent(knee_rad: float, lean_rad: float, last_s: float) -> Judge:
    """In the last seconds, both knees are bent at least `knee_rad`, the mean lean is `lean_rad`, and nothing flies."""

    def judge(recording: Recording) -> str:
        late = recording.time_s >= recording.time_s[-1] - last_s
        names = recording.characters[0].axis_names
        knees = [recording.joint_q_rad[late, names.index(f"{side}_knee_pitch")].min() for side in SIDES]
        lean = float(compute_lean_rad(recording)[late].mean())
        if min(knees) < knee_rad:
            return f"a knee at {min(knees):.2f} rad"
        if lean < lean_rad:
            return f"trunk at {lean:.2f} rad"
        flights = _from(find_flights(recording, STRIDE_FLIGHT_S), float(recording.time_s[-1]) - last_s)
        return f"flew {len(flights)} times" if flights else ""

    return judge
