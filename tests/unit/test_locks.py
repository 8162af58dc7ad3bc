"""Locks on outputs: one job at a time, with a named owner, and no file of a living process is removed."""

import errno
import json
import os
import socket
import subprocess
import sys
import threading

import pytest

from poise import locks
from poise.errors import ExportError
from poise.files import write_atomic
from poise.locks import FOLDER_LOCK, BusyError, hold_file, hold_folder, remove_dead_parts

HOLD = """
import sys
from poise.locks import hold_folder
from poise.files import write_atomic
with hold_folder(sys.argv[1]), write_atomic(sys.argv[1] + "/a.txt") as file:
    file.write(b"half")
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def other(tmp_path):
    """Another process that holds a folder and is writing a file there."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "held\n"
    yield child
    child.kill()
    child.communicate()


def list_files(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_second_process_is_told_of_the_first(tmp_path, other):
    since = json.loads((tmp_path / FOLDER_LOCK).read_text())["since"]
    with pytest.raises(BusyError) as error, hold_folder(tmp_path):
        pass
    assert str(error.value) == (
        f"{tmp_path}: another search is running here, process {other.pid}, since {since}. "
        "Wait for it, stop it, or choose another folder with --out."
    )


def test_a_killed_process_leaves_neither_lock_nor_parts_to_the_next(tmp_path, other):
    remove_dead_parts(tmp_path)
    assert len(list(tmp_path.glob(".poise-*.part*"))) == 1, "its owner lives"
    other.kill()
    other.wait()
    with hold_folder(tmp_path):
        assert list_files(tmp_path) == [FOLDER_LOCK]
    assert list_files(tmp_path) == []


def test_two_threads_do_not_share_an_output(tmp_path):
    refused = []

    def try_too():
        try:
            with hold_file(tmp_path / "a.toml", "--output"):
                pass
        except BusyError as error:
            refused.append(str(error))

    with hold_file(tmp_path / "a.toml"), hold_file(tmp_path / "b.toml"):
        thread = threading.Thread(target=try_too)
        thread.start()
        thread.join()
    assert len(refused) == 1
    assert f"process {os.getpid()}, since" in refused[0] and refused[0].endswith("another file with --output.")
    assert list_files(tmp_path) == []


def test_parts_that_another_thread_is_writing_stay(tmp_path):
    with write_atomic(tmp_path / "a.txt") as file:
        file.write(b"x")
        with hold_folder(tmp_path):
            pass
    assert (tmp_path / "a.txt").read_bytes() == b"x"


def test_a_refused_job_leaves_no_empty_folder(tmp_path):
    with pytest.raises(ZeroDivisionError), hold_folder(tmp_path / "new"):
        raise ZeroDivisionError
    assert list_files(tmp_path) == []


def test_a_place_that_cannot_be_locked_is_explained(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="could not be locked") as error, hold_folder(tmp_path / "file"):
        pass
    assert error.value.path == str(tmp_path / "file")


class WithoutFlock:
    """A disk that knows no locks."""

    LOCK_EX = LOCK_NB = 0

    @staticmethod
    def flock(_descriptor, _how):
        raise OSError(errno.ENOLCK, "No locks available")


@pytest.mark.parametrize("system", [WithoutFlock, None])
def test_disks_without_locks_have_files_that_one_process_can_make(tmp_path, monkeypatch, system):
    monkeypatch.setattr(locks, "fcntl", system)
    marker = tmp_path / f"{FOLDER_LOCK}.owner"
    with hold_folder(tmp_path):
        assert json.loads(marker.read_text())["process"] == os.getpid()
        with pytest.raises(BusyError), hold_folder(tmp_path):
            pass
    assert list_files(tmp_path) == []
    here = {"host": socket.gethostname(), "since": "2026-01-01 00:00:00", "command": "x"}
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    marker.write_text(json.dumps({"process": gone.pid, **here}))
    with hold_folder(tmp_path):
        pass
    marker.write_text(json.dumps({"process": gone.pid, **here, "host": "elsewhere"}))
    with pytest.raises(BusyError) as error, hold_folder(tmp_path):
        pass
    assert f"process {gone.pid} on elsewhere (if it no longer runs, remove {marker})" in str(error.value)


def test_without_locks_only_old_parts_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "fcntl", None)
    for name in (".poise-1.part.txt", ".poise-2.part.txt"):
        (tmp_path / name).write_text("")
    os.utime(tmp_path / ".poise-1.part.txt", (1.0, 1.0))
    remove_dead_parts(tmp_path)
    assert list_files(tmp_path) == [".poise-2.part.txt"]


def test_a_forked_child_does_not_keep_the_lock(tmp_path):
    script = """
import os, sys, time
from poise.locks import hold_folder, BusyError
with hold_folder(sys.argv[1]):
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
with hold_folder(sys.argv[1]):
    os.kill(child, 9)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
