"""The skills of the controller language [Firmin15 §5.2]: start pose, noise of the starts, and judge of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from poise.batches.threads import heartbeat
from poise.constants import DEFAULT_TIMESTEP_S
from poise.errors import DivergedError
from poise.recordings.recording import Recording
from poise.reproduce.firmin import judges
from poise.reproduce.firmin.gait_judges import leapt, skipped, walked_bent
from poise.reproduce.firmin.judges import Gait, Judge, both
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate
from poise.skills.poses import ACROBATIC, STEADY, Change, change_start
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Spawn


@dataclass(frozen=True)
class Skill:
    """Trial of a shipped script: its start, duration and judge."""

    judge: Judge
    seconds: float
    start: str = "standing"
    change: Change = STEADY
    #: Id of the claim about this controller; empty if the source has none of this name.
    claim: str = ""
    terrain: str = "flat"


def _flip(turns: float) -> Judge:
    """Turning over in the air, never on the head, and standing at the end."""
    return both(judges.STANDING, judges.turned(turns), judges.flew(0.3), judges.head_stays_above(0.3))


#: Over the hands, one leg after the other, with nothing else on the ground, and standing at the end.
_WALKOVER: Final = both(
    judges.STANDING,
    judges.turned(1.0),
    judges.touched_only("hand", "foot"),
    judges.split(1.0),
    judges.carried_by_hands(0.3),
)
#: Onto the hands and nothing else, and still there at the end.
_KICK_UP: Final = both(judges.INVERTED, judges.touched_only("hand", "foot"), judges.carried_by_hands(6.0))
#: From the back onto the feet: through the air, feet first, never on the knees.
_KIP: Final = both(
    judges.STANDING,
    judges.turned(0.0),
    judges.was_in_the_air(0.1),
    judges.touched_only("hand", "foot", "head", "neck", "trunk", "pelvis", "thigh", "arm"),
)
#: On the hands alone for the whole time, one hand after the other.
_HANDWALK: Final = both(
    Gait((0.03, 0.6), last_s=10.0, lean_rad=(2.2, 4.0), pelvis_m=(0.85, 1.4)),
    judges.touched_only("hand"),
    judges.stepped_on_hands(6),
    judges.hands_went(0.5),
)
SKILLS: Final[Mapping[str, Skill]] = {
    "stand": Skill(judges.STANDING, 12.0, claim="firmin-5-ctl-stand"),
    "squat": Skill(judges.SQUATTING, 14.0, claim="firmin-5-ctl-squat"),
    "rise": Skill(judges.STANDING, 20.0, claim="firmin-5-ctl-rise"),
    "hop": Skill(both(judges.STANDING, judges.flew()), 16.0, claim="firmin-5-ctl-hop"),
    "jump-forward": Skill(both(judges.STANDING, leapt(0.4)), 14.0, change=ACROBATIC),
    "step-up": Skill(
        both(judges.STANDING, judges.stands_at(0.14)), 10.0, change=ACROBATIC, claim="firmin-5-ctl-stepup"
    ),
    "stair-climb": Skill(
        both(judges.STANDING, judges.stands_at(0.7)), 30.0, change=ACROBATIC, claim="firmin-5-ctl-stairs"
    ),
    "one-leg-hop": Skill(both(judges.STANDING, judges.hopped_on_one_leg(4)), 20.0, change=ACROBATIC),
    "step": Skill(both(judges.STANDING, judges.went(0.2)), 14.0, claim="firmin-5-ctl-step"),
    "walk": Skill(Gait((1.1, 1.6)), 10.0, claim="firmin-5-ctl-walk"),
    "fast-walk": Skill(Gait((1.5, 2.0)), 10.0, claim="firmin-5-ctl-fastwalk"),
    "high-step": Skill(Gait((0.9, 1.2)), 10.0),
    "backward-walk": Skill(Gait((-0.6, -0.4)), 10.0, claim="firmin-5-ctl-backwalk"),
    "walk-in-place": Skill(Gait((-0.1, 0.1)), 10.0, claim="firmin-5-ctl-inplace"),
    "walk-to-stop": Skill(judges.STANDING, 24.0, claim="firmin-5-ctl-stop"),
    "run": Skill(Gait((1.7, 2.6)), 20.0, claim="firmin-5-ctl-run"),
    "bent-walk": Skill(both(Gait((1.1, 1.7)), walked_bent(0.35, 0.2, 5.0)), 10.0),
    "skip": Skill(both(Gait((0.7, 1.5)), skipped(8, 6.0)), 10.0, claim="firmin-5-ctl-skip"),
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
    "kip": Skill(_KIP, 16.0, "on the back", ACROBATIC, "firmin-5-ctl-kip"),
    "handwalk": Skill(_HANDWALK, 12.0, "handstand", ACROBATIC, "firmin-5-ctl-handwalk"),
    "walkover": Skill(_WALKOVER, 16.0, change=ACROBATIC, claim="firmin-5-ctl-walkover"),
    "kick-up": Skill(_KICK_UP, 16.0, change=ACROBATIC, claim="firmin-5-ctl-handstand"),
    "roll": Skill(both(judges.STANDING, judges.turned(1.0)), 15.0, change=ACROBATIC),
    "backflip": Skill(_flip(-1.0), 12.0, change=ACROBATIC, claim="firmin-5-ctl-backflip"),
    "somersault": Skill(_flip(1.0), 12.0, change=ACROBATIC, claim="firmin-5-ctl-somersault"),
}


def run_skill(
    name: str,
    seed: int,
    timestep_s: float = DEFAULT_TIMESTEP_S,
    seconds: float | None = None,
    change: Change | None = None,
) -> Recording:
    """A run of a shipped skill from a perturbed start."""
    skill = SKILLS[name]
    scene = Scene(f"script/{name}", terrain=skill.terrain, physics=PhysicsSettings(timestep_s=timestep_s))
    world = scene.open()
    world.place(0, change_start(world.characters[0], skill.start, change or skill.change, seed), Spawn())
    return simulate(world, seconds or skill.seconds, progress=heartbeat)


def try_skill(name: str, seed: int, timestep_s: float = DEFAULT_TIMESTEP_S, seconds: float | None = None) -> str:
    """Why a skill failed from a perturbed start; empty if it succeeded."""
    try:
        return SKILLS[name].judge(run_skill(name, seed, timestep_s, seconds))
    except DivergedError:
        return "diverged"
