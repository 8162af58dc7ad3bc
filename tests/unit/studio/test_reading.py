"""A script read while it is edited: files, lines of phases, and remarks at their places."""

from dataclasses import replace
from pathlib import Path

import pytest

from poise.controllers.script.whereabouts import Place
from poise.studio.actor import find_script, load_script, pack_drafts
from poise.studio.published import Edited
from poise.studio.reading import Reading, read_script
from poise.studio.script_words import describe_status, describe_where
from poise.world.adopt import load_any_character

BODY = load_any_character("planar17")
STEP = """BEGINSCRIPT tiptoe(void)
PHASE 0
    ACTIONS
        POSE lKnee(.4);
    ENDACTIONS
    TRANSITION to(-1).after(time 1);
ENDPHASE
ENDSCRIPT
"""
MAIN = """# Two phases.
SCRIPTS tiptoe.ctl;

BEGINSCRIPT main(void)
PHASE 0
    > tiptoe.ctl(void);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    ACTIONS
        POSE lKnee(0);
    ENDACTIONS
ENDPHASE ENDSCRIPT
"""


@pytest.fixture
def main(tmp_path: Path) -> Path:
    (tmp_path / "tiptoe.ctl").write_text(STEP)
    (tmp_path / "main.ctl").write_text(MAIN)
    return tmp_path / "main.ctl"


def read(path: Path, /, **drafts: str) -> Reading:
    texts = {path.with_name(f"{name}.ctl"): text for name, text in drafts.items()}
    return read_script(str(path), pack_drafts(texts), BODY, 7)


def test_every_phase_has_its_lines(main: Path) -> None:
    reading = read(main)
    assert reading.is_sound and reading.number == 7 and reading.remarks == ()
    assert [(page.name, page.phases) for page in reading.pages] == [
        ("main.ctl", ((5, 8), (10, 14))),
        ("tiptoe.ctl", ((2, 7),)),
    ]
    lines = MAIN.splitlines()
    for first, last in reading.pages[0].phases:
        assert lines[first - 1].startswith("PHASE") and lines[last - 1].startswith("ENDPHASE")


def test_an_error_is_told_at_its_place_with_what_was_probably_meant(main: Path) -> None:
    reading = read(main, main=MAIN.replace("lKnee(0)", "lKne(0)"))
    (remark,) = reading.remarks
    assert (remark.path, remark.line, remark.column, remark.severity) == (str(main), 12, 14, "error")
    assert remark.text.startswith("no joint named 'lKne'. Known here: ") and remark.text.endswith(
        "Did you mean 'lKnee'?"
    )
    assert not reading.is_sound and len(reading.pages) == 2


def test_an_error_in_a_script_that_is_called_belongs_to_its_file(main: Path) -> None:
    reading = read(main, tiptoe=STEP.replace("after(time 1)", "after(tim 1)"))
    places = [(Path(r.path).name, r.line, r.column) for r in reading.remarks]
    assert places == [("tiptoe.ctl", 6, 29), ("main.ctl", 6, 7)], "the file itself, and the call of it"
    assert [page.name for page in reading.pages] == ["main.ctl", "tiptoe.ctl"], (
        "a file that does not parse has a tab, too"
    )


def test_a_main_file_that_does_not_parse(main: Path) -> None:
    reading = read(main, main=MAIN.replace("PHASE 1\n", "PHAS 1\n"))
    assert [(r.path, r.line, r.severity) for r in reading.remarks] == [(str(main), 10, "error")]
    assert [page.name for page in reading.pages] == ["main.ctl"] and reading.pages[0].phases == ()


def test_warnings_do_not_keep_it_from_running(main: Path) -> None:
    reading = read(main, main=MAIN.replace("PHASE 1\n", "PHASE 5\n"))
    assert reading.is_sound and [(r.line, r.severity) for r in reading.remarks] == [(10, "warning")]


def test_a_file_that_is_not_there_is_an_error_where_it_is_named(main: Path) -> None:
    main.with_name("tiptoe.ctl").unlink()
    reading = read(main)
    assert (2, 9) in [(r.line, r.column) for r in reading.remarks] and not reading.is_sound


def test_no_file_at_all_is_a_remark_about_the_whole(main: Path) -> None:
    main.unlink()
    (remark,) = read(main).remarks
    assert (remark.line, remark.text) == (0, f"controller {main}: there is no such file.")


def test_a_draft_needs_no_file(main: Path) -> None:
    main.unlink()
    assert read(main, main=MAIN).is_sound


def test_texts_of_the_page_go_before_those_on_the_disk(main: Path) -> None:
    program = load_script(str(main), pack_drafts({main.with_name("tiptoe.ctl"): STEP.replace("(.4)", "(.9)")}))
    assert "(.9)" in program.scripts["tiptoe.ctl"].text and "(.4)" in main.with_name("tiptoe.ctl").read_text()


def test_what_is_a_script(main: Path) -> None:
    walk = find_script("script/walk")
    assert walk is not None and walk.name == "walk.ctl"
    assert find_script(str(main)) == main and find_script("walker/walk") is None


def test_the_status_in_words(main: Path) -> None:
    assert describe_status(replace(read(main), number=0), None) == "no errors"
    assert describe_status(read(main), Edited(6, 0.0)) == "no errors; simulating …"
    assert describe_status(read(main), Edited(7, 1.25)) == "no errors; runs from 1.25 s"
    assert describe_status(read(main), Edited(7, 0.0, "why")) == "no errors; runs from 0.00 s (why)"
    wrong = read(main, main=MAIN.replace("lKnee(0)", "lKne(0)").replace("PHASE 1\n", "PHASE 5\n"))
    assert describe_status(wrong, Edited(6, 0.0)) == "1 error, 1 warning, main.ctl line 12"
    assert describe_where((Place("main.ctl", 0), Place("tiptoe.ctl", 2))) == "main.ctl 0 › tiptoe.ctl 2"
    assert describe_where(()) == "ended"
