"""NPZ files: the only format in which Poise writes arrays to disk and reads them back.

This module detects every fault of an archive as such: damaged zips, wrong array headers, Python objects, zip bombs,
and missing, foreign or edited entries. How the entries belong together is left to the modules that own the contents.
Every fault raises a FileFormatError.

`numpy.load` reads the files without Poise. The entry `digest` is the SHA-256 of all others; archives without it, as
written by earlier versions and by numpy itself, are accepted.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import math
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileFormatError
from poise.files import load_bytes, write_atomic

Array = NDArray[Any]
Shape = tuple[int | str | None, ...]

DIGEST: Final = "digest"

MAX_ARCHIVE_BYTES: Final = 256 * 2**20
"""Snapshots, models and graphs take a few megabytes, also unpacked; readers of larger files pass their own limit."""

MAX_RATIO: Final = 100
"""Deflate compresses zeros a thousandfold, but simulated motion hardly threefold."""

FREE_BYTES: Final = 64 * 2**20
"""An archive that unpacks to at most this size is harmless at any ratio."""

MAX_ENTRIES: Final = 20_000
MAX_AXES: Final = 6
MAX_HEADER_CHARACTERS: Final = 1_000
MAX_JSON_DEPTH: Final = 64

_LOCAL_HEADER: Final = b"PK\x03\x04"
_NPY_MAGIC: Final = b"\x93NUMPY"
_ENCRYPTED: Final = 0x1
_TYPES: Final[Mapping[str, tuple[str, np.dtype[Any] | None]]] = {
    "float": ("f", np.dtype(np.float64)),
    "int": ("iu", np.dtype(np.int64)),
    "bits": ("u", np.dtype(np.uint64)),
    "bool": ("b", np.dtype(np.bool_)),
    "text": ("U", None),
}


@dataclass(frozen=True)
class Field:
    """Requirements on an entry of an archive.

    `holds` is "float", "int", "bits" (64, unsigned), "bool" or "text". A name in `shape` stands for the same length
    wherever it occurs, None for any length; without `shape`, any shape is allowed.
    """

    holds: str = "float"
    shape: Shape | None = None
    low: float | None = None
    high: float | None = None
    finite: bool = True
    required: bool = True


class _WrongError(Exception):
    """A fault of an archive, raised before its name is known."""


class _ForeignError(_WrongError):
    """An archive with other contents than expected."""


def load_archive(
    source: str | PathLike[str] | bytes,
    fields: Mapping[str, Field],
    *,
    kind: str,
    max_bytes: int = MAX_ARCHIVE_BYTES,
    name: str | PathLike[str] = "",
    advice: str = "",
) -> dict[str, Array]:
    """The entries of an NPZ file (or of its bytes, called `name` in errors), checked against `fields`.

    A field whose name ends with `*` describes all entries with that prefix. Arrays are in C order with native float64,
    int64, uint64, bool or text. `max_bytes` limits both the file and its unpacked size. `advice` is added to the error
    if the archive holds something else.
    """
    where = name if isinstance(source, bytes) else source
    data = source if isinstance(source, bytes) else load_bytes(source, max_bytes)
    try:
        entries = _read_entries(data, fields, kind, max_bytes)
        digest = entries.pop(DIGEST, None)
        if digest is not None and str(digest) != compute_digest(entries):
            raise _WrongError("is damaged, its contents do not match their checksum")
        missing = [key for key, field in fields.items() if field.required and not _is_there(key, entries)]
        if missing:
            raise _ForeignError(f"not a {kind}, lacks {', '.join(missing)}")
        return _check_fields(entries, fields)
    except _ForeignError as error:
        raise FileFormatError(str(error), path=where, allowed=advice) from error
    except _WrongError as error:
        raise FileFormatError(str(error), path=where) from error
    except MemoryError as error:
        raise FileFormatError("needs more memory than available", path=where) from error


def save_archive(path: str | PathLike[str], arrays: Mapping[str, Any], *, compressed: bool = True) -> None:
    """Write arrays as NPZ atomically; the same arrays give the same bytes. See `write_atomic`."""
    with write_atomic(path) as file:
        write_archive(file, arrays, compressed=compressed)


def write_archive(file: IO[bytes], arrays: Mapping[str, Any], *, compressed: bool = True) -> None:
    """Write arrays as NPZ, with their digest, to an open file."""
    plain = {name: np.asarray(value) for name, value in arrays.items()}
    plain[DIGEST] = np.array(compute_digest(plain))
    packing = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(file, "w", packing, allowZip64=True) as archive:
        for name, array in plain.items():
            # Entries keep zip's default time stamp: the same content must give the same bytes.
            info = zipfile.ZipInfo(f"{name}.npy")
            info.compress_type = packing
            with archive.open(info, "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)


def pack_archive(arrays: Mapping[str, Any], *, compressed: bool = True) -> bytes:
    """The bytes that `save_archive` would write."""
    buffer = io.BytesIO()
    write_archive(buffer, arrays, compressed=compressed)
    return buffer.getvalue()


def compute_digest(arrays: Mapping[str, Array]) -> str:
    """SHA-256 of names, types, shapes and contents, independent of the order of the entries."""
    total = hashlib.sha256()
    for name in sorted(arrays):
        array = _normalise(np.asarray(arrays[name]))
        total.update(f"{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        total.update(array.tobytes())
    return total.hexdigest()


def parse_json(text: str, path: str | PathLike[str], entry: str) -> Any:
    """The JSON in an entry; malformed or too deeply nested JSON raises a FileFormatError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"is damaged, entry {entry!r} is not JSON", path=path) from error
    if _is_deeper_than(data, MAX_JSON_DEPTH):
        raise FileFormatError(
            f"entry {entry!r} is nested too deeply", path=path, allowed=f"Allowed: at most {MAX_JSON_DEPTH} levels"
        )
    return data


