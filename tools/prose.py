"""Refuse phrases that an experienced English-speaking engineer would not write; `make lint` runs this.

    python tools/prose.py                    # the whole project
    python tools/prose.py src/poise/world    # some of it

A line that must hold such a phrase, as a quotation does, ends with a comment `prose: quoted`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PLACES: Final = ("src", "tools", "tests", "examples", "docs", "Makefile")
ENDINGS: Final = frozenset(
    {".py", ".md", ".toml", ".json", ".csv", ".ctl", ".t", ".s", ".env", ".bones", ".script", ".sh"}
)
EXCUSE: Final = "prose: quoted"
#: Phrase -> what to write instead.
PHRASES: Final = {
    r"c[ao]me of it": "the result",
    r"of now": "current",
    r"anew": "again",
    r"so many (seconds|times|ticks|steps)": "name the number",
    r"for who": "for characters that",
    r"who (stands?|walks?|falls?|lies|runs)": "a body is 'it' and has a name",
    r"is no choice": "not a valid choice",
    r"comes? to (its|their|the) end": "completes, ends",
    r"(is|are|was|were) mended": "fixed",
    r"mends?": "fix",
    r"as it is told|as told|is told|are told": "commanded",
    r"goes on|went on": "continues",
    r"in (its|the|their) midst": "in the middle",
    r"\(?readings?, \d+\)?": "give the reason itself",
    r"heeded|heeds?": "takes effect, obeys",
    r"not at hand": "not available",
    r"with all (that is|it|that)": "with everything",
    r"unasked": "without being asked",
    r"come to rest": "converged, stopped",
    r"(what|that) (came|comes|becomes?|became) of": "the result",
    r"(is|are) there already": "already exists",
    r"hangs? on (nothing|it|its|that|them)": "is attached to, depends on",
    r"slips? of the pen": "typing error",
    r"whole or not at all": "completely or not at all",
    r"(go|goes|going) on with|to go on": "continue",
    r"with which (it|they|the|its) (begins?|began)": "initial",
    r"whoever|to whom": "anyone who; name the role",
    r"from which on": "after which",
    r"makes no sense": "is malformed",
    r"in the place of": "instead of, for",
    r"(told nothing|than told|when told|unless told)": "without a command, on command, by default",
    r"foretold|foretells?": "predicted, predicts",
    r"but for (what|those|these|its)": "except",
    r"freedoms": "degrees of freedom",
    r"in the manner of": "like",
    r"for (ever|good and all)": "indefinitely",
    r"thrown away": "discarded",
}
_PATTERN: Final = re.compile("|".join(rf"(?P<p{k}>\b{text}\b)" for k, text in enumerate(PHRASES)), re.IGNORECASE)


def find_phrases(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line number, phrase and replacement for every refused phrase in a text."""
    advice = list(PHRASES.values())
    for number, line in enumerate(text.splitlines(), start=1):
        if EXCUSE in line:
            continue
        for match in _PATTERN.finditer(line):
            assert match.lastgroup is not None
            yield number, match.group(), advice[int(match.lastgroup[1:])]


def list_files(places: Iterable[str]) -> list[Path]:
    """All files with prose under some places, and the documents at the top."""
    roots = [ROOT / place for place in places]
    found = [p for root in roots for p in (root.rglob("*") if root.is_dir() else [root])]
    return sorted(p for p in found if p.is_file() and (p.suffix in ENDINGS or p.name == "Makefile"))


def main() -> int:
    own = Path(__file__).resolve()
    tops = [p.name for p in ROOT.glob("*.md")]
    files = [p for p in list_files(sys.argv[1:] or [*PLACES, *tops]) if p.resolve() != own]
    faults = 0
    for path in files:
        for number, phrase, instead in find_phrases(path.read_text(encoding="utf-8", errors="replace")):
            print(f"{path.relative_to(ROOT)}:{number}: '{phrase}'. Write instead: {instead}")
            faults += 1
    print(f"{faults} quaint phrases in {len(files)} files." if faults else f"{len(files)} files read as plain English.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
