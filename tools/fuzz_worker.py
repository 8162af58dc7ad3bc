"""A process that reads mutants: it draws each from its number, calls the reader as the commands do, and reports.

`tools/fuzz.py` starts it with the folder of seeds, a working folder and the seed. It reads the numbers of mutants from
standard input and writes a line of JSON about each to standard output. Excessive memory raises a MemoryError, a crash
ends the process; `tools/fuzz.py` judges both.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import shutil
import sys
import time
import traceback
import warnings
from pathlib import Path
from random import Random
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from poise.errors import PoiseError
from tools.fuzz_mutants import mutate
from tools.fuzz_readers import READERS, Reader

MEMORY_BYTES: Final = 2 * 10**9
"""Memory that a reader may use beyond that of the process."""


class Draws:
    """Mutants by their number."""

    def __init__(self, seeds: Path, seed: int, only: str = "") -> None:
        self.seed = seed
        self.readers = [r for r in READERS if not only or r.name == only]
        self.cases = {r.name: sorted(p for p in (seeds / r.name).iterdir() if p.is_dir()) for r in self.readers}

    def write(self, number: int, folder: Path) -> tuple[Reader, Path]:
        """Write a mutant and the files that it needs into a folder; return its reader and the file to read."""
        random = Random(f"{self.seed}/{number}")
        reader = self.readers[number % len(self.readers)]
        case = random.choice(self.cases[reader.name])
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(case, folder)
        main = (folder / "MAIN").read_text()
        (folder / "MAIN").unlink()
        names = sorted(p.name for p in folder.iterdir())
        name = random.choice([main, main, *names])
        others = [p.read_bytes() for c in self.cases[reader.name][:8] for p in c.glob(f"*{Path(name).suffix}")]
        (folder / name).write_bytes(mutate(name, (folder / name).read_bytes(), random, others))
        return reader, folder / main


def limit_memory() -> None:
    """Limit memory to the current use plus `MEMORY_BYTES`."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY_BYTES, hard))


def read(reader: Reader, path: Path) -> dict[str, Any]:
    """Read one file and return the outcome."""
    limit_memory()
    begin = time.process_time()
    try:
        reader.read(path)
        outcome, text = "read", ""
    except PoiseError as error:
        outcome, text = "refused", str(error)
    except BaseException as error:
        outcome, text = type(error).__name__, _describe(error)
    return {"outcome": outcome, "text": text[:6000], "seconds": round(time.process_time() - begin, 3)}


def _describe(error: BaseException) -> str:
    lines = traceback.format_exception(error)
    # For a recursion, both ends are enough.
    text = "".join(lines)
    return text if len(text) < 6000 else f"{text[:2500]}\n…\n{text[-3000:]}"


def main() -> None:
    seeds, work, seed, only = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    faulthandler.enable()
    warnings.simplefilter("ignore")
    # Output of libraries must not mix with the reports.
    reports = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    draws = Draws(seeds, seed, only)
    work.mkdir(parents=True, exist_ok=True)
    os.chdir(work)
    for line in sys.stdin:
        reader, path = draws.write(int(line), work / "mutant")
        print(json.dumps({"reader": reader.name, "file": path.name, "start": True}), file=reports, flush=True)
        print(json.dumps({"reader": reader.name, **read(reader, path)}), file=reports, flush=True)


if __name__ == "__main__":
    main()
