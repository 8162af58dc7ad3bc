"""Samples of a walk within its steps: heights of knees, head and centre of mass, lean, and how the feet stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.characters.model import ROLES, SIDES
from poise.kernels.percept import Percept
from poise.reproduce.laszlo.runs import find_balancer
from poise.rollout.run import Watch, run
from poise.trials import heartbeat
from poise.world.world import World

EVERY_S: Final = 0.01
#: Rise of the foot's forward axis above which it stands on its heel: about three degrees.
HEEL_RISE: Final = 0.05
_HEAD, _TRUNK = ROLES.index("head"), ROLES.index("trunk")
_SHANKS = tuple(ROLES.index(f"{side}_shank") for side in SIDES)
_FEET = tuple(ROLES.index(f"{side}_foot") for side in SIDES)


@dataclass(frozen=True)
class Look:
    """One sample of a walk."""

    #: Steps completed before it.
    step: int
    time_s: float
    com_m: float
    head_m: float
    #: Height of the higher knee.
    knee_m: float
    #: Lateral distance of the left foot from the right one, positive to the left.
    apart_m: float
    #: Whether each loaded foot stands on its heel.
    on_heel: tuple[bool, ...]
    in_flight: bool
    #: Forward lean of the torso.
    lean_deg: float


def watch(world: World, steps: int, *, every_s: float = EVERY_S) -> tuple[bool, list[Look]]:
    """Walk until `steps` steps are done in total; return whether it got there, and all samples."""
    balancer = find_balancer(world)
    looks: list[Look] = []

    def look(world: World) -> bool:
        heartbeat()
        fell = world.fell_at_s() is not None
        if not fell:
            looks.append(_look(world.percepts[0], len(balancer.steps), world.time_s))
        return fell or len(balancer.steps) >= steps

    ticks = max(1, round(every_s / world.settings.timestep_s))
    diverged = len(balancer.steps) < steps and run(world, [3.0 * steps, "diverged"], watch=Watch(look, ticks)).failed
    fell = diverged or world.fell_at_s() is not None
    return not fell and len(balancer.steps) >= steps, looks


def _look(percept: Percept, step: int, time_s: float) -> Look:
    pos, roles = percept.pos_w, percept.roles
    c, s = percept.heading_w[0], percept.heading_w[1]
    left, right = (pos[roles[k]] for k in _FEET)
    trunk = percept.rot_w[roles[_TRUNK]]
    loaded = [roles[k] for k in _FEET if percept.touch_load[roles[k]] > 0.0]
    return Look(
        step=step,
        time_s=time_s,
        com_m=float(percept.com_w[2]),
        head_m=float(percept.segment_com_w[roles[_HEAD], 2]) if roles[_HEAD] >= 0 else float("nan"),
        knee_m=float(max(pos[roles[k], 2] for k in _SHANKS)),
        apart_m=float(c * (left[1] - right[1]) - s * (left[0] - right[0])),
        on_heel=tuple(bool(percept.rot_w[k, 6] > HEEL_RISE) for k in loaded),
        in_flight=not loaded,
        lean_deg=math.degrees(math.atan2(c * trunk[2] + s * trunk[5], trunk[8])),
    )


def share_on_heel(looks: Sequence[Look]) -> float:
    """Fraction of ground contact in which a foot stands on its heel."""
    loaded = [heel for look in looks for heel in look.on_heel]
    return float(np.mean(loaded)) if loaded else float("nan")


def share_in_flight(looks: Sequence[Look]) -> float:
    """Fraction of time in which no foot is loaded."""
    return float(np.mean([look.in_flight for look in looks])) if looks else float("nan")
