"""Gives memory back to the system after a tab is closed.

The objects of a page refer to each other, so Python frees them only when its collector looks at them. What is freed
then stays with the allocator of the thread that asked for it. Here both are told to let go, shortly after a tab closes.
"""

from __future__ import annotations

import ctypes
import gc
import threading
from contextlib import suppress
from typing import Final

#: Tabs that are closed within this time are cleaned up after together.
TIDY_AFTER_S: Final = 1.0


class Tidier:
    """Cleans up in a thread of its own; `ask` returns at once."""

    def __init__(self, after_s: float = TIDY_AFTER_S) -> None:
        self._after_s = after_s
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def ask(self) -> None:
        """Cleans up soon; another call before that puts it off."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(self._after_s, give_back_memory)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()


def give_back_memory() -> None:
    """Frees what nothing refers to, and returns the pages of it to the system where the C library can (glibc)."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
