"""Checks that workers run the same version of Poise, without which results could differ in their last bits."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from poise import __version__
from poise.install import PACKAGES


@cache
def describe_versions() -> Mapping[str, str]:
    """Everything that must be the same on all machines; `sources` is a hash of the package's sources."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parents[2]
    for source in sorted(package.rglob("*.py")):
        digest.update(str(source.relative_to(package)).encode())
        digest.update(source.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    packages = {name: version(name) for name in PACKAGES}
    return {"poise": __version__, "Python": python, **packages, "sources": digest.hexdigest()}


def find_difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """The first difference, in words; an empty string if there is none."""
    for name, wanted in here.items():
        if there.get(name) != wanted:
            if name == "sources":
                return f"has different sources of poise {here['poise']} from this machine"
            return f"has {name} {there.get(name)}, this machine {wanted}"
    return ""
