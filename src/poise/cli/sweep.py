"""`poise sweep`: vary one parameter and compare commanded with measured values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from poise.cli.deliver import deliver
from poise.cli.groups import with_groups
from poise.cli.options import JsonOption, WorkersOption, parse_workers
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.scenes import SCENE, ControllerArgument, SceneOptions
from poise.cli.screen import (
    keep_stdout_for_json,
    make_console,
    make_table,
    note_if_cold,
    show_progress,
)
from poise.cli.trusting import AllowOutsideOption, AllowPythonOption
from poise.cli.values import parse_number, parse_value, parse_values, split_assignments
from poise.errors import InputError

if TYPE_CHECKING:
    from poise.cli.table import Table
    from poise.trials import Sweep, SweepRow

Option = typer.Option

#: Columns to leave out on a narrow screen, the first one first.
DROPPED = ("side speed m/s", "step width m", "heading °", "step length m")
SWEEP_FORM = "Write one range or list, such as speed=0:1.5:0.1 or style=walk,march"


@with_groups
def sweep(
    controller: ControllerArgument,
    values: Annotated[
        list[str] | None,
        Option("--set", metavar="KEY=A:B:STEP|KEY=VALUE", help="The swept parameter as a range or list; others fixed"),
    ] = None,
    seconds: Annotated[str, Option(metavar="S", help="Duration of each run")] = "30",
    settle: Annotated[
        str | None, Option(metavar="S", help="Time before measuring starts; half of the duration by default")
    ] = None,
    scene_options: SceneOptions = SCENE,
    workers: WorkersOption = None,
    png: Annotated[
        str | None, Option(metavar="F", callback=check_folder, help="Draw commanded against measured")
    ] = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
    allow_python: AllowPythonOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Run a controller once for each value of a parameter and print commanded and measured values

    Ctrl-C ends the sweep; the results so far are printed and written.
    """
    name, swept, fixed = split_swept(values or ())
    seconds_number = parse_number("--seconds", seconds, 0.0, None, "s")
    settle_s = None if settle is None else parse_number("--settle", settle, 0.0, seconds_number, "s")
    threads = parse_workers(workers)
    with keep_stdout_for_json(json):
        scene = scene_options.make_scene(controller, fixed)
        from poise.trials import sweep as run_sweep

        note_if_cold()
        with show_progress("sweeping") as bar:
            report = run_sweep(
                scene, name, swept, seconds=seconds_number, settle_s=settle_s, workers=threads, progress=bar
            )
        if json != "-":
            make_console().print(_make_table(report))
            typer.echo(_conclude(report))
    deliver(report, json, png)


def split_swept(texts: list[str] | tuple[str, ...]) -> tuple[str, list[float | str], dict[str, float | str]]:
    """The swept parameter, its values, and the parameters that stay fixed."""
    given = split_assignments("--set", texts)
    swept = {name: text for name, text in given.items() if ":" in text or "," in text}
    if len(swept) != 1:
        what = "no parameter is swept" if not swept else f"{' and '.join(swept)} are swept at once"
        raise InputError(what, where="poise sweep", allowed=SWEEP_FORM)
    fixed = {n: parse_value(f"--set {n}", text) for n, text in given.items() if n not in swept}
    ((name, text),) = swept.items()
    return name, parse_values(f"--set {name}", text), fixed


def _make_table(report: Sweep) -> Table:
    figures = ("speed m/s", "side speed m/s", "step time s", "step length m", "step width m", "heading °", "steps")
    commanded = ("measured", "error") if report.commanded else ()
    columns = (report.parameter, *commanded, *figures, "outcome")
    return make_table(columns, [_make_row(report, row) for row in report.rows], right=columns[:-1], drop=DROPPED)


def _make_row(report: Sweep, row: SweepRow) -> tuple[str, ...]:
    gait = row.gait
    commanded = (_show(row.measured), _show(row.error)) if report.commanded else ()
    figures = (
        gait.speed_mps,
        gait.side_speed_mps,
        gait.mean_step_time_s,
        gait.mean_step_length_m,
        gait.mean_step_width_m,
    )
    nothing = gait.seconds <= 0.0
    shown = ("–" if nothing else _show(figure) for figure in figures)
    heading = "–" if nothing else f"{gait.heading_deg + 0.0:.1f}"
    outcome = "still on its feet" if gait.fell_at_s is None else f"fell at {gait.fell_at_s:.2f} s"
    return (row.label, *commanded, *shown, heading, str(gait.steps), outcome)


def _show(value: float | None) -> str:
    # Adding zero turns -0.000 into 0.000.
    return "–" if value is None else f"{round(value, 3) + 0.0:.3f}"


def _conclude(report: Sweep) -> str:
    text = f"{report.falls} of {len(report.rows)} fell"
    worst = report.worst_error
    return text if worst is None else f"{text}; largest error of the others {worst:.3g}"
