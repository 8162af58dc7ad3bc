"""Spaces: normalised coordinates and their bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.errors import InputError
from poise.optim.space import Space, Variable

SPACE = Space((Variable("hip_rad", -0.5, 1.0, 0.4, 0.1), Variable("dwell_s", 0.1, 0.3, 0.1, 0.02)))


def test_the_start_is_the_origin_and_a_spread_is_one():
    assert SPACE.decode([0.0, 0.0]) == {"hip_rad": 0.4, "dwell_s": 0.1}
    assert SPACE.decode([1.0, 2.0]) == pytest.approx({"hip_rad": 0.5, "dwell_s": 0.14})


def test_bounds_are_the_ranges():
    low, high = SPACE.bounds()
    assert low == pytest.approx([-9.0, 0.0])
    assert high == pytest.approx([6.0, 10.0])


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=2))
def test_decoded_values_are_always_in_range(point):
    for variable, value in zip(SPACE.variables, SPACE.decode(point).values(), strict=True):
        assert variable.low <= value <= variable.high


def test_encode_undoes_decode():
    point = np.array([-1.5, 3.0])
    assert SPACE.encode(SPACE.decode(point)) == pytest.approx(point)


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((1.0, 0.0, 0.5, 0.1), "variable x: low must be below high, got 1 and 0."),
        ((0.0, 1.0, 2.0, 0.1), "variable x: start is out of range, got 2.0. Allowed: 0 to 1."),
        (
            (0.0, 1.0, 0.5, 2.0),
            "variable x: spread must be above 0 and at most the width of the range, 1, got 2.",
        ),
    ],
)
def test_a_bad_variable_is_refused(numbers, text):
    with pytest.raises(InputError) as raised:
        Variable("x", *numbers)
    assert str(raised.value) == text


def test_an_empty_space_is_refused():
    with pytest.raises(InputError, match="search: nothing to vary"):
        Space(())


def test_a_name_that_stands_twice_is_refused():
    with pytest.raises(InputError, match="x is varied twice"):
        Space((Variable("x", 0, 1, 0.5, 0.1), Variable("x", 0, 1, 0.5, 0.1)))
