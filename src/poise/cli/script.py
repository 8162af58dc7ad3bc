"""`poise run FILE.script`: run the trials of a script and print the outcome of each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from poise.cli.failures import INTERRUPTED
from poise.cli.screen import (
    keep_stdout_for_json,
    make_console,
    make_table,
    note,
    note_if_cold,
    show_progress,
    write_json,
)
from poise.documents import save_json
from poise.errors import InputError
from poise.files import load_text

if TYPE_CHECKING:
    from poise.cli.table import Table
    from poise.controllers.limit_cycle.scripts.script import Script, Trial
    from poise.trials.limit_cycle_script import TrialResult

LIBRARY: Final = Path(__file__).resolve().parent.parent / "library" / "scripts"
OUT: Final = Path("out")
_TAKEN: Final = ("--json", "--repair", "--make-folders", "--allow-outside")


def is_script(controller: str, repair: bool) -> bool:
    """Whether the controller is a script; only scripts can be repaired."""
    script = controller.endswith(".script")
    if repair and not script:
        raise InputError("--repair is for scripts", where="poise run", got=controller, allowed="Give a .script file")
    return script


def run_script_file(context: typer.Context, path: str, json: str | None, repair: bool) -> None:
    """Run the trials of a script, print them as a table and write their steps."""
    _refuse_other_options(context)
    with keep_stdout_for_json(json):
        script, repairs = _load(path, repair)
        if not script.trials:
            raise InputError("it has no trials", where=path, allowed="Add a line such as: balance 30 1 180 5 0:0 …")
        results, interrupted = _run(script)
        if json != "-":
            make_console().print(_make_table(results))
            typer.echo(_conclude(results))
    if json is not None:
        write_json(
            json,
            {
                "script": path,
                "character": script.character.name,
                "repairs": repairs,
                "interrupted": interrupted,
                "trials": [r.summarize() for r in results],
            },
        )
    if interrupted:
        note("interrupted. The finished trials are kept.")
        raise typer.Exit(INTERRUPTED)


def _refuse_other_options(context: typer.Context) -> None:
    """Refuse options without effect: a script itself defines its body, its ground and its duration."""
    for parameter in context.command.params:
        name, source = parameter.opts[0], context.get_parameter_source(parameter.name or "")
        given = source is not None and source.name == "COMMANDLINE"
        if parameter.param_type_name == "option" and given and name not in _TAKEN:
            raise InputError(
                f"{name} has no effect on a script", where="poise run", allowed=f"Allowed: {', '.join(_TAKEN)}"
            )


def _load(path: str, repair: bool) -> tuple[Script, list[str]]:
    """The script and its repairs, which are also printed."""
    from poise.controllers.limit_cycle.scripts.read import parse_script
    from poise.controllers.limit_cycle.scripts.repair import repair_script

    if not os.path.exists(path) and os.path.isfile(LIBRARY / path):
        path = str(LIBRARY / path)
    text = load_text(path)
    repairs: list[str] = []
    if repair:
        text, found = repair_script(text)
        repairs = [str(r) for r in found]
        for line in repairs or ["nothing to repair."]:
            typer.echo(f"{path}: {line}")
    return parse_script(text, path), repairs


def _run(script: Script) -> tuple[list[TrialResult], bool]:
    from poise.batches.threads import run_what_can

    names = _name_files([t.name for t in script.trials])
    jobs = [partial(_run_one, script, trial, name) for trial, name in zip(script.trials, names, strict=True)]
    note_if_cold()
    with show_progress("walking") as bar:
        return run_what_can(jobs, bar)


def _run_one(script: Script, trial: Trial, file_name: str) -> TrialResult:
    """Run one trial and save its steps before the next begins."""
    from poise.trials import heartbeat
    from poise.trials.limit_cycle_script import run_trial

    result = run_trial(trial, script.character, heartbeat)
    if file_name:
        save_json(OUT / file_name, result.summarize())
    return result


def _name_files(names: Sequence[str]) -> list[str]:
    """A file for every named trial; trials of the same name are numbered."""
    files: list[str] = []
    for name in names:
        again = ""
        while name and f"{name}{again}.json" in files:
            again = f"-{int(again[1:] or 1) + 1}"
        files.append(f"{name}{again}.json" if name else "")
    return files


def _make_table(results: Sequence[TrialResult]) -> Table:
    columns = ("trial", "strategy", "Q_d ahead", "Q_d across", "steps", "of", "metres", "outcome")
    return make_table(columns, [_make_row(k, r) for k, r in enumerate(results, 1)], right=columns[2:7])


def _make_row(number: int, result: TrialResult) -> tuple[Any, ...]:
    outcome = result.problem or ("walked" if not result.fell else f"fell at {result.fell_at_s:.2f} s")
    x, y = result.steps[-1].at if result.steps else (0.0, 0.0)
    metres = f"{(x * x + y * y) ** 0.5:.2f}"
    name = result.name or f"trial {number}"
    return (name, result.strategy, *result.target, result.steps_done, result.steps_wanted, metres, outcome)


def _conclude(results: Sequence[TrialResult]) -> str:
    walked = sum(r.steps_done == r.steps_wanted for r in results)
    text = f"{walked} of {len(results)} completed all steps"
    written = sum(bool(r.name) for r in results)
    return f"{text}; {written} written in {OUT}/" if written else text
