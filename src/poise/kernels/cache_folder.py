"""Chooses the cache folder for compiled code: always one that no other user can write to.

numba's cache files are pickles and machine code: anyone who can write them can run programs as the user who loads them.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from poise.private import HAS_OWNERS, find_intruder, find_onlooker, make_private_folder

#: Environment variables for a folder, in order of precedence.
CHOICES: Final = ("NUMBA_CACHE_DIR", "POISE_CACHE_DIR")
#: Passes the temporary folder of this process on to its child processes.
SHARED: Final = "POISE_SHARED_CACHE"

_log = logging.getLogger(__name__)


def choose_cache_folder(key: str) -> Path | None:
    """A folder for the compiled code of this build; None if there is no safe one.

    The first safe one of: the folder in NUMBA_CACHE_DIR or POISE_CACHE_DIR, the user's cache folder, and a temporary
    folder that lasts as long as this process and is shared with its child processes.
    """
    for variable in CHOICES:
        if chosen := os.environ.get(variable):
            folder = _open(Path(chosen), key, f"{variable}: ")
            if folder is not None:
                return folder
            # Keep numba and our child processes from using it.
            del os.environ[variable]
    if shared := os.environ.get(SHARED):
        with suppress(OSError):
            if find_onlooker(Path(shared)) is None and find_intruder(Path(shared)) is None:
                return _open_key(Path(shared), key)
    home = _find_home()
    if home is not None:
        _repair(home)
        folder = _open(home, key)
        if folder is not None:
            return folder
    return _open_temporary(key)


def _find_home() -> Path | None:
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(cache) / "poise" if os.path.isabs(cache) else None


def _repair(root: Path) -> None:
    """Revokes others' write permission on a folder from an earlier version; its content is checked separately."""
    with suppress(OSError):
        info = os.lstat(root)
        if HAS_OWNERS and stat.S_ISDIR(info.st_mode) and info.st_uid == os.getuid() and info.st_mode & 0o022:
            os.chmod(root, 0o700)


def _open(root: Path, key: str, where: str = "") -> Path | None:
    """The folder of a key inside a root; logs a warning and returns None if it cannot be used."""
    try:
        make_private_folder(root)
        intruder = find_intruder(root)
        if intruder is None:
            return _open_key(root, key)
    except _UnsafeError as error:
        intruder = str(error)
    except OSError as error:
        reason = error.strerror or error
        _log.warning("%s%s cannot hold compiled code, %s. Name another folder in POISE_CACHE_DIR.", where, root, reason)
        return None
    _log.warning(
        "%s%s. Others could replace compiled code there, so it is not used. "
        "Name a folder of your own in POISE_CACHE_DIR.",
        where,
        intruder,
    )
    return None


def _open_key(root: Path, key: str) -> Path:
    folder = root / key
    make_private_folder(folder)
    if HAS_OWNERS and not os.path.islink(folder):
        info = os.lstat(folder)
        if info.st_uid == os.getuid() and not info.st_mode & 0o022:
            # No other user has ever been able to write here.
            os.chmod(folder, 0o700)
    onlooker = find_onlooker(folder)
    if onlooker is not None:
        raise _UnsafeError(onlooker)
    # If numba could not write here, it would choose another folder itself.
    tempfile.TemporaryFile(dir=folder).close()
    return folder


def _open_temporary(key: str) -> Path | None:
    try:
        root = Path(tempfile.mkdtemp(prefix="poise-"))
        atexit.register(_remove, root, os.getpid())
        if find_intruder(root) is not None:
            return None
        folder = _open_key(root, key)
    except OSError:
        return None
    os.environ[SHARED] = str(root)
    return folder


def _remove(root: Path, process: int) -> None:
    # A forked process inherits our exit handlers.
    if os.getpid() == process:
        shutil.rmtree(root, ignore_errors=True)


class _UnsafeError(OSError):
    """A folder of compiled code that others can write to."""
