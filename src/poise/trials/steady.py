"""A steady gait: a snapshot at a foot strike, from which every trial starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from poise.batches.threads import Progress, heartbeat
from poise.errors import DivergedError, InputError, out_of_range
from poise.measures.steps import find_steps
from poise.rollout.pool import lend_world
from poise.rollout.scene import LoadedScene, Scene
from poise.rollout.simulate import simulate
from poise.world.snapshots import Snapshot
from poise.world.world import World

#: How long to wait for two steps before the gait counts as standing.
PROBE_S: Final = 5.0
MAX_SETTLE_S: Final = 1000.0


@dataclass(frozen=True)
class Steady:
    """The world at a foot strike, and the duration of the step that begins there."""

    snapshot: Snapshot
    strike_s: float
    #: None when standing (no step phase).
    step_s: float | None
    #: The foot that strikes.
    foot: str = ""
    #: The foot that strikes next, and the duration of its step; that of the first step if none was seen after it.
    next_foot: str = ""
    next_step_s: float | None = None


def find_steady(loaded: LoadedScene, settle_s: float) -> Steady:
    """The first foot strike after `settle_s`, without disturbances other than the scene's own."""
    if not 0.0 <= settle_s <= MAX_SETTLE_S:
        raise out_of_range("trial", "settle_s", settle_s, 0.0, MAX_SETTLE_S, "s")
    with lend_world(loaded) as world:
        run_until_fall(world, loaded.scene, settle_s)
        settled = world.snapshot()
        _check_upright(world)
        recording = simulate(
            world, PROBE_S, changes=loaded.scene.changes, record_hz=0.0, stop_on_fall=True, progress=heartbeat
        )
        _check_upright(world)
        steps = find_steps(recording)
        world.restore(settled)
        if len(steps) < 2:
            return Steady(settled, world.time_s, None)
        run_until_fall(world, loaded.scene, steps[0].time_s - world.time_s)
        first_s = steps[1].time_s - steps[0].time_s
        second_s = steps[2].time_s - steps[1].time_s if len(steps) > 2 else first_s
        return Steady(world.snapshot(), world.time_s, first_s, steps[0].segment, steps[1].segment, second_s)


def run_until_fall(world: World, scene: Scene, seconds: float, beat: Progress = heartbeat) -> float | None:
    """Runs a world for `seconds`; returns the time of a fall, or None. A state that stops being finite is a fall."""
    try:
        simulate(world, seconds, changes=scene.changes, record_hz=0.0, stop_on_fall=True, progress=beat)
    except DivergedError:
        return world.time_s
    return world.fell_at_s()


def _check_upright(world: World) -> None:
    fell_at_s = world.fell_at_s()
    if fell_at_s is not None:
        name = world.controllers[0].name
        raise InputError(f"controller {name}: it falls at {fell_at_s:.2f} s without a push, so none can be tested.")
