"""`--allow-python` and `--allow-outside`: what the data files of a command may lead to."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.trust import ALLOW_OUTSIDE, ALLOW_PYTHON, allowing


def _allow_python(context: typer.Context, value: bool) -> None:
    if value:
        context.with_resource(allowing(python=True))


def _allow_outside(context: typer.Context, value: bool) -> None:
    if value:
        context.with_resource(allowing(outside=True))


#: The command itself need not look at these: they hold as long as it runs.
AllowPythonOption = Annotated[
    bool,
    typer.Option(ALLOW_PYTHON, callback=_allow_python, help="Run Python files that a script or another file names."),
]
AllowOutsideOption = Annotated[
    bool,
    typer.Option(ALLOW_OUTSIDE, callback=_allow_outside, help="Let files name others outside their own folder."),
]
