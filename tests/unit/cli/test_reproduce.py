"""`poise reproduce` and `poise claims`: what they print, keep and refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from poise.cli.app import app
from poise.reproduce import experiment

runner = CliRunner()


def test_a_quick_experiment_prints_its_rows() -> None:
    done = runner.invoke(app, ["reproduce", "bodies", "--quick"])
    assert done.exit_code == 0
    assert "coros-5-model-humanoid" in done.stdout
    assert "holds" in done.stdout


def test_results_are_kept_only_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = runner.invoke(app, ["reproduce", "bodies", "--quick", "--keep"])
    assert refused.exit_code == 2
    assert "error: reproduce: only full results are kept. Leave out --quick or --keep." in refused.stderr
    result = experiment.run_experiment(experiment.Experiment("one", "", lambda quick, seed: [ROW]))
    experiment.save_result(result, tmp_path)
    assert experiment.load_results(tmp_path) == [result]


ROW = experiment.Row("a-claim", "Coros10 §1", "It walks.", "1", "0", False, note="it does not")


def test_a_claim_that_does_not_hold_ends_with_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    from poise.reproduce import catalog

    failing = experiment.Experiment("failing", "always", lambda quick, seed: [ROW])
    monkeypatch.setattr(catalog, "EXPERIMENTS", (failing,))
    done = runner.invoke(app, ["reproduce", "--json", "-"])
    assert done.exit_code == 1
    assert json.loads(done.stdout)[0]["rows"][0]["holds"] is False


def test_an_unknown_experiment_is_named_with_its_neighbours() -> None:
    done = runner.invoke(app, ["reproduce", "bodis"])
    assert done.exit_code == 2
    assert "no experiment named 'bodis'" in done.stderr
    assert "Did you mean 'bodies'?" in done.stderr


def test_claims_come_from_the_project() -> None:
    done = runner.invoke(app, ["claims", "--json", "-"])
    assert done.exit_code == 0
    assert {r["experiment"] for r in json.loads(done.stdout)} >= {"bodies", "grounds"}


def test_a_damaged_result_is_told(tmp_path: Path) -> None:
    from poise.errors import FileFormatError

    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(FileFormatError, match="not a result"):
        experiment.load_results(tmp_path)
