"""Runs the blocks of one page one after the other, in one folder, as a reader would."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from typer.testing import CliRunner

from pages.blocks import ROOT, Block, Command, Part, list_captions, list_commands
from pages.rules import FULL, NOT_RUN, REPLACED, SEARCH_S, SHORTER, NotRun, Replaced, Shorter
from poise.cli import app
from poise.controllers.catalog import default_character, load_controller
from poise.controllers.walker.styles import read_style
from poise.optim.stopping import StopRules
from poise.search import read_problem
from poise.tables import load_table
from poise.world.adopt import load_any_character


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

    def __init__(self, part: Part, folder: Path) -> None:
        self._part, self._folder = part, folder
        self._names: dict[str, Any] = {"__name__": "__main__"}
        self._lines: list[str] = []
        self._runner = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1", "POISE_DEBUG": None})
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "docs" / "images").mkdir(parents=True)

    def read(self) -> int:
        """Run everything in the order of the page, then the commands that made its pictures; return how many ran."""
        captions = [] if self._part.section else list_captions(self._part.page)
        with ExitStack() as stack:
            stack.enter_context(chdir(self._folder))
            if not FULL:
                stack.enter_context(_shorter_searches())
                stack.enter_context(_shorter_taming())
            done = sum(self._run(block) for block in self._part.list_blocks())
            return done + sum(self._call(command) for command in captions)

    def _run(self, block: Block) -> int:
        if block.language == "sh":
            return sum(self._call(command) for command in list_commands(block))
        if block.language == "python":
            self._execute(block)
            return 1
        if block.file_name is not None:
            (self._folder / block.file_name).write_text(block.text, encoding="utf-8")
            if block.language == "toml":
                _load(block)
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
        path = self._folder / f"{self._part.page.stem}_blocks.py"
        self._lines += [""] * (block.line - 1 - len(self._lines)) + text.splitlines()
        path.write_text("\n".join(self._lines) + "\n", encoding="utf-8")
        try:
            exec(compile("\n" * (block.line - 1) + text, str(path), "exec"), self._names)
        except Exception as error:
            raise PageError(f"{block.place}: {type(error).__name__}: {error}") from error


def _load(block: Block) -> None:
    """Read the file that a block of TOML is, as what it is."""
    name = str(block.file_name)
    table = load_table(name)
    try:
        if "method" in table:
            # A controller may name clips that the next commands make.
            if not any(str(clip).endswith(".bvh") for clip in (table.get("clip"), *table.get("paces", ()))):
                load_controller(name, load_any_character(default_character(name)))
        elif "curves" in table:
            read_style(Path(name).stem, table, name)
        elif "segments" in table:
            load_any_character(name)
        else:
            read_problem(name)
    except Exception as error:
        raise PageError(f"{block.place}: {type(error).__name__}: {error}") from error


def _shorter_searches() -> Any:
    """A context in which searches for parameters try one generation of short trials."""
    module = importlib.import_module("poise.search.optimize")
    make = module._make_run

    def make_shorter(problem: Any, folder: Any, algorithm: Any, seed: Any, stop: Any, progress: Any) -> Any:
        check = replace(problem.check, seconds=SEARCH_S)
        rules = StopRules(evaluations=1)
        quick = replace(problem, seconds=SEARCH_S, settle_s=0.3 * SEARCH_S, check=check, stop=rules)
        return make(quick, folder, algorithm, seed, None, progress)

    return mock.patch.object(module, "_make_run", make_shorter)


@contextmanager
def _shorter_taming() -> Iterator[None]:
    """A context in which the final runs of tamed and retouched clips are short."""
    with ExitStack() as stack:
        for name in ("tame", "retouch"):
            module: Any = importlib.import_module(f"poise.search.{name}")
            stack.enter_context(mock.patch.object(module, "Plan", partial(module.Plan, check_s=2.0 * SEARCH_S)))
        yield
