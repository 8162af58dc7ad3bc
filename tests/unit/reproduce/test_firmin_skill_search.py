"""The search for a skill's numbers: it finds better ones, the same again, and writes them where they belong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from poise.errors import InputError, NotFoundError
from poise.reproduce.firmin import skill_search as module
from poise.reproduce.firmin.skill_costs import read_part
from poise.reproduce.firmin.skill_plan import make_plan, read_settings, spell, write_settings
from poise.reproduce.firmin.skill_search import Found, tune_skill
from poise.reproduce.firmin.skills import run_skill

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


USUAL = {"vary": ("depth=.2:2", "ramp"), "starts": 2, "seconds": 2.0, "evaluations": 9, "population": 8}


def search(path: Path, out: Path | None = None, resume: bool = False, **more: object) -> tuple[Found, list[str]]:
    costs = more.pop("costs", ["2*squatting"])
    said: list[str] = []
    plan = make_plan(str(path), costs, **{**USUAL, **more})  # type: ignore[arg-type]
    found = tune_skill(str(path), plan, out or path, "poise tune skill bow", resume=resume, workers=1, say=said.append)
    return found, said


def test_a_search_finds_a_squat_and_writes_it_with_its_command(bow: Path) -> None:
    found, _ = search(bow)
    assert read_settings(bow.read_text()) == {"depth": found.values["depth"], "ramp": found.values["ramp"]}
    assert found.values["depth"] > 0.4 and found.cost < found.first_cost
    assert (found.evaluations, found.interrupted) == (9, False)
    assert bow.read_text().splitlines()[1] == f"# Cost {found.cost:.3g} by: poise tune skill bow"
    assert sorted(path.name for path in bow.parent.iterdir()) == ["bow.ctl"]


def test_equal_arguments_find_the_same(bow: Path) -> None:
    once, again = (search(bow, bow.with_name(f"{k}.ctl"), draws=8, starts=1) for k in range(2))
    assert once == again
    with pytest.raises(InputError) as error:
        search(bow, bow.with_name("0.ctl"))
    assert str(error.value) == f"{bow.with_name('0.ctl')}: already exists. Give another file with --out."


def test_a_killed_search_resumes_to_the_same_script(bow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = search(bow, bow.with_name("whole.ctl"), draws=8, starts=1, evaluations=17)

    class KilledError(BaseException):
        pass

    keep: Callable[..., None] = module.Hunt._keep

    def die_after_the_draws(hunt: module.Hunt, values: dict[str, float], cost: float) -> None:
        keep(hunt, values, cost)
        if hunt.evaluations == 9:
            raise KilledError

    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr(module.Hunt, "_keep", die_after_the_draws)
        search(bow, draws=8, starts=1, evaluations=17)
    resumed, said = search(bow, resume=True, draws=8, starts=1, evaluations=17)
    assert resumed == whole and len(said) == 1
    assert bow.read_text() == bow.with_name("whole.ctl").read_text()


def test_trials_begin_where_the_script_comes_to_a_phase(bow: Path) -> None:
    found, _ = search(bow, bow.with_name("a.ctl"), from_phase=1, evaluations=1)
    assert found.evaluations == 1
    with pytest.raises(InputError) as error:
        search(bow, bow.with_name("b.ctl"), from_phase=7)
    assert str(error.value) == "poise tune skill: start 1 never reaches phase 7."


def test_arguments_of_the_phase_itself_are_those_of_the_trial(bow: Path) -> None:
    found, _ = search(bow, from_phase=1, seconds=1.0, draws=8, starts=1, evaluations=9)
    assert found.cost < found.first_cost


def test_a_phase_of_failure_ends_a_trial(bow: Path) -> None:
    found, _ = search(bow, fails=1, evaluations=1, costs=["short:2"])
    assert 0.2 < found.first_cost < 1.5


def test_settings_change_in_their_lines_alone() -> None:
    text = write_settings(SCRIPT, {"depth": 1.23456}, "found")
    assert text == SCRIPT.replace("SET depth = .3", "SET depth = 1.235").replace("SCRIPTS", "# found\nSCRIPTS", 1)


@pytest.mark.parametrize(
    ("value", "text"), [(0.12345, ".1235"), (-0.5, "-.5"), (1407.3, "1407"), (-2.5454, "-2.545"), (0.0, "0")]
)
def test_numbers_are_spelled_as_scripts_read_them(value: float, text: str) -> None:
    assert spell(value) == text


def test_wrong_words_are_named(bow: Path) -> None:
    with pytest.raises(NotFoundError) as unknown:
        search(bow, vary=("dept",))
    assert str(unknown.value) == (
        "poise tune skill: no parameter named 'dept'. Known here: depth, ramp. Did you mean 'depth'?"
    )
    with pytest.raises(InputError) as range_:
        search(bow, vary=("depth=.2",))
    assert str(range_.value) == "poise tune skill: is not a range, got 'depth=.2'. Write name=low:high."
    with pytest.raises(InputError) as case:
        search(bow, cases=("height=x",))
    assert str(case.value) == "poise tune skill: is not a case, got 'height=x'. Write name=value."
    with pytest.raises(NotFoundError, match=r"cost: no term named 'turnd'.*Did you mean 'turned'"):
        read_part("turnd:1")
    with pytest.raises(InputError, match="'x\\*turned' is not a term"):
        read_part("x*turned")


def test_costs_see_what_a_backflip_does() -> None:
    recording = run_skill("backflip", 1001)
    assert read_part("flew:.3")(recording) == 0.0 and read_part("flew:3")(recording) > 0.5
    assert read_part("10*turned:-1")(recording) < 1.0 < read_part("10*turned:1")(recording)
    assert read_part("head:.3")(recording) == 0.0
    assert read_part("fallen")(recording) > 0.0
    assert read_part("standing")(recording) < read_part("squatting")(recording)
    assert read_part("off-hands:1")(recording) == 1.0
