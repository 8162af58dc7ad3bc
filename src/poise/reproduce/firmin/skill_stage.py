"""Worlds for trials of a controller script, from moments at which one of its phases begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar

import numpy as np

from poise.batches.threads import run_trials
from poise.controllers.script.build import build_controller
from poise.errors import DivergedError, InputError
from poise.optim.space import FloatArray
from poise.recordings.recording import Recording
from poise.reproduce.firmin.skill_costs import Part, read_part
from poise.reproduce.firmin.skill_plan import Case, Plan, make_cases
from poise.rollout.scene import Scene
from poise.rollout.simulate import make_recording
from poise.skills.moment import find_places
from poise.skills.poses import Change, change_start
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Spawn
from poise.world.snapshots import Snapshot
from poise.world.tape import TapeLog
from poise.world.world import World

T = TypeVar("T")
RECORD_HZ: Final = 100.0
#: Time limit for reaching the phase from which trials begin.
LEAD_IN_S: Final = 30.0
#: Cost of a run that diverges.
DIVERGED: Final = 1000.0


class Stage:
    """Worlds for one case, and the moments at which its trials begin."""

    def __init__(self, case: Case, worlds: int, open_world: Callable[[Case], World]) -> None:
        self.case = case
        self._free: SimpleQueue[World] = SimpleQueue()
        for _ in range(worlds):
            self._free.put(open_world(case))
        self.moments: list[Snapshot] = []

    def use(self, work: Callable[[World], T]) -> T:
        """Run a function with exclusive use of a world, and return its result."""
        world = self._free.get()
        try:
            return work(world)
        finally:
            self._free.put(world)


class Theatre:
    """Stages for the trials of a script, one per case."""

    def __init__(self, path: Path, plan: Plan, workers: int) -> None:
        self.plan, self.path, self.workers = plan, path, workers
        self.character = load_any_character("planar17")
        self.controller = build_controller(path, self.character, path.stem)
        self.costs: list[Part] = [read_part(text) for text in plan.costs]
        self.stages = [Stage(case, workers, self._open) for case in make_cases(plan)]
        for stage in self.stages:
            jobs = [partial(stage.use, partial(self._lead_in, k)) for k in self._seeds()]
            stage.moments = run_trials(jobs, workers=workers)

    def _seeds(self) -> range:
        return range(self.plan.first_start, self.plan.first_start + self.plan.starts)

    def _open(self, case: Case) -> World:
        physics = PhysicsSettings(timestep_s=self.plan.timestep_s)
        scene = Scene(self.controller, self.character, case.values, terrain=case.terrain, physics=physics)
        world = scene.open()
        world.warm_up()
        return world

    def _lead_in(self, seed: int, world: World) -> Snapshot:
        """Start of the trials: a tick before the phase, since a phase reads its arguments when it begins."""
        self._place(world, seed)
        if self.plan.from_phase:
            if self._go(world, LEAD_IN_S, self.plan.from_phase, None):
                raise InputError(f"poise tune skill: start {seed} never reaches phase {self.plan.from_phase}.")
            ticks = world.tick - 1
            self._place(world, seed)
            world.advance(ticks)
        self._shake(world, seed)
        return world.snapshot()

    def _place(self, world: World, seed: int) -> None:
        world.reset()
        start = change_start(self.character, self.plan.pose, Change(*self.plan.change), seed)
        world.place(0, start, Spawn(self.plan.place_m))

    def _shake(self, world: World, seed: int) -> None:
        """Perturb the joint rates at the start of the trials; angles would move parts that stand on the ground."""
        random, speeds = np.random.default_rng([seed, 1]), world.percepts[0].joint_v
        speeds += random.uniform(-self.plan.shake_radps, self.plan.shake_radps, len(speeds))

    def _go(self, world: World, seconds: float, phase: int | None, log: TapeLog | None) -> bool:
        """Run until the main script enters a phase; true if it does not within the time."""
        dt = world.settings.timestep_s
        end = world.tick + round(seconds / dt)
        every = max(1, round(1.0 / (RECORD_HZ * dt))) if log is not None else 0
        while world.tick < end:
            world.advance(end - world.tick, stop_on=["phase"], record_every=every, log=log)
            places = find_places(world)
            if phase is not None and places and places[0].phase == phase:
                return False
        return True

    def _try(self, values: Mapping[str, float], moment: Snapshot, world: World) -> float:
        """Cost of a run from a moment."""
        world.restore(moment)
        for name, value in values.items():
            # Not `with_values`: a search may try values outside the range that users may set.
            world.params[0][self.controller.parameter(name).index] = value
        log = TapeLog()
        try:
            self._go(world, self.plan.seconds, self.plan.fails, log)
        except DivergedError:
            return DIVERGED
        return self._judge(make_recording(world, log, (), {}))

    def _judge(self, recording: Recording) -> float:
        return sum(part(recording) for part in self.costs)

    def try_all(self, candidates: Sequence[Mapping[str, float]]) -> FloatArray:
        """The cost of each candidate: the mean over the starts and half of the worst."""
        jobs = [
            partial(stage.use, partial(self._try, values, moment))
            for values in candidates
            for stage in self.stages
            for moment in stage.moments
        ]
        found = np.array(run_trials(jobs, workers=self.workers), dtype=float).reshape(len(candidates), -1)
        return np.asarray(found.mean(axis=1) + 0.5 * found.max(axis=1))
