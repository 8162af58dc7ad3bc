"""Reading and writing files: whole or not at all, with errors that name the file.

Owns atomic writing, the size limit, and the texts for what goes wrong on the disk. What a file means is its
reader's business: characters, controllers and clips have theirs in their own rooms.
"""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import json
import math
import os
import re
import secrets
import shutil
import stat
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

import tomli_w

from poise.errors import ExportError, FileFormatError, InputError, find_nearest_name
from poise.locks import Grip, grip
from poise.trust import check_readable, current_trust

MAX_TEXT_BYTES: Final = 20_000_000
"""No file that a person edits comes near this; a larger one is the wrong file."""

MAX_TOML_BYTES: Final = 4_000_000
"""Ten times the largest TOML file that Poise writes. Python's parser takes about a second for each megabyte."""

MAX_DEPTH: Final = 64
"""Deeper nesting is no table that a person wrote, and would overflow the stack of whoever walks it."""

MAX_INT: Final = 2**63 - 1
"""TOML's whole numbers have 64 bits. Larger ones fit no float and no array."""

_CHUNK_BYTES: Final = 2**20
# A dotted key of very many parts takes the parser a time that grows with their square.
_KEY_PART: Final = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY: Final = re.compile(rf"(?<![\w.-]){_KEY_PART}(?:[ \t]*+\.[ \t]*+{_KEY_PART}){{{MAX_DEPTH}}}")
_TOML_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@contextmanager
def write_atomic(path: str | os.PathLike[str], mode: str = "wb") -> Iterator[IO[Any]]:
    """A file open for writing that appears under `path` only once all of it is written.

    `mode` is "wb" for bytes or "w" for text (UTF-8, "\\n" line ends). When the block ends with any error,
    or with Ctrl-C, what was under `path` before is still there and nothing else is left. Folders on the way
    are made. What the disk refuses becomes an ExportError.
    """
    if mode not in ("wb", "w"):
        raise InputError("mode of write_atomic is unknown", got=mode, allowed="Allowed: 'wb', 'w'")
    with write_atomic_path(path) as part:
        text = mode == "w"
        with open(part, mode, encoding="utf-8" if text else None, newline="\n" if text else None) as file:
            yield file


@contextmanager
def write_atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Like `write_atomic` for writers that want a name: the path of an empty file with the same suffix."""
    target = _check_path(path)
    part: Path | None = None
    descriptor: int | None = None
    try:
        # As root, os.replace would put a file in the place of /dev/full or of a pipe.
        in_place = _is_stream(target)
        if in_place:
            folder = Path(tempfile.gettempdir())
        else:
            target = Path(os.path.realpath(target))
            folder = target.parent
            folder.mkdir(parents=True, exist_ok=True)
        part, descriptor = _create_part(folder, target, 0o600 if in_place else 0o666)
        yield part
        _flush_to_disk(part)
        if in_place:
            with open(part, "rb") as source, open(target, "ab") as sink:
                shutil.copyfileobj(source, sink)
        else:
            if os.name == "nt":
                # Windows renames closed files only.
                os.close(descriptor)
                descriptor = None
            os.replace(part, target)
            part = None
            _flush_folder(folder)
    except ExportError:
        raise
    except OSError as error:
        raise _explain(error, path) from error
    finally:
        if part is not None:
            with suppress(OSError):
                part.unlink()
        if descriptor is not None:
            os.close(descriptor)


def save_pair(
    head: str | os.PathLike[str], head_data: bytes, partner: str | os.PathLike[str], partner_data: bytes
) -> None:
    """Writes two files that belong together, so that readers find either both old ones or both new ones.

    `head_data` must hold the `digest` of the partner. The partner waits under another name until the head is in
    place: whoever reads the head takes the partner with the right digest (`load_partner`).
    """
    waiting = _name_waiting(Path(partner))
    save_bytes(waiting, partner_data)
    save_bytes(head, head_data)
    try:
        os.replace(waiting, partner)
        _flush_folder(Path(partner).parent)
    except OSError as error:
        raise _explain(error, partner) from error


def load_partner(path: str | os.PathLike[str], sha256: str, max_bytes: int) -> bytes | None:
    """The bytes of the file with a digest that `save_pair` wrote under `path`; None if it is not there."""
    for place in (Path(path), _name_waiting(Path(path))):
        if place.is_file():
            data = load_bytes(place, max_bytes)
            if digest(data) == sha256:
                return data
    return None


def settle_pair(path: str | os.PathLike[str], sha256: str) -> None:
    """Ends what `save_pair` was doing when its process died: puts the partner with a digest in place, or drops it."""
    waiting = _name_waiting(Path(path))
    if not waiting.is_file():
        return
    try:
        if digest(waiting.read_bytes()) == sha256:
            os.replace(waiting, path)
        else:
            waiting.unlink()
        _flush_folder(waiting.parent)
    except OSError as error:
        raise _explain(error, path) from error


def digest(data: bytes) -> str:
    """SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def _name_waiting(path: Path) -> Path:
    return path.with_name(path.name + ".next")


