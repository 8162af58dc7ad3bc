"""Shared by the limit-cycle experiments: the source's ground and time step, walks by step, and their measures."""

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
#: Values on the source's ground that differ from those on MuJoCo's.
ON_SOURCE_GROUND: Final[Mapping[str, Mapping[str, float | str]]] = {STROLL: {"target_most": 0.38}}
#: Ground of Appendix C, with the slip rule of the text.
GROUND: Final = PenaltyGround(25000.0, 1500.0, friction=1.0, slip="text")
STEP_S: Final = 0.00025
STRATEGIES: Final = ("FL", "LF", "SP")
#: Length of a trial in the source.
TRIAL_STEPS: Final = 60
#: Settings for the torso servo [Laszlo96 §3.8]: the regulated vector is the pelvis'.
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
    """Result of a trial, step by step."""

    steps: tuple[Step, ...]
    fell: bool
    seconds: float

    @property
    def done(self) -> int:
        return len(self.steps)

    @property
    def places(self) -> np.ndarray:
        """Pelvis position at the end of each step."""
        return np.array([s.at for s in self.steps]).reshape(-1, 2)

    @property
    def lengths_m(self) -> np.ndarray:
        """Distance of the pelvis over each step except the first."""
        return np.hypot(*np.diff(self.places, axis=0).T) if self.done > 1 else np.zeros(0)

    @property
    def headings_rad(self) -> np.ndarray:
        return np.unwrap([s.heading_rad for s in self.steps]) if self.steps else np.zeros(0)

    def values(self, component: int) -> np.ndarray:
        """Value reached at the end of each step, forward (0) or lateral (1)."""
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
    """World at the start of a walk; samples of a step run one after the other, as trials already run in parallel."""
    physics = PhysicsSettings(timestep_s=timestep_s)
    own = ON_SOURCE_GROUND.get(controller, {}) if isinstance(controller, str) and ground is not None else {}
    made = Scene(controller, character, values={**own, **(values or {})}, ground=ground, physics=physics, **scene)
    world = made.open()
    find_balancer(world).workers = 1
    return world


def find_balancer(world: World) -> Balancer:
    """Balancer of a world that has a limit cycle."""
    balancer = step_run.find_balancer(world)
    assert balancer is not None
    return balancer


def run_to_step(world: World, steps: int, *, limit_s: float = 600.0) -> bool:
    """Walk until `steps` steps are done in total; False if it fell, got stuck or diverged."""
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
    """Run one trial from rest."""
    world = open_walk(values, **scene)
    upright = run_to_step(world, steps)
    return Walk(tuple(find_balancer(world).steps), not upright, world.time_s)


def walk_all(cases: Sequence[Values], steps: int, progress: Progress | None = None, **more: Any) -> list[Walk]:
    """Run trials in parallel."""
    return run_trials([partial(walk, case, steps, **more) for case in cases], progress)


def show_grid(targets: Sequence[float], walks: Sequence[Walk]) -> str:
    return ", ".join(f"{t:g}: {w.done}" for t, w in zip(targets, walks, strict=True))


def longest_run(targets: Sequence[float], fine: Sequence[bool]) -> tuple[float, float, int]:
    """First and last target of the longest run of neighbours that walk, and its length."""
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
    """Radius of the circle after the first third of the walk, and turn to the left per step (degrees)."""
    h, first = made.headings_rad, made.done // 3
    turned = float(h[-1] - h[first])
    way = float(made.lengths_m[first:].sum())
    return way / abs(turned) if turned else math.inf, math.degrees(turned) / max(made.done - first - 1, 1)
