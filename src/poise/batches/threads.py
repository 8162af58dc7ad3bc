"""`run_trials`: runs independent simulations on all cores, with results in order and a prompt, lossless Ctrl-C.

A job is a function without arguments that builds its own world, runs it and measures:

    def measure(style: str) -> Gait:
        return run_trial(Scene("walker/walk", values={"style": style}), 20.0, settle_s=5.0)

    gaits = run_trials([partial(measure, style) for style in styles], progress)

Jobs run in threads. The compiled loop releases the GIL, so they use all cores as long as no two share a world. A job
that calls `simulate` itself passes it `progress=heartbeat`: this moves the progress bar within the job and ends the job
soon after Ctrl-C.
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

#: Interval for updating the progress bar and checking for Ctrl-C.
_PULSE_S: Final = 0.1


class TrialsInterrupted(KeyboardInterrupt):
    """Ctrl-C during trials. `results` maps the numbers of the completed jobs to their results."""

    def __init__(self, results: Mapping[int, Any]) -> None:
        super().__init__()
        self.results = dict(results)


class _EndedError(Exception):
    """Ends a job that is no longer needed."""


class _Pulse:
    """Communication between a job and its caller."""

    def __init__(self, stop: threading.Event) -> None:
        self.stop = stop
        self.part = 0.0


_here = threading.local()


def heartbeat(part: float = 0.0) -> None:
    """Reports the progress of this thread's job, and ends the job if it is no longer needed; no-op outside a job.

    It has the signature of a `progress` callback: `simulate(..., progress=heartbeat)`.
    """
    pulse: _Pulse | None = getattr(_here, "pulse", None)
    if pulse is None:
        return
    if pulse.stop.is_set():
        raise _EndedError
    pulse.part = part


def count_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_trials(
    jobs: Iterable[Callable[[], T]], progress: Progress | None = None, *, workers: int | None = None
) -> list[T]:
    """The results of the jobs, in order.

    `progress` is called with the fraction completed, always from the calling thread. `workers` is the number of jobs
    to run at a time, by default one per core; results do not depend on it. The first job that fails ends the others,
    and its error is raised. Ctrl-C raises `TrialsInterrupted`, a `KeyboardInterrupt` with the results of the completed
    jobs; a second Ctrl-C does not wait for the running jobs to end.
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
    """Like `run_trials`, but returns (results, interrupted): after Ctrl-C the completed results, still in order."""
    try:
        return run_trials(jobs, progress, workers=workers), False
    except TrialsInterrupted as stop:
        if not stop.results:
            raise
        return [stop.results[k] for k in sorted(stop.results)], True


class _Crew(Generic[T]):
    """The threads that run the jobs of one call, and their results.

    Ctrl-C may interrupt the calling thread anywhere, even between taking a lock and the block that would release it.
    The calling thread therefore takes no lock that a worker needs, and the bell only wakes it: the state is in
    `results`, `errors` and `running`, which only the workers write, and a lost ring costs one pulse.
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
            # Not `threading.Thread`: its `start` waits under a lock, and Ctrl-C there leaves the thread stuck.
            _thread.start_new_thread(self._work, ())

    def watch(self, progress: Progress | None) -> None:
        """Waits until all jobs are done; raises the error of the first that fails."""
        done = 0
        while done < len(self.pulses):
            self._rest()
            if self.errors:
                raise self.errors[0]
            done = len(self.results)
            if progress is not None:
                progress(sum(pulse.part for pulse in self.pulses) / len(self.pulses))

    def end(self) -> None:
        """Waits for the running jobs, which end at their next heartbeat; no other starts."""
        self.stop.set()
        while self.running:
            self._rest()

    def _rest(self) -> None:
        with suppress(Empty):
            self._bell.get(timeout=_PULSE_S)

    def _work(self) -> None:
        """Runs jobs until none is left or one fails."""
        for k, job in self._jobs:
            # Before the first heartbeat: a job that `end` does not yet see will see the stop flag.
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
