"""The skills of the controller language, each from changed starts: do they do what their names say [Firmin15 §5.2]?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.api import Scene
from poise.characters.model import Character
from poise.constants import DEFAULT_TIMESTEP_S
from poise.controllers.script.names import Body
from poise.errors import DivergedError
from poise.reproduce import firmin_judges as judges
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.firmin_judges import Gait, Judge, both
from poise.rollout.recording import Recording
from poise.rollout.simulate import simulate
from poise.trials.jobs import heartbeat, run_trials
from poise.world.compile import PhysicsSettings
from poise.world.controller import Start
from poise.world.disturbances import Spawn

Progress = Callable[[float], None]
STARTS, QUICK_STARTS = 20, 2
#: How many controllers the source has.
SOURCE_COUNT: Final = 25


@dataclass(frozen=True)
class Change:
    """How far a start is from the stated pose: each joint and the whole body, uniform to both sides."""

    angle_rad: float
    rate_radps: float


STEADY, ACROBATIC = Change(0.05, 0.2), Change(0.02, 0.05)
#: Poses in which skills begin, in the language's names and signs; the rest is straight. `pitch` is the whole body's.
POSES: Final[Mapping[str, Mapping[str, float]]] = {
    "standing": {},
    "hands and knees": {
        "pitch": 1.4, "Shoulder": -1.4, "Elbow": -0.1, "Wrist": -1.4, "Hip": -1.4, "Knee": 1.5, "Ankle": 1.0
    },
    "on the belly": {"pitch": 1.57, "Shoulder": 0.6, "Elbow": -2.3, "Wrist": -1.0, "Ankle": 1.0},
    "on the back": {"pitch": -1.57, "Ankle": 0.3},
    "handstand": {"pitch": 3.19, "Shoulder": -3.05, "Elbow": -0.05, "Wrist": -1.5, "Ankle": 0.6},
}  # fmt: skip


@dataclass(frozen=True)
class Skill:
    """How a shipped script is tried: where it begins, for how long, and what it must show."""

    judge: Judge
    seconds: float
    start: str = "standing"
    change: Change = STEADY
    #: The claim that it is a controller of the language; empty where the source has none of that name.
    claim: str = ""
    terrain: str = "flat"


def _flip(turns: float) -> Judge:
    """Over in the air, never on its head, and standing in the end."""
    return both(judges.STANDING, judges.turned(turns), judges.flew(0.3), judges.head_stays_above(0.3))


SKILLS: Final[Mapping[str, Skill]] = {
    "stand": Skill(judges.STANDING, 12.0, claim="firmin-5-ctl-stand"),
    "squat": Skill(judges.SQUATTING, 14.0, claim="firmin-5-ctl-squat"),
    "rise": Skill(judges.STANDING, 20.0, claim="firmin-5-ctl-rise"),
    "hop": Skill(both(judges.STANDING, judges.flew()), 16.0, claim="firmin-5-ctl-hop"),
    "one-leg-hop": Skill(both(judges.STANDING, judges.hopped_on_one_leg(4)), 20.0, change=ACROBATIC),
    "step": Skill(both(judges.STANDING, judges.went(0.2)), 14.0, claim="firmin-5-ctl-step"),
    "walk": Skill(Gait((1.1, 1.6)), 10.0, claim="firmin-5-ctl-walk"),
    "fast-walk": Skill(Gait((1.5, 2.0)), 10.0, claim="firmin-5-ctl-fastwalk"),
    "high-step": Skill(Gait((0.9, 1.2)), 10.0),
    "backward-walk": Skill(Gait((-0.6, -0.4)), 10.0, claim="firmin-5-ctl-backwalk"),
    "walk-in-place": Skill(Gait((-0.1, 0.1)), 10.0, claim="firmin-5-ctl-inplace"),
    "walk-to-stop": Skill(judges.STANDING, 24.0, claim="firmin-5-ctl-stop"),
    "run": Skill(Gait((1.7, 2.6)), 20.0, claim="firmin-5-ctl-run"),
    "bound": Skill(both(Gait((1.0, 2.0)), judges.flew()), 10.0),
    "stand-to-hands-and-knees": Skill(judges.ON_HANDS_AND_KNEES, 12.0, claim="firmin-5-ctl-stand2hak"),
    "hands-and-knees": Skill(judges.ON_HANDS_AND_KNEES, 4.0, "hands and knees", claim="firmin-5-ctl-hak"),
    "crawl": Skill(
        Gait((0.15, 0.45), lean_rad=(0.8, 2.1), pelvis_m=(0.25, 0.7)),
        8.0,
        "hands and knees",
        claim="firmin-5-ctl-crawl",
    ),
    "crawl-to-squat": Skill(judges.SQUATTING, 8.0, "hands and knees", claim="firmin-5-ctl-crawl2squat"),
    "prone-to-stand": Skill(judges.STANDING, 14.0, "on the belly"),
    "supine": Skill(judges.SUPINE, 12.0, claim="firmin-5-ctl-supine"),
    "supine-to-stand": Skill(judges.STANDING, 15.0, "on the back"),
    "handstand": Skill(judges.INVERTED, 10.0, "handstand", ACROBATIC),
    "handstand-to-supine": Skill(judges.SUPINE, 7.0, "handstand", ACROBATIC, "firmin-5-ctl-hs2supine"),
    "handspring": Skill(
        both(judges.STANDING, judges.turned(1.0), judges.head_stays_above(0.1)), 14.0, change=ACROBATIC
    ),
    "roll": Skill(both(judges.STANDING, judges.turned(1.0)), 15.0, change=ACROBATIC),
    "backflip": Skill(_flip(-1.0), 12.0, change=ACROBATIC, claim="firmin-5-ctl-backflip"),
    "somersault": Skill(_flip(1.0), 12.0, change=ACROBATIC, claim="firmin-5-ctl-somersault"),
}


def change_start(character: Character, pose: str, change: Change, seed: int) -> Start:
    """A pose with every joint, every rate and the body's pitch drawn around it; within the joints' ranges."""
    body, random = Body(character), np.random.default_rng(seed)
    wanted, angles, rates = POSES[pose], {}, {}
    stated = {
        character.axes[body.joints[side + joint]].name: body.sign(body.joints[side + joint]) * angle
        for joint, angle in wanted.items()
        if joint != "pitch"
        for side in "lr"
    }
    for axis in character.axes:
        if axis.high_rad - axis.low_rad < change.angle_rad:
            continue
        drawn = stated.get(axis.name, 0.0) + random.uniform(-change.angle_rad, change.angle_rad)
        angles[axis.name] = float(np.clip(drawn, axis.low_rad, axis.high_rad))
        rates[axis.name] = float(random.uniform(-change.rate_radps, change.rate_radps))
    pitch = wanted.get("pitch", 0.0) + float(random.uniform(-change.angle_rad, change.angle_rad))
    return Start(joint_q_rad=angles, joint_v_radps=rates, root_pitch_rad=pitch)


def run_skill(name: str, seed: int, timestep_s: float = DEFAULT_TIMESTEP_S) -> Recording:
    """A run of a shipped skill from a changed start, on the ground for which scripts are made."""
    skill = SKILLS[name]
    scene = Scene(f"script/{name}", terrain=skill.terrain, physics=PhysicsSettings(timestep_s=timestep_s))
    world = scene.open()
    world.place(0, change_start(world.characters[0], skill.start, skill.change, seed), Spawn())
    return simulate(world, skill.seconds, progress=heartbeat)


def try_skill(name: str, seed: int, timestep_s: float = DEFAULT_TIMESTEP_S) -> str:
    """Why a skill failed from a changed start; the empty text if it did not."""
    try:
        return SKILLS[name].judge(run_skill(name, seed, timestep_s))
    except DivergedError:
        return "diverged"


def _skill_row(name: str, failures: Sequence[str]) -> Row:
    skill, passed = SKILLS[name], sum(not f for f in failures)
    how = f"{skill.change.angle_rad:g} rad and {skill.change.rate_radps:g} rad/s"
    worst = next((f for f in failures if f), "")
    return make_row(
        skill.claim,
        f"script/{name}: {passed} of {len(failures)} from {skill.start} changed by {how}",
        passed == len(failures),
        note=f"Failed for example thus: {worst}." if worst else "",
    )


def _count_rows(failures: Mapping[str, Sequence[str]]) -> list[Row]:
    sure = [name for name, found in failures.items() if not any(found)]
    rest = ", ".join(f"{n} ({sum(not f for f in found)})" for n, found in failures.items() if any(found))
    return [
        make_row(
            "firmin-5-count",
            f"{len(failures)} skills, {len(sure)} of which succeed from every changed start",
            len(sure) > SOURCE_COUNT,
            note=""
            if len(sure) > SOURCE_COUNT
            else f"Skills that fail from some starts: {rest or 'none'}; others are not written yet.",
        )
    ]


def measure(quick: bool = False, seed: int = 0, progress: Progress | None = None) -> list[Row]:
    """Success of every skill over changed starts."""
    starts = range(1 + 1000 * seed, 1 + 1000 * seed + (QUICK_STARTS if quick else STARTS))
    jobs = [(name, start) for name in SKILLS for start in starts]
    found = run_trials([partial(try_skill, name, start) for name, start in jobs], progress)
    failures = {n: [f for f, (name, _) in zip(found, jobs, strict=True) if name == n] for n in SKILLS}
    rows = [_skill_row(name, failures[name]) for name, skill in SKILLS.items() if skill.claim]
    # Two starts of each say little about how many skills are sure.
    return rows if quick else [*rows, *_count_rows(failures)]


EXPERIMENT: Final = Experiment(
    "firmin/skills",
    "every skill of the controller language does what its name says, from 20 changed starts",
    measure,
    {
        "starts": STARTS,
        "gaits_and_poses": [STEADY.angle_rad, STEADY.rate_radps],
        "acrobatics": [ACROBATIC.angle_rad, ACROBATIC.rate_radps],
        "timestep_s": DEFAULT_TIMESTEP_S,
    },
    tuple(sorted({s.claim for s in SKILLS.values() if s.claim} | {"firmin-5-count"})),
)
