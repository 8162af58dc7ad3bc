"""Records name the numbers of flat arrays, in Python and in compiled code."""

from __future__ import annotations

import numpy as np
import pytest

from poise.kernels.jit import law
from poise.kernels.records import make_record, place, size_of

RECORD = make_record("state", ("gain", 2), ("table", (2, 3)), "steps")


@law
def advance(numbers):
    """Changes fields of the record that begins at the second number."""
    m = numbers[1:11].view(RECORD)[0]
    m.steps += m.gain[1]
    m.table[1, 2] = m.state


def test_a_record_is_a_view_of_the_numbers() -> None:
    numbers = np.arange(12.0)
    advance(numbers)
    m = numbers[1:11].view(RECORD)[0]
    assert (m.state, m.steps, m.gain.tolist()) == (1.0, 13.0, [2.0, 3.0])
    assert m.table.tolist() == [[4.0, 5.0, 6.0], [7.0, 8.0, 1.0]]
    m.state = -1.0
    assert numbers[1] == -1.0


def test_places_and_sizes_count_numbers() -> None:
    assert size_of(RECORD) == 10
    assert [place(RECORD, name) for name in ("state", "gain", "table", "steps")] == [0, 1, 3, 9]


def test_names_that_numpy_hides_are_refused() -> None:
    with pytest.raises(AssertionError, match="NumPy's own attributes would hide these fields"):
        make_record("size", "steps")
