"""One job per output: locks that the system releases when a process dies, and removal of dead processes' part files.

A lock is a small file that its owner keeps open and locked (`flock`) and that names the owner. It is removed with the
job; the next job takes over one that a killed job left behind. Disks and systems without `flock` fall back to a file
that only one process can create. This module does not know what the files beside the lock mean.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

from poise.errors import ExportError, PoiseError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PARTS: Final = ".poise-*.part*"
"""Pattern of files that are being written, or that were when their process died."""

FOLDER_LOCK: Final = ".poise.lock"

_OWNER_BYTES: Final = 4096
#: Time to wait for the owner's name in a lock that was just taken.
_OWNER_PATIENCE_S: Final = 0.5
#: Without `flock`, only age shows that a part file is no longer being written.
_OLD_PART_S: Final = 24 * 3600.0
_UNSUPPORTED: Final = (errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.ENOLCK, errno.EINVAL)


class BusyError(PoiseError, RuntimeError):
    """Another job writes to the same place."""


class Grip(Enum):
    """Result of an attempt to lock an open file."""

    HELD = 0
    TAKEN = 1
    UNSUPPORTED = 2


@dataclass(frozen=True)
class Owner:
    """The process that holds a lock."""

    process: int
    host: str
    since: str
    command: str


def grip(descriptor: int) -> Grip:
    """Try to lock an open file without waiting; the lock ends when the file is closed or the process dies."""
    if fcntl is None:
        return Grip.UNSUPPORTED
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return Grip.TAKEN
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return Grip.UNSUPPORTED
        raise
    return Grip.HELD


@contextmanager
def hold_folder(folder: str | os.PathLike[str], option: str = "--out") -> Iterator[None]:
    """Keep other jobs out of an output folder, which is created if missing.

    Part files of killed processes in the folder are removed. A folder in use raises a BusyError, which names the option
    that chooses another one.
    """
    place = Path(folder)
    with _hold(place / FOLDER_LOCK, place, f"another folder with {option}"):
        remove_dead_parts(place)
        yield


@contextmanager
def hold_file(path: str | os.PathLike[str], option: str = "--out") -> Iterator[None]:
    """Keep other jobs from writing the same output file; otherwise like `hold_folder`."""
    place = Path(path)
    with _hold(place.with_name(f".{place.name}.lock"), place, f"another file with {option}"):
        remove_dead_parts(place.parent)
        yield


def remove_dead_parts(folder: Path) -> None:
    """Remove the part files in a folder that no living process is writing."""
    for part in sorted(folder.glob(PARTS)):
        with suppress(OSError):
            _remove_if_dead(part)


def _remove_if_dead(part: Path) -> None:
    descriptor = os.open(part, os.O_RDWR)
    try:
        state = grip(descriptor)
        old = time.time() - os.fstat(descriptor).st_mtime > _OLD_PART_S
        if state is Grip.HELD or (state is Grip.UNSUPPORTED and old):
            part.unlink()
    finally:
        os.close(descriptor)


#: Lock files that this process holds: some network disks let one process lock a file twice.
_own: dict[Path, int] = {}
_own_guard = threading.Lock()


@contextmanager
def _hold(lock: Path, place: Path, other: str) -> Iterator[None]:
    owner = Owner(
        os.getpid(), socket.gethostname(), datetime.now().isoformat(" ", "seconds"), " ".join(sys.argv)[:_OWNER_BYTES]
    )
    try:
        made = [folder for folder in lock.absolute().parents if not folder.exists()]
        lock.parent.mkdir(parents=True, exist_ok=True)
        held, descriptor = _take(Path(os.path.realpath(lock)), owner, place, other)
    except OSError as error:
        if isinstance(error, PoiseError):
            raise
        raise ExportError(
            f"could not be locked, the system says: {error.strerror or error}",
            path=place,
            errno=error.errno,
            allowed="Choose a place you may write to",
        ) from error
    try:
        yield
    finally:
        # A forked child leaves the lock to its parent.
        if os.getpid() == owner.process:
            _release(held, descriptor)
            # Remove empty folders that were created for a job that wrote nothing.
            with suppress(OSError):
                for folder in made:
                    folder.rmdir()


def _take(lock: Path, owner: Owner, place: Path, other: str) -> tuple[Path, int]:
    """Acquire the lock and write the owner's name into it; returns the lock file and its descriptor."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            state = Grip.TAKEN if lock in _own else grip(descriptor)
            if state is Grip.TAKEN:
                raise _make_error(_read_owner(lock, descriptor), lock, place, other)
            if state is Grip.UNSUPPORTED:
                held = _take_by_creation(lock, owner, place, other)
                os.close(descriptor)
                return held
            # The previous owner may have removed the file between the two calls; nobody else would see this lock then.
            if _is_at(descriptor, lock):
                _register(lock, descriptor, place, other)
                _write_owner(descriptor, owner)
                return lock, descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _register(lock: Path, descriptor: int, place: Path, other: str) -> None:
    with _own_guard:
        if lock in _own:
            raise _make_error(None, lock, place, other)
        _own[lock] = descriptor


