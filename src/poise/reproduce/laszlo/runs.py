"""What the experiments on limit cycles share: the source's ground and time step, walks by steps, and words for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from poise.controllers.limit_cycle.balance import Balancer, Step
from poise.rollout.run import WATCH, Silence, Until, Watch, run
from poise.rollout.scene import Scene
from poise.trials import heartbeat, run_trials, step_run
from poise.world.compile import PhysicsSettings
from poise.world.ground import PenaltyGround
from poise.world.world import World

WALK, STROLL = "limit-cycle/human-walk", "limit-cycle/human-stroll"
#: Where the source's ground needs another value than MuJoCo's.
ON_SOURCE_GROUND: Final[Mapping[str, Mapping[str, float | str]]] = {STROLL: {"target_most": 0.38}}
#: As Appendix C has it, with the text's own way of slipping.
GROUND: Final = PenaltyGround(25000.0, 1500.0, friction=1.0, slip="text")
STEP_S: Final = 0.00025
STRATEGIES: Final = ("FL", "LF", "SP")
#: A trial of the source is this long.
TRIAL_STEPS: Final = 60
#: Settings with which the torso servo goes [Laszlo96 §3.8]: the regulated vector is the pelvis'.
SERVO: Final[Mapping[str, float | str]] = {"servo": "on", "forward_by": "pelvis", "side_by": "pelvis"}
SETTINGS: Final = {
    "timestep_s": STEP_S,
    "ground": {"stiffness_npm": 25000.0, "damping_nspm": 1500.0, "friction": 1.0, "slip": "text"},
    "steps": TRIAL_STEPS,
}

Progress = Callable[[float], None]
Values = Mapping[str, float | str]


@dataclass(frozen=True)
class Walk:
    """What a trial came to, step by step."""

    steps: tuple[Step, ...]
    fell: bool
    seconds: float

    @property
    def done(self) -> int:
        return len(self.steps)

    @property
    def places(self) -> np.ndarray:
        """Where the pelvis was at the end of each step."""
        return np.array([s.at for s in self.steps]).reshape(-1, 2)

    @property
    def lengths_m(self) -> np.ndarray:
        """Way of the pelvis over each step but the first."""
        return np.hypot(*np.diff(self.places, axis=0).T) if self.done > 1 else np.zeros(0)

    @property
    def headings_rad(self) -> np.ndarray:
        return np.unwrap([s.heading_rad for s in self.steps]) if self.steps else np.zeros(0)

    def values(self, component: int) -> np.ndarray:
        """What was reached at the end of each step, ahead (0) or across (1)."""
        return np.array([s.reached[component] for s in self.steps])


def open_walk(
    values: Values | None = None,
    *,
    controller: Any = WALK,
    character: Any = None,
    ground: PenaltyGround | None = GROUND,
    timestep_s: float = STEP_S,
    **scene: Any,
) -> World:
    """A world in which it is about to begin; samples of a step run one after the other, for trials run side by side."""
    physics = PhysicsSettings(timestep_s=timestep_s)
    own = ON_SOURCE_GROUND.get(controller, {}) if isinstance(controller, str) and ground is not None else {}
    made = Scene(controller, character, values={**own, **(values or {})}, ground=ground, physics=physics, **scene)
    world = made.open()
    find_balancer(world).workers = 1
    return world


def find_balancer(world: World) -> Balancer:
    """What balances the limit cycle of a world that has one."""
    balancer = step_run.find_balancer(world)
    assert balancer is not None
    return balancer


def go_on(world: World, steps: int, *, limit_s: float = 600.0) -> bool:
    """Walks until so many steps are done in all; false if it fell, stuck or diverged."""
    balancer = find_balancer(world)

    def is_done(_: World) -> bool:
        heartbeat()
        return len(balancer.steps) >= steps

    if is_done(world):
        return True
    until: list[Until] = [limit_s - world.time_s, "down", "diverged", Silence(6.0)]
    ending = run(world, until, watch=Watch(is_done, events=("phase",)))
    return ending.reason == WATCH and world.fell_at_s() is None


def walk(values: Values | None = None, steps: int = TRIAL_STEPS, **scene: Any) -> Walk:
    """One trial from rest."""
    world = open_walk(values, **scene)
    upright = go_on(world, steps)
    return Walk(tuple(find_balancer(world).steps), not upright, world.time_s)


def walk_all(cases: Sequence[Values], steps: int, progress: Progress | None = None, **more: Any) -> list[Walk]:
    """Trials side by side."""
    return run_trials([partial(walk, case, steps, **more) for case in cases], progress)


def show_grid(targets: Sequence[float], walks: Sequence[Walk]) -> str:
    return ", ".join(f"{t:g}: {w.done}" for t, w in zip(targets, walks, strict=True))


def longest_run(targets: Sequence[float], fine: Sequence[bool]) -> tuple[float, float, int]:
    """First and last of the most neighbouring targets that walk, and how many they are."""
    best, start = (math.nan, math.nan, 0), 0
    for k in range(len(fine) + 1):
        if k == len(fine) or not fine[k]:
            if k - start > best[2]:
                best = (targets[start], targets[k - 1], k - start)
            start = k + 1
    return best


def variation(values: np.ndarray) -> float:
    """Standard deviation over mean."""
    return float(np.std(values) / abs(np.mean(values))) if len(values) and np.mean(values) else math.nan


def find_radius(made: Walk) -> tuple[float, float]:
    """Radius of the circle that it walks after its first third, and degrees that it turns a step, to the left."""
    h, first = made.headings_rad, made.done // 3
    turned = float(h[-1] - h[first])
    way = float(made.lengths_m[first:].sum())
    return way / abs(turned) if turned else math.inf, math.degrees(turned) / max(made.done - first - 1, 1)
