"""The parameterised search against CMA-ES on the small robot's motions [Ha15 §7.4.1.4].

Both algorithms judge the same start first and begin with the same spreads; for both, one simulation is one evaluation.
The mapping search simulates every candidate once per task, and each candidate counts as soon as it is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.batches.threads import run_trials
from poise.optim.parametric import JUDGED
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.ha.skills_alone import (
    ALONE_BUDGET,
    ENOUGH,
    TIGHT_RAD,
    TIGHT_SWING_S,
    make_alone_row,
    make_hardware_row,
)
from poise.reproduce.ha.skills_motions import Motion
from poise.reproduce.ha.skills_races import (
    JUMP_S,
    RACE_MOTIONS,
    SPREAD_PART,
    TIMESTEPS_S,
    WALK_S,
    Course,
    judge,
    quartiles,
    search_mapping,
    search_together,
)
from poise.reproduce.pictures import Plot

Progress = Callable[[float], None]
OURS, PLAIN = "ours", "CMA-ES"
TASKS, MANY_TASKS = 6, 21
#: Goal of searches with 6 and 21 tasks as a fraction of the initial cost, an error of about a tenth of the range; and
#: an easier goal, for comparison and for the walk, where few searches got further.
GOAL_PART, EASY_PART = 0.1, 0.25
PARTS: Final = (GOAL_PART, EASY_PART)
SET_ANEW: Final = (
    "Time steps, goals and trials were changed after a first run at 2 ms, in which a good kick was a matter of luck; "
    "the goals of jump and kick were 0.1."
)


@dataclass(frozen=True)
class Race:
    """Budgets of evaluations in general and of CMA-ES with linear functions (enough to match ours), and the goal."""

    budget: int
    plain_budget: int
    #: Fraction of the initial cost.
    goal_part: float


#: Trials of each, as in the source. The source starts anywhere and ends CMA-ES at 12 000 evaluations; we have time for
#: fewer, from a start that already moves.
SEEDS: Final = 9
#: The author's program ends its searches at a cost of 0.001: in our units 0.004 for the jump and 0.011 for the kick,
#: which are these fractions of the initial costs.
RACES: Final[Mapping[str, Race]] = {
    "jump": Race(1000, 960, 0.034),
    "kick": Race(600, 480, 0.089),
    "walk": Race(700, 480, EASY_PART),
}
#: Seeds and budget of the quick form.
QUICK_SEEDS, QUICK_BUDGET = 3, 204
#: Evaluations of CMA-ES in races with 21 tasks.
MANY_BUDGET: Final = 2688
#: (motion, algorithm, degree, tasks) -> courses by seed.
Courses = Mapping[tuple[str, str, int, int], Sequence[Course]]


def _plan() -> list[tuple[str, str, int, int, int]]:
    """Every race: motion, algorithm, degree, tasks, seed."""
    kinds = [(name, algorithm, degree, TASKS) for name in RACES for algorithm in (OURS, PLAIN) for degree in (1, 3)]
    kinds += [("jump", algorithm, 1, MANY_TASKS) for algorithm in (OURS, PLAIN)]
    return [(*kind, seed) for kind in kinds for seed in range(SEEDS)]


def run_race(name: str, algorithm: str, degree: int, tasks: int, seed: int, quick: bool = False) -> Course:
    """One search; if only the evaluations to the goal count, it ends there."""
    race, motion = RACES[name], RACE_MOTIONS[name]
    to_goal = quick or tasks != TASKS or (algorithm, degree) == (PLAIN, 1)
    part = GOAL_PART if quick or tasks != TASKS else race.goal_part
    enough = part * _judge_start(motion, tasks) if to_goal else 0.0
    search = search_together if algorithm == OURS else search_mapping
    budget = QUICK_BUDGET if quick else race.budget
    if (algorithm, degree) == (PLAIN, 1) and not quick:
        budget = race.plain_budget if tasks == TASKS else MANY_BUDGET
    return search(motion, seed, tasks=tasks, degree=degree, budget=budget, enough=enough)


def _judge_start(motion: Motion, tasks: int) -> float:
    space, grid = motion.make_space(), np.linspace(0.0, 1.0, tasks)
    return float(np.mean(judge(motion, space, np.zeros((1, len(space))), grid)))


def run_races(
    plan: Sequence[tuple[str, str, int, int, int]], progress: Progress | None = None, *, quick: bool = False
) -> Courses:
    """Races in threads."""
    found = run_trials([partial(run_race, *race, quick=quick) for race in plan], progress)
    courses: dict[tuple[str, str, int, int], list[Course]] = {}
    for (name, algorithm, degree, tasks, _), course in zip(plan, found, strict=True):
        courses.setdefault((name, algorithm, degree, tasks), []).append(course)
    return courses


def count_evaluations(courses: Sequence[Course], part: float) -> tuple[list[int], int]:
    """Evaluations of each search to the goal, a fraction of its initial cost, and the number that never met it.

    These count with all their evaluations: a median over many of them is a lower bound.
    """
    met = [c.evaluations_to(part * c.costs[0]) for c in courses]
    spent = [c.evaluations[-1] if n is None else n for c, n in zip(courses, met, strict=True)]
    return spent, met.count(None)


def _describe_counts(courses: Sequence[Course], part: float) -> str:
    spent, missed = count_evaluations(courses, part)
    late = f", {missed} of {len(courses)} unfinished" if missed else ""
    return f"{quartiles(spent, '.0f')}{late}"


def compute_ratio(above: Sequence[Course], below: Sequence[Course], part: float) -> float:
    """Ratio of the median evaluations to the goal of two groups of searches."""
    return float(np.median(count_evaluations(above, part)[0]) / np.median(count_evaluations(below, part)[0]))


def _describe_race(name: str, part: float, plain: Sequence[Course], ours: Sequence[Course]) -> str:
    counts = f"{_describe_counts(plain, part)} against {_describe_counts(ours, part)}"
    easier = ", ".join(f"{compute_ratio(plain, ours, p):.1f} times to {p:g}" for p in PARTS if p > part)
    return f"{name} to {part:g}: {compute_ratio(plain, ours, part):.1f} times, {counts}{easier and f' ({easier})'}"


def _linear_row(courses: Courses, parts: Mapping[str, float]) -> Row:
    groups = {name: (courses[name, PLAIN, 1, TASKS], courses[name, OURS, 1, TASKS]) for name in parts}
    ratios = {name: compute_ratio(*group, parts[name]) for name, group in groups.items()}
    words = "; ".join(_describe_race(name, parts[name], *group) for name, group in groups.items())
    least = min(ratios.values())
    return make_row(
        "ha-7-linear",
        f"evaluations of CMA-ES to a fraction of the initial cost, relative to ours, median (quartiles): {words}; "
        f"{min(len(ours) for _, ours in groups.values())} seeds",
        least >= 2.5,
        exceeded=least > 2.5,
        note=SET_ANEW if least >= 2.5 else f"Not 2.5 times as many everywhere. {SET_ANEW}",
        plot=_plot_races(courses),
    )


def _plot_races(courses: Courses) -> Plot:
    """Median costs of the jump by evaluations; a finished search keeps its last cost."""
    counts = np.linspace(0.0, 768.0, 33)[1:]
    series = {
        f"{algorithm}, {'linear' if degree == 1 else 'cubic'}": [
            float(f"{np.median([c.cost_at(int(n)) for c in group]):.4g}")
            if n <= RACES["jump"].budget or algorithm == PLAIN
            else None
            for n in counts
        ]
        for (name, algorithm, degree, tasks), group in courses.items()
        if name == "jump" and tasks == TASKS
    }
    return Plot(
        "line", [float(f"{n:.0f}") for n in counts], series, x_label="evaluations", y_label="median cost",
        title="vertical jump",
    )  # fmt: skip


def _cubic_rows(courses: Courses) -> list[Row]:
    # A generation of ours may exceed the budget by up to 21.
    costs = {
        (name, algorithm, degree): [c.cost_at(RACES[name].budget + 21) for c in group]
        for (name, algorithm, degree, tasks), group in courses.items()
        if tasks == TASKS
    }
    medians = {key: float(np.median(values)) for key, values in costs.items()}
    shown = "; ".join(
        f"{n}: ours {quartiles(costs[n, OURS, 3], '.2g')}, CMA-ES {quartiles(costs[n, PLAIN, 3], '.2g')} "
        f"after {race.budget}"
        for n, race in RACES.items()
    )
    worse = all(medians[n, PLAIN, 3] >= 3.0 * medians[n, OURS, 3] for n in RACES)
    gain = {n: medians[n, OURS, 1] / medians[n, OURS, 3] for n in RACES}
    slow = {
        n: compute_ratio(courses[n, OURS, 3, TASKS], courses[n, OURS, 1, TASKS], race.goal_part)
        for n, race in RACES.items()
    }
    as_good = all(slow[n] <= 1.25 and gain[n] >= 1.0 for n in RACES)
    only_jump = gain["jump"] > 1.25 and all(gain[n] < 1.25 for n in RACES if n != "jump")
    return [
        make_row(
            "ha-7-cubic-cma",
            f"cost with cubic functions after the same evaluations, median (quartiles): {shown}; {SEEDS} seeds",
            worse,
            note=("Three times the cost of ours required" if worse else "Not three times the cost of ours everywhere")
            + "; fewer evaluations than the thesis's 12 000.",
        ),
        make_row(
            "ha-7-cubic-ours",
            "evaluations of ours to the goal, cubic over linear: "
            + ", ".join(f"{n} {ratio:.2f}" for n, ratio in slow.items())
            + "; median cost at the end, linear and cubic: "
            + ", ".join(f"{n} {medians[n, OURS, 1]:.2g} and {medians[n, OURS, 3]:.2g}" for n in RACES),
            as_good,
            note="" if as_good else "Required: at most 1.25 times the evaluations and no higher cost, for each motion.",
        ),
        make_row(
            "ha-7-cubic-jump",
            "linear cost over cubic cost at the end: "
            + ", ".join(f"{n} {ratio:.2f}" for n, ratio in gain.items())
            + f"; {SEEDS} seeds",
            only_jump,
            note="" if only_jump else "Required: more than 1.25 for the jump and for no other.",
        ),
    ]  # fmt: skip


def _many_tasks_rows(courses: Courses) -> list[Row]:
    rows = []
    for claim, algorithm in (("ha-7-M21-cma", PLAIN), ("ha-7-M21-ours", OURS)):
        many, few = courses["jump", algorithm, 1, MANY_TASKS], courses["jump", algorithm, 1, TASKS]
        ratio = compute_ratio(many, few, GOAL_PART)
        holds = ratio >= 3.0 if algorithm == PLAIN else ratio <= 1.25
        rows.append(
            make_row(
                claim,
                f"evaluations to {GOAL_PART:g} of the initial cost with {MANY_TASKS} tasks over those with {TASKS}: "
                f"{ratio:.1f}; {_describe_counts(many, GOAL_PART)} against {_describe_counts(few, GOAL_PART)}; "
                f"{len(many)} and {len(few)} seeds",
                holds,
                exceeded=algorithm == PLAIN and ratio > 4.0,
                note=("" if holds else "At least 3 required.") if algorithm == PLAIN
                else f"{'' if holds else 'At most 1.25 required. '}Ours judges a new function at {JUDGED} of the "
                "tasks; costs are over all tasks, computed outside the search.",
            )
        )  # fmt: skip
    return rows


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """All rows, or in the quick form the first one for the jump with fewer seeds; the seeds are fixed."""
    if quick:
        plan = [("jump", a, 1, TASKS, s) for a in (OURS, PLAIN) for s in range(QUICK_SEEDS)]
        return [_linear_row(run_races(plan, progress, quick=True), {"jump": GOAL_PART})]

    def tell(first: float, last: float) -> Progress | None:
        return None if progress is None else lambda part: progress(first + (last - first) * part)

    courses = run_races(_plan(), tell(0.0, 0.85))
    return [
        _linear_row(courses, {name: race.goal_part for name, race in RACES.items()}),
        *_cubic_rows(courses),
        *_many_tasks_rows(courses),
        make_alone_row(tell(0.85, 0.95)),
        make_hardware_row(tell(0.95, 1.0)),
    ]


EXPERIMENT = Experiment(
    "ha/skills-searches",
    "one search for a family of motions against CMA-ES and against tasks learned alone",
    measure,
    {
        "timesteps_s": TIMESTEPS_S,
        "spread_part": SPREAD_PART,
        "jump_s": JUMP_S,
        "walk_s": WALK_S,
        "goal_parts": list(PARTS),
        "races": {name: vars(race) for name, race in RACES.items()},
        "seeds": SEEDS,
        "many_budget": MANY_BUDGET,
        "alone": [ALONE_BUDGET, ENOUGH],
        "tight": [TIGHT_RAD, TIGHT_SWING_S],
    },
    claims=(
        "ha-7-linear", "ha-7-cubic-cma", "ha-7-cubic-ours", "ha-7-cubic-jump", "ha-7-M21-cma", "ha-7-M21-ours",
        "ha-7-individual", "ha-7-hardware",
    ),
)  # fmt: skip
