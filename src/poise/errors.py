"""The errors that Poise raises on purpose, and the format of their messages.

A message reads `where: what is wrong, got <value>. What is allowed. Did you mean ...?` Every error is a `PoiseError`
and also a subclass of the matching builtin, which keeps `except ValueError` meaningful. All of them survive pickling,
because rollouts in other processes raise them too.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable
from os import PathLike
from typing import Any, Final

NAMES_SHOWN: Final = 20
"""Most known names listed in a message; more than a line or two would not help."""

VALUE_SHOWN: Final = 80
"""Most characters of a wrong value, or of a source line, quoted in a message."""


class _NotGiven:
    """Default of `got`, because None itself can be a wrong value."""


_NOT_GIVEN: Final = _NotGiven()


class PoiseError(Exception):
    """Root of every error that Poise raises on purpose."""

    def __init__(self, message: str) -> None:
        super().__init__(message)

    def __str__(self) -> str:
        # KeyError would quote the text, OSError would add a number.
        return str(self.args[0]) if self.args else ""

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args, dict(self.__dict__))


class InputError(PoiseError, ValueError):
    """Bad input: a wrong value, a wrong option, an invalid file.

    `InputError(message)` uses the message as it is; the keywords compose one in the house style.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str | PathLike[str] = "",
        got: object = _NOT_GIVEN,
        allowed: str = "",
        did_you_mean: str | None = None,
    ) -> None:
        super().__init__(_compose(str(where), what, got, allowed, did_you_mean))


class FileFormatError(InputError):
    """A file that cannot be read or understood; lines and columns count from 1.

    `reason` is the message without the place. With `line` and `source_line` the message ends with that line, and with
    `column` also with a caret under it.
    """

    def __init__(
        self,
        what: str,
        *,
        path: str | PathLike[str],
        line: int | None = None,
        column: int | None = None,
        source_line: str | None = None,
        got: object = _NOT_GIVEN,
        allowed: str = "",
        did_you_mean: str | None = None,
    ) -> None:
        self.path = str(path)
        self.line = line
        self.column = column
        self.source_line = source_line
        self.reason = _compose("", what, got, allowed, did_you_mean)
        text = f"{self.where}: {self.reason}"
        if line is not None and source_line is not None:
            text += "\n" + _draw_source(source_line, column)
        super().__init__(text)

    @property
    def where(self) -> str:
        """`path`, `path:line` or `path:line:column`."""
        place = [self.path]
        if self.line is not None:
            place.append(str(self.line))
            if self.column is not None:
                place.append(str(self.column))
        return ":".join(place)


class NotFoundError(InputError, KeyError):
    """An unknown name. `unknown_name` composes one."""


class DivergedError(PoiseError, ArithmeticError):
    """A state that stopped being finite.

    `snapshot_path` is the file with the last good snapshot, or None while none is saved; it may be set later, and the
    message follows. `snapshot` is that snapshot and `recording` the recording up to it, if the code that raised or
    forwarded the error had them.
    """

    snapshot: Any = None
    recording: Any = None

    def __init__(self, what: str, *, where: str = "", snapshot_path: str | PathLike[str] | None = None) -> None:
        super().__init__(_compose(where, what))
        self.snapshot_path = snapshot_path

    def __str__(self) -> str:
        text = super().__str__()
        if self.snapshot_path is None:
            return text
        return f"{text} The last good snapshot is in {str(self.snapshot_path)!r}."


class ExportError(PoiseError, OSError):
    """A file that could not be written: full disk, missing permission, a folder of the same name.

    `path` is the requested file; `errno` is the system's number, or None.
    """

    def __init__(self, what: str, *, path: str | PathLike[str], errno: int | None = None, allowed: str = "") -> None:
        super().__init__(_compose(str(path), what, allowed=allowed))
        self.path = str(path)
        self.errno = errno

    def __reduce__(self) -> tuple[Any, ...]:
        # OSError keeps its number outside the instance's dictionary.
        return _rebuild, (type(self), self.args, {**self.__dict__, "errno": self.errno})


