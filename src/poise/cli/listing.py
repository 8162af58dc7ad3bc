"""`poise list`: the characters, controllers, clips, terrains and search problems that Poise ships."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console

from poise.cli.screen import make_console, make_table
from poise.errors import PoiseError, unknown_name


def list_names(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="KIND", show_default=False, help="characters, controllers, clips, terrains or problems"),
    ] = None,
) -> None:
    """List the characters, controllers, clips, terrains or search problems that Poise ships, by default all"""
    if kind is not None and kind not in _LISTS:
        raise unknown_name("poise list", "kind", kind, _LISTS)
    console = make_console()
    for name, show in _LISTS.items():
        if kind in (None, name):
            show(console)


def _list_characters(console: Console) -> None:
    from poise.world.adopt import list_all_characters

    rows = [
        (c.name, "", "", "", "", "", c.problem)
        if c.problem
        else (c.name, f"{c.mass_kg:.1f}", f"{c.height_m:.2f}", c.segments, c.dofs, c.root, c.source)
        for c in list_all_characters()
    ]
    columns = ("character", "mass kg", "height m", "segments", "dofs", "root", "source")
    console.print(make_table(columns, rows, right=("mass kg", "height m", "segments", "dofs")))


def _list_controllers(console: Console) -> None:
    from poise.controllers.catalog import controller_names, read_controller_file

    rows = []
    for name in controller_names():
        try:
            file = read_controller_file(name)
            rows.append((name, file.character, file.description))
        except PoiseError as error:
            rows.append((name, "", str(error).splitlines()[0]))
    console.print(make_table(("controller", "character", "description"), rows))


def _list_clips(console: Console) -> None:
    from poise.motion.load import load_clip
    from poise.motion.shipped import find_clip, list_clips

    clips = [(name, load_clip(find_clip(name))) for name in list_clips()]
    rows = [(name, clip.character, f"{clip.duration_s:.1f}", "; ".join(clip.notes)) for name, clip in clips]
    console.print(make_table(("clip", "character", "seconds", "description"), rows, right=("seconds",)))


def _list_terrains(console: Console) -> None:
    from poise.world.terrain import list_terrains

    rows = [(kind.name, kind.about, ", ".join(p.name for p in kind.parameters)) for kind in list_terrains()]
    console.print(make_table(("terrain", "description", "parameters"), rows))


def _list_problems(console: Console) -> None:
    from poise.search import problem_names, read_problem

    problems = [(name, read_problem(name)) for name in problem_names()]
    rows = [(name, problem.base, problem.character, problem.description) for name, problem in problems]
    console.print(make_table(("problem", "controller", "character", "goal"), rows, drop=("character",)))


_LISTS: dict[str, Callable[[Console], None]] = {
    "characters": _list_characters,
    "controllers": _list_controllers,
    "clips": _list_clips,
    "terrains": _list_terrains,
    "problems": _list_problems,
}
