"""`poise tune`: the searches behind the values of shipped controllers, to repeat or to vary them."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli import tune_skill
from poise.cli.group import HouseApp
from poise.cli.options import (
    GenerationsOption,
    PopulationOption,
    ResumeOption,
    SeedOption,
    WorkersOption,
    parse_workers,
)
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.screen import make_console, make_facts, note, note_if_cold
from poise.cli.searching import end_if_interrupted, show_search, spell_command
from poise.cli.values import parse_number, parse_numbers, parse_seed, parse_value, parse_whole, split_assignments
from poise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from poise.search.tuning.run import Order, Tuned

app = HouseApp(help="Run the searches behind the values of shipped controllers")

Option, Argument = typer.Option, typer.Argument
MOST_GENERATIONS, MOST_CANDIDATES, MOST_TRIALS = 100_000, 10_000, 100_000
#: Options that do not change the result.
APART = ("resume", "workers", "make_folders")

OutArgument = Annotated[str, Argument(metavar="OUT.toml", callback=check_folder, help="The file to write")]
SigmaOption = Annotated[str, Option(metavar="X", help="Initial spread of the candidates")]
VaryOption = Annotated[list[str] | None, Option(metavar="NAME", help="Parameters to vary; all by default")]


@app.callback()
def start() -> None:
    """Run the searches behind the values of shipped controllers; provenance tables hold their commands.

    Ctrl-C ends a search with the best so far, and --resume continues it, even after it was killed.
    """


@contextmanager
def _ordering(
    context: typer.Context, out: str, objective: str, seed: str, resume: bool, notes: dict[str, Any]
) -> Iterator[Order]:
    from poise.search.tuning.run import Order

    note_if_cold()
    command = spell_command(context, APART)
    with show_search("tuning") as follow:
        yield Order(command, Path(out), objective, parse_seed(seed), notes, resume, note, follow)


def _deliver(context: typer.Context, tuned: Tuned, order: Order) -> None:
    facts = [("searched", f"{tuned.evaluations} candidates"), ("wrote", order.out)]
    make_console().print(make_facts(f"cost {tuned.cost:.5g}", facts))
    end_if_interrupted(context, tuned.interrupted)


def _parse_range(option: str, name: str, text: str) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    if not colon:
        raise InputError("two bounds are needed", where=f"{option} {name}", got=text, allowed="Write NAME=LOW:HIGH")
    return parse_number(f"{option} {name}", low), parse_number(f"{option} {name}", high)


def _parse_population(text: str) -> int:
    return parse_whole("--population", text, 4, MOST_CANDIDATES)


def _parse_generations(text: str) -> int:
    return parse_whole("--generations", text, 0, MOST_GENERATIONS)


@app.command("walker")
def walker(
    context: typer.Context,
    out: OutArgument,
    start: Annotated[str, Option(metavar="F", help="The walker to start from")] = "walker/walk",
    generations: GenerationsOption = "60",
    population: PopulationOption = "12",
    sigma: SigmaOption = "0.3",
    force: Annotated[str, Option(metavar="N", help="Force of the pushes (N)")] = "600",
    pushes: Annotated[str, Option(metavar="N", help="Sets of 16 pushes per candidate")] = "3",
    vary: VaryOption = None,
    seed: SeedOption = "1",
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Search for the walker's parameters over speeds, turns, slopes, bodies, pushes and shoves"""
    from poise.controllers.catalog import find_controller
    from poise.search.tuning.walker import OBJECTIVE, Plan, tune_walker

    chosen = {} if vary is None else {"vary": tuple(vary)}
    plan = Plan(
        generations=_parse_generations(generations),
        population=_parse_population(population),
        sigma=parse_number("--sigma", sigma, 1e-6, 100.0),
        force_n=parse_number("--force", force, 0.0, 1e5, "N"),
        pushes=parse_whole("--pushes", pushes, 0, 100),
        seed=parse_seed(seed),
        **chosen,
    )
    threads, begin = parse_workers(workers), find_controller(start)
    with _ordering(context, out, OBJECTIVE, seed, resume, _make_notes(plan, begin)) as order:
        tuned = tune_walker(order, plan, begin, workers=threads)
    _deliver(context, tuned, order)


