"""What a studio may open and write: script files in its folder; shipped scripts are read-only.

What a script may include and call is decided when it is loaded (`poise.trust`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from poise.errors import InputError
from poise.language.load import SUFFIXES
from poise.studio.actor import find_script, is_shipped

OUT: Final = "out"


@dataclass(frozen=True)
class Workspace:
    """A folder tree, and the folder of the script that the user named."""

    folder: Path = Path()
    #: The script on the command line; None if there is none or it ships with Poise.
    named: Path | None = None

    @property
    def out(self) -> Path:
        """Default folder for new files."""
        return self.folder / OUT

    @property
    def roots(self) -> tuple[Path, ...]:
        """Folders in which scripts may be opened and written, with symbolic links resolved."""
        if self.named is None:
            return (_resolve(self.folder),)
        # If the user named a symbolic link, its target's folder is allowed too.
        return (_resolve(self.folder), _resolve(self.named.parent), _resolve(self.named).parent)

    def check_open(self, path: Path) -> None:
        """Raise unless a file is a script that may be read here."""
        if not is_shipped(path):
            self._check(path, SUFFIXES)

    def check_write(self, path: Path, suffixes: Sequence[str] = SUFFIXES) -> None:
        """Raise unless a file may be written here."""
        if is_shipped(path):
            raise InputError("this folder ships with Poise", where=path, allowed="Choose another folder")
        self._check(path, suffixes)

    def _check(self, path: Path, suffixes: Sequence[str]) -> None:
        target = _resolve(path)
        if not any(target.is_relative_to(root) for root in self.roots):
            raise InputError(
                "outside the studio's folder",
                where=path,
                allowed=f"Allowed: files in {str(self.roots[0])!r} and below",
            )
        if target.suffix not in suffixes:
            raise InputError("file type not allowed", where=path, allowed=f"Allowed: {', '.join(suffixes)}")


def open_workspace(controller: str, folder: str | os.PathLike[str] | None = None) -> Workspace:
    """The workspace of a studio started with a controller; the default folder is the current one."""
    home = Path() if folder is None else Path(folder)
    if not home.is_dir():
        raise InputError("no such folder", where="studio", got=os.fspath(home))
    script = find_script(controller)
    return Workspace(home, None if script is None or is_shipped(script) else script)


def _resolve(path: Path) -> Path:
    return Path(os.path.realpath(path))
