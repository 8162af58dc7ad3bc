"""Poise's compilation: numba decorators, and a disk cache that detects every edit.

numba's own disk cache checks only the file of the function itself. A kernel that calls a kernel in another file would
silently go stale. The name of the cache folder is therefore a hash of all sources that may be compiled, the versions of
numba and MuJoCo, and the processor. With NUMBA_DISABLE_JIT=1 everything runs as plain Python.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

import numba
from llvmlite import binding

from poise.kernels.cache_folder import choose_cache_folder

JIT_ENABLED: bool = not numba.config.DISABLE_JIT

#: Packages with compiled functions, and modules whose constants those freeze.
COMPILED_ROOMS = ("kernels", "world", "controllers")
FROZEN_MODULES = ("kernels/jit.py", "kernels/records.py", "constants.py", "characters/model.py")

_COMPILED = re.compile(rb"^ *@(kernel|law|inlined)$", re.MULTILINE)

F = TypeVar("F", bound=Callable[..., Any])


def _decides(source: Path) -> bool:
    """Whether a file has compiled functions, or layouts and constants that those freeze."""
    return source.name in ("layout.py", "constants.py") or _COMPILED.search(source.read_bytes()) is not None


def compute_cache_key() -> str:
    """A short hash of everything that the compiled code depends on."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent.parent
    sources = [package / module for module in FROZEN_MODULES]
    for room in COMPILED_ROOMS:
        sources += [s for s in sorted((package / room).rglob("*.py")) if _decides(s)]
    for source in sources:
        digest.update(str(source.relative_to(package)).encode())
        digest.update(source.read_bytes())
    for distribution in ("numba", "llvmlite", "numpy", "mujoco"):
        try:
            digest.update(f"{distribution} {version(distribution)}".encode())
        except PackageNotFoundError:
            digest.update(f"{distribution} absent".encode())
    digest.update(f"{platform.machine()} {binding.get_host_cpu_name()} {platform.python_version()}".encode())
    return digest.hexdigest()[:16]


# numba reads this setting when a function is decorated, so it must be set before the first kernel is defined.
_folder = choose_cache_folder(compute_cache_key()) if JIT_ENABLED else None
numba.config.CACHE_DIR = str(_folder or "")


def cache_folder() -> Path:
    """The cache folder of this build's compiled code; `os.devnull` if there is no safe folder."""
    return _folder or Path(os.devnull)


def _compile(function: F, **options: bool) -> F:
    # A division by zero gives infinity, which ends the run as a divergence; an exception would end it as a bug.
    options_all = {"nogil": True, "error_model": "numpy", **options}
    try:
        # Without our folder numba would use one beside the sources, and miss edits in other files.
        compiled: F = numba.njit(cache=_folder is not None, **options_all)(function)
    except RuntimeError:
        # A function typed at a prompt has no file, so numba cannot cache it.
        compiled = numba.njit(**options_all)(function)
    return compiled


def kernel(function: F) -> F:
    """Compiles a function on its first call, caches the result on disk, and releases the GIL while it runs."""
    return _compile(function)


def law(function: F) -> F:
    """Like `kernel`, for laws: without numba's reference counting, which would cost more than the arithmetic.

    Such a function may read, write and slice its array arguments, but cannot allocate arrays.
    """
    return _compile(function, _nrt=False, forceinline=True)


def combined(function: F) -> F:
    """Like `law`, for a law composed of others at run time, which has no file and is not cached."""
    made: F = numba.njit(nogil=True, error_model="numpy", _nrt=False)(function)
    return made


def inlined(function: F) -> F:
    """Like `law`, for functions called only by compiled code: inlined into their callers, not callable from Python.

    Passing a percept costs more than most of the work done with it, and a Python wrapper takes longer to compile than
    the function itself.
    """
    return _compile(function, _nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
