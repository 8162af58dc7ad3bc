"""`--allow-python` and `--allow-outside`: what a command's data files may run and read."""

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


#: Commands need not read these values: the callbacks apply them while the command runs.
AllowPythonOption = Annotated[
    bool,
    typer.Option(ALLOW_PYTHON, callback=_allow_python, help="Run Python files named in scripts or other files"),
]
AllowOutsideOption = Annotated[
    bool,
    typer.Option(ALLOW_OUTSIDE, callback=_allow_outside, help="Let files refer to files outside their own folder"),
]
