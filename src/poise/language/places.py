"""Places in the text of a script, and errors that point at them."""

from __future__ import annotations

import re
from pathlib import Path

from poise.errors import FileFormatError
from poise.language.tree import Span


def span_of(text: str, start: int, end: int) -> Span:
    """The span of the characters `start` to before `end`."""
    line = text.count("\n", 0, start) + 1
    return Span(line, start - (text.rfind("\n", 0, start) + 1) + 1, start, end)


def source_line(text: str, at: Span) -> str:
    """The line of the text on which a span begins."""
    begin = text.rfind("\n", 0, at.start) + 1
    end = text.find("\n", begin)
    return text[begin:] if end < 0 else text[begin:end]


def blank(text: str) -> str:
    """The text with every character but line breaks replaced by a space."""
    return re.sub(r"[^\n]", " ", text)


def fail(what: str, at: Span, text: str, path: Path) -> FileFormatError:
    """An error at a place in a script, with the line and a caret."""
    return FileFormatError(what, path=path, line=at.line, column=at.column, source_line=source_line(text, at))


class MisreadError(Exception):
    """Text that the grammar accepts but the language does not allow."""

    def __init__(self, what: str, at: Span) -> None:
        super().__init__(what)
        self.what, self.at = what, at
