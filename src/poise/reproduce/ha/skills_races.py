"""Searches for the small robot's skills: all tasks together, by mapping parameters, or each task alone [Ha15 §7.4].

One simulation is one evaluation in every algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Final

import numpy as np

from poise.optim.cma_es import CmaEs
from poise.optim.parametric import ParametricEs
from poise.optim.skill_function import SkillFunction, fit
from poise.optim.space import Space, Variable
from poise.reproduce.ha.skills_motions import MOTIONS, FloatArray, Motion, compute_costs, try_out

#: Candidates per generation of CMA-ES [Ha15 §7.4].
POPULATION: Final = 16
#: Spreads are a third of those in the searches behind the skills, since CMA-ES mostly finds falls with wider ones.
#: Jumps end 0.3 s after landing.
SPREAD_PART, JUMP_S, WALK_S = 1.0 / 18.0, 1.3, 4.0
#: At 2 ms the height of a jump jitters by 7 per cent of the range and the distance of a kicked ball by 5 to 8 (at 1 ms
#: both by less than 1), which makes a good cost a matter of luck; the speed of a walk jitters by 1 per cent at either.
TIMESTEPS_S: Final = {"jump": 0.001, "kick": 0.001, "walk": 0.002}
_SHORTER: Final = {
    "jump": replace(MOTIONS["jump"], seconds=JUMP_S),
    "kick": MOTIONS["kick"],
    "walk": replace(MOTIONS["walk"], seconds=WALK_S, range_m=0.2),
}
RACE_MOTIONS: Final[Mapping[str, Motion]] = {
    name: replace(motion, timestep_s=TIMESTEPS_S[name], spread_part=SPREAD_PART) for name, motion in _SHORTER.items()
}


@dataclass(frozen=True)
class Course:
    """Course of a search: mean cost over its tasks after each count of evaluations, and the resulting skill."""

    evaluations: tuple[int, ...]
    costs: tuple[float, ...]
    #: In the space's normalised coordinates.
    skill: SkillFunction

    def evaluations_to(self, cost: float) -> int | None:
        """Evaluations until the cost was met; None if it never was."""
        for count, found in zip(self.evaluations, self.costs, strict=True):
            if found <= cost:
                return count
        return None

    def cost_at(self, evaluations: int) -> float:
        """The cost after a number of evaluations."""
        known = [c for n, c in zip(self.evaluations, self.costs, strict=True) if n <= evaluations]
        return known[-1] if known else float("inf")


def judge(motion: Motion, space: Space, points: FloatArray, tasks: FloatArray) -> FloatArray:
    """Costs of normalised points for tasks, (N, M), by N simulations."""
    names = [v.name for v in space.variables]
    low, high = (np.array([getattr(v, end) for v in space.variables]) for end in ("low", "high"))
    values = np.clip(space.decode_many(points), low, high)
    outcomes = [try_out(motion, dict(zip(names, map(float, row), strict=True))) for row in values]
    return compute_costs(motion, outcomes, tasks)


def search_together(motion: Motion, seed: int, *, tasks: int, degree: int, budget: int, enough: float = 0.0) -> Course:
    """The parameterised search: samples are points, judged for every task, beginning with the start [Ha15 §7.3.2].

    If it judges functions at only some of many tasks, costs are still those over all, computed outside the search.
    """
    space, grid = motion.make_space(), np.linspace(0.0, 1.0, tasks)[:, np.newaxis]
    search = ParametricEs(space, seed=seed, tasks=grid, degree=degree)
    count, counts, costs, known = 0, list[int](), list[float](), None
    while count < budget and (not costs or costs[-1] > enough):
        points = search.ask()
        search.tell(points, judge(motion, space, points, grid))
        count += len(points)
        cost = costs[-1] if costs else float("inf")
        if search.best is not None and search.best is not known:
            known = search.best
            everywhere = len(search.judged) == tasks
            cost = known.cost if everywhere else float(np.mean(judge_skill(motion, space, known.skill, grid)))
        counts.append(count)
        costs.append(cost)
    assert search.best is not None
    return Course(tuple(counts), tuple(costs), search.best.skill)


def search_mapping(motion: Motion, seed: int, *, tasks: int, degree: int, budget: int, enough: float = 0.0) -> Course:
    """CMA-ES over the control points of a Bézier curve; with degree 1, over the two ends of a line [Ha15 §7.4].

    It begins with the start, as the other search does, and every candidate counts as soon as it is judged.
    """
    space, grid = motion.make_space(), np.linspace(0.0, 1.0, tasks)
    weights = np.stack([comb(degree, k) * grid**k * (1.0 - grid) ** (degree - k) for k in range(degree + 1)], axis=1)
    mapping = Space(
        tuple(
            Variable(f"{v.name}_{k}", v.low, v.high, v.start, v.spread)
            for k in range(degree + 1)
            for v in space.variables
        )
    )

    def judge_curve(point: FloatArray) -> float:
        curve = weights @ point.reshape(degree + 1, len(space))
        return float(np.mean(np.diagonal(judge(motion, space, curve, grid))))

    search = CmaEs(mapping, population=POPULATION, seed=seed)
    best = np.zeros(len(mapping))
    counts, costs = [tasks], [judge_curve(best)]
    while counts[-1] < budget and costs[-1] > enough:
        points, totals = search.ask(), list[float]()
        for point in points:
            totals.append(judge_curve(point))
            if totals[-1] < costs[-1]:
                best = point
            counts.append(counts[-1] + tasks)
            costs.append(min(costs[-1], totals[-1]))
        search.tell(points, np.array(totals))
    curve = weights @ best.reshape(degree + 1, len(space))
    return Course(tuple(counts), tuple(costs), fit(curve, grid[:, np.newaxis], degree))


def search_alone(motion: Motion, seed: int, task: float, *, budget: int, enough: float = 0.0) -> tuple[FloatArray, int]:
    """The best point for one task by CMA-ES, and its evaluations [Ha15 §7.4.3]."""
    space, goal = motion.make_space(), np.array([task])
    search = CmaEs(space, population=POPULATION, seed=seed)
    count = 0
    while count < budget and (search.best is None or search.best.cost > enough):
        points = search.ask()
        search.tell(points, judge(motion, space, points, goal)[:, 0])
        count += len(points)
    assert search.best is not None
    return search.best.point, count


def judge_skill(motion: Motion, space: Space, skill: SkillFunction, tasks: FloatArray) -> FloatArray:
    """The cost of a skill at each task, including tasks that it was not trained on."""
    return np.diagonal(judge(motion, space, skill(tasks), tasks)).copy()


def decode_weights(space: Space, skill: SkillFunction) -> dict[str, list[float]]:
    """The weights of 1, w, w² … for every parameter in its own unit, as in a controller's `skill` table."""
    weights = skill.weights * space.spreads
    weights[0] += [v.start for v in space.variables]
    return {v.name: [float(f"{x:.6g}") for x in weights[:, k]] for k, v in enumerate(space.variables)}


def quartiles(values: Sequence[float], form: str) -> str:
    """Text with the median and quartiles."""
    low, middle, high = np.percentile(values, [25.0, 50.0, 75.0])
    return f"{middle:{form}} ({low:{form}} to {high:{form}})"
