"""Compiles a law and translates numba's errors into ours."""

from __future__ import annotations

import linecache
import re
from typing import Any

from numba.core.errors import NumbaError

from poise.errors import FileFormatError, InputError, describe_unknown_name
from poise.kernels.ground import GroundTable
from poise.kernels.percept import LAW_SIGNATURE, Percept, PropTable

_ARGUMENTS = "percept, params, memory, torque, damping"
#: Parts of numba's errors for code that allocates memory without an allocator.
_NO_MEMORY = ("Only accept returning of array passed into the function", "NRT required")
#: The tuples that a law reads, innermost first, and their fields.
_READ = {
    "GroundTable": ("field of percept.ground", GroundTable._fields),
    "PropTable": ("field of percept.props", PropTable._fields),
    "Percept": ("field of the percept", Percept._fields),
}
_TYPES = [(name, re.compile(name + r"\((?:[^()]|\([^()]*\))*\)")) for name in _READ]
_ATTRIBUTE = re.compile(r"Unknown attribute '(\w+)' of type (GroundTable|PropTable|Percept)\b")


def compile_law(law: Any) -> Any:
    """The law itself, compiled with the signature that all laws share."""
    name = getattr(law, "__name__", "law")
    if not hasattr(law, "compile"):
        raise InputError(f"law {name}: it is a plain Python function. Put @law above it.")
    try:
        law.compile(LAW_SIGNATURE.args)
    except NumbaError as error:
        raise _explain(error, name) from error
    except TypeError as error:
        if "Signature mismatch" not in str(error):
            raise
        raise InputError(f"law {name}: it must take five arguments: {_ARGUMENTS}.") from error
    if law.overloads[LAW_SIGNATURE.args].signature.return_type != LAW_SIGNATURE.return_type:
        raise InputError(
            f"law {name}: it returns something. It must write into torque and damping, and return nothing."
        )
    return law


def _explain(error: NumbaError, name: str) -> InputError:
    text = f"law {name} cannot be compiled: {_reason(str(error))}"
    loc = getattr(error, "loc", None)
    if loc is None:
        return InputError(text)
    source = linecache.getline(loc.filename, loc.line).rstrip("\n")
    return FileFormatError(text, path=loc.filename, line=loc.line, source_line=source or None)


def _reason(text: str) -> str:
    """The helpful sentence of a numba error."""
    if any(sign in text for sign in _NO_MEMORY):
        return "it allocates an array. A law keeps its state in its memory"
    short = text
    for name, written_out in _TYPES:
        short = written_out.sub(name, short)
    field = _ATTRIBUTE.search(short)
    if field:
        what, known = _READ[field[2]]
        return describe_unknown_name(what, field[1], known)
    lines = [line.strip() for line in short.splitlines() if line.strip() and not line.startswith("Failed in")]
    if lines and lines[0].endswith("found for signature:"):
        return " ".join(lines[:2])
    return lines[0] if lines else short
