"""NPZ files: round trips are exact, and everything else is one clear error."""

from __future__ import annotations

import io
import os
import pickle
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise import archives
from poise.archives import Field, load_archive, pack_archive, parse_json, save_archive
from poise.errors import FileFormatError

FIELDS = {
    "places": Field(shape=("rows", 3), low=-10.0, high=10.0),
    "parents": Field("int", shape=("rows",), low=-1, high=5),
    "name": Field("text", shape=()),
    "flags": Field("bool", shape=(None,), required=False),
    "seed": Field("bits", shape=(1,), required=False),
    "part_*": Field(finite=False, required=False),
}
GOOD: dict[str, Any] = {
    "places": np.arange(6.0).reshape(2, 3),
    "parents": np.array([-1, 0]),
    "name": np.array("Fuß"),
    "flags": np.array([True, False]),
    "seed": np.array([2**64 - 1], dtype=np.uint64),
    "part_0": np.array([np.nan, np.inf]),
}


def load(source: str | Path | bytes, **options: Any) -> dict[str, Any]:
    return load_archive(source, FIELDS, kind="sample", name="x.npz", **options)


def reason_of(source: str | Path | bytes, **options: Any) -> str:
    with pytest.raises(FileFormatError) as error:
        load(source, **options)
    return error.value.reason


def pack_numpy(arrays: Mapping[str, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def pack_zip(entries: Mapping[str, bytes], **options: Any) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", **options) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def header(text: str, version: bytes = b"\x01\x00") -> bytes:
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text.encode()


def assert_good(entries: Mapping[str, Any]) -> None:
    assert sorted(entries) == sorted(GOOD)
    for name, array in entries.items():
        assert array.dtype == GOOD[name].dtype and np.array_equal(array, GOOD[name], equal_nan=array.dtype.kind == "f")


def test_what_was_written_comes_back_with_and_without_a_digest(tmp_path: Path) -> None:
    save_archive(tmp_path / "x.npz", GOOD)
    assert_good(load(tmp_path / "x.npz"))
    assert_good(load(pack_archive(GOOD, compressed=False)))
    assert_good(load(pack_numpy(GOOD)))


def test_numpy_reads_it_and_the_same_content_gives_the_same_bytes() -> None:
    assert pack_archive(GOOD) == pack_archive(GOOD)
    with np.load(io.BytesIO(pack_archive(GOOD))) as data:
        assert np.array_equal(data["places"], GOOD["places"])


def test_fortran_order_and_other_bytes_are_made_plain() -> None:
    odd = {**GOOD, "places": np.asfortranarray(GOOD["places"].astype(">f4")), "parents": GOOD["parents"].astype(">i2")}
    entries = load(pack_archive(odd))
    assert_good(entries)
    assert entries["places"].flags.c_contiguous and entries["places"].flags.writeable


def test_arrays_from_two_archives_are_not_one(tmp_path: Path) -> None:
    with np.load(io.BytesIO(pack_archive({**GOOD, "parents": np.array([-1, 1])}))) as other:
        mixed = {**GOOD, "digest": other["digest"]}
    assert reason_of(pack_numpy(mixed)) == "is damaged, its contents do not match their checksum."


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"places": None, "name": None}, "not a sample, lacks places, name."),
        ({"other": np.zeros(1)}, "not a sample, holds an entry 'other'."),
        ({"places": np.zeros((2, 4))}, "places must have the shape (2, 3), got (2, 4)."),
        ({"places": np.zeros((5, 3))}, "parents must have the shape (5,), got (2,)."),
        ({"parents": np.zeros((5,), dtype=int)}, "parents must have the shape (2,), got (5,)."),
        ({"places": np.zeros((2, 3), dtype=int)}, "places must hold float64, got int64."),
        ({"parents": np.zeros(2)}, "parents must hold int64, got float64."),
        ({"parents": np.array([0, 2**64 - 1], dtype=np.uint64)}, "parents must hold int64, got uint64."),
        ({"name": np.array(3)}, "name must hold text, got int64."),
        ({"places": np.full((2, 3), np.nan)}, "places must be finite."),
        ({"places": np.full((2, 3), 11.0)}, "places must lie in -10 to 10."),
        ({"parents": np.array([-2, 0])}, "parents must lie in -1 to 5."),
        ({"places": np.zeros((2, 3), dtype=complex)}, "entry 'places' holds complex128. Allowed: numbers and text."),
        ({"name": np.array(b"x")}, "entry 'name' holds |S1. Allowed: numbers and text."),
        ({"places": np.zeros((1,) * 7)}, "is damaged, the header of entry 'places' is malformed."),
    ],
)
def test_contents_that_do_not_fit_are_named(changes: dict[str, Any], reason: str) -> None:
    arrays = {name: value for name, value in {**GOOD, **changes}.items() if value is not None}
    assert reason_of(pack_archive(arrays)) == reason


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY\x01\x00", b"HIERARCHY\n", pickle.dumps([1])])
def test_what_is_no_archive_is_refused(content: bytes) -> None:
    assert reason_of(content) == "not a sample. Poise writes these as NPZ files."


