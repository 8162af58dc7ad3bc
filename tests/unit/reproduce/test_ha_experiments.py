"""The problems on which searches are compared, and the quick forms of the comparisons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.errors import NotFoundError
from poise.reproduce.claims import find_claim
from poise.reproduce.ha.catalog import HA_EXPERIMENTS
from poise.reproduce.ha.cma_c import CASES
from poise.reproduce.ha.races import compute_overlap, learn, race
from poise.reproduce.ha.toys import TOYS, Toy, make_task_problem


def compute_area_ratio(toy: Toy) -> float:
    """Infeasible area over feasible area of [-5, 5]², by a fine grid over [3, 4]², or [2, 4]²."""
    spots = 2.0 + (np.arange(800) + 0.5) / 400.0
    area = sum(not toy.find_failures(float(x), float(y)) for x in spots for y in spots) / 400.0**2
    return (100.0 - area) / area


@pytest.mark.parametrize(("case", "ratio"), [("area 50", 49.0), ("area 200", 199.0), ("area 800", 799.0)])
def test_the_feasible_areas_are_those_of_the_source(case: str, ratio: float) -> None:
    assert compute_area_ratio(CASES[case][0]) == pytest.approx(ratio, rel=0.02)


def test_the_goals_of_the_toys_are_feasible_and_constraints_are_named() -> None:
    for toy in TOYS.values():
        assert toy.find_failures(*toy.goal) == ()
    assert TOYS[1].find_failures(4.5, -3.0) == ("beyond", "short")
    assert TOYS[3].find_failures(3.2, 3.2) == ("short",), "the inner corner of the L"


def test_noise_is_as_the_source_has_it() -> None:
    random = np.random.default_rng(0)
    inside = [TOYS[1].compute_cost(3.9, 3.9, random) for _ in range(200)]
    outside = [TOYS[1].compute_cost(3.9, 4.1, random) for _ in range(200)]
    assert min(inside) >= 0.0 and 0.04 < max(inside) < 0.05
    assert 1.8 < max(outside) < 2.01
    x, y = 3.5, 3.7
    wave = abs(np.sin(10.0 * (x + y)) + np.sin(10.0 * (x - y)))
    assert TOYS[2].compute_cost(x, y, random) == pytest.approx(0.1 * (0.16 + 0.04) + 2.0 * wave)


@pytest.mark.parametrize("name", ["sphere", "bent cigar", "weierstrass", "schwefel"])
def test_a_task_costs_nothing_at_its_minimum_and_something_elsewhere(name: str) -> None:
    problem, tasks = make_task_problem(name, 5, 3), np.linspace(0.0, 1.0, 4)
    line = problem.start + tasks[:, None] * (problem.end - problem.start)
    costs = problem.compute_costs(line, tasks)
    assert np.diagonal(costs) == pytest.approx(0.0, abs=1e-6)
    assert np.all(problem.compute_costs(line + 0.3, tasks) > 1e-4)
    assert np.all(problem.compute_costs(line + 5.0, tasks) > 0.1 * 5 * 3.0**2)


def test_an_unknown_function_is_named() -> None:
    with pytest.raises(NotFoundError, match=r"no function named 'spere'.*Did you mean 'sphere'"):
        make_task_problem("spere", 5, 0)


def test_a_race_is_the_same_again_and_learns() -> None:
    first, again = (race(TOYS[3], 2, learning=True) for _ in range(2))
    assert (first.evaluations, first.failed) == (again.evaluations, again.failed)
    assert {e.constraint for e in first.learned} == {"beyond", "short"}
    assert race(TOYS[3], 2, learning=False).learned == ()


def test_the_learned_region_overlaps_with_the_true_one() -> None:
    search = learn(TOYS[2], 0, 160)
    assert compute_overlap(TOYS[2], search, cells=100) > 0.5
    assert compute_overlap(replace(TOYS[2], threshold=-20.0), search, cells=100) < 0.1


def test_every_claim_of_both_systems_is_measured_once() -> None:
    claims = [claim for experiment in HA_EXPERIMENTS for claim in experiment.claims]
    assert len(claims) == len(set(claims))
    systems = [find_claim(claim).system for claim in claims]
    assert (systems.count("cma_c"), systems.count("parametric_skills")) == (21, 24)
