"""Controllers by name: shipped ones, TOML files, and the user's own Python files."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from poise.characters.catalog import SUFFIXES as CHARACTER_SUFFIXES
from poise.characters.model import Character
from poise.controllers.limit_cycle import spec as limit_cycle
from poise.controllers.phases import build as phases
from poise.controllers.pose import hold
from poise.controllers.python_file import build_from_python, load_python
from poise.controllers.script import build as script
from poise.controllers.simbicon import blend, planar, spatial, spatial_gait
from poise.controllers.tracker import route_spec as tracker_route
from poise.controllers.tracker import spec as tracker
from poise.controllers.tracker import steer_spec as tracker_steer
from poise.controllers.walker import spec as walker
from poise.errors import FileFormatError, InputError, unknown_name
from poise.language import load as script_files
from poise.language.parse import load_script_text
from poise.motion.shipped import find_clip
from poise.tables import Table, as_table, load_table
from poise.trust import check_kind, check_readable, reading
from poise.world.controller import Controller
from poise.world.settings import check_ground

LIBRARY: Final = Path(__file__).resolve().parent.parent / "library" / "controllers"


def _build_blend(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    table = as_table(table, name)
    named, part = blend.read_blend(table, name)
    gaits = [_find_named(gait, name) for gait in named]
    for k, gait in enumerate(gaits):
        # Checked before it is loaded, because a blend of blends could be circular.
        with table.errors_at("gaits", k):
            if find_controller(gait).suffix == ".py" or read_controller_file(gait).method != spatial_gait.METHOD:
                table.fail(f"{gait} is not a gait of the method {spatial_gait.METHOD}", "gaits", k)
    one, other = (load_controller(gait, character) for gait in gaits)
    return blend.blend(one, other, part, name, description)


def _build_limit_cycle(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    table = as_table(table, name)
    if "like" in table:
        other = _read_like(table, name, (limit_cycle.METHOD,), "a pose graph")
        own = _find_store(table.without("like"), find_controller(name))
        values = {**other.table.table("values"), **own.table("values")}
        table = own.with_data({**_find_store(other.table, other.path), **own, "values": values})
    elif "store" in table:
        table = _find_store(table, find_controller(name))
    return limit_cycle.build_from_table(table, character, name, description)


def _read_like(table: Table, name: str, methods: Sequence[str], kind: str) -> ControllerFile:
    """The file named under `like`, which must not have a `like` itself."""
    like = table.string("like")
    with table.errors_at("like"):
        other = read_controller_file(_find_named(like, name))
    if other.method not in methods or "like" in other.table:
        table.fail(f"{like} is not {kind} without a `like` of its own", "like")
    return other


def _revise_limit_cycle(table: Mapping[str, Any], values: Mapping[str, float], character: Character) -> dict[str, Any]:
    """The parameters are the entries of the table of values."""
    return {**table, "values": {**table.get("values", {}), **values}}


def _find_store(table: Table, path: Path) -> Table:
    """The table with the full path of its store of models, which the file gives relative to its own folder."""
    if "store" not in table:
        return table
    store = path.parent / table.string("store")
    with table.errors_at("store"):
        check_kind(store, "a store of models", (".npz",))
        check_readable(store)
    return table.with_data({**table, "store": str(store)})


def _build_tracker(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    table = _take_gains(as_table(table, name), name)
    # A clip is a file named relative to the controller's own, or one that Poise ships.
    with table.errors_at("clip"):
        clip = str(find_clip(table.string("clip"), find_controller(name).parent))
    return tracker.build_from_table(table.with_data({**table, "clip": clip}), character, name, description)


def _take_gains(table: Table, name: str) -> Table:
    """The table with the gains of the file named under `like`, overridden by its own."""
    if "like" not in table:
        return table
    other = _read_like(table, name, (tracker.METHOD, tracker_steer.METHOD), "a tracker")
    gains = {**other.table.table("gains"), **table.table("gains")}
    return table.with_data({**table.without("like"), "gains": gains})


def _build_steer(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    return tracker_steer.build_from_table(
        _take_gains(as_table(table, name), name), character, name, description, find_controller(name).parent
    )


def _build_route(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    return tracker_route.build_from_table(
        _take_gains(as_table(table, name), name), character, name, description, find_controller(name).parent
    )


Builder = Callable[[Mapping[str, Any], Character, str, str], Controller]
#: method -> function that builds a controller for a character from its table.
METHODS: Final[Mapping[str, Builder]] = {
    planar.METHOD: planar.build_from_table,
    spatial_gait.METHOD: spatial.build_from_table,
    blend.METHOD: _build_blend,
    hold.METHOD: hold.build_from_table,
    limit_cycle.METHOD: _build_limit_cycle,
    walker.METHOD: walker.build_from_table,
    phases.METHOD: phases.build_from_table,
    tracker.METHOD: _build_tracker,
    tracker_steer.METHOD: _build_steer,
    tracker_route.METHOD: _build_route,
}
Reviser = Callable[[Mapping[str, Any], Mapping[str, float], Character], dict[str, Any]]
#: method -> function that writes parameter values, given for a character, back into its table.
REVISERS: Final[Mapping[str, Reviser]] = {
    walker.METHOD: walker.revise_table,
    planar.METHOD: planar.revise_table,
    spatial_gait.METHOD: spatial.revise_table,
    blend.METHOD: blend.revise_table,
    limit_cycle.METHOD: _revise_limit_cycle,
    phases.METHOD: phases.revise_table,
}
#: Keys that every controller file may have besides those of its method.
_HEAD: Final = ("method", "character", "description", "provenance", "ground", "friction")


@dataclass(frozen=True)
class ControllerFile:
    """A controller before it is built for a character; `character` is the one that it was made for."""

    name: str
    path: Path
    method: str
    character: str
    description: str
    table: Table
    provenance: Mapping[str, Any]
    #: The ground that it requires, if any.
    ground: str | None = None
    #: The friction that it requires, if any.
    friction: float | None = None


def controller_names() -> list[str]:
    """Names of the shipped controllers, such as `simbicon/planar-walk` and `script/walk`."""
    names = [str(p.relative_to(LIBRARY).with_suffix("")).replace("\\", "/") for p in LIBRARY.rglob("*.toml")]
    return sorted([*names, *script_files.library_scripts()])


def find_controller(name_or_path: str | PathLike[str]) -> Path:
    """The file of a shipped controller or a path."""
    name = str(name_or_path)
    if name in script_files.library_scripts():
        return script_files.library_scripts()[name]
    if name in controller_names():
        return LIBRARY / f"{name}.toml"
    path = Path(name)
    if path.suffix in (".toml", ".py", *script_files.SUFFIXES):
        if isfile(path):
            return path
        raise InputError(f"controller {name}: there is no such file.")
    raise unknown_name("controllers", "controller", name, controller_names())


def _find_named(named: str, name: str) -> str:
    """A controller named in another one's file; a file beside that one takes precedence over the working directory."""
    beside = find_controller(name).parent / named
    return str(beside) if beside.suffix and isfile(beside) else named


