"""`poise bench`, `poise check`: what they call, print and end with."""

import json
from collections.abc import Callable
from typing import Any

import pytest

FIGURES: dict[str, Any] = {
    "cost_of_control": {
        "biped7": {"controller": "walk", "ratio": 1.1, "closed_us_per_tick": 11.0, "bare_us_per_tick": 10.0}
    },
    "threads": {"ratio": 1.5, "one_s": 0.3, "two_s": 0.2},
    "realtime_factor": {"biped7": {"0.0005": 20.5}},
    "crowd": {
        "count": 16, "character": "humanoid", "timestep_s": 0.001, "controller": "walker/walk", "ratio": 1.2,
        "slowest_second": 1.0, "contacts_between": 3,
    },
    "optimisers": {"cma-c": {"ratio": 0.001, "first_ms": 5.0, "last_ms": 8.0, "generations": 200}},
    "setup": {"biped7_s": 0.005},
}  # fmt: skip


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Which benchmarks were run: quick or not."""
    calls: list[bool] = []

    def run_benchmarks(quick: bool = False, progress: Callable[[float], None] | None = None) -> dict[str, Any]:
        print("measuring")
        calls.append(quick)
        return FIGURES

    monkeypatch.setattr("poise.benchmarks.run_benchmarks", run_benchmarks)
    return calls


def test_bench_prints_a_table(poise, benchmarks: list[bool]) -> None:
    result = poise("bench")
    assert (result.exit_code, benchmarks) == (0, [False])
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "cost of control, biped7 with walk 1.10 (11.0 over 10.0 µs a tick) at most 1.25" in rows
    assert "two threads over one 1.50 (0.30 over 0.20 s) at least 1.8 !" in rows


def test_bench_gives_json_alone(poise, benchmarks: list[bool]) -> None:
    result = poise("bench", "--quick", "--json", "-")
    assert (result.exit_code, benchmarks) == (0, [True])
    assert json.loads(result.stdout) == FIGURES


@pytest.mark.parametrize(("symmetric", "code"), [(True, 0), (False, 1)])
def test_check_fails_if_one_check_does(poise, monkeypatch: pytest.MonkeyPatch, symmetric: bool, code: int) -> None:
    from poise.checking import CheckResult

    def check_controller(
        name: str, character: str | None = None, *, ground: str | None = None, progress: Any = None
    ) -> list[CheckResult]:
        assert (name, character, ground) == ("mine.py", "biped7", None)
        return [
            CheckResult("finite", passed=True, skipped=False, detail="10 s"),
            CheckResult("symmetric", passed=symmetric, skipped=False, detail="off by [0.1]"),
            CheckResult("mirrored", passed=True, skipped=True, detail="not said to be"),
        ]

    monkeypatch.setattr("poise.checking.check_controller", check_controller)
    result = poise("check", "controller", "mine.py", "--character", "biped7")
    assert result.exit_code == code
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["finite", "passed", "10", "s"] in rows
    assert ["symmetric", "passed" if symmetric else "FAILED", "off", "by", "[0.1]"] in rows
    assert ["mirrored", "skipped", "not", "said", "to", "be"] in rows
