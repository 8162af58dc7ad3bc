"""The search for a skill's numbers: it finds better ones, the same again, and writes them where they belong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The tools are scripts of the project's folder, which is no package.
sys.path.insert(0, str(Path(__file__).parents[3]))

from poise.errors import InputError, NotFoundError
from poise.reproduce.firmin.skills import run_skill
from tools.find_skill import main, read_settings, spell, write_settings
from tools.skill_costs import read_part

SCRIPT = """# Goes down too little.
SCRIPTS _squat.ctl;
SET TORQUELIMIT = 900
SET depth = .3
SET ramp = .8

BEGINSCRIPT bow(depth, ramp)
PHASE 0
    > _squat.ctl(depth, ramp, .5);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _squat.ctl(depth, .5, 1);
ENDPHASE
ENDSCRIPT
"""


@pytest.fixture
def bow(tmp_path: Path) -> Path:
    path = tmp_path / "bow.ctl"
    path.write_text(SCRIPT)
    return path


def search(path: Path, *more: str) -> None:
    words = ["depth=.2:2", "ramp", "--cost", "2*squatting", "--starts", "2", "--seconds", "2", "--evaluations", "9"]
    main([str(path), *words, "--population", "8", "--workers", "1", *more])


def test_a_search_finds_a_squat_and_writes_it_with_its_command(bow: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search(bow, "--write")
    found = read_settings(bow.read_text())
    assert found["depth"] > 0.4
    first, last = (float(line.rsplit(" ", 1)[1]) for line in capsys.readouterr().out.splitlines()[:2])
    assert last < first
    note = bow.read_text().splitlines()[1]
    assert note.startswith("# Cost ") and note.endswith(
        f"by: python -m tools.find_skill {bow} depth=.2:2 ramp --cost 2*squatting --starts 2 --seconds 2 "
        "--evaluations 9 --population 8 --workers 1"
    )


def test_equal_arguments_find_the_same(bow: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search(bow, "--draws", "8", "--starts", "1")
    once = capsys.readouterr().out
    search(bow, "--draws", "8", "--starts", "1")
    assert capsys.readouterr().out == once


def test_trials_begin_where_the_script_comes_to_a_phase(bow: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search(bow, "--from-phase", "1", "--evaluations", "1")
    assert "9 " not in capsys.readouterr().out
    with pytest.raises(SystemExit, match="find_skill: from start 1 it never comes to phase 7"):
        search(bow, "--from-phase", "7")


def test_arguments_of_the_phase_itself_are_those_of_the_trial(bow: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search(bow, "--from-phase", "1", "--seconds", "1", "--draws", "8", "--starts", "1")
    costs = {line.split(":")[1].split(",")[0] for line in capsys.readouterr().out.splitlines()[:2]}
    assert len(costs) == 2


def test_a_phase_of_failure_ends_a_trial(bow: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search(bow, "--fails", "1", "--evaluations", "1", "--cost", "short:2")
    assert 0.2 < float(capsys.readouterr().out.split(":")[1].split(",")[0]) < 1.5


def test_settings_change_in_their_lines_alone() -> None:
    text = write_settings(SCRIPT, {"depth": 1.23456}, "found")
    assert text == SCRIPT.replace("SET depth = .3", "SET depth = 1.235").replace("SCRIPTS", "# found\nSCRIPTS", 1)


@pytest.mark.parametrize(
    ("value", "text"), [(0.12345, ".1235"), (-0.5, "-.5"), (1407.3, "1407"), (-2.5454, "-2.545"), (0.0, "0")]
)
def test_numbers_are_spelled_as_scripts_read_them(value: float, text: str) -> None:
    assert spell(value) == text


def test_wrong_words_are_named(bow: Path) -> None:
    with pytest.raises(SystemExit, match=r"find_skill: no parameter named 'dept'.*Did you mean 'depth'"):
        main([str(bow), "dept", "--cost", "standing"])
    with pytest.raises(SystemExit, match=r"'depth=.2' is no range. It reads name=low:high"):
        main([str(bow), "depth=.2", "--cost", "standing"])
    with pytest.raises(NotFoundError, match=r"cost: no term named 'turnd'.*Did you mean 'turned'"):
        read_part("turnd:1")
    with pytest.raises(InputError, match="'x\\*turned' is no term"):
        read_part("x*turned")


def test_costs_see_what_a_backflip_does() -> None:
    recording = run_skill("backflip", 1001)
    assert read_part("flew:.3")(recording) == 0.0 and read_part("flew:3")(recording) > 0.5
    assert read_part("10*turned:-1")(recording) < 1.0 < read_part("10*turned:1")(recording)
    assert read_part("head:.3")(recording) == 0.0
    assert read_part("fallen")(recording) > 0.0
    assert read_part("standing")(recording) < read_part("squatting")(recording)
    assert read_part("off-hands:1")(recording) == 1.0