def test_a_plain_npy_file_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(3))
    assert reason_of(tmp_path / "x.npy") == "not a sample. Poise writes these as NPZ files."


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    assert reason_of(tmp_path) == "is a folder. A file is needed."
    assert reason_of(tmp_path / "x.npz") == "no such file."
    os.mkfifo(tmp_path / "pipe")
    assert reason_of(tmp_path / "pipe") == "is a pipe. A file is needed."
    assert reason_of("/dev/zero") == "is a device. A file is needed."


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (b"", "is damaged, entry 'places' is not an array."),
        (b"\x93NUMPY\x03\x00" + bytes(80), "is damaged, entry 'places' is not an array."),
        (header("nonsense"), "is damaged, the header of entry 'places' is malformed."),
        (header("(" * 900), "is damaged, the header of entry 'places' is malformed."),
        (header("1" * 60_000), "is damaged, the header of entry 'places' is malformed."),
        (
            header("{'descr': '<f8', 'fortran_order': False}"),
            "is damaged, the header of entry 'places' is malformed.",
        ),
        (
            header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}"),
            "is damaged, the header of entry 'places' is malformed.",
        ),
        (
            header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}"),
            "is damaged, entry 'places' should have 8000000000000 bytes, got 0.",
        ),
        (
            header("{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000000,)}"),
            "entry 'places' holds <U0. Allowed: numbers and text.",
        ),
        (
            header("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}") + pickle.dumps([1]),
            "entry 'places' holds Python objects, which are never loaded.",
        ),
        (
            header("{'descr': '<U1', 'fortran_order': False, 'shape': ()}") + b"\xff\xff\xff\xff",
            "is damaged, places must hold text.",
        ),
        (
            header("{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}") + b"\x07",
            "is damaged, places must hold true or false.",
        ),
    ],
)
def test_an_array_that_lies_is_refused(entry: bytes, reason: str) -> None:
    assert reason_of(pack_zip({"places.npy": entry})) == reason


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "opened"),)

    buffer = io.BytesIO()
    np.savez(buffer, **{**GOOD, "places": np.array([Evil()], dtype=object)})
    assert reason_of(buffer.getvalue()) == "entry 'places' holds Python objects, which are never loaded."
    assert not (tmp_path / "opened").exists()


def test_an_entry_that_is_there_twice_is_refused() -> None:
    good = io.BytesIO()
    np.save(good, GOOD["places"])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("places.npy", good.getvalue())
        archive.writestr("places.npy", good.getvalue())
    assert reason_of(buffer.getvalue()) == "is damaged, entry 'places' occurs twice."


def test_encrypted_entries_and_other_packings_are_refused() -> None:
    data = bytearray(pack_archive({"places": GOOD["places"]}))
    table = data.index(b"PK\x01\x02")
    data[table + 8] |= 1
    assert reason_of(bytes(data)) == "entry 'places' is encrypted."
    other = pack_zip({"places.npy": b"x"}, compression=zipfile.ZIP_BZIP2)
    assert reason_of(other) == "entry 'places' uses an unknown compression method."


def test_a_flipped_bit_in_a_stored_array_is_seen() -> None:
    data = bytearray(pack_archive(GOOD, compressed=False))
    data[data.index(GOOD["places"].tobytes()) + 7] ^= 1
    assert reason_of(bytes(data)) == "is damaged, entry 'places' cannot be unpacked."


def test_archives_that_unpack_to_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = pack_archive({"part_0": np.zeros(200_000)})
    assert reason_of(bomb, max_bytes=1_000_000) == "unpacks to more than 1 MB."
    monkeypatch.setattr(archives, "FREE_BYTES", 1000)
    assert reason_of(bomb) == "unpacks to more than 100 times its size."


def test_a_size_that_the_table_makes_smaller_is_not_believed() -> None:
    data = bytearray(pack_archive({"part_0": np.zeros(200_000)}))
    table = data.index(b"PK\x01\x02")
    data[table + 24 : table + 28] = (1000).to_bytes(4, "little")
    assert reason_of(bytes(data)) == "is damaged, entry 'part_0' cannot be unpacked."


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with open(tmp_path / "x.npz", "wb") as file:
        file.truncate(2 * archives.MAX_ARCHIVE_BYTES)
    assert reason_of(tmp_path / "x.npz") == "is too large. Allowed: at most 268.4 MB."


def test_too_many_entries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_ENTRIES", 5)
    assert reason_of(pack_archive(GOOD)) == "has too many entries, got 7. Allowed: at most 5."


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "9" * 5000])
def test_json_that_is_malformed_is_refused(text: str) -> None:
    with pytest.raises(FileFormatError, match=re.escape("x.npz: is damaged, entry 'json' is not JSON.")):
        parse_json(text, "x.npz", "json")


def test_json_that_is_nested_too_deeply_is_refused() -> None:
    assert parse_json("[" * 64 + "]" * 64, "x.npz", "json")
    with pytest.raises(
        FileFormatError, match=r"x\.npz: entry 'json' is nested too deeply\. Allowed: at most 64 levels"
    ):
        parse_json('{"a":' * 80 + "1" + "}" * 80, "x.npz", "json")


_PACKED = pack_archive(GOOD), pack_archive(GOOD, compressed=False)


@given(st.data())
def test_a_bent_archive_is_refused_or_reads_whole(data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from(_PACKED)))
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content) - 1))]
    for _ in range(data.draw(st.integers(1, 4))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        entries = load(bytes(content))
    except FileFormatError:
        return
    assert_good(entries)
