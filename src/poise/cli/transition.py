"""`poise transition`: a way from one skill into another, learned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli.options import (
    GenerationsOption,
    JsonOption,
    PopulationOption,
    ResumeOption,
    SeedOption,
    WorkersOption,
    parse_workers,
)
from poise.cli.screen import (
    keep_stdout_for_json,
    make_console,
    make_facts,
    make_table,
    note,
    note_if_cold,
    show_progress,
    write_json,
)
from poise.cli.searching import end_if_interrupted
from poise.cli.trusting import AllowOutsideOption
from poise.cli.values import parse_assignments, parse_number, parse_numbers, parse_seed, parse_whole
from poise.errors import InputError, unknown_name

if TYPE_CHECKING:
    from rich.table import Table

    from poise.skills.compare import Comparison
    from poise.skills.learn import Plan
    from poise.skills.starts import Leaving
    from poise.world.controller import Start

Option = typer.Option
MOST_PHASES, MOST_GENERATIONS, MOST_STARTS, MOST_TRIES = 64, 100_000, 100, 1000
#: The part of the whole that the search takes, the rest being the comparison.
SEARCH_PART = 0.75
#: Where nobody would see a bar, a line comes every so many generations.
LINE_EVERY = 20

SkillArgument = Annotated[str, typer.Argument(metavar="A", help="The skill to leave: a name such as walk, or a file.")]
TargetArgument = Annotated[str, typer.Argument(metavar="B", help="The skill to come to.")]


def transition(
    context: typer.Context,
    source: SkillArgument,
    target: TargetArgument,
    phases: Annotated[str, Option(metavar="N", help="Phases of A whose numbers are searched.")] = "4",
    via: Annotated[str | None, Option(metavar="C", help="Take the phases from another skill than A.")] = None,
    algorithm: Annotated[str, Option(metavar="A", help="one-plus-one or cma-es.")] = "one-plus-one",
    generations: GenerationsOption = "200",
    population: PopulationOption = "8",
    starts: Annotated[str, Option(metavar="N", help="Starts from which each candidate is tried.")] = "4",
    spread: Annotated[str, Option(metavar="X", help="Scales the first steps of the search.")] = "1",
    weight: Annotated[
        list[str] | None, Option(metavar="TERM=X", help="A weight: com, trunk, joints, time, energy, fallen, knocked.")
    ] = None,
    goal: Annotated[str | None, Option(metavar="FROM:TO", help="Seconds of B's own run that are the goal.")] = None,
    at_phase: Annotated[str, Option("--at-phase", metavar="N", help="Begin B with this phase.")] = "0",
    leave: Annotated[
        str | None, Option(metavar="N", help="Leave A when it comes to this phase; its next phases are searched.")
    ] = None,
    after: Annotated[str, Option(metavar="S", help="With --leave: earliest time to leave.")] = "0",
    pose: Annotated[str | None, Option(metavar="POSE", help="In which A's own run begins: handstand, …")] = None,
    noise: Annotated[str, Option(metavar="X", help="Times the usual noise of the starts.")] = "1",
    failing: Annotated[
        bool, Option("--failing", help="Disturbed starts: only those from which switching at once fails.")
    ] = False,
    tries: Annotated[str, Option(metavar="N", help="Disturbed starts from which both ways are compared.")] = "20",
    naive: Annotated[bool, Option("--naive", help="Search nothing: try what switching at once does.")] = False,
    seed: SeedOption = "1",
    output: Annotated[
        str | None, Option(metavar="F.ctl", help="The script to write; out/transitions/A-to-B.ctl by default.")
    ] = None,
    export: Annotated[
        list[str] | None, Option(metavar="F", help="A run of A, the transition and B: .png .npz .mp4 …")
    ] = None,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    json: JsonOption = None,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Learn how to go from one skill into another, and compare it with switching at once.

    The result is a script that begins where A is left and ends in B. Ctrl-C ends the search with the best until then,
    and --resume continues, also after it was killed.
    """
    threads, compared = parse_workers(workers), parse_whole("--tries", tries, 1, MOST_TRIES)
    with keep_stdout_for_json(json):
        plan = _make_plan(context.params)
        if output is not None and not output.endswith(".ctl"):
            raise InputError("the name must end in .ctl", where="--output", got=output)
        if naive and resume:
            raise InputError("--resume: nothing is searched with --naive. Leave out one of them.")
        from poise.skills.make import make_transition
        from poise.skills.show import check_exports, export_transition

        check_exports(export or ())
        note_if_cold()
        with _show_search(0.0 if naive else SEARCH_PART) as (follow, bar):
            made = make_transition(
                source,
                target,
                plan,
                search=not naive,
                via=via,
                start=_find_start(pose),
                tries=compared,
                output=output,
                resume=resume,
                workers=threads,
                progress=follow,
                compare_progress=bar,
                say=note,
            )
        if json != "-":
            _print(made.summarize(), made.comparison)
        for path in export or ():
            export_transition(made, path)
            typer.echo(f"wrote {path}")
    if json is not None:
        write_json(json, made.summarize())
    end_if_interrupted(context, made.found is not None and made.found.interrupted)


