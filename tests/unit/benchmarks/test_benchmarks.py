"""What is measured is what is claimed; how fast it is belongs to `poise bench`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from poise.benchmarks import format_report, make_rows, run_benchmarks
from poise.benchmarks.control_cost import ReplayedRun
from poise.benchmarks.scenes import SUBJECTS, open_subject
from poise.errors import PoiseError
from poise.world.physics import addresses
from poise.world.replay import replay


@pytest.mark.parametrize("character", list(SUBJECTS))
def test_the_replay_is_the_same_physics_to_the_last_bit(character: str) -> None:
    run = ReplayedRun(open_subject(character), 600)
    # Both raise if they end in another state than the recorded one.
    assert run.time_closed() > 0.0
    assert run.time_bare() > 0.0


def test_a_replay_of_other_torques_is_noticed() -> None:
    run = ReplayedRun(open_subject("biped7"), 50)
    run.replay.forces[10] += 1.0
    with pytest.raises(PoiseError, match="bench: the replay of biped7 did not end in the recorded state"):
        run.time_bare()


def test_replaying_nothing_changes_nothing() -> None:
    world = open_subject("biped7")
    before, empty = world.data.qpos.copy(), np.zeros((0, world.model.nv))
    base = np.array(world.model.dof_damping)
    at = addresses(world.model, world.data)
    replay(at, base, world.model.dof_damping, world.data.qfrc_applied, empty, empty)
    assert np.array_equal(world.data.qpos, before)


def test_results_are_plain_data_with_a_row_for_each_figure() -> None:
    done: list[float] = []
    results = run_benchmarks(quick=True, progress=done.append)
    assert json.loads(json.dumps(results)) == results
    assert done == sorted(done) and done[-1] == 1.0
    assert set(results["cost_of_control"]) == set(results["realtime_factor"]) == set(SUBJECTS)
    rows = list(make_rows(results))
    assert len(rows) == 2 + 1 + 6 + 1 + 4 + 4 + 2
    report = format_report(results)
    assert all(name in report for name, _, _ in rows)


def test_a_missed_target_is_marked() -> None:
    cost = {"ratio": 1.3, "closed_us_per_tick": 13.0, "bare_us_per_tick": 10.0, "controller": "c"}
    threads = {"ratio": 1.9, "one_s": 1.9, "two_s": 1.0}
    crowd = {
        "ratio": 0.9, "slowest_second": 0.8, "contacts_between": 3, "count": 16, "character": "humanoid",
        "timestep_s": 0.001, "controller": "c",
    }  # fmt: skip
    slow = {"ratio": 0.06, "first_ms": 100.0, "last_ms": 480.0}
    results = {
        "cost_of_control": {"b": cost}, "threads": threads, "realtime_factor": {}, "crowd": crowd,
        "optimisers": {"o": slow}, "setup": {},
    }  # fmt: skip
    targets = ["at most 1.25 !", "at least 1.8", "at least 1 !", "at most 0.05 !"]
    assert [row[2] for row in make_rows(results)] == targets
