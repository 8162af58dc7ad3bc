"""Random pushes: uniform, repeatable one by one, and the same for every force, law and number of threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from poise.api import run_scene
from poise.errors import InputError
from poise.rollout.scene import Scene
from poise.trials import PushTest, RandomPushes, push_at_random
from poise.trials.random_pushes import draw_pushes
from poise.trials.steady import Steady
from poise.world.world import Push

WALK = Scene("simbicon/planar-walk", seed=3)
SHORT = PushTest(settle_s=2.0, after_s=2.0)
NOWHERE: Any = None
STEADY = Steady(NOWHERE, 3.0, 0.4, "left_foot", "right_foot", 0.6)


@pytest.fixture(scope="module")
def report() -> RandomPushes:
    return push_at_random(WALK, [300.0, 5000.0], 6, SHORT)


def test_draws_are_uniform_over_directions_and_the_stride() -> None:
    directions, starts = np.array(draw_pushes(STEADY, 20_000, 1)).T
    assert (directions.min() >= 0.0, directions.max() < 360.0) == (True, True)
    assert (starts.min() >= 3.0, starts.max() <= 4.0) == (True, True)
    for values, low, high in ((directions, 0.0, 360.0), (starts, 3.0, 4.0)):
        counts, _ = np.histogram(values, 20, (low, high))
        # 20 bins of 1000: five standard deviations.
        assert np.abs(counts - 1000).max() < 5 * 1000**0.5


def test_a_longer_list_begins_with_the_shorter_one() -> None:
    assert draw_pushes(STEADY, 30, 4)[:10] == draw_pushes(STEADY, 10, 4)
    assert draw_pushes(STEADY, 10, 4) != draw_pushes(STEADY, 10, 5)


def test_a_planar_body_is_pushed_forward_and_backward() -> None:
    counts = Counter(direction for direction, _ in draw_pushes(STEADY, 1000, 1, planar=True))
    assert set(counts) == {0.0, 180.0} and min(counts.values()) > 400


def test_forces_have_the_same_draws(report: RandomPushes) -> None:
    weak, strong = ([(o.direction_deg, o.start_s) for o in report.of_force(f)] for f in (300.0, 5000.0))
    assert weak == strong and len(weak) == 6
    assert [o.survived for o in report.of_force(300.0)] == [True] * 6
    assert [o.survived for o in report.of_force(5000.0)] == [False] * 6
    assert report.survived == 6


def test_phase_and_foot_are_those_of_the_start(report: RandomPushes) -> None:
    assert len(report.step_times_s) == 2
    strikes = [e for e in run_scene(WALK, 4.0).recording.events_of(0, "strike") if e.time_s >= 2.0]
    for o in report.of_force(300.0):
        begin = strikes[0] if o.start_s < strikes[1].time_s else strikes[1]
        step_s = report.step_times_s[0 if begin is strikes[0] else 1]
        assert o.foot == begin.segment
        assert o.phase == pytest.approx((o.start_s - begin.time_s) / step_s, abs=1e-6)
    assert {o.foot for o in report.outcomes} == {"left_foot", "right_foot"}


def test_each_one_is_the_run_with_that_push(report: RandomPushes) -> None:
    outcome = report.of_force(5000.0)[0]
    assert outcome.fell_after_s is not None
    pushed = replace(WALK, pushes=[Push(5000.0, outcome.direction_deg, outcome.start_s, 0.1)])
    fell_at_s = run_scene(pushed, 6.0).metrics.fell_at_s
    assert fell_at_s == pytest.approx(outcome.start_s + outcome.fell_after_s, abs=1e-12)


def test_the_number_of_threads_changes_nothing(report: RandomPushes) -> None:
    assert push_at_random(WALK, [300.0, 5000.0], 6, SHORT, workers=1).outcomes == report.outcomes


def test_settings_say_how_to_do_it_again(report: RandomPushes) -> None:
    assert (report.settings["seed"], report.settings["count"], report.settings["duration_s"]) == (3, 6, 0.1)
    assert not {"directions", "phases"} & set(report.settings)


def test_a_standing_character_has_no_phase() -> None:
    standing = Scene("pose/hold", "biped7", values={"stiffness": 3.0})
    report = push_at_random(standing, [1.0], 2, PushTest(settle_s=0.5, after_s=0.5))
    assert (report.step_times_s, [(o.phase, o.foot) for o in report.outcomes]) == ((), [(0.0, "")] * 2)


@pytest.mark.parametrize(
    ("attempt", "text"),
    [
        (lambda: push_at_random(WALK, [], 4), "push test: at least one force is needed."),
        (
            lambda: push_at_random(WALK, [1.0], 0),
            "random pushes: count is out of range, got 0. Allowed: 1 to 100000.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(attempt: Callable[[], object], text: str) -> None:
    with pytest.raises(InputError) as caught:
        attempt()
    assert str(caught.value) == text
