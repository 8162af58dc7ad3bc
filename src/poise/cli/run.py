"""`poise run`: simulate a controller on a character, print a summary, and write files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli.failures import BAD_INPUT, INTERRUPTED, report
from poise.cli.groups import with_groups
from poise.cli.options import JsonOption
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.scenes import SCENE, ControllerArgument, NoiseOption, SceneOptions, SetOption, parse_noise
from poise.cli.screen import keep_stdout_for_json, make_console, note, note_if_cold, show_progress, write_json
from poise.cli.script import OUT, is_script, run_script_file
from poise.cli.summary import make_summary, summarize
from poise.cli.trusting import AllowOutsideOption, AllowPythonOption
from poise.cli.values import parse_change, parse_number, parse_push, parse_settings
from poise.constants import DEFAULT_RECORD_HZ
from poise.errors import DivergedError, PoiseError

if TYPE_CHECKING:
    from poise.api import Run
    from poise.recordings.recording import Recording
    from poise.rollout.scene import Scene
    from poise.world.world import World

MAX_RECORD_HZ = 1e5

Option = typer.Option


@with_groups
def run(
    context: typer.Context,
    controller: ControllerArgument,
    seconds: Annotated[str, Option(metavar="S", help="How long to simulate")] = "10",
    values: SetOption = None,
    scene_options: SceneOptions = SCENE,
    noise: NoiseOption = "0",
    push: Annotated[
        list[str] | None,
        Option(
            metavar="PUSH",
            help="N,DEG,START,DURATION[,SEGMENT]: newtons, degrees (0 is forward, 90 to the left), seconds, seconds",
        ),
    ] = None,
    at: Annotated[
        list[str] | None, Option(metavar="T:KEY=VALUE", help="A parameter that changes while it runs")
    ] = None,
    export: Annotated[
        list[str] | None,
        Option(metavar="F", callback=check_folder, help="A file to write: .npz .csv .bvh .mp4 .png .joints.png …"),
    ] = None,
    json: JsonOption = None,
    stop_on_fall: Annotated[bool, Option("--stop-on-fall", help="End when the character falls")] = False,
    record_hz: Annotated[str, Option(metavar="HZ", help="Frames recorded a second")] = f"{DEFAULT_RECORD_HZ:g}",
    repair: Annotated[
        bool, Option("--repair", help="Repair a .script that was damaged in print, and list the repairs")
    ] = False,
    make_folders: MakeFoldersOption = False,
    allow_python: AllowPythonOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Simulate a controller on a character and print a summary

    Options that may be repeated also take several values: --set lift_duration=0.25 strike_cd=2.
    """
    if is_script(controller, repair):
        run_script_file(context, controller, json, repair)
        return
    seconds_number = parse_number("--seconds", seconds, 0.0, None, "s")
    start_noise = parse_noise(noise)
    hz = parse_number("--record-hz", record_hz, 1.0, MAX_RECORD_HZ, "Hz")
    exports = export or []
    with keep_stdout_for_json(json):
        settings = parse_settings("--set", values or ())
        scene = replace(
            scene_options.make_scene(controller, settings),
            pushes=[parse_push(text) for text in push or ()],
            changes=[parse_change(text) for text in at or ()],
            noise=start_noise,
        )
        _check_exports(exports)
        _note_what_does_nothing(scene, seconds_number)
        done = _run(scene, seconds_number, hz, stop_on_fall, exports)
        if json != "-":
            make_console().print(make_summary(done))
        failed = _export(done.recording, exports, scene)
        _keep_saved(done.recording)
    if json is not None:
        write_json(json, summarize(done))
    if done.recording.meta.get("interrupted"):
        note(f"interrupted at {done.recording.meta['seconds']:.4g} s. The recording up to that time is kept.")
        raise typer.Exit(INTERRUPTED)
    if failed:
        raise typer.Exit(BAD_INPUT)


def _check_exports(paths: Sequence[str]) -> None:
    """Refuse files that cannot be written before the run, not after it."""
    from poise.rollout.export import check_export_path

    if ".mp4" in {check_export_path(path) for path in paths}:
        from poise.world.video import check_video

        check_video()


def _note_what_does_nothing(scene: Scene, seconds: float) -> None:
    planar = any(abs(push.direction_deg) % 180.0 == 90.0 for push in scene.pushes) and (
        scene.load_character().root == "planar"
    )
    if planar:
        note("note: a push to the side has no effect on a planar body.")
    for push in scene.pushes:
        if push.start_s >= seconds:
            note(f"note: a push starts at {push.start_s:g} s, and the run ends at {seconds:g} s.")
    for change in scene.changes:
        if change.at_s >= seconds:
            note(f"note: {change.name} changes at {change.at_s:g} s, and the run ends at {seconds:g} s.")


def _run(scene: Scene, seconds: float, record_hz: float, stop_on_fall: bool, exports: Sequence[str]) -> Run:
    """Run the scene; if the state stops being finite, export what was recorded before that."""
    from poise.api import run_scene

    note_if_cold()
    try:
        with show_progress("simulating") as progress:
            return run_scene(
                scene,
                seconds,
                record_hz=record_hz,
                stop_on_fall=stop_on_fall,
                progress=progress,
                on_open=lambda world: _note_remarks(scene, world),
            )
    except DivergedError as error:
        if error.recording is not None:
            _export(error.recording, exports, scene)
        raise


def _note_remarks(scene: Scene, world: World) -> None:
    """Repeat the warnings about a script, and name its parameters that have no value."""
    from poise.rollout.describe import find_unset

    controller = world.controllers[0]
    for line in controller.remarks:
        note(line)
    unset = find_unset(scene, world)
    if unset:
        what = f"{unset[0]} has no value and is" if len(unset) == 1 else f"{', '.join(unset)} have no value and are"
        note(f"note: {what} 0. Give one with --set {unset[0]}=VALUE, or with 'SET {unset[0]} = VALUE' in the script.")


def _keep_saved(recording: Recording) -> None:
    """Write the states that a script saved, for the next run."""
    from poise.files import save_text

    for name, text in recording.meta.get("saved", {}).items():
        path = OUT / Path(name).name
        save_text(path, text)
        print(f"wrote {path}")


def _export(recording: Recording, paths: Sequence[str], scene: Scene) -> bool:
    """Write every file that can be written; return whether one could not."""
    from poise.rollout.export import export

    def make_model() -> Any:
        # The spec, not the compiled model: a video adds a floor and a sky to it.
        return scene.open().spec

    failed = False
    for path in paths:
        try:
            export(recording, path, make_model)
            print(f"wrote {path}")
        except PoiseError as error:
            report(error)
            failed = True
    return failed
