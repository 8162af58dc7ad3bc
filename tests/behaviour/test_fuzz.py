"""Every reader reads or refuses a damaged file: it never crashes, hangs or fills the memory.

`make fuzz` reads ten thousand mutants; this is a tenth of that, with a seed of its own.
"""

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory and time are read from /proc"),
]


def load_tool(name: str):
    sys.path.insert(0, str(ROOT))
    try:
        return importlib.import_module(f"tools.{name}")
    finally:
        sys.path.remove(str(ROOT))


def test_every_sound_file_is_read(tmp_path: Path) -> None:
    """Else the mutants would be refused for what was wrong before."""
    load_tool("fuzz_seeds").make_seeds(tmp_path)
    readers = load_tool("fuzz_readers").READERS
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {reader.name for reader in readers}
    for reader in readers:
        for case in sorted((tmp_path / reader.name).iterdir()):
            main = case / "MAIN"
            name = main.read_text()
            main.unlink()
            reader.read(case / name)


def test_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    report = load_tool("fuzz").fuzz(1000, seed=20, jobs=1, out=tmp_path)
    assert not report.faults, report.format() + "".join(f"\n{fault}" for fault in report.faults)
    outcomes = sum(report.outcomes.values(), start=type(next(iter(report.outcomes.values())))())
    assert outcomes["read"] > 100 and outcomes["refused"] > 500
    assert sum(outcomes.values()) == 1000
