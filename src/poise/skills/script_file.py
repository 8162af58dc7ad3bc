"""A learned transition as a file: an ordinary script whose comments state how it was found."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from poise.errors import FileFormatError
from poise.files import load_text
from poise.language.load import Program, load_program
from poise.language.parse import parse_script
from poise.language.tree import Script
from poise.language.write import write_script
from poise.skills.unroll import Step

LIBRARY: Final = Path(__file__).resolve().parent.parent / "library" / "transitions"
_WIDTH: Final = 118
_HEAD: Final = re.compile(r"\A# From (?P<source>\S+) to (?P<target>[^\s:.]+)[:.]")
_MADE: Final = re.compile(r"^# Found by `(?P<command>[^`]*)`", re.MULTILINE)


@dataclass(frozen=True)
class TransitionFile:
    """A transition file, independent of a character."""

    path: Path
    source: str
    target: str
    program: Program
    #: Words of the command that found it.
    command: tuple[str, ...] = ()

    @property
    def leave_phase(self) -> int | None:
        """Phase of the source at which it begins; None for wherever the source may be left."""
        if "--leave" not in self.command:
            return None
        word = "".join(self.command[self.command.index("--leave") + 1 :][:1])
        if not (word.isascii() and word.isdigit() and len(word) < 4):
            raise FileFormatError(f"--leave must be the number of a phase, got {word!r}", path=self.path)
        return int(word)

    @property
    def repairs(self) -> bool:
        """Whether it was made only for states from which an immediate switch fails."""
        return "--failing" in self.command


def write_transition(
    source: str, target: str, script: Script, steps: Sequence[Step], about: str, notes: Sequence[str]
) -> str:
    """The text of a transition: what it is, how it was found, and its phases with their origins."""
    lines = [f"# From {source} to {target}: {about}", *(f"# {note}" for note in notes)]
    head = [part for line in lines for part in textwrap.wrap(line, _WIDTH, subsequent_indent="# ")]
    text = write_script(script)
    for k, step in enumerate(steps):
        text = text.replace(f"\nPHASE {k}\n", f"\n# Was phase {step.number} of {step.file}.\nPHASE {k}\n", 1)
    text = text.replace(f"\nPHASE {len(steps)}\n", f"\n# {target} takes over.\nPHASE {len(steps)}\n", 1)
    # The file must contain exactly what was tried.
    if parse_script(text).phases != script.phases:
        raise AssertionError(f"the transition from {source} to {target} changes when it is written")
    return "\n".join(head) + "\n" + text


def read_transition(path: str | Path) -> TransitionFile:
    """Read a file that `write_transition` wrote."""
    path = Path(path)
    text = load_text(path)
    found, made = _HEAD.match(text), _MADE.search(text)
    if found is None:
        raise FileFormatError("not a transition: the first line must be '# From SKILL to SKILL: …'", path=path)
    words = tuple(word for word in made["command"].split() if word != "#") if made else ()
    return TransitionFile(path, found["source"], found["target"], load_program(path), words)


def library_transitions() -> list[Path]:
    """The shipped transitions; files with a leading underscore are first guesses for searches and not listed."""
    return sorted(path for path in LIBRARY.glob("*.ctl") if not path.name.startswith("_"))
