"""Restrictions on data files: they run no Python and read nothing outside their folder tree and the library.

A name from the user (on the command line or through the Python API) is trusted. A name in a data file is not: anyone
may have written a script, a controller, a character, an environment or a problem. Code that reads such a file does so
`with reading(path)`. Until the block ends, `poise.files` opens only files in the first file's folder tree or the
library, and no Python file is run. `allowing` lifts either rule.

The current trust is a context variable: threads and other processes start with the default, which allows nothing. Code
that works there carries a `Trust`, as `poise.rollout.scene.Scene` does, and applies it `with trusting(trust)`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Final

from poise.errors import InputError

LIBRARY: Final = Path(__file__).resolve().parent / "library"
ALLOW_PYTHON: Final = "--allow-python"
ALLOW_OUTSIDE: Final = "--allow-outside"


@dataclass(frozen=True)
class Trust:
    """What names in data files may refer to."""

    allow_python: bool = False
    allow_outside: bool = False
    #: Resolved folders and files that may be read; empty if all names come from the user.
    roots: tuple[Path, ...] = ()

    @property
    def reads_data(self) -> bool:
        """True if names come from a data file."""
        return bool(self.roots)

    def can_read(self, path: str | PathLike[str]) -> bool:
        """Whether a file may be opened, after resolving symbolic links."""
        if not self.reads_data or self.allow_outside:
            return True
        target = _resolve(path)
        return any(target.is_relative_to(root) for root in (*self.roots, LIBRARY))


_NOTHING_ALLOWED: Final = Trust()
_current: ContextVar[Trust] = ContextVar("poise_trust", default=_NOTHING_ALLOWED)


def current_trust() -> Trust:
    """The current trust, for passing to other threads and processes."""
    return _current.get()


@contextmanager
def trusting(trust: Trust) -> Iterator[None]:
    """Apply a trust within a block."""
    token = _current.set(trust)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def allowing(*, python: bool = False, outside: bool = False) -> Iterator[None]:
    """Allow data files to name Python files, which are then run, or files outside their folder tree."""
    now = current_trust()
    with trusting(replace(now, allow_python=now.allow_python or python, allow_outside=now.allow_outside or outside)):
        yield


@contextmanager
def reading(path: str | PathLike[str]) -> Iterator[None]:
    """Treat names in the block as given by a data file; with nested files, the first defines the folder tree."""
    now = current_trust()
    if not now.reads_data:
        # The user named the file itself, so the target of a symbolic link is allowed too.
        now = replace(now, roots=(_resolve(Path(path).parent), _resolve(path)))
    with trusting(now):
        yield


@contextmanager
def reading_below(folder: str | PathLike[str]) -> Iterator[None]:
    """Let a data file also read a folder; only for folders that it cannot choose itself."""
    now = current_trust()
    with trusting(replace(now, roots=(*now.roots, _resolve(folder))) if now.reads_data else now):
        yield


@contextmanager
def running_code() -> Iterator[None]:
    """Lift the rules for a program that may run; it may refer to any file."""
    with trusting(replace(current_trust(), roots=())):
        yield


def check_readable(path: str | PathLike[str]) -> None:
    """Raise if a data file named this file and may not read it."""
    trust = current_trust()
    if trust.can_read(path):
        return
    raise InputError(
        "names a file outside its folder",
        got=os.fspath(path),
        allowed=f"Allowed: files in {str(trust.roots[0])!r} and below, and those that Poise ships. "
        f"Use {ALLOW_OUTSIDE} if you trust it",
    )


def check_python(path: str | PathLike[str]) -> None:
    """Raise if a data file named this Python file and may not run it."""
    trust = current_trust()
    if trust.reads_data and not trust.allow_python:
        raise InputError(
            f"names a Python file, {os.fspath(path)!r}, and Python files are programs. "
            f"Run it with {ALLOW_PYTHON} if you trust it"
        )
    check_readable(path)


def check_kind(path: str | PathLike[str], kind: str, suffixes: Sequence[str]) -> None:
    """Raise if a file named by a data file has another type, by its own suffix or by that of a link's target."""
    for name in (Path(path), _resolve(path)):
        if name.suffix.lower() not in suffixes:
            raise InputError(f"not {kind}", got=os.fspath(path), allowed=f"Allowed: files {', '.join(suffixes)}")


def _resolve(path: str | PathLike[str]) -> Path:
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        # No working directory, or not a valid file name: opening it will raise the error.
        return Path(path)
