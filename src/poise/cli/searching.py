"""Shared by the commands that search: their progress, their command line, and how they end when interrupted."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

import typer

from poise.cli.failures import INTERRUPTED
from poise.cli.screen import make_console, note

#: Without a bar, generations of one candidate are reported at this interval.
LINE_EVERY = 10


def end_if_interrupted(
    context: typer.Context, interrupted: bool, kept: str = "The best so far is written.", resume_with: str = ""
) -> None:
    """After Ctrl-C, print the command that resumes the search and exit with `INTERRUPTED`."""
    if interrupted:
        command = resume_with or f"{spell_command(context, ['resume'])} --resume"
        note(f"interrupted. {kept} Resume it with: {command}")
        raise typer.Exit(INTERRUPTED)


def spell_command(context: typer.Context, leave_out: Sequence[str] = ()) -> str:
    """The command as typed, without some of its parameters."""
    words = [context.command_path]
    # Arguments first: a repeatable option would consume those that follow its values.
    for parameter in sorted(context.command.params, key=lambda p: p.param_type_name == "option"):
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if name in leave_out or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params.get(name, ())
        if parameter.param_type_name == "option":
            words.append(parameter.opts[0])
        if not isinstance(value, bool):
            words += [shlex.quote(str(item)) for item in (value if isinstance(value, list | tuple) else [value])]
    return " ".join(words)


class Pace:
    """Candidates per second since the first generation seen, and the remaining time at this rate."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._began = clock, clock()
        self._before: int | None = None

    def describe(self, evaluations: int, size: int, total: int, best_cost: float) -> str:
        """Best cost, candidates per second and remaining time after a generation of the given size."""
        now, first = self._clock(), self._before is None
        # Candidates of an earlier session of a resumed search do not count.
        before = evaluations - size if self._before is None else self._before
        rate = (evaluations - before) / max(now - self._began, 1e-9)
        if first:
            # Exclude the first generation, which also loads and compiles code.
            self._began, self._before = now, evaluations
        left = timedelta(seconds=round(max(total - evaluations, 0) / rate))
        return f"best cost {best_cost:.5g}, {rate:.3g} evaluations/s, at most {left} left"


#: Called after a generation: candidates so far, size of the generation, maximum number of candidates, best cost.
Follow = Callable[[int, int, int, float], None]


@contextmanager
def show_search(what: str = "searching") -> Iterator[Follow]:
    """A function to call after each generation: moves a bar, or writes a line if there is no terminal."""
    console, pace = make_console(error=True), Pace()
    if not console.is_terminal or console.is_dumb_terminal:
        yield lambda *row: _write_line(pace, *row)
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    text = TextColumn("{task.description}")
    columns = (TextColumn(what), BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), text)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("first generation", total=1.0)

        def follow(evaluations: int, size: int, total: int, best_cost: float) -> None:
            text = pace.describe(evaluations, size, total, best_cost)
            bar.update(task, completed=evaluations / total, description=text)

        yield follow


#: Called with the name of a stage, its completed fraction if known, and details.
FollowStage = Callable[[str, float | None, str], None]
#: Without a bar, the progress of a stage is reported at these parts.
LINE_PARTS = 4


@contextmanager
def show_stages() -> Iterator[FollowStage]:
    """A function to call as a search of several stages proceeds: moves a bar, or writes lines without a terminal."""
    console = make_console(error=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield _StageLines()
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.fields[stage]}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=console, transient=True) as bar:
        task = bar.add_task("", total=None, stage="")

        def follow(stage: str, part: float | None, text: str) -> None:
            bar.update(task, stage=stage, total=None if part is None else 1.0, completed=part or 0.0, description=text)

        yield follow


class _StageLines:
    """Writes a line when a stage begins, at every quarter of it, and for all details."""

    def __init__(self) -> None:
        self._stage, self._told = "", 0

    def __call__(self, stage: str, part: float | None, text: str) -> None:
        if stage != self._stage:
            self._stage, self._told = stage, 0
            note(f"{stage} …")
        if text:
            note(f"{stage}: {text}")
            return
        done = int(LINE_PARTS * (part or 0.0))
        if done > self._told:
            self._told = done
            note(f"{stage}: {done / LINE_PARTS:.0%}")


def _write_line(pace: Pace, evaluations: int, size: int, total: int, best_cost: float) -> None:
    text, number = pace.describe(evaluations, size, total, best_cost), round(evaluations / size)
    if size > 1 or number % LINE_EVERY == 0 or evaluations >= total:
        generations = number + -(-max(total - evaluations, 0) // size)
        note(f"generation {number} of {generations}: {text}")