def save_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes bytes, whole or not at all."""
    with write_atomic(path) as file:
        file.write(data)


def save_text(path: str | os.PathLike[str], text: str) -> None:
    """Writes text as UTF-8, whole or not at all."""
    save_bytes(path, text.encode("utf-8"))


def save_json(path: str | os.PathLike[str], data: object) -> None:
    """Writes `format_json(data)`, whole or not at all."""
    save_text(path, format_json(data))


def save_toml(path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
    """Writes TOML, whole or not at all; numpy's numbers and arrays, paths and dataclasses are made plain."""
    save_text(path, tomli_w.dumps(make_plain(data)))


def format_json(data: object) -> str:
    """JSON with an indent of two; JSON has no infinities and no NaN, so these become null."""
    plain = make_plain(data, finite=True)
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def make_plain(value: Any, *, finite: bool = False) -> Any:
    """The same data as dicts, lists, strings and numbers of Python; `finite` turns other floats into None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    elif hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): make_plain(item, finite=finite) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [make_plain(item, finite=finite) for item in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if finite and isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def parse_toml(text: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """The values of a TOML document, which `poise.tables` checks; `path` stands for the file in errors."""
    if _LONG_KEY.search(text):
        raise _too_deep(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _explain_toml(path, text, str(error)) from error
    except RecursionError as error:
        raise _too_deep(path) from error
    except ValueError as error:
        # Python reads no number of more than some thousand digits.
        raise FileFormatError(f"malformed TOML, {error}", path=path) from error
    _check_values(data, path, text)
    return data


def load_json(path: str | os.PathLike[str], max_bytes: int = MAX_TEXT_BYTES) -> Any:
    """What a JSON file holds; whatever is wrong with it raises a FileFormatError with line and column."""
    return parse_json(load_text(path, max_bytes), path)


def parse_json(text: str, path: str | os.PathLike[str]) -> Any:
    """What the text of a JSON file holds."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"{error.msg[:1].lower()}{error.msg[1:]}"
        line = text.split("\n")[error.lineno - 1] if text else None
        raise FileFormatError(
            f"malformed JSON, {message}", path=path, line=error.lineno, column=error.colno, source_line=line
        ) from error
    except RecursionError as error:
        raise _too_deep(path) from error
    except ValueError as error:
        # Python reads no number of more than some thousand digits.
        raise FileFormatError(f"malformed JSON, {error}", path=path) from error
    _check_values(data, path, text)
    return data


