"""Folders that others can write to are distinguished from those that they cannot."""

import os
import stat
import sys

import pytest

from poise.private import find_intruder, find_onlooker, make_private_folder, write_private_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no owners and modes")

OTHER = 65534
as_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a file away")


def test_what_is_made_is_private_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        make_private_folder(tmp_path / "a" / "b")
        write_private_file(tmp_path / "a" / "b" / "key", b"secret")
    finally:
        os.umask(before)
    for path, mode in (("a", 0o700), ("a/b", 0o700), ("a/b/key", 0o600)):
        assert stat.S_IMODE((tmp_path / path).stat().st_mode) == mode
        assert find_onlooker(tmp_path / path) is None
    assert find_intruder(tmp_path / "a" / "b") is None
    with pytest.raises(FileExistsError):
        write_private_file(tmp_path / "a" / "b" / "key", b"other")


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path):
    (tmp_path / "a").touch()
    with pytest.raises(NotADirectoryError):
        make_private_folder(tmp_path / "a")


@pytest.mark.parametrize(
    ("mode", "safe"), [(0o700, True), (0o755, True), (0o757, False), (0o777, False), (0o1777, True)]
)
def test_a_parent_that_others_can_write_to_counts_unless_it_is_sticky(tmp_path, mode, safe):
    make_private_folder(tmp_path / "open" / "mine")
    (tmp_path / "open").chmod(mode)
    found = find_intruder(tmp_path / "open" / "mine")
    assert found == (None if safe else f"{tmp_path / 'open'} can be written by other users")


@as_root
def test_a_group_of_several_can_write_and_the_group_of_the_user_alone_is_the_user(tmp_path):
    make_private_folder(tmp_path / "a")
    (tmp_path / "a").chmod(0o770)
    assert find_intruder(tmp_path / "a") is None
    os.chown(tmp_path / "a", 0, OTHER)
    assert find_intruder(tmp_path / "a") == f"{tmp_path / 'a'} can be written by other users"


def test_links_are_followed_and_what_they_lead_through_counts(tmp_path):
    make_private_folder(tmp_path / "open" / "mine")
    (tmp_path / "direct").symlink_to(tmp_path / "open" / "mine")
    (tmp_path / "around").symlink_to("open/../direct")
    assert find_intruder(tmp_path / "around") is None
    (tmp_path / "open").chmod(0o777)
    for link in ("direct", "around"):
        assert find_intruder(tmp_path / link) == f"{tmp_path / 'open'} can be written by other users"
    assert find_onlooker(tmp_path / "direct") == f"{tmp_path / 'direct'} is a link"
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(OSError, match="too many links"):
        find_intruder(tmp_path / "round")


@as_root
def test_folders_and_links_of_another_user_count(tmp_path):
    make_private_folder(tmp_path / "theirs" / "mine")
    (tmp_path / "link").symlink_to("theirs")
    assert find_intruder(tmp_path / "link" / "mine") is None
    os.chown(tmp_path / "link", OTHER, OTHER, follow_symlinks=False)
    assert find_intruder(tmp_path / "link" / "mine") == f"{tmp_path / 'link'} belongs to another user"
    os.chown(tmp_path / "theirs", OTHER, OTHER)
    assert find_intruder(tmp_path / "theirs" / "mine") == f"{tmp_path / 'theirs'} belongs to another user"
    assert find_onlooker(tmp_path / "theirs") == f"{tmp_path / 'theirs'} belongs to another user"


def test_what_others_can_read_is_not_private(tmp_path):
    (tmp_path / "key").write_text("secret")
    (tmp_path / "key").chmod(0o640)
    assert find_onlooker(tmp_path / "key") == f"{tmp_path / 'key'} is open to other users (mode 640)"
