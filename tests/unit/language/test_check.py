"""Messages about broken and odd scripts: the place, the error, what is allowed, what was meant."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from poise.errors import FileFormatError
from poise.language.check import check_program
from poise.language.load import Program, load_program
from poise.language.names import Body
from poise.language.parse import parse_script
from poise.world.adopt import load_any_character

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = tomllib.loads((HERE / "broken.toml").read_text(encoding="utf-8"))["case"]
CALLEE = """BEGINSCRIPT b(p, q)
PHASE 0
ACTIONS
POSE lHip(p), rHip(q);
ENDACTIONS
TRANSITION to(-1).after(time 1);
ENDPHASE
ENDSCRIPT
"""


@pytest.fixture(scope="module")
def body() -> Body:
    return Body(load_any_character("planar17"))


def find_problems(text: str, body: Body) -> list[str]:
    """Severity, place and reason of everything that is said."""
    program = Program("a.ctl")
    try:
        program.scripts["a.ctl"] = parse_script(text, "a.ctl")
    except FileFormatError as error:
        return [f"error {place(error)}: {error.reason}".replace(" : ", ": ")]
    program.scripts["b.t"] = parse_script(CALLEE, "b.t")
    return [f"{p.severity} {place(p.error)}: {p.error.reason}" for p in check_program(program, body)]


def place(error: FileFormatError) -> str:
    return error.where.removeprefix("a.ctl").removeprefix(":")


def test_there_are_many_kinds_of_mistakes() -> None:
    assert len({case["name"] for case in CASES}) > 100


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_broken_script_gets_the_message_that_a_person_wants(case: dict[str, Any], body: Body) -> None:
    assert find_problems(case["text"], body) == case["says"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_script_that_ends_anywhere_gets_a_message(case: dict[str, Any], body: Body) -> None:
    for end in range(0, len(case["text"]), 7):
        assert find_problems(case["text"][:end], body)


@pytest.mark.parametrize("name", ["every_condition.s", "as_printed.ctl", "endless.s", "other.t", "every_action.t"])
def test_valid_scripts_have_no_errors(name: str, body: Body) -> None:
    found = [str(p) for p in check_program(load_program(HERE / "corpus" / name), body) if p.severity == "error"]
    assert found == []


def test_an_error_in_what_is_never_called_is_a_warning(tmp_path: Path, body: Body) -> None:
    (tmp_path / "main.s").write_text(
        "SCRIPTS odd.t;\nBEGINSCRIPT a(void)\nPHASE 0\nACTIONS\nHOLD lHip;\nENDACTIONS\nENDPHASE\nENDSCRIPT"
    )
    (tmp_path / "odd.t").write_text(
        "BEGINSCRIPT b(void)\nPHASE 0\nACTIONS\nHOLD lHop;\nENDACTIONS\nENDPHASE\nENDSCRIPT"
    )
    (problem,) = check_program(load_program(tmp_path / "main.s"), body)
    assert problem.severity == "warning"
    assert problem.error.where == f"{tmp_path / 'odd.t'}:4:6"


def test_scripts_may_not_call_each_other_in_a_circle(tmp_path: Path, body: Body) -> None:
    for name, other in (("one.t", "two.t"), ("two.t", "one.t")):
        text = (
            f"BEGINSCRIPT x(void)\nPHASE 0\n> {other}(void);\nTRANSITION to(-1).after(complete);\nENDPHASE\nENDSCRIPT\n"
        )
        (tmp_path / name).write_text(text)
    (tmp_path / "main.s").write_text(
        "SCRIPTS one.t, two.t;\nBEGINSCRIPT m(void)\nPHASE 0\n> one.t(void);\nENDPHASE\nENDSCRIPT\n"
    )
    found = [p.error.reason for p in check_program(load_program(tmp_path / "main.s"), body)]
    assert found == ["recursive calls: one.t calls two.t calls one.t."]


def test_other_characters_have_other_joints() -> None:
    biped = Body(load_any_character("biped7"))
    says = find_problems(CASES_BY_NAME["a pose twice"]["text"].replace("rHip", "rShoulder"), biped)
    assert says[0].startswith(
        "error 5:6: no joint named 'rShoulder'. Known here: lHip, rHip, lKnee, rKnee, lAnkle, rAnkle"
    )


CASES_BY_NAME = {case["name"]: case for case in CASES}
