"""What the exact bits of a run depend on: versions of Poise, Python and packages, the C library and the processor.

Builders and laws give the same bits with every release of NumPy and Python (`poise.kernels.fixed`). numba's compiler,
MuJoCo and the C library may still differ in the last bit, so every recording stores their versions.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Final

from llvmlite import binding

#: Packages that may affect the bits of a result.
PACKAGES: Final = ("llvmlite", "mujoco", "numba", "numpy", "scipy")


@cache
def describe_install() -> Mapping[str, str]:
    """Name -> version of everything that may affect the last bit on this machine."""
    packages = {name: version(name) for name in PACKAGES}
    library = " ".join(part for part in platform.libc_ver() if part) or platform.system()
    processor = f"{platform.machine()} {binding.get_host_cpu_name()}"
    return {
        "poise": version("poise"),
        "Python": platform.python_version(),
        **packages,
        "C library": library,
        "processor": processor,
    }


def list_differences(a: Mapping[str, str], b: Mapping[str, str]) -> list[str]:
    """Differences between two installs, each as `numpy 2.2.6 and 2.4.6`."""
    names = dict.fromkeys([*a, *b])
    return [f"{n} {a.get(n, 'unknown')} and {b.get(n, 'unknown')}" for n in names if a.get(n) != b.get(n)]


def read_versions(meta: Mapping[str, object]) -> dict[str, str]:
    """The versions in a recording's meta; empty for old recordings without them."""
    versions = meta.get("versions")
    return {str(k): str(v) for k, v in versions.items()} if isinstance(versions, Mapping) else {}


def describe_versions_of(meta: Mapping[str, object]) -> str:
    """The versions in a recording's meta, in one line."""
    versions = read_versions(meta)
    return ", ".join(f"{name} {value}" for name, value in versions.items()) or "versions unknown"
