"""Sums, products and functions that give the same bits everywhere."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from poise.kernels import fixed

SIZES = st.floats(-1e6, 1e6).filter(lambda v: v == 0.0 or abs(v) > 1e-6)
RANDOM = np.random.default_rng(5)


def test_a_sum_is_rounded_after_every_addition() -> None:
    # With the compensation of Python 3.12's own sum this would be 1.0.
    assert fixed.add_up([0.1] * 10) == 0.9999999999999999
    assert fixed.add_up(()) == 0.0


@given(SIZES, SIZES, SIZES)
def test_a_fused_product_is_rounded_once(a: float, b: float, c: float) -> None:
    assert fixed.fuse(a, b, c) == float(Fraction(a) * Fraction(b) + Fraction(c))


def test_a_fused_product_of_what_is_not_finite_is_what_it_would_be() -> None:
    assert fixed.fuse(math.inf, 2.0, 1.0) == math.inf
    assert math.isnan(fixed.fuse(math.nan, 2.0, 1.0))
    assert fixed.fuse(1e200, 1e200, 0.0) == math.inf


def test_products_agree_with_numpy() -> None:
    a, b = RANDOM.normal(size=(2, 3, 3))
    v, w = RANDOM.normal(size=(2, 3))
    np.testing.assert_allclose(fixed.multiply(a, b, a.T), a @ b @ a.T, rtol=1e-13)
    np.testing.assert_allclose(fixed.turn(a, v), a @ v, rtol=1e-13)
    np.testing.assert_allclose(fixed.turn_back(a, v), a.T @ v, rtol=1e-13)
    np.testing.assert_allclose([fixed.dot(v, w), fixed.norm(v)], [v @ w, np.linalg.norm(v)], rtol=1e-13)
    stack = RANDOM.normal(size=(4, 5, 3))
    np.testing.assert_allclose(fixed.contract(stack, a), stack @ a, rtol=1e-12)


def test_equations_are_solved() -> None:
    root = RANDOM.normal(size=(4, 6, 6))
    matrix, right = root @ root.swapaxes(1, 2) + np.eye(6), RANDOM.normal(size=(4, 6, 2))
    before = matrix.copy()
    np.testing.assert_allclose(matrix @ fixed.solve_definite(matrix, right), right, atol=1e-12)
    np.testing.assert_array_equal(matrix, before)
    for pair in (np.array([[1.0, 2.0], [3.0, -4.0]]), np.array([[0.0, 2.0], [3.0, 1.0]])):
        np.testing.assert_allclose(pair @ fixed.solve_pair(pair, np.array([0.3, 0.7])), [0.3, 0.7], atol=1e-15)


def test_functions_of_arrays_are_those_of_the_c_library() -> None:
    x, y = RANDOM.uniform(-1.0, 1.0, (2, 4, 3))
    assert fixed.arctan2(y, x).tolist() == [[math.atan2(b, a) for a, b in zip(*rows)] for rows in zip(x, y)]
    for ours, theirs in ((fixed.sin, math.sin), (fixed.arccos, math.acos), (fixed.exp, math.exp)):
        assert ours(x).tolist() == [[theirs(v) for v in row] for row in x.tolist()]
    assert math.isnan(fixed.arcsin(2.0)) and fixed.exp(1e4) == math.inf
