"""Runs that are looked at step by step: where they end, and what counts as a step."""

import numpy as np
import pytest

from poise.controllers.catalog import controller_names
from poise.errors import InputError
from poise.rollout.scene import Scene
from poise.trials.steady import PROBE_S
from poise.trials.step_run import RECORD_HZ, _StepCounter, run_steps
from poise.world.event_kinds import EventKind

WALK = "simbicon/planar-walk"
OPEN = Scene("limit-cycle/human-walk", values={"strategy": "open"})


def test_it_ends_with_the_strike_of_the_last_step() -> None:
    run = run_steps(Scene(WALK), steps=3)
    assert len(run.ends_s) == 3
    assert run.ends_s[-1] < run.recording.time_s[-1] < run.ends_s[-1] + 0.003
    assert np.diff(run.recording.time_s) == pytest.approx(1.0 / RECORD_HZ)
    longer = run_steps(Scene(WALK), seconds=1.5)
    assert longer.seconds == pytest.approx(1.5)
    assert longer.ends_s[:3] == run.ends_s
    assert run.describe(3) == f"3 steps in {run.seconds:.4g} s"


def test_whichever_comes_first_ends_it() -> None:
    run = run_steps(Scene(WALK), seconds=0.2, steps=50)
    assert (run.seconds, run.ends_s) == (pytest.approx(0.2), ())
    assert len(run_steps(Scene(WALK), seconds=20.0, steps=1).ends_s) == 1


def test_a_limit_cycle_says_itself_when_a_step_ends() -> None:
    run = run_steps(OPEN, steps=2)
    assert [step.number for step in run.balanced] == [1, 2]
    phases = run.recording.events_of(0, "phase")
    # A strike comes at another moment.
    assert run.ends_s == tuple(step.time_s for step in run.balanced)
    assert run.ends_s == pytest.approx([event.time_s for event in phases], abs=1e-3)
    assert run_steps(Scene(WALK), steps=1, seconds=2.0).balanced == ()


def test_a_fall_ends_it() -> None:
    run = run_steps(OPEN, steps=60)
    assert run.fell_at_s is not None and 1.0 < run.fell_at_s < 4.0
    assert run.seconds == pytest.approx(run.fell_at_s, abs=1e-2)
    assert run.recording.time_s[-1] <= run.fell_at_s
    assert run.describe(1) == f"1 step, fell at {run.fell_at_s:.2f} s"


def test_who_stands_is_not_waited_for() -> None:
    run = run_steps(Scene("walker/walk"), steps=5)
    assert (run.ends_s, run.fell_at_s) == ((), None)
    assert run.seconds == pytest.approx(PROBE_S)


def test_a_foot_that_bounces_makes_no_second_step() -> None:
    watch = _StepCounter(Scene(WALK).open())
    for body, count in ((4, 1), (4, 1), (7, 2), (4, 3), (4, 3)):
        watch.log.events += [np.array([0.1, EventKind.STRIKE, 0, body]), np.array([0.1, EventKind.LIFT, 0, 9])]
        assert watch.count() == count


def test_progress_goes_from_nothing_to_all() -> None:
    seen: list[float] = []
    run_steps(Scene(WALK), steps=4, progress=seen.append)
    assert seen == sorted(seen)
    assert 0.0 <= seen[0] < seen[-1] == 1.0


def test_ctrl_c_keeps_what_was_recorded() -> None:
    def press(part: float) -> None:
        raise KeyboardInterrupt

    run = run_steps(Scene(WALK), seconds=100.0, progress=press)
    assert run.interrupted
    assert 0.0 < run.seconds < 100.0 and run.recording.frames > 0


def test_only_limit_cycles_regulate() -> None:
    with pytest.raises(InputError) as caught:
        run_steps(Scene(WALK), seconds=1.0, balanced=True)
    known = ", ".join(name for name in controller_names() if name.startswith("limit-cycle/"))
    assert "limit-cycle/human-walk" in known
    assert str(caught.value) == (
        f"controller {WALK}: it does not regulate a variable from step to step. Controllers that do: {known}."
    )
