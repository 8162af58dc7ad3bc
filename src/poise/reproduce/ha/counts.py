"""How evaluations of searches are compared and told, whatever was searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np


class Counted(Protocol):
    """A search that is over."""

    @property
    def evaluations(self) -> int: ...


def compute_gain(plain: Sequence[Counted], learned: Sequence[Counted]) -> float:
    """Mean evaluations over mean evaluations, as in the source."""
    return float(np.mean([r.evaluations for r in plain]) / np.mean([r.evaluations for r in learned]))


def describe_quartiles(values: Sequence[float], form: str = ".0f") -> str:
    """The median and the quartiles beside it."""
    low, middle, high = np.percentile(values, [25.0, 50.0, 75.0])
    return f"median {middle:{form}}, quartiles {low:{form}} to {high:{form}}"
