"""Every table that a command prints fits 80 columns, and no word in it is broken."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import poise.cli
from fitting_tables import check_fits
from poise import benchmarks
from poise.cli import app
from poise.cli.screen import make_console, make_facts, make_table
from poise.cli.table import Table, wrap
from poise.reproduce.laszlo import stroll

WALK = "simbicon/planar-walk"
FOLDER = Path(poise.cli.__file__).parent
SCRIPT = (FOLDER.parent / "library" / "scripts" / "human-walk.script").read_text(encoding="utf-8")

#: The module that makes a table, and command lines that print it.
COMMANDS: dict[str, list[str]] = {
    "bench": ["bench --quick"],
    "clip": ["clip info backward", "clip retarget backward"],
    "compare": ["compare a.npz a.npz", "compare a.json b.json"],
    "graph": ["graph"],
    "listing": ["list characters", "list controllers", "list clips", "list terrains", "list problems"],
    "reproduce": ["reproduce bodies --quick", "reproduce list", "claims", "claims --system walker"],
    "robustness": [
        f"robustness {WALK} --force 200 5000 --settle 1 --after 1",
        f"robustness {WALK} --force 5000 --phases 12 --settle 1 --after 1",
        f"robustness {WALK} --limits --phases 2 --tolerance 400 --settle 1 --after 1",
        f"robustness {WALK} --force 50 9000 --repeat 2 --every 1 --settle 1 --after 1",
    ],
    "script": ["run short.script"],
    "show": [
        "show character humanoid",
        "show controller walker/walk",
        "show controller simbicon/humanoid-walk",
        "show controller bioloid/jump",
        "show controller tracker/steer",
        "show controller script/walkover",
        "show terrain stones",
    ],
    "summary": [f"run {WALK} --seconds 1"],
    "robustness_random": [f"robustness {WALK} --force 200 5000 --random 4 --settle 1 --after 1"],
    "show_recording": ["show recording script.npz"],
    "sweep": ["sweep walker/walk --set speed=0,0.5 --seconds 2", f"sweep {WALK} --set torso_kp=5,900 --seconds 3"],
    "tune_skill": ["tune stroll stroll.json"],
}
#: Modules whose commands take long; their own tests print the tables, and `conftest` checks every table.
ELSEWHERE = {"check", "clip_table", "clip_retouch", "clip_tame", "optimize", "transition", "tune"}


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[Table]:
    """All tables that commands print."""
    tables: list[Table] = []
    draw = Table.__rich_console__

    def keep(self: Table, console: Any, options: Any) -> Any:
        tables.append(self)
        return draw(self, console, options)

    monkeypatch.setattr(Table, "__rich_console__", keep)
    return tables


@pytest.fixture
def furnished(poise, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the command lines name, and results of what would take a minute."""
    Path("short.script").write_text(SCRIPT.partition("# Each component")[0].replace("balance 10", "balance 1"))
    row = ("cost of control, walker/walk on humanoid", "1.23 µs a tick", "at most 2 µs")
    monkeypatch.setattr(benchmarks, "run_benchmarks", lambda **_: {})
    monkeypatch.setattr(benchmarks, "make_rows", lambda _: [row])
    names = ("target", "target_side", "tolerance", "most_deg", "sample_deg", "outward", "servo_rad")
    tried = stroll.Stroll(3, dict.fromkeys(names, 0.25), None, 7.0, (-0.1, 0.15), (0.4, 0.5))
    monkeypatch.setattr(stroll, "tune_stroll", lambda *_, **__: ([tried], False))


@pytest.mark.usefixtures("furnished")
@pytest.mark.parametrize("line", [line for lines in COMMANDS.values() for line in lines])
def test_tables_fit_the_screen(poise, printed: list[Table], line: str) -> None:
    if line.startswith("show recording"):
        poise("run", "script/crawl", "--seconds", "0.5", "--export", "script.npz")
        printed.clear()
    if line.startswith("compare"):
        poise("run", WALK, "--seconds", "0.5", "--export", "a.npz")
        for name, value in (("a", "5,900"), ("b", "5,700")):
            poise("sweep", WALK, "--set", f"torso_kp={value}", "--seconds", "1", "--json", f"{name}.json")
        printed.clear()
    result = poise(*line.split())
    assert result.exit_code == 0, result.output
    assert printed
    for table in printed:
        for width in (80, 40, 120):
            check_fits(table, width)


