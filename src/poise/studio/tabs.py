"""The worlds of the open tabs: one per tab, up to a limit. A world outlives a lost connection and a reload.

The address of a page names its world. The name admits nobody: the guard has let the browser in before it is read.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any, Final

from poise.studio.engine import Engine
from poise.studio.memory import Tidier

#: Each tab's world uses part of a core and tens of megabytes.
MAX_TABS: Final = 4
#: How long the world of a tab that is gone is kept: long enough to come back, short enough to free the memory.
KEEP_S: Final = 300.0
#: Bytes of a world's name in the address.
NAME_BYTES: Final = 9


class Session:
    """A world, and what belongs to the tab that shows it."""

    def __init__(self, engine: Engine) -> None:
        self.name = secrets.token_urlsafe(NAME_BYTES)
        self.engine = engine
        #: The page's own state by part of the page, for the next page.
        self.store: dict[str, Any] = {}
        #: The page that shows it now, and the browser's name of its tab.
        self.page: Any = None
        self.tab = ""
        #: Since when no page is connected; None while one is.
        self.away_since: float | None = None

    @property
    def present(self) -> bool:
        return self.away_since is None


class Tabs:
    """The sessions of all tabs. Used only from the pages' thread."""

    def __init__(
        self,
        make: Callable[[], Engine],
        limit: int = MAX_TABS,
        *,
        keep_s: float = KEEP_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limit, self.keep_s = limit, keep_s
        self._make, self._clock = make, clock
        self._sessions: dict[str, Session] = {}
        self._tidier = Tidier()

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def present(self) -> int:
        """Number of worlds that a page shows."""
        return sum(session.present for session in self._sessions.values())

    def enter(self, name: str = "", tab: str = "") -> Session | None:
        """The named session if no other tab shows it, otherwise a new one; None if there are too many.

        If there is no room, the world that has been without a page for the longest time makes room.
        """
        session = self._sessions.get(name)
        if session is not None and (not session.present or session.tab == tab):
            session.tab = tab
            self.set_present(session, True)
            return session
        if len(self) >= self.limit and not self._make_room():
            return None
        session = Session(self._make().start())
        session.tab = tab
        self._sessions[session.name] = session
        return session

    def _make_room(self) -> bool:
        away = [session for session in self._sessions.values() if session.away_since is not None]
        if not away:
            return False
        self.close(min(away, key=lambda session: session.away_since or 0.0))
        return True

    def set_present(self, session: Session, present: bool) -> None:
        """A page has connected or gone; while there is none, the world stands still."""
        if session.name not in self._sessions:
            return
        if present:
            session.away_since = None
        elif session.present:
            session.away_since = self._clock()
        session.engine.hold(not present)

    def sweep(self) -> None:
        """Close the worlds that have been without a page for too long."""
        now = self._clock()
        for session in list(self._sessions.values()):
            if session.away_since is not None and now - session.away_since >= self.keep_s:
                self.close(session)

    def close(self, session: Session) -> None:
        """End a world and free its memory."""
        if self._sessions.pop(session.name, None) is not None:
            session.engine.close()
            session.store.clear()
            self._tidier.ask()

    def close_all(self, timeout_s: float = 2.0) -> None:
        """Stop every engine and wait for those that are busy."""
        sessions = list(self._sessions.values())
        for session in sessions:
            self.close(session)
        for session in sessions:
            session.engine.close(timeout_s)
        self._tidier.close()
