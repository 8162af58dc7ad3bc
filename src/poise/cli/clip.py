"""`poise clip`: inspect, draw, convert, retarget and tame motion files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from poise.cli.clip_options import EDIT, READ, EditOptions, ReadOptions
from poise.cli.clip_retouch import retouch
from poise.cli.clip_table import print_survey, survey
from poise.cli.clip_tame import tame
from poise.cli.group import HouseApp
from poise.cli.groups import with_groups
from poise.cli.options import JsonOption
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.screen import keep_stdout_for_json, make_console, make_facts, make_table, write_json
from poise.cli.values import parse_number
from poise.errors import InputError

if TYPE_CHECKING:
    from poise.characters.model import Character
    from poise.cli.table import Table
    from poise.motion.retarget_result import Retargeted, RetargetReport
    from poise.motion.summary import ClipSummary
    from poise.search.clip_survey import ClipRow

TRACKED: Final = "lee13"
"""The character that `poise clip tame` uses by default, on which walks are sought."""

PICTURES: Final = (".png", ".svg", ".pdf")

app = HouseApp(help="Inspect, draw, convert, retarget and tame motion files")
app.command("tame")(tame)
app.command("retouch")(retouch)

Option = typer.Option
FileArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="A motion file (.bvh, .amc, DeepMimic .json or .txt, clip .npz) or a clip of `poise list`"
    ),
]


@app.command("info")
@with_groups
def info(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|DIR",
            help="A motion file (.bvh, .amc, DeepMimic .json or .txt, clip .npz), a clip of `poise list`, or a folder",
        ),
    ],
    read: ReadOptions = READ,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Print what a motion file contains, what was guessed while reading it, and which joint has which role

    For a folder, print a table of all motion files in it: which of them walk, how fast, and why the others do not.
    """
    from poise.characters.catalog import load_character
    from poise.motion.summary import summarize_clip
    from poise.search.clip_survey import survey_clip

    body = load_character(TRACKED)
    if file and Path(file).is_dir():
        rows = survey(file, body, read.settings())
        if json is not None:
            write_json(json, rows)
        if json != "-":
            print_survey(rows)
        return
    clip, mapping = read.load(file)
    summary, row = summarize_clip(clip, mapping), survey_clip(clip, mapping, body, clip.name)
    if json is not None:
        write_json(json, {**vars(summary), "walk": row})
    if json != "-":
        _show(summary, row)


def _show(summary: ClipSummary, row: ClipRow) -> None:
    console = make_console()
    standing = None
    if summary.left_contact is not None and summary.right_contact is not None:
        standing = f"left {summary.left_contact:.0%}, right {summary.right_contact:.0%} of the time"
    facts = [
        ("frames", f"{summary.frames} at {summary.rate_hz:.4g} Hz, {summary.duration_s:.2f} s"),
        ("joints", f"{summary.joints}{', some with translation' if summary.sliding_joints else ''}"),
        ("height", f"{summary.height_m:.2f} m"),
        ("legs", None if summary.leg_m is None else f"{summary.leg_m:.3f} m"),
        ("travels", f"{summary.path_m:.2f} m, ends {summary.distance_m:.2f} m away, {summary.mean_speed_mps:.2f} m/s"),
        ("lowest joint", f"{summary.lowest_m:.3f} m"),
        ("floor", _describe_floor(summary)),
        ("foot contact", standing),
        ("foot sliding", None if summary.skate_mps is None else f"{100.0 * summary.skate_mps:.1f} cm/s"),
        ("fragments", summary.fragments),
        ("loops", "yes" if summary.loops else None),
        ("verdict", f"{row.verdict}: cycle {row.cycle} at {row.speed_mps:.2f} m/s" if row.is_walk else row.verdict),
    ]
    console.print(make_facts(summary.name, facts))
    for note in summary.notes:
        typer.echo(f"  note: {note}")
    console.print(make_table(("role", "joint"), list(summary.roles.items())))


def _describe_floor(summary: ClipSummary) -> str | None:
    if summary.floor_m is None:
        return None
    slope = f", a ramp of {100.0 * abs(summary.floor_slope):.0f} %" if summary.floor_slope else ""
    return f"ankles stand at {summary.floor_m:.3f} m{slope}"


