"""The samples of the graph of skills: a damaged file is one clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.archives import save_archive
from poise.errors import FileFormatError
from poise.skills.graph import LIBRARY, SAMPLES, load_samples

GOOD = {
    "moments/walk": np.zeros((3, 5), dtype=np.float32),
    "moments/run": np.ones((2, 5), dtype=np.float32),
    "arrived/walk/run": np.array([1, 0, 1], dtype=np.uint8),
}


def test_samples_come_back_as_numbers(tmp_path: Path) -> None:
    save_archive(tmp_path / "g.npz", GOOD)
    moments, outcomes = load_samples(tmp_path / "g.npz")
    assert list(moments) == ["walk", "run"] and list(outcomes) == [("walk", "run")]
    assert outcomes["walk", "run"].dtype == float and outcomes["walk", "run"].tolist() == [1.0, 0.0, 1.0]


def test_the_library_has_moments_for_every_outcome() -> None:
    moments, outcomes = load_samples(LIBRARY / SAMPLES)
    assert len(moments) > 100 and len(outcomes) > 1000


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"moments/walk": np.zeros((3, 4))}, "moments/run must have the shape (any, 4), got (2, 5)."),
        ({"moments/walk": np.full((3, 5), np.nan)}, "moments/walk must be finite."),
        ({"arrived/walk/run": np.array([1, 2, 0])}, "arrived/walk/run must lie in 0 to 1."),
        ({"arrived/walk": np.array([1])}, "not a graph of skills, holds an entry 'arrived/walk'."),
        ({"other": np.zeros(1)}, "not a graph of skills, holds an entry 'other'."),
        ({"arrived/walk/run": np.array([1])}, "is damaged, has 1 outcomes of run for 3 moments of walk."),
    ],
)
def test_samples_that_do_not_fit_are_refused(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    save_archive(tmp_path / "g.npz", {**GOOD, **changes})
    with pytest.raises(FileFormatError) as error:
        load_samples(tmp_path / "g.npz")
    assert error.value.reason == reason
