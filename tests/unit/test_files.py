import errno
import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.errors import ExportError, FileFormatError, InputError
from poise.files import (
    digest,
    load_bytes,
    load_partner,
    load_text,
    save_bytes,
    save_pair,
    save_text,
    settle_pair,
    write_atomic,
    write_atomic_path,
)
from poise.tables import load_table
from refusals import refusal


def list_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_bytes_and_text_come_back(tmp_path):
    save_bytes(tmp_path / "a.bin", b"\x00\xff")
    save_text(tmp_path / "a.txt", "90° → ½\n")
    assert load_bytes(tmp_path / "a.bin") == b"\x00\xff"
    assert load_text(tmp_path / "a.txt") == "90° → ½\n"
    assert list_files(tmp_path) == ["a.bin", "a.txt"]


def test_folders_on_the_way_are_made(tmp_path):
    save_text(tmp_path / "out" / "deep" / "a.txt", "x")
    assert (tmp_path / "out" / "deep" / "a.txt").read_text() == "x"


def test_text_mode_writes_utf_8_with_plain_line_ends(tmp_path):
    with write_atomic(tmp_path / "a.csv", "w") as file:
        file.write("angle °\n1\n")
    assert (tmp_path / "a.csv").read_bytes() == "angle °\n1\n".encode()