def load_text(path: str | os.PathLike[str], max_bytes: int = MAX_TEXT_BYTES) -> str:
    """The text of a UTF-8 file with "\\n" line ends, without a byte order mark."""
    data = load_bytes(path, max_bytes)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").split("\n")
        raise FileFormatError(
            f"not text in UTF-8, got byte 0x{data[error.start]:02x}",
            path=path,
            line=len(before),
            column=len(before[-1]) + 1,
        ) from error
    return text.removeprefix("\N{BYTE ORDER MARK}").replace("\r\n", "\n")


def load_bytes(path: str | os.PathLike[str], max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """The bytes of a file of at most `max_bytes`."""
    target = _check_path(path)
    if os.path.lexists(target):
        check_readable(target)
    try:
        with open(target, "rb", opener=_open_regular) as file:
            data = _read_up_to(file, max_bytes)
    except FileNotFoundError as error:
        raise FileFormatError("no such file", path=path, did_you_mean=_find_similar_file(target)) from error
    except IsADirectoryError as error:
        raise FileFormatError("is a folder. A file is needed", path=path) from error
    except OSError as error:
        raise FileFormatError(f"cannot be read, {_describe(error)}", path=path) from error
    except _NotRegularError as error:
        raise FileFormatError(f"is a {error}. A file is needed", path=path) from None
    if data is None:
        raise FileFormatError(f"is too large. Allowed: at most {max_bytes / 1e6:.4g} MB", path=path)
    return data


def _read_up_to(file: IO[bytes], max_bytes: int) -> bytes | None:
    """All bytes of a file, or None if there are more. Asked for `max_bytes` at once, Python would allocate them."""
    if os.fstat(file.fileno()).st_size > max_bytes:
        return None
    chunks, size = [], 0
    while chunk := file.read(_CHUNK_BYTES):
        chunks.append(chunk)
        size += len(chunk)
        if size > max_bytes:
            return None
    return b"".join(chunks)


class _NotRegularError(Exception):
    """A pipe, a device or a socket, which may have no end or never answer."""


def _open_regular(name: str, flags: int) -> int:
    """Opens a file without waiting for whoever is at the other end of it; only what is piped in on purpose may wait."""
    if _is_handed_over(name):
        return os.open(name, flags)
    descriptor = os.open(name, flags | os.O_NONBLOCK)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return descriptor
    os.close(descriptor)
    kinds = {stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}
    raise _NotRegularError(kinds.get(stat.S_IFMT(mode), "device"))


def _is_handed_over(name: str) -> bool:
    """Whether a path names an open file of this process, as /dev/stdin and a shell's <(command) do."""
    return name.startswith(("/dev/fd/", "/dev/std", "/proc/self/fd/"))


def _check_path(path: str | os.PathLike[str]) -> Path:
    name = os.fspath(path)
    try:
        storable = b"\0" not in os.fsencode(name)
    except UnicodeError:
        storable = False
    if not name or not storable:
        raise InputError("not a file name", got=name)
    return Path(name)


def _is_stream(path: Path) -> bool:
    """Whether a path names a device, a pipe or an open file of this process."""
    if _is_handed_over(str(path)) or str(path).startswith("/proc/"):
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _create_part(folder: Path, target: Path, mode: int) -> tuple[Path, int]:
    """An empty file with the permissions of the one it will replace, or those of `mode`, and its descriptor.

    The file is locked while the descriptor is open: parts without a lock are those of dead processes.
    """
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    while True:
        part = folder / f".poise-{secrets.token_hex(8)}.part{target.suffix[:16]}"
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode)
        # Somebody who tidies up may have found it in the moment before it was locked.
        if grip(descriptor) is not Grip.TAKEN and part.exists():
            break
        os.close(descriptor)
    if target.is_file():
        shutil.copymode(target, part)
    return part, descriptor


def _flush_to_disk(path: Path) -> None:
    # Some disks report only here that they are full.
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_folder(folder: Path) -> None:
    """Makes a rename in a folder last, where the system can."""
    if os.name == "nt":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:
        # A folder may be writable and not readable.
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise
    finally:
        os.close(descriptor)


