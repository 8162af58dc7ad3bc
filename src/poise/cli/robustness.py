"""`poise robustness`: which pushes a gait survives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli.deliver import deliver
from poise.cli.groups import with_groups
from poise.cli.options import JsonOption, WorkersOption, parse_workers
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.robustness_random import show_random
from poise.cli.scenes import SCENE, ControllerArgument, SceneOptions, SetOption
from poise.cli.screen import (
    keep_stdout_for_json,
    make_console,
    make_table,
    note,
    note_if_cold,
    show_progress,
)
from poise.cli.trusting import AllowOutsideOption, AllowPythonOption
from poise.cli.values import parse_number, parse_numbers, parse_settings, parse_whole
from poise.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from poise.rollout.scene import Scene
    from poise.trials import PushLimits, PushMatrix, PushTest, PushTrains, RandomPushes

Option = typer.Option

DEFAULT_FORCE, DEFAULT_PHASES = "400", "6"
#: Default numbers of directions, for free and for planar bodies.
FREE_DIRECTIONS, PLANAR_DIRECTIONS = 8, 2
SIDES = {0.0: "forward", 90.0: "left", 180.0: "backward", 270.0: "right"}


@with_groups
def robustness(
    controller: ControllerArgument,
    force: Annotated[
        list[str] | None, Option(metavar="N", help="Force (N); several, or a range such as 200:800:100")
    ] = None,
    duration: Annotated[str, Option(metavar="S", help="Duration of a push")] = "0.1",
    directions: Annotated[
        str | None,
        Option(metavar="N|DEG,DEG…", help="Number of directions, or a list in degrees: 0 is forward, 90 to the left"),
    ] = None,
    phases: Annotated[
        str | None, Option(metavar="N", help="Number of phases of a step, from one foot strike to the next")
    ] = None,
    random: Annotated[
        str | None, Option(metavar="N", help="Instead: N random directions and moments of a stride, drawn by --seed")
    ] = None,
    segment: Annotated[str, Option(metavar="SEGMENT", help="A segment or role; the trunk by default")] = "",
    limits: Annotated[bool, Option("--limits", help="Search the largest survived force for each direction")] = False,
    tolerance: Annotated[str, Option(metavar="N", help="Accuracy of --limits (N)")] = "10",
    repeat: Annotated[str | None, Option(metavar="N", help="Number of pushes in a train; one push by default")] = None,
    every: Annotated[str, Option(metavar="S", help="Time between the pushes of a train")] = "4",
    settle: Annotated[str, Option(metavar="S", help="Time before the first push")] = "3",
    after: Annotated[str, Option(metavar="S", help="Time it must stay on its feet after the last push")] = "6",
    seconds: Annotated[
        str | None, Option(metavar="S", help="Instead of --after: time from the first push to the end")
    ] = None,
    scene_options: SceneOptions = SCENE,
    values: SetOption = None,
    workers: WorkersOption = None,
    png: Annotated[str | None, Option(metavar="F", callback=check_folder, help="Draw the outcome by direction")] = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
    allow_python: AllowPythonOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Push a gait from every direction at every phase of its step, or at random, and count what it survives

    Ctrl-C ends the run; the results up to then are shown and written.
    """
    if limits and repeat is not None:
        raise InputError("poise robustness: --limits and --repeat do not go together. Leave out one of them.")
    draws = None if random is None else parse_whole("--random", random, 1, 100_000)
    if draws is not None:
        _refuse_with_random({"--limits": limits, "--repeat": repeat, "--directions": directions, "--phases": phases})
    forces = [n for text in force or [DEFAULT_FORCE] for n in parse_numbers("--force", text)]
    count = None if repeat is None else parse_whole("--repeat", repeat, 1, 64)
    every_s = parse_number("--every", every, 0.0, None, "s")
    tolerance_n = parse_number("--tolerance", tolerance, 0.001, 1000.0, "N")
    threads = parse_workers(workers)
    with keep_stdout_for_json(json):
        settings = parse_settings("--set", values or ())
        scene = scene_options.make_scene(controller, settings)
        train_s = 0.0 if count is None else (count - 1) * every_s
        test = _make_test(scene, directions, phases, duration, segment, settle, after, seconds, train_s)
        note_if_cold()
        with show_progress("pushing") as bar:
            report = _try(scene, forces, test, draws, limits, tolerance_n, count, every_s, threads, bar)
        if json != "-":
            given = ["--set", *values] if values else []
            _show(make_console(), report, ["poise", "run", controller, *given, *scene_options.as_arguments()])
    deliver(report, json, png)


def _refuse_with_random(others: Mapping[str, object]) -> None:
    for option, value in others.items():
        if value:
            raise InputError(f"poise robustness: --random and {option} do not go together. Leave out one of them.")


