"""Console output: tables, a progress bar, and JSON. Works without colour, without a terminal, and in a pipe."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

from rich.console import Console

from poise.cli.failures import say
from poise.cli.streams import check_stdout
from poise.cli.table import Facts, Grid, Table
from poise.documents import format_json, save_json

#: A narrower table would have one word per line; a wider one is for no screen.
MIN_WIDTH, MAX_WIDTH = 20, 10_000
#: Width of output to a file or a pipe: each row stays on one line, for other programs to read.
PIPE_WIDTH = MAX_WIDTH


def tidy_width() -> None:
    """Clamp or remove a width in the environment at which rich or typer would fail."""
    for name in ("COLUMNS", "LINES", "TERMINAL_WIDTH"):
        text = os.environ.get(name, "1")
        if not (text.isascii() and text.isdecimal()) or int(text[:9]) == 0:
            del os.environ[name]
        elif name != "LINES" and name in os.environ:
            os.environ[name] = str(min(max(int(text[:9]), MIN_WIDTH), MAX_WIDTH))


class _Console(Console):
    """A console that never cuts off the end of a long word."""

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*objects, **{"crop": False, **options})


def make_console(*, error: bool = False) -> Console:
    """A console on stdout or stderr. Text is printed literally: brackets and numbers have no special meaning."""
    console = _Console(stderr=error, highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPE_WIDTH
    return console


def note(text: str) -> None:
    """Print one line of status on stderr; stdout is for results only."""
    say(text)


def make_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    right: Collection[str] = (),
    drop: Sequence[str] = (),
) -> Table:
    """A table; the columns in `right` hold numbers, and those in `drop` are left out first on a narrow screen."""
    return Grid(columns, ([_show(value) for value in row] for row in rows), title=title, right=right, drop=drop)


def make_facts(title: str, facts: Iterable[tuple[str, object]]) -> Table:
    """A table of names and values without a header. Facts without a value are left out."""
    return Facts(title, [(name, _show(value)) for name, value in facts if value is not None and value != ""])


def _show(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[float], None] | None]:
    """A function to call with the completed fraction, or None if nobody would see the bar."""
    console = make_console(error=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda done: progress.update(task, completed=done)


@contextmanager
def keep_stdout_for_json(target: str | None) -> Iterator[None]:
    """Redirect printed output to stderr if stdout is reserved for JSON."""
    if target != "-":
        yield
        return
    check_stdout()
    with redirect_stdout(sys.stderr):
        yield


def write_json(target: str, data: object) -> None:
    """Write JSON to a file, or to stdout for `-`."""
    if target == "-":
        check_stdout()
        sys.stdout.write(_fit(format_json(data), sys.stdout.encoding))
        sys.stdout.flush()
    else:
        save_json(target, data)
        print(f"wrote {target}")


def _fit(text: str, encoding: str | None) -> str:
    """The JSON text, with escapes if the encoding lacks a character: question marks would change the data."""
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(json.loads(text), indent=2) + "\n"
    return text


def note_if_cold() -> None:
    """Tell the user if this run must compile first and takes longer."""
    from poise.kernels.jit import JIT_ENABLED, cache_folder

    if JIT_ENABLED and not any(cache_folder().rglob("*.nbc")):
        note("Compiling the control loop. This happens once and takes about half a minute …")
