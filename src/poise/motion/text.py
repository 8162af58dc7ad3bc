"""Lines and words of motion files with their places, whatever the editor that wrote them. Numbers with clear errors."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from os import PathLike
from typing import Final

import numpy as np

from poise.errors import FileFormatError
from poise.files import load_bytes
from poise.motion.rotations import FloatArray

MAX_CLIP_BYTES: Final = 200_000_000
"""An hour of a detailed skeleton at 120 frames a second is smaller."""

MAX_NUMBER: Final = 1e7
"""No place in millimetres and no angle in degrees of a motion is larger."""

MAX_LINE_CHARS: Final = 200_000
"""A frame of the largest skeleton has a third of that. The words of a line take fifty times its memory."""

_WORD: Final = re.compile(r"\S+")
# Possessive, since a line of digits with a letter at its end would take a time that grows with its square.
_NUMBER: Final = re.compile(r"[+-]?(\d++\.?\d*+|\.\d++)([eE][+-]?\d++)?")
_COMMA_NUMBER: Final = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Word:
    """A word of a file; line and column count from 1."""

    text: str
    line: int
    column: int


class Lines:
    """The lines of a text file and the errors about them."""

    def __init__(self, path: str | PathLike[str], lines: list[str], notes: tuple[str, ...] = ()) -> None:
        self.path = path
        self.lines = lines
        self.notes = notes

    def words(self, number: int) -> list[Word]:
        """The words of a line, which counts from 1."""
        return [Word(m.group(), number, m.start() + 1) for m in _WORD.finditer(self.lines[number - 1])]

    def error(
        self, what: str, line: int, column: int | None = None, *, allowed: str = "", did_you_mean: str | None = None
    ) -> FileFormatError:
        """An error about a place in the file, which it shows."""
        source = self.lines[line - 1] if 1 <= line <= len(self.lines) else None
        return FileFormatError(
            what,
            path=self.path,
            line=line,
            column=column,
            source_line=source,
            allowed=allowed,
            did_you_mean=did_you_mean,
        )

    def error_at(self, what: str, word: Word, *, allowed: str = "", did_you_mean: str | None = None) -> FileFormatError:
        """An error about a word, which it points at."""
        return self.error(what, word.line, word.column, allowed=allowed, did_you_mean=did_you_mean)

    def number(self, word: Word, what: str) -> float:
        """The finite number that a word stands for."""
        text = word.text
        if not _NUMBER.fullmatch(text):
            hint = "Write a decimal point" if _COMMA_NUMBER.fullmatch(text) else ""
            raise self.error_at(f"{what} is no number, got {text!r}", word, allowed=hint)
        value = float(text)
        if not math.isfinite(value) or abs(value) > MAX_NUMBER:
            raise self.error_at(
                f"{what} is too large for a motion, got {text}", word, allowed=f"Allowed: up to {MAX_NUMBER:g}"
            )
        return value

    def numbers(self, words: list[Word], what: str) -> list[float]:
        """The finite numbers that words stand for."""
        return [self.number(word, what) for word in words]


def load_lines(path: str | PathLike[str]) -> Lines:
    """The lines of a text file in UTF-8, UTF-16 or Latin-1, with any line ends."""
    data = load_bytes(path, MAX_CLIP_BYTES)
    if not data.strip():
        raise FileFormatError("the file is empty", path=path)
    notes: tuple[str, ...] = ()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            # Names of joints in an old encoding; every byte is something in Latin-1.
            text, notes = data.decode("latin-1"), ("not UTF-8: read as Latin-1",)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FileFormatError("holds binary data, so it is no text file", path=path, line=line)
    lines = re.split(r"\r\n|\n|\r", text)
    for number, each in enumerate(lines, start=1):
        if len(each) > MAX_LINE_CHARS:
            what = f"the line is too long, got {len(each)} characters"
            raise FileFormatError(what, path=path, line=number, allowed=f"Allowed: at most {MAX_LINE_CHARS}")
    return Lines(path, lines, notes)


def parse_rows(lines: Lines, first: int, width: int, what: str) -> tuple[FloatArray, list[int]]:
    """Numbers of the lines from `first` on, one row a line that is not empty, and their line numbers.

    A line with another number of words than `width` ends the parse: what was read before comes back, and the caller
    says what that means. Decimal commas are read where no number has a point.
    """
    texts = [(k, lines.lines[k - 1]) for k in range(first, len(lines.lines) + 1)]
    texts = [(k, text) for k, text in texts if text and not text.isspace()]
    if any("," in text for _, text in texts) and not any("." in text for _, text in texts):
        texts = [(k, text.replace(",", ".")) for k, text in texts]
        lines.lines[first - 1 :] = [text.replace(",", ".") for text in lines.lines[first - 1 :]]
        lines.notes += (f"{what} with decimal commas",)
    rows, numbers = [], []
    for k, text in texts:
        row = text.split()
        if len(row) != width:
            break
        rows.append(parse_row(lines, k, row, what))
        numbers.append(k)
    return np.array(rows, dtype=np.float64).reshape(len(rows), width), numbers


def parse_row(lines: Lines, number: int, row: list[str], what: str) -> FloatArray:
    """The numbers of the words of a line."""
    try:
        values = np.array(row, dtype=np.float64)
    except ValueError:
        values = np.array([np.nan])
    if not (np.abs(values) <= MAX_NUMBER).all() or any("_" in word for word in row):
        # Slower, and tells which one it is.
        return np.array(lines.numbers(lines.words(number), what))
    return values
