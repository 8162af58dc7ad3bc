"""The files of a script as they lie before someone who writes: texts in the page, texts on the disk, and both kept.

Nothing is written unless it is asked for, and nothing is overwritten that was not seen.
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

#: How a file on the disk stands to the one in the page.
SAME, CHANGED, GONE, UNREADABLE = "", "changed", "gone", "unreadable"


@dataclass(frozen=True)
class Written:
    """The text of a file and how it is written down."""

    text: str
    encoding: str = "utf-8"
    marked: bool = False
    newline: str = "\n"

    def encode(self, text: str) -> bytes:
        """Another text in the same manner; in UTF-8 where the old encoding has no such sign."""
        lines = text.replace("\n", self.newline)
        try:
            return (codecs.BOM_UTF8 if self.marked else b"") + lines.encode(self.encoding)
        except UnicodeEncodeError:
            return lines.encode("utf-8")


def read_written(path: Path) -> Written:
    """A file with the manner in which it is written; from before UTF-8, byte by byte, as scripts are read."""
    data = load_bytes(path)
    if b"\0" in data:
        raise InputError("this is no text", where=path, allowed="A script is plain text")
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
    """One file: `text` is what the page shows, `disk` what was last seen on the disk."""

    name: str
    path: Path
    text: str
    disk: Written
    stamp: tuple[int, int] | None
    read_only: bool
    #: Counts up whenever the text in the page is replaced from here.
    generation: int = 0
    state: str = SAME
    #: What is on the disk now, while it waits for someone to choose.
    other: Written | None = None
    trouble: str = ""

    @property
    def is_dirty(self) -> bool:
        return self.text != self.disk.text

    @property
    def is_draft(self) -> bool:
        """Whether the text in the page is to be taken instead of the one on the disk."""
        return self.is_dirty or self.state != SAME


@dataclass
class Desk:
    """All files of one script, the main one first."""

    workspace: Workspace = field(default_factory=Workspace)
    sheets: dict[Path, Sheet] = field(default_factory=dict)
    #: Which files are around, and when those of surroundings were written.
    _around: tuple[object, ...] = ()

    def lay_out(self, pages: Sequence[Page]) -> bool:
        """Adds files that are not there yet, and takes away what is no longer needed; whether anything changed."""
        wanted = {page.path.resolve(): page for page in pages}
        before = list(self.sheets)
        for key, page in wanted.items():
            if key not in self.sheets:
                self.sheets[key] = _open(page, self.workspace)
        # A file that was edited stays until it is saved.
        kept = [k for k, sheet in self.sheets.items() if k not in wanted and sheet.is_draft]
        self.sheets = {key: self.sheets[key] for key in [*wanted, *kept]}
        return list(self.sheets) != before

    @property
    def drafts(self) -> Drafts:
        """Texts that are to be taken from the page; of a file that never could be read there is none."""
        return pack_drafts({k: s.text for k, s in self.sheets.items() if s.is_draft and (s.text or s.disk.text)})

    def edit(self, key: Path, text: str, generation: int) -> None:
        """Takes over what was typed; typed into an older text, both are kept until someone chooses."""
        sheet = self.sheets[key]
        if sheet.read_only:
            return
        if generation < sheet.generation and text != sheet.text:
            sheet.state, sheet.other = CHANGED, sheet.disk
        sheet.text = text

    def look(self) -> list[Path]:
        """Looks at the disk; the files of which something is new, in the page or in what is to be said of them."""
        return [key for key, sheet in self.sheets.items() if not sheet.read_only and _look(sheet)]

    def look_around(self) -> bool:
        """Whether files have come or gone beside the main one, or surroundings have changed, since the last call."""
        main = next(iter(self.sheets.values()), None)
        if main is None or main.read_only:
            return False
        before, self._around = self._around, _list_around(main.path.parent)
        return before != self._around and before != ()

    def save(self, key: Path) -> Path:
        """Writes the text in the page to its file, unless there is something on the disk that nobody has seen."""
        sheet = self.sheets[key]
        _look(sheet)
        if sheet.read_only:
            raise InputError("it belongs to Poise and is not written to", where=sheet.path, allowed="Save a copy")
        if sheet.state == CHANGED:
            raise InputError(
                "the file has changed on the disk", where=sheet.path, allowed="Choose which text is to stay"
            )
        self.workspace.check_write(sheet.path)
        _write(sheet)
        return sheet.path

    def take_disk(self, key: Path) -> None:
        """The text on the disk goes into the page."""
        sheet = self.sheets[key]
        if sheet.other is not None:
            sheet.text, sheet.disk, sheet.generation = sheet.other.text, sheet.other, sheet.generation + 1
        sheet.state, sheet.other = SAME, None

    def keep_mine(self, key: Path) -> None:
        """The text in the page stays, and the next save may write over the one on the disk."""
        sheet = self.sheets[key]
        if sheet.other is not None:
            sheet.disk = sheet.other
        sheet.state, sheet.other = SAME, None


def suggest_copy(sheet: Sheet, main: Sheet, workspace: Workspace) -> Path:
    """Where a copy would go: beside a script of one's own, else into `out`."""
    return (workspace.out if main.read_only else main.path.parent) / sheet.path.name


def save_copies(sheets: Sequence[Sheet], target: Path, workspace: Workspace, *, overwrite: bool = False) -> list[Path]:
    """Writes files as they are in the page, the first to `target` and others beside it; gives their paths."""
    target = workspace.folder / target
    if target.suffix not in SUFFIXES:
        raise InputError("a script has another ending", where="copy", got=str(target), allowed=_allow_suffixes())
    paths = [target, *(target.with_name(sheet.path.name) for sheet in sheets[1:])]
    for path in paths:
        workspace.check_write(path)
        if path.exists() and not overwrite:
            raise InputError("there is such a file already", where=path, allowed="Choose another name, or overwrite it")
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
    """Something else is on the disk: it comes into the page, or waits where the page has a text of its own."""
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
