"""Returns memory to the system after a tab is closed.

The objects of a page form reference cycles, which only Python's garbage collector frees. The freed memory then stays in
the allocator of the thread that requested it. Shortly after a tab closes, this module runs the collector and trims the
allocator.
"""

from __future__ import annotations

import ctypes
import gc
import threading
from contextlib import suppress
from typing import Final

#: Tabs closed within this time share one cleanup.
TIDY_AFTER_S: Final = 1.0


class Tidier:
    """Cleans up in its own thread; `ask` returns at once."""

    def __init__(self, after_s: float = TIDY_AFTER_S) -> None:
        self._after_s = after_s
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def ask(self) -> None:
        """Schedule a cleanup; another call before it starts postpones it."""
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
    """Free unreachable objects, and return their pages to the system if the C library can (glibc)."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
