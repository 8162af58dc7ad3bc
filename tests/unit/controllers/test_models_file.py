"""Stores of models: what was saved comes back, and a damaged file is one clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.archives import save_archive
from poise.controllers.limit_cycle.models import ModelStore, load_models
from poise.errors import FileFormatError

RNG = np.random.default_rng(3)
GOOD = {"states": RNG.normal(size=(4, 25)), "nominals": RNG.normal(size=(4, 2)), "jacobians": np.zeros((4, 2, 2))}


def test_models_come_back_as_they_were(tmp_path: Path) -> None:
    ModelStore(**GOOD).save(tmp_path / "m.npz")
    loaded = load_models(tmp_path / "m.npz")
    for name, array in GOOD.items():
        assert np.array_equal(getattr(loaded, name), array)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"states": np.zeros((4, 24))}, "states must have the shape (4, 25), got (4, 24)."),
        ({"nominals": np.zeros((3, 2))}, "nominals must have the shape (4, 2), got (3, 2)."),
        ({"jacobians": np.full((4, 2, 2), np.inf)}, "jacobians must be finite."),
        ({"states": np.array("x")}, "states must have the shape (models, 25), got ()."),
        ({"more": np.zeros(1)}, "not a store of models, holds an entry 'more'."),
    ],
)
def test_models_that_do_not_fit_are_refused(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    save_archive(tmp_path / "m.npz", {**GOOD, **changes})
    with pytest.raises(FileFormatError) as error:
        load_models(tmp_path / "m.npz")
    assert error.value.reason == reason


def test_one_model_is_no_store(tmp_path: Path) -> None:
    save_archive(tmp_path / "m.npz", {name: array[:1] for name, array in GOOD.items()})
    with pytest.raises(FileFormatError, match="a store needs two models or more, got 1"):
        load_models(tmp_path / "m.npz")
