"""`poise graph`: draw the graph of skills, find paths in it, walk it at random, learn it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli.group import HouseApp
from poise.cli.options import JsonOption, ResumeOption, SeedOption, WorkersOption, parse_workers
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.screen import (
    keep_stdout_for_json,
    make_console,
    make_table,
    note,
    note_if_cold,
    show_progress,
    write_json,
)
from poise.cli.searching import end_if_interrupted
from poise.cli.values import parse_number, parse_seed, parse_whole

if TYPE_CHECKING:
    from poise.cli.table import Table
    from poise.skills.graph import SkillGraph
    from poise.skills.wander import Tour

app = HouseApp(help="List, draw, learn and follow the graph of skills", invoke_without_command=True)

Option = typer.Option
MOST_MINUTES = 24.0 * 60.0


@app.callback()
def graph(
    context: typer.Context,
    png: Annotated[
        str | None, Option("--png", metavar="F", callback=check_folder, help="The picture to write: .png, .svg or .pdf")
    ] = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """List the skills and the transitions between them, or draw them"""
    if context.invoked_subcommand is not None:
        return
    from poise.skills.graph import load_graph

    known = load_graph()
    with keep_stdout_for_json(json):
        if json != "-":
            make_console().print(_make_table(known))
            typer.echo(_count(known))
        if png is not None:
            from poise.skills.draw import export_skill_graph

            export_skill_graph(known, png)
            typer.echo(f"wrote {png}")
    if json is not None:
        write_json(json, {"skills": dict(known.manners), "edges": list(known.edges)})


def _make_table(known: SkillGraph) -> Table:
    from poise.skills.graph import KINDS

    columns = ("skill", "height m", "speed m/s", "seconds", *KINDS)
    rows: list[tuple[Any, ...]] = []
    for name, manner in known.manners.items():
        counts = [len(known.edges_from(name, (kind,))) for kind in KINDS]
        seconds = f"{manner.seconds:.1f}{'' if manner.ends else '+'}"
        rows.append((name, f"{manner.height_m:.2f}", f"{manner.speed_mps:.2f}", seconds, *counts))
    return make_table(columns, rows, right=columns[1:])


def _count(known: SkillGraph) -> str:
    from poise.skills.graph import KINDS

    counts = ", ".join(f"{sum(e.kind == kind for e in known.edges)} {kind}" for kind in KINDS)
    return f"{len(known.manners)} skills, {counts} transitions"


@app.command("path")
def path(
    source: Annotated[str, typer.Argument(metavar="A", help="The first skill")],
    target: Annotated[str, typer.Argument(metavar="B", help="The skill to reach")],
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Find the path from one skill to another that is most likely to succeed"""
    from poise.skills.graph import load_graph

    way = load_graph().find_path(source, target)
    if json is not None:
        write_json(json, [*way])
    if json != "-":
        typer.echo(source)
        for edge in way:
            typer.echo(f"  {edge.target}  ({edge.kind}, {edge.arrived} of {edge.tries} arrived)")


@app.command("wander")
def wander(
    minutes: Annotated[str, Option(metavar="M", help="Simulated minutes")] = "10",
    seed: SeedOption = "0",
    start: Annotated[str | None, Option(metavar="A", help="The first skill; stand by default")] = None,
    export: Annotated[
        str | None, Option(metavar="F", callback=check_folder, help="Write the whole tour: .npz .mp4 .png …")
    ] = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Walk the graph at random, recover from falls, and print the sequence of skills"""
    seconds = 60.0 * parse_number("--minutes", minutes, 0.01, MOST_MINUTES, "min")
    number = parse_seed(seed)
    from poise.skills.graph import load_graph
    from poise.skills.show import check_exports
    from poise.skills.wander import Wanderer

    with keep_stdout_for_json(json):
        check_exports([export] if export else [])
        wanderer = Wanderer(load_graph(), number, start, keep=export is not None)
        note_if_cold()
        with show_progress("wandering") as bar:
            tour = wanderer.wander(seconds, bar)
        if json != "-":
            _describe(tour)
        if export is not None:
            from poise.rollout.export import export as write

            write(wanderer.recording(), export, lambda: wanderer.stage.world.compiled_scene())
            typer.echo(f"wrote {export}")
    if json is not None:
        write_json(json, tour.summarize())


def _describe(tour: Tour) -> None:
    columns = ("at s", "skill", "by", "seconds", "")
    rows = [(f"{v.start_s:.1f}", v.skill, v.by, f"{v.seconds:.1f}", "" if v.arrived else "failed") for v in tour.visits]
    make_console().print(make_table(columns, rows, right=("at s", "seconds")))
    end = "ended by a failure" if tour.failed else "completed"
    typer.echo(
        f"{tour.skills} skills in {tour.seconds / 60.0:.1f} minutes, {end}; {tour.falls} failures, "
        f"{tour.recoveries} recoveries"
    )


@app.command("learn")
def learn(
    context: typer.Context,
    afresh: Annotated[bool, Option("--afresh", help="Try all skills again, even unchanged ones")] = False,
    folder: Annotated[
        str | None,
        Option("--folder", metavar="DIR", callback=check_folder, help="Folder of the graph; the library by default"),
    ] = None,
    tours: Annotated[str, Option(metavar="N", help="Random tours that show where skills fail")] = "4",
    minutes: Annotated[str, Option(metavar="M", help="Simulated minutes per tour")] = "5",
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Try all skills from the states in which others are left or have failed, and record which succeed

    Skills whose scripts have not changed are not tried again. Random tours of the graph follow; transitions that fail
    on them are avoided later. The graph is written at the end.

    Ctrl-C ends the search, and --resume continues it, even after it was killed.
    """
    threads, count = parse_workers(workers), parse_whole("--tours", tours, 0, 1000)
    seconds = 60.0 * parse_number("--minutes", minutes, 0.01, MOST_MINUTES, "min")
    from poise.skills.graph import LIBRARY, TABLE
    from poise.skills.relearn import learn_graph

    place = Path(folder) if folder is not None else LIBRARY
    with keep_stdout_for_json(json):
        note_if_cold()
        try:
            found = learn_graph(
                place, afresh=afresh, tours=count, seconds=seconds, resume=resume, workers=threads, bar=show_progress,
                say=note,
            )  # fmt: skip
        except KeyboardInterrupt:
            end_if_interrupted(context, True, kept="The trials so far are kept.")
            raise
        if json != "-":
            typer.echo(f"{_count(found)}; wrote {place / TABLE}")
    if json is not None:
        write_json(json, {"skills": dict(found.manners), "edges": list(found.edges)})
