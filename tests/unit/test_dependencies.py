"""Every package that Poise imports is declared, in the extra whose rooms need it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "poise"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]


#: Slow to find, and asked for twice.
DISTRIBUTIONS = packages_distributions()


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _names(requirements: list[str]) -> set[str]:
    return {_normal(re.match(r"[A-Za-z0-9._-]+", r).group()) for r in requirements}


def _imports(source: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"poise"}


def _undeclared(imported: set[str], declared: set[str]) -> set[str]:
    return {name for name in imported if not {_normal(d) for d in DISTRIBUTIONS.get(name, [name])} & declared}


def test_every_import_of_the_package_is_declared() -> None:
    declared = _names(PROJECT["dependencies"])
    for extra, requirements in PROJECT["optional-dependencies"].items():
        declared |= _names(requirements) if extra != "dev" else set()
    imported = {name for file in PACKAGE.rglob("*.py") for name in _imports(file.read_text(encoding="utf-8"))}
    assert {"numpy", "fastapi", "psutil", "llvmlite"} <= imported
    assert _undeclared(imported, declared) == set()


def test_rooms_below_the_screen_import_only_what_is_always_installed() -> None:
    always = _names(PROJECT["dependencies"])
    rooms = (
        "kernels",
        "characters",
        "motion",
        "world",
        "recordings",
        "measures",
        "rollout",
        "language",
        "controllers",
        "optim",
        "trials",
        "benchmarks",
    )
    imported = {
        name for room in rooms for f in (PACKAGE / room).rglob("*.py") for name in _imports(f.read_text("utf-8"))
    }
    # Asked for by name only, with a sentence that says what to install.
    assert _undeclared(imported, always) <= {"av", "gymnasium", "cryptography", "dask", "distributed"}


def test_an_undeclared_import_is_found() -> None:
    assert _undeclared(_imports("import numpy as np\nfrom hypothesis import given"), {"numpy"}) == {"hypothesis"}


def test_every_dependency_has_a_lower_bound_and_a_cap() -> None:
    listed = [*PROJECT["dependencies"]]
    for extra, requirements in PROJECT["optional-dependencies"].items():
        listed += requirements if extra != "dev" else []
    assert [r for r in listed if ">=" not in r or "<" not in r] == []


def test_only_compiled_functions_are_free_of_strict_typing() -> None:
    (free,) = (o["module"] for o in SETTINGS["tool"]["mypy"]["overrides"] if o.get("disallow_untyped_defs") is False)
    for module in free:
        source = (ROOT / "src" / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
        assert re.search(r"^ *@(kernel|law|inlined|intrinsic)\b", source, re.MULTILINE), module
