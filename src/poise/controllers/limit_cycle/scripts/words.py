"""Words of a script line, with their places for error messages."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple, NoReturn

from poise.characters.bones import Place
from poise.characters.read_bones import NUMBER

_WORD: Final = re.compile(r"\S+")
_WHOLE: Final = re.compile(r"\d{1,9}\Z")


class Word(NamedTuple):
    """A word of a file and its place."""

    text: str
    place: Place

    def fail(self, what: str, **more: Any) -> NoReturn:
        """Raise an error that points at the word."""
        self.place.fail(what, **more)

    def number(self, low: float, high: float) -> float:
        """The word as a number within bounds."""
        if not NUMBER.match(self.text):
            self.fail("not a number", got=self.text)
        value = float(self.text)
        if not low <= value <= high:
            self.fail("out of range", got=value, allowed=f"Allowed: {low:g} to {high:g}")
        return value + 0.0

    def whole(self, what: str, low: int, high: int) -> int:
        """The word as a whole number within bounds."""
        if not _WHOLE.match(self.text) or not low <= int(self.text) <= high:
            self.fail(f"{what} must be a whole number from {low} to {high}", got=self.text)
        return int(self.text)

    def is_number(self) -> bool:
        return NUMBER.match(self.text) is not None


def split_line(path: str, number: int, line: str) -> list[Word]:
    """The words of a line, without its comment."""
    code = line.partition("#")[0]
    return [Word(m.group(), Place(path, number, m.start() + 1, line)) for m in _WORD.finditer(code)]


def split_list(words: list[Word]) -> list[Word]:
    """Words split at commas, each part with its own place; blanks separate them too."""
    out = []
    for word in words:
        for match in re.finditer(r"[^,]+", word.text):
            out.append(Word(match.group(), word.place._replace(column=word.place.column + match.start())))
    return out


def count_words(command: Word, words: list[Word], count: int, form: str, name: str = "") -> None:
    """Raise unless a command has `count` values; the error points at the first extra one."""
    if len(words) == count:
        return
    at = words[count] if len(words) > count else command
    called = name or command.text
    at.fail(f"{called} takes {count} value{'' if count == 1 else 's'}, got {len(words)}", allowed=f"Write: {form}")
