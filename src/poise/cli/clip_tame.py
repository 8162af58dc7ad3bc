"""`poise clip tame`: find gains that track a recorded motion for a long time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from poise.cli.clip_options import READ, ReadOptions
from poise.cli.clip_tame_folder import tame_folder
from poise.cli.groups import with_groups
from poise.cli.options import ResumeOption, SeedOption, WorkersOption, parse_workers
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.screen import make_console, make_facts, note, note_if_cold
from poise.cli.searching import FollowStage, end_if_interrupted, show_stages
from poise.cli.trusting import AllowOutsideOption
from poise.cli.values import parse_number, parse_seed, parse_whole
from poise.errors import InputError
from poise.trust import ALLOW_OUTSIDE, Trust, current_trust, reading, trusting

if TYPE_CHECKING:
    from poise.cli.table import Table
    from poise.search.tame import News, Tamed
    from poise.search.tame_file import Order
    from poise.search.tame_plan import Plan

MAX_EVALUATIONS, MAX_SEEDS, MAX_CYCLES, MAX_BUDGET_S = 1_000_000, 100, 10_000, 1e8
#: Time step of the search, as an option: 30 ticks per frame.
TIMESTEP_S: Final = "0.0011111"
#: Exit code if no start stays on its feet.
FAILED: Final = 1

Option = typer.Option
Text = str | None


@dataclass(frozen=True)
class PlanOptions:
    """The options that describe the search, as typed."""

    evaluations: Annotated[
        Text, Option(metavar="N", help="Number of candidates; by default, as long as the cost falls")
    ] = None
    seeds: Annotated[str, Option(metavar="N", help="Starts of each candidate")] = "3"
    seed: SeedOption = "0"
    seconds: Annotated[str, Option(metavar="S", help="Length of a run of a cycle (s)")] = "16"
    push: Annotated[str, Option(metavar="N", help="Force of the small pushes (N); 0 is none")] = "30"

    budget: Annotated[
        str,
        Option(metavar="S", help="Simulated time (s) after which no further round begins; a core does 60 s in 1 s"),
    ] = "30000"
    no_retouch: Annotated[
        bool, Option("--no-retouch", help="Search gains only, even if the walk falls or its speed is off")
    ] = False

    def make_plan(self) -> Plan:
        """The plan of the search."""
        from poise.search.tame_plan import Plan, check_plan

        number = self.evaluations
        plan = Plan(
            evaluations=None if number is None else parse_whole("--evaluations", number, 1, MAX_EVALUATIONS),
            seeds=parse_whole("--seeds", self.seeds, 1, MAX_SEEDS),
            seed=parse_seed(self.seed),
            seconds=parse_number("--seconds", self.seconds, 2.0, 1000.0, "s"),
            push_n=parse_number("--push", self.push, 0.0, 1000.0, "N"),
            retouch=not self.no_retouch,
            budget_s=parse_number("--budget", self.budget, 0.0, MAX_BUDGET_S, "s"),
        )
        check_plan(plan)
        return plan


#: Default of the command's parameter that `with_groups` replaces by the options.
PLAN: Final = PlanOptions()


@with_groups
def tame(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE|DIR", help="A motion file, or a folder; `poise clip info` describes both")
    ],
    character: Annotated[str, Option(metavar="C", help="A free body, best with ball joints only")] = "lee13",
    once: Annotated[bool, Option("--once", help="Track the whole motion once instead of repeating a cycle")] = False,
    cycle: Annotated[Text, Option(metavar="K", help="The cycle to repeat; the one that closes best by default")] = None,
    read: ReadOptions = READ,
    plan_options: PlanOptions = PLAN,
    friction: Annotated[str, Option(metavar="MU", help="Friction of the ground; turns need 2 or 3")] = "1",
    start: Annotated[
        Text,
        Option(
            metavar="F.toml",
            help="Start from the gains of this tracker; NAME:start for those its search started from",
        ),
    ] = None,
    workers: WorkersOption = None,
    resume: ResumeOption = False,
    out: Annotated[
        Text,
        Option(
            metavar="F.toml|DIR",
            callback=check_folder,
            help="The controller to write, FILE.toml by default; a folder for a folder",
        ),
    ] = None,
    make_folders: MakeFoldersOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Search for gains with which the tracker follows a motion file, and write the controller

    The search begins with the best of the gains that Poise ships. The cost of a candidate counts falls, joint errors,
    and errors of speed, distance and heading. A lead-in in which it falls is dropped. If a walk still falls or has
    another speed, its cycle is retouched. The exit code is 1 if no start stays on its feet.

    For a folder, a table of its files comes first; then every walk is tamed, except those with a controller already.

    Ctrl-C ends the search and writes the best so far; --resume continues it.
    """
    if once and cycle is not None:
        raise InputError("--cycle: has no effect with --once. Leave out one of them.")
    friction_number = parse_number("--friction", friction, 0.0, 100.0)
    cycle_number = None if cycle is None else parse_whole("--cycle", cycle, 0, MAX_CYCLES)
    first = None if start is None else Path(start)
    plan, reading_options, threads = plan_options.make_plan(), read.settings(), parse_workers(workers)

    def tame_one(path: Path, target: Path, resumes: bool) -> bool:
        from poise.search.tame_file import Order

        order = Order(path, character, target, once, cycle_number, friction_number, first, reading_options)
        return _tame_file(context, order, plan, threads, resumes)

    if Path(file).is_dir():
        up = tame_folder(file, Path(out or "."), character, reading_options, once, resume, tame_one)
    else:
        from poise.motion.shipped import find_clip

        up = tame_one(find_clip(file), _find_out(file, out), resume)
    if not up:
        raise typer.Exit(FAILED)


