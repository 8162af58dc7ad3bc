"""`poise tune stroll`: settings are tried bias by bias, and a killed search tries none of them again."""

import json
import random
from pathlib import Path

import pytest

from poise.errors import InputError
from poise.reproduce.laszlo import stroll as module
from poise.reproduce.laszlo.stroll import Stroll, describe, draw, tune_stroll


@pytest.fixture
def asked(monkeypatch):
    """Trials that walk at all biases if their number is even."""
    asked = []

    def try_values(trial, values):
        asked.append(trial)
        if trial % 2:
            return Stroll(trial, values, falls_at=0.3)
        return Stroll(trial, values, None, 8.0, (0.1, 0.3), (0.2, 0.4))

    monkeypatch.setattr(module, "try_values", try_values)
    return asked


def test_every_setting_is_tried_and_written(tmp_path, asked):
    said = []
    rows, interrupted = tune_stroll(tmp_path / "s.json", "poise tune stroll", trials=3, workers=1, say=said.append)
    assert (asked, interrupted) == ([0, 1, 2], False)
    rng = random.Random(3)
    assert [row.values for row in rows] == [draw(rng) for _ in range(3)]
    written = json.loads((tmp_path / "s.json").read_text())
    assert [row["falls_at"] for row in written["trials"]] == [None, 0.3, None]
    assert said[1] == "trial 1: falls at 0.3" and said[0].endswith("settles in 8 steps, line 0.1 to 0.3")
    assert describe(Stroll(4, {"a": 1.0}, None, 2.0, None)) == "trial 4: a 1; settles in 2 steps, line none"
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]
    with pytest.raises(InputError) as error:
        tune_stroll(Path("s.toml"), "")
    assert str(error.value) == "poise tune stroll: the result is written to a .json file, got 's.toml'."


def test_an_interrupted_search_is_resumed(tmp_path, asked):
    def interrupt(text):
        if text.startswith("trial 1"):
            raise KeyboardInterrupt

    rows, interrupted = tune_stroll(tmp_path / "s.json", "", trials=4, workers=1, say=interrupt)
    assert interrupted and len(rows) >= 2
    rows, interrupted = tune_stroll(tmp_path / "s.json", "", trials=4, workers=1, resume=True)
    assert (asked, len(rows), interrupted) == ([0, 1, 2, 3], 4, False)
