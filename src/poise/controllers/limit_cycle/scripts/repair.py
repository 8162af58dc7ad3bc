"""Repairs of scripts that were damaged in print, such as the sample script of the source [Laszlo96 App. C].

Scripts are repaired only on request, and every repair is listed. These faults are repaired:

- tables of perturbations with too many or too few columns, if the script has an intact table for the same joint: its
  rows are used. The printed F-L tables have four columns too many, some of them stray; the L-F tables are intact.
- a heading that names another joint than the table below it.
- an initial pose without its last angle.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_TABLE: Final = re.compile(r"\s*+posecycle\s++poses\s++(\d++)\s*+(?:#(.*+))?\Z")
_HEADING: Final = re.compile(r"(\s*+#\s*+)(\w++ \w++)( perturbations:?\s*+)\Z")
_START: Final = re.compile(r"(\s*+set\s++hinit\s++)([^#]*+)(#.*+)?\Z")
_ROW: Final = re.compile(r"\s*[-+.\d]")


@dataclass(frozen=True)
class Repair:
    """A changed line: its number, the old text, the new text, and the reason."""

    line: int
    was: str
    now: str
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}: was '{_squeeze(self.was)}', is now '{_squeeze(self.now)}'"


@dataclass(frozen=True)
class _Block:
    """A table of the text: its number, the label in its comment, and the line numbers of its rows, from 0."""

    number: int
    label: str
    line: int
    rows: tuple[int, ...]


def repair_script(text: str) -> tuple[str, list[Repair]]:
    """The repaired text, and every repair."""
    lines = text.split("\n")
    blocks = _find_blocks(lines)
    base = next((b for b in blocks if b.number == 0 and b.rows), None)
    if base is None:
        return text, []
    # A row of the base that waits for a foot has one more column than a row that only holds.
    columns = min(len(_columns(lines[k])) for k in base.rows)
    repairs = [
        *_repair_tables(lines, blocks, columns),
        *_repair_headings(lines, blocks),
        *_repair_start(lines, columns - 1),
    ]
    for repair in repairs:
        lines[repair.line - 1] = repair.now
    return "\n".join(lines), sorted(repairs, key=lambda r: r.line)


def _find_blocks(lines: list[str]) -> list[_Block]:
    blocks = []
    for k, line in enumerate(lines):
        if match := _TABLE.match(line):
            rows = []
            for j in range(k + 1, len(lines)):
                if _ROW.match(lines[j]):
                    rows.append(j)
                elif lines[j].partition("#")[0].strip():
                    break
            blocks.append(_Block(int(match[1]), (match[2] or "").strip(), k, tuple(rows)))
    return blocks


def _repair_tables(lines: list[str], blocks: list[_Block], columns: int) -> list[Repair]:
    def is_whole(block: _Block) -> bool:
        return all(len(_columns(lines[k])) == columns for k in block.rows)

    tables = [b for b in blocks if b.number > 0]
    whole = {b.label: b for b in tables if b.label and is_whole(b)}
    repairs = []
    for block in tables:
        other = whole.get(block.label)
        if is_whole(block) or other is None or len(other.rows) != len(block.rows):
            continue
        for k, j in zip(block.rows, other.rows, strict=True):
            if lines[k].split() == lines[j].split():
                continue
            why = f"{len(_columns(lines[k]))} columns instead of {columns}, taken from line {j + 1}, {block.label}"
            repairs.append(Repair(k + 1, lines[k], _squeeze(lines[j]), why))
    return repairs


def _repair_headings(lines: list[str], blocks: list[_Block]) -> list[Repair]:
    repairs = []
    for block in blocks:
        above = next((k for k in range(block.line - 1, -1, -1) if lines[k].strip()), None)
        match = None if above is None else _HEADING.match(lines[above])
        joint = " ".join(block.label.split()[-2:])
        if match and above is not None and joint and match[2] != joint:
            now = f"{match[1]}{joint}{match[3]}"
            repairs.append(Repair(above + 1, lines[above], now, f"the table below is for the {block.label}"))
    return repairs


def _repair_start(lines: list[str], angles: int) -> list[Repair]:
    repairs = []
    for k, line in enumerate(lines):
        match = _START.match(line)
        if match and len(match[2].replace(",", " ").split()) == angles - 1:
            why = f"{angles - 1} angles instead of {angles}, the last is 0"
            end = match.end(1) + len(match[2].rstrip())
            repairs.append(Repair(k + 1, line, f"{line[:end]},0{line[end:]}", why))
    return repairs


def _columns(line: str) -> list[str]:
    return line.partition("#")[0].split()


def _squeeze(line: str) -> str:
    return " ".join(line.split())