def test_the_file_appears_only_at_the_end(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with write_atomic(target) as file:
        file.write(b"new")
        file.flush()
        assert target.read_text() == "old"
    assert target.read_text() == "new"


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, RuntimeError, SystemExit])
def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path, interruption):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(interruption), write_atomic(target) as file:
        file.write(b"half")
        raise interruption
    assert list_files(tmp_path) == ["a.txt"]
    assert target.read_text() == "old"


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    def refuse(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    target = tmp_path / "a.txt"
    target.write_text("old")
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(ExportError) as caught:
        save_text(target, "new")
    assert str(caught.value) == (
        f"{target}: could not be written, the disk is full. Free some space or choose another disk."
    )
    assert caught.value.errno == errno.ENOSPC
    assert list_files(tmp_path) == ["a.txt"]
    assert target.read_text() == "old"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_device_is_written_to_and_never_replaced():
    with pytest.raises(ExportError) as caught:
        save_text("/dev/full", "x")
    assert str(caught.value) == (
        "/dev/full: could not be written, the disk is full. Free some space or choose another disk."
    )
    save_text("/dev/null", "x")
    assert Path("/dev/full").is_char_device()
    assert Path("/dev/null").is_char_device()


def test_a_pipe_receives_what_is_written(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    save_text(pipe, "hello")
    reader.join(timeout=10)
    assert received == [b"hello"]


def test_permission_denied_is_explained(tmp_path, monkeypatch):
    def refuse(*args: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ExportError) as caught:
        save_text(tmp_path / "a.txt", "x")
    assert str(caught.value) == (
        f"{tmp_path / 'a.txt'}: could not be written, permission denied. Choose a place you may write to."
    )


def test_a_folder_in_the_place_of_the_file_is_explained(tmp_path):
    with pytest.raises(ExportError) as caught:
        save_text(tmp_path, "x")
    assert str(caught.value) == f"{tmp_path}: could not be written, it is a folder. Give the name of a file."
    assert list_files(tmp_path.parent).count(tmp_path.name) == 1


@pytest.mark.parametrize("name", ["file/a.txt", "file/deeper/a.txt"])
def test_a_file_in_the_place_of_a_folder_is_explained(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError) as caught:
        save_text(tmp_path / name, "x")
    assert str(caught.value) == (f"{tmp_path / name}: could not be written, part of its path is a file, not a folder.")


def test_other_refusals_repeat_the_systems_words(tmp_path):
    with pytest.raises(ExportError) as caught, write_atomic(tmp_path / "a"):
        raise OSError(errno.EIO, "Input/output error")
    assert str(caught.value) == (f"{tmp_path / 'a'}: could not be written, the system says: Input/output error.")


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
def test_what_is_no_file_name_is_refused(name):
    for access in (lambda: save_text(name, "x"), lambda: load_text(name)):
        with pytest.raises(InputError) as caught:
            access()
        assert str(caught.value) == f"not a file name, got {name!r}."


def test_an_unknown_mode_is_refused(tmp_path):
    with pytest.raises(InputError) as caught, write_atomic(tmp_path / "a", "r+"):
        pass
    assert str(caught.value) == "not a mode of writing, got 'r+'. Allowed: 'wb', 'w'."


def test_writers_that_want_a_name_get_one_with_the_same_suffix(tmp_path):
    with write_atomic_path(tmp_path / "film.mp4") as part:
        assert part.suffix == ".mp4"
        part.write_bytes(b"frames")
    assert (tmp_path / "film.mp4").read_bytes() == b"frames"
    assert list_files(tmp_path) == ["film.mp4"]


def test_permissions_follow_the_old_file_or_the_umask(tmp_path):
    old = os.umask(0o027)
    try:
        save_text(tmp_path / "new", "x")
    finally:
        os.umask(old)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
    (tmp_path / "new").chmod(0o604)
    save_text(tmp_path / "new", "y")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o604


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    save_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    assert load_table(tmp_path / "a.toml") == {"a": 1, "b": 2}


def test_a_missing_file_gets_the_nearest_name(tmp_path):
    assert refusal(load_table, tmp_path / "wlak.toml") == f"{tmp_path / 'wlak.toml'}: no such file."
    save_text(tmp_path / "walk.toml", "")
    with pytest.raises(FileFormatError) as caught:
        load_table(tmp_path / "wlak.toml")
    assert str(caught.value) == (
        f"{tmp_path / 'wlak.toml'}: no such file. Did you mean {str(tmp_path / 'walk.toml')!r}?"
    )


def test_a_file_that_is_not_utf_8_is_pointed_at(tmp_path):
    path = tmp_path / "a.toml"
    path.write_bytes("a = 1\nb = '°".encode() + b"\xff'")
    assert refusal(load_table, path) == f"{path}:2:7: not text in UTF-8, got byte 0xff."


def test_a_folder_is_no_toml_file(tmp_path):
    assert refusal(load_table, tmp_path) == f"{tmp_path}: is a folder. A file is needed."


def test_a_file_beyond_the_limit_is_refused(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("# " + "x" * 2_500_000)
    assert refusal(load_table, path, max_bytes=2_000_000) == f"{path}: is too large. Allowed: at most 2 MB."


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_a_device_is_refused():
    with pytest.raises(FileFormatError) as caught:
        load_text("/dev/zero")
    assert str(caught.value) == "/dev/zero: is a device. A file is needed."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_that_nobody_writes_to_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "walk.toml")
    assert refusal(load_table, tmp_path / "walk.toml") == f"{tmp_path / 'walk.toml'}: is a pipe. A file is needed."


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="needs /dev/fd")
def test_what_a_shell_pipes_in_is_read():
    reading, writing = os.pipe()
    os.write(writing, b"a = 1\n")
    os.close(writing)
    try:
        assert load_table(f"/dev/fd/{reading}") == {"a": 1}
    finally:
        os.close(reading)


def test_a_file_that_may_not_be_read_is_explained(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileFormatError) as caught:
        load_text(tmp_path / "file" / "a.toml")
    assert str(caught.value) == (
        f"{tmp_path / 'file' / 'a.toml'}: cannot be read, part of its path is a file, not a folder."
    )


@given(st.binary())
def test_any_bytes_are_text_or_a_clear_error(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(data)
    try:
        assert isinstance(load_text(path), str)
    except FileFormatError as error:
        assert str(error).startswith(f"{path}:")


def test_the_folder_is_flushed_after_the_rename(tmp_path, monkeypatch):
    steps = []
    replace, fsync = os.replace, os.fsync
    monkeypatch.setattr(os, "replace", lambda a, b: (steps.append("rename"), replace(a, b)))
    monkeypatch.setattr(
        os,
        "fsync",
        lambda d: (steps.append("folder" if os.path.samestat(os.fstat(d), tmp_path.stat()) else "file"), fsync(d)),
    )
    save_text(tmp_path / "a.txt", "x")
    assert steps == ["file", "rename", "folder"]


class KilledError(BaseException):
    """A process that dies."""


@pytest.mark.parametrize("last", range(1, 12))
def test_a_pair_is_old_or_new_wherever_its_writer_dies(tmp_path, monkeypatch, last):
    head, partner = tmp_path / "a.toml", tmp_path / "a.npz"
    old, new = b"old samples", b"new samples"
    save_pair(head, digest(old).encode(), partner, old)
    calls = []

    def count(original):
        def counted(*args):
            calls.append(1)
            if len(calls) == last:
                raise KilledError
            return original(*args)

        return counted

    for name in ("replace", "fsync", "open"):
        monkeypatch.setattr(os, name, count(getattr(os, name)))
    with suppress(KilledError):
        save_pair(head, digest(new).encode(), partner, new)
    monkeypatch.undo()
    wanted = head.read_bytes().decode()
    found = load_partner(partner, wanted, 1000)
    assert found in (old, new) and digest(found) == wanted
    settle_pair(partner, wanted)
    assert partner.read_bytes() == found
    assert list_files(tmp_path) == ["a.npz", "a.toml"]
