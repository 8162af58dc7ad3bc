"""Blocks Ctrl-C in workers. It goes to all processes of a terminal at once; only the main process handles it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def born_deaf_to_ctrl_c() -> Iterator[None]:
    """Processes and threads started in the block, and their children, never receive Ctrl-C; we do afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Python starts this helper with the first process, and would then unblock Ctrl-C in our thread.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
