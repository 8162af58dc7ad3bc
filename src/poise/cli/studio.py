"""`poise studio`: the browser page."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from poise.cli.scenes import GroundOption, parse_timestep
from poise.cli.trusting import AllowOutsideOption, AllowPythonOption
from poise.cli.values import parse_whole
from poise.constants import DEFAULT_TIMESTEP_S

DEFAULT_CONTROLLER = "walker/walk"
DEFAULT_PORT = "8080"

Option = typer.Option


def studio(
    controller: Annotated[str, typer.Argument(metavar="NAME|FILE")] = DEFAULT_CONTROLLER,
    character: Annotated[str | None, Option(metavar="C", help="A character of `poise list`, or a file")] = None,
    terrain: Annotated[str | None, Option(metavar="SPEC", help="The ground, such as slope:3")] = None,
    ground: GroundOption = None,
    timestep: Annotated[str, Option(metavar="S", help="Time step of the physics")] = str(DEFAULT_TIMESTEP_S),
    port: Annotated[str, Option(metavar="N", help="Port on this machine")] = DEFAULT_PORT,
    folder: Annotated[
        str | None, Option(metavar="DIR", help="Where scripts and styles may be saved; the current folder by default")
    ] = None,
    no_browser: Annotated[bool, Option("--no-browser", help="Only print the address")] = False,
    allow_python: AllowPythonOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Open the browser page: watch, push and change a character while it moves

    The printed address grants access to anyone who knows it: it contains a secret that changes at every start.

    A script (.ctl, .t, .s) is shown beside the character and runs again when it is edited there or saved elsewhere.
    """
    number = parse_port(port)
    timestep_s = parse_timestep(timestep)
    from poise.studio import serve

    serve(
        controller,
        character,
        terrain=terrain,
        timestep_s=timestep_s,
        ground=ground,
        folder=folder,
        port=number,
        open_browser=not no_browser,
        # Flush: the address must appear at once in a pipe, too.
        say=partial(print, flush=True),
    )


def parse_port(text: str) -> int:
    """Parse a port number; 0 takes any free port."""
    return parse_whole("--port", text, 0, 65535)
