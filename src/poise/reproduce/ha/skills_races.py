"""Searches for skills of the small robot: all tasks at once, by mapping parameters, or each task alone [Ha15 §7.4].

One simulation is one evaluation, whichever algorithm asks for it.
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

#: Candidates of CMA-ES in a generation [Ha15 §7.4].
POPULATION: Final = 16
#: Spreads are a third as wide as in the searches behind the skills, because CMA-ES finds little but falls with wider
#: ones. Jumps end 0.3 s after they come down.
SPREAD_PART, JUMP_S, WALK_S = 1.0 / 18.0, 1.3, 4.0
#: At 2 ms the height of a jump jitters by 7 per cent of the range and the way of a kicked ball by 5 to 8 (at 1 ms both
#: by less than 1), so that a good cost is luck; the speed of a walk jitters by 1 per cent at either.
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
    """How a search went: after so many evaluations, the mean cost over its tasks was so low; and what it found."""

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
        """The cost after so many evaluations."""
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
    """The parameterised search: samples are points, judged for every task [Ha15 §7.3.2]; its start is judged first.

    Where it judges functions at some of many tasks, costs are still those over all, looked up beside the search.
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
    """CMA-ES over the control points of a Bézier curve of the degree, a line's two ends among them [Ha15 §7.4].

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
    """The best point for one task by CMA-ES, and the evaluations that it took [Ha15 §7.4.3]."""
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
    """The cost of a skill at each task, also at tasks that it never saw."""
    return np.diagonal(judge(motion, space, skill(tasks), tasks)).copy()


def decode_weights(space: Space, skill: SkillFunction) -> dict[str, list[float]]:
    """The weights of 1, w, w² … of every parameter in its own unit: what a controller's `skill` table holds."""
    weights = skill.weights * space.spreads
    weights[0] += [v.start for v in space.variables]
    return {v.name: [float(f"{x:.6g}") for x in weights[:, k]] for k, v in enumerate(space.variables)}


def quartiles(values: Sequence[float], form: str) -> str:
    """Median and quartiles, for people."""
    low, middle, high = np.percentile(values, [25.0, 50.0, 75.0])
    return f"{middle:{form}} ({low:{form}} to {high:{form}})"
