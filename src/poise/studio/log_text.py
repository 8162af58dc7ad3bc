"""Sanitizes browser input in logs: one line, no control characters, limited length."""

from __future__ import annotations

import logging
import unicodedata
from typing import Final

#: Loggers of the web server that repeat external text: addresses, browser errors, arguments of events.
LOGGERS: Final = ("nicegui", "uvicorn.error", "engineio.server", "socketio.server", "asyncio")
MAX_MESSAGE: Final = 500
MAX_TRACE: Final = 8000
#: Prefix of every traceback line; without it, a line could pass for a log entry.
MARGIN: Final = "  | "


def escape_text(text: str, limit: int = MAX_MESSAGE) -> str:
    """A text as one line without terminal control codes; longer texts end in an ellipsis."""
    cut = text if len(text) <= limit else f"{text[:limit]}…"
    # Control, format, surrogate and private-use characters, and line and paragraph separators.
    special = {c for c in set(cut) if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")}
    return cut.translate({ord(c): c.encode("unicode_escape").decode("ascii") for c in special}) if special else cut


class EscapeFilter(logging.Filter):
    """Rewrites records before any handler sees them."""

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            text = record.getMessage()
        except Exception:
            text = str(record.msg)
        record.msg, record.args = escape_text(text), None
        if record.exc_info:
            trace = logging.Formatter().formatException(record.exc_info)
            lines = trace[-MAX_TRACE:].split("\n")
            record.exc_text = "\n".join(MARGIN + escape_text(line) for line in lines)
        return True


_FILTER: Final = EscapeFilter()


def escape_logs() -> None:
    """Add the filter to all loggers of the web server; repeated calls have no effect."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_FILTER)
