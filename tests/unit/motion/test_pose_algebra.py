"""The algebra of poses holds for any poses [Lee10 App. A and B]."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.errors import InputError
from poise.motion import pose_algebra as pa
from poise.motion.pose_algebra import Pose
from poise.motion.rotations import quat_normalize

SEEDS = st.integers(0, 2**32 - 1)
PARTS = st.floats(0.0, 1.0)


def draw(seed, count=3, joints=4):
    """Random poses, and their generator."""
    rng = np.random.default_rng(seed)
    return [Pose(rng.normal(size=3), quat_normalize(rng.normal(size=(joints, 4)))) for _ in range(count)]


def assert_same(a, b, tol=1e-9):
    assert a.root_pos_m == pytest.approx(b.root_pos_m, abs=tol)
    # q and -q are one turn.
    assert np.abs(np.sum(a.quats_wxyz * b.quats_wxyz, axis=-1)) == pytest.approx(1.0, abs=tol)


@given(SEEDS)
@settings(max_examples=50, deadline=None)
def test_adding_a_difference_gives_the_other_pose(seed):
    p1, p2, _ = draw(seed)
    assert_same(pa.compose(p2, pa.difference(p1, p2)), p1)


@given(SEEDS)
@settings(max_examples=50, deadline=None)
def test_the_difference_to_itself_is_nothing(seed):
    (p,) = draw(seed, 1)
    nothing = pa.difference(p, p)
    assert pa.log_pose(nothing) == pytest.approx(np.zeros((5, 3)), abs=1e-7)
    assert_same(pa.compose(p, nothing), p)


@given(SEEDS)
@settings(max_examples=50, deadline=None)
def test_turns_of_three_poses_can_be_put_together_either_way(seed):
    p1, p2, p3 = draw(seed)
    left, right = pa.compose(pa.compose(p1, p2), p3), pa.compose(p1, pa.compose(p2, p3))
    assert_same(left, right)


@given(SEEDS)
@settings(max_examples=50, deadline=None)
def test_exp_undoes_log(seed):
    (p,) = draw(seed, 1)
    assert_same(pa.exp_pose(pa.log_pose(p)), p)


@given(SEEDS, PARTS, PARTS)
@settings(max_examples=50, deadline=None)
def test_powers_of_a_turn_multiply(seed, a, b):
    (p,) = draw(seed, 1)
    assert_same(pa.power(pa.power(p, a), b), pa.power(p, a * b))
    assert pa.log_pose(pa.power(p, a)) == pytest.approx(a * pa.log_pose(p), abs=1e-7)


@given(SEEDS, PARTS)
@settings(max_examples=50, deadline=None)
def test_a_blend_begins_at_one_pose_and_ends_at_the_other(seed, part):
    p1, p2, _ = draw(seed)
    assert_same(pa.blend(p1, p2, 0.0), p1)
    assert_same(pa.blend(p1, p2, 1.0), p2)
    half = pa.log_pose(pa.difference(pa.blend(p1, p2, part), p1))
    assert half == pytest.approx(part * pa.log_pose(pa.difference(p2, p1)), abs=1e-7)


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_a_warped_fragment_begins_where_it_should_and_ends_as_it_was(seed):
    start, *frames = draw(seed, 9)
    poses = Pose(np.stack([p.root_pos_m for p in frames]), np.stack([p.quats_wxyz for p in frames]))
    warped = pa.warp_start(poses, start, pa.fall(np.linspace(0.0, 1.0, len(frames))))
    assert_same(Pose(warped.root_pos_m[0], warped.quats_wxyz[0]), start)
    assert_same(Pose(warped.root_pos_m[-1], warped.quats_wxyz[-1]), frames[-1])


def test_a_warp_needs_a_weight_a_frame():
    (p,) = draw(1, 1)
    with pytest.raises(InputError, match=r"weights: weights and poses must have the same length, got 2\."):
        pa.warp_start(Pose(p.root_pos_m[None], p.quats_wxyz[None]), p, np.array([1.0, 0.0]))


def test_transitions_rise_and_fall_smoothly():
    x = np.linspace(1.0, 4.0, 3001)
    s, r = pa.rise(x, 2.0, 3.0), pa.fall(x, 2.0, 3.0)
    assert (s[0], s[-1], r[0], r[-1]) == (0.0, 1.0, 1.0, 0.0)
    assert s + r == pytest.approx(1.0)
    assert pa.rise(2.5, 2.0, 3.0) == pytest.approx(0.5)
    assert np.diff(s).min() >= 0.0
    slope = np.gradient(s, x)
    assert slope[np.searchsorted(x, 2.0)] == pytest.approx(0.0, abs=2e-3)
    assert slope[np.searchsorted(x, 3.0)] == pytest.approx(0.0, abs=2e-3)
    assert slope.max() == pytest.approx(1.5, abs=1e-3)
    with pytest.raises(InputError, match="a transition must end after it starts"):
        pa.rise(0.0, 1.0, 1.0)
