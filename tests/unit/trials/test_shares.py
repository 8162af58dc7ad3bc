"""The interval of a share: known values, coverage, and what it does with few or unanimous trials."""

from __future__ import annotations

import numpy as np
import pytest

from poise.trials.shares import compute_share_interval


def test_known_intervals() -> None:
    """Values of the Wilson score interval without continuity correction [Newcombe 1998, Table I]."""
    assert compute_share_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert compute_share_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert compute_share_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert compute_share_interval(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_it_is_the_mirror_image_for_the_opposite_property() -> None:
    low, high = compute_share_interval(3, 40)
    assert compute_share_interval(37, 40) == pytest.approx((1.0 - high, 1.0 - low))


def test_without_trials_nothing_is_known() -> None:
    assert compute_share_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("share", [0.6, 0.88, 0.97])
def test_it_contains_the_true_share_in_95_of_100_cases(share: float) -> None:
    counts = np.random.default_rng(5).binomial(256, share, 2000)
    bounds = [compute_share_interval(int(count), 256) for count in counts]
    held = np.mean([low <= share <= high for low, high in bounds])
    assert 0.93 < held < 0.975
