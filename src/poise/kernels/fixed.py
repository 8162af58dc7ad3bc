"""Sums, products and functions that give the same bits on every installation.

Python's `sum` of floats is compensated since 3.12, and plain before. NumPy passes matrix products and solutions to a
BLAS that orders and fuses operations depending on the processor, and its arc tangents, exponentials and so on differ
between processors and releases. Builders of bodies and laws use these functions instead: a simulation amplifies a
difference in the last bit until, seconds later, a walk is a different one.

Only additions, multiplications, divisions and square roots of doubles, which IEEE 754 defines exactly, and the C
library's functions are used here. Products of small matrices are fused, `a·b + c` with one rounding, in the order in
which the shipped results were computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
Vector = Sequence[float] | FloatArray

#: Splits a double into two halves whose products are exact.
_SPLIT: Final = 2.0**27 + 1.0
#: Larger numbers would overflow when split.
_MAX_SPLIT: Final = 2.0**490


def add_up(values: Iterable[float]) -> float:
    """The sum of floats from left to right, each addition rounded."""
    total = 0.0
    for value in values:
        total = total + float(value)
    return total


def fuse(a: float, b: float, c: float) -> float:
    """a·b + c, rounded once."""
    product = a * b
    if not (abs(a) < _MAX_SPLIT and abs(b) < _MAX_SPLIT and abs(c) < _MAX_SPLIT):
        return product + c
    scaled = _SPLIT * a
    a_high = scaled - (scaled - a)
    a_low = a - a_high
    scaled = _SPLIT * b
    b_high = scaled - (scaled - b)
    b_low = b - b_high
    rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return math.fsum((product, rest, c))


def dot(a: Vector, b: Vector) -> float:
    """The inner product of two vectors, fused from left to right."""
    total = 0.0
    for x, y in zip(_floats(a), _floats(b), strict=True):
        total = fuse(x, y, total)
    return total


def norm(vector: Vector) -> float:
    """The length of one vector. `numpy.linalg.norm` with an axis needs no replacement: it adds plain squares."""
    return math.sqrt(dot(vector, vector))


def multiply(*matrices: FloatArray) -> FloatArray:
    """The product of small matrices, from left to right."""
    result = np.asarray(matrices[0], dtype=np.float64)
    for factor in matrices[1:]:
        columns = np.asarray(factor, dtype=np.float64).T.tolist()
        result = np.array([[dot(row, column) for column in columns] for row in result.tolist()])
    return result


def turn(matrix: FloatArray, vector: Vector) -> FloatArray:
    """matrix · vector; the second product of each row comes first, since the shipped results depend on it."""
    first, second, *others = _floats(vector)
    rows = np.asarray(matrix, dtype=np.float64).tolist()
    return np.array([dot((row[1], row[0], *row[2:]), (second, first, *others)) for row in rows])


def turn_back(matrix: FloatArray, vector: Vector) -> FloatArray:
    """matrixᵀ · vector: the inverse of `turn` for a rotation."""
    return np.array([dot(column, vector) for column in np.asarray(matrix, dtype=np.float64).T.tolist()])


def contract(a: FloatArray, b: FloatArray) -> FloatArray:
    """a @ b for arrays of any size, (..., n, k) and (..., k, m), summed plainly along k."""
    total = a[..., :, 0, None] * b[..., 0, None, :]
    for k in range(1, a.shape[-1]):
        total = total + a[..., :, k, None] * b[..., k, None, :]
    return total


def solve_definite(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """x with matrix · x = right, (..., n, n) and (..., n, m), for symmetric positive definite matrices.

    Elimination without pivoting, which such matrices do not need.
    """
    size = matrix.shape[-1]
    left, x = matrix.astype(np.float64), np.array(right, dtype=np.float64)
    for k in range(size - 1):
        factors = left[..., k + 1 :, k] / left[..., k, k, None]
        left[..., k + 1 :, k:] -= factors[..., None] * left[..., None, k, k:]
        x[..., k + 1 :, :] -= factors[..., None] * x[..., None, k, :]
    for k in reversed(range(size)):
        x[..., k, :] /= left[..., k, k, None]
        x[..., :k, :] -= left[..., :k, k, None] * x[..., None, k, :]
    return x


def solve_pair(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """x with matrix · x = right for two unknowns, by elimination with partial pivoting."""
    (a, b), (c, d) = matrix.tolist()
    e, f = right.tolist()
    if abs(c) > abs(a):
        a, b, e, c, d, f = c, d, f, a, b, e
    factor = c * (1.0 / a)
    second = fuse(-factor, e, f) / fuse(-factor, b, d)
    return np.array([fuse(-b, second, e) / a, second])


def sin(angles_rad: ArrayLike) -> FloatArray:
    """The C library's sine of every element."""
    return _map(math.sin, angles_rad)


def cos(angles_rad: ArrayLike) -> FloatArray:
    """The C library's cosine of every element."""
    return _map(math.cos, angles_rad)


def arcsin(sines: ArrayLike) -> FloatArray:
    """The C library's arc sine of every element."""
    return _map(math.asin, sines)


def arccos(cosines: ArrayLike) -> FloatArray:
    """The C library's arc cosine of every element."""
    return _map(math.acos, cosines)


def exp(values: ArrayLike) -> FloatArray:
    """The C library's exponential of every element."""
    return _map(math.exp, values)


def arctan2(y: ArrayLike, x: ArrayLike) -> FloatArray:
    """The C library's angle of every point (x, y)."""
    both = np.broadcast_arrays(np.asarray(y, dtype=np.float64), np.asarray(x, dtype=np.float64))
    values = map(math.atan2, both[0].ravel().tolist(), both[1].ravel().tolist())
    return np.array(list(values), dtype=np.float64).reshape(both[0].shape)


def _map(function: Callable[[float], float], values: ArrayLike) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    return np.array([_answer(function, value) for value in array.ravel().tolist()], dtype=np.float64).reshape(
        array.shape
    )


def _answer(function: Callable[[float], float], value: float) -> float:
    """The function's value; as in NumPy, nan if it is undefined, and infinity on overflow."""
    try:
        return function(value)
    except ValueError:
        return math.nan
    except OverflowError:
        return math.inf


def _floats(vector: Vector) -> Sequence[float]:
    return vector.tolist() if isinstance(vector, np.ndarray) else vector
