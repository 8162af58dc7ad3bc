"""Includes: where they are searched, circular includes, and missing files."""

import os
from pathlib import Path

import pytest

from poise.errors import FileFormatError
from poise.language.check import check_program
from poise.language.load import LIBRARY, load_program
from poise.language.names import Body
from poise.trust import allowing
from poise.world.adopt import load_any_character

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


ENVIRONMENT = "ENTITIES { BLOCK = Box(3, .2, 1, .1, -10); }\n"


def test_an_environment_is_searched_where_scripts_are(tmp_path: Path) -> None:
    main = save(tmp_path, "scripts/main.s")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "base.env").write_text(ENVIRONMENT)
    program = load_program(main)
    assert program.environment is None
    assert program.unused_environments == (tmp_path / "src" / "base.env",)
    with allowing(outside=True):
        program = load_program(main)
        assert program.environment_path == tmp_path / "src" / "base.env"
        assert list(program.environment.entities) == ["BLOCK"]
        (tmp_path / "src" / "hill.env").write_text(ENVIRONMENT.replace("BLOCK", "HILL"))
        main.write_text("ENVIRONMENT hill.env;\n" + EMPTY)
        assert list(load_program(main).environment.entities) == ["HILL"]
        (tmp_path / "scripts" / "hill.env").write_text(ENVIRONMENT)
        assert list(load_program(main).environment.entities) == ["BLOCK"]
    main.write_text("ENVIRONMENT hall.env;\n" + EMPTY)
    with pytest.raises(FileFormatError) as caught:
        load_program(main)
    assert caught.value.reason == "no environment named 'hall.env'. Known here: hill.env. Did you mean 'hill.env'?"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([], []),
        (["base.env"], []),
        (
            ["scripts/stairs.env"],
            ["{0}/scripts/stairs.env is not used. Use 'ENVIRONMENT stairs.env;' before BEGINSCRIPT if it is meant."],
        ),
        (["src/base.env"], ["{0}/src/base.env is not used. Use --allow-outside if it is meant."]),
        (
            ["src/base.env", "scripts/a.env"],
            ["{0}/src/base.env, {0}/scripts/a.env are not used. Use --allow-outside if one of them is meant."],
        ),
    ],
)
def test_an_environment_near_by_that_is_not_used_is_named(tmp_path: Path, files: list[str], says: list[str]) -> None:
    main = save(tmp_path, "scripts/main.s")
    for name in files:
        place = tmp_path / ("scripts/base.env" if name == "base.env" else name)
        place.parent.mkdir(exist_ok=True)
        place.write_text(ENVIRONMENT)
    problems = check_program(load_program(main), Body(load_any_character("planar17")))
    found = [p.error.reason for p in problems if "environment" in p.error.reason]
    assert found == [f"this script has no environment: {text.format(tmp_path)}" for text in says]


def test_shipped_scripts_do_not_mention_the_environments_of_others() -> None:
    assert load_program(LIBRARY / "walk.ctl").unused_environments == ()


def test_load_reads_the_newest_of_several_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    main = tmp_path / "main.s"
    main.write_text(EMPTY.replace("ENDPHASE", "LOAD deep/up.sav;\nENDPHASE"))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "up.sav").write_text("beside the script")
    assert load_program(main).states == {"deep/up.sav": "beside the script"}
    # A run writes its states to out, without the folders of their names.
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "up.sav").write_text("saved by a run")
    os.utime(tmp_path / "deep" / "up.sav", (1e9, 1e9))
    program = load_program(main)
    assert program.states == {"deep/up.sav": "saved by a run"}
    says = [p.error.reason for p in check_program(program, Body(load_any_character("planar17")))]
    assert f"'deep/up.sav' is read from out/up.sav, which is newer than {tmp_path}/deep/up.sav." in says
    os.utime(tmp_path / "out" / "up.sav", (5e8, 5e8))
    assert load_program(main).states == {"deep/up.sav": "beside the script"}


def test_phases_are_reached_through_calls_and_from_where_they_begin(tmp_path: Path) -> None:
    phase = "PHASE 0\n{}\nTRANSITION to({}).after(complete);\nENDPHASE\n"
    (tmp_path / "b.t").write_text(
        "BEGINSCRIPT b(void)\n" + phase.format("", 3) + phase.format("", 2) + phase.format("", -1) * 2 + "ENDSCRIPT"
    )
    main = "SCRIPTS b.t;\nBEGINSCRIPT a(void)\n" + phase.format("{}", 1) + phase.format("> b.t(void);", -1)
    (tmp_path / "main.s").write_text(main.format("> b.t(void).atPhase(1);") + phase.format("", 0) + "ENDSCRIPT")
    assert load_program(tmp_path / "main.s").find_reached() == {"main.s": {0, 1}, "b.t": {0, 1, 2, 3}}
    (tmp_path / "main.s").write_text(main.format("") + phase.format("", 0) + "ENDSCRIPT")
    assert load_program(tmp_path / "main.s").find_reached() == {"main.s": {0, 1}, "b.t": {0, 3}}
