"""Failures by name: how bodies fall, and what a problem forbids."""

from dataclasses import replace

import numpy as np
import pytest

import poise.api
from poise.measures.failures import Limits, WatchRule, find_first, name_fall
from poise.search import read_problem
from poise.search.evaluate import evaluate, evaluate_trial, run_trial
from poise.world.world import Push
from unit.search.small_problem import PROBLEM, change

VALUES = {"lift_swing_hip_rad": 0.4, "strike_cd_radpm": 2.2}
#: Nothing holds the trunk of this walker upright.
LIMP = {"torso_kp_nm_per_rad": 0.0, "torso_kd_nms_per_rad": 0.0}


@pytest.fixture
def read(tmp_path):
    def _read(*pairs, more=""):
        path = tmp_path / "p.toml"
        path.write_text(change(PROBLEM, *pairs) + more)
        return read_problem(path)

    return _read


def fall(character, direction_deg):
    push = Push(force_n=900.0, direction_deg=direction_deg, start_s=0.05, duration_s=0.2)
    done = poise.api.run(
        "pose/hold", character=character, pushes=[push], seconds=3.0, timestep_s=0.001, stop_on_fall=True
    )
    assert done.metrics.fallen
    return done.recording


@pytest.mark.parametrize(
    ("character", "direction_deg", "name"),
    [
        ("biped7", 0.0, "fall forward"),
        ("biped7", 180.0, "fall backward"),
        ("humanoid", 0.0, "fall forward"),
        ("humanoid", 180.0, "fall backward"),
        ("humanoid", 90.0, "fall sideways"),
        ("humanoid", -90.0, "fall sideways"),
    ],
)
def test_a_fall_is_named_by_where_the_body_went(character, direction_deg, name):
    assert name_fall(fall(character, direction_deg)) == name


def test_a_body_that_goes_down_upright_has_collapsed():
    recording = fall("biped7", 0.0)
    # As at the start, when it stood.
    upright = replace(
        recording,
        com_w_m=np.tile(recording.com_w_m[:1], (recording.frames, 1, 1)),
        segment_pos_w_m=np.tile(recording.segment_pos_w_m[:1], (recording.frames, 1, 1)),
        segment_quat_wxyz=np.tile(recording.segment_quat_wxyz[:1], (recording.frames, 1, 1)),
    )
    assert name_fall(upright) == "collapse"


@pytest.mark.parametrize(
    ("limits", "broken"),
    [
        (Limits(below=1.0), [True, False, False]),
        (Limits(above=1.0), [False, False, True]),
        (Limits(0.8, 1.5), [True, False, True]),
    ],
)
def test_limits_themselves_are_allowed(limits, broken):
    assert limits.are_broken(np.array([0.5, 1.0, 2.0])).tolist() == broken


def test_the_earliest_failure_counts_and_has_the_time_of_its_frame():
    recording = fall("biped7", 0.0)
    tilted = WatchRule("tilted", "tilt_rad", Limits(above=0.5), of="trunk")
    low = WatchRule("low", "com_height_m", Limits(below=0.0))
    late = WatchRule("very tilted", "tilt_rad", Limits(above=0.8), of="trunk")
    found = find_first((late, low, tilted), recording)
    assert found.name == "tilted" and found.at_s in recording.time_s
    assert find_first((low,), recording) is None


def test_what_is_watched_ends_a_trial_early(read):
    watched = read(more='[[failures]]\nname = "off"\nwatch = "com_speed_mps"\nabove = 0.3\n')
    trial = watched.trials[0]
    recording, failure = run_trial(watched, trial, VALUES)
    assert failure.name == "off" and 0.0 < failure.at_s < 1.0
    assert recording.time_s[-1] < failure.at_s + 0.26
    cost = evaluate_trial(watched, trial, VALUES)
    assert cost.failures == ("off",) and cost.failed_at_s == failure.at_s
    assert cost.cost == pytest.approx(100.0 * (2.0 - failure.at_s / 1.5))


def test_a_watch_that_sees_nothing_changes_no_bit(read):
    plain = evaluate(read(), VALUES)
    watched = evaluate(
        read(more='[[failures]]\nname = "high"\nwatch = "height_m"\nof = "trunk"\nabove = 9.0\n'), VALUES
    )
    assert watched.cost == plain.cost


def test_a_part_that_touches_the_ground_can_be_a_failure(read):
    touch = '[[failures]]\nname = "knee"\nwatch = "load_n"\nof = "left_shank"\nabove = 0.0\n'
    problem = read(("seconds = 1.5", "seconds = 3.0"), more=touch)
    assert evaluate(problem, VALUES).failures == ()
    foot = read(more=touch.replace("left_shank", "left_foot"))
    assert evaluate(foot, VALUES).failures == ("knee",)


def test_a_failure_that_is_judged_in_the_end_costs_its_weight_more(read):
    plain = evaluate(read(), VALUES)
    slow = evaluate(read(more='[[failures]]\nname = "too slow"\nmeasure = "speed_mps"\nbelow = 3.0\n'), VALUES)
    assert slow.failures == ("too slow",)
    for name, trial in slow.trials.items():
        assert trial.failed_at_s is None
        assert trial.cost == pytest.approx(plain.trials[name].cost + 100.0)
        assert trial.measured["speed_mps"] == plain.trials[name].measured["speed_mps"]


def test_two_rules_of_one_name_are_one_failure_and_what_they_look_at_is_kept(read):
    rules = """
[[failures]]
name = "out of range"
measure = "speed_mps"
above = 0.1
[[failures]]
name = "out of range"
measure = "distance_m"
above = 0.1
[[failures]]
name = "hops"
measure = "flight_share"
above = 1.0
"""
    trial = evaluate(read(more=rules), VALUES).trials["from rest"]
    assert trial.failures == ("out of range",)
    assert set(trial.measured) == {"speed_mps", "distance_m", "flight_share"}


def test_the_time_of_a_failure_is_a_term_that_failures_have_too(read):
    term = '[[objective]]\nmeasure = "time_of_failure_s"\nat_least = 1.5\nweight = 7.0\n'
    problem = read(more=term)
    problem = replace(problem, controller=problem.controller.with_values(LIMP), seconds=4.0)
    bare = replace(problem, terms=problem.terms[:1])
    trial = problem.trials[0]
    with_term, without = evaluate_trial(problem, trial, VALUES), evaluate_trial(bare, trial, VALUES)
    assert with_term.failed_at_s == without.failed_at_s < 4.0
    assert with_term.cost - without.cost == pytest.approx(7.0 * max(1.5 - with_term.failed_at_s, 0.0))
    assert with_term.measured == {"time_of_failure_s": with_term.failed_at_s}


def test_a_state_that_diverges_is_a_failure_of_its_own(read, monkeypatch):
    from poise.errors import DivergedError
    from poise.world.world import World

    def diverge(*_args, **_settings):
        raise DivergedError("not finite")

    problem = read()
    monkeypatch.setattr(World, "advance", diverge)
    assert evaluate(problem, VALUES).failures == ("diverged",)
