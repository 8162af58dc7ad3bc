"""Trials over threads: results in order, progress from the caller's thread, errors and Ctrl-C."""

from __future__ import annotations

import _thread
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from poise.batches.threads import TrialsInterrupted, heartbeat, run_trials
from poise.errors import InputError

#: Far longer than anything takes on a busy machine.
PATIENCE_S = 30.0


def square(n: int) -> int:
    time.sleep(0.01 * (5 - n))
    return n * n


@pytest.mark.parametrize("workers", [None, 1, 3])
def test_results_come_in_the_order_of_the_jobs(workers: int | None) -> None:
    assert run_trials([partial(square, n) for n in range(5)], workers=workers) == [0, 1, 4, 9, 16]


def test_nothing_to_do() -> None:
    assert run_trials([]) == []


def test_progress_grows_to_one_in_the_callers_thread() -> None:
    parts, threads = [], set()
    seen_between = threading.Event()

    def job() -> None:
        for k in range(5):
            heartbeat(k / 5)
            time.sleep(0.05)
        seen_between.wait(PATIENCE_S)

    def progress(part: float) -> None:
        parts.append(part)
        threads.add(threading.get_ident())
        if 0.0 < part < 1.0:
            seen_between.set()

    run_trials([job, job], progress, workers=2)
    assert parts == sorted(parts)
    assert any(0.0 < part < 1.0 for part in parts)
    assert parts[-1] == 1.0
    assert threads == {threading.get_ident()}


def test_a_failing_job_ends_the_others_and_its_error_is_raised() -> None:
    ran = []

    def fail() -> None:
        raise InputError("nothing of the kind")

    def wait(k: int) -> None:
        # All together far longer than the caller may take to see the failure.
        time.sleep(0.1)
        ran.append(k)

    with pytest.raises(InputError, match="nothing of the kind"):
        run_trials([fail, *(partial(wait, k) for k in range(200))], workers=1)
    assert len(ran) < 200


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_keeps_what_was_finished_and_ends_what_runs() -> None:
    watched = threading.Event()

    def long() -> None:
        # Jobs begin before anybody watches them, and the press should come while the caller waits.
        watched.wait(PATIENCE_S)
        time.sleep(0.02)
        deadline = time.monotonic() + PATIENCE_S
        press_at = 0.0
        while (now := time.monotonic()) < deadline:
            heartbeat()
            # One press alone may be lost on its way to the main thread.
            if now >= press_at:
                _thread.interrupt_main()
                press_at = now + 0.5
            time.sleep(0.01)
        raise AssertionError("Ctrl-C did not end the job")

    with pytest.raises(TrialsInterrupted) as caught:
        run_trials([lambda: "first", lambda: "second", long, lambda: "never"], lambda part: watched.set(), workers=1)
    assert caught.value.results == {0: "first", 1: "second"}


@pytest.mark.parametrize("begins", [True, False])
def test_ctrl_c_while_the_workers_start(begins: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    start = _thread.start_new_thread
    begun = threading.Event()

    def start_and_press(work: Callable[[], None], args: tuple[()]) -> None:
        if begins:
            start(work, args)
            begun.wait(PATIENCE_S)
        raise KeyboardInterrupt

    def long() -> None:
        begun.set()
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            heartbeat()
            time.sleep(0.01)

    monkeypatch.setattr(_thread, "start_new_thread", start_and_press)
    with pytest.raises(TrialsInterrupted) as caught:
        run_trials([lambda: "first", long], workers=1)
    assert caught.value.results == ({0: "first"} if begins else {})


@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_second_ctrl_c_leaves_a_deaf_job_behind() -> None:
    begun, left = threading.Event(), threading.Event()

    def deaf() -> None:
        begun.set()
        with suppress(Exception):
            while not left.wait(0.01):
                heartbeat()
        _thread.interrupt_main()
        left.wait(PATIENCE_S)

    def press(part: float) -> None:
        if begun.is_set():
            raise KeyboardInterrupt

    with pytest.raises(TrialsInterrupted) as caught:
        run_trials([lambda: "first", deaf], press, workers=1)
    left.set()
    assert caught.value.results == {0: "first"}


def test_a_heartbeat_outside_a_job_does_nothing() -> None:
    heartbeat(0.5)
