"""`poise clip retouch`: a tamed clip on the command line."""

import numpy as np
import pytest

from poise.documents import save_toml
from poise.search import retouch as module
from poise.search.retouch_windows import Windows
from poise.tables import load_table
from unit.search.small_clip import write_stand

TRACKER = {"method": "tracker", "character": "lee13", "clip": "stand.npz", "endless": False, "description": "x"}


@pytest.fixture
def stand(tmp_path):
    """A tracker of a standing motion, in the folder in which commands run."""
    write_stand(tmp_path / "stand.npz")
    save_toml(tmp_path / "stand.toml", {**TRACKER, "gains": {"lift_m": 0.01}})


def test_a_retouched_clip_is_a_controller_that_runs(poise, stand, tmp_path):
    options = ("--generations", "1", "--starts", "1")
    result = poise("clip", "retouch", "stand.toml", *options, "--out", "new.toml")
    assert result.exit_code == 0, result.output
    assert "fragment 0 of 0 to 0: 1 of 1 complete it, cost" in result.stderr
    assert "8 of 8 starts, before 8" in result.stdout
    table = load_table("new.toml")
    assert table["gains"] == {"lift_m": 0.01}
    assert len(table["retouch"]["lean_rad"]) == 1
    assert "retouch" not in load_table("stand.toml")
    assert poise("run", "new.toml", "--seconds", "0.1", "--timestep", "0.0011111").exit_code == 0
    assert not list(tmp_path.glob("*.found.toml"))
    again = poise("clip", "retouch", "stand.toml", *options, "--out", "new.toml")
    assert (again.exit_code, again.stderr) == (
        2, "error: new.toml: already exists. Give another file with --out.\n",
    )  # fmt: skip


def test_it_goes_on_in_the_same_file(poise, stand):
    for _ in range(2):
        assert poise("clip", "retouch", "stand.toml", "--generations", "1", "--starts", "1").exit_code == 0
    assert "start" in load_table("stand.toml")["provenance"]["retouch"]


def test_what_is_not_kept_is_written_beside_it(poise, stand, monkeypatch):
    """A search may take hours: where its closing runs are no better, what it found is not lost."""
    from poise.search.tame_cost import Closing
    from poise.search.tame_trial import Trial

    trial = Trial(None, 16.0, 30, None, 0.1, 0.0, 0.0)

    def cheaper_and_cheaper(_run, tables, _fragments, cases):
        return np.outer(np.arange(len(tables), 0.0, -1.0), np.ones(len(cases)))

    monkeypatch.setattr(Windows, "_try_all", cheaper_and_cheaper)
    fell = Trial(1.0, 16.0, 30, None, 0.1, 0.0, 0.0)
    for _ in range(2):
        runs = iter([Closing(1.0, (trial,)), Closing(2.0, (fell,))])
        monkeypatch.setattr(module, "_close", lambda *_, runs=runs: next(runs))
        result = poise("clip", "retouch", "stand.toml", "--generations", "1", "--starts", "1")
        assert result.exit_code == 0, result.output
        assert "nothing better was found" in result.stdout and "stand.found.toml" in result.stdout
    assert load_table("stand.toml") == {**TRACKER, "gains": {"lift_m": 0.01}}, "what it was"
    beside = load_table("stand.found.toml")
    assert any(map(any, beside["retouch"]["lean_rad"]))
    check = beside["provenance"]["retouch"]
    assert (check["before"]["up"], check["check"]["up"]) == (1, 0), "each has the runs of its own rows"


def test_ctrl_c_leaves_what_was_found(poise, stand, monkeypatch):
    def end(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_close", end)
    result = poise("clip", "retouch", "stand.toml", "--generations", "1", "--starts", "1")
    assert result.exit_code == 130
    assert result.stderr.endswith(
        "interrupted. The best so far is written. Resume it with: poise clip retouch stand.toml --generations 1 "
        "--starts 1 --resume\n"
    )
    assert load_table("stand.toml")["provenance"]["retouch"]["until_fragment"] == 0


@pytest.mark.parametrize(
    ("file", "options", "text"),
    [
        ("stand.npz", [], "poise clip retouch: a tracker is a .toml file, got 'stand.npz'."),
        ("stand.toml", ["--out", "x.txt"], "--out: a controller is written to a .toml file, got 'x.txt'."),
        (
            "stand.toml",
            ["--generations", "0"],
            "--generations: the number is out of range, got 0. Allowed: 1 to 100000.",
        ),
        ("stand.toml", ["--first", "7"], "retouch: no such fragment, got 7. Allowed: 0 to 0."),
        ("stand.toml", ["--spread", "0"], "--spread: the number is out of range, got 0.0. Allowed: 0.01 to 3."),
        ("none.toml", [], "controller none.toml: there is no such file."),
    ],
)
def test_what_makes_no_sense_is_said(poise, stand, file, options, text):
    result = poise("clip", "retouch", file, *options)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {text}")
