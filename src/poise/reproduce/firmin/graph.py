"""The skill graph [Firmin15 §5.2, Figs. 4, 6]: a path through all of it, random tours, and the size of basins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from poise.batches.threads import heartbeat, run_trials
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.firmin.basins import ANGLES_RAD, TRIES, measure_basins
from poise.reproduce.firmin.graph_path import Guided
from poise.skills.basin import cross_validate
from poise.skills.explore import FALLEN_MARK
from poise.skills.graph import CORRECTIVE, KINDS, LEARNED, NAIVE, SkillGraph, load_graph
from poise.skills.wander import Tour, Wanderer

Progress = Callable[[float], None]
MINUTES, QUICK_MINUTES = 10.0, 0.5
SEEDS, QUICK_SEEDS = 10, 2
#: Skills required of each tour, and the number of tours that must reach them.
LEAST_SKILLS, LEAST_TOURS = 100, 9
LEAST_ACCURACY: Final = 0.85
#: Number of skills of the source's two random walks, each ended by a failure.
SOURCE_LENGTHS: Final = (25, 21)
#: Share of the trials' falls from which some skill must get up.
LEAST_SAVED: Final = 0.8
#: A path through all skills takes a few minutes; one that is not done by then never will be.
PATH_MINUTES, PATH_SEED = 15.0, 1
#: Minimum number of different skills on our path; the source's picture shows two sequences and their transitions.
LEAST_PATH: Final = 15


def wander(seed: int, minutes: float) -> Tour:
    """One random tour."""
    return Wanderer(load_graph(), seed).wander(60.0 * minutes, heartbeat)


def show_all(minutes: float) -> tuple[Tour, int, int]:
    """A tour of all skills, the number of skills shown, and the number that can be reached."""
    guided = Guided(load_graph(), PATH_SEED)
    guided.wander(60.0 * minutes, heartbeat)
    return guided.tour, len(guided.shown), len(guided.wanted)


def find_lengths(tour: Tour) -> list[int]:
    """Number of skills in a row between the start, each failure and the end."""
    lengths = [0]
    for visit in tour.visits:
        if visit.arrived:
            lengths[-1] += 1
        elif lengths[-1]:
            lengths.append(0)
    return [n for n in lengths if n]


def find_rescued(tour: Tour) -> tuple[int, int]:
    """Number of failures of a tour, each with all rescue attempts, and number of those that ended in a success.

    A failure that was still open when the time was up is not counted.
    """
    arrived = [v.arrived for v in tour.visits]
    ends = sum(not a and b for a, b in pairwise(arrived))
    return ends + int(tour.failed), ends


def find_saved(graph: SkillGraph) -> tuple[int, int]:
    """Number of moments after falls, and from how many of them some skill arrives."""
    falls = {key for key, _ in graph.outcomes if key.endswith(FALLEN_MARK)}
    saved = [np.max([o for (k, _), o in graph.outcomes.items() if k == key], axis=0) for key in sorted(falls)]
    return sum(len(rows) for rows in saved), int(sum(rows.sum() for rows in saved))


def ask_skills(minutes: float) -> float:
    """Number of skills that a tour must have; short tours at half the rate, since skills take up to half a minute."""
    return LEAST_SKILLS * minutes / MINUTES * (1.0 if minutes >= MINUTES else 0.5)


def _count(tour: Tour) -> str:
    kinds = Counter(v.by for v in tour.visits)
    return ", ".join(f"{kinds[kind]} {kind}" for kind in (NAIVE, LEARNED, CORRECTIVE) if kinds[kind])


def _path_row(path: tuple[Tour, int, int]) -> Row:
    tour, shown, wanted = path
    holds = not tour.failed and shown == wanted and wanted >= LEAST_PATH
    missed = "Not all skills were shown." if wanted >= LEAST_PATH else "Too few skills can be reached and left again."
    return make_row(
        "firmin-6-longseq",
        f"{shown} of {wanted} reachable skills, {tour.skills} in total, in one motion of {tour.seconds:.0f} s; "
        f"transitions: {_count(tour)}; {tour.falls} failures",
        holds,
        exceeded=holds and tour.skills > max(SOURCE_LENGTHS),
        note="" if holds else missed,
    )


def _random_rows(tours: Sequence[Tour], minutes: float) -> list[Row]:
    lengths = [n for tour in tours for n in find_lengths(tour)]
    falls, rescued = (sum(x) for x in zip(*map(find_rescued, tours), strict=True))
    failing = Counter(v.skill for t in tours for v in t.visits if not v.arrived and v.by != CORRECTIVE)
    where = ", ".join(f"{name} {count}" for name, count in failing.most_common(5)) or "none"
    first = [find_lengths(tour)[0] if tour.visits else 0 for tour in tours]
    long_enough = float(np.median(first)) >= min(SOURCE_LENGTHS[0], ask_skills(minutes))
    lying, saved = find_saved(load_graph())
    gets_up = rescued >= LEAST_TOURS / SEEDS * falls and saved >= LEAST_SAVED * lying
    return [
        make_row(
            "firmin-5-random1",
            f"{len(tours)} tours of {minutes:g} min: skills in a row {min(lengths)} to {max(lengths)}, median "
            f"{np.median(lengths):.0f}; before the first failure, if any, {', '.join(map(str, first))}; failing: "
            f"{where}",
            long_enough,
            exceeded=long_enough and not any(t.failed for t in tours),
            note="" if long_enough else "The first failure comes earlier than the source's.",
        ),
        make_row(
            "firmin-5-random2",
            f"{rescued} of {falls} failures were followed by getting up and continuing; {sum(t.failed for t in tours)} "
            f"of {len(tours)} tours ended in one; in trials, some skill gets up from {saved} of {lying} falls",
            gets_up,
            exceeded=gets_up and falls > 1,
            note="" if gets_up else "Too few failures are recovered from.",
        ),
    ]


def _tour_row(tours: Sequence[Tour], minutes: float) -> Row:
    good = sum(not t.failed and t.skills >= ask_skills(minutes) for t in tours)
    ended = [t for t in tours if t.failed]
    holds = good >= LEAST_TOURS / SEEDS * len(tours)
    last = Counter(next(v.skill for v in reversed(t.visits) if v.by != CORRECTIVE) for t in ended)
    why = f"Ended early in {', '.join(f'{n} ({k})' for n, k in last.items())}." if last else "Too few skills."
    return Row(
        "poise-graph-wander",
        "Poise",
        "Random tours of the graph continue, whereas those of the source end in a failure after 20 to 25 skills.",
        f"{MINUTES:g} simulated minutes with at least {LEAST_SKILLS} skills in {LEAST_TOURS} of {SEEDS} seeds",
        f"{good} of {len(tours)} tours of {minutes:g} min; skills {', '.join(str(t.skills) for t in tours)}; "
        f"{sum(t.falls for t in tours)} failures, {sum(t.recoveries for t in tours)} recoveries, {len(ended)} tours "
        "ended early",
        holds,
        note="" if holds else why,
    )


def _classifier_row() -> Row:
    graph = load_graph()
    basins = graph.make_basins()
    right = {name: cross_validate(basin) for name, basin in basins.items()}
    worst = min(right, key=lambda name: right[name])
    mean = float(np.mean(list(right.values())))
    trials = sum(len(b.arrived) for b in basins.values())
    kinds = ", ".join(f"{sum(e.kind == kind for e in graph.edges)} {kind}" for kind in KINDS)
    return Row(
        "poise-graph-basins",
        "Poise",
        "Classifiers predict from which states a skill succeeds.",
        f"at least {LEAST_ACCURACY:.0%} of the held-out trials, on average over the skills",
        f"{mean:.0%} of {trials} trials of {len(basins)} skills, five-fold; worst: {worst} {right[worst]:.0%}; "
        f"{kinds} transitions",
        mean >= LEAST_ACCURACY,
        note="" if mean >= LEAST_ACCURACY else "Too few trials for so many features.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Tours with ten seeds from `seed`, the path, and the basins; the quick form has short tours and no path."""
    minutes, seeds = (QUICK_MINUTES, QUICK_SEEDS) if quick else (MINUTES, SEEDS)

    def part(first: float, last: float) -> Progress | None:
        return None if progress is None else lambda done: progress(first + (last - first) * done)

    tours = run_trials([partial(wander, seed + k, minutes) for k in range(seeds)], part(0.0, 0.6))
    rows = [*_random_rows(tours, minutes), _tour_row(tours, minutes)]
    if not quick:
        rows.append(_path_row(run_trials([partial(show_all, PATH_MINUTES)], part(0.6, 0.7))[0]))
    return [*rows, measure_basins(quick, seed, part(0.7, 0.95)), _classifier_row()]


EXPERIMENT: Final = Experiment(
    "firmin/graph",
    "the skill graph: random tours, one motion through all skills, and tolerance to noise in start states",
    measure,
    {"minutes": MINUTES, "seeds": SEEDS, "changes_rad": list(ANGLES_RAD), "tries": TRIES},
    (
        "firmin-5-random1", "firmin-5-random2", "firmin-6-longseq", "firmin-5-basin", "poise-graph-wander",
        "poise-graph-basins",
    ),
)  # fmt: skip
