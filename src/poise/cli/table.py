"""Tables that fit the screen: columns are wrapped between words, then left out, then written below one another.

A word is never broken: a broken name cannot be copied. A word that is longer than the screen makes its line longer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

#: Spaces between two columns.
GAP: Final = 2
#: A column of text is kept at least this wide, or as wide as its text, while columns can still be left out.
COMFORTABLE: Final = 18
#: Indentation of the values of a row, and of values below their names.
INDENT: Final = 2


@dataclass(frozen=True)
class Layout:
    """The shown columns and their widths."""

    shown: tuple[int, ...]
    widths: tuple[int, ...]

    @property
    def total(self) -> int:
        """Width of the table."""
        return sum(self.widths) + GAP * (len(self.widths) - 1)


class Table:
    """What a console prints as lines of its own width."""

    def draw(self, width: int) -> list[Text]:
        """Return the lines for a screen of this width."""
        raise NotImplementedError

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.draw(options.max_width):
            line.no_wrap, line.overflow = True, "ignore"
            yield line


class Grid(Table):
    """A table of columns.

    If `drop` names columns, they are left out in this order when the screen is too narrow, and a line below the table
    says which. If the rest is still too wide, each row is written as a list of names and values.
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        title: str = "",
        right: Collection[str] = (),
        drop: Sequence[str] = (),
    ) -> None:
        self._columns, self._rows, self._title = list(columns), [list(row) for row in rows], title
        self._right = {k for k, name in enumerate(columns) if name in right}
        self._drop = [self._columns.index(name) for name in drop]

    def draw(self, width: int) -> list[Text]:
        """Return the lines for a screen of this width."""
        layout = self._choose(width)
        lines = [Text(""), *(Text(line) for line in wrap(self._title, width) if self._title)]
        if layout is None:
            return [*lines, *self._stack(width)]
        titles = [self._columns[k] for k in layout.shown]
        lines += [Text(line, style="bold") for line in self._join(layout, titles, bottom=True)]
        lines.append(Text("─" * layout.total))
        for row in self._rows:
            lines += [Text(line) for line in self._join(layout, [row[k] for k in layout.shown])]
        missing = [name for k, name in enumerate(self._columns) if k not in layout.shown]
        if missing:
            lines += [Text(line) for line in wrap(f"Not shown at this width: {', '.join(missing)}.", width)]
        return [*lines, Text("")]

    def _choose(self, width: int) -> Layout | None:
        """The layout that shows most; None if the columns do not fit beside one another."""
        for count in range(len(self._drop) + 1):
            if layout := self._fit(width, self._drop[:count], COMFORTABLE):
                return layout
        return self._fit(width, self._drop, 0)

    def _fit(self, width: int, dropped: Collection[int], comfortable: int) -> Layout | None:
        shown = tuple(k for k in range(len(self._columns)) if k not in dropped)
        natural, least = [], []
        for k in shown:
            cells = [row[k] for row in self._rows]
            longest = max(map(_measure, cells), default=0)
            natural.append(max(longest, _measure(self._columns[k])))
            # Names and numbers stay on one line while there is a choice.
            wanted = longest if k == 0 or k in self._right else min(longest, comfortable)
            words = max(map(_measure_word, [*cells, self._columns[k]]), default=0)
            least.append(max(words, wanted if comfortable else 0))
        spare = width - GAP * (len(shown) - 1) - sum(least)
        return Layout(shown, tuple(_widen(least, natural, spare))) if spare >= 0 else None

    def _join(self, layout: Layout, cells: Sequence[str], *, bottom: bool = False) -> list[str]:
        """The lines of one row."""
        wrapped = [wrap(cell, width) for cell, width in zip(cells, layout.widths, strict=True)]
        height = max(map(len, wrapped))
        lines = []
        for j in range(height):
            line = ""
            for k, width, texts in zip(layout.shown, layout.widths, wrapped, strict=True):
                at = j - (height - len(texts)) if bottom else j
                text = texts[at] if 0 <= at < len(texts) else ""
                fill = " " * (width - cell_len(text))
                line += (fill + text if k in self._right else text + fill) + " " * GAP
            lines.append(line.rstrip())
        return lines

    def _stack(self, width: int) -> list[Text]:
        """Every row as its first cell, and a list of names and values."""
        lines = [] if self._rows else [Text(line) for line in wrap("  ".join(self._columns), width)]
        for row in self._rows:
            lines += [Text(line, style="bold") for line in wrap(f"{self._columns[0]} {row[0]}", width)]
            facts = zip(self._columns[1:], row[1:], strict=True)
            lines += _list_facts([(name, value) for name, value in facts if value], width)
            lines.append(Text(""))
        return lines


class Facts(Table):
    """Names and values below a title."""

    def __init__(self, title: str, facts: Iterable[tuple[str, str]]) -> None:
        self._title, self._facts = title, list(facts)

    def draw(self, width: int) -> list[Text]:
        """Return the lines for a screen of this width."""
        return [*(Text(line, style="bold") for line in wrap(self._title, width)), *_list_facts(self._facts, width)]


def _list_facts(facts: Sequence[tuple[str, str]], width: int) -> list[Text]:
    names = max((cell_len(name) for name, _ in facts), default=0)
    words = max((_measure_word(value) for _, value in facts), default=0)
    left = INDENT + names + GAP
    if left + words <= width:
        lines = []
        for name, value in facts:
            first, *rest = wrap(value, width - left)
            head = " " * INDENT + name + " " * (names - cell_len(name) + GAP)
            lines += [Text((head + first).rstrip()), *(Text(" " * left + more) for more in rest)]
        return lines
    lines = []
    for name, value in facts:
        lines += [Text(" " * INDENT + line) for line in wrap(name, width - INDENT)]
        lines += [Text(" " * 2 * INDENT + line) for line in wrap(value, width - 2 * INDENT)]
    return lines


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` cells, broken only between words; a longer word has a line of its own."""
    lines = []
    for paragraph in text.splitlines() or [""]:
        if cell_len(paragraph) <= width:
            lines.append(paragraph)
            continue
        line = ""
        for word in paragraph.split(" "):
            if line and cell_len(line) + 1 + cell_len(word) > width:
                lines.append(line.rstrip())
                line = ""
            line += f" {word}" if line else word
        lines.append(line)
    return lines


def _measure(text: str) -> int:
    return max((cell_len(line) for line in text.splitlines()), default=0)


def _measure_word(text: str) -> int:
    return max((cell_len(word) for word in text.split()), default=0)


def _widen(least: Sequence[int], natural: Sequence[int], spare: int) -> list[int]:
    """Hand the spare cells out, one by one, to the column whose text is longest for its width."""
    widths = list(least)
    spare = min(spare, sum(natural) - sum(least))
    for _ in range(spare):
        needy = [k for k, width in enumerate(widths) if width < natural[k]]
        best = max(needy, key=lambda k: natural[k] / max(widths[k], 1))
        widths[best] += 1
    return widths