def _take_by_creation(lock: Path, owner: Owner, place: Path, other: str) -> tuple[Path, int]:
    """The same for disks without locks: the process that creates the file holds the lock until it ends."""
    marker = lock.with_name(lock.name + ".owner")
    for _ in range(3):
        try:
            descriptor = os.open(marker, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            with open(marker, "rb") as file:
                found = _read_owner(marker, file.fileno())
            if not _is_left_behind(marker, found):
                raise _make_error(found, marker, place, other) from None
            marker.unlink(missing_ok=True)
            continue
        _register(lock, descriptor, place, other)
        _write_owner(descriptor, owner)
        return lock, descriptor
    raise _make_error(None, marker, place, other)


def _release(lock: Path, descriptor: int) -> None:
    if fcntl is None:
        # Windows removes only closed files.
        os.close(descriptor)
    # Elsewhere, remove it while it is held: nobody else can take it over in between.
    for name in (lock, lock.with_name(lock.name + ".owner")):
        with suppress(OSError):
            name.unlink(missing_ok=True)
    if fcntl is not None:
        os.close(descriptor)
    with _own_guard:
        _own.pop(lock, None)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _write_owner(descriptor: int, owner: Owner) -> None:
    text = json.dumps(asdict(owner)).encode()
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, text)


def _read_owner(lock: Path, descriptor: int) -> Owner | None:
    """The owner of a lock; None if it stays unknown."""
    until = time.monotonic() + _OWNER_PATIENCE_S
    while True:
        os.lseek(descriptor, 0, os.SEEK_SET)
        owner = _parse_owner(os.read(descriptor, _OWNER_BYTES * 2))
        # A dead process's entry remains until the new owner has written its own.
        if (owner is not None and _may_live(owner)) or time.monotonic() > until:
            return owner
        time.sleep(0.01)


def _parse_owner(data: bytes) -> Owner | None:
    try:
        table: Any = json.loads(data)
        owner = Owner(int(table["process"]), *(str(table[name]) for name in ("host", "since", "command")))
    except (ValueError, OverflowError, KeyError, TypeError, RecursionError):
        return None
    return owner if owner.process > 0 else None


def _may_live(owner: Owner) -> bool:
    """Whether the owner may still be running; always True for other machines and on Windows, where it is unknown."""
    if os.name == "nt" or owner.host != socket.gethostname():
        return True
    try:
        os.kill(owner.process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _is_left_behind(marker: Path, owner: Owner | None) -> bool:
    if os.name != "nt":
        return owner is not None and not _may_live(owner)
    try:
        # Windows does not remove an open file.
        marker.unlink()
    except OSError:
        return False
    return True


def _make_error(owner: Owner | None, lock: Path, place: Path, other: str) -> BusyError:
    option = f"Wait for it, stop it, or choose {other}"
    if owner is None:
        return BusyError(f"{place}: another search is running here. {option}.")
    where = "" if owner.host == socket.gethostname() else f" on {owner.host} (if it no longer runs, remove {lock})"
    return BusyError(
        f"{place}: another search is running here, process {owner.process}{where}, since {owner.since}. {option}."
    )


def _forget_in_child() -> None:
    """A forked child must not keep its parent's locks alive."""
    for descriptor in _own.values():
        with suppress(OSError):
            os.close(descriptor)
    _own.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