def _explain(error: OSError, path: str | os.PathLike[str]) -> ExportError:
    advice = {
        errno.ENOSPC: "Free some space or choose another disk",
        errno.EDQUOT: "Free some space or choose another disk",
        errno.EACCES: "Choose a place you may write to",
        errno.EPERM: "Choose a place you may write to",
        errno.EROFS: "Choose a place you may write to",
        errno.EISDIR: "Give the name of a file",
    }
    number = error.errno
    return ExportError(
        f"could not be written, {_describe(error)}",
        path=path,
        errno=number,
        allowed=advice.get(number, "") if number is not None else "",
    )


def _describe(error: OSError) -> str:
    reasons = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk quota is used up",
        errno.EACCES: "permission denied",
        errno.EPERM: "permission denied",
        errno.EROFS: "the disk is read-only",
        errno.EISDIR: "it is a folder",
        errno.ENOTDIR: "part of its path is a file, not a folder",
        errno.EEXIST: "part of its path is a file, not a folder",
        errno.ENAMETOOLONG: "the name is too long",
    }
    if error.errno in reasons:
        return reasons[error.errno]
    return f"the system says: {error.strerror or error}"


def _find_similar_file(path: Path) -> str | None:
    """A file in the same folder whose name is close, as the caller would write it."""
    if not current_trust().can_read(path):
        return None
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return None
    nearest = find_nearest_name(path.name, names)
    return None if nearest is None else str(path.with_name(nearest))


def _explain_toml(path: str | os.PathLike[str], text: str, message: str) -> FileFormatError:
    lines = text.split("\n")
    line, column = len(lines), len(lines[-1]) + 1
    if match := _TOML_PLACE.search(message):
        message = message[: match.start()]
        if match[1]:
            line, column = int(match[1]), int(match[2])
        message = message[:1].lower() + message[1:]
    source_line = lines[line - 1] if line <= len(lines) else None
    return FileFormatError(f"malformed TOML, {message}", path=path, line=line, column=column, source_line=source_line)


def _too_deep(path: str | os.PathLike[str]) -> FileFormatError:
    return FileFormatError(f"nested too deeply. Allowed: at most {MAX_DEPTH} levels", path=path)


def _check_values(data: object, path: str | os.PathLike[str], text: str) -> None:
    """Raise for deep nesting and for whole numbers that fit no array."""
    level, depth = [data], 0
    while level:
        inner: list[object] = []
        for value in level:
            if isinstance(value, dict):
                inner.extend(value.values())
            elif isinstance(value, list):
                inner.extend(value)
            elif type(value) is int and not -MAX_INT - 1 <= value <= MAX_INT:
                raise _too_large(path, text, value)
        level = inner
        depth += bool(level)
        if depth > MAX_DEPTH:
            raise _too_deep(path)


def _too_large(path: str | os.PathLike[str], text: str, number: int) -> FileFormatError:
    what, allowed = f"a whole number is too large, got {_shorten(number)}", "Allowed: up to 2^63 - 1"
    at = text.find(str(number))
    if at < 0:
        # Written with underscores, or not as a decimal.
        return FileFormatError(what, path=path, allowed=allowed)
    start, line = text.rfind("\n", 0, at) + 1, text.count("\n", 0, at) + 1
    source = text[start:].split("\n", 1)[0]
    return FileFormatError(what, path=path, line=line, column=at - start + 1, source_line=source, allowed=allowed)


def _shorten(number: int) -> str:
    """A whole number of any length as a person would write it."""
    digits = str(number)
    return digits if len(digits) <= 24 else f"{digits[:20]}… with {len(digits)} digits"


def picture_format(path: str | os.PathLike[str]) -> str:
    """What matplotlib writes under that name: PNG unless the suffix says SVG or PDF."""
    suffix = str(path).rpartition(".")[2].lower()
    return suffix if suffix in ("svg", "pdf") else "png"
