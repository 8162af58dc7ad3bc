"""The files of a script on the desk: no edit is lost, in the page or on the disk."""

import os
from pathlib import Path

import pytest

from poise.errors import InputError
from poise.studio import desk as desks
from poise.studio.actor import pack_drafts
from poise.studio.desk import Desk, read_written, save_copies, suggest_copy
from poise.studio.reading import Page
from poise.studio.script_words import describe_banner
from poise.studio.workspace import Workspace

LIBRARY = desks.Path(desks.__file__).parents[1] / "library" / "scripts"


def write_elsewhere(path: Path, text: str) -> None:
    """As another editor would, some time later."""
    path.write_text(text, encoding="utf-8")
    later = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "walk.ctl"
    path.write_text("one\n", encoding="utf-8")
    return path


def open_desk(*paths: Path) -> Desk:
    desk = Desk(Workspace(paths[0].parent))
    assert desk.lay_out([Page(path.name, path) for path in paths])
    return desk


def test_what_is_typed_is_a_draft_until_it_is_saved(file: Path) -> None:
    desk = open_desk(file)
    assert desk.drafts == ()
    desk.edit(file, "two\n", 0)
    assert desk.drafts == pack_drafts({file: "two\n"}) and file.read_text() == "one\n"
    assert desk.save(file) == file
    assert desk.drafts == () and file.read_text() == "two\n"
    assert desk.look() == [], "one's own save is no news"


def test_what_is_saved_elsewhere_comes_into_the_page(file: Path) -> None:
    desk = open_desk(file)
    write_elsewhere(file, "three\n")
    assert desk.look() == [file]
    sheet = desk.sheets[file]
    assert sheet.text == "three\n" and sheet.generation == 1 and not sheet.is_dirty
    assert desk.look() == []


def test_a_file_that_was_only_touched_is_no_news(file: Path) -> None:
    desk = open_desk(file)
    write_elsewhere(file, "one\n")
    assert desk.look() == []


def test_changed_on_the_disk_and_in_the_page_both_are_kept(file: Path) -> None:
    desk = open_desk(file)
    desk.edit(file, "mine\n", 0)
    write_elsewhere(file, "theirs\n")
    assert desk.look() == [file]
    sheet = desk.sheets[file]
    assert sheet.state == desks.CHANGED and sheet.text == "mine\n"
    assert describe_banner(sheet) == (
        "The file has changed on the disk while you were editing it. Which version should be kept?"
    )
    with pytest.raises(InputError) as caught:
        desk.save(file)
    assert str(caught.value) == f"{file}: the file has changed on the disk. Choose which text to keep."
    assert file.read_text() == "theirs\n"


def test_one_takes_the_text_on_the_disk(file: Path) -> None:
    desk = open_desk(file)
    desk.edit(file, "mine\n", 0)
    write_elsewhere(file, "theirs\n")
    desk.look()
    desk.take_disk(file)
    assert desk.sheets[file].text == "theirs\n" and desk.sheets[file].generation == 1 and desk.drafts == ()


def test_or_one_keeps_the_text_in_the_page(file: Path) -> None:
    desk = open_desk(file)
    desk.edit(file, "mine\n", 0)
    write_elsewhere(file, "theirs\n")
    desk.look()
    desk.keep_mine(file)
    assert desk.sheets[file].is_dirty and file.read_text() == "theirs\n"
    desk.save(file)
    assert file.read_text() == "mine\n"


def test_a_save_looks_first(file: Path) -> None:
    """The file changed a moment ago, and nobody has looked yet."""
    desk = open_desk(file)
    desk.edit(file, "mine\n", 0)
    write_elsewhere(file, "theirs\n")
    with pytest.raises(InputError):
        desk.save(file)
    assert file.read_text() == "theirs\n" and desk.sheets[file].text == "mine\n"


def test_what_was_typed_into_a_text_that_is_no_more_waits_for_a_choice(file: Path) -> None:
    """The page had not told yet what was typed when the file changed."""
    desk = open_desk(file)
    write_elsewhere(file, "theirs\n")
    desk.look()
    desk.edit(file, "mine\n", 0)
    sheet = desk.sheets[file]
    assert sheet.state == desks.CHANGED and sheet.text == "mine\n"
    desk.take_disk(file)
    assert sheet.text == "theirs\n"


def test_a_file_that_is_gone_keeps_its_text_and_can_be_written_again(file: Path) -> None:
    desk = open_desk(file)
    file.unlink()
    assert desk.look() == [file]
    assert desk.sheets[file].state == desks.GONE and desk.drafts == pack_drafts({file: "one\n"})
    desk.save(file)
    assert file.read_text() == "one\n" and desk.sheets[file].state == desks.SAME and desk.drafts == ()


