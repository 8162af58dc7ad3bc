"""Turns in flat arrays: the same as those of whole motions."""

import numpy as np
import pytest

from poise.kernels.turns import write_between, write_exp, write_log, write_product, write_rotated
from poise.motion import rotations


def _random_quats(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    a, b = (q / np.linalg.norm(q) for q in random.normal(size=(2, 4)))
    return a, b, random.normal(size=3)


@pytest.mark.parametrize("seed", range(5))
def test_products_and_turned_vectors(seed: int) -> None:
    a, b, v = _random_quats(seed)
    flat = np.concatenate([[9.0], a, b, v])
    out = np.zeros(6)
    write_product(flat, 1, flat, 5, out, 1)
    assert out[1:5] == pytest.approx(rotations.quat_multiply(a, b))
    write_between(flat, 1, flat, 5, out, 2)
    assert out[2:] == pytest.approx(rotations.quat_multiply(rotations.quat_conjugate(a), b))
    write_rotated(flat, 1, 1.0, flat, 9, out, 0)
    assert out[:3] == pytest.approx(rotations.quat_rotate(a, v))
    write_rotated(flat, 1, -1.0, out, 0, out, 0)
    assert out[:3] == pytest.approx(v)


@pytest.mark.parametrize("seed", range(5))
def test_logarithm_and_exponential_are_each_others_inverse(seed: int) -> None:
    a, _, v = _random_quats(seed)
    out = np.zeros(4)
    write_log(a, 0, out, 0)
    assert out[:3] == pytest.approx(rotations.quat_to_rotation_vector(a))
    write_exp(out, 0, 1.0, out, 0)
    assert abs(out @ a) == pytest.approx(1.0)
    small = 1e-15 * v
    write_exp(small, 0, 1.0, out, 0)
    assert out == pytest.approx([1.0, *(0.5 * small)])


def test_outputs_may_be_inputs() -> None:
    a, b, _ = _random_quats(7)
    flat = np.concatenate([a, b])
    write_product(flat, 0, flat, 4, flat, 0)
    assert flat[:4] == pytest.approx(rotations.quat_multiply(a, b))
