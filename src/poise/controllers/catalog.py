"""Controllers by name: those that Poise ships, TOML files, and Python files of one's own."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from poise.characters.catalog import SUFFIXES as CHARACTER_SUFFIXES
from poise.characters.model import Character
from poise.controllers.limit_cycle import spec as limit_cycle
from poise.controllers.phases import build as phases
from poise.controllers.places import at_its_place
from poise.controllers.pose import hold
from poise.controllers.script import build as script
from poise.controllers.simbicon import blend, planar, spatial
from poise.controllers.tracker import route_spec as tracker_route
from poise.controllers.tracker import spec as tracker
from poise.controllers.tracker import steer_spec as tracker_steer
from poise.controllers.walker import spec as walker
from poise.errors import FileFormatError, InputError, PoiseError, unknown_name
from poise.files import load_toml
from poise.language import load as script_files
from poise.language.parse import load_script_text
from poise.motion.shipped import find_clip
from poise.trust import check_kind, check_python, check_readable, reading, running_code
from poise.world.controller import Controller
from poise.world.settings import check_ground

LIBRARY: Final = Path(__file__).resolve().parent.parent / "library" / "controllers"


def _build_blend(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    named, part = blend.read_blend(table, name)
    gaits = [_find_named(gait, name) for gait in named]
    for gait in gaits:
        # Looked at before it is loaded: a blend of blends could go round in a circle.
        if find_controller(gait).suffix == ".py" or read_controller_file(gait).method != spatial.METHOD:
            raise InputError(f"{name}: gaits: {gait} is no gait of the method {spatial.METHOD}.")
    one, other = (load_controller(gait, character) for gait in gaits)
    return blend.blend(one, other, part, name, description)


def _build_limit_cycle(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    if "like" in table:
        # One level: what it is like must be written out.
        other = read_controller_file(_find_named(str(table["like"]), name))
        if other.method != limit_cycle.METHOD or "like" in other.table:
            raise InputError(f"{name}: like: {table['like']} is no pose graph that is written out.")
        own = {k: v for k, v in _find_store(table, find_controller(name)).items() if k != "like"}
        values = {**other.table.get("values", {}), **own.get("values", {})}
        table = {**_find_store(other.table, other.path), **own, "values": values}
    elif "store" in table:
        table = _find_store(table, find_controller(name))
    return limit_cycle.build_from_table(table, character, name, description)


def _revise_limit_cycle(table: Mapping[str, Any], values: Mapping[str, float], character: Character) -> dict[str, Any]:
    """Its parameters are the entries of its table of values."""
    return {**table, "values": {**table.get("values", {}), **values}}


def _find_store(table: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """A table whose store of models is found from anywhere: the file gives it from where it lies itself."""
    if "store" not in table:
        return table
    store = path.parent / str(table["store"])
    check_kind(store, "a store of models", (".npz",))
    check_readable(store)
    return {**table, "store": str(store)}


def _build_tracker(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    # A clip lies where the file says, as seen from the file, or is one that Poise ships.
    table = _take_gains(table, name)
    named = isinstance(table.get("clip"), str)
    clip = {"clip": str(find_clip(table["clip"], find_controller(name).parent))} if named else {}
    return tracker.build_from_table({**table, **clip}, character, name, description)


def _take_gains(table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A table whose gains are those of the file that it is like, but for its own."""
    if "like" not in table:
        return table
    other = read_controller_file(_find_named(str(table["like"]), name))
    if other.method not in (tracker.METHOD, tracker_steer.METHOD) or "like" in other.table:
        raise InputError(f"{name}: like: {table['like']} is no tracker whose gains are written out.")
    gains = {**other.table.get("gains", {}), **table.get("gains", {})}
    return {**{k: v for k, v in table.items() if k != "like"}, "gains": gains}


