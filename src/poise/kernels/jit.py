"""How Poise compiles: one decorator, and a disk cache that notices every edit.

numba's own disk cache looks only at the file of the function itself. A kernel that calls a kernel of another file
would go stale unseen, so the cache folder carries a hash of all sources that may be compiled, of the versions of
numba and MuJoCo, and of the processor. With NUMBA_DISABLE_JIT=1 everything runs as plain Python.
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

#: Rooms in which compiled functions stand, and modules whose constants they freeze.
COMPILED_ROOMS = ("kernels", "world", "controllers")
FROZEN_MODULES = ("kernels/jit.py", "kernels/records.py", "constants.py", "characters/model.py")

_COMPILED = re.compile(rb"^ *@(kernel|law|inlined)$", re.MULTILINE)

F = TypeVar("F", bound=Callable[..., Any])


def _decides(source: Path) -> bool:
    """Whether a file holds compiled functions, or layouts and constants that those freeze."""
    return source.name in ("layout.py", "constants.py") or _COMPILED.search(source.read_bytes()) is not None


def compute_cache_key() -> str:
    """A short hash of everything that decides what the compiled code must be."""
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


# numba reads its setting when a function is decorated, so it must be set before the first kernel is.
_folder = choose_cache_folder(compute_cache_key()) if JIT_ENABLED else None
numba.config.CACHE_DIR = str(_folder or "")


def cache_folder() -> Path:
    """Where this build's compiled code is kept; nothing is ever there if there is no safe place for it."""
    return _folder or Path(os.devnull)


def _compile(function: F, **options: bool) -> F:
    # A division by zero gives infinity, which ends the run as a divergence; an exception would end it as a fault.
    options_all = {"nogil": True, "error_model": "numpy", **options}
    try:
        # Without a folder of ours numba would take one beside the sources, and miss edits in other files.
        compiled: F = numba.njit(cache=_folder is not None, **options_all)(function)
    except RuntimeError:
        # A function typed at a prompt has no file beside which numba could cache it.
        compiled = numba.njit(**options_all)(function)
    return compiled


def kernel(function: F) -> F:
    """Compiles a function on its first call, keeps the result on disk, and releases the GIL while it runs."""
    return _compile(function)


def law(function: F) -> F:
    """As `kernel`, for laws: without numba's counting of references, which would cost more than the arithmetic.

    Such a function may read, write and slice the arrays that it is given, but it cannot make new ones.
    """
    return _compile(function, _nrt=False, forceinline=True)


def combined(function: F) -> F:
    """As `law`, for one that is made of others while the program runs: there is no file beside which to keep it."""
    made: F = numba.njit(nogil=True, error_model="numpy", _nrt=False)(function)
    return made


def inlined(function: F) -> F:
    """As `law`, for pieces that only compiled code calls: melted into their callers, with no way in from Python.

    Handing over a percept costs more than most of what is done with it, and a way in takes longer to compile than the
    piece itself.
    """
    return _compile(function, _nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
