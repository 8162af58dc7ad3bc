"""`poise clip retouch`: search for small changes that let the body complete a tamed motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poise.cli.options import ResumeOption, SeedOption, WorkersOption, parse_workers
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.screen import make_console, make_facts, note, note_if_cold
from poise.cli.searching import end_if_interrupted
from poise.cli.trusting import AllowOutsideOption
from poise.cli.values import parse_number, parse_seed, parse_whole
from poise.errors import InputError

if TYPE_CHECKING:
    from poise.cli.table import Table
    from poise.search.retouch import Retouched
    from poise.search.retouch_file import Order, Tracker
    from poise.search.retouch_windows import News, Plan

MAX_GENERATIONS, MAX_STARTS, MAX_FRAGMENTS = 100_000, 1000, 100_000
MIN_SPREAD, MAX_SPREAD = 0.01, 3.0

Option = typer.Option
Text = str | None


def retouch(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="F.toml", help="A tracker, as `poise clip tame` writes it")],
    generations: Annotated[str, Option(metavar="N", help="Generations of 14 candidates for every fragment")] = "30",
    starts: Annotated[str, Option(metavar="N", help="Starts from which fragments are reached")] = "32",
    draw: Annotated[str, Option(metavar="N", help="How many of these starts each generation uses")] = "8",
    spread: Annotated[str, Option(metavar="X", help="Width of the search; below 1 to refine a result")] = "1",
    first: Annotated[str, Option(metavar="K", help="First fragment to change; see `poise clip info`")] = "0",
    last: Annotated[Text, Option(metavar="K", help="Last fragment to change; the motion's last by default")] = None,
    seed: SeedOption = "0",
    workers: WorkersOption = None,
    resume: ResumeOption = False,
    out: Annotated[
        Text, Option(metavar="F.toml", callback=check_folder, help="File to write; the input file by default")
    ] = None,
    make_folders: MakeFoldersOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Search for small changes of a motion's fragments that let the tracker complete them

    For turns, spins and other motions that fail with any gains: a pelvis that leans slightly more, a foot placed
    slightly farther out. The search starts from the changes already in the file and writes it after every fragment.

    Ctrl-C ends the search, and --resume continues it, even after it was killed.
    """
    from poise.search.retouch import retouch as search
    from poise.search.retouch_file import Order, describe_search, load_tracker, save_found, save_rows
    from poise.search.retouch_windows import Plan
    from poise.search.session import open_session

    source = Path(file)
    if source.suffix != ".toml":
        raise InputError("a tracker is a .toml file", where="poise clip retouch", got=file)
    order = Order(source, source if out is None else Path(out))
    if order.out.suffix != ".toml":
        raise InputError("a controller is written to a .toml file", where="--out", got=str(order.out))
    plan = Plan(
        generations=parse_whole("--generations", generations, 1, MAX_GENERATIONS),
        starts=parse_whole("--starts", starts, 1, MAX_STARTS),
        draw=parse_whole("--draw", draw, 1, MAX_STARTS),
        spread=parse_number("--spread", spread, MIN_SPREAD, MAX_SPREAD),
        first=parse_whole("--first", first, 0, MAX_FRAGMENTS),
        last=None if last is None else parse_whole("--last", last, 0, MAX_FRAGMENTS),
        seed=parse_seed(seed),
    )
    threads = parse_workers(workers)
    note_if_cold()
    with open_session(order.out, "retouch", order.notes(plan), resume=resume, say=note) as session:
        if not resume:
            order.check_free()
        tracker = load_tracker(source, session)

        def follow(news: News) -> None:
            note(_describe_news(news))
            save_rows(order, tracker, news.rows, describe_search(order, plan, tracker, until=news.fragment))

        found = search(tracker.subject, tracker.gains, plan, session=session, workers=threads, follow=follow)
        end_if_interrupted(context, found.interrupted)
        save_found(order, plan, tracker, found)
        session.finish()
    make_console().print(_describe(order, plan, tracker, found))


def _describe_news(news: News) -> str:
    window = "" if news.searched is None else "; over the next ones {:.2f}, before {:.2f}".format(*news.searched[::-1])
    return (
        f"fragment {news.fragment} of 0 to {news.fragments - 1}: {news.through} of {news.states} complete it, "
        f"cost {news.cost:.2f}, at most {news.worst:.2f}{window}"
    )


def _describe(order: Order, plan: Plan, tracker: Tracker, found: Retouched) -> Table:
    assert found.before is not None and found.closing is not None
    before, after = found.before, found.closing
    beside = f"the original: nothing better was found. The result is in {order.beside}"
    gained = [] if found.is_better else [("kept", beside)]
    return make_facts(
        f"cost {after.cost:.3g}, before {before.cost:.3g}",
        [
            ("on its feet", f"{after.up} of {len(after.trials)} starts, before {before.up}"),
            *gained,
            ("wrote", order.out),
            ("run it", f"poise run {order.out}"),
        ],
    )
