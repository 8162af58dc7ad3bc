"""Batches in processes of this machine. Each worker has its own pipe, so a dead worker's item is known.

The executor of `concurrent.futures` would fail every item when one process dies, without saying which item it ran.
Here only that item is run again, in a new process.
"""

from __future__ import annotations

import pickle
import signal
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from typing import Any, Final, Self, TypeVar

from poise.batches.batch import MAX_DEATHS, BatchError, Say, describe_item
from poise.batches.signals import born_deaf_to_ctrl_c
from poise.batches.threads import Progress, TrialsInterrupted
from poise.errors import InputError

T = TypeVar("T")
Item = TypeVar("Item")

#: Interval for checking for Ctrl-C, on systems that do not wake a waiting process for it.
_PULSE_S: Final = 0.1
_GONE: Final = (EOFError, ConnectionError, BrokenPipeError)


class ProcessBatch:
    """Runs items in processes of this machine."""

    def __init__(self, workers: int, say: Say) -> None:
        self._say = say
        self._workers = [_Worker() for _ in range(workers)]

    def run(self, function: Callable[[Item], T], items: Sequence[Item], progress: Progress | None = None) -> list[T]:
        """The function's result for each item, in order."""
        work = _pickle(function, "the function")
        queue = deque((k, _pickle(item, describe_item(k, items))) for k, item in enumerate(items))
        results: dict[int, T] = {}
        deaths: Counter[int] = Counter()
        busy: dict[Connection, tuple[_Worker, int, bytes]] = {}
        try:
            while len(results) < len(items):
                self._hand_out(work, queue, busy)
                for pipe in connection.wait(list(busy), timeout=_PULSE_S):
                    worker, k, item = busy[pipe]  # type: ignore[index]
                    answer = worker.take()
                    # Not earlier: until here, an interruption must find the worker.
                    del busy[pipe]  # type: ignore[arg-type]
                    if answer is None:
                        deaths[k] += 1
                        self._replace(worker, deaths[k], k, items)
                        queue.appendleft((k, item))
                    else:
                        results[k] = _open_answer(answer)
                if progress is not None and items:
                    progress(len(results) / len(items))
        except BaseException as error:
            for worker, _, _ in busy.values():
                worker.end()
            if isinstance(error, KeyboardInterrupt):
                raise TrialsInterrupted(results) from None
            raise
        return [results[k] for k in range(len(items))]

    def _hand_out(
        self, work: bytes, queue: deque[tuple[int, bytes]], busy: dict[Connection, tuple[_Worker, int, bytes]]
    ) -> None:
        """Gives an item to every idle worker."""
        held = {id(worker) for worker, _, _ in busy.values()}
        for worker in self._workers:
            if queue and id(worker) not in held:
                k, item = queue.popleft()
                worker.start()
                busy[worker.pipe] = (worker, k, item)
                worker.give(work, item)

    def _replace(self, worker: _Worker, deaths: int, k: int, items: Sequence[Any]) -> None:
        """Cleans up a dead worker; the next item starts it again."""
        how = worker.end()
        if deaths >= MAX_DEATHS:
            raise BatchError(
                f"processes: {describe_item(k, items)}: its process died {deaths} times, the last time {how}. "
                "Run it with threads to see why."
            )
        self._say(f"a worker process died ({how}); its item is run again.")

    def close(self) -> None:
        """Ends the processes."""
        for worker in self._workers:
            worker.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Worker:
    """A process that is started when first needed, and restarted after it died."""

    pipe: Connection

    def __init__(self) -> None:
        self._process: Any = None
        self._work = b""

    def start(self) -> None:
        if self._process is not None:
            return
        # Not forked: locks held by our threads, such as those of a running simulation, would stay locked.
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._work = b""
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True, name="poise-batch")
        with born_deaf_to_ctrl_c():
            self._process.start()
        # Only the process itself may hold its end of the pipe: otherwise its death would not close it.
        theirs.close()

    def give(self, work: bytes, item: bytes) -> None:
        # A dead process is detected when its answer is read.
        with suppress(*_GONE):
            if work is not self._work:
                self.pipe.send_bytes(b"work")
                self.pipe.send_bytes(work)
                self._work = work
            self.pipe.send_bytes(b"item")
            self.pipe.send_bytes(item)

    def take(self) -> bytes | None:
        """Its answer, or None if it died."""
        try:
            return self.pipe.recv_bytes()
        except _GONE:
            return None

    def end(self) -> str:
        """Ends the process; returns how it ended."""
        if self._process is None:
            return "never started"
        process, self._process = self._process, None
        self.pipe.close()
        if process.pid is None:
            return "never started"
        process.kill()
        process.join()
        code = process.exitcode
        process.close()
        return f"by signal {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"


def _serve(pipe: Connection) -> None:
    """The main loop of a process: runs items until the other end of its pipe is closed, or its owner dies."""
    work, known, function = b"", b"", _serve
    with suppress(*_GONE):
        while True:
            kind, content = pipe.recv_bytes(), pipe.recv_bytes()
            if kind == b"work":
                work = content
                continue
            answer: tuple[bool, Any]
            try:
                if known is not work:
                    function, known = pickle.loads(work), work
                answer = True, function(pickle.loads(content))
            except Exception as error:
                answer = False, error
            pipe.send_bytes(_pickle_answer(answer))


def _pickle(value: object, what: str) -> bytes:
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise InputError(f"processes: {what} cannot be sent to another process: {error}") from error


def _open_answer(data: bytes) -> Any:
    fine, value = pickle.loads(data)
    if not fine:
        raise value
    return value


def _pickle_answer(answer: tuple[bool, Any]) -> bytes:
    """A pickled answer, or the reason why it cannot be pickled; such an error is sent as text."""
    try:
        data = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
        # Some errors can be pickled but not unpickled: their constructors need more than the text.
        pickle.loads(data)
        return data
    except Exception as error:
        fine, value = answer
        what = f"its result cannot be sent back: {error}" if fine else f"{type(value).__name__}: {value}"
        return pickle.dumps((False, BatchError(f"processes: {what}")), pickle.HIGHEST_PROTOCOL)
