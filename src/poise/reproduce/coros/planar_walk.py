"""Push survival of a planar walk: the same push at several phases of the stride, all from one steady gait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from poise.batches.threads import run_trials
from poise.errors import InputError
from poise.measures.steps import find_steps
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.world import Push

#: Time for a gait to become steady, and for a pushed walk to fall or recover.
SETTLE_S, RECOVER_S = 10.0, 10.0


@dataclass(frozen=True)
class PushOutcome:
    """Outcome of one push; phase 0 is a strike of the left foot, 1 its next strike."""

    force_n: float
    phase: float
    start_s: float
    fell_at_s: float | None

    @property
    def survived(self) -> bool:
        return self.fell_at_s is None


def find_stride(scene: Scene, settle_s: float = SETTLE_S) -> tuple[float, float]:
    """Time of the left foot's first strike after `settle_s`, and the time from it to the next one."""
    world = scene.open()
    recording = simulate(world, settle_s + 5.0, record_hz=0.0)
    foot = world.characters[0].roles["left_foot"]
    strikes = [step.time_s for step in find_steps(recording, start_s=settle_s) if step.segment == foot]
    if world.fell_at_s() is not None or len(strikes) < 2:
        raise InputError(f"controller {world.controllers[0].name}: it does not walk, so it has no stride.")
    return strikes[0], strikes[1] - strikes[0]


def measure_push_survival(
    controller: str | Controller,
    forces_n: Sequence[float],
    phases: int | Sequence[float] = 8,
    *,
    character: str | None = None,
    duration_s: float = 0.1,
    timestep_s: float = PhysicsSettings.timestep_s,
    settle_s: float = SETTLE_S,
    recover_s: float = RECOVER_S,
    workers: int | None = None,
) -> list[PushOutcome]:
    """Outcome of each push, by force (N on the trunk, backward negative) and phase.

    `phases` are fractions of the stride, or the number of evenly spaced phases.
    """
    parts = [k / phases for k in range(phases)] if isinstance(phases, int) else list(phases)
    scene = Scene(controller, character, physics=PhysicsSettings(timestep_s=timestep_s))
    strike_s, stride_s = find_stride(scene, settle_s)
    walker = scene.open()
    simulate(walker, strike_s, record_hz=0.0)
    steady = walker.snapshot()

    def push(force_n: float, phase: float) -> PushOutcome:
        start_s = strike_s + phase * stride_s
        world = scene.open()
        world.restore(steady)
        world.push(Push(abs(force_n), 0.0 if force_n >= 0.0 else 180.0, start_s, duration_s))
        simulate(world, start_s - world.time_s + duration_s + recover_s, record_hz=0.0, stop_on_fall=True)
        return PushOutcome(force_n, phase, start_s, world.fell_at_s())

    return run_trials([partial(push, f, p) for f in forces_n for p in parts], workers=workers)
