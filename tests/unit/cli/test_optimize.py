"""`poise optimize`: what it calls, prints and ends with."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from poise.cli.searching import Pace

PROBLEM = """\
controller = "simbicon/planar-walk"
description = "a quicker first step"
seconds = 1.0
settle_s = 0.2

[search]
generations = 2
population = 4
seed = 3

[vary]
lift_duration_s = { low = 0.2, high = 0.4 }

[[objective]]
measure = "speed_mps"
near = 0.8

[[trials]]
name = "undisturbed"

[check]
seconds = 1.0
"""


def test_optimize_searches_and_says_what_it_found(poise) -> None:
    Path("quick.toml").write_text(PROBLEM)
    result = poise("optimize", "quick.toml", "--workers", "1", "--json", "a.json")
    assert result.exit_code == 0, result.stderr
    lines = result.stderr.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["generation 1 of 2", "generation 2 of 2"]
    assert "lift_duration_s" in result.stdout
    figures = json.loads(Path("a.json").read_text())
    assert (figures["generations"], figures["evaluations"], figures["interrupted"]) == (2, 8, False)
    assert Path(figures["controller_path"]).is_file()
    assert (figures["algorithm"], figures["stopped_by"], figures["failures"]) == ("cma-es", "evaluations", {})
    assert figures["evaluations_per_s"] > 0.0


def test_optimize_that_was_interrupted_says_how_to_go_on(poise, monkeypatch: pytest.MonkeyPatch) -> None:
    found = SimpleNamespace(
        values={"speed": 1.0}, cost=1.0, generations=3, evaluations=12, check={}, controller_path=Path("f/a.toml"),
        algorithm="cma-c", stopped_by="interrupted", failures={"fall forward": 4}, skill=None, tasks=(),
        evaluations_per_s=2.0, interrupted=True, resume_hint="poise optimize a.toml --resume f",
    )  # fmt: skip
    asked: dict[str, Any] = {}

    def search(problem: str, *, progress: Callable[..., None], **settings: Any) -> SimpleNamespace:
        asked.update(problem=problem, **settings)
        return found

    monkeypatch.setattr("poise.search.optimize", search)
    result = poise(
        "optimize",
        "a.toml",
        "--resume",
        "f",
        "--workers",
        "3",
        "--seed",
        "5",
        "--algorithm",
        "cma-c",
        "--ground",
        "firm",
    )
    assert (result.exit_code, result.stderr) == (
        130,
        "interrupted. The best so far is written. Resume it with: poise optimize a.toml --resume f\n",
    )
    assert asked.pop("say")
    assert asked == {
        "problem": "a.toml", "resume": "f", "workers": 3, "seed": 5, "out": None,
        "algorithm": "cma-c", "processes": False, "cluster": None, "cluster_keys": None, "ground": "firm",
    }  # fmt: skip
    assert "fall forward 4" in result.stdout and "by cma-c" in result.stdout


def test_optimize_refuses_what_makes_no_sense(poise) -> None:
    text = "error: --workers: the number is out of range, got 0. Allowed: 1 to 1024.\n"
    assert poise("optimize", "a.toml", "--workers", "0").stderr == text
    text = "error: --cluster: a cluster brings its own workers. Leave out --workers and --processes.\n"
    assert poise("optimize", "a.toml", "--cluster", "tcp://127.0.0.1:1", "--processes").stderr == text
    text = "error: --cluster-keys: keys without a cluster. Give its address with --cluster.\n"
    assert poise("optimize", "a.toml", "--cluster-keys", "keys").stderr == text
    text = "error: --resume: a search continues in its own folder. Leave out --out.\n"
    assert poise("optimize", "a.toml", "--resume", "f", "--out", "g").stderr == text
    missing = poise("optimize", "a.toml")
    assert (missing.exit_code, missing.stderr) == (2, "error: a.toml: no such file.\n")


def test_the_pace_leaves_out_the_first_generation_and_what_was_done_before() -> None:
    times = iter([0.0, 10.0, 12.0, 14.0])
    pace = Pace(lambda: next(times))
    assert pace.describe(24, 8, 64, 2.5) == "best cost 2.5, 0.8 evaluations/s, at most 0:00:50 left"
    assert pace.describe(32, 8, 64, 1.5) == "best cost 1.5, 4 evaluations/s, at most 0:00:08 left"
    assert pace.describe(64, 8, 64, 1.0) == "best cost 1, 10 evaluations/s, at most 0:00:00 left"


def test_algorithms_that_are_not_known_are_refused_with_those_that_are(poise) -> None:
    Path("quick.toml").write_text(PROBLEM)
    result = poise("optimize", "quick.toml", "--algorithm", "cmaes")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: search: no algorithm named 'cmaes'. Known here: cma-es, cma-c, one-plus-one, direct, parametric. "
        "Did you mean 'cma-es'?\n",
    )
    assert not Path("out").exists()