def _read_entries(data: bytes, fields: Mapping[str, Field], kind: str, max_bytes: int) -> dict[str, Array]:
    """All entries, verified against their zip checksums but not against `fields`' shapes and ranges."""
    if not data.startswith(_LOCAL_HEADER):
        raise _WrongError(f"not a {kind}. Poise writes these as NPZ files")
    entries: dict[str, Array] = {}
    with _open_zip(data) as archive:
        infos = archive.infolist()
        _check_sizes(infos, len(data), max_bytes)
        for info in infos:
            name = info.filename.removesuffix(".npy")
            if name in entries:
                raise _WrongError(f"is damaged, entry {name!r} occurs twice")
            if name != DIGEST and _find_field(name, fields) is None:
                raise _ForeignError(f"not a {kind}, holds an entry {name!r}")
            entries[name] = _parse_array(_unpack(archive, info, name), name)
    return entries


def _open_zip(data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # a damaged table can raise almost anything
        raise _WrongError("is damaged, its table of entries cannot be read") from error


def _check_sizes(infos: list[zipfile.ZipInfo], packed: int, max_bytes: int) -> None:
    if len(infos) > MAX_ENTRIES:
        raise _WrongError(f"has too many entries, got {len(infos)}. Allowed: at most {MAX_ENTRIES}")
    unpacked = sum(info.file_size for info in infos)
    if unpacked > max_bytes:
        raise _WrongError(f"unpacks to more than {max_bytes / 1e6:.4g} MB")
    if unpacked > max(FREE_BYTES, MAX_RATIO * packed):
        raise _WrongError(f"unpacks to more than {MAX_RATIO} times its size")


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    """The bytes of an entry; never more than its size in the table, which has been checked."""
    if info.flag_bits & _ENCRYPTED:
        raise _WrongError(f"entry {name!r} is encrypted")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _WrongError(f"entry {name!r} uses an unknown compression method")
    try:
        with archive.open(info) as file:
            # Read to the end: zipfile compares the checksum only there.
            unpacked = file.read()
        if len(unpacked) != info.file_size:
            raise EOFError
    except MemoryError:
        raise
    except Exception as error:  # a damaged stream can raise almost anything
        raise _WrongError(f"is damaged, entry {name!r} cannot be unpacked") from error
    return unpacked


def _parse_array(data: bytes, name: str) -> Array:
    """The array of an entry; the size in its header must match the data exactly."""
    shape, fortran, dtype, start = _parse_header(data, name)
    size = math.prod(shape) * dtype.itemsize
    if size != len(data) - start:
        raise _WrongError(f"is damaged, entry {name!r} should have {size} bytes, got {len(data) - start}")
    flat = np.frombuffer(data, dtype, -1, start) if size else np.empty(0, dtype)
    array = _normalise(flat.reshape(shape, order="F" if fortran else "C"))
    if dtype.kind == "b" and np.any(array.view(np.uint8) > 1):
        raise _WrongError(f"is damaged, {name} must hold true or false")
    if dtype.kind == "U" and size and not _is_text(array):
        raise _WrongError(f"is damaged, {name} must hold text")
    return array.copy()


def _parse_header(data: bytes, name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Shape, whether in Fortran order, type, and offset of the data."""
    width = {b"\x01\x00": 2, b"\x02\x00": 4}.get(data[6:8])
    if data[:6] != _NPY_MAGIC or width is None:
        raise _WrongError(f"is damaged, entry {name!r} is not an array")
    start = 8 + width + int.from_bytes(data[8 : 8 + width], "little")
    text = data[8 + width : start]
    try:
        if len(text) > MAX_HEADER_CHARACTERS or start > len(data):
            raise ValueError
        head = ast.literal_eval(text.decode("latin-1").strip())
        shape, fortran, code = head["shape"], head["fortran_order"], head["descr"]
        if not isinstance(code, str) or not isinstance(fortran, bool) or len(head) != 3:
            raise ValueError
        dtype = np.dtype(code)
        whole = isinstance(shape, tuple) and all(type(n) is int and 0 <= n < 2**62 for n in shape)
        if not whole or len(shape) > MAX_AXES:
            raise ValueError
    except Exception as error:  # the header is arbitrary text for Python's parser
        raise _WrongError(f"is damaged, the header of entry {name!r} is malformed") from error
    if dtype.hasobject:
        raise _WrongError(f"entry {name!r} holds Python objects, which are never loaded")
    if dtype.kind not in "biufU" or dtype.itemsize == 0:
        raise _WrongError(f"entry {name!r} holds {dtype}. Allowed: numbers and text")
    return shape, fortran, dtype, start


def _normalise(array: Array) -> Array:
    """The array in C order and little-endian."""
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(array.shape)


def _is_text(array: Array) -> bool:
    """Whether all code points are valid characters."""
    codes = np.frombuffer(array.tobytes(), np.uint32)
    return bool(np.all((codes < 0xD800) | ((codes > 0xDFFF) & (codes <= 0x10FFFF))))


def _find_field(name: str, fields: Mapping[str, Field]) -> Field | None:
    if name in fields:
        return fields[name]
    return next((f for key, f in fields.items() if key.endswith("*") and name.startswith(key[:-1])), None)


def _is_there(key: str, entries: Mapping[str, Array]) -> bool:
    return any(name.startswith(key[:-1]) for name in entries) if key.endswith("*") else key in entries


def _check_fields(entries: Mapping[str, Array], fields: Mapping[str, Field]) -> dict[str, Array]:
    lengths: dict[str, int] = {}
    checked = {}
    for name, array in entries.items():
        field = _find_field(name, fields)
        assert field is not None
        _check_shape(name, array.shape, field.shape, lengths)
        checked[name] = _check_values(name, _convert(name, array, field.holds), field)
    return checked


def _convert(name: str, array: Array, holds: str) -> Array:
    kinds, dtype = _TYPES[holds]
    if array.dtype.kind not in kinds or (dtype is not None and array.dtype.itemsize > dtype.itemsize):
        raise _WrongError(f"{name} must hold {'text' if dtype is None else dtype}, got {array.dtype}")
    if dtype is None:
        return array
    if dtype.kind == "i" and array.dtype.kind == "u" and array.size and array.max() > np.iinfo(dtype).max:
        raise _WrongError(f"{name} must hold {dtype}, got {array.dtype}")
    return array.astype(dtype, copy=False)


def _check_shape(name: str, got: tuple[int, ...], shape: Shape | None, lengths: dict[str, int]) -> None:
    if shape is None:
        return
    fits = len(got) == len(shape)
    for wanted, length in zip(shape, got) if fits else ():
        known = lengths.setdefault(wanted, length) if isinstance(wanted, str) else wanted
        fits = fits and (known is None or known == length)
    if not fits:
        parts = [lengths.get(n, n) if isinstance(n, str) else "any" if n is None else n for n in shape]
        shown = ", ".join(map(str, parts)) + ("," if len(parts) == 1 else "")
        raise _WrongError(f"{name} must have the shape ({shown}), got {got}")


def _check_values(name: str, array: Array, field: Field) -> Array:
    if array.dtype.kind == "f" and field.finite and not np.all(np.isfinite(array)):
        raise _WrongError(f"{name} must be finite")
    if not array.size or array.dtype.kind not in "fiu":
        return array
    # Compare this way round: a NaN must pass where it is allowed.
    too_low = field.low is not None and bool(np.any(array < field.low))
    if too_low or (field.high is not None and bool(np.any(array > field.high))):
        low, high = ("any" if end is None else f"{end:g}" for end in (field.low, field.high))
        raise _WrongError(f"{name} must lie in {low} to {high}")
    return array


def _is_deeper_than(data: object, depth: int) -> bool:
    level = [data]
    for _ in range(depth + 1):
        inner: list[object] = []
        for value in level:
            inner.extend(value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
        level = [value for value in inner if isinstance(value, dict | list)]
        if not level:
            return False
    return True
