"""Writes a script in its canonical layout: one statement per line, blocks indented, comments kept in place.

A comment inside a statement moves before it. Blank lines between statements are kept, several become one. Text outside
the script, which the language ignores, is unchanged except for trailing blanks.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

from poise.language import tree
from poise.language.parse import COMMENT, INCLUDE, OUTER_COMMENT, SETTING
from poise.language.places import blank
from poise.language.spell import Spelled, spell
from poise.language.tree import Script

WIDTH: Final = 100
INDENT: Final = "    "
_LABEL: Final = re.compile(r"BEGINSCRIPT\s+[^\s(]+")


class _Comment(NamedTuple):
    start: int
    text: str
    #: Only blanks precede it on its line.
    alone: bool


def write_script(script: Script) -> str:
    """The text of a script in its canonical layout."""
    writer = _Writer(script)
    parameters = ", ".join(p.text for p in script.parameters) or "void"
    writer.open(f"BEGINSCRIPT {script.label}({parameters})", script.at.start)
    for k, phase in enumerate(script.phases):
        writer.write_phase(phase, first=k == 0)
    writer.close("ENDSCRIPT", 0, script.at.end)
    head = _write_head(script.text[: script.at.start]) if script.text else _make_head(script)
    tail = _tidy(script.text[script.at.end :]).rstrip()
    return head + "\n".join(writer.lines) + tail + "\n"


def write_code(script: Script) -> str:
    """The text of a script in its canonical layout, without comments and blank lines; equal code has equal text."""
    return write_script(replace(script, text=""))


class _Writer:
    """The lines written so far and the remaining comments."""

    def __init__(self, script: Script) -> None:
        self.text = script.text
        self.lines: list[str] = []
        self.comments = _find_comments(script)
        #: The block is still empty: no blank line at its start.
        self.fresh = True

    def write_phase(self, phase: tree.Phase, first: bool) -> None:
        if not first:
            self._finish_line(phase.at.start)
            self.lines.append("")
            self.fresh = True
        self.open(f"PHASE {phase.label}", phase.at.start)
        for command in phase.commands:
            if isinstance(command, tree.Actions | tree.EnvActions):
                self._write_block(command)
            else:
                self.write(spell(command), INDENT, command.at.start, command.at.end)
        self.close("ENDPHASE", 0, phase.at.end)

    def _write_block(self, block: tree.Actions | tree.EnvActions) -> None:
        self.open("ACTIONS" if isinstance(block, tree.Actions) else "ENVACTIONS", block.at.start, INDENT)
        for action in block.body:
            self.write(spell(action), 2 * INDENT, action.at.start, action.at.end)
        self.close("ENDACTIONS", 1, block.at.end)

    def open(self, line: str, start: int, indent: str = "") -> None:
        """Write the first line of a block."""
        self._lead(indent, start)
        self.lines.append(indent + line)
        self.fresh = True

    def close(self, line: str, depth: int, end: int) -> None:
        """Write the last line of a block, which ends before `end`."""
        self._flush(INDENT * (depth + 1), end - len(line))
        self.lines.append(INDENT * depth + line)
        self.fresh = False

    def write(self, spelled: Spelled, indent: str, start: int, end: int) -> None:
        """Write a statement after the comments before and inside it."""
        self._lead(indent, start)
        while self.comments and self.comments[0].start < end:
            self.lines.append(indent + self.comments.pop(0).text)
        self.lines += _wrap(spelled, indent)
        self.fresh = False

    def _lead(self, indent: str, start: int) -> None:
        """Write the comments before a statement, and a blank line if the source has one."""
        self._flush(indent, start)
        if self._has_blank_before(start):
            self.lines.append("")

    def _flush(self, indent: str, start: int) -> None:
        """Write all comments before a place, at the end of the last line or on their own lines."""
        self._finish_line(start)
        while self.comments and self.comments[0].start < start:
            comment = self.comments.pop(0)
            if self._has_blank_before(comment.start):
                self.lines.append("")
            self.lines.append(indent + comment.text)
            self.fresh = False
            self._finish_line(start)

    def _finish_line(self, start: int) -> None:
        while self.comments and self.comments[0].start < start and not self.comments[0].alone:
            self.lines[-1] += f"  {self.comments.pop(0).text}"

    def _has_blank_before(self, start: int) -> bool:
        if self.fresh or not self.text:
            return False
        begin = start
        while begin > 0 and self.text[begin - 1].isspace():
            begin -= 1
        return self.text.count("\n", begin, start) > 1


def _find_comments(script: Script) -> list[_Comment]:
    """The comments of the body; a `#` in a file name does not begin one."""
    text = script.text
    label = _LABEL.match(text, script.at.start)
    names = [(script.at.start, label.end())] if label else []
    for phase in script.phases:
        for node in (*phase.calls, *phase.actions):
            if isinstance(node, tree.Call):
                names.append((node.script.at.start, node.script.at.end))
            elif isinstance(node, tree.Save | tree.Load):
                names.append((node.file.at.start, node.file.at.end))
    taken = {k for start, end in names for k in range(start, end)}
    found, at = [], script.at.start
    while (comment := COMMENT.search(text, at, script.at.end)) is not None:
        if comment.start() in taken:
            at = comment.start() + 1
            continue
        line = text[text.rfind("\n", 0, comment.start()) + 1 : comment.start()]
        found.append(_Comment(comment.start(), comment[0].rstrip(), not line.strip()))
        at = comment.end()
    return found


def _wrap(spelled: Spelled, indent: str) -> list[str]:
    """A statement on one line, or with its list wrapped over several."""
    begin, items, end = spelled
    if not items:
        return [indent + begin + end]
    lines, line = [], indent + begin
    hanging = " " * len(line)
    for k, item in enumerate(items):
        piece = item + (end if k == len(items) - 1 else ",")
        if line.strip() and not line.endswith(begin) and len(line) + len(piece) + 1 > WIDTH:
            lines.append(line.rstrip())
            line = hanging
        line += piece + " "
    return [*lines, line.rstrip()]


def _make_head(script: Script) -> str:
    lines = [f"SCRIPTS {', '.join(n.text for n in script.includes)};"] if script.includes else []
    lines += [f"CHARACTER {script.character.text};"] if script.character else []
    lines += [f"ENVIRONMENT {script.environment.text};"] if script.environment else []
    lines += [f"SET {s.name} = {s.value.text}" for s in script.settings]
    return "\n".join([*lines, "", ""]) if lines else ""


def _write_head(head: str) -> str:
    """The text before the script, with canonical script lists and settings and everything else unchanged."""
    bare = OUTER_COMMENT.sub(lambda m: blank(m[0]), head)
    changes = []
    for found in INCLUDE.finditer(bare):
        # A comment between the names would be lost.
        if bare[found.start() : found.end()] == head[found.start() : found.end()]:
            names = ", ".join(name.strip() for name in found[1].split(","))
            changes.append((found.start(), found.end(), f"SCRIPTS {names};"))
    changes += [(f.start(), f.end(), f"SET {f[1]} = {f[2]}") for f in SETTING.finditer(bare)]
    for start, end, text in sorted(changes, reverse=True):
        head = head[:start] + text + head[end:]
    tidy = _tidy(head).strip()
    return f"{tidy}\n\n" if tidy else ""


def _tidy(text: str) -> str:
    """Remove trailing blanks, and reduce consecutive empty lines to one."""
    text = re.sub(r"(?<![^\S\n])[^\S\n]++(?=\n|$)", "", text)
    return re.sub(r"\n{3,}", "\n\n", text)
