"""The tools that install: what they ask pip for."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"poise_tool_{name}", TOOLS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_oldest_packages_are_the_first_series_that_is_allowed() -> None:
    matrix = _load("test_matrix")
    assert matrix.list_oldest(["numpy>=2.2,<3", "dask[distributed]>=2026.1"]) == ["numpy==2.2.*", "dask==2026.1.*"]
    requirements = matrix.read_requirements()
    assert len(matrix.list_oldest(requirements)) == len(requirements)


def test_a_python_that_is_not_there_is_skipped_with_a_word() -> None:
    matrix = _load("test_matrix")
    assert matrix.try_one("2.9", "oldest", []) == matrix.Outcome("2.9", "oldest", "skipped", "no such Python here")


def test_constraints_hold_versions_and_hashes_and_no_address() -> None:
    constraints = _load("constraints")
    item = {
        "metadata": {"name": "Tomli_W", "version": "1.2.0"},
        "download_info": {"url": "https://index.example/x.whl", "archive_info": {"hashes": {"sha256": "ab12"}}},
    }
    own = {"metadata": {"name": "poise", "version": "0.1.0"}, "download_info": {"url": "file:///x", "dir_info": {}}}
    assert constraints.format_lines([own, item]) == ["tomli-w==1.2.0 --hash=sha256:ab12"]
    del item["download_info"]["archive_info"]
    with pytest.raises(SystemExit, match=r"constraints: pip reports no SHA-256 for Tomli_W 1\.2\.0\."):
        constraints.format_lines([item])
