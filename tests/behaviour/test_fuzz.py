"""Every reader reads or refuses a damaged file: it never crashes, hangs or fills the memory.

`make fuzz` reads ten thousand mutants; this is a tenth of that, with a seed of its own.
"""

import sys
from collections import Counter
from pathlib import Path

import pytest

from tools.fuzz import fuzz
from tools.fuzz_readers import READERS
from tools.fuzz_seeds import make_seeds

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory and time are read from /proc"),
]


def test_every_sound_file_is_read(tmp_path: Path) -> None:
    """Else the mutants would be refused for what was wrong before."""
    make_seeds(tmp_path)
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {reader.name for reader in READERS}
    for reader in READERS:
        for case in sorted((tmp_path / reader.name).iterdir()):
            main = case / "MAIN"
            name = main.read_text()
            main.unlink()
            reader.read(case / name)


def test_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    report = fuzz(1000, seed=20, jobs=1, out=tmp_path)
    assert not report.faults, report.format() + "".join(f"\n{fault}" for fault in report.faults)
    outcomes = sum(report.outcomes.values(), start=Counter[str]())
    assert outcomes["read"] > 100 and outcomes["refused"] > 500
    assert sum(outcomes.values()) == 1000
