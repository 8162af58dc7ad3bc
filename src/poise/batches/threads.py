"""`run_trials`: many independent simulations over all cores, results in order, Ctrl-C prompt and nothing lost.

A job is a function without arguments that builds its own world, runs it and measures:

    def measure(style: str) -> Gait:
        return run_trial(Scene("walker/walk", values={"style": style}), 20.0, settle_s=5.0)

    gaits = run_trials([partial(measure, style) for style in styles], progress)

Jobs run in threads: the compiled loop releases the interpreter, so they use all cores as long as no two share a
world. A job that simulates by itself passes `progress=heartbeat` to `simulate`: that moves the bar within the job
and ends it soon after Ctrl-C.
"""

from __future__ import annotations

import _thread
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")
Progress = Callable[[float], None]

#: How often the bar moves and Ctrl-C is looked for.
_PULSE_S: Final = 0.1


class TrialsInterrupted(KeyboardInterrupt):
    """Ctrl-C while trials ran. `results` holds what was finished by then, by the number of its job."""

    def __init__(self, results: Mapping[int, Any]) -> None:
        super().__init__()
        self.results = dict(results)


class _EndedError(Exception):
    """Ends a job that nobody waits for any more."""


class _Pulse:
    """What one job and whoever waits for it say to each other."""

    def __init__(self, stop: threading.Event) -> None:
        self.stop = stop
        self.part = 0.0


_here = threading.local()


def heartbeat(part: float = 0.0) -> None:
    """Says how much of the job in this thread is done, and ends the job if nobody waits for it; outside a job, nothing.

    It has the form of a `progress` callback, so that `simulate(..., progress=heartbeat)` is all that a job needs.
    """
    pulse: _Pulse | None = getattr(_here, "pulse", None)
    if pulse is None:
        return
    if pulse.stop.is_set():
        raise _EndedError
    pulse.part = part


def count_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_trials(
    jobs: Iterable[Callable[[], T]], progress: Progress | None = None, *, workers: int | None = None
) -> list[T]:
    """What each job returned, in the order of the jobs.

    `progress` is called with the part that is done, always from the calling thread; `workers` is how many run at a
    time, as many as there are cores unless told otherwise. Results do not depend on it. The first job that fails
    ends the others, and its error is raised. Ctrl-C raises `TrialsInterrupted`, which is a `KeyboardInterrupt` with
    the results of the jobs that were finished; a second one does not wait for the jobs that run to end.
    """
    crew = _Crew(list(jobs))
    try:
        crew.start(workers or count_cores())
        crew.watch(progress)
        return [crew.results[k] for k in range(len(crew.pulses))]
    except KeyboardInterrupt:
        with suppress(KeyboardInterrupt):
            crew.end()
        raise TrialsInterrupted(crew.results) from None
    except BaseException:
        crew.end()
        raise


def run_what_can(
    jobs: Iterable[Callable[[], T]], progress: Progress | None = None, workers: int | None = None
) -> tuple[list[T], bool]:
    """Like `run_trials`, but Ctrl-C gives what was finished, still in order; says whether it came."""
    try:
        return run_trials(jobs, progress, workers=workers), False
    except TrialsInterrupted as stop:
        if not stop.results:
            raise
        return [stop.results[k] for k in sorted(stop.results)], True


class _Crew(Generic[T]):
    """The threads that take the jobs of one call, and what came out of them.

    Ctrl-C may land between any two steps of the calling thread, even between taking a lock and the block that would
    give it back. So that thread takes no lock that a worker needs, and the bell only wakes it: what is done stands in
    `results`, `errors` and `running`, which the workers alone write, and a ring that is lost costs one pulse.
    """

    def __init__(self, jobs: list[Callable[[], T]]) -> None:
        self.stop = threading.Event()
        self.pulses = [_Pulse(self.stop) for _ in jobs]
        self.results: dict[int, T] = {}
        self.errors: list[BaseException] = []
        self.running: set[int] = set()
        # One iterator for all workers: each job goes to the one that asks first.
        self._jobs = iter(list(enumerate(jobs)))
        self._bell: SimpleQueue[None] = SimpleQueue()

    def start(self, workers: int) -> None:
        for _ in range(max(1, min(workers, len(self.pulses)))):
            # Not `threading.Thread`: its `start` waits under a lock, where Ctrl-C leaves the thread stuck.
            _thread.start_new_thread(self._work, ())

    def watch(self, progress: Progress | None) -> None:
        """Waits until all are done or one has failed, whose error is raised."""
        done = 0
        while done < len(self.pulses):
            self._rest()
            if self.errors:
                raise self.errors[0]
            done = len(self.results)
            if progress is not None:
                progress(sum(pulse.part for pulse in self.pulses) / len(self.pulses))

    def end(self) -> None:
        """Waits for the jobs that run, which end at their next heartbeat; no other begins."""
        self.stop.set()
        while self.running:
            self._rest()

    def _rest(self) -> None:
        with suppress(Empty):
            self._bell.get(timeout=_PULSE_S)

    def _work(self) -> None:
        """Takes jobs until none is left or one fails."""
        for k, job in self._jobs:
            # Before the first heartbeat: a job that `end` does not see running sees that it should stop.
            self.running.add(k)
            try:
                self.results[k] = _run(job, self.pulses[k])
            except BaseException as error:
                self.errors.append(error)
                break
            finally:
                self.running.discard(k)
        self._bell.put(None)


def _run(job: Callable[[], T], pulse: _Pulse) -> T:
    _here.pulse = pulse
    try:
        heartbeat()
        result = job()
        pulse.part = 1.0
        return result
    finally:
        _here.pulse = None
