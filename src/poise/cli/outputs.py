"""Files that commands write: a missing folder is refused before anything is computed, or made with --make-folders."""

from __future__ import annotations

import os
from typing import Annotated, Any, Final

import typer

from poise.errors import InputError

MAKE_FOLDERS: Final = "--make-folders"
COMMAND_LINE: Final = "COMMANDLINE"


def check_folder(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Callback of every option and argument that names a file or folder to write: its folder must exist.

    Defaults need no check: commands make the folders of files that they name themselves.
    """
    name = parameter.name or ""
    source = context.get_parameter_source(name)
    typed = source is not None and source.name == COMMAND_LINE
    if typed and value is not None and not context.params.get("make_folders", False):
        for path in value if isinstance(value, list | tuple) else [value]:
            _check(_name(parameter), path)
    return value


def _name(parameter: Any) -> str:
    """`--export`, or the name of an argument as the help shows it."""
    return max(parameter.opts, key=len) if parameter.param_type_name == "option" else parameter.display_name_raw


def _check(where: str, path: str) -> None:
    folder = os.path.dirname(path.rstrip("/"))
    if folder and not os.path.exists(folder):
        allowed = f"Create the folder {folder!r}, or add {MAKE_FOLDERS}"
        raise InputError("the folder does not exist", where=where, got=path, allowed=allowed)


#: Commands need not read its value: `check_folder` does, and writing a file makes its folder.
MakeFoldersOption = Annotated[
    bool, typer.Option(MAKE_FOLDERS, is_eager=True, help="Create missing folders of the files to write")
]
