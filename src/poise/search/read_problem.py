"""Read the TOML file of a problem and check it against the controller that the search starts from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from poise.characters.model import Character
from poise.constants import MAX_TIMESTEP_S, MIN_TIMESTEP_S
from poise.controllers.catalog import METHODS, REVISERS, ControllerFile, load_controller, read_controller_file
from poise.errors import InputError, unknown_name
from poise.files import load_bytes
from poise.optim.cma_es import MAX_POPULATION
from poise.optim.stopping import StopRules
from poise.search.algorithms import ALGORITHMS, check_algorithm, default_algorithm
from poise.search.problem import Check, Problem, Task, Trial
from poise.search.read_terms import References, read_failures, read_task, read_term
from poise.search.read_variables import read_values, read_variables
from poise.tables import Table, load_table
from poise.trust import reading
from poise.world.adopt import load_any_character
from poise.world.controller import Controller
from poise.world.settings import GROUNDS
from poise.world.terrain import parse_terrain
from poise.world.world import Push

LIBRARY: Final = Path(__file__).resolve().parent.parent / "library" / "problems"
MAX_SECONDS: Final = 3600.0
MAX_GENERATIONS: Final = 100_000
MAX_EVALUATIONS: Final = 10_000_000
#: Keys that may change before a search is resumed.
_STOP_KEYS: Final = ("generations", "evaluations", "target_cost", "stagnation", "min_spread")
_KEYS: Final = (
    "name", "description", "controller", "character", "seconds", "settle_s", "timestep_s", "ground", "fall_weight",
    "set", "vary", "objective", "failures", "trials", "task", "search", "check",
)  # fmt: skip


def problem_names() -> list[str]:
    """Names of the shipped problems."""
    return sorted(p.stem for p in LIBRARY.glob("*.toml"))


def find_problem(name_or_path: str | PathLike[str]) -> Path:
    """Path of a problem: the file of a shipped one, or the path itself."""
    name = str(name_or_path)
    if name in problem_names():
        return LIBRARY / f"{name}.toml"
    path = Path(name)
    if path.suffix == ".toml":
        return path
    raise unknown_name("problems", "problem", name, problem_names())


@dataclass(frozen=True)
class _Base:
    """The controller that a search begins with, and its body."""

    name: str
    file: ControllerFile
    #: The part of the file's table that the search begins with.
    table: Mapping[str, Any]
    character: str
    body: Character
    controller: Controller


def read_problem(name_or_path: str | PathLike[str], ground: str | None = None) -> Problem:
    """Read a problem by name or file; `ground` overrides the ground of the file or the controller."""
    path = find_problem(name_or_path)
    with reading(path):
        return _read_problem(path, str(name_or_path), ground)


def _read_problem(path: Path, label: str, ground: str | None) -> Problem:
    table = load_table(path)
    table.only(*_KEYS)
    task = read_task(table)
    base = _read_base(table, path.parent, task)
    asked = ground or _read_ground(table)
    body, controller = base.body, base.controller if asked is None else replace(base.controller, ground=asked)
    values = read_values(table.table("set"), controller)
    space, ties = read_variables(table.table("vary", required=True), controller.with_values(values), values)
    seconds = table.number("seconds", 0.1, MAX_SECONDS, 10.0)
    timestep_s = table.number("timestep_s", MIN_TIMESTEP_S, MAX_TIMESTEP_S, 0.001)
    references = References(path.parent, controller, body, seconds, timestep_s)
    terms = tuple(read_term(t, references, task) for t in table.tables("objective"))
    if task is not None and not any(term.value is None for term in terms):
        table.fail("no term of the objective uses 'task', so all tasks are the same", "task")
    end_rules, watch_rules = read_failures(table.tables("failures"), references)
    algorithm, population, seed, stop = _read_search(table.table("search"), task)
    return Problem(
        name=table.name("name", path.stem),
        label=label,
        path=path,
        sha256=_sha256(load_bytes(path)),
        content_sha256=_hash_content(table),
        description=table.string("description", f"found by the search {path.stem}"),
        base=base.name,
        base_path=base.file.path,
        base_sha256=_sha256(load_bytes(base.file.path)),
        method=base.file.method,
        base_table=base.table,
        references_sha256=references.sha256,
        character=base.character,
        body=body,
        controller=controller,
        seconds=seconds,
        settle_s=table.number("settle_s", 0.0, seconds, 0.3 * seconds),
        timestep_s=timestep_s,
        ground=ground,
        space=space,
        ties=ties,
        values=values,
        terms=terms,
        fall_weight=table.number("fall_weight", 0.0, 1e6, 100.0),
        end_rules=end_rules,
        watch_rules=watch_rules,
        trials=_read_trials(table),
        algorithm=algorithm,
        population=population,
        seed=seed,
        stop=stop,
        task=task,
        check=_read_check(table.table("check")),
    )


def _read_search(table: Table, task: Task | None) -> tuple[str, int, int, StopRules]:
    """Algorithm, population, seed and limits of the search."""
    table.only("algorithm", "population", "seed", *_STOP_KEYS)
    population = table.integer("population", 4, MAX_POPULATION, 16)
    algorithm = table.choice("algorithm", "algorithm", ALGORITHMS, default_algorithm(task))
    try:
        check_algorithm(algorithm, task)
    except InputError as error:
        table.fail(str(error), "algorithm", cause=error)
    return algorithm, population, table.integer("seed", 0, 2**31, 1), _read_stop(table, population)


def _read_check(table: Table) -> Check:
    table.only("seconds", "timestep_s")
    return Check(
        table.number("seconds", 0.1, MAX_SECONDS, Check.seconds),
        table.number("timestep_s", MIN_TIMESTEP_S, MAX_TIMESTEP_S, Check.timestep_s),
    )


def _read_ground(table: Table) -> str | None:
    return table.choice("ground", "ground", GROUNDS, None)


def _read_base(table: Table, folder: Path, task: Task | None) -> _Base:
    """The controller by name, or in a file, possibly beside the problem's file."""
    name = table.string("controller")
    beside = folder / name
    base_file = str(beside) if name.endswith(".toml") and isfile(beside) else name
    try:
        file = read_controller_file(base_file)
    except InputError as error:
        table.fail(str(error), "controller", cause=error)
    if file.method not in REVISERS:
        # Fail now rather than after hours of search.
        table.fail(
            f"{name} uses the method {file.method}, whose parameters cannot be written back to a file. "
            f"Methods whose parameters can: {', '.join(REVISERS)}",
            "controller",
        )
    # A search for a skill drops the one that the file may have.
    own = {k: v for k, v in file.table.items() if k != "skill" or task is None}
    character = table.string("character", file.character)
    try:
        body = load_any_character(character)
        controller = load_controller(base_file, body)
        if len(own) < len(file.table):
            controller = METHODS[file.method](own, body, file.name, file.description)
    except InputError as error:
        table.fail(str(error), "character", cause=error)
    return _Base(name, file, own, character, body, controller)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _hash_content(table: Table) -> str:
    content = dict(table.data)
    content["search"] = {k: v for k, v in table.table("search").data.items() if k not in _STOP_KEYS}
    return _sha256(json.dumps(content, sort_keys=True, default=str).encode())