def test_every_module_with_tables_is_tested() -> None:
    found = set()
    for path in FOLDER.glob("*.py"):
        names = {n.id for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Name)}
        if names & {"make_table", "make_facts"}:
            found.add(path.stem)
    assert found == {*COMMANDS, *ELSEWHERE}


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_commands_obey_the_width_of_the_screen(columns: int) -> None:
    done = CliRunner(env={"COLUMNS": f"{columns}", "NO_COLOR": "1"}).invoke(app, ["show", "terrain", "stones"])
    assert done.exit_code == 0
    widest = max(map(len, done.stdout.splitlines()))
    assert columns - 8 <= widest <= columns


ROWS = [("a-long-name", 1.5, "words that wrap", "x"), ("b", 22.25, "one", "yy")]
COLUMNS = ("name", "figure", "description", "other")


def draw(table: Table, width: int) -> list[str]:
    return [line.plain for line in table.draw(width)]


def test_a_table_that_fits_has_one_line_for_each_row() -> None:
    assert draw(make_table(COLUMNS, ROWS, title="All", right=("figure",)), 80) == [
        "",
        "All",
        "name         figure  description      other",
        "───────────────────────────────────────────",
        "a-long-name     1.5  words that wrap  x",
        "b             22.25  one              yy",
        "",
    ]


def test_columns_are_left_out_in_order_and_named() -> None:
    assert draw(make_table(COLUMNS, ROWS, right=("figure",), drop=("other", "figure")), 40) == [
        "",
        "name         figure  description",
        "────────────────────────────────────",
        "a-long-name     1.5  words that wrap",
        "b             22.25  one",
        "Not shown at this width: other.",
        "",
    ]
    assert "Not shown at this width:" in draw(
        make_table(COLUMNS, ROWS, right=("figure",), drop=("other", "figure")), 28
    )


def test_text_wraps_between_words_where_nothing_can_be_left_out() -> None:
    assert draw(make_table(COLUMNS, ROWS, right=("figure",)), 40) == [
        "",
        "name         figure  description   other",
        "────────────────────────────────────────",
        "a-long-name     1.5  words that    x",
        "                     wrap",
        "b             22.25  one           yy",
        "",
    ]


def test_a_row_becomes_a_list_on_a_narrow_screen() -> None:
    assert draw(make_table(COLUMNS, ROWS, right=("figure",)), 26) == [
        "",
        "name a-long-name",
        "  figure       1.5",
        "  description  words that",
        "               wrap",
        "  other        x",
        "",
        "name b",
        "  figure       22.25",
        "  description  one",
        "  other        yy",
        "",
    ]


def test_a_word_longer_than_the_screen_is_whole() -> None:
    facts = make_facts("file", [("path", "a/path/that/is/longer/than/the/screen.toml of 3 kB")])
    assert draw(facts, 20) == ["file", "  path", "    a/path/that/is/longer/than/the/screen.toml", "    of 3 kB"]
    check_fits(facts, 20)


def test_nothing_is_cut_off_in_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    make_console().print(make_facts("file", [("path", "x" * 50)]))
    assert "x" * 50 in capsys.readouterr().out
    monkeypatch.delenv("COLUMNS")
    make_console().print(make_table(("a", "b"), [("one", "word " * 400)]))
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_wide_characters_count_twice() -> None:
    assert wrap("歩く 走る 跳ぶ", 9) == ["歩く 走る", "跳ぶ"]


def test_a_table_without_rows_has_a_header() -> None:
    assert draw(make_table(("a", "b"), []), 80) == ["", "a  b", "────", ""]
