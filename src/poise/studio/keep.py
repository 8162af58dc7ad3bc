"""Saves an edited style as a controller file that `poise run` and `poise studio` accept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.controllers.catalog import load_controller, read_controller_file, revise_table
from poise.controllers.walker.styles import OWN, read_slot, shipped_styles, write_style
from poise.documents import save_toml
from poise.errors import InputError
from poise.studio.scenario import Scenario
from poise.studio.steering import HEADING, find_own
from poise.studio.workspace import Workspace
from poise.world.controller import Controller

SUFFIX: Final = ".toml"
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
#: Parameters that are not part of a style.
_LEFT_OUT: Final = (HEADING, "style")


def check_style_name(name: str) -> str:
    """The name, if a new style may have it; raises otherwise."""
    if not _NAME.fullmatch(name):
        raise InputError(
            "not a valid name for a style",
            where="style",
            got=name,
            allowed="Allowed: lower-case letters, digits, - and _, a letter first",
        )
    if name == OWN or name in shipped_styles():
        raise InputError("the style exists", where="style", got=name, allowed="Choose another name")
    return name


def find_style_file(name: str, workspace: Workspace) -> Path:
    """Path at which a style of this name is saved."""
    path = workspace.out / f"{check_style_name(name)}{SUFFIX}"
    workspace.check_write(path, (SUFFIX,))
    return path


def make_style_file(
    scenario: Scenario, controller: Controller, params: NDArray[np.float64], character: Character, name: str
) -> dict[str, Any]:
    """The controller's file with the edited style active and with the changed parameters."""
    file = read_controller_file(scenario.controller)
    plain = load_controller(scenario.controller, character)
    changed = {
        p.name: float(params[p.index])
        for p in controller.parameters
        if params[p.index] != plain.params[p.index] and p.name not in _LEFT_OUT and not p.name.startswith("foothold")
    }
    table = revise_table(file.method, file.table, changed, character)
    values = {k: float(f"{v:.6g}") if isinstance(v, float) else v for k, v in table.get("values", {}).items()}
    style = write_style(read_slot(params, find_own(controller), name, "made in the studio"))
    style["curves"] = {k: _round(v) for k, v in style["curves"].items()}
    styles = {k: v for k, v in table.get("styles", {}).items() if k != OWN}
    return {
        "method": file.method,
        "character": scenario.character,
        "description": f"{name}, a style made in the studio from {file.name}",
        **{k: v for k, v in table.items() if k not in ("values", "styles")},
        "values": {**values, "style": name},
        "styles": {**styles, name: style},
    }


def _round(points: Any) -> Any:
    """Points rounded to 0.1 mrad, finer than anyone can drag."""
    return [round(v, 4) for v in points] if isinstance(points, list) else round(points, 4)


def save_style(
    scenario: Scenario,
    controller: Controller,
    params: NDArray[np.float64],
    character: Character,
    name: str,
    workspace: Workspace,
    *,
    overwrite: bool = False,
) -> Path:
    """Write the file and return its path; an existing file is replaced only with `overwrite`."""
    path = find_style_file(name, workspace)
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists", where="style", allowed="Choose another name, or overwrite it")
    save_toml(path, make_style_file(scenario, controller, params, character, name))
    return path
