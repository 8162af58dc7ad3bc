"""The experiment on recorded motion: what it says without recordings, and what it makes of trials."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from poise.cli.app import app
from poise.controllers.tracker.spec import read_gains
from poise.documents import save_toml
from poise.errors import InputError
from poise.reproduce import catalog
from poise.reproduce.experiment import Experiment, run_experiment
from poise.reproduce.lee import recorded as lee_recorded
from poise.reproduce.lee.recorded import EXPERIMENT, MOTIONS, Motion, describe, find_missing
from poise.search.tame_trial import Trial, make_subject
from poise.tables import load_table
from unit.controllers.tracker.motions import LEE
from unit.search.small_clip import write_stand, write_walk

GOOD = Trial(None, 300.0, 400, 0.5, 0.1, 0.05, 0.0)
runner = CliRunner(env={"COLUMNS": None, "NO_COLOR": "1", "POISE_MOCAP": ""})


def test_without_recordings_it_says_what_it_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("POISE_MOCAP", raising=False)
    assert (
        find_missing()
        == "it needs recordings that are not part of Poise. POISE_MOCAP names their folder; see docs/clips.md"
    )
    with pytest.raises(InputError, match="it needs recordings that are not part of Poise"):
        run_experiment(EXPERIMENT, quick=True)
    monkeypatch.setenv("POISE_MOCAP", str(tmp_path))
    assert find_missing().startswith(f"{tmp_path}: humanoid3d_walk.txt, wd2_WalkForwardNormal00.bvh, ")


def test_who_asks_for_all_experiments_gets_those_that_can_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = Experiment("absent", "nothing", lambda quick, seed: [], missing=lambda: "its data is not here")
    monkeypatch.setattr(catalog, "EXPERIMENTS", (absent,))
    done = runner.invoke(app, ["reproduce", "--quick"])
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (0, "absent: left out: its data is not here")
    named = runner.invoke(app, ["reproduce", "absent", "--quick"])
    assert (named.exit_code, named.stderr.splitlines()[-1]) == (2, "error: absent: its data is not here.")


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda m: m.tamed)
def test_tamed_gains_are_gains_and_say_where_they_are_from(motion: Motion) -> None:
    table = load_table(motion.path)
    read_gains(table["gains"], motion.tamed)
    assert (table["method"], table["character"]) == ("tracker", "lee13")
    assert "/" not in table["clip"], "clips are found by their names in a folder of the user"
    assert table["provenance"]["command"].startswith("poise clip tame ")
    assert len(table["provenance"]["clip_sha256"]) == 64


def test_a_walk_must_stay_up_and_have_its_speed(tmp_path: Path) -> None:
    walk = make_subject(write_walk(tmp_path / "walk.npz"), LEE)
    speed = float((walk.cycle_velocity_mps() ** 2).sum() ** 0.5)
    good, slow = replace(GOOD, speed_mps=speed), replace(GOOD, speed_mps=0.8 * speed)
    fallen = replace(good, failed_at_s=12.0)
    assert describe(walk, [good] * 9 + [fallen])[1]
    assert not describe(walk, [good] * 8 + [fallen] * 2)[1]
    text, holds = describe(walk, [slow] * 10)
    assert not holds
    assert text.startswith("10 of 10 starts on their feet for 300 s; ")


def test_a_motion_that_ends_is_measured_from_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write_stand(tmp_path / "stand.npz")
    table = {"clip": "stand.npz", "character": "lee13", "endless": False, "gains": {"stand_hip": 0.5}}
    save_toml(tmp_path / "stand.toml", table)
    monkeypatch.setenv("POISE_MOCAP", str(tmp_path))
    monkeypatch.setattr(lee_recorded, "TAMED", tmp_path)
    monkeypatch.setattr(lee_recorded, "MOTIONS", (Motion("stand", "poise-stand", "It stands."),))
    (row,) = run_experiment(EXPERIMENT, quick=True).rows
    assert row.holds, row.measured
    assert row.measured.startswith(
        "stand.npz: played once, 2 of 2 starts reach the end and stand 2 s; heading off by 0°"
    )
