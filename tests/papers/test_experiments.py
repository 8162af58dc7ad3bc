"""A quick form of some experiments, from the same code as `poise reproduce`, beside the results that are kept."""

from __future__ import annotations

import pytest

from papers.sample import find_seed, find_size, pick
from poise.reproduce.catalog import EXPERIMENTS
from poise.reproduce.experiment import Experiment, load_results, run_experiment

SEED = find_seed()
#: Without those whose data is not here.
MEASURABLE = [experiment for experiment in EXPERIMENTS if not experiment.missing()]


@pytest.mark.parametrize("experiment", pick(MEASURABLE, find_size(len(MEASURABLE)), SEED), ids=lambda e: e.name)
def test_a_quick_run_agrees_with_the_kept_result(experiment: Experiment) -> None:
    kept = {r.experiment: r for r in load_results()}
    expected = {row.claim: row.holds for row in kept[experiment.name].rows}
    rows = run_experiment(experiment, quick=True).rows
    assert rows, "a quick form measures something"
    # What takes too long may be left out; and of what fails once in a hundred trials, a few say nothing.
    lost = {row.claim: row.measured for row in rows if expected.get(row.claim, True) and not row.holds}
    assert not lost, f"kept as holding, and does not in the sample of the seed {SEED}"
    assert {row.claim for row in rows} <= set(expected)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_a_result_is_kept(experiment: Experiment) -> None:
    kept = {r.experiment for r in load_results()}
    assert experiment.name in kept, f"run `poise reproduce {experiment.name} --keep` and commit its result"


def test_every_row_says_what_was_measured_and_why_if_it_does_not_hold() -> None:
    for result in load_results():
        assert not result.quick, f"{result.experiment}: a quick result was kept"
        for row in result.rows:
            assert row.measured and row.figure and row.says
            assert row.holds or row.note, f"{row.claim} does not hold and gives no reason"


def test_a_sample_is_the_same_for_the_same_seed_and_reaches_all_in_time() -> None:
    names = [f"experiment {k}" for k in range(12)]
    assert pick(names, 3, "a") == pick(names, 3, "a")
    assert set().union(*(pick(names, 3, str(seed)) for seed in range(60))) == set(names)
    assert pick(names, 12, "a") == names
