"""The studio opens and writes scripts only in its own folder."""

from pathlib import Path

import pytest

from poise.characters.catalog import load_character
from poise.errors import InputError
from poise.studio.actor import pack_drafts
from poise.studio.desk import Desk, Sheet, Written, save_copies
from poise.studio.reading import Page, read_script
from poise.studio.workspace import Workspace, open_workspace

SECRET = "correct horse battery staple"
STEP = "PHASES{\n  PHASE{0} TO 0 IN 9;\n}\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a studio, beside a private file."""
    folder = tmp_path / "home"
    folder.mkdir()
    (tmp_path / "private.txt").write_text(SECRET)
    (tmp_path / "private.ctl").write_text(SECRET)
    monkeypatch.chdir(folder)
    return folder


def make_sheet(path: Path) -> Sheet:
    written = Written("text\n")
    return Sheet(path.name, path, "text\n", written, None, False)


@pytest.mark.parametrize("target", ["../up.ctl", "{out}/up.ctl", "link/up.ctl", "out/../../up.ctl", "file.ctl"])
def test_a_copy_is_written_nowhere_else(home: Path, target: str) -> None:
    outside = home.parent / "elsewhere"
    outside.mkdir()
    (home / "link").symlink_to(outside)
    (home / "file.ctl").symlink_to(outside / "file.ctl")
    with pytest.raises(InputError) as caught:
        save_copies([make_sheet(home / "a.ctl")], Path(target.format(out=outside)), Workspace(), overwrite=True)
    path = Path(target.format(out=outside))
    assert str(caught.value) == (
        f"{path}: outside the studio's folder. Allowed: files in {str(home.resolve())!r} and below."
    )
    assert list(outside.iterdir()) == [] and not (home.parent / "up.ctl").exists()


def test_what_is_not_a_script_is_not_written(home: Path) -> None:
    (home / "notes.txt").write_text("mine")
    (home / "notes.ctl").symlink_to(home / "notes.txt")
    with pytest.raises(InputError, match=r"notes\.ctl: file type not allowed\. Allowed: \.ctl, \.t, \.s\."):
        save_copies([make_sheet(home / "a.ctl")], Path("notes.ctl"), Workspace(), overwrite=True)
    for name in (".bashrc", "evil.py", "walk.toml"):
        with pytest.raises(InputError, match="not a script's file ending"):
            save_copies([make_sheet(home / "a.ctl")], Path(name), Workspace())
    assert (home / "notes.txt").read_text() == "mine"


def test_the_second_of_two_copies_is_checked_too(home: Path) -> None:
    (home / "b.ctl").symlink_to(home.parent / "private.ctl")
    with pytest.raises(InputError, match="outside the studio's folder"):
        sheets = [make_sheet(home / "a.ctl"), make_sheet(home / "b.ctl")]
        save_copies(sheets, Path("new.ctl"), Workspace(), overwrite=True)
    assert (home.parent / "private.ctl").read_text() == SECRET and not (home / "new.ctl").exists()


@pytest.mark.parametrize("name", ["../private.txt", "../private.ctl", "{up}/private.txt", "link.ctl", "/etc/passwd"])
def test_scripts_opens_no_private_file(home: Path, name: str) -> None:
    (home / "link.ctl").symlink_to(home.parent / "private.txt")
    main = home / "main.ctl"
    named = name.format(up=home.parent)
    main.write_text(f"SCRIPTS {named};\nCHAR BLOCK;\n{STEP}")
    reading = read_script(str(main), (), load_character("planar17"))
    desk = Desk(open_workspace(str(main)))
    desk.lay_out(reading.pages)
    shown = str(reading) + "".join(str(sheet) for sheet in desk.sheets.values())
    assert "correct horse" not in shown and "root:" not in shown
    assert any(remark.severity == "error" for remark in reading.remarks)


def test_a_draft_in_the_page_reads_no_more_than_the_file(home: Path) -> None:
    main = home / "main.ctl"
    main.write_text(STEP)
    drafts = pack_drafts({main: f"SCRIPTS ../private.ctl;\n{STEP}"})
    reading = read_script(str(main), drafts, load_character("planar17"))
    assert "correct horse" not in str(reading)


def test_a_sheet_outside_is_neither_shown_nor_written(home: Path) -> None:
    private = home.parent / "private.ctl"
    desk = Desk(Workspace())
    desk.lay_out([Page("private.ctl", private)])
    sheet = desk.sheets[private.resolve()]
    assert sheet.text == "" and sheet.read_only and "outside the studio's folder" in sheet.trouble
    desk.edit(private.resolve(), "overwritten", 9)
    with pytest.raises(InputError):
        desk.save(private.resolve())
    assert private.read_text() == SECRET


def test_a_file_that_became_a_link_is_not_written_through(home: Path) -> None:
    file = home / "walk.ctl"
    file.write_text("mine\n")
    desk = Desk(Workspace())
    desk.lay_out([Page("walk.ctl", file)])
    desk.edit(file, "edited\n", 0)
    file.unlink()
    file.symlink_to(home.parent / "private.ctl")
    desk.keep_mine(file)
    with pytest.raises(InputError):
        desk.save(file)
    desk.keep_mine(file)
    with pytest.raises(InputError, match="outside the studio's folder"):
        desk.save(file)
    assert (home.parent / "private.ctl").read_text() == SECRET


def test_a_script_runs_no_python(home: Path) -> None:
    (home / "evil.py").write_text(f"open({str(home / 'ran')!r}, 'w')\ndef build(character): ...\n")
    main = home / "main.ctl"
    main.write_text("PHASES{\n  PHASE{0} TO 0 IN 9;\n    > evil.py(void);\n}\n")
    read_script(str(main), (), load_character("planar17"))
    assert not (home / "ran").exists()


def test_a_script_that_the_user_names_opens_its_own_folder(home: Path) -> None:
    script = home.parent / "scripts" / "walk.ctl"
    script.parent.mkdir()
    script.write_text(STEP)
    workspace = open_workspace(str(script))
    workspace.check_open(script.with_name("gait.ctl"))
    workspace.check_write(script)
    with pytest.raises(InputError, match="outside the studio's folder"):
        workspace.check_open(home.parent / "private.ctl")
