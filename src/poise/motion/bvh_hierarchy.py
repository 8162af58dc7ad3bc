"""The HIERARCHY of a BVH file: joints, offsets and channels, as the file lists them.

Keywords may be in upper or lower case, braces on any line, and names may have several words. A joint may have any
channels in any order, or none. Duplicate names are made unique.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NoReturn

from poise.errors import find_nearest_name
from poise.motion.skeleton import MAX_JOINTS
from poise.motion.text import Lines, Word

CHANNELS: Final = tuple(f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ")
MAX_CHANNELS: Final = 12
_KEYWORDS: Final = ("HIERARCHY", "ROOT", "JOINT", "End Site", "OFFSET", "CHANNELS", "MOTION", "{", "}")


@dataclass
class BvhJoint:
    """A joint, or the end of a limb if `is_end`; `channels` are indices into `CHANNELS`."""

    name: str
    parent: int
    line: int
    is_end: bool = False
    offset: tuple[float, float, float] | None = None
    channels: list[int] = field(default_factory=list)
    opened: bool = False


@dataclass
class Hierarchy:
    """All joints and ends in the order of the file; parents are indices into the same list."""

    joints: list[BvhJoint]
    #: The line after the word MOTION.
    motion_line: int
    notes: list[str]

    @property
    def width(self) -> int:
        return sum(len(j.channels) for j in self.joints)


def parse_hierarchy(lines: Lines) -> Hierarchy:
    """Parse the hierarchy at the beginning of a BVH file."""
    return _Parser(lines).parse()


class _Parser:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.words = self._stream()
        self.kept: Word | None = None
        self.joints: list[BvhJoint] = []
        self.open: list[int] = []
        self.notes: list[str] = []
        self.last = Word("", 1, 1)

    def _stream(self) -> Iterator[Word]:
        for number in range(1, len(self.lines.lines) + 1):
            yield from self.lines.words(number)

    def next(self) -> Word | None:
        word, self.kept = (self.kept, None) if self.kept else (next(self.words, None), None)
        self.last = word or self.last
        return word

    def take_line(self, first: Word) -> list[Word]:
        """Take the words after `first` on its line, up to a brace."""
        taken: list[Word] = []
        while (word := self.next()) is not None:
            if word.line != first.line or word.text in "{}":
                self.kept = word
                break
            taken.append(word)
        return taken

    def parse(self) -> Hierarchy:
        begin = self.next()
        if begin is None or begin.text.lower() not in ("hierarchy", "root"):
            raise self.lines.error_at("not a BVH file", begin or self.last, allowed="It begins with HIERARCHY")
        if begin.text.lower() == "root":
            self.kept = begin
        while (word := self.next()) is not None:
            if word.text.lower() == "motion":
                return self._finish(word)
            self._parse_statement(word)
        raise self.lines.error_at("the file ends inside the hierarchy: it has no MOTION", self.last)

    def _parse_statement(self, word: Word) -> None:
        match word.text.lower():
            case "root" | "joint" as kind:
                self._begin(word, kind)
            case "end":
                self._begin_end(word)
            case "{":
                self._open_brace(word)
            case "}":
                self._close_brace(word)
            case "offset":
                self._parse_offset(word)
            case "channels":
                self._parse_channels(word)
            case _:
                self._fail_word(word)

    def _begin(self, word: Word, kind: str) -> None:
        name = " ".join(w.text for w in self.take_line(word))
        if not name:
            raise self.lines.error_at(f"{word.text} without a name", word)
        if kind == "root" and self.joints:
            raise self.lines.error_at("a second ROOT", word, allowed="A file holds one skeleton")
        if kind == "joint" and not self.open:
            raise self.lines.error_at(f"joint {name!r} has no parent", word, allowed="The first joint must be a ROOT")
        self._add(BvhJoint(self._make_unique(name), self._parent(word), word.line), word)

    def _begin_end(self, word: Word) -> None:
        self.take_line(word)
        if not self.open:
            raise self.lines.error_at("an End Site without a parent", word)
        parent = self._parent(word)
        self._add(BvhJoint(f"{self.joints[parent].name} end", parent, word.line, is_end=True), word)

    def _parent(self, word: Word) -> int:
        if not self.open:
            return -1
        parent = self.joints[self.open[-1]]
        if not parent.opened:
            raise self.lines.error_at(f"{{ is missing after {parent.name!r}", word)
        if parent.is_end:
            raise self.lines.error_at("an End Site may hold only an OFFSET", word)
        return self.open[-1]

    def _add(self, joint: BvhJoint, word: Word) -> None:
        if len(self.joints) >= 2 * MAX_JOINTS:
            raise self.lines.error_at("too many joints", word, allowed=f"Allowed: up to {MAX_JOINTS}")
        self.joints.append(joint)
        self.open.append(len(self.joints) - 1)

    def _make_unique(self, name: str) -> str:
        names = {j.name for j in self.joints}
        unique, count = name, 2
        while unique in names:
            unique, count = f"{name}_{count}", count + 1
        if unique != name:
            self.notes.append(f"two joints are named {name!r}: the later one becomes {unique!r}")
        return unique

    def _current(self, word: Word) -> BvhJoint:
        if not self.open or not self.joints[self.open[-1]].opened:
            raise self.lines.error_at(f"{word.text} outside a joint's braces", word)
        return self.joints[self.open[-1]]

    def _open_brace(self, word: Word) -> None:
        if not self.open or self.joints[self.open[-1]].opened:
            raise self.lines.error_at("{ without a joint before it", word)
        self.joints[self.open[-1]].opened = True

    def _close_brace(self, word: Word) -> None:
        joint = self._current(word) if self.open else None
        if joint is None:
            raise self.lines.error_at("one } too many", word)
        self._check_complete(joint)
        self.open.pop()

    def _check_complete(self, joint: BvhJoint) -> None:
        if joint.offset is None:
            raise self.lines.error(f"{joint.name!r} has no OFFSET", joint.line)

    def _parse_offset(self, word: Word) -> None:
        joint = self._current(word)
        if joint.offset is not None:
            raise self.lines.error_at(f"a second OFFSET of {joint.name!r}", word)
        values = [w for w in (self.next() for _ in range(3)) if w is not None]
        if len(values) < 3 or any(w.line != word.line for w in values):
            raise self.lines.error_at("OFFSET needs three numbers", word)
        x, y, z = self.lines.numbers(values, "OFFSET")
        joint.offset = (x, y, z)

    def _parse_channels(self, word: Word) -> None:
        joint = self._current(word)
        if joint.is_end or joint.channels:
            what = "an End Site has no CHANNELS" if joint.is_end else f"second CHANNELS of {joint.name!r}"
            raise self.lines.error_at(what, word)
        taken = self.take_line(word)
        if not taken or not taken[0].text.isdecimal() or int(taken[0].text[:4]) > MAX_CHANNELS:
            raise self.lines.error_at(f"CHANNELS must begin with their number, 0 to {MAX_CHANNELS}", word)
        count = int(taken[0].text)
        if len(taken) - 1 < count:
            raise self.lines.error_at(f"CHANNELS says {count} but names {len(taken) - 1}", taken[0])
        if len(taken) - 1 > count:
            # The next statement may follow on the same line.
            if taken[1 + count].text.lower() not in ("joint", "end", "offset"):
                raise self.lines.error_at(f"CHANNELS says {count} but names {len(taken) - 1}", taken[0])
            raise self.lines.error_at(f"{taken[1 + count].text} must begin its own line", taken[1 + count])
        joint.channels = [self._find_channel(w) for w in taken[1:]]

    def _find_channel(self, word: Word) -> int:
        folded = [c.lower() for c in CHANNELS]
        if word.text.lower() not in folded:
            nearest = find_nearest_name(word.text, CHANNELS)
            raise self.lines.error_at(
                f"no channel is named {word.text!r}",
                word,
                allowed=f"Allowed: {', '.join(CHANNELS)}",
                did_you_mean=nearest,
            )
        return folded.index(word.text.lower())

    def _finish(self, word: Word) -> Hierarchy:
        if self.open:
            joint = self.joints[self.open[-1]]
            raise self.lines.error(
                f"{joint.name!r} is not closed: {len(self.open)} }} missing before MOTION in line {word.line}",
                joint.line,
            )
        if not self.joints:
            raise self.lines.error_at("no ROOT before MOTION", word)
        return Hierarchy(self.joints, word.line + 1, self.notes)

    def _fail_word(self, word: Word) -> NoReturn:
        nearest = find_nearest_name(word.text, _KEYWORDS)
        raise self.lines.error_at(f"unexpected {word.text!r}", word, did_you_mean=nearest)
