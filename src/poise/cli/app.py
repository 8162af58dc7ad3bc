"""The command `poise`: every command family under one name."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from poise import __version__
from poise.cli import (
    bench,
    check,
    clip,
    cluster,
    compare,
    controller_script,
    demo,
    graph,
    listing,
    optimize,
    plot,
    reproduce,
    robustness,
    run,
    show,
    studio,
    sweep,
    transition,
    tune,
)
from poise.cli.group import HouseApp
from poise.cli.screen import tidy_width
from poise.cli.streams import guard_streams, settle

HELP = {"help_option_names": ["-h", "--help"]}

app = HouseApp(
    name="poise",
    help="Simulate and control two-legged characters",
    add_completion=False,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings=HELP,
)


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit")] = False,
) -> None:
    """Simulate and control two-legged characters"""
    if version:
        typer.echo(f"poise {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


app.command("run")(run.run)
app.command("demo")(demo.demo)
app.command("studio")(studio.studio)
app.command("list")(listing.list_names)
app.add_typer(show.app, name="show")
app.add_typer(check.app, name="check")
app.add_typer(controller_script.app, name="script")
app.command("transition")(transition.transition)
app.add_typer(graph.app, name="graph")
app.add_typer(clip.app, name="clip")
app.command("compare")(compare.compare)
app.command("robustness")(robustness.robustness)
app.command("sweep")(sweep.sweep)
app.command("plot")(plot.plot)
app.command("optimize")(optimize.optimize)
app.add_typer(tune.app, name="tune")
app.add_typer(cluster.app, name="cluster")
app.command("reproduce")(reproduce.reproduce)
app.command("claims")(reproduce.claims)
app.command("bench")(bench.bench)


def main() -> None:
    """Run the command line of this process and exit with its code."""
    guard_streams()
    tidy_width()
    code = 0
    try:
        app()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    sys.exit(settle(code))
