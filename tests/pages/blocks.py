"""The blocks and commands of the documents, as printed.

A fenced block names its language: `sh` (commands), `python`, `toml` and `ctl` (files or their parts), `text` (output).
A first line such as `# march.toml` or `# wave.ctl: raise an arm` names the file that a block is.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
#: Pages whose sections do not build on each other.
COLLECTIONS: Final = ("commands.md",)
LANGUAGES: Final = ("sh", "python", "toml", "ctl", "text")

_FENCE: Final = re.compile(r"^(?P<fence>`{3,})(?P<language>\w*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
_SPAN: Final = re.compile(r"(?<!`)`(poise [^`\n]+)`(?!`)")
_CAPTION: Final = re.compile(r"^\*`(poise [^`\n]+)`\*$", re.MULTILINE)
_NAMED: Final = re.compile(r"# (?P<name>[\w.-]+\.\w+)(?=:|\n| *\Z)")
_VARIABLE: Final = re.compile(r"\w+=.*")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        """The page and line, for names of tests."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def file_name(self) -> str | None:
        """The file that this block is, if its first line names one."""
        named = _NAMED.match(self.text)
        return None if named is None else named["name"]


@dataclass(frozen=True)
class Command:
    """One command of a shell: its words, without comment and variables."""

    place: str
    words: tuple[str, ...]
    variables: tuple[str, ...] = ()

    @property
    def is_poise(self) -> bool:
        """Whether it calls the command line tool."""
        return self.words[:1] == ("poise",)


@dataclass(frozen=True)
class Part:
    """A page, or a section of a page that is a collection: its blocks belong together."""

    page: Path
    section: str = ""

    @property
    def name(self) -> str:
        """The name of its test."""
        return f"{self.page.stem} {self.section}".strip()

    def list_blocks(self) -> list[Block]:
        """The fenced blocks of this part."""
        return [
            b for b in list_blocks(self.page) if not self.section or find_section(self.page, b.line) == self.section
        ]


def list_parts(page: Path) -> list[Part]:
    """The page, or its sections if it is a collection."""
    if page.name not in COLLECTIONS:
        return [Part(page)]
    sections = dict.fromkeys(find_section(page, block.line) for block in list_blocks(page))
    return [Part(page, section) for section in sections]


def find_section(page: Path, line: int) -> str:
    """The last heading of the second level above a line."""
    lines = page.read_text(encoding="utf-8").splitlines()[:line]
    return next((text[3:] for text in reversed(lines) if text.startswith("## ")), "")


def list_blocks(page: Path) -> list[Block]:
    """Every fenced block of a page."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start("text")) + 1
        found.append(Block(page, line, match["language"], match["text"]))
    return found


def list_commands(block: Block) -> list[Command]:
    """Every command of a block of the language `sh`."""
    commands = []
    lines = block.text.replace("\\\n", " ").splitlines()
    for number, line in enumerate(lines, start=block.line):
        words = shlex.split(line, comments=True)
        count = next((k for k, word in enumerate(words) if not _VARIABLE.fullmatch(word)), len(words))
        if words[count:]:
            place = f"{block.page.relative_to(ROOT)}:{number}"
            commands.append(Command(place, tuple(words[count:]), tuple(words[:count])))
    return commands


def list_captions(page: Path) -> list[Command]:
    """The commands that made the pictures of a page: each is a line of its own."""
    return [Command(place, words) for place, words in _find(page, _CAPTION)]


def list_mentions(page: Path) -> list[Command]:
    """Every command that the text of a page mentions, except families such as `poise tune …`."""
    found = _find(page, _SPAN)
    return [Command(place, words) for place, words in found if "…" not in " ".join(words)]


def _find(page: Path, pattern: re.Pattern[str]) -> list[tuple[str, tuple[str, ...]]]:
    text = page.read_text(encoding="utf-8")
    # A mention in a table escapes the bar.
    found = [(text.count("\n", 0, m.start()) + 1, m[1].replace("\\|", "|")) for m in pattern.finditer(text)]
    return [(f"{page.relative_to(ROOT)}:{line}", tuple(shlex.split(words))) for line, words in found]
