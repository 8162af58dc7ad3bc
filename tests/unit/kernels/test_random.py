"""The random numbers have the right mean and spread, and the state is all there is."""

from __future__ import annotations

import numpy as np
import pytest

from poise.kernels.random import next_normal, next_uniform


def test_uniform_numbers_fill_the_interval_evenly() -> None:
    state = np.array([1], dtype=np.uint64)
    numbers = np.array([next_uniform(state) for _ in range(20_000)])
    assert numbers.min() >= 0.0 and numbers.max() < 1.0
    counts = np.histogram(numbers, bins=20, range=(0.0, 1.0))[0]
    assert np.abs(counts - 1000).max() < 150


def test_normal_numbers_have_mean_zero_and_spread_one() -> None:
    state = np.array([2], dtype=np.uint64)
    numbers = np.array([next_normal(state) for _ in range(20_000)])
    assert numbers.mean() == pytest.approx(0.0, abs=0.03)
    assert numbers.std() == pytest.approx(1.0, abs=0.03)


def test_the_same_state_gives_the_same_numbers() -> None:
    state = np.array([3], dtype=np.uint64)
    next_uniform(state)
    kept = state.copy()
    assert [next_uniform(state) for _ in range(5)] == [next_uniform(kept) for _ in range(5)]
