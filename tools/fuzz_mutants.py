"""Random damage to files: to bytes, lines, words, structure, and arrays in archives.

`mutate` takes the bytes of a file and returns those of a damaged one. Nothing here knows what the files mean.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

MAX_BYTES: Final = 3_000_000
"""Size limit of mutants: time should go into readers, not into writing files."""

NUMBERS: Final = (
    "nan", "inf", "-inf", "1e308", "-1e308", "1e309", "5e-324", "-1", "0", "-0.0", "1", "2", "255", "256", "65536",
    "2147483648", "-2147483649", "9223372036854775808", "99999999", "1e9", "1e-9", "0x10", "1_000", "1e", "١٢",
    "9" * 400, "9" * 5000, "0." + "3" * 5000, "true", "''", "[]", "{}",
)  # fmt: skip
_NUMBER: Final = re.compile(rb"(?<![\w.])-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")
_WORD: Final = re.compile(rb"[A-Za-z_][\w.-]*|-?\d+(?:\.\d*)?|\"[^\"\n]*\"|[^\s\w]")
_KEY: Final = re.compile(rb"(?m)^[ \t]*([A-Za-z_][\w-]*)[ \t]*=")
_BRACKETED: Final = re.compile(rb"\([^()\n]*\)|\[[^\[\]\n]*\]|\{[^{}\n]*\}|<[^<>\n]*/>")

Change = Callable[[bytes, Random, Sequence[bytes]], bytes]


def _place(data: bytes, random: Random) -> int:
    return random.randrange(len(data) + 1)


def _flip_bits(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    flipped = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8, 64))):
        flipped[random.randrange(len(flipped))] ^= 1 << random.randrange(8)
    return bytes(flipped)


def _insert_bytes(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    k = _place(data, random)
    return data[:k] + random.randbytes(random.choice((1, 2, 7, 100))) + data[k:]


def _delete_bytes(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    k = _place(data, random)
    return data[:k] + data[k + random.choice((1, 1, 3, 20, 500)) :]


def _cut_off(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return data[: _place(data, random)]


def _insert_zeros(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    k = _place(data, random)
    return data[:k] + b"\0" * random.choice((1, 4, 1000)) + data[k:]


def _splice(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    other = random.choice(others) if others else data
    return data[: _place(data, random)] + other[_place(other, random) :]


BYTE_CHANGES: Final[tuple[Change, ...]] = (
    _flip_bits, _insert_bytes, _delete_bytes, _cut_off, _insert_zeros, _splice,
)  # fmt: skip


def _shuffle_lines(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    k = random.randrange(len(lines))
    part = lines[k : k + random.choice((2, 5, 1000))]
    random.shuffle(part)
    lines[k : k + len(part)] = part
    return b"\n".join(lines)


def _drop_lines(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    k = random.randrange(len(lines))
    del lines[k : k + random.choice((1, 1, 2, 10))]
    return b"\n".join(lines)


def _double_lines(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    k, count = random.randrange(len(lines)), random.choice((1, 1, 3, 20))
    return b"\n".join(lines[: k + count] + lines[k:])


def _repeat_lines(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Repeat a block of lines thousands of times."""
    lines = data.split(b"\n")
    k, count = random.randrange(len(lines)), random.choice((1, 3, 10, 40))
    block = lines[k : k + count]
    size = sum(map(len, block)) + len(block)
    times = min(random.choice((100, 1000, 10_000, 50_000)), MAX_BYTES // max(size, 1))
    return b"\n".join(lines[:k] + block * times + lines[k:])


def _join_lines(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Put everything on one line."""
    return data.replace(b"\n", random.choice((b" ", b"", b"\r", b",")))


def _swap_words(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    words = list(_WORD.finditer(data[:200_000]))
    if len(words) < 2:
        return _flip_bits(data, random, others)
    one, other = sorted(random.sample(range(len(words)), 2))
    a, b = words[one], words[other]
    return data[: a.start()] + b[0] + data[a.end() : b.start()] + a[0] + data[b.end() :]


def _replace_word(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    words = list(_WORD.finditer(data[:200_000]))
    if not words:
        return _insert_bytes(data, random, others)
    word = random.choice(words)
    new = random.choice((b"", b"x", b"void", b"..", b"/", b"\xe9", b"a" * 100_000, b'"', b"\\"))
    return data[: word.start()] + new + data[word.end() :]


def _replace_numbers(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data[:200_000]))
    for match in sorted(random.sample(found, min(len(found), random.choice((1, 1, 1, 3)))), key=lambda m: -m.start()):
        data = data[: match.start()] + random.choice(NUMBERS).encode() + data[match.end() :]
    return data


def _double_key(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    found = list(_KEY.finditer(data))
    if not found:
        return _double_lines(data, random, others)
    key, at = random.choice(found), random.choice(found)
    return data[: at.start()] + key[0] + b" " + random.choice(NUMBERS).encode() + b"\n" + data[at.start() :]


def _long_key(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Add a dotted key or header with very many parts."""
    dotted = b".".join([b"a"] * random.choice((10, 100, 5000, 45_000)))
    line = random.choice((dotted + b" = 1\n", b"[" + dotted + b"]\n", b"[[" + dotted + b"]]\n"))
    return line + data if random.random() < 0.5 else data + b"\n" + line


def _nest(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Nest a bracketed part inside itself very deeply."""
    found = list(_BRACKETED.finditer(data[:200_000]))
    depth = random.choice((10, 100, 2000, 50_000))
    if not found or random.random() < 0.3:
        opening, closing = random.choice(
            ((b"[", b"]"), (b"(", b")"), (b"{", b"}"), (b'{"a":', b"}"), (b"<a>", b"</a>"))
        )
        k = _place(data, random)
        return data[:k] + opening * depth + closing * depth + data[k:]
    match = random.choice(found)
    inner, outer = match[0], data[match.start() - 20 if match.start() > 20 else 0 : match.start()]
    word = re.search(rb"[\w=\"]*\Z", outer)
    lead = (word[0] if word else b"") + inner[:1]
    depth = min(depth, MAX_BYTES // (len(lead) + 1))
    return data[: match.start()] + lead * depth + inner[1:-1] + inner[-1:] * depth + data[match.end() :]


def _nest_text(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Nest a value of a script inside values of its own kind."""
    found = list(_NUMBER.finditer(data[:200_000]))
    if not found:
        return _nest(data, random, others)
    match, depth = random.choice(found), random.choice((5, 50, 2000, 20_000))
    return data[: match.start()] + b"linterp(" * depth + match[0] + b",0,1,0,1)" * depth + data[match.end() :]


def _insert_run(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Insert a long run of one character, on which a pattern may backtrack."""
    found = list(_WORD.finditer(data[:200_000]))
    run = random.choice((b"9", b" ", b"\t", b".", b"-", b"[", b"(", b",", b"#", b'"', b"_", b"a.", b"1 ", b"\\"))
    run = run * random.choice((30, 3000, 190_000)) + random.choice((b"", b"x", b"\x01", b"!"))
    if not found or random.random() < 0.3:
        k = _place(data, random)
        return data[:k] + run + data[k:]
    word = random.choice(found)
    return data[: word.start()] + run + data[word.end() :]


def _recode(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    text = data.decode("utf-8", errors="replace")
    kind = random.choice(("utf-16", "utf-16-be", "utf-32", "utf-8-sig", "cp037", "utf-7"))
    return text.encode(kind, errors="replace")


def _insert_costly(data: bytes, random: Random, others: Sequence[bytes], suffix: str) -> bytes:
    """Insert a small text that demands a lot, at the start, at the end, or after a line."""
    count = random.choice((10, 300, 3000, 50_000))
    texts = COSTLY.get(suffix, COSTLY[""])
    text = random.choice(texts)
    if "{each}" in text:
        text = text.replace("{each}", ", ".join(f"a{k}" + suffix for k in range(count)))
    text = text.replace("{count}", str(count)) if "{count}" in text else text * min(count, MAX_BYTES // len(text))
    lines = data.split(b"\n")
    lines.insert(random.choice((0, len(lines), random.randrange(len(lines)))), text.encode())
    return b"\n".join(lines)


#: suffix -> texts to repeat, or texts that name a count themselves.
COSTLY: Final = {
    "": ("x ", "1 ", "a = 1\n", "[[a]]\n", '{"a": ', "# ", "\n"),
    ".ctl": (
        "SCRIPTS {each};", "SCRIPTS walk.ctl;\n", "SET a = 1\n", "# x", "PHASE 0\nENDPHASE\n", "> walk.ctl(void);\n",
    ),
    ".env": (
        "ENTITIES { S = Stairs(0, .3, .1, {count}); }", "DEFINE A { Box(3, .4, 0, 0, 0); }\n",
        "DEFINE A { Stairs(0, .3, .1, {count}); } ENTITIES { B = A(0,0,0); C = A(1,0,0); }",
    ),
    ".xml": (
        '<replicate count="{count}"><body><geom size=".1"/></body></replicate>', '<include file="walker.xml"/>',
        '<asset><hfield name="big" nrow="{count}" ncol="{count}" size="1 1 1 1"/></asset>', "<body>",
        '<worldbody><replicate count="{count}"><replicate count="{count}"><geom size=".1"/></replicate></replicate>'
        "</worldbody>",
        '<asset><texture name="t" type="2d" builtin="flat" width="{count}" height="{count}"/></asset>',
        '<size memory="{count}G" nuserdata="{count}000"/>',
        '<worldbody><flexcomp name="f" type="grid" count="{count} 9 9"/></worldbody>',
        '<worldbody><composite type="cable" count="{count} 1 1" size="1"><geom size=".1"/></composite></worldbody>',
    ),
    ".script": ("< human-walk.script\n", "balance 1 1 1 1 0:0 1 1 1 0:1\n", "set pcstates {count}"),
    ".bvh": ("JOINT a { OFFSET 0 0 0 ", "Frames: {count}", "OFFSET 0 0 0 "),
    ".toml": ("a.", "[a]\n", "[[segments]]\n", "x = [[[[[[[[", 'a{count} = {count}', "a = {a = "),
}  # fmt: skip
COSTLY_SUFFIXES: Final = {".t": ".ctl", ".s": ".ctl", ".urdf": ".xml"}

TEXT_CHANGES: Final[tuple[Change, ...]] = (
    _shuffle_lines, _drop_lines, _double_lines, _repeat_lines, _join_lines, _swap_words, _replace_word,
    _replace_numbers, _replace_numbers, _replace_numbers, _double_key, _long_key, _nest, _nest_text,
    _insert_run, _recode,
)  # fmt: skip


def _change_array(array: np.ndarray, random: Random) -> np.ndarray:
    """An array with another shape, another type, or other values."""
    kind = random.randrange(9)
    if kind == 0:
        return array.ravel()
    if kind == 1:
        return array[..., None]
    if kind == 2:
        return array[: len(array) // 2] if array.ndim else array.reshape(1)
    if kind == 3:
        return np.concatenate([array] * random.choice((2, 100))) if array.ndim and array.nbytes < 10_000 else array[()]
    if kind == 4:
        return np.zeros(random.choice(((), (0,), (0, 3), (1,), (2, 2, 2))), dtype=array.dtype)
    if kind == 5:
        wanted = random.choice(("f4", "f8", "i1", "i8", "u8", "U9", "S3", "c16", "?", "M8[s]", "f2"))
        try:
            return array.astype(wanted)
        except (TypeError, ValueError):
            return np.zeros(array.shape, dtype=wanted)
    if kind == 6 and array.dtype.kind in "US":
        return np.array(_change_text(str(array[()] if array.ndim == 0 else ""), random))
    changed = array.copy()
    if changed.size and changed.dtype.kind in "fiu":
        values = (np.nan, np.inf, -1.0, 0.0, 1e308, -1e308, 1e9, 2.0**63, 1e-300, 7.0)
        with np.errstate(all="ignore"):
            value = np.array(random.choice(values)).astype(changed.dtype)
        if kind == 7:
            changed[...] = value
        else:
            changed.reshape(-1)[random.randrange(changed.size)] = value
    return changed


def _change_text(text: str, random: Random) -> str:
    changed = random.choice(TEXT_CHANGES)(text.encode(errors="replace") or b"{}", random, ())
    return changed[:MAX_BYTES].decode("utf-8", errors="replace").replace("\0", "")


def _change_archive(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """An archive with damaged entries, packed again with correct checksums."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = {info.filename: archive.read(info) for info in archive.infolist()}
    except Exception:
        return _flip_bits(data, random, others)
    if not entries:
        return _flip_bits(data, random, others)
    name = random.choice(sorted(entries))
    kind = random.randrange(8)
    if kind == 0:
        del entries[name]
    elif kind == 1:
        entries[random.choice((name + "x", "../" + name, "a.npy", name.replace(".npy", "")))] = entries[name]
    elif kind == 2:
        other = random.choice(sorted(entries))
        entries[name], entries[other] = entries[other], entries[name]
    elif kind == 3:
        entries[name] = random.choice(BYTE_CHANGES)(entries[name] or b"?", random, ())
    elif kind == 4:
        # A header whose shape does not match the data.
        wrong = random.choice((b"(999999999, 99)", b"(-1,)", b"(2,2,2,2)", b"()", b"(" * 3000, b"(1e9,)"))
        entries[name] = re.sub(rb"\([\d, ]*\)", lambda _: wrong, entries[name], count=1)
    else:
        entries[name] = _pack_array(entries[name], random)
    if random.random() < 0.75:
        # As in an older file: without a digest, the reader must find the damage in the contents.
        entries.pop("digest.npy", None)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for key, entry in entries.items():
            archive.writestr(key, entry)
    return packed.getvalue()


def _pack_array(data: bytes, random: Random) -> bytes:
    buffer = io.BytesIO()
    try:
        array = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    except Exception:
        # Already damaged.
        return data
    np.lib.format.write_array(buffer, np.asarray(_change_array(array, random)), allow_pickle=False)
    return buffer.getvalue()


def _plain_array(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """A single array, which numpy also loads."""
    buffer = io.BytesIO()
    np.save(buffer, np.arange(12.0).reshape(3, 4))
    return buffer.getvalue()


ARCHIVE_CHANGES: Final[tuple[Change, ...]] = (*[_change_archive] * 12, _plain_array)
PICTURES: Final = (".png", ".jpg", ".tif", ".bmp", ".ppm")


def mutate(name: str, data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """A damaged copy of a file; `others` are files of the same kind, for splices."""
    suffix = Path(name).suffix
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if suffix == ".npz":
            changes = BYTE_CHANGES if random.random() < 0.4 else ARCHIVE_CHANGES
        elif suffix in PICTURES:
            changes = BYTE_CHANGES
        elif random.random() < 0.08:
            data = _insert_costly(data, random, others, COSTLY_SUFFIXES.get(suffix, suffix))[:MAX_BYTES]
            continue
        else:
            changes = BYTE_CHANGES if random.random() < 0.3 else TEXT_CHANGES
        data = random.choice(changes)(data or b"?", random, others)[:MAX_BYTES]
    return data
