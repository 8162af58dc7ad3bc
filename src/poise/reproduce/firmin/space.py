"""The controller language in three dimensions: skills of the humanoid, each from perturbed starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.batches.threads import heartbeat, run_trials
from poise.characters.model import Character
from poise.constants import DEFAULT_TIMESTEP_S
from poise.errors import DivergedError
from poise.recordings.recording import Recording
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.firmin import space_judges as judges
from poise.reproduce.firmin.judges import Judge, both
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate
from poise.world.compile import PhysicsSettings
from poise.world.controller import Start
from poise.world.disturbances import Spawn

Progress = Callable[[float], None]
STARTS, QUICK_STARTS = 20, 1
#: Half-ranges of the uniform noise around standing still: joint angles and the whole body's pitch, and joint rates.
ANGLE_RAD, RATE_RADPS = 0.02, 0.1
PREFIX: Final = "humanoid-"


@dataclass(frozen=True)
class SpaceSkill:
    """Trial of a skill: its judge, its duration, and what the report says about it."""

    judge: Judge
    seconds: float
    says: str


SKILLS: Final[Mapping[str, SpaceSkill]] = {
    "stand": SpaceSkill(judges.stays_up, 10.0, "stands without help"),
    "squat": SpaceSkill(both(judges.stands, judges.goes_down_to(0.68)), 10.0, "squats and rises"),
    "wave": SpaceSkill(both(judges.stays_up, judges.waves(3)), 9.0, "waves with its right arm"),
    "sit": SpaceSkill(both(judges.stands, judges.sits(0.5, 1.0)), 12.0, "sits down on a bench and rises from it"),
    "step-up": SpaceSkill(
        both(judges.stands, judges.steps_up(0.1)), 14.0, "steps up onto a block, one foot after the other"
    ),
}


def change_start(character: Character, seed: int) -> Start:
    """Standing with noise on every joint, every rate and the body's pitch, within the joints' ranges."""
    random = np.random.default_rng(seed)
    angles, rates = {}, {}
    for axis in character.axes:
        drawn = random.uniform(-ANGLE_RAD, ANGLE_RAD)
        angles[axis.name] = float(np.clip(drawn, axis.low_rad, axis.high_rad))
        rates[axis.name] = float(random.uniform(-RATE_RADPS, RATE_RADPS))
    return Start(angles, rates, root_pitch_rad=float(random.uniform(-ANGLE_RAD, ANGLE_RAD)))


def run_skill(name: str, seed: int, timestep_s: float = DEFAULT_TIMESTEP_S) -> Recording:
    """A run of a shipped 3-D skill from a perturbed start."""
    world = Scene(f"script/{PREFIX}{name}", physics=PhysicsSettings(timestep_s=timestep_s)).open()
    world.place(0, change_start(world.characters[0], seed), Spawn())
    return simulate(world, SKILLS[name].seconds, progress=heartbeat)


def try_skill(name: str, seed: int, timestep_s: float = DEFAULT_TIMESTEP_S) -> str:
    """Why a skill failed from a perturbed start; empty if it succeeded."""
    try:
        return SKILLS[name].judge(run_skill(name, seed, timestep_s))
    except DivergedError:
        return "diverged"


def _make_row(name: str, failures: Sequence[str]) -> Row:
    passed, worst = sum(not f for f in failures), next((f for f in failures if f), "")
    return Row(
        f"poise-script-3d-{name}",
        "Poise",
        f"With a script in the controller language, the humanoid {SKILLS[name].says}.",
        f"all starts, perturbed by up to {ANGLE_RAD:g} rad and {RATE_RADPS:g} rad/s",
        f"script/{PREFIX}{name}: {passed} of {len(failures)} starts",
        passed == len(failures),
        note=f"Example of a failure: {worst}." if worst else "",
    )


def measure(quick: bool = False, seed: int = 0, progress: Progress | None = None) -> list[Row]:
    """Success of every 3-D skill from perturbed starts."""
    starts = range(1 + 1000 * seed, 1 + 1000 * seed + (QUICK_STARTS if quick else STARTS))
    jobs = [(name, start) for name in SKILLS for start in starts]
    found = run_trials([partial(try_skill, name, start) for name, start in jobs], progress)
    return [_make_row(n, [f for f, (name, _) in zip(found, jobs, strict=True) if name == n]) for n in SKILLS]


EXPERIMENT: Final = Experiment(
    "firmin/space",
    "skills of the controller language in three dimensions, from 20 perturbed starts",
    measure,
    {"starts": STARTS, "change": [ANGLE_RAD, RATE_RADPS], "timestep_s": DEFAULT_TIMESTEP_S},
    tuple(f"poise-script-3d-{name}" for name in SKILLS),
)
