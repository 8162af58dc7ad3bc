"""One process that reads mutants: it draws each from its number, calls the reader as the commands do, and reports.

Started by `tools/fuzz.py` with the folder of seeds, a folder to work in and the seed; numbers of mutants come by
standard input, a line of JSON about each goes to standard output. More memory than allowed is a MemoryError here, a
crash ends the process: both are for the one that started it to judge.
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
"""What a reader may take beyond what the process has already."""


class Draws:
    """Mutants by their number."""

    def __init__(self, seeds: Path, seed: int, only: str = "") -> None:
        self.seed = seed
        self.readers = [r for r in READERS if not only or r.name == only]
        self.cases = {r.name: sorted(p for p in (seeds / r.name).iterdir() if p.is_dir()) for r in self.readers}

    def write(self, number: int, folder: Path) -> tuple[Reader, Path]:
        """Puts a mutant with the files it needs into a folder; gives its reader and the file to read."""
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
    """Allows so much more than there is now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY_BYTES, hard))


def read(reader: Reader, path: Path) -> dict[str, Any]:
    """What comes of one file."""
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
    # Of a recursion, the ends are enough.
    text = "".join(lines)
    return text if len(text) < 6000 else f"{text[:2500]}\n…\n{text[-3000:]}"


def main() -> None:
    seeds, work, seed, only = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    faulthandler.enable()
    warnings.simplefilter("ignore")
    # What libraries print must not mix with the reports.
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
