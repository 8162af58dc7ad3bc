from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import poise
from poise.errors import FileFormatError, InputError, NotFoundError
from poise.tables import Table, as_table, format_keys, load_table

SOURCES = Path(poise.__file__).parent
DOCUMENT = """\
name = "walk"
speed = 9.0
[gains]
hip = [1.0, 2.0]
[[states]]
until = "tiem"
on = 1
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.chdir(tmp_path)
    Path("walk.toml").write_text(DOCUMENT)
    return load_table("walk.toml")


Read = Callable[[Table], Any]


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (
            lambda t: t.number("speed", -1.0, 2.5),
            "walk.toml:2:1: speed: out of range, got 9.0. Allowed: -1 to 2.5.\n    speed = 9.0\n    ^",
        ),
        (
            lambda t: t.number("speed", 10.0, math.inf),
            "walk.toml:2:1: speed: out of range, got 9.0. Allowed: at least 10.\n    speed = 9.0\n    ^",
        ),
        (
            lambda t: t.number("speed", -math.inf, 8.0),
            "walk.toml:2:1: speed: out of range, got 9.0. Allowed: at most 8.\n    speed = 9.0\n    ^",
        ),
        (
            lambda t: t.integer("name", 0, 2),
            "walk.toml:1:1: name: must be a whole number, got 'walk'.\n    name = \"walk\"\n    ^",
        ),
        (
            lambda t: t.table("gains").only("hips"),
            "walk.toml:4:1: gains.hip: no key named 'hip'. Known here: hips. Did you mean 'hips'?\n"
            "    hip = [1.0, 2.0]\n    ^",
        ),
        (
            lambda t: t.table("gains").vector("hip", (3, 6), 0.0, 9.0),
            "walk.toml:4:1: gains.hip: must be a list of 3 or 6 numbers, got [1.0, 2.0].\n    hip = [1.0, 2.0]\n    ^",
        ),
        (
            lambda t: t.table("gains").series("hip", 0.0, 9.0, 1),
            "walk.toml:4:1: gains.hip: wrong number of values, got 2. Allowed: 1 to 1.\n    hip = [1.0, 2.0]\n    ^",
        ),
        (
            lambda t: t.tables("states")[0].choice("until", "way to end", ("time", "touch")),
            "walk.toml:6:1: states[0].until: no way to end named 'tiem'. Known here: time, touch. Did you mean 'time'?"
            '\n    until = "tiem"\n    ^',
        ),
        (
            lambda t: t.tables("states")[0].flag("on", True),
            "walk.toml:7:1: states[0].on: must be true or false, got 1.\n    on = 1\n    ^",
        ),
        (
            lambda t: t.tables("states")[0].number("duration_s", 0.0, 1.0),
            "walk.toml:5:3: states[0]: duration_s is missing. It must be a number.\n    [[states]]\n      ^",
        ),
        (lambda t: t.string("about"), "walk.toml: about is missing. It must be a string."),
        (lambda t: t.tables("phases", required=True), "walk.toml: phases is missing. It must be a list of tables."),
    ],
)
def test_an_error_names_file_line_and_key(table: Table, read: Read, text: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        read(table)
    assert str(caught.value) == text


def test_the_line_is_that_of_the_text_which_was_read(table: Table) -> None:
    Path("walk.toml").write_text("\n\n\n" + DOCUMENT)
    with pytest.raises(FileFormatError, match=r"walk\.toml:2:1: speed"):
        table.number("speed", 0.0, 1.0)


def test_a_table_made_by_a_program_has_a_name_and_no_line() -> None:
    made = as_table({"states": [{"name": 3}]}, "my walk")
    with pytest.raises(InputError) as caught:
        made.tables("states")[0].string("name")
    assert str(caught.value) == "my walk: states[0].name: must be a string, got 3."
    assert not isinstance(caught.value, FileFormatError)


def test_a_table_of_a_file_stays_what_it_is(table: Table) -> None:
    assert as_table(table, "another name") is table


def test_errors_of_a_block_come_from_the_key(table: Table) -> None:
    with pytest.raises(FileFormatError) as caught, table.errors_at("gains", "hip"):
        raise NotFoundError("too stiff")
    assert str(caught.value) == "walk.toml:4:1: gains.hip: too stiff.\n    hip = [1.0, 2.0]\n    ^"
    with pytest.raises(FileFormatError) as caught, table.errors_at("gains"):
        raise FileFormatError("no such file", path="clip.bvh")
    assert str(caught.value) == "clip.bvh: no such file."


def test_a_default_stands_for_what_is_absent_and_is_not_checked(table: Table) -> None:
    assert table.number("slope", 0.0, 1.0, 7.0) == 7.0
    assert table.integer("slope", 0, 1, None) is None
    assert table.name("slope", "not a name!") == "not a name!"
    assert table.choice("slope", "slope", ("up",), "") == ""
    assert table.vector("slope", (2,), 0.0, 1.0, None) is None
    assert table.strings("slope", ()) == []
    assert table.points("slope", 2, 1.0) == []
    assert dict(table.table("slope")) == {}
    assert table.tables("slope") == []


def test_values_come_in_their_own_type(table: Table) -> None:
    made = as_table({"n": 3, "x": -0.0, "row": [1, 2], "p": [[1, 2]], "names": ["a"]}, "")
    assert repr(made.number("n", 0, 5)) == "3.0"
    assert repr(made.integer("n", 0, 5)) == "3"
    assert repr(made.number("x", 0, 5)) == "0.0"
    assert made.vector("row", (2,), 0, 5) == made.series("row", 0, 5, 2) == (1.0, 2.0)
    assert made.series("n", 0, 5, 2) == (3.0,)
    assert made.points("p", 2, 5) == [(1.0, 2.0)]
    assert made.strings("names") == ["a"]


def test_a_table_is_a_mapping_of_its_values(table: Table) -> None:
    assert table["name"] == "walk"
    assert table == {**table}
    rest = table.without("name", "states")
    assert list(rest) == ["speed", "gains"]
    with pytest.raises(FileFormatError, match=r"walk\.toml:2:1: speed"):
        rest.number("speed", 0.0, 1.0)


def test_no_other_module_reads_toml() -> None:
    readers = {"documents.py", "toml_places.py"}
    modules = [path for path in SOURCES.rglob("*.py") if "tomllib" in path.read_text(encoding="utf-8")]
    assert {str(path.relative_to(SOURCES)) for path in modules} == readers
    parsers = [path for path in SOURCES.rglob("*.py") if "parse_toml" in path.read_text(encoding="utf-8")]
    assert {str(path.relative_to(SOURCES)) for path in parsers} == {"documents.py", "tables.py"}


def test_keys_are_written_as_in_a_program() -> None:
    assert format_keys(("segments", "thigh", "shapes", 1, "size_m")) == "segments.thigh.shapes[1].size_m"
