"""Where in a controller's file an error lies: its readers know names, this module finds their lines."""

from __future__ import annotations

import re
from pathlib import Path

from poise.errors import FileFormatError, InputError
from poise.files import load_text

_BLOCK = re.compile(r"^\s*\[\[(?:states|phases)\]\]", re.MULTILINE)


def at_its_place(error: InputError, path: Path) -> FileFormatError:
    """The same error with the file and, where a key of the file is named in it, the line."""
    text = str(error)
    if isinstance(error, FileFormatError):
        return error
    lines = load_text(path).splitlines()
    first, last = _find_block(lines, text)
    line = _find_key(lines, text, first, last)
    source = lines[line - 1] if line else None
    what = text.removeprefix(f"{path}: ").rstrip(".")
    return FileFormatError(what, path=path, line=line, column=1 if line else None, source_line=source)


def _find_block(lines: list[str], text: str) -> tuple[int, int]:
    """First and last line of the state or phase that the text is about, by name or number; or of the whole file."""
    starts = [k for k, line in enumerate(lines) if _BLOCK.match(line)]
    ends = [*starts[1:], len(lines)][: len(starts)]
    by_number = re.search(r"(?:states|phases)\[(\d+)\]", text)
    if by_number and int(by_number[1]) < len(starts):
        k = int(by_number[1])
        return starts[k], ends[k]
    by_name = re.search(r"state (\S+?):", text)
    for start, end in zip(starts, ends, strict=True):
        if by_name and any(re.match(rf'\s*name\s*=\s*"{re.escape(by_name[1])}"', line) for line in lines[start:end]):
            return start, end
    return 0, len(lines)


def _find_key(lines: list[str], text: str, first: int, last: int) -> int | None:
    """Number of the line on which the first key stands that the text names, or whose value it quotes."""
    words = re.findall(r"'([^']+)'|([A-Za-z_]\w*)", text)
    for quoted, plain in words:
        for k in range(first, last):
            if re.match(rf"\s*{re.escape(quoted or plain)}\s*=", lines[k]):
                return k + 1
            if quoted and re.search(rf'=\s*"{re.escape(quoted)}"', lines[k]):
                return k + 1
    return first + 1 if first else None
