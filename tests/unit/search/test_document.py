"""docs/optimize.md stays true: its problems can be read, and it names every measure, signal, rule and algorithm."""

import re
from pathlib import Path

import pytest

from poise.measures.catalog import NAMES
from poise.measures.failures import BACKWARD, COLLAPSE, DIVERGED, FORWARD, SIDEWAYS
from poise.measures.signals import PART_SIGNALS, SIGNALS
from poise.search import read_problem
from poise.search.algorithms import ALGORITHMS

DOCUMENT = (Path(__file__).parents[3] / "docs" / "optimize.md").read_text(encoding="utf-8")
WHOLE, FAILURES, TASK, SKILL = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)


def read(tmp_path, text):
    (tmp_path / "p.toml").write_text(text)
    return read_problem(tmp_path / "p.toml")


def test_its_problems_can_be_read(tmp_path):
    problem = read(tmp_path, WHOLE)
    assert len(problem.space) == 3 and len(problem.trials) == 2 and problem.stop.stagnation == 320
    rules = read(tmp_path, WHOLE + FAILURES)
    assert len(rules.end_rules) == 2 and len(rules.watch_rules) == 1
    family = read(tmp_path, WHOLE.replace('algorithm = "cma-es"', "") + TASK)
    assert family.algorithm == "parametric" and family.task.degree == 3


@pytest.mark.parametrize(
    "name",
    [*NAMES, *SIGNALS, *PART_SIGNALS, *ALGORITHMS, COLLAPSE, FORWARD, BACKWARD, SIDEWAYS, DIVERGED],
)
def test_every_name_is_explained(name):
    assert f"`{name}`" in DOCUMENT


def test_its_skill_is_what_is_read(tmp_path):
    from poise.search.skills import load_skill

    (tmp_path / "s.toml").write_text(SKILL)
    assert load_skill(tmp_path / "s.toml")(0.65) == pytest.approx({"lift_swing_hip_rad": 0.37})
