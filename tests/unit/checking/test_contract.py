"""Every shipped controller keeps the contract, and every broken promise is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.checking import CHECKS, CheckResult, check_controller
from poise.checking.contract import load_subject
from poise.checking.subject import Subject
from poise.controllers.catalog import controller_names, read_controller_file
from poise.errors import NotFoundError
from poise.world.adopt import load_any_character
from poise.world.controller import Controller, Parameter
from unit.checking import bad_laws

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "own_controller.py"


def make_subject(law: Callable[..., None], character: str = "biped7") -> Subject:
    controller = Controller("bad", law, np.zeros(1), np.zeros(1), mirror_memory=np.copy)
    return Subject(load_any_character(character), controller)


def run_check(name: str, law: Callable[..., None]) -> CheckResult:
    result = CHECKS[name](make_subject(law))
    assert result.name == name
    return result


def _one_of_each() -> list[str]:
    """One controller of each law, body, strategy and number of states: the others differ in their numbers only."""
    seen: dict[tuple[object, ...], str] = {}
    for name in controller_names():
        file = read_controller_file(name)
        # The states that a file does not have may be those of the file that it is like.
        like = read_controller_file(str(file.table["like"])) if "like" in file.table else file
        states = file.table.get("states") or like.table.get("states", [])
        values = {**like.table.get("values", {}), **file.table.get("values", {})}
        seen.setdefault((file.method, file.character, values.get("strategy"), len(states)), name)
    return list(seen.values())


REPRESENTATIVES = _one_of_each()
#: Those whose pilot must be among what is checked.
WITH_A_PILOT = ("tracker/steer", "limit-cycle/human-walk")


def test_pilots_of_shipped_controllers_are_among_what_is_checked() -> None:
    assert set(WITH_A_PILOT) <= set(REPRESENTATIVES)


@pytest.mark.parametrize("name", REPRESENTATIVES)
def test_every_kind_of_shipped_controller_keeps_the_contract(name: str) -> None:
    done: list[float] = []
    results = check_controller(name, progress=done.append)
    assert [r.name for r in results] == list(CHECKS)
    assert [r for r in results if not r.passed] == []
    skipped = {r.name for r in results if r.skipped}
    assert name not in WITH_A_PILOT or not skipped & {"pilot state", "pilot rollouts"}
    assert done == sorted(done) and done[-1] == 1.0


@pytest.mark.parametrize("character", ["bigbird2d", "gym_humanoid", "laszlo_human"])
def test_holding_a_pose_keeps_the_contract_on_other_bodies(character: str) -> None:
    assert [r for r in check_controller("pose/hold", character) if not r.passed] == []


def find_complaints(results: Sequence[CheckResult]) -> list[CheckResult]:
    """Checks that failed or were skipped, without those of pilots, which these controllers do not have."""
    return [r for r in results if not r.passed or (r.skipped and not r.name.startswith("pilot"))]


def test_a_good_law_passes_every_check() -> None:
    subject = make_subject(bad_laws.hold)
    assert find_complaints(check_controller(subject.controller, subject.character)) == []


def test_a_controller_without_a_character_is_checked_on_biped7() -> None:
    assert load_subject(make_subject(bad_laws.hold).controller, None).character.name == "biped7"


@pytest.mark.parametrize(
    ("check", "law", "detail"),
    [
        ("finite", bad_laws.not_a_number_in_the_air, "dropped from the air, at 0 s: the torque of"),
        ("finite", bad_laws.infinite_in_memory, "from its start, at"),
        ("finite", bad_laws.negative_damping, "from its start, at 0 s: the damping of"),
        ("finite", bad_laws.raising, "from its start, at 0.02 s: the law raises ValueError"),
        ("finite", bad_laws.raising_between_looks, "from its start, after 0.025 s: the law raises ValueError"),
        ("reads only", bad_laws.writing_into_the_percept, "the law writes into percept.gains."),
        ("reads only", bad_laws.writing_into_params, "the law writes into params."),
        ("no allocation", bad_laws.allocating, "from its start, one call allocates 1 times."),
        ("internal torques", bad_laws.hanging_on_a_thread, "of flight, linear momentum changes by"),
        ("internal torques", bad_laws.turning_itself, "momentum changes by"),
        ("deterministic", bad_laws.dicing, "two runs from the same start differ in the physics."),
        ("snapshot-exact", bad_laws.hiding_its_memory, "it keeps state outside its memory."),
        ("chunk-exact", bad_laws.dicing, "split into odd pieces, the run differs in the physics."),
        ("mirrored", bad_laws.limping, "at 0 s, torque of"),
        ("mirrored", bad_laws.forgetting_the_other_side, "memory[0] should be"),
        ("compiled", bad_laws.plain, "law plain: it is a plain Python function. Put @law above it."),
        ("compiled", bad_laws.untypable, "no field of the percept named 'strength'"),
        ("compiled", bad_laws.returning, "law returning: it returns something."),
    ],
)
def test_a_broken_promise_is_found(check: str, law: Callable[..., None], detail: str) -> None:
    result = run_check(check, law)
    assert not result.passed and not result.skipped
    assert detail in result.detail


def test_a_hidden_memory_alone_does_not_look_random() -> None:
    assert run_check("deterministic", bad_laws.hiding_its_memory).passed


def test_what_is_not_symmetric_is_not_mirrored() -> None:
    subject = make_subject(bad_laws.limping)
    result = CHECKS["mirrored"](replace(subject, controller=replace(subject.controller, mirror_memory=None)))
    assert result == CheckResult("mirrored", True, True, "it does not declare itself symmetric (mirror_memory)")
    uneven = replace(subject, character=subject.character.scaled(left_leg=1.1))
    assert CHECKS["mirrored"](uneven) == CheckResult("mirrored", True, True, "biped7 itself is not symmetric")


def test_parameters_must_lie_in_their_ranges() -> None:
    controller = replace(
        make_subject(bad_laws.hold).controller,
        params=np.array([2.0, np.nan]),
        parameters=(Parameter("a_s", 0, 0.0, 1.0), Parameter("b", 7, 0.0, 1.0), Parameter("b", 0, 0.0, 5.0)),
    )
    result = CHECKS["parameters"](Subject(load_any_character("biped7"), controller))
    assert not result.passed
    assert result.detail == (
        "two parameters are named b; params and memory must be finite; a_s is 2, outside its range 0 to 1; "
        "b has the index 7, which params does not have."
    )


def test_nothing_runs_that_does_not_compile() -> None:
    subject = make_subject(bad_laws.untypable)
    results = check_controller(subject.controller, subject.character)
    assert [r.passed for r in results] == [True] + [False] * (len(CHECKS) - 1)
    assert all(r.skipped and r.detail == "not run, since the law does not compile" for r in results[2:])


def test_an_unknown_controller_is_an_error() -> None:
    with pytest.raises(NotFoundError, match="no controller named 'simbicon/planar-wlak'"):
        check_controller("simbicon/planar-wlak")


def test_the_example_keeps_the_contract() -> None:
    assert find_complaints(check_controller(EXAMPLE)) == []


def test_a_controller_is_checked_on_the_ground_that_is_asked_for() -> None:
    firm = load_subject("simbicon/planar-walk", None, "firm")
    assert firm.open().settings.ground == "firm" and load_subject("script/stand", None).open().settings.ground == "firm"
    assert load_subject("script/stand", None, "default").open().settings.ground == "default"
    with pytest.raises(NotFoundError, match=r"^ground: no ground named 'ice'"):
        load_subject("script/stand", None, "ice")
