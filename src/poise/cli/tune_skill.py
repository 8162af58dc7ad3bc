"""`poise tune skill` and `poise tune stroll`: search for the numbers of scripts and the settings of a walk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli.options import PopulationOption, ResumeOption, SeedOption, WorkersOption, parse_workers
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.screen import make_console, make_facts, make_table, note, note_if_cold
from poise.cli.searching import end_if_interrupted, spell_command
from poise.cli.values import MAX_SEED, parse_number, parse_numbers, parse_seed, parse_whole

if TYPE_CHECKING:
    from poise.reproduce.firmin.skill_plan import Plan

Option, Argument = typer.Option, typer.Argument
MOST_TRIALS = 100_000
#: Options that do not change the result.
APART = ("out", "resume", "workers", "make_folders")


def stroll(
    context: typer.Context,
    out: Annotated[str, Argument(metavar="OUT.json", callback=check_folder, help="The file to write")],
    seed: SeedOption = "3",
    trials: Annotated[str, Option(metavar="N", help="Number of settings to try")] = "60",
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Try random settings of limit-cycle/human-stroll at all its speeds"""
    from poise.reproduce.laszlo.stroll import tune_stroll

    note_if_cold()
    rows, interrupted = tune_stroll(
        Path(out), spell_command(context, APART), seed=parse_seed(seed),
        trials=parse_whole("--trials", trials, 1, MOST_TRIALS), resume=resume, workers=parse_workers(workers), say=note,
    )  # fmt: skip
    walking = [row for row in rows if row.falls_at is None]
    names = list(walking[0].values) if walking else []
    table = [(row.trial, *row.values.values(), row.settles_in, row.line) for row in walking]
    make_console().print(make_table(("trial", *names, "settles in", "line"), table, right=("trial", *names)))
    end_if_interrupted(context, interrupted, "The trials so far are written.")


def skill(
    context: typer.Context,
    script: Annotated[str, Argument(metavar="SCRIPT", help="A shipped skill, or the file of one")],
    cost: Annotated[list[str], Option(metavar="[WEIGHT*]TERM[:VALUE]", help="A term of the cost")],
    vary: Annotated[
        list[str] | None, Argument(metavar="NAME[=LOW:HIGH]", help="Numbers to vary; all by default")
    ] = None,
    pose: Annotated[str | None, Option(metavar="POSE", help="The initial pose")] = None,
    seconds: Annotated[str | None, Option(metavar="S", help="Duration of a trial")] = None,
    starts: Annotated[str, Option(metavar="N", help="Starts per candidate")] = "3",
    first_start: Annotated[str, Option(metavar="N", help="Seed of the first start")] = "1",
    change: Annotated[str | None, Option(metavar="RAD,RAD/S", help="Perturbation of the starts")] = None,
    place: Annotated[str, Option(metavar="X", help="Forward position of the starts (m)")] = "0",
    cases: Annotated[list[str] | None, Option(metavar="NAME=VALUE", help="A value to try all candidates with")] = None,
    terrains: Annotated[list[str] | None, Option(metavar="SPEC", help="A ground to try all candidates on")] = None,
    shake: Annotated[str, Option(metavar="X", help="Noise on the initial velocities (rad/s)")] = "0",
    from_phase: Annotated[str, Option(metavar="N", help="Phase in which trials begin")] = "0",
    fails: Annotated[str | None, Option(metavar="N", help="Phase that ends a trial")] = None,
    draws: Annotated[str, Option(metavar="N", help="Uniform draws before CMA-ES")] = "0",
    evaluations: Annotated[str, Option(metavar="N", help="Number of candidates to try")] = "300",
    population: PopulationOption = "10",
    sigma_part: Annotated[str, Option(metavar="X", help="Initial spread, as a fraction of the ranges")] = "0.15",
    timestep: Annotated[str, Option(metavar="S", help="Time step of the physics")] = "0.001",
    seed: SeedOption = "1",
    out: Annotated[
        str | None,
        Option(metavar="F.ctl", callback=check_folder, help="The script to write; out/tune/SCRIPT by default"),
    ] = None,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Search for the numbers of a controller script that minimize its cost from several starts"""
    from poise.reproduce.firmin.skill_search import tune_skill

    plan = _make_plan(context.params)
    path = Path("out") / "tune" / Path(script).with_suffix(".ctl").name if out is None else Path(out)
    note_if_cold()
    found = tune_skill(
        script, plan, path, spell_command(context, APART), resume=resume, workers=parse_workers(workers), say=note
    )
    facts: Sequence[tuple[str, object]] = [
        ("searched", f"{found.evaluations} candidates"),
        ("cost before", f"{found.first_cost:.4g}"),
        *found.values.items(),
        ("wrote", path),
    ]
    make_console().print(make_facts(f"cost {found.cost:.4g}", facts))
    end_if_interrupted(context, found.interrupted)


def _make_plan(given: Mapping[str, Any]) -> Plan:
    """The plan that the parameters of `poise tune skill` describe."""
    from poise.reproduce.firmin.skill_plan import make_plan

    def number(name: str, low: float, high: float, unit: str = "") -> float | None:
        text = given[name]
        return None if text is None else parse_number(f"--{name.replace('_', '-')}", text, low, high, unit)

    def whole(name: str, low: int, high: int) -> int | None:
        text = given[name]
        return None if text is None else parse_whole(f"--{name.replace('_', '-')}", text, low, high)

    return make_plan(
        given["script"],
        given["cost"],
        vary=tuple(given["vary"] or ()),
        pose=given["pose"],
        seconds=number("seconds", 0.1, 1000.0, "s"),
        starts=whole("starts", 1, 1000),
        first_start=whole("first_start", 0, MAX_SEED),
        change=None if given["change"] is None else _parse_change(given["change"]),
        place_m=number("place", -1000.0, 1000.0, "m"),
        cases=tuple(given["cases"] or ()),
        terrains=tuple(given["terrains"] or ("flat",)),
        shake_radps=number("shake", 0.0, 100.0, "rad/s"),
        from_phase=whole("from_phase", 0, 1000),
        fails=whole("fails", 0, 1000),
        draws=whole("draws", 0, 1_000_000),
        evaluations=whole("evaluations", 1, 1_000_000),
        population=whole("population", 4, 10_000),
        sigma_part=number("sigma_part", 1e-6, 1.0),
        timestep_s=number("timestep", 1e-5, 0.005, "s"),
        seed=whole("seed", 0, MAX_SEED),
    )


def _parse_change(text: str) -> tuple[float, float]:
    numbers = parse_numbers("--change", text)
    return (numbers[0], numbers[1]) if len(numbers) == 2 else (numbers[0], 0.0)
