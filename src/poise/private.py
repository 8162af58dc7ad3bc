"""Folders that no other user can write to, and files that no other user can read.

Data that Poise later runs or trusts, such as compiled code and cluster keys, is only as safe as its folder. Windows
protects a user's folders with access lists: nothing is checked there.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final

#: Whether file owners and modes are meaningful on this system.
HAS_OWNERS: Final = sys.platform != "win32"

#: Most links on a path; the same limit as Linux.
_MAX_LINKS: Final = 40


def make_private_folder(path: Path) -> None:
    """Create a folder and its missing parents for this user only; an existing folder is unchanged."""
    missing = [path]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for folder in reversed(missing):
        # Another process of this user may do the same at the same time.
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is not a folder")


def write_private_file(path: Path, data: bytes) -> None:
    """Write a new file that only this user can read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(data)


def find_intruder(path: Path) -> str | None:
    """How others could replace the file at a path, or None if they cannot.

    Checks every folder and link on the path except those above the user's home folder, which the system protects.
    Raises OSError if the path does not exist.
    """
    if sys.platform == "win32":
        return None
    trusted = (0, os.getuid())
    for step, info in _walk(Path(os.path.abspath(path))):
        if _is_above_home(step):
            continue
        if info.st_uid not in trusted:
            return f"{step} belongs to another user"
        if stat.S_ISLNK(info.st_mode) or info.st_mode & stat.S_ISVTX:
            # In a folder with the sticky bit only the owner of an entry can rename it.
            continue
        if info.st_mode & stat.S_IWOTH or (info.st_mode & stat.S_IWGRP and not _is_own_group(info.st_gid)):
            return f"{step} can be written by other users"
    return None


def find_onlooker(path: Path) -> str | None:
    """Why other users can access a file or folder, or None if they cannot; a link never passes."""
    if sys.platform == "win32":
        return None
    info = os.lstat(path)
    if stat.S_ISLNK(info.st_mode):
        return f"{path} is a link"
    if info.st_uid != os.getuid():
        return f"{path} belongs to another user"
    if info.st_mode & 0o077:
        return f"{path} is open to other users (mode {stat.S_IMODE(info.st_mode):03o})"
    return None


def _walk(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Every folder and link on an absolute path, from the top."""
    here, pending, links = Path(path.anchor), list(path.parts[1:]), 0
    while pending:
        part = pending.pop(0)
        if part == "..":
            here = here.parent
            continue
        step = here / part
        info = os.lstat(step)
        yield step, info
        if not stat.S_ISLNK(info.st_mode):
            here = step
            continue
        links += 1
        if links > _MAX_LINKS:
            raise OSError(f"{path} leads through too many links")
        target = PurePath(os.readlink(step))
        if target.is_absolute():
            here = Path(target.anchor)
        pending[:0] = target.parts[1:] if target.is_absolute() else target.parts


def _is_above_home(step: Path) -> bool:
    """Whether the user's home folder, according to the system, is inside a folder."""
    if sys.platform == "win32":
        return False
    import pwd

    try:
        home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return False
    return home != step and home.is_relative_to(step)


def _is_own_group(group_id: int) -> bool:
    """Whether a group contains only the user; many systems create one per user."""
    if sys.platform == "win32":
        return True
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(group_id)
    except KeyError:
        return False
    return group.gr_name == user and set(group.gr_mem) <= {user}
