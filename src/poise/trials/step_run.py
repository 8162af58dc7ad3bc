"""Runs evaluated step by step, until a fall, a time, or a number of steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from poise.batches.threads import Progress
from poise.controllers.catalog import controller_names, read_controller_file
from poise.controllers.limit_cycle.balance import Balancer, Step
from poise.controllers.limit_cycle.spec import METHOD
from poise.errors import InputError
from poise.measures.steps import find_steps
from poise.recordings.recording import Recording
from poise.rollout.describe import describe
from poise.rollout.run import WATCH, Silence, Ticks, Until, Watch, run
from poise.rollout.scene import Scene
from poise.rollout.simulate import MAX_SECONDS, make_recording
from poise.trials.steady import PROBE_S
from poise.world.event_kinds import EventKind
from poise.world.tape import TapeLog
from poise.world.world import World

#: High enough for smooth curves.
RECORD_HZ: Final = 500.0


@dataclass(frozen=True)
class StepRun:
    """The recording until the end or a fall, and the end time of each step."""

    recording: Recording
    #: A limit cycle signals the end of a step itself. Other controllers' steps end when the other foot strikes.
    ends_s: tuple[float, ...]
    fell_at_s: float | None
    #: Targets and results of a limit cycle at the end of each step; empty for other controllers.
    balanced: tuple[Step, ...] = ()

    @property
    def interrupted(self) -> bool:
        return bool(self.recording.meta.get("interrupted", False))

    @property
    def seconds(self) -> float:
        return float(self.recording.meta["seconds"])

    def describe(self, steps: int) -> str:
        """The outcome in words; `steps` is the number of steps shown."""
        if self.fell_at_s is not None:
            return f"{name_steps(steps)}, fell at {self.fell_at_s:.2f} s"
        return f"{name_steps(steps)} in {self.seconds:.4g} s"


def run_steps(
    scene: Scene,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    balanced: bool = False,
    progress: Progress | None = None,
) -> StepRun:
    """Runs a scene for `seconds` or `steps`, whichever ends first; a state that stops being finite counts as a fall.

    Without `seconds` it also ends when there are no more steps. Ctrl-C ends it and keeps the recording so far. With
    `balanced`, raises unless the controller is a limit cycle.
    """
    world = scene.open()
    if balanced:
        check_balanced(world)
    counter, notes = _StepCounter(world), describe(scene, world)
    end_s = MAX_SECONDS if seconds is None else seconds
    until: list[Until] = [end_s, "down", "diverged", *([Silence(PROBE_S)] if seconds is None else [])]
    count = Watch(lambda _: counter.count() >= steps, events=(counter.kind,)) if steps is not None else ()
    fell_at_s = None

    def report(_: float) -> None:
        if progress is not None:
            progress(max(world.time_s / end_s, counter.count() / steps if steps else 0.0))

    world.warm_up()
    try:
        ending = run(world, until, watch=count, record_hz=RECORD_HZ, log=counter.log, progress=report)
        fell_at_s = world.time_s if ending.error else world.fell_at_s()
        if ending.error and not counter.count():
            raise ending.error
        if ending.reason == WATCH:
            # One more frame: the last step ends between two frames.
            frame = Ticks(max(1, round(1.0 / (RECORD_HZ * world.settings.timestep_s))))
            run(world, frame, record_hz=RECORD_HZ, log=counter.log)
    except KeyboardInterrupt:
        notes["interrupted"] = True
    recording = make_recording(world, counter.log, (), {**notes, "seconds": world.time_s})
    return StepRun(recording, counter.find_ends_s(recording), fell_at_s, counter.balanced)


def name_steps(count: int) -> str:
    """A number of steps in words."""
    return f"{count} step" if count == 1 else f"{count} steps"


def find_balancer(world: World) -> Balancer | None:
    """The balancer of a limit cycle, or None."""
    return next((pilot for pilot in world.pilots if isinstance(pilot, Balancer)), None)


def check_balanced(world: World) -> None:
    """Raises unless the controller is a limit cycle, and lists those that are."""
    if find_balancer(world) is None:
        known = [name for name in controller_names() if read_controller_file(name).method == METHOD]
        raise InputError(
            f"controller {world.controllers[0].name}: it does not regulate a variable from step to step. "
            f"Controllers that do: {', '.join(known)}."
        )


class _StepCounter:
    """Counts the steps of a world while it runs."""

    def __init__(self, world: World) -> None:
        self._balancer = find_balancer(world)
        self._read, self._strikes, self._foot = 0, 0, -1
        self.kind = "strike" if self._balancer is None else "phase"
        self.log = TapeLog()

    @property
    def balanced(self) -> tuple[Step, ...]:
        return tuple(self._balancer.steps) if self._balancer is not None else ()

    def count(self) -> int:
        """Number of completed steps."""
        if self._balancer is not None:
            return len(self._balancer.steps)
        for _, kind, _, body in self.log.events[self._read :]:
            if kind == EventKind.STRIKE and body != self._foot:
                self._strikes, self._foot = self._strikes + 1, body
        self._read = len(self.log.events)
        return self._strikes

    def find_ends_s(self, recording: Recording) -> tuple[float, ...]:
        """End times of the steps."""
        ended = self.balanced if self._balancer is not None else find_steps(recording)
        return tuple(step.time_s for step in ended)
