"""Comparison and formatting of evaluation counts, for any search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np


class Counted(Protocol):
    """A finished search."""

    @property
    def evaluations(self) -> int: ...


def compute_gain(plain: Sequence[Counted], learned: Sequence[Counted]) -> float:
    """Ratio of the mean evaluations, as in the source."""
    return float(np.mean([r.evaluations for r in plain]) / np.mean([r.evaluations for r in learned]))


def describe_quartiles(values: Sequence[float], form: str = ".0f") -> str:
    """Text with the median and the quartiles."""
    low, middle, high = np.percentile(values, [25.0, 50.0, 75.0])
    return f"median {middle:{form}}, quartiles {low:{form}} to {high:{form}}"
