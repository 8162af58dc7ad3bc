"""Scripts on uneven ground: the backflip on slopes, gaits over hills [Firmin15 §5.3]."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from poise.batches.threads import heartbeat, run_trials
from poise.constants import DEFAULT_TIMESTEP_S
from poise.errors import DivergedError
from poise.recordings.recording import Recording
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.firmin.gait_judges import count_skips
from poise.reproduce.firmin.judges import compute_lean_rad
from poise.reproduce.firmin.skills import SKILLS
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate
from poise.skills.poses import ACROBATIC, STEADY, change_start
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Spawn
from poise.world.terrain import Terrain, parse_terrain

Progress = Callable[[float], None]
#: Slopes on which the backflip is tried, in degrees, positive uphill, and the number of starts on each.
SLOPES_DEG: Final = (-6.0, -5.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 7.5, 8.0, 9.0)
STARTS, FIRST_SEED = 5, 1001
#: Number of starts that must succeed for a slope to count.
ENOUGH: Final = 4
#: Position on a ramp that begins and ends far away.
PLACE_M, RAMP = 20.0, "start=10,length=30"
FLIP_S: Final = 9.0
#: Steepest slopes of the hills that gaits are tried on, and the number of grounds for each.
HILLS_DEG, GROUNDS = (5.0, 7.0, 9.0, 12.0), 3
HILLS_S, QUICK_HILLS_S = 60.0, 12.0
#: Required slope, and the required share of the distance that the gait would cover on flat ground.
ASKED_DEG, WAY_PART = 5.0, 0.7
#: Speed on the flat of each gait, with the claim about it on hills.
GAITS: Final = {
    "walk": (1.4, "firmin-5-terrain-walk"),
    "skip": (1.05, "firmin-5-terrain-skip"),
    "fast-walk": (1.6, "firmin-5-terrain-fastwalk"),
    "run": (2.0, "firmin-5-terrain-run"),
}
FALLEN_RAD: Final = 1.2
#: Minimum rate of skips; on flat ground there are nearly two per second.
SKIPS_HZ: Final = 1.2


def lower_by_ground(recording: Recording, terrain: Terrain) -> Recording:
    """The same run with the height of each segment measured from the ground under it."""
    places = np.array(recording.segment_pos_w_m)
    ground = [terrain.height_m(float(x), 0.0) for x in places[:, :, 0].ravel()]
    places[:, :, 2] -= np.reshape(ground, places.shape[:2])
    return replace(recording, segment_pos_w_m=places)


def run_flip(slope_deg: float, seed: int) -> Recording:
    """A backflip on a slope, from a perturbed start with the soles on the ground; heights are above the slope."""
    terrain = parse_terrain(f"slope:{slope_deg:g},{RAMP}")
    world = Scene("script/backflip", terrain=terrain, physics=PhysicsSettings(timestep_s=DEFAULT_TIMESTEP_S)).open()
    start = change_start(world.characters[0], "standing", ACROBATIC, seed)
    tilt = math.radians(slope_deg)
    ankles = {f"{side}_ankle_pitch": start.joint_q_rad[f"{side}_ankle_pitch"] + tilt for side in ("left", "right")}
    world.place(0, replace(start, joint_q_rad={**start.joint_q_rad, **ankles}), Spawn(x_m=PLACE_M))
    return lower_by_ground(simulate(world, FLIP_S, progress=heartbeat), terrain)


def try_flip(slope_deg: float, seed: int) -> str:
    """Why a backflip on a slope failed; empty if it succeeded."""
    try:
        return SKILLS["backflip"].judge(run_flip(slope_deg, seed))
    except DivergedError:
        return "diverged"


def try_gait(name: str, hills_deg: float, ground: int, seconds: float) -> str:
    """Why a gait failed over hills; empty if it succeeded."""
    physics = PhysicsSettings(timestep_s=DEFAULT_TIMESTEP_S)
    world = Scene(f"script/{name}", terrain=f"hills:{hills_deg:g},seed={ground}", physics=physics).open()
    world.place(0, change_start(world.characters[0], "standing", STEADY, FIRST_SEED + ground), Spawn())
    try:
        recording = simulate(world, seconds, progress=heartbeat)
    except DivergedError:
        return "diverged"
    fallen = np.abs(compute_lean_rad(recording)) > FALLEN_RAD
    if fallen.any():
        return f"fell at {recording.time_s[int(np.argmax(fallen))]:.0f} s"
    way = float(recording.com_w_m[-1, 0, 0])
    if way < WAY_PART * GAITS[name][0] * seconds:
        return f"covered {way:.0f} m"
    skips = count_skips(recording)
    return f"skipped {skips} times" if name == "skip" and skips < SKIPS_HZ * seconds else ""


def _flip_rows(found: dict[float, list[str]]) -> list[Row]:
    """Rows about each slope; those of the source's failures are exceeded if ours succeed."""
    passed = {slope: sum(not why for why in whys) for slope, whys in found.items()}
    counts = ", ".join(f"{slope:g}°: {count}" for slope, count in passed.items())
    starts = len(next(iter(found.values())))
    enough = min(ENOUGH, starts)
    every = all(passed.get(s, enough) >= enough for s in SLOPES_DEG if -5.0 <= s <= 8.0)
    note = f"Successes of {starts} starts (0.02 rad, 0.05 rad/s) on each slope, positive uphill: {counts}."
    rows = [
        make_row(
            "firmin-5-slope-backflip",
            f"on 7.5° {passed[7.5]} of {starts} land and stand",
            passed[7.5] >= enough,
            exceeded=every and passed[7.5] >= enough,
            note=note,
        )
    ]
    for claim, slope in (("firmin-5-slope-backflip-8", 8.0), ("firmin-5-slope-backflip-m4", -4.0)):
        if slope in passed:
            better = passed[slope] >= enough
            text = f"on {slope:g}° {passed[slope]} of {starts} land and stand"
            more = "The source's fails here; ours does not. " if better else "It fails here, as the source's does. "
            rows.append(make_row(claim, text, True, exceeded=better, note=more + note))
    return rows


