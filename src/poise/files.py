"""Reading and writing files: completely or not at all, with errors that name the file.

Owns atomic writing, the size limit, and the messages about disk errors. `poise.documents` parses TOML and JSON;
characters, controllers and clips have their readers in their own rooms.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

from poise.errors import ExportError, FileFormatError, InputError, find_nearest_name
from poise.locks import Grip, grip
from poise.trust import check_readable, current_trust

MAX_TEXT_BYTES: Final = 20_000_000
"""Far above the size of any file that a person edits."""

_CHUNK_BYTES: Final = 2**20

#: First bytes of a file -> what it is. UTF-32 begins like UTF-16.
_BEGINNINGS: Final = {
    b"\xff\xfe\0\0": "text in UTF-32",
    b"\0\0\xfe\xff": "text in UTF-32",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
    b"PK\x03\x04": "a ZIP archive (or an office document)",
    b"\x1f\x8b": "a gzip archive",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"%PDF-": "a PDF document",
    b"{\\rtf": "an RTF document",
    b"\x7fELF": "a program",
    b"\x93NUMPY": "a NumPy array",
    b"\xd0\xcf\x11\xe0": "an office document",
}
#: Bytes that no text contains, and their share above which a file is not text.
_CONTROLS: Final = bytes([*range(9), *range(14, 32), 127])
_MANY_CONTROLS: Final = 0.05


@contextmanager
def write_atomic(path: str | os.PathLike[str], mode: str = "wb") -> Iterator[IO[Any]]:
    """Open a file for writing that replaces `path` only when it is complete.

    `mode` is "wb" for bytes or "w" for text (UTF-8, "\\n" line ends). If the block raises, also by Ctrl-C, the old
    file stays and no partial file is left. Missing folders are created. Disk errors become an ExportError.
    """
    if mode not in ("wb", "w"):
        raise InputError("not a mode of writing", got=mode, allowed="Allowed: 'wb', 'w'")
    with write_atomic_path(path) as part:
        text = mode == "w"
        with open(part, mode, encoding="utf-8" if text else None, newline="\n" if text else None) as file:
            yield file


@contextmanager
def write_atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Like `write_atomic`, for writers that need a path: yield the path of an empty file with the same suffix."""
    target = _check_path(path)
    part: Path | None = None
    descriptor: int | None = None
    try:
        # As root, os.replace would replace /dev/full or a pipe by a file.
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
    """Write two files that belong together; readers find either both old ones or both new ones.

    `head_data` must hold the `digest` of the partner. The partner waits under another name until the head is in
    place, and `load_partner` chooses the partner with the digest that the head names.
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
    """The bytes that `save_pair` wrote under `path`, if their digest matches; otherwise None."""
    for place in (Path(path), _name_waiting(Path(path))):
        if place.is_file():
            data = load_bytes(place, max_bytes)
            if digest(data) == sha256:
                return data
    return None


def settle_pair(path: str | os.PathLike[str], sha256: str) -> None:
    """Complete a `save_pair` whose process died: move the waiting partner into place, or delete it if stale."""
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
    """SHA-256 digest in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _name_waiting(path: Path) -> Path:
    return path.with_name(path.name + ".next")


def save_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write bytes, completely or not at all."""
    with write_atomic(path) as file:
        file.write(data)


def save_text(path: str | os.PathLike[str], text: str) -> None:
    """Write text as UTF-8, completely or not at all."""
    save_bytes(path, text.encode("utf-8"))


def load_text(path: str | os.PathLike[str], max_bytes: int = MAX_TEXT_BYTES) -> str:
    """The text of a UTF-8 file with "\\n" line ends, without its byte order mark."""
    data = load_bytes(path, max_bytes)
    found = _name_content(data)
    if found is not None:
        advice = "Save it as UTF-8" if found.startswith("text") else "A text file in UTF-8 is needed"
        raise FileFormatError(f"this is {found}", path=path, allowed=advice)
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


def _name_content(data: bytes) -> str | None:
    """What a file holds if that is clearly no text in UTF-8 or a similar encoding."""
    known = next((name for first, name in _BEGINNINGS.items() if data.startswith(first)), None)
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if known is not None or controls <= _MANY_CONTROLS * len(data):
        return known
    # In UTF-16 every other byte of western text is zero.
    even, odd = data[::2].count(0), data[1::2].count(0)
    return "text in UTF-16" if min(even, odd) == 0 and max(even, odd) > len(data) / 4 else "a binary file"


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
    """All bytes of a file; None if there are more. One read of `max_bytes` would allocate them."""
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
    """The file is a pipe, a device or a socket, which may be endless or block."""


def _open_regular(name: str, flags: int) -> int:
    """Open a file without blocking on pipes; only streams that were passed on purpose may block."""
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
    """Whether a path names an open file of this process, like /dev/stdin or a shell's <(command)."""
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
    """Create an empty file with the permissions of the file it will replace, or `mode`; return its path and descriptor.

    The file is locked while the descriptor is open: partial files without a lock belong to dead processes.
    """
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    while True:
        part = folder / f".poise-{secrets.token_hex(8)}.part{target.suffix[:16]}"
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode)
        # Another process may have cleaned it up just before it was locked.
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
    """Make a rename in a folder durable, if the system supports it."""
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
    """A file in the same folder with a similar name, as the caller would write it."""
    if not current_trust().can_read(path):
        return None
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return None
    nearest = find_nearest_name(path.name, names)
    return None if nearest is None else str(path.with_name(nearest))


def picture_format(path: str | os.PathLike[str]) -> str:
    """The format in which matplotlib writes a file: SVG or PDF by its suffix, otherwise PNG."""
    suffix = str(path).rpartition(".")[2].lower()
    return suffix if suffix in ("svg", "pdf") else "png"
