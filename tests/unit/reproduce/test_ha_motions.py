"""Leaning, thrusting and landing as problems of search, and the races on them."""

from __future__ import annotations

import numpy as np
import pytest

from poise.optim.space import FloatArray, Space, Variable
from poise.reproduce.claims import find_claim
from poise.reproduce.ha.counts import compute_gain
from poise.reproduce.ha.motion_phases import MOTIONS, Leaning
from poise.reproduce.ha.motion_problems import LONGEST_S, PENALTY_PER_S, Motion, Trial
from poise.reproduce.ha.motion_races import POPULATION, race
from poise.reproduce.ha.motions import CLAIMS, EXPERIMENT, TARGETS


@pytest.fixture(scope="module", params=list(MOTIONS))
def motion(request: pytest.FixtureRequest) -> Motion:
    return MOTIONS[request.param]()


def sample(motion: Motion, count: int, seed: int) -> list[Trial]:
    points = np.random.default_rng(seed).uniform(-1.0, 1.0, (count, len(motion.space)))
    return [motion.try_out(point) for point in points]


def test_a_point_is_laid_over_the_ranges_of_the_controller(motion: Motion) -> None:
    parameters = [motion.controller.parameter(name) for name in motion.variables]
    corner = motion.decode(np.ones(len(motion.space)))
    assert list(corner.values()) == [p.high for p in parameters]
    middle = motion.decode(np.zeros(len(motion.space)))
    assert list(middle.values()) == pytest.approx([0.5 * (p.low + p.high) for p in parameters])
    assert motion.space.names == motion.variables


def test_a_trial_can_be_repeated_and_leaves_no_trace(motion: Motion) -> None:
    first, other = np.full(len(motion.space), 0.1), np.full(len(motion.space), -0.7)
    before = motion.try_out(first)
    motion.try_out(other)
    assert motion.try_out(first) == before


def test_the_jump_that_is_shipped_fails_in_no_phase(motion: Motion) -> None:
    own = motion.encode({name: motion.controller.value(name) for name in motion.variables})
    trial = motion.try_out(own)
    assert trial.failures == ()
    assert trial.cost < 10.0 * TARGETS[motion.name]


def test_failures_are_named_and_cost_more_the_earlier_they_come(motion: Motion) -> None:
    trials = sample(motion, 12, seed=3)
    failed = [t for t in trials if t.failures]
    assert failed, "a good part of the domain fails"
    names = {"leaning": "time-out", "thrusting": "negative angular momentum", "landing": "invalid contact"}
    for trial in failed:
        assert set(trial.failures) <= {"fall forward", "fall backward", names[motion.name]}
        assert trial.cost >= PENALTY_PER_S * (LONGEST_S - trial.at_s)


def test_leaning_far_forward_or_backward_falls_that_way() -> None:
    leaning = Leaning()
    far = {"lean_crouch_rad": 0.3, "lean_trunk_rad": 0.0, "lean_arms_rad": 0.0}
    assert leaning.try_out(leaning.encode({**far, "lean_angle_rad": 0.4})).failures == ("fall forward",)
    assert leaning.try_out(leaning.encode({**far, "lean_angle_rad": -0.5})).failures == ("fall backward",)


def test_the_cost_of_leaning_is_the_squared_distance_to_its_goal() -> None:
    values = {"lean_crouch_rad": 0.86, "lean_angle_rad": -0.15, "lean_trunk_rad": 0.45, "lean_arms_rad": -0.8}
    here = np.array([0.1, 0.0, 0.7])
    costs = []
    for goal in (here, here + [0.0, 0.0, 0.1]):
        leaning = Leaning(goal)
        costs.append(leaning.try_out(leaning.encode(values)).cost)
    # |c - g|² - |c - g - d|² is 2 (c - g)·d - |d|², whatever c is.
    up = float(costs[0] - costs[1] + 0.01) / 0.2
    assert abs(up) < 0.1, "the body is within 10 cm of a crouch of 0.7 m"
    assert costs[0] >= up**2 - 1e-12


class Slope:
    """A problem without physics: it costs x + y + 2, and fails left of the middle."""

    space = Space((Variable("x", -1.0, 1.0, 0.0, 1.0), Variable("y", -1.0, 1.0, 0.0, 1.0)))

    def __init__(self) -> None:
        self.tried: list[FloatArray] = []

    def try_out(self, point: FloatArray) -> Trial:
        self.tried.append(point)
        failures = ("left",) if point[0] < 0.0 else ()
        return Trial(float(point.sum() + 2.0), failures, 0.5)


@pytest.mark.parametrize("learning", [False, True])
def test_a_race_ends_with_the_generation_that_meets_the_target_without_failing(learning: bool) -> None:
    slope = Slope()
    result = race(slope, 1.2, seed=4, learning=learning)  # type: ignore[arg-type]
    assert result.met
    assert result.evaluations == len(slope.tried) and result.evaluations % POPULATION == 0
    good = [p for p in slope.tried if p[0] >= 0.0 and p.sum() + 2.0 <= 1.2]
    assert good and all(any(p is q for q in slope.tried[-POPULATION:]) for p in good)
    assert result.failed == sum(p[0] < 0.0 for p in slope.tried)
    assert [e.constraint for e in result.learned] == (["left"] if learning else [])


def test_a_race_that_cannot_be_won_ends_at_its_limit() -> None:
    result = race(Slope(), 0.9, seed=1, learning=True, most=40)  # type: ignore[arg-type]
    assert not result.met and result.evaluations == 40


def test_gains_are_of_means() -> None:
    slow = [race(Slope(), 0.9, seed=s, learning=False, most=40) for s in range(2)]  # type: ignore[arg-type]
    fast = [race(Slope(), 0.9, seed=s, learning=False, most=20) for s in range(2)]  # type: ignore[arg-type]
    assert compute_gain(slow, fast) == 2.0


def test_every_motion_has_a_target_and_a_claim() -> None:
    assert set(TARGETS) == set(CLAIMS) == set(MOTIONS)
    for claim in EXPERIMENT.claims:
        assert find_claim(claim).system == "cma_c"