def _build_steer(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    return tracker_steer.build_from_table(
        _take_gains(table, name), character, name, description, find_controller(name).parent
    )


def _build_route(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    return tracker_route.build_from_table(
        _take_gains(table, name), character, name, description, find_controller(name).parent
    )


Builder = Callable[[Mapping[str, Any], Character, str, str], Controller]
#: method -> what turns its table into a controller for a character.
METHODS: Final[Mapping[str, Builder]] = {
    planar.METHOD: planar.build_from_table,
    spatial.METHOD: spatial.build_from_table,
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
#: method -> what writes values of parameters, as they are for a character, back into its table.
REVISERS: Final[Mapping[str, Reviser]] = {
    walker.METHOD: walker.revise_table,
    planar.METHOD: planar.revise_table,
    spatial.METHOD: spatial.revise_table,
    blend.METHOD: blend.revise_table,
    limit_cycle.METHOD: _revise_limit_cycle,
    phases.METHOD: phases.revise_table,
}
#: What every controller file has beside the method's own table.
_HEAD: Final = ("method", "character", "description", "provenance", "ground", "friction")


@dataclass(frozen=True)
class ControllerFile:
    """A controller before it meets a character: `character` is the one that it was made for."""

    name: str
    path: Path
    method: str
    character: str
    description: str
    table: Mapping[str, Any]
    provenance: Mapping[str, Any]
    #: The ground that it asks for, if it asks for one.
    ground: str | None = None
    #: And the friction of that ground.
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
    """A controller that the file of another one names: a file beside it goes before one in the working directory."""
    beside = find_controller(name).parent / named
    return str(beside) if beside.suffix and isfile(beside) else named


def read_controller_file(name_or_path: str | PathLike[str]) -> ControllerFile:
    """The contents of a TOML controller file, its head checked."""
    path = find_controller(name_or_path)
    name = str(name_or_path)
    if path.suffix == ".py":
        raise InputError(f"controller {name}: a Python file is a program. A controller of data is needed here.")
    if path.suffix in script_files.SUFFIXES:
        text = load_script_text(path)
        about, body = script.describe(text), script.find_character(text)
        return ControllerFile(name, path, script.METHOD, body, about, {}, {}, script.GROUND)
    table = load_toml(path)
    for key in ("method", "character", "description"):
        if key not in table:
            raise FileFormatError(f"{key} is missing", path=path)
        if not isinstance(table[key], str):
            raise at_its_place(InputError(f"{key} must be a text", got=table[key]), path)
    method = table["method"]
    if method not in METHODS:
        raise at_its_place(unknown_name("", "method", method, list(METHODS)), path)
    if not isinstance(table.get("provenance", {}), dict):
        raise FileFormatError("provenance must be a table.", path=path)
    if "ground" in table:
        try:
            check_ground("", str(table["ground"]))
        except InputError as error:
            raise at_its_place(error, path) from error
    friction = table.get("friction")
    if friction is not None and (isinstance(friction, bool) or not isinstance(friction, (int, float)) or friction < 0):
        raise at_its_place(InputError("friction must be a number, 0 or more", got=friction), path)
    return ControllerFile(
        name=name,
        path=path,
        method=str(method),
        character=table["character"],
        description=table["description"],
        table={k: v for k, v in table.items() if k not in _HEAD},
        provenance=table.get("provenance", {}),
        ground=table.get("ground"),
        friction=None if friction is None else float(friction),
    )


def default_character(name_or_path: str | PathLike[str]) -> str:
    """The character for which a controller was made; a file that it names must be one that it may read."""
    path = find_controller(name_or_path)
    if path.suffix == ".py":
        return str(getattr(_load_module(path), "CHARACTER", "biped7"))
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
            raise at_its_place(error, path) from error
    return str(found)


def load_controller(name_or_path: str | PathLike[str], character: Character) -> Controller:
    """A controller, ready to run on a character."""
    path = find_controller(name_or_path)
    if path.suffix == ".py":
        return _build_module(path, character)
    if path.suffix in script_files.SUFFIXES:
        return script.build_controller(path, character, str(name_or_path), load_controller)
    file = read_controller_file(name_or_path)
    try:
        with reading(path):
            controller = METHODS[file.method](file.table, character, file.name, file.description)
    except InputError as error:
        # A body without the joints that a method needs is not the file's fault.
        if str(error).startswith("character "):
            raise
        raise at_its_place(error, path) from error
    return replace(
        controller,
        provenance=file.provenance,
        ground=file.ground or controller.ground,
        friction=controller.friction if file.friction is None else file.friction,
    )


def revise_table(
    method: str, table: Mapping[str, Any], values: Mapping[str, float], character: Character
) -> dict[str, Any]:
    """A controller file's table with other values of its parameters."""
    if method not in REVISERS:
        raise unknown_name("controllers", "method that can be written back", method, list(REVISERS))
    return REVISERS[method](table, values, character)


def _load_module(path: Path) -> Any:
    """A Python file as a module, registered so that its law can be pickled and cached."""
    check_python(path)
    name = f"poise_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with running_code():
            spec.loader.exec_module(module)
    except PoiseError:
        raise
    except Exception as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise FileFormatError(f"it cannot be run: {type(error).__name__}: {error}.", path=path, line=line) from error
    return module


def _build_module(path: Path, character: Character) -> Controller:
    build = getattr(_load_module(path), "build", None)
    if not callable(build):
        raise FileFormatError("it must define build(character), which returns a Controller.", path=path)
    try:
        with running_code():
            controller = build(character)
    except PoiseError:
        raise
    except Exception as error:
        raise FileFormatError(f"build(character) failed: {type(error).__name__}: {error}", path=path) from error
    if not isinstance(controller, Controller):
        raise FileFormatError(f"build(character) must return a Controller, got {type(controller).__name__}.", path=path)
    return controller
