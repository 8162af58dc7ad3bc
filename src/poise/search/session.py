"""`open_session`: one job per output. Finished work is kept and not repeated when the job is resumed.

A job is deterministic: a restarted job asks the same questions in the same order. The session answers earlier questions
from its journal and computes the answers to new ones:

    with open_session(out, "tame", notes, resume=resume) as session:
        drive(optimizer, evaluate, done=done, session=session)
        trial = session.recall("closing 0", partial(run_trial, ...), read=read_trial, write=asdict)
        save_toml(out, ...)
        session.finish()

The journal is a text file beside the output. Each answer adds one line: its checksum, the job that it belongs to, the
question, and the answer as JSON, which keeps every bit of a float. A damaged line, or one cut off when the job died, is
ignored and its answer computed again. The output is locked while the session is open.
"""

from __future__ import annotations

import json
import os
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from poise.documents import make_plain
from poise.errors import ExportError, FileFormatError, InputError
from poise.files import digest, load_bytes, save_bytes
from poise.locks import hold_file, hold_folder

T = TypeVar("T")
Say = Callable[[str], None]

SUFFIX: Final = ".journal"
MAX_BYTES: Final = 500_000_000
_NOTES: Final = "notes"


class Session:
    """Known answers from a journal, to which new ones are appended; without a file nothing is kept."""

    def __init__(
        self, path: Path | None = None, notes: Mapping[str, Any] | None = None, known: Mapping[str, Any] | None = None
    ) -> None:
        self._path, self._known = path, dict(known or {})
        self._mark = _make_mark(notes or {})
        #: Lines written with the first answer: a job that fails before it leaves no journal.
        self._head = b"" if self._known else _make_line(self._mark, _NOTES, notes or {})
        self._guard = threading.Lock()
        self._descriptor: int | None = None
        #: Whether the last question was answered from the journal.
        self.replays = bool(self._known)

    @property
    def path(self) -> Path | None:
        """The journal's file."""
        return self._path

    def knows(self, key: str) -> bool:
        """Whether the question was answered before."""
        return key in self._known

    def remember(self, key: str, value: T) -> T:
        """Plain data that a resumed job must begin with: the value of the first run, even if it has changed since."""
        if key not in self._known:
            self._known[key] = value
            self._head += _make_line(self._mark, key, value)
        kept: T = self._known[key]
        return kept

    def recall(
        self,
        key: str,
        compute: Callable[[], T],
        *,
        read: Callable[[Any], T] | None = None,
        write: Callable[[T], Any] = make_plain,
    ) -> T:
        """The answer to a question: the kept one, or the result of `compute`, which is then kept.

        `write` turns an answer into plain data, `read` turns it back. Thread-safe.
        """
        self.replays = key in self._known
        if not self.replays:
            answer = compute()
            if self._path is not None:
                self._append(key, write(answer))
            return answer
        try:
            kept: T = self._known[key] if read is None else read(self._known[key])
        except (TypeError, ValueError, OverflowError, KeyError, AttributeError) as error:
            raise self.refuse(key) from error
        return kept

    def begin(self) -> None:
        """Write the journal now, so that the job can be resumed even before its first answer."""
        if self._path is not None and not self._path.exists():
            self._guarded(lambda: self._write(b""))

    def finish(self) -> None:
        """Remove the journal: the output is written, and nothing is left to resume."""
        self.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the journal; the file stays."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def refuse(self, key: str) -> FileFormatError:
        """Error for a kept answer that this search cannot have written."""
        return FileFormatError(f"{key}: does not match this search. Start a new one", path=self._path or "session")

    def _append(self, key: str, value: Any) -> None:
        line = _make_line(self._mark, key, value)
        with self._guard:
            self._guarded(lambda: self._write(line))
            self._known[key] = value

    def _guarded(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            text = f"could not be written, the system says: {error.strerror or error}"
            raise ExportError(text, path=self._path or "", errno=error.errno) from error

    def _write(self, line: bytes) -> None:
        assert self._path is not None
        if self._descriptor is None:
            if self._path.exists():
                self._drop_cut_off_line(self._path)
                line = self._head + line
            else:
                save_bytes(self._path, self._head)
            self._descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        while line:
            line = line[os.write(self._descriptor, line) :]
        os.fsync(self._descriptor)

    @staticmethod
    def _drop_cut_off_line(path: Path) -> None:
        """Remove the last line if it was cut off when its job died."""
        data = load_bytes(path, MAX_BYTES)
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(path, whole)


def name_journal(out: Path, kind: str, *, folder: bool = False) -> Path:
    """Path of the journal of a job that writes a file, or into a folder."""
    return out / f"{kind}{SUFFIX}" if folder else out.with_suffix(f".{kind}{SUFFIX}")


def load_notes(path: Path) -> dict[str, Any]:
    """Notes of the job that a journal belongs to; none if they are damaged."""
    for _, key, value in _load_lines(path)[0]:
        if key == _NOTES and isinstance(value, dict):
            return value
    return {}


@contextmanager
def open_session(
    out: str | os.PathLike[str],
    kind: str,
    notes: Mapping[str, Any],
    *,
    folder: bool = False,
    resume: bool = False,
    option: str = "--out",
    resume_with: str = "--resume",
    say: Say | None = None,
) -> Iterator[Session]:
    """Open the session of a job that writes a file, or into a folder; see the module.

    `kind` names the journal. `notes` identify the job: a job with other notes is not resumed. `option` is the option
    that chooses the output, `resume_with` the one that resumes. `say` is called with messages about damage.
    """
    target = Path(out)
    path = name_journal(target, kind, folder=folder)
    with hold_folder(target, option) if folder else hold_file(target, option):
        # Through JSON, as they will be read.
        own = json.loads(json.dumps(make_plain(notes)))
        known: Mapping[str, Any] = {}
        if resume:
            known = _load(path, own, say)
        elif path.exists():
            other = f"another {'folder' if folder else 'file'} with {option}"
            raise InputError(
                f"{path}: holds an unfinished search. Continue it with {resume_with}, remove the file to start again, "
                f"or give {other}."
            )
        session = Session(path, own, known)
        try:
            yield session
        finally:
            session.close()


def _make_mark(notes: Mapping[str, Any]) -> str:
    return digest(json.dumps(notes, sort_keys=True).encode())[:16]


def _make_line(mark: str, key: str, value: Any) -> bytes:
    text = json.dumps([mark, key, value], separators=(",", ":")).encode()
    return f"{zlib.crc32(text):08x} ".encode() + text + b"\n"


def _load(path: Path, notes: Mapping[str, Any], say: Say | None) -> dict[str, Any]:
    """Answers in a journal, if it belongs to the job with these notes."""
    good, damaged = _load_lines(path)
    kept = {key: value for _, key, value in good}
    if _NOTES in kept:
        _compare(path, kept[_NOTES], notes)
    mark = _make_mark(notes)
    for own, _, _ in good:
        if own != mark:
            raise FileFormatError("is the journal of another search", path=path)
    if damaged and say is not None:
        say(f"{path}: {damaged} of {damaged + len(good)} entries are damaged and will be computed again.")
    return kept


def _load_lines(path: Path) -> tuple[list[tuple[str, str, Any]], int]:
    """Mark, question and answer of every intact line, and the number of damaged lines."""
    if not path.exists():
        raise FileFormatError("no such file. A search writes it with its first results", path=path)
    # What follows the last line end was cut off when the job died.
    lines = [line for line in load_bytes(path, MAX_BYTES).split(b"\n")[:-1] if line]
    good = [entry for entry in map(_parse_line, lines) if entry is not None]
    if not good:
        raise FileFormatError("is not a journal of a search", path=path)
    return good, len(lines) - len(good)


def _parse_line(line: bytes) -> tuple[str, str, Any] | None:
    """Mark, question and answer of a line; None if it is damaged."""
    checksum, _, text = line.partition(b" ")
    if checksum != f"{zlib.crc32(text):08x}".encode():
        return None
    try:
        mark, key, value = json.loads(text)
    except (ValueError, OverflowError, TypeError, RecursionError):
        return None
    return (mark, key, value) if isinstance(mark, str) and isinstance(key, str) else None


def _compare(path: Path, kept: Any, notes: Mapping[str, Any]) -> None:
    for name, value in notes.items():
        before = kept.get(name) if isinstance(kept, dict) else None
        if before != value:
            raise FileFormatError(f"that search has {name} = {before} and cannot continue with {value}", path=path)
