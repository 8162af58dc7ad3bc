"""Tolerance of skills to noise in their start state [Firmin15 §5.3]: slow skills with feedback and dynamic ones.

All skills here begin by standing or lying still, or by folding up slowly; noise at the very start is gone before the
motion proper begins. The noise is therefore added where a stunt begins: at the last phase that begins at rest before
the body leaves the ground. A skill that never leaves the ground gets the noise once it has settled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np

from poise.batches.threads import heartbeat, run_trials
from poise.constants import DEFAULT_RECORD_HZ, DEFAULT_TIMESTEP_S
from poise.errors import DivergedError
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.firmin.skills import SKILLS
from poise.rollout.run import Watch, run
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate
from poise.skills.moment import find_places
from poise.skills.poses import Change, change_start
from poise.world.body_state import perturb_body, put_body, take_body
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Spawn
from poise.world.tape import TapeLog
from poise.world.world import World

Progress = Callable[[float], None]
SLOW, DYNAMIC = ("stand", "squat"), ("backflip", "kip")
#: Standard deviations of the noise on all joints, and those of their rates per radian.
ANGLES_RAD, RATES_PER_RAD = (0.02, 0.05, 0.1, 0.2, 0.3), 4.0
QUICK_ANGLES_RAD: Final = (0.1,)
TRIES, QUICK_TRIES = 8, 3
#: A phase begins at rest if the centre of mass is slower than this.
REST_MPS: Final = 0.1
#: Sampling interval in time steps, and how long nothing must touch the ground for a flight.
LOOK_TICKS, FLIGHT_S = 10, 0.05
#: A skill that never leaves the ground has settled after this fraction of its time; every skill is then judged after at
#: least this many seconds.
SETTLED_PART, LATER_S = 0.6, 6.0
UNCHANGED: Final = Change(0.0, 0.0)


def open_at_entry(name: str) -> World:
    """A world at the start of the skill proper (`find_entry_s`), reached from its stated pose."""
    skill = SKILLS[name]
    world = Scene(
        f"script/{name}", terrain=skill.terrain, physics=PhysicsSettings(timestep_s=DEFAULT_TIMESTEP_S)
    ).open()
    world.place(0, change_start(world.characters[0], skill.start, UNCHANGED, 0), Spawn())
    world.warm_up()
    start = world.snapshot()
    entry_s = find_entry_s(world, SETTLED_PART * skill.seconds)
    world.restore(start)
    world.run_until(entry_s)
    return world


def find_entry_s(world: World, until_s: float) -> float:
    """When the last phase that begins at rest before the first flight begins; `until_s` if there is no flight."""
    log, begun, phase = TapeLog(), [world.time_s], -1

    def look(world: World) -> None:
        nonlocal phase
        places = find_places(world)
        if places and places[0].phase != phase:
            phase = places[0].phase
            begun.append(world.time_s)

    look_hz = 1.0 / (LOOK_TICKS * DEFAULT_TIMESTEP_S)
    run(world, until_s - world.time_s, watch=Watch(look, events=("phase",)), record_hz=look_hz, log=log)
    look(world)
    seen = log.arrays()
    touches = np.diff(seen["contact_start"]) > 0
    frames = round(FLIGHT_S / (LOOK_TICKS * DEFAULT_TIMESTEP_S))
    in_air = np.flatnonzero(np.convolve(touches, np.ones(frames), mode="valid") == 0)
    if not len(in_air):
        return until_s
    speeds = np.linalg.norm(seen["com"][:, 0, 3:6], axis=1)
    # The last frame before a phase begins: the phase itself may be fast from its first step.
    before = np.searchsorted(seen["time"], begun, side="right") - 1
    still = [t for t, k in zip(begun, before, strict=True) if k < in_air[0] and speeds[max(k, 0)] < REST_MPS]
    return still[-1] if still else begun[0]


def _shake(world: World, angle_rad: float, seed: int) -> None:
    """Add noise to all joints and their rates; the height of the lowest point stays the same."""
    random = np.random.default_rng([seed, 11])
    state, rate_radps = take_body(world), RATES_PER_RAD * angle_rad
    put_body(world, perturb_body(world, state, random, angle_rad=angle_rad, rate_radps=rate_radps))


def try_noise(name: str, angles: Sequence[float], tries: int, seed: int) -> list[float]:
    """Share of the tries that succeed, for each noise."""
    world = open_at_entry(name)
    entry, left_s = world.snapshot(), max(SKILLS[name].seconds - world.time_s, LATER_S)
    shares: list[float] = []
    for angle in angles:
        done = 0
        for k in range(tries):
            heartbeat((len(shares) + k / tries) / len(angles))
            world.restore(entry)
            _shake(world, angle, 1000 * seed + k)
            try:
                done += not SKILLS[name].judge(simulate(world, left_s, record_hz=DEFAULT_RECORD_HZ))
            except DivergedError:
                continue
        shares.append(done / tries)
    return shares


def find_extent_rad(angles: Sequence[float], shares: Sequence[float]) -> float:
    """Noise at which half of the tries succeed, interpolated; the largest tried if at least half always do."""
    last, before = 0.0, 1.0
    for angle, share in zip(angles, shares, strict=True):
        if share < 0.5:
            return last + (angle - last) * (before - 0.5) / (before - share)
        last, before = angle, share
    return last


def measure_basins(quick: bool, seed: int, progress: Progress | None = None) -> Row:
    """Success of the available skills under increasing noise."""
    names = [name for name in (*SLOW, *DYNAMIC) if name in SKILLS]
    angles, tries = (QUICK_ANGLES_RAD, QUICK_TRIES) if quick else (ANGLES_RAD, TRIES)
    found = run_trials([partial(try_noise, name, angles, tries, seed) for name in names], progress)
    shares = dict(zip(names, found, strict=True))
    extents = {name: find_extent_rad(angles, shares[name]) for name in names}
    weakest = min(SLOW, key=lambda name: extents[name])
    strong = [name for name in DYNAMIC if name in extents and extents[name] >= extents[weakest]]
    holds = not strong
    shown = {n: ", ".join(f"{round(tries * x)}" for x in shares[n]) for n in names}
    lacking = [name for name in DYNAMIC if name not in SKILLS]
    return make_row(
        "firmin-5-basin",
        f"successes of {tries} tries with noise of {', '.join(f'{a:g}' for a in angles)} rad where the skill proper "
        "begins: " + "; ".join(f"{name} {shown[name]} (half at {extents[name]:.2f} rad)" for name in names),
        holds,
        note=(f"There is no {lacking[0]} yet." if lacking else "")
        if holds
        else f"The {' and the '.join(strong)} tolerates as much as the {weakest}, which cannot recover by stepping.",
    )