@app.command("plot")
@with_groups
def plot(
    file: FileArgument,
    png: Annotated[
        str, Option("--png", metavar="F", callback=check_folder, help="The picture to write: .png, .svg or .pdf")
    ],
    read: ReadOptions = READ,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Draw a clip: poses along its path, feet with their contacts, speed, knees"""
    from poise.motion.draw import export_clip_picture

    clip, mapping = read.load(file)
    export_clip_picture(clip, mapping, png)
    typer.echo(f"wrote {png}")


@app.command("convert")
@with_groups
def convert(
    file: FileArgument,
    target: Annotated[
        str, typer.Argument(metavar="TARGET", callback=check_folder, help="The file to write: .bvh or .npz")
    ],
    editing: EditOptions = EDIT,
    target_unit: Annotated[
        str, Option(metavar="U", help="Length of a unit in the written file: m, cm, mm, inch")
    ] = "m",
    read: ReadOptions = READ,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Convert a clip to another format or frame rate, smooth it, or cut out a part"""
    from poise.motion.conventions import parse_unit_m
    from poise.motion.load import write_clip

    clip, _ = read.load(file)
    clip = editing.edit(clip)
    write_clip(clip, target, parse_unit_m("--target-unit", target_unit))
    typer.echo(f"wrote {target}: {clip.frames} frames at {clip.rate_hz:.4g} Hz")


@app.command("retarget")
@with_groups
def retarget(
    file: FileArgument,
    character: Annotated[str, Option(metavar="C", help="A character by name, or a file")] = "humanoid",
    export: Annotated[
        list[str] | None,
        Option(metavar="F", callback=check_folder, help="A file to write: .bvh, .npz; .png, .svg, .pdf"),
    ] = None,
    scale: Annotated[str | None, Option(metavar="K", help="Scale of the motion; leg length ratio by default")] = None,
    editing: EditOptions = EDIT,
    read: ReadOptions = READ,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Retarget a clip to a character, with its feet on the ground and not sliding"""
    from poise.motion.retarget import retarget as put_on
    from poise.world.adopt import load_any_character

    _check_exports(export or [])
    body = load_any_character(character)
    factor = None if scale is None else parse_number("--scale", scale, 0.01, 100.0)
    clip, mapping = read.load(file)
    result = put_on(editing.edit(clip), mapping, body, scale=factor)
    if json is not None:
        write_json(json, {"character": body.name, "roles": mapping.name_joints(clip.skeleton), **vars(result.report)})
    with keep_stdout_for_json(json):
        for note in clip.notes:
            typer.echo(f"note: {note}")
        make_console().print(_describe(result.report, f"{clip.name} on {body.name}"))
        for path in export or []:
            _export(result, body, path)
            typer.echo(f"wrote {path}")


def _describe(report: RetargetReport, title: str) -> Table:
    cuts = ", ".join(f"{axis} {cut:g}°" for axis, cut in report.cut_deg.items())
    return make_facts(
        title,
        [
            ("scale", f"{report.scale:.3f}"),
            ("floor slope", f"{100.0 * report.floor_slope:.1f} %" if abs(report.floor_slope) > 0.002 else None),
            ("foot sliding", f"{100.0 * report.skate_mps:.1f} cm/s, {100.0 * report.skate_before_mps:.1f} before"),
            ("foot penetration", f"{1000.0 * report.sunk_m:.1f} mm, {1000.0 * report.sunk_before_m:.1f} before"),
            (
                "root lowered",
                f"{1000.0 * report.root_lowered_m:.0f} mm at most" if report.root_lowered_m > 0.001 else None,
            ),
            (
                "root lifted",
                f"{1000.0 * report.root_lifted_m:.0f} mm at most" if report.root_lifted_m > 0.001 else None,
            ),
            ("ankle error", f"{1000.0 * report.ankle_miss_m:.1f} mm at most" if report.ankle_miss_m > 0.0005 else None),
            ("clamped", cuts),
        ],
    )


def _check_exports(paths: list[str]) -> None:
    """Raise for a file type that cannot be written, before anything is computed."""
    from poise.motion.load import WRITTEN_SUFFIXES

    known = (*WRITTEN_SUFFIXES, *PICTURES)
    for path in paths:
        suffix = Path(path).suffix.lower()
        if suffix not in known:
            allowed = f"Allowed: {', '.join(known)}"
            raise InputError("a clip cannot be written to this file type", where=path, got=suffix, allowed=allowed)


def _export(result: Retargeted, body: Character, path: str) -> None:
    from poise.motion.load import WRITTEN_SUFFIXES, write_clip

    if Path(path).suffix.lower() in WRITTEN_SUFFIXES:
        write_clip(result.clip, path)
        return
    from poise.recordings.clip_recording import make_clip_recording
    from poise.rollout.filmstrip import export_filmstrip

    export_filmstrip(make_clip_recording(result.clip, body, result.angles_rad), path)
