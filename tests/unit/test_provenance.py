"""Commands that found shipped values: every one of them runs from an installed package."""

import re
import shlex
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import typer

import poise
from poise.cli import app
from poise.controllers.catalog import find_controller
from poise.errors import PoiseError
from poise.motion.shipped import find_clip
from poise.search.read_problem import problem_names
from poise.search.tame_file import find_start, read_start

LIBRARY = Path(poise.__file__).parent / "library"
FILES = sorted(path for path in LIBRARY.rglob("*.toml") if "[provenance]" in path.read_text())
#: Motions that people bring themselves; the provenance knows them by their digest.
BROUGHT = (".bvh", ".amc")
COMMAND = re.compile(r"(?:poise|python) (?:-m )?[a-z]")


def find_commands(value):
    """All commands in a provenance table."""
    if isinstance(value, dict):
        return [c for item in value.values() for c in find_commands(item)]
    if isinstance(value, list):
        return [c for item in value for c in find_commands(item)]
    if not isinstance(value, str):
        return []
    quoted = [text for text in re.findall(r"`([^`]*)`", value) if COMMAND.match(text)]
    return quoted or ([value] if COMMAND.match(value) else [])


def parse(command):
    """Name and parameters of a command of `poise`, as its parser understands them."""
    words = shlex.split(command)
    assert words[0] == "poise", command
    found, context, names = typer.main.get_command(app), None, ["poise"]
    words = words[1:]
    while hasattr(found, "commands"):
        context = type(found).context_class(found, info_name=names[-1], parent=context)
        _, found, words = found.resolve_command(context, words)
        names.append(found.name)
    return names, found.make_context(names[-1], list(words), parent=context).params


def name_inputs(parameters):
    """Files and names that a command reads."""
    keys = ("file", "start", "table", "like", "walk", "controller", "script", "source", "problem")
    return {key: parameters[key] for key in keys if isinstance(parameters.get(key), str)}


def is_shipped(names, key, name):
    if names[1] == "optimize":
        return name in problem_names()
    try:
        if key == "file" and names[1:] == ["clip", "tame"]:
            return find_clip(name).exists()
        if key == "start" and names[1] == "clip":
            return bool(read_start(Path(name)))
        return find_controller(name).is_relative_to(LIBRARY)
    except PoiseError:
        return False


def check(path, provenance, command, made):
    names, parameters = parse(command)
    for key, name in name_inputs(parameters).items():
        if Path(name).suffix in BROUGHT:
            assert len(provenance["clip_sha256"]) == 64, (path, name)
        elif names[1:] == ["clip", "retouch"]:
            # The tracker itself, as it was before: its motion is one that people bring.
            assert len(provenance["retouch"]["clip_sha256"]) == 64, (path, name)
        elif name not in made:
            assert is_shipped(names, key, name), f"{path}: {command}: {name} is not in the package"
    made.add(parameters.get("out"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIBRARY)))
def test_provenance_commands_run_from_an_installed_package(path):
    provenance, made = tomllib.loads(path.read_text())["provenance"], set()
    for command in find_commands(provenance):
        assert "tools" not in command and "out/" not in command
        if command.startswith("python -m poise."):
            module, *words = shlex.split(command)[2:]
            import_module(module).make_parser().parse_args([*words, "--out", "x.toml"])
        elif command.startswith("poise reproduce"):
            parse(command)
        else:
            check(path, provenance, command, made)


def test_the_commands_are_found():
    commands = [c for path in FILES for c in find_commands(tomllib.loads(path.read_text())["provenance"])]
    kinds = {" ".join(command.split()[:3]) for command in commands}
    assert {
        "poise clip tame",
        "poise clip retouch",
        "poise tune walker",
        "poise tune gait",
        "poise tune graph",
    } <= kinds
    assert len(commands) > 40


def test_scripts_name_no_command_of_the_repository():
    for path in (LIBRARY / "scripts").iterdir():
        assert "tools" not in path.read_text().replace("poise\n# tune", ""), path.name


def test_a_search_can_begin_where_that_of_a_shipped_tracker_began():
    path, at_start = find_start(Path("tracker/fast:start"))
    assert (path, at_start) == (LIBRARY / "controllers" / "tracker" / "fast.toml", True)
    table = tomllib.loads(path.read_text())
    assert read_start(Path("tracker/fast:start")) == table["provenance"]["start"] != table["gains"]
    assert read_start(Path("tracker/fast")) == table["gains"]
    with pytest.raises(PoiseError) as error:
        read_start(Path("tracker/normal:start"))
    normal = path.with_name("normal.toml")
    assert str(error.value) == f"{normal}: its provenance lacks the gains with which its search began."
