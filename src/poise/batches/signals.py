"""Ctrl-C goes to all processes of a terminal at once: workers leave it to whoever gave them their work."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def born_deaf_to_ctrl_c() -> Iterator[None]:
    """Processes and threads that begin inside never hear Ctrl-C, nor does what they start; we hear it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Python starts this helper with the first process, and would let our thread hear Ctrl-C again afterwards.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