def _make_plan(given: Mapping[str, Any]) -> Plan:
    """The plan of the command's parameters."""
    from poise.skills.goal import Weights
    from poise.skills.learn import Plan

    terms = parse_assignments("--weight", given["weight"] or ())
    for name in terms:
        if name not in Weights.__dataclass_fields__:
            raise unknown_name("--weight", "term", name, list(Weights.__dataclass_fields__))
    return Plan(
        phases=parse_whole("--phases", given["phases"], 1, MOST_PHASES),
        algorithm=given["algorithm"],
        generations=parse_whole("--generations", given["generations"], 1, MOST_GENERATIONS),
        population=parse_whole("--population", given["population"], 4, 1000),
        seed=parse_seed(given["seed"]),
        starts=parse_whole("--starts", given["starts"], 1, MOST_STARTS),
        spread=parse_number("--spread", given["spread"], 0.001, 10.0),
        weights=Weights(**terms),
        goal=None if given["goal"] is None else _parse_part(given["goal"]),
        at_phase=parse_whole("--at-phase", given["at_phase"], 0, 1000),
        leaving=_make_leaving(given),
    )


def _make_leaving(given: Mapping[str, Any]) -> Leaving:
    from poise.skills.starts import Leaving

    return Leaving(
        None if given["leave"] is None else parse_whole("--leave", given["leave"], 0, 1000),
        parse_number("--after", given["after"], 0.0, 30.0),
        given["pose"] or "",
        parse_number("--noise", given["noise"], 0.0, 20.0),
        given["failing"],
    )


def _find_start(pose: str | None) -> Start | None:
    """The start of a pose as `poise reproduce firmin/skills` begins in it."""
    if pose is None:
        return None
    from poise.skills.poses import POSES, Change, change_start
    from poise.skills.skill import load_skill

    if pose not in POSES:
        raise unknown_name("--pose", "pose", pose, list(POSES))
    return change_start(load_skill("stand").character, pose, Change(0.0, 0.0), 0)


def _parse_part(text: str) -> tuple[float, float]:
    numbers = parse_numbers("--goal", text.replace(":", ","))
    if len(numbers) != 2 or not 0.0 <= numbers[0] < numbers[1] <= 60.0:
        allowed = "Write FROM:TO in seconds, such as 0:3"
        raise InputError("two times are needed", where="--goal", got=text, allowed=allowed)
    return numbers[0], numbers[1]


@contextmanager
def _show_search(part: float) -> Iterator[tuple[Callable[[int, int, float], None], Callable[[float], None] | None]]:
    """What to do after a generation and while comparing: move a bar, or write a line now and then.

    The search takes that part of the bar.
    """
    with show_progress("learning") as bar:

        def follow(generation: int, total: int, best_cost: float) -> None:
            if bar is not None:
                bar(part * generation / total)
            elif generation % LINE_EVERY == 0 or generation == total:
                note(f"generation {generation} of {total}: best cost {best_cost:.5g}")

        yield follow, None if bar is None else lambda done: bar(part + (1.0 - part) * done)


def _print(summary: dict[str, Any], comparison: Comparison) -> None:
    console = make_console()
    found = summary["found"]
    facts: list[tuple[str, object]] = []
    if found is not None:
        searched = f"{found['generations']} generations, {found['evaluations']} candidates"
        facts = [
            ("searched", f"{searched}, {found['unknowns']} unknowns, {found['seconds']:.0f} s"),
            ("cost", f"{found['cost']:.5g}, at first {found['first_cost']:.5g}"),
            ("script", summary["script"]),
        ]
    facts.append(("speed", f"{comparison.source_speed_mps:.2f} to {comparison.target_speed_mps:.2f} m/s"))
    console.print(make_facts(f"{summary['source']} to {summary['target']}", facts))
    console.print(_make_table(comparison))


def _make_table(comparison: Comparison) -> Table:
    columns = ("way", "arrived", "dip m/s", "roughness rad/s²", "seconds")
    rows = []
    for name, outcome in (("naive", comparison.naive), ("learned", comparison.learned)):
        if outcome is not None:
            figures = (outcome.dip_mps, outcome.roughness_radps2, outcome.seconds)
            shown = ["–" if f is None else f"{f:.2f}" for f in figures]
            rows.append((name, f"{outcome.arrived} of {outcome.starts}", *shown))
    return make_table(columns, rows, right=columns[1:])
