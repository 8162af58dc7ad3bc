"""Compiled code is loaded only from folders that nobody else can write to."""

import os
import stat
import subprocess
import sys

import pytest

from poise.kernels import cache_folder
from poise.kernels.cache_folder import choose_cache_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no owners and modes")

OTHER = 65534
as_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a file away")
UNSAFE = "Others could replace compiled code there, so it is not used. Name a folder of your own in POISE_CACHE_DIR."


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The user's cache folder, with nothing chosen."""
    for variable in (*cache_folder.CHOICES, cache_folder.SHARED):
        # Set first, so that what the test leaves in the environment is taken back.
        monkeypatch.setenv(variable, "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "poise"


def test_the_users_cache_is_the_default_and_private(home):
    folder = choose_cache_folder("key")
    assert folder == home / "key"
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(home.stat().st_mode) == 0o700
    folder.chmod(0o755)
    assert choose_cache_folder("key") == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("variable", cache_folder.CHOICES)
def test_a_chosen_folder_is_used_and_an_open_one_refused(home, tmp_path, monkeypatch, caplog, variable):
    chosen = tmp_path / "chosen"
    monkeypatch.setenv(variable, str(chosen))
    assert choose_cache_folder("key") == chosen / "key"
    assert caplog.messages == []
    chosen.chmod(0o777)
    assert choose_cache_folder("key") == home / "key"
    assert caplog.messages == [f"{variable}: {chosen} can be written by other users. {UNSAFE}"]
    # Processes that are started from here do not say it again, and numba does not come back to it.
    assert variable not in os.environ


def test_the_key_in_a_sticky_folder_is_used_only_if_it_is_ours(home, tmp_path, monkeypatch, caplog):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "planted").mkdir()
    (shared / "planted").chmod(0o777)
    (shared / "link").symlink_to(tmp_path)
    monkeypatch.setenv("POISE_CACHE_DIR", str(shared))
    assert choose_cache_folder("key") == shared / "key"
    assert choose_cache_folder("planted") == home / "planted"
    monkeypatch.setenv("POISE_CACHE_DIR", str(shared))
    assert choose_cache_folder("link") == home / "link"
    assert caplog.messages == [
        f"POISE_CACHE_DIR: {shared / 'planted'} is open to other users (mode 777). {UNSAFE}",
        f"POISE_CACHE_DIR: {shared / 'link'} is a link. {UNSAFE}",
    ]


@as_root
def test_a_key_that_another_user_planted_is_refused(home, tmp_path, monkeypatch, caplog):
    shared = tmp_path / "shared"
    (shared / "key").mkdir(parents=True)
    shared.chmod(0o1777)
    os.chown(shared / "key", OTHER, OTHER)
    monkeypatch.setenv("POISE_CACHE_DIR", str(shared))
    assert choose_cache_folder("key") == home / "key"
    assert caplog.messages == [f"POISE_CACHE_DIR: {shared / 'key'} belongs to another user. {UNSAFE}"]


def test_an_open_cache_of_our_own_is_closed_but_not_what_was_planted_in_it(home, tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(cache_folder.tempfile, "tempdir", str(tmp_path))
    home.mkdir(parents=True)
    home.chmod(0o777)
    assert choose_cache_folder("key") == home / "key"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    (home / "planted").mkdir()
    (home / "planted").chmod(0o777)
    folder = choose_cache_folder("planted")
    assert folder.parent.parent == tmp_path and folder.parent.name.startswith("poise-")
    assert caplog.messages == [f"{home / 'planted'} is open to other users (mode 777). {UNSAFE}"]


def test_there_is_no_cache_where_even_temporary_folders_are_open(home, tmp_path, monkeypatch):
    home.parent.write_text("not a folder")
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setattr(cache_folder.tempfile, "tempdir", str(tmp_path / "open"))
    assert choose_cache_folder("key") is None


CHILD = "from poise.kernels.jit import cache_folder; print(cache_folder(), flush=True)"
PARENT = f"{CHILD}; import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"


def test_without_a_home_processes_share_a_temporary_folder_that_is_gone_at_the_end(tmp_path):
    unset = (*cache_folder.CHOICES, cache_folder.SHARED)
    environment = {k: v for k, v in os.environ.items() if k not in unset}
    environment |= {"XDG_CACHE_HOME": "/dev/null/home", "TMPDIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", PARENT, CHILD], env=environment, capture_output=True, text=True, check=True
    )
    parents, childs = ran.stdout.splitlines()
    assert parents == childs
    assert parents.startswith(f"{tmp_path}/poise-")
    assert list(tmp_path.iterdir()) == []
    assert ran.stderr == (
        "/dev/null/home/poise cannot hold compiled code, Not a directory. Name another folder in POISE_CACHE_DIR.\n"
    )
