"""The mean stride and the distance of two walks, on walks that go by formula."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.errors import InputError
from poise.measures.stride import SAMPLES_PER_STEP, mean_stride, style_distance
from poise.recordings.recording import Recording
from synthetic_walks import STEP_S, make_walk


def bent(walk: Recording, axis: str, by_rad: float) -> Recording:
    """The same walk with one joint bent further."""
    angles = walk.joint_q_rad.copy()
    angles[:, walk.characters[0].axis_names.index(axis)] += by_rad
    return replace(walk, joint_q_rad=angles)


def test_a_stride_begins_with_the_left_foot_and_has_two_halves_of_equal_length() -> None:
    walk = make_walk(seconds=4.0)
    stride = mean_stride(walk)
    names = walk.characters[0].axis_names
    assert stride.shape == (2 * SAMPLES_PER_STEP, len(names))
    left = [k for k, n in enumerate(names) if n.startswith("left_")]
    right = [names.index(names[k].replace("left_", "right_")) for k in left]
    # The walk is its own mirror image half a stride later.
    swapped = np.roll(stride, SAMPLES_PER_STEP, axis=0)
    np.testing.assert_allclose(stride[:, left], swapped[:, right], atol=0.02)


def test_a_walk_has_no_distance_from_itself_whenever_it_is_looked_at() -> None:
    walk = make_walk(seconds=6.0)
    assert style_distance(walk, walk) == 0.0
    other_half = np.mean(np.abs(mean_stride(walk, start_s=1.0) - mean_stride(walk, start_s=1.0 + STEP_S)))
    assert other_half < 0.01


def test_the_distance_is_the_mean_over_the_joints_and_the_same_both_ways() -> None:
    walk = make_walk(seconds=6.0)
    other = bent(walk, "left_knee_pitch", 0.3)
    want = 0.3 / len(walk.characters[0].axes)
    assert style_distance(walk, other) == pytest.approx(want)
    assert style_distance(other, walk) == pytest.approx(want)


def test_a_fall_is_left_out() -> None:
    walk, fallen = make_walk(seconds=6.0), make_walk(seconds=6.0, falls_at_s=4.0)
    rubbish = fallen.joint_q_rad.copy()
    rubbish[fallen.time_s > 4.0] = 3.0
    assert style_distance(walk, replace(fallen, joint_q_rad=rubbish)) < 0.01


def test_a_run_without_a_stride_says_so() -> None:
    with pytest.raises(InputError, match=r"no whole stride after 100 s, got 0 foot strikes\. A run must have"):
        mean_stride(make_walk(), start_s=100.0)


def test_bodies_with_other_joints_cannot_be_compared() -> None:
    walk = make_walk(seconds=6.0)
    other = replace(walk, characters=(load_character("biped7"),))
    with pytest.raises(InputError) as caught:
        style_distance(walk, other)
    assert str(caught.value) == (
        "style distance: both runs must be of bodies with the same joints, got synthetic and biped7."
    )
