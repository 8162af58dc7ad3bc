"""How far the state may be off when a skill begins [Firmin15 §5.3]: slow skills with feedback beside dynamic ones.

All skills here begin by standing or lying still, so that noise at their very start says little of them. It comes where
the skill itself begins: at its first phase that acts, or, where it only calls others, once it is what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np

from poise.api import Scene
from poise.constants import DEFAULT_RECORD_HZ, DEFAULT_TIMESTEP_S
from poise.errors import DivergedError
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.firmin_skills import SKILLS, Change, change_start
from poise.rollout.simulate import simulate
from poise.transitions.moment import disturb, find_places, take_moment
from poise.transitions.skill import load_skill
from poise.trials.jobs import heartbeat, run_trials
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Spawn
from poise.world.world import World

Progress = Callable[[float], None]
SLOW, DYNAMIC = ("stand", "squat"), ("backflip", "kip")
#: Standard deviations of the noise on all joints, and on their rates for each radian.
ANGLES_RAD, RATES_PER_RAD = (0.02, 0.05, 0.1, 0.2, 0.3), 4.0
QUICK_ANGLES_RAD: Final = (0.1,)
TRIES, QUICK_TRIES = 8, 3
#: A skill that only calls others is what it is after this part of its time, and is looked at for so long.
SETTLED_PART, LATER_S = 0.6, 6.0
UNCHANGED: Final = Change(0.0, 0.0)


def open_at_entry(name: str) -> World:
    """A world in which a skill is about to act by itself, from its stated pose."""
    skill, phases = SKILLS[name], load_skill(name).program.script.phases
    own = next((k for k, phase in enumerate(phases) if phase.actions), None)
    world = Scene(
        f"script/{name}", terrain=skill.terrain, physics=PhysicsSettings(timestep_s=DEFAULT_TIMESTEP_S)
    ).open()
    world.place(0, change_start(world.characters[0], skill.start, UNCHANGED, 0), Spawn())
    world.warm_up()
    if own is None:
        world.run_until(SETTLED_PART * skill.seconds)
        return world
    while world.time_s < skill.seconds:
        places = find_places(world)
        if places and places[0].phase == own:
            break
        world.advance(round(skill.seconds / DEFAULT_TIMESTEP_S), stop_on=["phase"])
    return world


def _shake(world: World, angle_rad: float, seed: int) -> None:
    """Noise on all joints and their rates, here and now; the lowest point stays as high as it was."""
    random = np.random.default_rng([seed, 11])
    moment = disturb(world, take_moment(world), random, angle_rad, RATES_PER_RAD * angle_rad)
    percept = world.percepts[0]
    percept.root_q[:], percept.joint_q[:] = moment.root_q, moment.joint_q
    percept.root_v[:], percept.joint_v[:] = moment.root_v, moment.joint_v


def try_noise(name: str, angles: Sequence[float], tries: int, seed: int) -> list[float]:
    """For each noise, the part of the tries that succeed."""
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
    """The noise at which half of the tries succeed, between two that were tried; the last if more than half did."""
    last, before = 0.0, 1.0
    for angle, share in zip(angles, shares, strict=True):
        if share < 0.5:
            return last + (angle - last) * (before - 0.5) / (before - share)
        last, before = angle, share
    return last


def measure_basins(quick: bool, seed: int, progress: Progress | None = None) -> Row:
    """Success against growing noise, of the skills that there are."""
    names = [name for name in (*SLOW, *DYNAMIC) if name in SKILLS]
    angles, tries = (QUICK_ANGLES_RAD, QUICK_TRIES) if quick else (ANGLES_RAD, TRIES)
    found = run_trials([partial(try_noise, name, angles, tries, seed) for name in names], progress)
    shares = dict(zip(names, found, strict=True))
    extents = {name: find_extent_rad(angles, shares[name]) for name in names}
    slow = min(extents[name] for name in SLOW)
    holds = all(slow > extents[name] for name in DYNAMIC if name in extents)
    shown = {n: ", ".join(f"{round(tries * x)}" for x in shares[n]) for n in names}
    lacking = [name for name in DYNAMIC if name not in SKILLS]
    return make_row(
        "firmin-5-basin",
        f"of {tries} tries with noise of {', '.join(f'{a:g}' for a in angles)} rad where the skill itself begins: "
        + "; ".join(f"{name} {shown[name]} (half at {extents[name]:.2f} rad)" for name in names),
        holds,
        note=(f"There is no {lacking[0]} yet." if lacking else "")
        if holds
        else "A dynamic skill bears as much as a slow one.",
    )
