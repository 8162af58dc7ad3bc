"""The files of a script while it is edited: the texts in the page and on the disk, and conflicts between them.

Nothing is written unless the user asks for it, and no change on the disk is overwritten unseen.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from poise.errors import InputError, PoiseError
from poise.files import load_bytes, save_bytes
from poise.language.load import SUFFIXES
from poise.studio.actor import Drafts, is_shipped, pack_drafts
from poise.studio.reading import Page
from poise.studio.workspace import Workspace

#: State of the file on the disk relative to the text in the page.
SAME, CHANGED, GONE, UNREADABLE = "", "changed", "gone", "unreadable"


@dataclass(frozen=True)
class Written:
    """The text of a file and its encoding; `marked` is a byte order mark."""

    text: str
    encoding: str = "utf-8"
    marked: bool = False
    newline: str = "\n"

    def encode(self, text: str) -> bytes:
        """Encode another text the same way, or as UTF-8 if the old encoding lacks one of its characters."""
        lines = text.replace("\n", self.newline)
        try:
            return (codecs.BOM_UTF8 if self.marked else b"") + lines.encode(self.encoding)
        except UnicodeEncodeError:
            return lines.encode("utf-8")


def read_written(path: Path) -> Written:
    """Read a file and detect its encoding; anything but UTF-8 is read as Latin-1, like scripts elsewhere."""
    data = load_bytes(path)
    if b"\0" in data:
        raise InputError("not a text file", where=path, allowed="A script is plain text")
    marked = data.startswith(codecs.BOM_UTF8)
    encoding = "utf-8"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    newline = "\r\n" if "\r\n" in text else "\n"
    return Written(text.replace("\r\n", "\n").replace("\r", "\n"), encoding, marked, newline)


@dataclass
class Sheet:
    """One file: `text` is in the page, `disk` was last seen on the disk."""

    name: str
    path: Path
    text: str
    disk: Written
    stamp: tuple[int, int] | None
    read_only: bool
    #: Incremented whenever the server replaces the text in the page.
    generation: int = 0
    state: str = SAME
    #: The conflicting content on the disk until the user chooses.
    other: Written | None = None
    trouble: str = ""

    @property
    def is_dirty(self) -> bool:
        return self.text != self.disk.text

    @property
    def is_draft(self) -> bool:
        """Whether the text in the page replaces the one on the disk."""
        return self.is_dirty or self.state != SAME


@dataclass
class Desk:
    """All files of one script, the main one first."""

    workspace: Workspace = field(default_factory=Workspace)
    sheets: dict[Path, Sheet] = field(default_factory=dict)
    #: Names of the files in the folder, and the stamps of the environment files.
    _around: tuple[object, ...] = ()

    def lay_out(self, pages: Sequence[Page]) -> bool:
        """Add missing files and remove those no longer needed; return whether anything changed."""
        wanted = {page.path.resolve(): page for page in pages}
        before = list(self.sheets)
        for key, page in wanted.items():
            if key not in self.sheets:
                self.sheets[key] = _open(page, self.workspace)
        # An edited file stays until it is saved.
        kept = [k for k, sheet in self.sheets.items() if k not in wanted and sheet.is_draft]
        self.sheets = {key: self.sheets[key] for key in [*wanted, *kept]}
        return list(self.sheets) != before

    @property
    def drafts(self) -> Drafts:
        """Texts in the page that replace those on the disk; files that could never be read have none."""
        return pack_drafts({k: s.text for k, s in self.sheets.items() if s.is_draft and (s.text or s.disk.text)})

    def edit(self, key: Path, text: str, generation: int) -> None:
        """Take over typed text. Text typed into an older version is a conflict that the user must resolve."""
        sheet = self.sheets[key]
        if sheet.read_only:
            return
        if generation < sheet.generation and text != sheet.text:
            sheet.state, sheet.other = CHANGED, sheet.disk
        sheet.text = text

    def look(self) -> list[Path]:
        """Check the disk and return the files whose text or state changed."""
        return [key for key, sheet in self.sheets.items() if not sheet.read_only and _look(sheet)]

    def look_around(self) -> bool:
        """Whether files beside the main one appeared or vanished, or an environment changed, since the last call."""
        main = next(iter(self.sheets.values()), None)
        if main is None or main.read_only:
            return False
        before, self._around = self._around, _list_around(main.path.parent)
        return before != self._around and before != ()

    def save(self, key: Path) -> Path:
        """Write the text in the page to its file, unless the disk holds a change that the user has not seen."""
        sheet = self.sheets[key]
        _look(sheet)
        if sheet.read_only:
            raise InputError("the file ships with Poise and is read-only", where=sheet.path, allowed="Save a copy")
        if sheet.state == CHANGED:
            raise InputError("the file has changed on the disk", where=sheet.path, allowed="Choose which text to keep")
        self.workspace.check_write(sheet.path)
        _write(sheet)
        return sheet.path

    def take_disk(self, key: Path) -> None:
        """Replace the text in the page by the one on the disk."""
        sheet = self.sheets[key]
        if sheet.other is not None:
            sheet.text, sheet.disk, sheet.generation = sheet.other.text, sheet.other, sheet.generation + 1
        sheet.state, sheet.other = SAME, None

    def keep_mine(self, key: Path) -> None:
        """Keep the text in the page; the next save may overwrite the one on the disk."""
        sheet = self.sheets[key]
        if sheet.other is not None:
            sheet.disk = sheet.other
        sheet.state, sheet.other = SAME, None


def suggest_copy(sheet: Sheet, main: Sheet, workspace: Workspace) -> Path:
    """Suggested path of a copy: beside the user's own script, otherwise in `out`."""
    return (workspace.out if main.read_only else main.path.parent) / sheet.path.name