def read_controller_file(name_or_path: str | PathLike[str]) -> ControllerFile:
    """The contents of a controller file that is not Python, with its head checked."""
    path = find_controller(name_or_path)
    name = str(name_or_path)
    if path.suffix == ".py":
        raise InputError(f"controller {name}: a Python file is not allowed here. Use a TOML file or a script.")
    if path.suffix in script_files.SUFFIXES:
        text = load_script_text(path)
        about, body = script.describe(text), script.find_character(text)
        return ControllerFile(name, path, script.METHOD, body, about, as_table({}, name), {}, script.GROUND)
    table = load_table(path)
    method = table.choice("method", "method", METHODS)
    ground = table.string("ground", None)
    if ground is not None:
        with table.errors_at("ground"):
            check_ground("", ground)
    return ControllerFile(
        name=name,
        path=path,
        method=method,
        character=table.string("character"),
        description=table.string("description"),
        table=table.without(*_HEAD),
        provenance=table.table("provenance").data,
        ground=ground,
        friction=table.number("friction", 0.0, math.inf, None),
    )


def default_character(name_or_path: str | PathLike[str]) -> str:
    """The character for which a controller was made; raises if that is a file which it may not read."""
    path = find_controller(name_or_path)
    if path.suffix == ".py":
        return str(getattr(load_python(path), "CHARACTER", "biped7"))
    return find_body(read_controller_file(name_or_path).character, path)


def find_body(named: str, path: Path) -> str:
    """The character that a controller's file names: a shipped one, or a file beside it or in the working directory."""
    if Path(named).suffix.lower() not in CHARACTER_SUFFIXES and os.sep not in named:
        return named
    beside = path.parent / named
    found = beside if isfile(beside) else Path(named)
    with reading(path):
        try:
            check_kind(found, "a character", CHARACTER_SUFFIXES)
            check_readable(found)
        except InputError as error:
            if path.suffix == ".toml":
                load_table(path).refuse(error, "character")
            raise FileFormatError(str(error), path=path) from error
    return str(found)


def load_controller(name_or_path: str | PathLike[str], character: Character) -> Controller:
    """A controller, ready to run on a character."""
    path = find_controller(name_or_path)
    if path.suffix == ".py":
        return build_from_python(path, character)
    if path.suffix in script_files.SUFFIXES:
        return script.build_controller(path, character, str(name_or_path), load_controller)
    file = read_controller_file(name_or_path)
    try:
        with reading(path):
            controller = METHODS[file.method](file.table, character, file.name, file.description)
    except FileFormatError:
        raise
    except InputError as error:
        # If the body lacks joints that the method needs, the file is not at fault.
        if str(error).startswith("character "):
            raise
        raise FileFormatError(str(error).removeprefix(f"{path}: "), path=path) from error
    return replace(
        controller,
        provenance=file.provenance,
        ground=file.ground or controller.ground,
        friction=controller.friction if file.friction is None else file.friction,
    )


def revise_table(
    method: str, table: Mapping[str, Any], values: Mapping[str, float], character: Character
) -> dict[str, Any]:
    """A controller file's table with other parameter values."""
    if method not in REVISERS:
        raise unknown_name("controllers", "method that can be written back", method, list(REVISERS))
    return REVISERS[method](table, values, character)