def test_a_file_that_comes_back_is_taken_up(file: Path) -> None:
    desk = open_desk(file)
    file.unlink()
    desk.look()
    write_elsewhere(file, "back\n")
    assert desk.look() == [file]
    assert desk.sheets[file].text == "back\n" and desk.sheets[file].state == desks.SAME


def test_what_cannot_be_read_is_told_and_the_text_stays(file: Path) -> None:
    desk = open_desk(file)
    file.write_bytes(b"\0\1\2\3")
    assert desk.look() == [file]
    sheet = desk.sheets[file]
    assert sheet.state == desks.UNREADABLE and sheet.text == "one\n"
    assert sheet.trouble == f"{file}: not a text file. A script is plain text."
    assert desk.drafts == pack_drafts({file: "one\n"})


@pytest.mark.parametrize(
    "data",
    [b"# gr\xfcn\nPHASE 0\n", "# grün\r\nPHASE 0\r\n".encode(), b"\xef\xbb\xbf# gr\xc3\xbcn\n", b"# no line end"],
)
def test_the_manner_of_writing_is_kept(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    desk = open_desk(file)
    text = desk.sheets[file].text
    assert "\r" not in text and "\ufeff" not in text
    desk.edit(file, text.replace("#", "##"), 0)
    desk.save(file)
    assert file.read_bytes() == data.replace(b"#", b"##")


def test_latin_1_is_reported_and_other_characters_make_it_utf_8(file: Path) -> None:
    file.write_bytes(b"# gr\xfcn\n")
    desk = open_desk(file)
    assert describe_banner(desk.sheets[file]) == "The file is not valid UTF-8. It is read and saved as Latin-1."
    desk.edit(file, "# grün → blau\n", 0)
    desk.save(file)
    assert file.read_text(encoding="utf-8") == "# grün → blau\n" and read_written(file).encoding == "utf-8"


def test_what_poise_ships_is_not_written_to() -> None:
    shipped = LIBRARY / "walk.ctl"
    desk, before = open_desk(shipped), shipped.read_bytes()
    desk.edit(shipped, "mine\n", 0)
    assert desk.drafts == ()
    with pytest.raises(InputError) as caught:
        desk.save(shipped)
    assert str(caught.value) == f"{shipped}: the file ships with Poise and is read-only. Save a copy."
    assert shipped.read_bytes() == before


def test_a_copy_goes_beside_ones_own_script_or_into_out(file: Path, tmp_path: Path) -> None:
    shipped, gait = LIBRARY / "walk.ctl", LIBRARY / "_gait.ctl"
    desk = open_desk(shipped, gait)
    main, callee = desk.sheets.values()
    assert suggest_copy(main, main, Workspace()) == Path("out/walk.ctl")
    assert suggest_copy(callee, open_desk(file).sheets[file], Workspace()) == tmp_path / "_gait.ctl"
    paths = save_copies([main, callee], tmp_path / "new" / "mine.ctl", Workspace(tmp_path))
    assert paths == [tmp_path / "new" / "mine.ctl", tmp_path / "new" / "_gait.ctl"]
    assert [p.read_bytes() for p in paths] == [shipped.read_bytes(), gait.read_bytes()]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("walk.ctl", "{path}: the file exists. Choose another name, or overwrite it."),
        ("walk.txt", "{path}: not a script's file ending, got '.txt'. Allowed: .ctl, .t, .s."),
    ],
)
def test_a_copy_that_cannot_be_made_is_told(file: Path, name: str, message: str) -> None:
    desk, path = open_desk(file), file.with_name(name)
    with pytest.raises(InputError) as caught:
        save_copies(list(desk.sheets.values()), path, Workspace(file.parent))
    # Long values are cut, and how long the folder's name is depends on the machine.
    said, wanted = (text.partition(", got")[0] for text in (str(caught.value), message.format(path=path)))
    assert said == wanted and str(caught.value).endswith(message[-12:])
    assert file.read_text() == "one\n"


def test_files_come_and_go_but_not_those_that_were_edited(file: Path, tmp_path: Path) -> None:
    other, third = tmp_path / "other.ctl", tmp_path / "third.ctl"
    other.write_text("other\n")
    third.write_text("third\n")
    desk = open_desk(file, other, third)
    desk.edit(third, "edited\n", 0)
    assert desk.lay_out([Page(file.name, file)])
    assert list(desk.sheets) == [file, third]
    assert not desk.lay_out([Page(file.name, file)])


def test_files_beside_it_that_come_and_surroundings_that_change_are_news(file: Path) -> None:
    desk = open_desk(file)
    assert not desk.look_around()
    file.with_name("gait.ctl").write_text("new\n")
    assert desk.look_around() and not desk.look_around()
    surroundings = file.with_name("base.env")
    surroundings.write_text("ENTITIES {}\n")
    assert desk.look_around()
    write_elsewhere(surroundings, "ENTITIES { }\n")
    assert desk.look_around() and not desk.look_around()
    file.with_name("gait.ctl").unlink()
    assert desk.look_around()
