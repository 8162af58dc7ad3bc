"""A quick form of each experiment, from the same code as `poise reproduce`, beside the results that are kept."""

from __future__ import annotations

import pytest

from poise.reproduce.catalog import EXPERIMENTS
from poise.reproduce.experiment import Experiment, load_results, run_experiment


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_a_quick_run_agrees_with_the_kept_result(experiment: Experiment) -> None:
    kept = {r.experiment: r for r in load_results()}
    assert experiment.name in kept, "run `poise reproduce` and keep its result"
    expected = {row.claim: row.holds for row in kept[experiment.name].rows}
    found = {row.claim: row.holds for row in run_experiment(experiment, quick=True).rows}
    assert found == expected
    missed = [claim for claim, holds in found.items() if claim.startswith("poise-") and not holds]
    assert not missed, "what we ask of ourselves must hold"


def test_every_row_says_what_was_measured_and_why_if_it_does_not_hold() -> None:
    for result in load_results():
        assert not result.quick, f"{result.experiment}: a quick result was kept"
        for row in result.rows:
            assert row.measured and row.figure and row.says
            assert row.holds or row.note, f"{row.claim} does not hold and gives no reason"
