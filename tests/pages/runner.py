"""Runs the blocks of one page one after the other, in one folder, as a reader would."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from pages.blocks import ROOT, Block, Command, list_blocks, list_captions, list_commands
from pages.rules import FULL, NOT_RUN, REPLACED, SHORTER, NotRun, Replaced, Shorter
from poise.cli import app


class PageError(AssertionError):
    """A block or command that does not do what the page says."""


def find_not_run(command: Command) -> NotRun | None:
    """The rule that says why a command is not run; None if it is."""
    return next((rule for rule in NOT_RUN if _applies(rule, command)), None)


def find_shorter(command: Command) -> Shorter | None:
    """The rule that makes a command shorter; None if it runs as printed."""
    return next((rule for rule in SHORTER if _applies(rule, command)), None)


def find_replaced(block: Block) -> list[Replaced]:
    """The rules that make a Python block shorter."""
    page = block.page.relative_to(ROOT).as_posix()
    return [rule for rule in REPLACED if rule.page == page and rule.printed in block.text]


def _applies(rule: NotRun | Shorter, command: Command) -> bool:
    start = tuple(rule.start.split())
    if isinstance(rule, NotRun) and rule.exact and command.words != start:
        return False
    return command.words[: len(start)] == start and all(option in command.words for option in rule.having)


def shorten(words: tuple[str, ...], options: Mapping[str, str | None]) -> tuple[str, ...]:
    """The words with some options replaced or added; a smaller number stays."""
    kept = list(words)
    for option, limit in options.items():
        if option in kept:
            at = kept.index(option)
            # Also removes further values of an option that takes several.
            end = next((k for k in range(at + 1, len(kept)) if kept[k].startswith("--")), len(kept))
            if limit is None:
                del kept[at:end]
            elif limit and not _is_less(kept[at + 1], limit):
                kept[at + 1 : end] = limit.split()
        elif limit is not None:
            kept += [option, *limit.split()]
    return tuple(kept)


def _is_less(text: str, limit: str) -> bool:
    try:
        return float(text) <= float(limit)
    except ValueError:
        return False


class Reader:
    """Runs a page in a folder that looks like a clone: the examples are there, results of the author are not."""

    def __init__(self, page: Path, folder: Path) -> None:
        self._page, self._folder = page, folder
        self._names: dict[str, Any] = {"__name__": "__main__"}
        self._lines: list[str] = []
        self._runner = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1", "POISE_DEBUG": None})
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "docs" / "images").mkdir(parents=True)

    def read(self) -> int:
        """Run everything in the order of the page, then the commands that made its pictures; return how many ran."""
        done = 0
        before = os.getcwd()
        os.chdir(self._folder)
        try:
            for block in list_blocks(self._page):
                done += self._run(block)
            done += sum(self._call(command) for command in list_captions(self._page))
        finally:
            os.chdir(before)
        return done

    def _run(self, block: Block) -> int:
        if block.language == "sh":
            return sum(self._call(command) for command in list_commands(block))
        if block.language == "python":
            self._execute(block)
            return 1
        if block.file_name is not None:
            (self._folder / block.file_name).write_text(block.text, encoding="utf-8")
        return 0

    def _call(self, command: Command) -> int:
        """Run a command; returns 0 if a rule says that it is not run."""
        if find_not_run(command):
            return 0
        rule, words = find_shorter(command), command.words
        if rule is not None and not FULL:
            words = shorten(words, rule.options)
        if not command.is_poise:
            raise PageError(f"{command.place}: no rule for {command.words[0]!r}")
        result = self._runner.invoke(app, words[1:], env=dict(v.split("=", 1) for v in command.variables))
        if result.exit_code != 0:
            raise PageError(f"{command.place}: {' '.join(words)}\nexit code {result.exit_code}\n{result.output}")
        return 1

    def _execute(self, block: Block) -> None:
        """Run a Python block with the names of the earlier ones; compiled functions need a file with their source."""
        text = block.text
        for rule in () if FULL else find_replaced(block):
            text = text.replace(rule.printed, rule.run)
        path = self._folder / f"{self._page.stem}_blocks.py"
        self._lines += [""] * (block.line - 1 - len(self._lines)) + text.splitlines()
        path.write_text("\n".join(self._lines) + "\n", encoding="utf-8")
        try:
            exec(compile("\n" * (block.line - 1) + text, str(path), "exec"), self._names)
        except Exception as error:
            raise PageError(f"{block.place}: {type(error).__name__}: {error}") from error
