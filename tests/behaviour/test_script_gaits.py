"""Judges of gaits know a gait from another: a bound is no skip, and the walk is not bent."""

from functools import cache
from itertools import pairwise

import pytest

import poise.api as api
from poise.recordings.recording import Recording
from poise.reproduce.firmin.gait_judges import count_skips, count_stray_flights, find_flights, skipped, walked_bent
from poise.reproduce.firmin.judges import STANDING, both, stands_at
from poise.reproduce.firmin.skills import run_skill


@cache
def run(name: str) -> Recording:
    return run_skill(name, seed=102, timestep_s=0.001)


def test_a_skip_lands_on_the_foot_that_it_left_and_then_changes() -> None:
    late = [f for f in find_flights(run("skip"), least_s=0.1) if f.start_s > 4.0]
    assert len(late) >= 8
    assert all(f.left_by == f.landed_on for f in late)
    assert all(a.left_by != b.left_by for a, b in pairwise(late))


@pytest.mark.parametrize(("name", "why"), [("bound", "skipped"), ("walk", "skipped 0 times")])
def test_neither_a_bound_nor_a_walk_is_a_skip(name: str, why: str) -> None:
    assert skipped(8, 6.0)(run(name)).startswith(why)


def test_a_bound_leaps_from_foot_to_foot() -> None:
    assert count_stray_flights(run("bound"), start_s=4.0) > count_skips(run("bound"), start_s=4.0)


def test_only_the_bent_walk_is_bent() -> None:
    assert walked_bent(0.35, 0.2, 5.0)(run("bent-walk")) == ""
    assert walked_bent(0.35, 0.2, 5.0)(run("walk")).startswith("a knee at 0.1")


@pytest.mark.parametrize("height", [0.05, 0.2])
def test_a_step_up_is_as_high_as_asked(height: float) -> None:
    recording = api.run("script/step-up", seconds=8.0, set={"height": height}).recording
    assert both(STANDING, stands_at(height - 0.01))(recording) == ""
    assert stands_at(height + 0.02)(recording) != ""
