"""Pushes at every direction and phase: exact, the same for any number of threads, and honest about what falls."""

from __future__ import annotations

import _thread
from collections.abc import Callable
from dataclasses import replace

import pytest

from poise.api import run_scene
from poise.errors import InputError, NotFoundError
from poise.rollout.scene import Scene
from poise.trials import PushMatrix, PushTest, push_limits, push_matrix, push_train
from poise.world.world import Push

WALK = Scene("simbicon/planar-walk")
BOTH = (0.0, 180.0)
SHORT = PushTest(BOTH, 2, settle_s=2.0, after_s=2.0)


@pytest.fixture(scope="module")
def matrix() -> PushMatrix:
    return push_matrix(WALK, [300.0, 5000.0], SHORT)


def test_small_pushes_are_survived_and_huge_ones_not(matrix: PushMatrix) -> None:
    assert len(matrix.outcomes) == 2 * 2 * 2
    assert all(o.survived == (o.force_n == 300.0) for o in matrix.outcomes)
    assert matrix.survived == 4
    assert (matrix.share(300.0, 0.0), matrix.share(5000.0, 0.0), matrix.share(1.0, 0.0)) == (1.0, 0.0, None)
    assert matrix.outcome(300.0, 0.0, 0.25) is None
    assert matrix.step_s == pytest.approx(0.356, abs=0.02)


def test_a_trial_is_the_run_with_that_push(matrix: PushMatrix) -> None:
    """From the snapshot at the foot strike it continues with the same bits as a run from the beginning."""
    outcome = matrix.outcome(5000.0, 180.0, 0.5)
    assert outcome is not None and outcome.fell_after_s is not None and matrix.step_s is not None
    strikes = [e for e in run_scene(WALK, 4.0).recording.events_of(0, "strike") if e.time_s >= 2.0]
    start_s = strikes[0].time_s + 0.5 * matrix.step_s
    pushed = replace(WALK, pushes=[Push(5000.0, 180.0, start_s, 0.1)])
    fell_at_s = run_scene(pushed, 5.0).metrics.fell_at_s
    assert fell_at_s == pytest.approx(start_s + outcome.fell_after_s, abs=1e-12)


def test_the_number_of_threads_changes_nothing(matrix: PushMatrix) -> None:
    assert push_matrix(WALK, [300.0, 5000.0], SHORT, workers=1).outcomes == matrix.outcomes


def test_settings_say_how_to_do_it_again(matrix: PushMatrix) -> None:
    assert matrix.settings["controller"] == "simbicon/planar-walk"
    assert matrix.settings["duration_s"] == 0.1
    assert matrix.settings["phases"] == (0.0, 0.5)
    assert {"seed", "poise", "timestep_s", "parameters"} <= set(matrix.settings)


def test_a_limit_lies_between_what_was_survived_and_what_was_not() -> None:
    limits = push_limits(WALK, replace(SHORT, phases=(0.5,)), guess_n=500.0, tolerance_n=100.0)
    assert [limit.direction_deg for limit in limits.limits] == list(BOTH)
    for limit in limits.limits:
        assert limit.fails_n is not None
        assert 0.0 < limit.fails_n - limit.limit_n <= 100.0
        assert limit.weakest_phase == 0.5
    assert limits.least_n == min(limit.limit_n for limit in limits.limits)
    again = push_matrix(WALK, [limits.limits[0].limit_n], replace(SHORT, directions=(0.0,), phases=(0.5,)))
    assert again.survived == 1


def test_where_nothing_fells_it_no_limit_is_found() -> None:
    """A body in a plane feels no push from the side."""
    limits = push_limits(WALK, PushTest((90.0,), 1, settle_s=1.0, after_s=0.1))
    assert (limits.limits[0].limit_n, limits.limits[0].fails_n) == (20_000.0, None)


def test_a_train_counts_the_pushes_before_the_fall() -> None:
    test = PushTest((180.0,), duration_s=0.2, settle_s=1.0, after_s=1.0)
    trains = push_train(WALK, [50.0, 3000.0], test, repeat=3, every_s=1.5)
    gentle, hard = trains.outcomes
    assert (gentle.survived, gentle.survived_pushes) == (True, 3)
    assert not hard.survived and hard.survived_pushes == 0
    assert trains.survived == 1


def test_who_stands_has_no_phases() -> None:
    standing = Scene("pose/hold", "biped7", values={"stiffness": 3.0})
    assert not run_scene(standing, 7.0).metrics.fallen
    matrix = push_matrix(standing, [1.0], PushTest((0.0,), 6, settle_s=0.5, after_s=0.5))
    assert (matrix.step_s, matrix.phases, len(matrix.outcomes)) == (None, (0.0,), 1)


@pytest.mark.parametrize(
    ("attempt", "kind", "text"),
    [
        (lambda: push_matrix(WALK, []), InputError, "push test: at least one force is needed."),
        (
            lambda: push_matrix(WALK, [-1.0]),
            InputError,
            "push test: force_n is out of range, got -1.0 N. Allowed: 0.001 to 100000 N.",
        ),
        (
            lambda: PushTest(directions=0),
            InputError,
            "push test: number of directions is out of range, got 0. Allowed: 1 to 360.",
        ),
        (
            lambda: PushTest(duration_s=-1.0),
            InputError,
            "push test: duration_s is out of range, got -1.0 s. Allowed: 0 to 1000 s.",
        ),
        (
            lambda: push_matrix(WALK, [1.0], PushTest(segment="left_fot")),
            NotFoundError,
            "segment: no segment named 'left_fot'. Known here: trunk, left_thigh, left_shank, left_foot, right_thigh, "
            "right_shank, right_foot. Did you mean 'left_foot'?",
        ),
        (
            lambda: push_train(WALK, [1.0], repeat=100),
            InputError,
            "push train: repeat is out of range, got 100. Allowed: 1 to 64.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(attempt: Callable[[], object], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        attempt()
    assert str(caught.value) == text


def test_who_falls_unpushed_is_not_pushed() -> None:
    limp = replace(WALK, values={"torso_kp": 0.0})
    with pytest.raises(InputError, match=r"^controller simbicon/planar-walk: it falls at .* s without a push"):
        push_matrix(limp, [100.0])


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_keeps_what_was_tried() -> None:
    def interrupt(part: float) -> None:
        if part > 0.2:
            _thread.interrupt_main()

    test = replace(SHORT, phases=10)
    matrix = push_matrix(WALK, [300.0], test, progress=interrupt, workers=1)
    assert matrix.interrupted
    assert 0 < len(matrix.outcomes) < 20
