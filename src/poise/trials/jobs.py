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

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Any, Final, TypeVar

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
    the results of the jobs that were finished.
    """
    stop = threading.Event()
    queue = list(jobs)
    pulses = [_Pulse(stop) for _ in queue]
    with ThreadPoolExecutor(max(1, workers or count_cores()), thread_name_prefix="poise-trial") as pool:
        futures = [pool.submit(_run, job, pulse) for job, pulse in zip(queue, pulses, strict=True)]
        try:
            _watch(futures, pulses, progress)
        except KeyboardInterrupt:
            _end(pool, stop)
            raise TrialsInterrupted(_gather(futures)) from None
        except BaseException:
            _end(pool, stop)
            raise
    return [future.result() for future in futures]


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


def _run(job: Callable[[], T], pulse: _Pulse) -> T:
    _here.pulse = pulse
    try:
        heartbeat()
        result = job()
        pulse.part = 1.0
        return result
    finally:
        _here.pulse = None


def _watch(futures: list[Future[T]], pulses: list[_Pulse], progress: Progress | None) -> None:
    """Waits until all are done or one has failed, whose error is raised."""
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, timeout=_PULSE_S, return_when=FIRST_EXCEPTION)
        for future in futures:
            if future in done and (error := future.exception()) is not None:
                raise error
        if progress is not None:
            progress(sum(pulse.part for pulse in pulses) / len(pulses))


def _end(pool: ThreadPoolExecutor, stop: threading.Event) -> None:
    stop.set()
    pool.shutdown(wait=True, cancel_futures=True)


def _gather(futures: list[Future[T]]) -> dict[int, T]:
    return {
        k: future.result()
        for k, future in enumerate(futures)
        if not future.cancelled() and future.done() and future.exception() is None
    }
