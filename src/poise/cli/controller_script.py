"""`poise script`: check, format and draw controller scripts (`.ctl`, `.t`, `.s`)."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.cli.failures import BAD_INPUT, FAULT, report, say
from poise.cli.group import HouseApp
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.trusting import AllowOutsideOption
from poise.errors import InputError, PoiseError

app = HouseApp(help="Check, format and draw controller scripts")

FilesArgument = Annotated[list[str], typer.Argument(metavar="FILE…", help="Scripts: .ctl, .t or .s")]


@app.callback()
def start() -> None:
    """Check, format and draw controller scripts."""


@app.command("check")
def check(
    files: FilesArgument,
    character: Annotated[
        str | None, typer.Option(metavar="C", help="Character to check for; by default the one each script names")
    ] = None,
    show_all: Annotated[bool, typer.Option("--all", help="Show every warning, not only a few of each kind")] = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Report errors and warnings in scripts and in everything they include

    The exit code is 2 if there is an error.
    """
    from poise.controllers.catalog import find_body, load_controller
    from poise.controllers.script.build import find_character
    from poise.controllers.script.guests import find_guests
    from poise.language.check import check_program
    from poise.language.digest import count_things, make_digest
    from poise.language.load import load_program
    from poise.language.names import Body
    from poise.world.adopt import load_any_character

    failed, warnings, hidden = 0, 0, False
    for file in files:
        try:
            program = load_program(file)
            named = character or find_body(find_character(program.script.text), program.script.path)
            body = Body(load_any_character(named))
            program.guests = find_guests(program, body.character, load_controller, run_python=False)
            problems = check_program(program, body)
        except PoiseError as error:
            report(error)
            failed += 1
            continue
        digest = make_digest(problems, 0, 0) if show_all else make_digest(problems)
        for line in digest.lines:
            say(line)
        failed, warnings = failed + (digest.errors > 0), warnings + digest.warnings
        typer.echo(f"{file}: {digest.count()}")
        hidden = hidden or digest.shown < len(problems)
    if len(files) > 1:
        typer.echo(f"{len(files)} files: {failed or 'none'} with errors, {count_things(warnings, 'warning')}")
    if hidden:
        say("note: --all shows the others.")
    if failed:
        raise typer.Exit(BAD_INPUT)


@app.command("format")
def format_files(
    files: FilesArgument,
    check_only: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit code 1 if a file would change")
    ] = False,
) -> None:
    """Format scripts in the canonical layout, and keep their comments"""
    from poise.files import save_text
    from poise.language.parse import load_script_text, parse_script
    from poise.language.write import write_script

    changed = 0
    for file in files:
        text = load_script_text(file)
        laid_out = write_script(parse_script(text, file))
        if laid_out == text:
            typer.echo(f"{file}: unchanged")
            continue
        changed += 1
        if not check_only:
            save_text(file, laid_out)
        typer.echo(f"{file}: {'would be reformatted' if check_only else 'reformatted'}")
    if check_only and changed:
        raise typer.Exit(FAULT)


@app.command("graph")
def graph(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A script: .ctl, .t or .s")],
    png: Annotated[
        str, typer.Option("--png", metavar="F", callback=check_folder, help="The picture to write: .png, .svg or .pdf")
    ],
    make_folders: MakeFoldersOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Draw the phases of a script and of all scripts that it calls"""
    from poise.language.draw_graph import export_graph
    from poise.language.load import load_program

    program = load_program(file)
    if not program.script.phases:
        raise InputError("the script has no phases to draw", where=file)
    export_graph(program, png)
    typer.echo(f"wrote {png}")