def _read_stop(search: Table, population: int) -> StopRules:
    """The rules that end a search. A generation counts as `population` candidates for every algorithm."""
    most = population * search.integer("generations", 1, MAX_GENERATIONS, 40)
    if "evaluations" in search:
        evaluations = search.integer("evaluations", 1, MAX_EVALUATIONS)
        most = min(most, evaluations) if "generations" in search else evaluations
    patience = search.integer("stagnation", 1, MAX_GENERATIONS, None)
    return StopRules(
        evaluations=most,
        target_cost=search.number("target_cost", -1e9, 1e9, None),
        stagnation=None if patience is None else patience * population,
        min_spread=search.number("min_spread", 0.0, 1.0, None),
    )


def _read_trials(table: Table) -> tuple[Trial, ...]:
    trials = tuple(_read_trial(t, k) for k, t in enumerate(table.tables("trials"))) or (Trial("plain"),)
    names = [trial.name for trial in trials]
    for k, name in enumerate(names):
        if name in names[:k]:
            table.tables("trials")[k].fail("another trial has this name", "name", got=name)
    return trials


def _read_trial(table: Table, index: int) -> Trial:
    table.only("name", "pushes", "terrain", "friction", "speed_mps", "noise_radps", "seed")
    terrain = table.string("terrain", None)
    try:
        if terrain is not None:
            parse_terrain(terrain)
    except InputError as error:
        table.fail(str(error), "terrain", cause=error)
    return Trial(
        name=table.string("name", f"trial {index + 1}"),
        pushes=tuple(_read_push(t) for t in table.tables("pushes")),
        terrain=terrain,
        friction=table.number("friction", 0.0, 100.0, None),
        speed_mps=table.number("speed_mps", -20.0, 20.0, None),
        noise_radps=table.number("noise_radps", 0.0, 10.0, 0.0),
        seed=table.integer("seed", 0, 2**31, index),
    )


def _read_push(table: Table) -> Push:
    table.only("force_n", "direction_deg", "start_s", "duration_s")
    return Push(
        force_n=table.number("force_n", -1e5, 1e5),
        direction_deg=table.number("direction_deg", -720.0, 720.0, 0.0),
        start_s=table.number("start_s", 0.0, MAX_SECONDS),
        duration_s=table.number("duration_s", 0.0, MAX_SECONDS, 0.1),
    )
