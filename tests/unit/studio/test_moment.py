"""The history keeps half a minute and no more, and finds what is asked of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.studio.moment import History, Moment
from poise.world.world import Snapshot


def make_moment(time_s: float) -> Moment:
    return Moment(
        time_s=time_s,
        pose=np.zeros((1, 7)),
        pushes=np.zeros((0, 6)),
        com_w_m=(0.0, 0.0, 1.0),
        speed_mps=2.0 * time_s,
    )


def fill(history: History, count: int) -> None:
    for k in range(count):
        history.add(make_moment(k * history.step_s), Snapshot(np.array([float(k)]), {}, (), ()))


def test_it_keeps_the_last_half_minute() -> None:
    history = History()
    fill(history, 1000)
    assert len(history) == 601
    assert history.oldest_s == pytest.approx(999 * 0.05 - 30.0)


@given(st.integers(1, 80), st.floats(-1.0, 6.0))
def test_it_finds_the_nearest_moment_that_is_not_much_later(count: int, time_s: float) -> None:
    history = History(span_s=2.0)
    fill(history, count)
    found = history.find(time_s)
    assert found is not None and found.snapshot is not None
    oldest_s, newest_s = history.oldest_s, (count - 1) * history.step_s
    assert oldest_s is not None
    wanted = min(max(time_s, oldest_s), newest_s)
    assert abs(found.time_s - wanted) <= 0.5 * history.step_s + 1e-9


def test_an_empty_history_finds_nothing() -> None:
    history = History()
    assert history.find(1.0) is None
    assert history.oldest_s is None


def test_what_lies_after_a_moment_can_be_forgotten() -> None:
    history = History()
    fill(history, 10)
    history.forget_after(0.2)
    assert len(history) == 5
    last = history.find(99.0)
    assert last is not None and last.time_s == pytest.approx(0.2)