def _tame_file(context: typer.Context, order: Order, plan: Plan, workers: int | None, resume: bool) -> bool:
    """Tame one file and print the result; False if no start stays on its feet."""
    from poise.search.session import open_session
    from poise.search.tame import tame as search
    from poise.search.tame_file import StartMotion, read_start, read_start_motion, save_tamed
    from poise.search.tame_report import advise, explain_failure
    from poise.search.tame_starts import load_shipped_gains
    from poise.search.tame_trial import make_subject
    from poise.world.adopt import load_any_character

    body = load_any_character(order.character)
    starts = load_shipped_gains() if order.start is None else {str(order.start): read_start(order.start)}
    kept = StartMotion() if order.start is None else read_start_motion(order.start, order.clip)
    subject = make_subject(
        order.clip,
        body,
        once=order.once,
        cycle=order.cycle,
        lead_in=kept.lead_in,
        friction=order.friction,
        retouch=kept.retouch,
        read=order.read,
    )
    note_if_cold()
    with open_session(order.out, "tame", order.notes(plan), resume=resume, say=note) as session:
        if not resume:
            order.check_free()
        with show_stages() as show:
            follow = partial(_follow, show)
            tamed = search(subject, plan, starts=starts, session=session, workers=workers, follow=follow)
        save_tamed(order, plan, tamed)
    make_console().print(_describe(order, plan, tamed))
    end_if_interrupted(context, tamed.interrupted)
    if tamed.closing is None or tamed.closing.up:
        return True
    note(f"error: {order.out}: {explain_failure(tamed)}. {advise(tamed, order.friction)}.")
    return False


def _follow(show: FollowStage, news: News) -> None:
    text = "" if news.generations is None else f"generation {news.generations}: best cost {news.best_cost:.5g}"
    show(news.stage, news.part, text)


def _find_out(file: str, out: str | None) -> Path:
    path = Path(Path(file).stem + ".toml") if out is None else Path(out)
    if path.suffix != ".toml":
        raise InputError("a controller is written to a .toml file", where="--out", got=str(path))
    return path


def _describe(order: Order, plan: Plan, tamed: Tamed) -> Table:
    from poise.search.tame_file import FALLS, describe_closing, name_fault
    from poise.search.tame_report import advise, describe_motion

    rounds = f", {tamed.rounds} {'round' if tamed.rounds == 1 else 'rounds'} of retouching" if tamed.rounds else ""
    facts: list[tuple[str, object]] = [
        ("begun with", tamed.begun_with),
        ("searched", f"{tamed.evaluations} candidates{rounds} in {timedelta(seconds=round(tamed.seconds))}"),
        ("motion", describe_motion(tamed.subject)),
    ]
    if tamed.closing is not None:
        found = describe_closing(tamed.subject, plan, tamed.closing)
        how = f"{found['seconds']:g} s" if "seconds" in found else "to the end, and standing there"
        facts += [
            ("on its feet", f"{found['up']} of {found['starts']} starts, {how}"),
            (
                "speed",
                f"{found['speed_mps']:.2f} m/s, recorded {found['recorded_mps']:.2f}" if "speed_mps" in found else "",
            ),
            ("joints off by", f"{found['joint_error_rad']:.2f} rad"),
        ]
        if fault := name_fault(found):
            how = (
                advise(tamed, order.friction)
                if fault == FALLS
                else f"poise clip retouch {order.out} adjusts the motion"
            )
            facts.append(("next", f"{fault}: {how}"))
    return make_facts(f"cost {tamed.cost:.3g}", [*facts, ("wrote", order.out), ("run it", _name_run(order))])


def _name_run(order: Order) -> str:
    """The command that runs the result; its clip may lie outside its folder."""
    with trusting(Trust()), reading(order.out):
        inside = current_trust().can_read(order.clip)
    return f"poise run {order.out} --timestep {TIMESTEP_S}" + ("" if inside else f" {ALLOW_OUTSIDE}")
