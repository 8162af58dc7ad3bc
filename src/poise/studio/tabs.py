"""The engines of the open tabs: one per tab, up to a limit."""

from __future__ import annotations

from collections.abc import Callable

from poise.studio.engine import Engine
from poise.studio.memory import Tidier

#: Each tab's world uses part of a core and tens of megabytes.
MAX_TABS = 4


class Tabs:
    """The engines of all open tabs. Used only from the pages' thread."""

    def __init__(self, make: Callable[[], Engine], limit: int = MAX_TABS) -> None:
        self.limit = limit
        self._make = make
        #: engine -> whether its page is connected; a page that is reloading disconnects for a moment.
        self._present: dict[Engine, bool] = {}
        self._tidier = Tidier()

    def __len__(self) -> int:
        return len(self._present)

    def open(self) -> Engine | None:
        """A running engine for a new tab, or None if there are too many. Disconnected pages lose theirs first."""
        if len(self) >= self.limit:
            away = [engine for engine, present in self._present.items() if not present]
            if not away:
                return None
            self.close(away[0])
        engine = self._make().start()
        self._present[engine] = True
        return engine

    def set_present(self, engine: Engine, present: bool) -> None:
        if engine in self._present:
            self._present[engine] = present

    def close(self, engine: Engine) -> None:
        """Close the engine of a tab that has been closed."""
        if self._present.pop(engine, None) is not None:
            engine.close()
            self._tidier.ask()

    def close_all(self, timeout_s: float = 2.0) -> None:
        """Stop every engine and wait for those that are busy."""
        engines = list(self._present)
        for engine in engines:
            self.close(engine)
        for engine in engines:
            engine.close(timeout_s)
        self._tidier.close()
