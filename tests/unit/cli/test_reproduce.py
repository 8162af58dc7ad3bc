"""`poise reproduce` and `poise claims`: what they print, keep and refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from poise.cli.app import app
from poise.reproduce import experiment

runner = CliRunner(env={"COLUMNS": None, "NO_COLOR": "1"})


def test_a_quick_experiment_prints_its_rows() -> None:
    done = runner.invoke(app, ["reproduce", "bodies", "--quick"])
    assert done.exit_code == 0
    assert "coros-5-model-humanoid" in done.stdout
    assert "holds" in done.stdout


def test_results_are_kept_only_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = runner.invoke(app, ["reproduce", "bodies", "--quick", "--keep"])
    assert refused.exit_code == 2
    assert "error: poise reproduce: only full results are kept. Leave out --quick or --keep." in refused.stderr
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


def test_a_claim_id_runs_its_experiment_and_shows_its_row() -> None:
    done = runner.invoke(app, ["reproduce", "coros-3-model-2d", "--quick"])
    assert done.exit_code == 0
    assert "coros-3-model-2d" in done.stdout and "coros-5-model-humanoid" not in done.stdout
    assert "1 of 1 hold" in done.stdout
    both = runner.invoke(app, ["reproduce", "coros-3-model-2d", "bodies", "--quick"])
    assert "coros-5-model-humanoid" in both.stdout


def test_experiments_are_listed() -> None:
    done = runner.invoke(app, ["reproduce", "list"])
    assert done.exit_code == 0
    assert "simbicon-planar" in done.stdout and "version 0.1.0, seed 0" in done.stdout


def test_a_report_is_written(tmp_path: Path) -> None:
    done = runner.invoke(app, ["reproduce", "report", "--out", str(tmp_path / "page")])
    assert (done.exit_code, done.stdout) == (0, f"wrote {tmp_path / 'page' / 'index.html'}\n")
    assert "coros-5-push600" in (tmp_path / "page" / "index.html").read_text(encoding="utf-8")


def test_ctrl_c_keeps_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    from poise.reproduce import catalog

    def stop(quick: bool, seed: int) -> list[experiment.Row]:
        raise KeyboardInterrupt

    first = experiment.Experiment("first", "one row", lambda quick, seed: [ROW])
    monkeypatch.setattr(catalog, "EXPERIMENTS", (first, experiment.Experiment("second", "Ctrl-C", stop)))
    done = runner.invoke(app, ["reproduce", "--json", "-"])
    assert done.exit_code == 130
    assert [r["experiment"] for r in json.loads(done.stdout)] == ["first"]


def test_claims_come_from_the_project() -> None:
    done = runner.invoke(app, ["claims"])
    assert done.exit_code == 0
    assert "walker_skills" in done.stdout and "poise reproduce bodies" in done.stdout
    assert "coros-4-balls" not in done.stdout, "claims that were not measured are counted, not listed"


def test_every_claim_of_a_system_is_written(tmp_path: Path) -> None:
    path = tmp_path / "walker.json"
    done = runner.invoke(app, ["claims", "--system", "walker", "--json", str(path)])
    assert done.exit_code == 0
    assert "39 claims, 39 measured" in done.stdout
    rows = json.loads(path.read_text(encoding="utf-8"))["claims"]
    assert len(rows) == 39
    assert all(set(row) >= {"id", "system", "source", "measured", "holds", "command", "reason"} for row in rows)
    humanoid = next(row for row in rows if row["id"] == "coros-5-model-humanoid")
    assert (humanoid["holds"], humanoid["command"]) == (True, "poise reproduce bodies walker-gait")


def test_an_unknown_system_is_told() -> None:
    done = runner.invoke(app, ["claims", "--system", "walkr"])
    assert done.exit_code == 2
    assert "no system named 'walkr'" in done.stderr and "Did you mean 'walker'?" in done.stderr


def test_a_damaged_result_is_told(tmp_path: Path) -> None:
    from poise.errors import FileFormatError

    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(FileFormatError, match="not a result"):
        experiment.load_results(tmp_path)
