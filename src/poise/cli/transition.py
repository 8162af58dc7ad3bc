"""`poise transition`: learn a transition from one skill to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from poise.cli.groups import with_groups
from poise.cli.options import (
    GenerationsOption,
    JsonOption,
    PopulationOption,
    ResumeOption,
    SeedOption,
    WorkersOption,
    parse_workers,
)
from poise.cli.outputs import MakeFoldersOption, check_folder
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
    from poise.cli.table import Table
    from poise.skills.compare import Comparison
    from poise.skills.learn import Plan
    from poise.skills.starts import Leaving
    from poise.world.controller import Start

Option = typer.Option
MOST_PHASES, MOST_GENERATIONS, MOST_STARTS, MOST_TRIES = 64, 100_000, 100, 1000
#: Share of the progress bar for the search; the rest is for the comparison.
SEARCH_PART = 0.75
#: Generations between progress lines if there is no bar.
LINE_EVERY = 20

SkillArgument = Annotated[str, typer.Argument(metavar="A", help="The skill to leave: a name such as walk, or a file")]
TargetArgument = Annotated[str, typer.Argument(metavar="B", help="The skill to go to")]


@dataclass(frozen=True)
class PlanOptions:
    """The options that describe the search, as typed."""

    phases: Annotated[str, Option(metavar="N", help="Phases of A whose numbers are searched")] = "4"
    algorithm: Annotated[str, Option(metavar="A", help="one-plus-one or cma-es")] = "one-plus-one"
    generations: GenerationsOption = "200"
    population: PopulationOption = "8"
    starts: Annotated[str, Option(metavar="N", help="Starts of each candidate")] = "4"
    spread: Annotated[str, Option(metavar="X", help="Scale of the first steps of the search")] = "1"
    weight: Annotated[
        list[str] | None, Option(metavar="TERM=X", help="A weight: com, trunk, joints, time, energy, fallen, knocked")
    ] = None
    goal: Annotated[str | None, Option(metavar="FROM:TO", help="Part of B's run that is the goal (s)")] = None
    at_phase: Annotated[str, Option("--at-phase", metavar="N", help="Phase with which B starts")] = "0"
    leave: Annotated[
        str | None, Option(metavar="N", help="Leave A at this phase; the search varies the phases after it")
    ] = None
    after: Annotated[str, Option(metavar="S", help="With --leave: earliest time to leave (s)")] = "0"
    pose: Annotated[str | None, Option(metavar="POSE", help="Pose in which A starts: handstand, …")] = None
    noise: Annotated[str, Option(metavar="X", help="Factor on the noise of the starts")] = "1"
    failing: Annotated[bool, Option("--failing", help="Use only starts from which switching at once fails")] = False
    seed: SeedOption = "1"

    def make_plan(self) -> Plan:
        """The plan of the search."""
        from poise.skills.goal import Weights
        from poise.skills.learn import Plan

        terms = parse_assignments("--weight", self.weight or ())
        for name in terms:
            if name not in Weights.__dataclass_fields__:
                raise unknown_name("--weight", "term", name, list(Weights.__dataclass_fields__))
        return Plan(
            phases=parse_whole("--phases", self.phases, 1, MOST_PHASES),
            algorithm=self.algorithm,
            generations=parse_whole("--generations", self.generations, 1, MOST_GENERATIONS),
            population=parse_whole("--population", self.population, 4, 1000),
            seed=parse_seed(self.seed),
            starts=parse_whole("--starts", self.starts, 1, MOST_STARTS),
            spread=parse_number("--spread", self.spread, 0.001, 10.0),
            weights=Weights(**terms),
            goal=None if self.goal is None else _parse_part(self.goal),
            at_phase=parse_whole("--at-phase", self.at_phase, 0, 1000),
            leaving=self._make_leaving(),
        )

    def _make_leaving(self) -> Leaving:
        from poise.skills.starts import Leaving

        return Leaving(
            None if self.leave is None else parse_whole("--leave", self.leave, 0, 1000),
            parse_number("--after", self.after, 0.0, 30.0),
            self.pose or "",
            parse_number("--noise", self.noise, 0.0, 20.0),
            self.failing,
        )


#: Default of the command's parameter that `with_groups` replaces by the options.
PLAN: Final = PlanOptions()


@with_groups
def transition(
    context: typer.Context,
    source: SkillArgument,
    target: TargetArgument,
    via: Annotated[str | None, Option(metavar="C", help="Take the phases from this skill instead of A")] = None,
    plan_options: PlanOptions = PLAN,
    tries: Annotated[str, Option(metavar="N", help="Disturbed starts of the comparison")] = "20",
    naive: Annotated[bool, Option("--naive", help="No search: only try switching at once")] = False,
    output: Annotated[
        str | None,
        Option(
            metavar="F.ctl", callback=check_folder, help="The script to write; out/transitions/A-to-B.ctl by default"
        ),
    ] = None,
    export: Annotated[
        list[str] | None,
        Option(metavar="F", callback=check_folder, help="Export a run of A, the transition and B: .png .npz .mp4 …"),
    ] = None,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Learn a transition from one skill to another, and compare it with switching at once

    The result is a script that starts where A is left and ends in B. Ctrl-C ends the search with the best so far;
    --resume continues it, also after it was killed.
    """
    threads, compared = parse_workers(workers), parse_whole("--tries", tries, 1, MOST_TRIES)
    with keep_stdout_for_json(json):
        plan = plan_options.make_plan()
        if output is not None and not output.endswith(".ctl"):
            raise InputError("the name must end in .ctl", where="--output", got=output)
        if naive and resume:
            raise InputError("--resume: --naive has no search. Leave out one of them.")
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
                start=_find_start(plan_options.pose),
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


def _find_start(pose: str | None) -> Start | None:
    """The start in a pose, as in `poise reproduce firmin/skills`."""
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
    """Progress of the search and of the comparison: a bar, or lines without a terminal.

    The search takes `part` of the bar.
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
