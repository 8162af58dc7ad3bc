"""Failures of a command as one message on stderr and an exit code.

0    success; a character that fell is a result, not a failure
1    internal error of Poise, or a failed check
2    bad input, or output that could not be written
130  interrupted with Ctrl-C
141  the reader of our output went away
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any, Final

from poise.errors import InputError, PoiseError, unknown_name

FAULT: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

#: Import name of a package -> the extra that installs it.
EXTRAS: Final = {
    "nicegui": "studio",
    "av": "video",
    "gymnasium": "gym",
    "dask": "cluster",
    "distributed": "cluster",
    "cryptography": "cluster",
}


def report(error: BaseException) -> int:
    """Print an error and return its exit code; POISE_DEBUG=1 adds the traceback."""
    if os.environ.get("POISE_DEBUG", "0") not in ("", "0"):
        traceback.print_exception(error, file=sys.stderr)
    if isinstance(error, KeyboardInterrupt | EOFError):
        say("interrupted.")
        return INTERRUPTED
    if isinstance(error, PoiseError):
        say(f"error: {error}")
        return BAD_INPUT
    if hasattr(error, "format_message"):
        say(f"error: {describe_usage_error(error)}")
        return BAD_INPUT
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        say(f"error: this needs the package {error.name}. Install it with: pip install 'poise[{EXTRAS[error.name]}]'.")
        return BAD_INPUT
    if isinstance(error, FileNotFoundError) and not _has_folder():
        say("error: the working directory no longer exists. Change to another one.")
        return BAD_INPUT
    text = " ".join(str(error).split())
    say(
        f"error: internal error in Poise: {type(error).__name__}{': ' if text else ''}{text}. "
        "Set POISE_DEBUG=1 to see where."
    )
    return FAULT


def say(text: str) -> None:
    """Print a line on stderr, if it exists."""
    # With a missing stderr, print() would write to stdout.
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)


def describe_usage_error(error: Any) -> PoiseError:
    """A usage error of typer in the style of Poise's own errors."""
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "poise"
    option = getattr(error, "option_name", None)
    if option is not None and type(error).__name__ == "NoSuchOption" and context is not None:
        known = [name for p in context.command.get_params(context) for name in p.opts if name.startswith("--")]
        return unknown_name(where, "option", option, known)
    parameter = getattr(error, "param", None)
    if parameter is not None and type(error).__name__ == "MissingParameter":
        return InputError(f"{parameter.display_name_raw} is missing", where=where, allowed=f"Try '{where} --help'")
    message = error.format_message().strip()
    # Without a context, `where` is not the command that the user called.
    allowed = f"Try '{where} --help'" if context is not None else ""
    return InputError(message[:1].lower() + message[1:], where=where, allowed=allowed)


def _has_folder() -> bool:
    try:
        return os.path.isdir(os.getcwd())
    except OSError:
        return False
