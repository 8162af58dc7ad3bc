"""Check that every relative link in the project's documents has a target.

Prints the number of links and exits with 0, or prints `file:line: ...` for each broken one and exits with 1. Web
addresses are not checked, so that the check works offline and is deterministic.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent

INLINE = re.compile(r"\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+[\"'(][^)]*)?\)")
REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)")
HTML = re.compile(r"<(?:a|img|source|video)\b[^>]*?\b(?:href|src)=[\"']([^\"']+)[\"']")
FENCE = re.compile(r"^\s*(?:>\s*)*(`{3,}|~{3,})")
CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
ANCHOR = re.compile(r"<\w+[^>]*?\b(?:id|name)=[\"']([^\"']+)[\"']")
SCHEME = re.compile(r"^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)")


def list_documents(root: Path) -> list[Path]:
    """All documents, in a fixed order."""
    top = sorted(root.glob("*.md"))
    return top + sorted((root / "docs").rglob("*.md"))


def iterate_prose(text: str) -> Iterator[tuple[int, str]]:
    """Line numbers and lines outside fenced code."""
    fence = ""
    for number, line in enumerate(text.splitlines(), start=1):
        match = FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence):
                fence = ""
        elif match:
            fence = match[1]
        else:
            yield number, line


def list_links(text: str) -> list[tuple[int, str]]:
    """Line number and target of every link that is not a web address."""
    links = []
    for number, line in iterate_prose(text):
        prose = CODE_SPAN.sub("", line)
        for pattern in (INLINE, REFERENCE, HTML):
            links += [(number, target) for target in pattern.findall(prose) if not SCHEME.match(target)]
    return links


def list_anchors(text: str) -> set[str]:
    """Targets of `#...`: headings as hosting sites turn them into ids, and explicit ids."""
    anchors: set[str] = set()
    for _, line in iterate_prose(text):
        anchors.update(ANCHOR.findall(line))
        if match := HEADING.match(line):
            title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).lower()
            slug = re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-")
            name, count = slug, 0
            while name in anchors:
                count += 1
                name = f"{slug}-{count}"
            anchors.add(name)
    return anchors


def find_fault(root: Path, document: Path, target: str) -> str:
    """Describe the fault of a link; empty if it has none."""
    place, _, anchor = unquote(target).partition("#")
    if place.startswith("/"):
        path = (root / place.lstrip("/")).resolve()
    else:
        path = (document.parent / place).resolve() if place else document
    if not path.is_relative_to(root):
        return f"link leaves the project, got {target!r}"
    if not path.exists():
        return f"link has no target, got {target!r}"
    if anchor and path.suffix == ".md" and anchor not in list_anchors(path.read_text(encoding="utf-8")):
        return f"no such heading, got {target!r}"
    return ""


def check_links(root: Path) -> int:
    """Print the faults and a summary; return the exit code."""
    documents = list_documents(root)
    count = 0
    faults = []
    for document in documents:
        for line, target in list_links(document.read_text(encoding="utf-8")):
            count += 1
            if fault := find_fault(root, document, target):
                faults.append(f"{document.relative_to(root)}:{line}: {fault}.")
    for fault in faults:
        print(fault)
    verdict = f"{len(faults)} broken" if faults else "none broken"
    print(f"{count} links in {len(documents)} documents, {verdict}.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(check_links(ROOT))
