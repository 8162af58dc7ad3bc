"""The example of a controller of one's own runs, and the page about it shows what is in the file."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import poise
from poise.errors import NotFoundError

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "own_controller.py"
PILOT = ROOT / "examples" / "own_pilot.py"
CAST = ROOT / "examples" / "own_cast.py"


def test_it_squats_and_stays_on_its_feet() -> None:
    result = poise.run(str(EXAMPLE), seconds=8.0)
    assert not result.metrics.fallen and result.metrics.character == "biped7"
    height = result.recording.segment_pos_w_m[:, 0, 2]
    assert height.max() - height.min() > 0.1
    turns = np.flatnonzero(np.diff(np.sign(height - height.mean())) < 0)
    assert len(turns) == 4, "four squats of two seconds"


def test_its_parameters_can_be_set_without_units() -> None:
    result = poise.run(str(EXAMPLE), seconds=4.0, set={"knee": 0.4, "period": 1.0})
    height = result.recording.segment_pos_w_m[:, 0, 2]
    assert 0.005 < height.max() - height.min() < 0.1


def test_a_body_without_the_joints_is_refused() -> None:
    with pytest.raises(NotFoundError, match="no axis named 'left_ankle_pitch'"):
        poise.run(str(EXAMPLE), character="gym_humanoid", seconds=0.1)


def test_the_cast_walks_after_it_squatted(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(CAST))
    active, distance = re.fullmatch(r"(\w+): ([\d.]+) m in 10 s, on its feet\n", capsys.readouterr().out).groups()
    assert active == "walk" and 8.0 < float(distance) < 12.0


def test_the_page_shows_the_file() -> None:
    """Every block of the page that defines something stands in one of the files, line for line."""
    page = (ROOT / "docs" / "own-controller.md").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in (EXAMPLE, PILOT, CAST)]
    blocks = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    defining = [block for block in blocks if re.search(r"^(def|class|[A-Z]+ =)", block, re.MULTILINE)]
    assert len(defining) == 5
    for block in defining:
        assert any(block in source for source in sources)
