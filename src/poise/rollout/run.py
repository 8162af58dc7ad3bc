"""`run`: advances a world until a condition holds, and calls watches on the way.

    ending = run(world, until=[10.0, "down", "diverged"], watch=Watch(look, every_ticks=30))

`poise.rollout.simulate` makes recordings on top of this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from poise.errors import DivergedError, InputError
from poise.world.event_kinds import EventKind
from poise.world.tape import TapeLog
from poise.world.world import World

#: Interval at which a bare predicate is checked.
PREDICATE_S: Final = 0.01
TIME, DIVERGED, PREDICATE, STEPS, SILENCE, WATCH = "time", "diverged", "predicate", "steps", "silence", "watch"


@dataclass(frozen=True)
class Ticks:
    """Ends a run after a number of ticks."""

    count: int


@dataclass(frozen=True)
class Steps:
    """Ends a run after a number of steps of a character: foot strikes of alternating feet."""

    count: int
    character: int = 0


@dataclass(frozen=True)
class Silence:
    """Ends a run when none of the events that stop the loop has happened for a time."""

    seconds: float


@dataclass(frozen=True)
class Watch:
    """Calls a function every `every_ticks` ticks from the start of a run, at events, or both.

    The run ends when the function returns True. An event that ends the run, such as a fall, takes precedence: the
    function is then called only if it subscribes to that event.
    """

    look: Callable[[World], bool | None]
    every_ticks: int = 0
    events: Sequence[str] = ()


Until = float | str | Ticks | Steps | Silence | Callable[[World], bool]


@dataclass(frozen=True)
class Ending:
    """Why a run ended: the name of an event, or one of this module's reasons."""

    reason: str
    error: DivergedError | None = None

    @property
    def failed(self) -> bool:
        """True after a fall or divergence."""
        return self.reason in ("down", DIVERGED)


def run(
    world: World,
    until: Until | Sequence[Until],
    *,
    watch: Watch | Sequence[Watch] = (),
    record_hz: float = 0.0,
    log: TapeLog | None = None,
    progress: Callable[[float], None] | None = None,
) -> Ending:
    """Advances a world until the first of some conditions holds; returns which.

    A condition is a duration in seconds, a number of `Ticks` or `Steps`, the name of an event, "diverged", a time of
    `Silence`, or a predicate. Without "diverged", a state that stops being finite raises `DivergedError`. Recorded data
    goes into `log`. `progress` is called with the fraction of the time that has passed.
    """
    plan = _Plan(world, [until] if isinstance(until, str) or not isinstance(until, Sequence) else until, watch)
    dt, start = world.settings.timestep_s, world.tick
    every = 0 if record_hz <= 0.0 else max(1, round(1.0 / (record_hz * dt)))
    log = TapeLog() if log is None and plan.steps else log

    def report() -> None:
        if progress is not None:
            progress((world.tick - start) / max(plan.end - start, 1) if plan.end is not None else 0.0)

    while (ticks := plan.ticks_left(world.tick)) > 0:
        try:
            world.advance(ticks, stop_on=plan.events, record_every=every, log=log, on_call=report)
        except DivergedError as error:
            if not plan.may_diverge:
                raise
            return Ending(DIVERGED, error)
        reason = plan.look(world, log)
        if reason:
            return Ending(reason)
    return Ending(TIME)


class _Plan:
    """The conditions and watches of one run."""

    def __init__(self, world: World, until: Sequence[Until], watch: Watch | Sequence[Watch]) -> None:
        self._dt, self._start = world.settings.timestep_s, world.tick
        self.watches = [watch] if isinstance(watch, Watch) else list(watch)
        self.steps: list[_StepCount] = []
        self.may_diverge, self._silence, self._heard = False, 0, world.tick
        self._ends: set[str] = set()
        #: The tick at which the time is up; None without a limit.
        self.end: int | None = None
        for condition in until:
            self._add(condition)
        heard = [name for one in self.watches for name in one.events]
        strikes = ["strike"] if self.steps else []
        self.events = sorted({*self._ends, *heard, *strikes})
        if self.end is None and not (self._silence or self._ends or self.steps or self.watches):
            raise InputError("run: it would never end. Give a time, an event, a number of steps or a predicate.")

    def _add(self, condition: Until) -> None:
        match condition:
            case "diverged":
                self.may_diverge = True
            case str():
                self._ends.add(condition)
            case Ticks():
                self._limit(condition.count)
            case Steps():
                self.steps.append(_StepCount(condition))
            case Silence():
                self._silence = max(1, round(condition.seconds / self._dt))
            case int() | float():
                self._limit(round(condition / self._dt))
            case _:
                self.watches.append(Watch(condition, max(1, round(PREDICATE_S / self._dt))))

    def _limit(self, ticks: int) -> None:
        end = self._start + ticks
        self.end = end if self.end is None else min(self.end, end)

    def ticks_left(self, tick: int) -> int:
        """Ticks until the loop must return; 0 when the time is up."""
        passed = tick - self._start
        left = [w.every_ticks - passed % w.every_ticks for w in self.watches if w.every_ticks]
        if self._silence:
            left.append(self._heard + self._silence - tick)
        if self.end is not None:
            left.append(self.end - tick)
        # Even without a limit the loop returns from time to time.
        return max(0, min(left, default=100_000))

    def look(self, world: World, log: TapeLog | None) -> str:
        """Calls the watches that are due; returns the reason why the run ends, or an empty string."""
        happened = set(world.happened)
        called = [one for one in self.watches if happened.intersection(one.events)]
        # All are called, even after one of them has ended the run.
        ended = [one.look(world) is True for one in called]
        for name in sorted(self._ends & happened):
            return name
        if log is not None and any(count.reached(log) for count in self.steps):
            return STEPS
        due = [w for w in self.watches if w.every_ticks and (world.tick - self._start) % w.every_ticks == 0]
        ended += [one.look(world) is True for one in due if one not in called]
        if any(ended):
            return WATCH
        if happened.intersection(self.events):
            self._heard = world.tick
        elif self._silence and world.tick - self._heard >= self._silence:
            return SILENCE
        return ""


class _StepCount:
    """Counts the steps of a character in a log."""

    def __init__(self, goal: Steps) -> None:
        self._goal, self._count, self._foot, self._read = goal, 0, -1.0, 0

    def reached(self, log: TapeLog) -> bool:
        """Whether all steps are done."""
        for _, kind, character, foot in log.events[self._read :]:
            if kind == EventKind.STRIKE and character == self._goal.character and foot != self._foot:
                self._count, self._foot = self._count + 1, foot
        self._read = len(log.events)
        return self._count >= self._goal.count
