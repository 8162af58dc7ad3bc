"""Lines and words of motion files with their positions, for any encoding and line ends. Numbers with clear errors."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from os import PathLike
from typing import Final

import numpy as np

from poise.errors import FileFormatError
from poise.files import load_bytes
from poise.motion.joint_names import JAPANESE
from poise.motion.rotations import FloatArray

MAX_CLIP_BYTES: Final = 200_000_000
"""An hour of a detailed skeleton at 120 frames per second is smaller."""

MAX_NUMBER: Final = 1e7
"""No position in millimetres and no angle in degrees is larger."""

MAX_LINE_CHARS: Final = 200_000
"""Three times a frame of the largest skeleton. The words of a line take fifty times its memory."""

_WORD: Final = re.compile(r"\S+")
# Possessive: otherwise a line of digits that ends in a letter would take quadratic time.
_NUMBER: Final = re.compile(r"[+-]?(\d++\.?\d*+|\.\d++)([eE][+-]?\d++)?")
_COMMA_NUMBER: Final = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Word:
    """A word of a file; line and column are 1-based."""

    text: str
    line: int
    column: int


class Lines:
    """The lines of a text file, and errors that point at them."""

    def __init__(self, path: str | PathLike[str], lines: list[str], notes: tuple[str, ...] = ()) -> None:
        self.path = path
        self.lines = lines
        self.notes = notes

    def words(self, number: int) -> list[Word]:
        """Words of a line, given by its 1-based number."""
        return [Word(m.group(), number, m.start() + 1) for m in _WORD.finditer(self.lines[number - 1])]

    def error(
        self, what: str, line: int, column: int | None = None, *, allowed: str = "", did_you_mean: str | None = None
    ) -> FileFormatError:
        """Make an error that shows a line of the file."""
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
        """Make an error that points at a word."""
        return self.error(what, word.line, word.column, allowed=allowed, did_you_mean=did_you_mean)

    def number(self, word: Word, what: str) -> float:
        """Parse a word as a finite number."""
        text = word.text
        if not _NUMBER.fullmatch(text):
            hint = "Write a decimal point" if _COMMA_NUMBER.fullmatch(text) else ""
            raise self.error_at(f"{what} is not a number, got {text!r}", word, allowed=hint)
        value = float(text)
        if not math.isfinite(value) or abs(value) > MAX_NUMBER:
            raise self.error_at(
                f"{what} is too large for a motion, got {text}", word, allowed=f"Allowed: up to {MAX_NUMBER:g}"
            )
        return value

    def numbers(self, words: list[Word], what: str) -> list[float]:
        """Parse words as finite numbers."""
        return [self.number(word, what) for word in words]


def load_lines(path: str | PathLike[str]) -> Lines:
    """The lines of a text file in UTF-8, UTF-16, Shift-JIS or Latin-1, with any line ends."""
    data = load_bytes(path, MAX_CLIP_BYTES)
    if not data.strip():
        raise FileFormatError("the file is empty", path=path)
    text, notes = _decode(data)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FileFormatError("not a text file: it holds binary data", path=path, line=line)
    lines = re.split(r"\r\n|\n|\r", text)
    for number, each in enumerate(lines, start=1):
        if len(each) > MAX_LINE_CHARS:
            what = f"the line is too long, got {len(each)} characters"
            raise FileFormatError(what, path=path, line=number, allowed=f"Allowed: at most {MAX_LINE_CHARS}")
    return Lines(path, lines, notes)


def _decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text of a file, and a note if its encoding was guessed."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace"), ()
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        text = ""
    # Other encodings also decode as Shift-JIS, but not to Japanese words for parts of the body.
    if any(word in unicodedata.normalize("NFKC", text) for word in JAPANESE):
        return text, ("not UTF-8: read as Shift-JIS",)
    # Every byte is valid in Latin-1.
    return data.decode("latin-1"), ("not UTF-8: read as Latin-1",)


def parse_rows(lines: Lines, first: int, width: int, what: str) -> tuple[FloatArray, list[int]]:
    """Numbers of the lines from `first` on, one row per non-empty line, and the line numbers.

    A line whose number of words is not `width` ends the parse: the rows before it are returned, and the caller decides
    what that means. Decimal commas are accepted if no number has a point.
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
    """Parse the words of a line as numbers."""
    try:
        values = np.array(row, dtype=np.float64)
    except ValueError:
        values = np.array([np.nan])
    if not (np.abs(values) <= MAX_NUMBER).all() or any("_" in word for word in row):
        # Slower, but names the faulty word.
        return np.array(lines.numbers(lines.words(number), what))
    return values