def _make_test(
    scene: Scene,
    directions: str | None,
    phases: str | None,
    duration: str,
    segment: str,
    settle: str,
    after: str,
    seconds: str | None,
    train_s: float,
) -> PushTest:
    from poise.trials import PushTest

    planar = scene.load_character().root == "planar"
    around: int | list[float]
    if directions is None:
        around = PLANAR_DIRECTIONS if planar else FREE_DIRECTIONS
    elif "," in directions or ":" in directions:
        around = parse_numbers("--directions", directions)
    else:
        around = parse_whole("--directions", directions, 1, 360)
    duration_s = parse_number("--duration", duration, 0.0, 1000.0, "s")
    after_s = parse_number("--after", after, 0.0, 1000.0, "s")
    if seconds is not None:
        after_s = parse_number("--seconds", seconds, train_s + duration_s, None, "s") - train_s - duration_s
    test = PushTest(
        around,
        parse_whole("--phases", phases or DEFAULT_PHASES, 1, 1000),
        duration_s,
        segment,
        parse_number("--settle", settle, 0.0, None, "s"),
        after_s,
    )
    if planar and any(abs(d) % 180.0 == 90.0 for d in test.directions_deg):
        note("note: a push to the side has no effect on a planar body.")
    return test


def _try(
    scene: Scene,
    forces: list[float],
    test: PushTest,
    draws: int | None,
    limits: bool,
    tolerance_n: float,
    repeat: int | None,
    every_s: float,
    workers: int | None,
    bar: Callable[[float], None] | None,
) -> PushMatrix | PushLimits | PushTrains | RandomPushes:
    from poise.trials import push_at_random, push_limits, push_matrix, push_train

    if draws is not None:
        return push_at_random(scene, forces, draws, test, workers=workers, progress=bar)
    if limits:
        return push_limits(scene, test, guess_n=forces[0], tolerance_n=tolerance_n, workers=workers, progress=bar)
    if repeat is not None:
        return push_train(scene, forces, test, repeat=repeat, every_s=every_s, workers=workers, progress=bar)
    return push_matrix(scene, forces, test, workers=workers, progress=bar)


def _show(
    console: Console, report: PushMatrix | PushLimits | PushTrains | RandomPushes, run_command: Sequence[str]
) -> None:
    from poise.trials import PushLimits, PushTrains, RandomPushes

    if isinstance(report, RandomPushes):
        show_random(console, report, run_command)
    elif isinstance(report, PushLimits):
        _show_limits(console, report)
    elif isinstance(report, PushTrains):
        _show_trains(console, report)
    else:
        _show_matrix(console, report)


def _show_matrix(console: Console, matrix: PushMatrix) -> None:
    phases = [f"phase {p:.2f}" for p in matrix.phases] if matrix.step_s is not None else ["standing"]
    # After Ctrl-C, some forces were never tried.
    for force in dict.fromkeys(o.force_n for o in matrix.outcomes):
        rows = []
        for direction in matrix.directions_deg:
            outcomes = [matrix.outcome(force, direction, p) for p in matrix.phases]
            cells = ["–" if o is None else "ok" if o.survived else f"fell {o.fell_after_s:.2f} s" for o in outcomes]
            rows.append(
                (_name(direction), *cells, f"{sum(o is not None and o.survived for o in outcomes)}/{len(cells)}")
            )
        console.print(make_table(("direction", *phases, "survived"), rows, title=f"{force:g} N", right=("survived",)))
    step = "it stands" if matrix.step_s is None else f"a step takes {matrix.step_s:.3f} s"
    typer.echo(f"{matrix.survived} of {len(matrix.outcomes)} pushes survived; {step}")


def _show_limits(console: Console, limits: PushLimits) -> None:
    columns = ("direction", "survived at all phases N", "falls at N", "weakest phase")
    rows: list[tuple[Any, ...]] = [
        (
            _name(row.direction_deg),
            f"{row.limit_n:.0f}",
            "not found" if row.fails_n is None else f"{row.fails_n:.0f}",
            "" if row.weakest_phase is None else f"{row.weakest_phase:.2f}",
        )
        for row in limits.limits
    ]
    console.print(make_table(columns, rows, right=columns[1:]))
    typer.echo(f"the least of them: {limits.least_n:.0f} N")


def _show_trains(console: Console, trains: PushTrains) -> None:
    columns = ("force N", "direction", "survived pushes", "outcome")
    rows = [
        (
            f"{o.force_n:g}",
            _name(o.direction_deg),
            f"{o.survived_pushes} of {trains.repeat}",
            "still on its feet" if o.survived else f"fell {o.fell_after_s:.2f} s after the first push",
        )
        for o in trains.outcomes
    ]
    console.print(make_table(columns, rows, right=("force N", "survived pushes")))
    typer.echo(f"{trains.survived} of {len(trains.outcomes)} trains survived")


def _name(direction_deg: float) -> str:
    side = SIDES.get(direction_deg % 360.0)
    return f"{direction_deg:g}° {side}" if side else f"{direction_deg:g}°"
