"""Includes: where they are searched, circular includes, and missing files."""

from pathlib import Path

import pytest

from poise.errors import FileFormatError
from poise.language.load import load_program
from poise.trust import allowing

EMPTY = "BEGINSCRIPT a(void)\nPHASE 0\nENDPHASE\nENDSCRIPT\n"


def save(folder: Path, name: str, includes: str = "") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"SCRIPTS {includes};\n{EMPTY}" if includes else EMPTY)
    return path


def test_includes_are_read_once_and_from_where_they_lie(tmp_path: Path) -> None:
    main = save(tmp_path, "main.s", "deep/one.t, two.t")
    save(tmp_path, "deep/one.t", "three.t, two.t")
    save(tmp_path, "deep/three.t")
    save(tmp_path, "two.t")
    program = load_program(main)
    assert list(program.scripts) == ["main.s", "deep/one.t", "three.t", "two.t"]
    assert program.broken == {}


def test_a_folder_scripts_beside_is_looked_into_if_that_is_allowed(tmp_path: Path) -> None:
    main = save(tmp_path, "src/main.s", "one.t")
    save(tmp_path, "scripts/one.t")
    assert "names a file outside its folder" in str(load_program(main).broken["one.t"])
    with allowing(outside=True):
        assert load_program(main).scripts["one.t"].path.parent.name == "scripts"


def test_shipped_scripts_are_found_from_anywhere(tmp_path: Path) -> None:
    program = load_program(save(tmp_path, "main.s", "_gait.ctl"))
    assert program.broken == {}
    assert len(program.scripts["_gait.ctl"].phases) == 4


def test_a_circle_of_includes_is_refused(tmp_path: Path) -> None:
    main = save(tmp_path, "main.s", "one.t")
    save(tmp_path, "one.t", "two.t")
    two = save(tmp_path, "two.t", "one.t")
    with pytest.raises(FileFormatError) as caught:
        load_program(main)
    assert str(caught.value) == (
        f"{two}:1:9: circular includes: one.t includes two.t includes one.t.\n    SCRIPTS one.t;\n            ^"
    )


def test_a_file_that_includes_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"main\.s includes main\.s"):
        load_program(save(tmp_path, "main.s", "main.s"))


def test_what_is_missing_is_kept_with_its_place_and_the_nearest_name(tmp_path: Path) -> None:
    save(tmp_path, "stand.t")
    program = load_program(save(tmp_path, "main.s", "stond.t"))
    error = program.broken["stond.t"]
    assert error.where == f"{tmp_path / 'main.s'}:1:9"
    assert error.reason.startswith("no script named 'stond.t'. Known here: ")
    assert error.reason.endswith("Did you mean 'stand.t'?")


def test_what_does_not_parse_is_kept_with_its_own_place(tmp_path: Path) -> None:
    main = save(tmp_path, "main.s", "bad.t")
    (tmp_path / "bad.t").write_text("BEGINSCRIPT b(void)\nPHASE 0\nENDSCRIPT\n")
    assert load_program(main).broken["bad.t"].where == f"{tmp_path / 'bad.t'}:3:1"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no such file"):
        load_program(tmp_path / "none.ctl")