def _gait_row(name: str, found: dict[float, list[str]]) -> Row:
    """Row about the steepest hills that a gait handles."""
    speed, claim = GAITS[name]
    good = [deg for deg, whys in found.items() if not any(whys)]
    best = max((d for d in good if all(g in good for g in found if g <= d)), default=0.0)
    failed = next((f"{deg:g}°: {why}" for deg, whys in found.items() for why in whys if why), "")
    return make_row(
        claim,
        f"script/{name} goes over hills of up to {best:g}° on {len(next(iter(found.values())))} grounds",
        best >= ASKED_DEG,
        exceeded=best > ASKED_DEG,
        note=f"It must cover {WAY_PART:g} of the distance at {speed:g} m/s and never fall. "
        + (f"First failure, {failed}." if failed else "None failed."),
    )


def measure(quick: bool = False, seed: int = 0, progress: Progress | None = None) -> list[Row]:
    """Success of the backflip on slopes and of gaits over hills."""
    slopes: Sequence[float] = (7.5,) if quick else SLOPES_DEG
    seeds = range(FIRST_SEED + seed, FIRST_SEED + seed + (1 if quick else STARTS))
    flips = [(slope, s) for slope in slopes for s in seeds]
    hills = (ASKED_DEG,) if quick else HILLS_DEG
    gaits = [(name, deg, g) for name in GAITS for deg in hills for g in range(1 if quick else GROUNDS)]
    seconds = QUICK_HILLS_S if quick else HILLS_S
    jobs = [partial(try_flip, slope, s) for slope, s in flips]
    jobs += [partial(try_gait, name, deg, g, seconds) for name, deg, g in gaits]
    found = run_trials(jobs, progress)
    landed, went = found[: len(flips)], found[len(flips) :]
    by_slope = {slope: [why for why, (d, _) in zip(landed, flips, strict=True) if d == slope] for slope in slopes}
    rows = _flip_rows(by_slope)
    for name in GAITS:
        by_hills = {d: [w for w, (n, h, _) in zip(went, gaits, strict=True) if (n, h) == (name, d)] for d in hills}
        rows.append(_gait_row(name, by_hills))
    return rows


EXPERIMENT: Final = Experiment(
    "firmin/slopes",
    "the backflip on slopes and gaits over hills, from perturbed starts",
    measure,
    {
        "slopes_deg": list(SLOPES_DEG),
        "starts": STARTS,
        "first_seed": FIRST_SEED,
        "hills_deg": list(HILLS_DEG),
        "grounds": GROUNDS,
        "hills_s": HILLS_S,
        "timestep_s": DEFAULT_TIMESTEP_S,
    },
    ("firmin-5-slope-backflip", "firmin-5-slope-backflip-8", "firmin-5-slope-backflip-m4")
    + tuple(claim for _, claim in GAITS.values()),
)