def save_copies(sheets: Sequence[Sheet], target: Path, workspace: Workspace, *, overwrite: bool = False) -> list[Path]:
    """Write the texts in the page, the first to `target` and the others beside it; return their paths."""
    target = workspace.folder / target
    if target.suffix not in SUFFIXES:
        raise InputError("not a script's file ending", where=target, got=target.suffix, allowed=_allow_suffixes())
    paths = [target, *(target.with_name(sheet.path.name) for sheet in sheets[1:])]
    for path in paths:
        workspace.check_write(path)
        if path.exists() and not overwrite:
            raise InputError("the file exists", where=path, allowed="Choose another name, or overwrite it")
    for sheet, path in zip(sheets, paths, strict=True):
        save_bytes(path, sheet.disk.encode(sheet.text))
    return paths


def _allow_suffixes() -> str:
    return f"Allowed: {', '.join(SUFFIXES)}"


def _open(page: Page, workspace: Workspace) -> Sheet:
    path, read_only = page.path, is_shipped(page.path)
    written, trouble = Written(""), ""
    try:
        workspace.check_open(path)
    except PoiseError as error:
        trouble, read_only = str(error), True
    else:
        try:
            written = read_written(path)
        except PoiseError as error:
            trouble = str(error)
    sheet = Sheet(page.name, path, written.text, written, _stamp(path), read_only)
    if trouble:
        sheet.state, sheet.trouble = UNREADABLE, trouble
    return sheet


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _list_around(folder: Path) -> tuple[object, ...]:
    try:
        names = sorted(path.name for path in folder.iterdir() if path.suffix in (*SUFFIXES, ".env"))
    except OSError:
        return ("",)
    return ("", *((name, _stamp(folder / name) if name.endswith(".env") else None) for name in names))


def _look(sheet: Sheet) -> bool:
    stamp = _stamp(sheet.path)
    if stamp == sheet.stamp:
        return False
    sheet.stamp = stamp
    if stamp is None:
        sheet.state, sheet.other = GONE, None
        return True
    try:
        written = read_written(sheet.path)
    except PoiseError as error:
        sheet.state, sheet.trouble, sheet.other = UNREADABLE, str(error), None
        return True
    return _meet(sheet, written)


def _meet(sheet: Sheet, written: Written) -> bool:
    """Handle new content on the disk: load it into the page, or record a conflict if the page has edits."""
    was = (sheet.state, sheet.text, sheet.disk.text)
    if written.text == sheet.text or not sheet.is_dirty:
        if written.text != sheet.text:
            sheet.text, sheet.generation = written.text, sheet.generation + 1
        sheet.disk, sheet.state, sheet.other = written, SAME, None
    elif written.text == sheet.disk.text:
        sheet.disk, sheet.state, sheet.other = written, SAME, None
    else:
        sheet.state, sheet.other = CHANGED, written
    sheet.trouble = ""
    return was != (sheet.state, sheet.text, sheet.disk.text)


def _write(sheet: Sheet) -> None:
    data = sheet.disk.encode(sheet.text)
    save_bytes(sheet.path, data)
    sheet.disk = read_written(sheet.path)
    sheet.stamp, sheet.state, sheet.other, sheet.trouble = _stamp(sheet.path), SAME, None, ""
