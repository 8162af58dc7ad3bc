"""Messages about broken and odd scripts: the place, the error, what is allowed, what was meant."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from poise.errors import FileFormatError
from poise.language.check import check_program
from poise.language.digest import find_kind, make_digest
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
    for end in range(0, len(case["text"].partition("ENDSCRIPT")[0]), 7):
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


def test_one_error_of_a_kind_stands_for_many(body: Body) -> None:
    lines = [f"POSE lHip({k}00), rKnee(0);" for k in range(1, 31)]
    text = (
        "BEGINSCRIPT a(void)\nPHASE 0\nACTIONS\n"
        + "\n".join([*lines, "HOLD lHop;"])
        + "\nENDACTIONS\nENDPHASE\nENDSCRIPT"
    )
    program = Program("a.ctl", {"a.ctl": parse_script(text, "a.ctl")})
    problems = check_program(program, body)
    assert [p.severity for p in problems].count("warning") == 30 + 2 * 29
    digest = make_digest(problems)
    assert digest.lines[0] == str(next(p for p in problems if p.severity == "error"))
    assert [line.splitlines()[0] for line in digest.lines[1:]] == [
        "warning: a.ctl:4:6: lHip is set again in line 5: the last value counts.",
        "warning: a.ctl:4:17: rKnee is set again in line 5: the last value counts.",
        "warning: a.ctl:5:6: lHip is set again in line 6: the last value counts.",
        "    and 55 more like this in lines 5, 6, 7, 8, 9, 10, 11, 12 …",
        "warning: a.ctl:4:11: angles are in radians, and 100 exceeds a full turn. Did you mean '1.75'?",
        "warning: a.ctl:5:11: angles are in radians, and 200 exceeds a full turn. Did you mean '3.49'?",
        "warning: a.ctl:6:11: angles are in radians, and 300 exceeds a full turn. Did you mean '5.24'?",
        "    and 27 more like this in lines 7, 8, 9, 10, 11, 12, 13, 14 …",
    ]
    assert digest.count() == "1 error, 88 warnings (7 of them shown)"
    assert len(make_digest(problems, 0, 0).lines) == len(problems)
    assert make_digest(problems, 0, 0).count() == "1 error, 88 warnings"


def test_all_kinds_together_are_capped_too(body: Body) -> None:
    text = one_of_each("POSE lHip(200);", "POSE lHip(0);", "POSEFB lHip(0, 0).on(joint lAnkle);", "POSE lHip(.1);")
    problems = check_program(Program("a.ctl", {"a.ctl": parse_script(text, "a.ctl")}), body)
    assert len({find_kind(p) for p in problems}) == 4
    digest = make_digest(problems, 2, 1)
    assert [line.splitlines()[0] for line in digest.lines] == [
        "warning: a.ctl:1:15: the parameter 'p' is never used.",
        "    and 1 more like this in line 1",
        "warning: a.ctl:4:6: lHip is set again in line 5: the last value counts.",
        "    and 1 more like this in line 5",
    ]
    assert digest.count_warnings() == "6 warnings (2 of them shown)"


def one_of_each(*lines: str) -> str:
    return "BEGINSCRIPT a(p, q)\nPHASE 0\nACTIONS\n" + "\n".join(lines) + "\nENDACTIONS\nENDPHASE\nENDSCRIPT"
