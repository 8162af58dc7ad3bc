"""`open_session`: one job per output, whose finished work is kept and not done again when it is resumed.

A job is deterministic: started again from its beginning it asks the same questions in the same order. A session
answers those that were answered before the job died from its journal, and all others by letting them be computed:

    with open_session(out, "tame", notes, resume=resume) as session:
        points, costs = session.evaluate("generation 1", optimizer.ask(), try_all)
        trial = session.recall("closing 0", partial(run_trial, ...), read=read_trial, write=asdict)
        save_toml(out, ...)
        session.finish()

The journal is a text file beside the output to which one line is added for each answer: its checksum, the job that it
belongs to, the question and the answer as JSON, which keeps every bit of a float. A line that was cut off when the job
died, or damaged since, is not believed, and its answer is computed again. The lock on
the output is held meanwhile.
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

import numpy as np

from poise.errors import ExportError, FileFormatError, InputError
from poise.files import digest, load_bytes, make_plain, save_bytes
from poise.locks import hold_file, hold_folder
from poise.optim.space import FloatArray

T = TypeVar("T")
Say = Callable[[str], None]

SUFFIX: Final = ".journal"
MAX_BYTES: Final = 500_000_000
#: Candidates that differ by less are the same: the last bits belong to the machine's libraries.
ALIKE: Final = 1e-6
_NOTES: Final = "notes"


class Session:
    """Answers that are known from a journal, to which new ones are added; without a file nothing is kept."""

    def __init__(
        self, path: Path | None = None, notes: Mapping[str, Any] | None = None, known: Mapping[str, Any] | None = None
    ) -> None:
        self._path, self._known = path, dict(known or {})
        self._mark = _make_mark(notes or {})
        #: Lines that are written with the first answer: a job that fails before it has any leaves no journal.
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
        """Whether a question was answered before."""
        return key in self._known

    def remember(self, key: str, value: T) -> T:
        """Plain data that a resumed job must begin with, whatever it would find now: what it was at first."""
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
        """The answer to a question: what was kept of it, or what `compute` returns, which is then kept.

        `write` turns it into plain data, `read` makes it again. Threads may ask at once.
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
            raise self._refuse(key) from error
        return kept

    def evaluate(
        self, key: str, points: FloatArray, compute: Callable[[], FloatArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Candidates (N, n) and what each of them costs (N,); those that were kept must be the same candidates."""

        def read(kept: Any) -> tuple[FloatArray, FloatArray]:
            return np.array(kept["points"], dtype=float), np.array(kept["costs"], dtype=float)

        old, costs = self.recall(
            key,
            lambda: (points, compute()),
            read=read,
            write=lambda pair: make_plain({"points": pair[0], "costs": pair[1]}),
        )
        if costs.shape != points.shape[:1]:
            raise self._refuse(key)
        if old.shape != points.shape or not np.allclose(old, points, rtol=ALIKE, atol=ALIKE):
            raise FileFormatError("another version began that search. Start a new one", path=self._path or "session")
        return old, costs

    def finish(self) -> None:
        """Removes the journal: the output is written, and nothing is left to resume."""
        self.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def close(self) -> None:
        """Lets the journal go; it stays where it is."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _refuse(self, key: str) -> FileFormatError:
        return FileFormatError(f"{key}: is not what this search keeps. Start a new one", path=self._path or "session")

    def _append(self, key: str, value: Any) -> None:
        line = _make_line(self._mark, key, value)
        with self._guard:
            try:
                self._write(line)
            except OSError as error:
                raise ExportError(
                    f"could not be written, the system says: {error.strerror or error}",
                    path=self._path or "",
                    errno=error.errno,
                ) from error
            self._known[key] = value

    def _write(self, line: bytes) -> None:
        assert self._path is not None
        if self._descriptor is None:
            if self._path.exists():
                # The line before may have been cut off when its job died.
                line = b"\n" + self._head + line
            else:
                save_bytes(self._path, self._head)
            self._descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        while line:
            line = line[os.write(self._descriptor, line) :]
        os.fsync(self._descriptor)


@contextmanager
def open_session(
    out: str | os.PathLike[str],
    kind: str,
    notes: Mapping[str, Any],
    *,
    folder: bool = False,
    resume: bool = False,
    option: str = "--out",
    say: Say | None = None,
) -> Iterator[Session]:
    """A session of a job that writes a file, or into a folder; see the module.

    `kind` names the journal, `notes` tell which job it is: a job with other notes does not resume. `option` is the
    one that chooses the output, and `say` is told of damage.
    """
    target = Path(out)
    path = target / f"{kind}{SUFFIX}" if folder else target.with_suffix(f".{kind}{SUFFIX}")
    with hold_folder(target, option) if folder else hold_file(target, option):
        # As they will be read.
        own = json.loads(json.dumps(make_plain(notes)))
        known: Mapping[str, Any] = {}
        if resume:
            known = _load(path, own, say)
        elif path.exists():
            raise InputError(
                f"{path}: a search is there already. Go on with --resume, remove that file to start again, or give "
                f"another {'folder' if folder else 'file'} with {option}."
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
    """The answers in a journal, if it is that of the job with these notes."""
    if not path.exists():
        raise FileFormatError("no such file. A search writes it with its first results", path=path)
    # What comes after the last line end was cut off when the job died.
    lines = load_bytes(path, MAX_BYTES).split(b"\n")[:-1]
    parsed = [_parse_line(line) for line in lines if line]
    good = [entry for entry in parsed if entry is not None]
    if not good:
        raise FileFormatError("is not a journal of a search", path=path)
    kept = {key: value for _, key, value in good}
    if _NOTES in kept:
        _compare(path, kept[_NOTES], notes)
    mark = _make_mark(notes)
    for own, _, _ in good:
        if own != mark:
            raise FileFormatError("is the journal of another search", path=path)
    damaged = len(parsed) - len(good)
    if damaged and say is not None:
        say(f"{path}: {damaged} of {len(parsed)} entries are damaged; what they held is computed again.")
    return kept


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
            raise FileFormatError(f"that search has {name} = {before}, it cannot go on with {value}", path=path)
