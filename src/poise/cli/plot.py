"""`poise plot`: plots of a walk, step by step, as in the sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final

import typer

from poise.cli.failures import INTERRUPTED
from poise.cli.groups import with_groups
from poise.cli.options import JsonOption, WorkersOption, parse_workers
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.scenes import SCENE, ControllerArgument, SceneOptions, SetOption
from poise.cli.screen import keep_stdout_for_json, note, note_if_cold, show_progress, write_json
from poise.cli.trusting import AllowOutsideOption, AllowPythonOption
from poise.cli.values import parse_number, parse_numbers, parse_settings, parse_whole
from poise.errors import InputError, unknown_name

if TYPE_CHECKING:
    from poise.rollout.scene import Scene
    from poise.trials.step_plots import Picture

Option = typer.Option

DEFAULT_CONTROLLER: Final = "limit-cycle/human-walk"
DEFAULT_SECONDS: Final = 10.0
SECONDS: Final = (0.1, 1e6)
MAX_STEPS: Final = 10_000
#: Kinds of plots, and the kinds to which an option applies.
KINDS: Final = ("phase", "hips", "steps", "variable", "range")
TAKERS: Final = {"--axis": ("phase",), "--targets": ("range",), "--workers": ("range",), "--seconds": KINDS[:-1]}


@with_groups
def plot(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="phase, hips, steps, variable or range")],
    controller: ControllerArgument = DEFAULT_CONTROLLER,
    seconds: Annotated[str | None, Option(metavar="S", help="How long to simulate; 10 by default")] = None,
    steps: Annotated[
        str | None, Option(metavar="N", help="Or how many steps; range: most steps of a trial, 60 by default")
    ] = None,
    axis: Annotated[
        str | None, Option(metavar="NAME", help="phase: trunk_pitch (default), trunk_roll or a joint axis")
    ] = None,
    targets: Annotated[
        str | None, Option(metavar="A:B:STEP", help="range: targets; around the controller's own by default")
    ] = None,
    scene_options: SceneOptions = SCENE,
    values: SetOption = None,
    workers: WorkersOption = None,
    out: Annotated[
        str | None,
        Option(metavar="F", callback=check_folder, help="The picture, .png or .svg; out/WHAT.png by default"),
    ] = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
    allow_python: AllowPythonOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Plot a walk step by step: its limit cycle, path, steps, or the targets with which it walks

    phase plots an angle against its rate, hips the path from above, steps their length and duration.

    For limit cycles, variable plots reached values against targets, and range the number of steps for each target.

    Example: poise plot phase limit-cycle/human-walk --steps 40 --out phase.png
    """
    if what not in KINDS:
        raise unknown_name("poise plot", "plot", what, KINDS)
    _check_options(what, {"--axis": axis, "--targets": targets, "--workers": workers, "--seconds": seconds})
    path = f"out/{what}.png" if out is None else out
    seconds_number = None if seconds is None else parse_number("--seconds", seconds, *SECONDS, "s")
    count = None if steps is None else parse_whole("--steps", steps, 1, MAX_STEPS)
    grid = None if targets is None else sorted(set(parse_numbers("--targets", targets)))
    threads = parse_workers(workers)
    with keep_stdout_for_json(json):
        settings = parse_settings("--set", values or ())
        scene = scene_options.make_scene(controller, settings)
        from poise.trials.draw_steps import check_picture_path, export_picture

        check_picture_path(path)
        note_if_cold()
        if what == "range":
            picture = _try_range(scene, grid, count, threads)
        else:
            picture = _watch(scene, what, axis, seconds_number, count)
        if json != "-":
            typer.echo(f"{picture.controller} on {picture.character}: {picture.outcome}")
    if json is not None:
        write_json(json, picture.as_dict())
    with keep_stdout_for_json(json):
        export_picture(picture, path)
        print(f"wrote {path}")
    if picture.interrupted:
        note("interrupted. The plot shows the steps up to then.")
        raise typer.Exit(INTERRUPTED)


def _check_options(what: str, given: Mapping[str, str | None]) -> None:
    """Refuse options that do not apply to this kind of plot."""
    for name, value in given.items():
        if value is not None and what not in TAKERS[name]:
            raise InputError(f"poise plot {what}: {name} is for {', '.join(TAKERS[name])}. Leave it out.")


def _watch(scene: Scene, what: str, axis: str | None, seconds: float | None, steps: int | None) -> Picture:
    """Plot one run."""
    from poise.trials.steady import PROBE_S
    from poise.trials.step_plots import TRUNK_AXES, check_axis, make_picture
    from poise.trials.step_run import run_steps

    shown = TRUNK_AXES[0] if axis is None else axis
    check_axis(shown, scene.load_character().axis_names)
    if seconds is None and steps is None:
        seconds = DEFAULT_SECONDS
    with show_progress("simulating") as bar:
        run = run_steps(scene, seconds=seconds, steps=steps, balanced=what == "variable", progress=bar)
    waited = seconds is None and run.fell_at_s is None and not run.interrupted
    if steps is not None and len(run.ends_s) < steps and waited:
        note(f"note: {len(run.ends_s)} of {steps} steps were done; then none came for {PROBE_S:g} s.")
    return make_picture(run, what, shown)


def _try_range(scene: Scene, targets: list[float] | None, steps: int | None, workers: int | None) -> Picture:
    """A picture of many trials."""
    from poise.reproduce.laszlo.range import measure_range
    from poise.reproduce.laszlo.runs import TRIAL_STEPS

    with show_progress("walking") as bar:
        return measure_range(scene, targets, steps or TRIAL_STEPS, workers=workers, progress=bar)