def unknown_name(where: str | PathLike[str], kind: str, got: str, known: Iterable[str]) -> NotFoundError:
    """The error for a name that is not among the known ones; suggests the nearest."""
    return NotFoundError(describe_unknown_name(kind, got, known), where=where)


def describe_unknown_name(kind: str, got: str, known: Iterable[str]) -> str:
    """The message of `unknown_name` without the place, for errors that carry their own.

    `no joint named 'lKne'. Known here: lHip, lKnee, lAnkle. Did you mean 'lKnee'?`
    """
    names = list(known)
    text = f"no {kind} named {_show(got)}."
    if not names:
        return f"{text} None is known here."
    listed = ", ".join(names[:NAMES_SHOWN])
    if len(names) > NAMES_SHOWN:
        listed += f" and {len(names) - NAMES_SHOWN} more"
    text += f" Known here: {listed}."
    nearest = find_nearest_name(got, names)
    return text if nearest is None else f"{text} Did you mean {nearest!r}?"


def find_nearest_name(got: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant, or None; ignores case."""
    by_folded = {name.casefold(): name for name in reversed(list(known))}
    nearest = difflib.get_close_matches(got.casefold()[:VALUE_SHOWN], by_folded, n=1)
    return by_folded[nearest[0]] if nearest else None


def out_of_range(
    where: str | PathLike[str],
    name: str,
    got: object,
    low: float | None,
    high: float | None,
    unit: str = "",
) -> InputError:
    """The error for a number outside low..high, bounds included; None or an infinity leaves a side open."""
    suffix = f" {unit}" if unit else ""
    has_low = low is not None and math.isfinite(low)
    has_high = high is not None and math.isfinite(high)
    if has_low and has_high:
        allowed = f"Allowed: {low:g} to {high:g}{suffix}"
    elif has_low:
        allowed = f"Allowed: at least {low:g}{suffix}"
    elif has_high:
        allowed = f"Allowed: at most {high:g}{suffix}"
    else:
        allowed = "Allowed: any finite number" + (f" of {unit}" if unit else "")
    return InputError(f"{name} is out of range, got {_show(got)}{suffix}", where=where, allowed=allowed)


def _compose(
    where: str, what: str, got: object = _NOT_GIVEN, allowed: str = "", did_you_mean: str | None = None
) -> str:
    problem = what if isinstance(got, _NotGiven) else f"{what}, got {_show(got)}"
    parts = [_end_sentence(f"{where}: {problem}" if where else problem)]
    if allowed:
        parts.append(_end_sentence(allowed))
    if did_you_mean is not None:
        parts.append(f"Did you mean {did_you_mean!r}?")
    return " ".join(parts)


def _end_sentence(text: str) -> str:
    # A multi-line text ends with a source line, which needs no full stop.
    return text if not text or text[-1] in ".?!…" or "\n" in text else f"{text}."


def _show(value: object) -> str:
    """A readable form of a value: short, and without numpy's type names."""
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "ndim", None) == 0:
        value = item()
    text = repr(value)
    return text if len(text) <= VALUE_SHOWN else f"{text[: VALUE_SHOWN - 1]}…"


def _draw_source(source_line: str, column: int | None) -> str:
    """The source line, cut to a readable width, with a caret under the column."""
    position = None if column is None else max(0, min(column - 1, len(source_line)))
    start = 0 if position is None else max(0, position - VALUE_SHOWN * 3 // 4)
    # Cut first, because a line may be megabytes long. Control characters would disturb the terminal, and a tab would
    # move the caret.
    cut = source_line[start : start + VALUE_SHOWN]
    clean = "".join(c if c.isprintable() else " " if c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in cut)
    shown = clean.rstrip()
    lead = "…" if start else ""
    tail = "…" if source_line[start + VALUE_SHOWN :].strip() else ""
    drawn = f"    {lead}{shown}{tail}"
    if position is None:
        return drawn
    return f"{drawn}\n    {' ' * (len(lead) + position - start)}^"


def _rebuild(kind: type[PoiseError], args: tuple[Any, ...], state: dict[str, Any]) -> PoiseError:
    """Restore a pickled error without composing its message again."""
    error = kind.__new__(kind)
    error.args = args
    for name, value in state.items():
        setattr(error, name, value)
    return error
