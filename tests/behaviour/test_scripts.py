"""Scripts walk, from the command line and from Python, and write the files of their trials."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from poise.characters.catalog import LIBRARY as CHARACTERS
from poise.cli import app
from poise.cli.script import _name_files
from poise.controllers.limit_cycle.scripts.read import load_script
from poise.trials.limit_cycle_script import run_script, run_trial

SHIPPED = CHARACTERS.parent / "scripts" / "human-walk.script"
#: Two of the shipped trials, of two strides each, the second without a file.
SHORT = (
    SHIPPED.read_text(encoding="utf-8").partition("# Each component")[0].replace("balance 10", "balance 2")
    + "set showfile off\nset superposition true\nbalance 2 1 180 5 0:0 1 180 1 0:1\n"
)


def poise(*args: str):
    return CliRunner(env={"COLUMNS": None, "NO_COLOR": "1", "POISE_DEBUG": None}).invoke(app, args)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("short.script").write_text(SHORT, encoding="utf-8")
    return tmp_path


def test_a_script_walks_its_strides_and_writes_its_steps(folder: Path) -> None:
    result = poise("run", "short.script", "--json", "all.json")
    assert result.exit_code == 0, result.output
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["human-walk-FL", "FL", "0.3", "0", "4", "4"] in [row[:6] for row in rows]
    assert ["trial", "2", "SP", "0.3", "0", "4", "4"] in [row[:7] for row in rows]
    assert "2 of 2 completed all steps; 1 written in out/" in result.stdout
    whole = json.loads(Path("all.json").read_text())
    assert (whole["character"], whole["repairs"], whole["interrupted"]) == ("laszlo_human", [], False)
    alone = json.loads(Path("out/human-walk-FL.json").read_text())
    assert whole["trials"][0] == alone
    assert [step["stance"] for step in alone["steps"]] == ["right", "left", "right", "left"]
    assert [p.name for p in Path("out").iterdir()] == ["human-walk-FL.json"]


def test_trials_that_share_a_name_are_numbered() -> None:
    assert _name_files(["a", "", "a", "a-2", "a"]) == ["a.json", "", "a-2.json", "a-2-2.json", "a-3.json"]


def test_trials_side_by_side_and_one_by_one_come_to_the_same(folder: Path) -> None:
    script = load_script("short.script")
    one = replace(script, trials=script.trials[:1])
    parts: list[float] = []
    (result,) = run_script(one, parts.append)
    assert (result.steps_done, result.fell, result.problem) == (4, False, "")
    assert parts and parts == sorted(parts)
    assert run_trial(script.trials[0], script.character) == result


def test_options_that_a_script_settles_by_itself_are_refused(folder: Path) -> None:
    result = poise("run", "short.script", "--seconds", "3")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: poise run: --seconds has no effect on a script. Allowed: --json, --repair, --make-folders, "
        "--allow-outside.\n",
    )
    result = poise("run", "limit-cycle/human-walk", "--repair")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: poise run: --repair is for scripts, got 'limit-cycle/human-walk'. Give a .script file.\n",
    )


def test_repairs_are_printed_before_anything_runs(folder: Path) -> None:
    text = SHORT.replace(" 0,0, 0,0\n", " 0,0, 0\n").replace("balance", "# balance")
    Path("damaged.script").write_text(text, encoding="utf-8")
    result = poise("run", "damaged.script", "--repair")
    assert result.exit_code == 2
    assert result.stdout.startswith("damaged.script: line ")
    assert "18 angles instead of 19, the last is 0: was 'set hinit 0,0,0, 0" in result.stdout
    assert result.stderr == ("error: damaged.script: it has no trials. Add a line such as: balance 30 1 180 5 0:0 …\n")


@pytest.mark.parametrize("path", sorted(SHIPPED.parent.glob("*.script")), ids=lambda p: p.stem)
def test_every_shipped_script_walks(path: Path) -> None:
    trial = replace(load_script(path).trials[0], strides=3)
    assert not run_trial(trial, load_script(path).character).fell
