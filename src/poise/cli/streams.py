"""stdout and stderr that survive the loss of their reader: a command finishes even if its output fails.

Output that cannot be printed is dropped and the failure recorded. Files are written regardless, and the exit code
reports the loss at the end. A stream that was closed from the start acts like /dev/null.
"""

from __future__ import annotations

import io
import os
import select
import sys
from contextlib import suppress
from typing import Any, TextIO

from poise.cli.failures import BAD_INPUT, BROKEN_PIPE, say
from poise.errors import ExportError


class _Sink(io.RawIOBase):
    """The file under a standard stream; writing to it never fails."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.failure: OSError | None = None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self._raw.fileno())

    def isatty(self) -> bool:
        return bool(self._raw.isatty())

    def write(self, data: Any) -> int:
        """Write some of the data, or drop all of it once a write has failed."""
        while self.failure is None:
            try:
                written = self._raw.write(data)
                if written is not None:
                    return int(written)
                # Another process that shares the pipe or terminal has made it non-blocking.
                select.select([], [self._raw], [])
            except OSError as error:
                self.failure = error
            except ValueError:
                self.failure = OSError("the stream is closed")
        return memoryview(data).nbytes


class _Stream(io.TextIOWrapper):
    """A standard stream as text; characters that its encoding lacks become question marks."""

    def __init__(self, sink: _Sink, like: TextIO | None) -> None:
        super().__init__(
            io.BufferedWriter(sink),
            encoding=like.encoding if like is not None else "utf-8",
            errors="replace",
            line_buffering=bool(getattr(like, "line_buffering", False)),
            write_through=bool(getattr(like, "write_through", False)),
        )
        self.sink = sink
        self.absent = like is None


def guard_streams() -> None:
    """Replace stdout and stderr of this process by streams that cannot fail."""
    _fill_descriptors()
    sys.stdout = _guard(sys.stdout, 1)
    sys.stderr = _guard(sys.stderr, 2)


def settle(code: int) -> int:
    """Exit code of a command that ended with `code`; reports lost output first."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    failure = sys.stdout.sink.failure if isinstance(sys.stdout, _Stream) else None
    if failure is None:
        return code
    if isinstance(failure, BrokenPipeError):
        return code or BROKEN_PIPE
    reason = failure.strerror or str(failure)
    say(f"error: {ExportError(f'could not be written, {reason[:1].lower()}{reason[1:]}', path='stdout')}")
    return code or BAD_INPUT


def check_stdout() -> None:
    """Raise if stdout was closed from the start, before the output for it is computed."""
    if isinstance(sys.stdout, _Stream) and sys.stdout.absent:
        raise ExportError("could not be written, it is closed", path="stdout", allowed="Give the name of a file")


def _fill_descriptors() -> None:
    """Open /dev/null for closed standard streams: the next opened file would otherwise take their number."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            # The system assigns the lowest free number, which is this one: all lower ones are in use by now.
            os.open(os.devnull, os.O_RDWR)


def _guard(stream: TextIO | None, number: int) -> TextIO:
    if stream is None:
        return _Stream(_Sink(open(number, "wb", buffering=0, closefd=False)), None)
    with suppress(OSError, ValueError):
        stream.flush()
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    # A stream of a test or a notebook has no file descriptor.
    return _Stream(_Sink(raw), stream) if isinstance(raw, io.RawIOBase) else stream