@app.command("steering")
def steering(
    context: typer.Context,
    out: OutArgument,
    start: Annotated[str, Option(metavar="F", help="The steered tracker to start from")] = "tracker/steer",
    generations: GenerationsOption = "18",
    seed: SeedOption = "3",
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Search for the steered tracker's gains over random tours"""
    from poise.controllers.catalog import find_controller
    from poise.search.tuning.steering import OBJECTIVE, Plan, tune_steering

    plan = Plan(_parse_generations(generations), parse_seed(seed))
    threads, begin = parse_workers(workers), find_controller(start)
    with _ordering(context, out, OBJECTIVE, seed, resume, _make_notes(plan, begin)) as order:
        tuned = tune_steering(order, plan, begin, workers=threads)
    _deliver(context, tuned, order)


@app.command("graph")
def graph(
    context: typer.Context,
    table: Annotated[str, Argument(metavar="GRAPH", help="A controller of the method limit-cycle, or its file")],
    out: OutArgument,
    vary: Annotated[list[str], Option(metavar="PATH=LOW:HIGH", help="A number of the table to vary, and its bounds")],
    set_: Annotated[
        list[str] | None, Option("--set", metavar="PATH=VALUE", help="A number of the table to change first")
    ] = None,
    ground: Annotated[
        str | None, Option(metavar="K,D", help="Penalty ground: stiffness (N/m) and damping (N s/m)")
    ] = None,
    slip: Annotated[str, Option(metavar="NAME", help="Slip model of that ground: text, cone or fade")] = "text",
    timestep: Annotated[str, Option(metavar="S", help="Time step of the physics")] = "0.0005",
    steps: Annotated[str, Option(metavar="N", help="Steps per run")] = "60",
    seconds: Annotated[str, Option(metavar="S", help="Maximum duration of a run")] = "60",
    air: Annotated[str, Option(metavar="X", help="Weight of the fraction of time in the air")] = "0",
    generations: GenerationsOption = "20",
    population: PopulationOption = "12",
    sigma: SigmaOption = "0.25",
    seed: SeedOption = "1",
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Search for numbers of a pose graph that give the most steps, then the highest speed"""
    from poise.controllers.catalog import find_controller
    from poise.search.tuning.graph import OBJECTIVE, Plan, tune_graph

    ranges = {name: _parse_range("--vary", name, text) for name, text in split_assignments("--vary", vary).items()}
    values = split_assignments("--set", set_ or ())
    plan = Plan(
        vary=ranges,
        set={name: parse_value(f"--set {name}", text) for name, text in values.items()},
        ground=None if ground is None else _parse_ground(ground),
        slip=slip,
        timestep_s=parse_number("--timestep", timestep, 1e-5, 0.005, "s"),
        steps=parse_whole("--steps", steps, 1, 100_000),
        seconds=parse_number("--seconds", seconds, 0.1, 1e5, "s"),
        air=parse_number("--air", air, 0.0, 1e3),
        generations=_parse_generations(generations),
        population=_parse_population(population),
        sigma=parse_number("--sigma", sigma, 1e-6, 1.0),
        seed=parse_seed(seed),
    )
    threads, begin = parse_workers(workers), find_controller(table)
    with _ordering(context, out, OBJECTIVE, seed, resume, _make_notes(plan, begin)) as order:
        tuned = tune_graph(order, plan, begin, workers=threads)
    _deliver(context, tuned, order)


def _parse_ground(text: str) -> tuple[float, float]:
    numbers = parse_numbers("--ground", text)
    if len(numbers) != 2:
        allowed = "Write K,D, such as 25000,1500"
        raise InputError("stiffness and damping are needed", where="--ground", got=text, allowed=allowed)
    return numbers[0], numbers[1]


@app.command("gait")
def gait(
    context: typer.Context,
    name: Annotated[str, Argument(metavar="GAIT", help="walk, hop or skip")],
    out: OutArgument,
    check: Annotated[bool, Option("--check", help="Only run the table OUT.toml with each time step")] = False,
    like: Annotated[str | None, Option(metavar="F", help="A table of the same gait to start from")] = None,
    walk: Annotated[str | None, Option(metavar="F", help="A walk from which to grow a skip")] = None,
    body: Annotated[str, Option(metavar="C", help="The character")] = "laszlo_human12",
    steps: Annotated[str, Option(metavar="N", help="Steps of the longest trials")] = "60",
    timesteps: Annotated[list[str] | None, Option(metavar="S", help="Time steps of the longest trials")] = None,
    quick_timestep: Annotated[str, Option(metavar="S", help="Time step of all shorter trials")] = "0.001",
    samples: Annotated[str, Option(metavar="N", help="Random points before CMA-ES")] = "200",
    spread: Annotated[str, Option(metavar="X", help="Their spread, as a fraction of the bounds' range")] = "0.15",
    longer_at: Annotated[str, Option(metavar="X", help="Value of a step at which trials get longer")] = "0.65",
    generations: GenerationsOption = "60",
    population: PopulationOption = "16",
    sigma: SigmaOption = "0.05",
    seed: SeedOption = "1",
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Find the pose graph of a gait from its states, sensors and symmetry alone"""
    from poise.controllers.catalog import find_controller
    from poise.search.tuning.gait import OBJECTIVE, Plan, tune_gait

    given = {"timesteps_s": tuple(parse_number("--timesteps", t, 1e-5, 0.005, "s") for t in timesteps or ())}
    plan = Plan(
        gait=name,
        body=body,
        steps=parse_whole("--steps", steps, 1, 100_000),
        quick_timestep_s=parse_number("--quick-timestep", quick_timestep, 1e-5, 0.005, "s"),
        samples=parse_whole("--samples", samples, 0, 1_000_000),
        spread=parse_number("--spread", spread, 0.0, 10.0),
        longer_at=parse_number("--longer-at", longer_at, 0.0, 1.0),
        generations=_parse_generations(generations),
        population=_parse_population(population),
        sigma=parse_number("--sigma", sigma, 1e-6, 1.0),
        seed=parse_seed(seed),
        **(given if timesteps else {}),
    )
    if check:
        _check_gait(plan, out)
        return
    threads = parse_workers(workers)
    begins = {key: find_controller(file) for key, file in {"like": like, "walk": walk}.items() if file is not None}
    with _ordering(context, out, OBJECTIVE, seed, resume, _make_notes(plan, *begins.values())) as order:
        tuned = tune_gait(order, plan, workers=threads, **begins)
    _deliver(context, tuned, order)


def _check_gait(plan: Any, path: str) -> None:
    from poise.controllers.catalog import find_controller
    from poise.search.tuning.gait import check_gait

    for timestep_s, trial in check_gait(plan, find_controller(path)):
        typer.echo(f"{timestep_s:g} s: {trial.describe()} of {plan.steps} steps")


def _make_notes(plan: Any, *begins: Path) -> dict[str, Any]:
    """The settings that must be the same when a search is resumed."""
    from dataclasses import asdict

    from poise.files import digest, load_bytes

    return {**asdict(plan), "begins": [digest(load_bytes(path)) for path in begins]}


@app.command("models")
def models(
    controller: Annotated[str, Argument(metavar="NAME|FILE", help="A balanced walk of the method limit-cycle")],
    out: Annotated[str, Argument(metavar="OUT.npz", callback=check_folder, help="The file to write")],
    walks: Annotated[str, Option(metavar="N", help="Walks per round")] = "12",
    steps: Annotated[str, Option(metavar="N", help="Steps per walk")] = "30",
    force: Annotated[str, Option(metavar="N", help="Force of the strongest push (N)")] = "20",
    rounds: Annotated[str, Option(metavar="N", help="Rounds that walk with the models found so far")] = "3",
    seed: SeedOption = "0",
    workers: WorkersOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Fill the store of models that a balanced walk uses"""
    from poise.search.tuning.models import Plan, tune_models

    plan = Plan(
        walks=parse_whole("--walks", walks, 1, 1000),
        steps=parse_whole("--steps", steps, 1, 10_000),
        force_n=parse_number("--force", force, 0.0, 1e4, "N"),
        rounds=parse_whole("--rounds", rounds, 0, 100),
        seed=parse_seed(seed),
    )
    note_if_cold()
    count = tune_models(controller, Path(out), plan, workers=parse_workers(workers), say=note)
    typer.echo(f"{count} models; wrote {out}")


app.command("stroll")(tune_skill.stroll)
app.command("skill")(tune_skill.skill)
