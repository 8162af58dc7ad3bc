"""Feed damaged files to every reader. Each must be read or refused with a PoiseError; anything else is a fault.

    python tools/fuzz.py --count 10000 --seed 1 --jobs 2
    python tools/fuzz.py --seed 1 --number 4711     # one mutant again, with its traceback

A fault is any other exception, a hang, excessive memory, or a crash. Its files are kept in the folder of --out, with
the command that reproduces it.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from tools.fuzz_seeds import make_seeds

HANG_S: Final = 10.0
"""Processor time allowed for a reader."""

PATIENCE_S: Final = 40.0
"""Wall-clock time after which a reader counts as hanging; generous, since the machine may be shared."""

FIRST_S: Final = 120.0
"""The same for the first mutant of a process, which imports and may compile."""


@dataclass(frozen=True)
class Fault:
    """A mutant that was neither read nor refused."""

    number: int
    reader: str
    outcome: str
    text: str


@dataclass
class Report:
    """Results of all mutants."""

    seed: int
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    slowest: tuple[float, str, int] = (0.0, "", -1)

    def take(self, number: int, found: dict[str, Any]) -> None:
        outcome = found["outcome"]
        if found["seconds"] > HANG_S:
            outcome = "slow"
        fine = outcome in ("read", "refused")
        self.outcomes.setdefault(found["reader"], Counter())[outcome if fine else "fault"] += 1
        self.slowest = max(self.slowest, (found["seconds"], found["reader"], number))
        if not fine:
            self.faults.append(Fault(number, found["reader"], outcome, found["text"]))

    def format(self) -> str:
        """The summary as a table."""
        rows = [f"{'reader':20}{'read':>8}{'refused':>9}{'faults':>8}"]
        for name, counts in sorted(self.outcomes.items()):
            rows.append(f"{name:20}{counts['read']:8}{counts['refused']:9}{counts['fault']:8}")
        total = sum(self.outcomes.values(), Counter())
        rows.append(f"{'all':20}{total['read']:8}{total['refused']:9}{total['fault']:8}")
        seconds, name, number = self.slowest
        rows.append(f"slowest: {seconds:.1f} s, {name}, number {number}; seed {self.seed}")
        return "\n".join(rows)


class Worker:
    """A process that reads mutants one after the other; it is restarted after a crash or a hang."""

    def __init__(self, seeds: Path, work: Path, seed: int, only: str) -> None:
        self.work, self._order = work, [str(seeds), str(work), str(seed), only]
        self.number, self._begin, self._patience, self._cpu = -1, 0.0, FIRST_S, 0.0
        self._name, self._rest = "?", b""
        self._start()

    def _start(self) -> None:
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
        self.work.mkdir(parents=True, exist_ok=True)
        self._errors = open(self.work / "stderr", "w+b")  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("fuzz_worker.py")), *self._order],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, env=environment,
        )  # fmt: skip
        self._patience, self._rest = FIRST_S, b""

    @property
    def pipe(self) -> Any:
        return self._process.stdout

    def send(self, number: int) -> None:
        self.number, self._begin, self._name = number, time.monotonic(), "?"
        self._cpu = self._measure()
        assert self._process.stdin is not None
        self._process.stdin.write(f"{number}\n".encode())
        self._process.stdin.flush()

    def receive(self) -> dict[str, Any] | None:
        """The report about the mutant once available; a crash also gives one."""
        data = os.read(self.pipe.fileno(), 1 << 20)
        if not data:
            return self._bury("crash")
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            found: dict[str, Any] = json.loads(line)
            self._name = found["reader"]
            if "outcome" in found:
                self._patience = PATIENCE_S
                return found
            self._begin, self._cpu = time.monotonic(), self._measure()
        return None

    def check(self) -> dict[str, Any] | None:
        """A report if the reader takes too long."""
        busy = self._name != "?" and self._patience == PATIENCE_S and self._measure() - self._cpu > HANG_S
        if busy or time.monotonic() - self._begin > self._patience:
            return self._bury("hang")
        return None

    def _measure(self) -> float:
        """Processor time of the process so far."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _bury(self, outcome: str) -> dict[str, Any]:
        self.close()
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace")[-4000:]
        if self._name == "?":
            raise RuntimeError(f"the worker ended before it read anything:\n{text}")
        seconds = time.monotonic() - self._begin
        found = {"reader": self._name, "outcome": outcome, "text": text, "seconds": round(seconds, 1)}
        self._start()
        return found

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


def fuzz(
    count: int, seed: int, jobs: int = 1, *, out: Path | None = None, only: str = "", show: bool = False
) -> Report:
    """Read `count` mutants; keep faults in `out`."""
    report = Report(seed)
    with tempfile.TemporaryDirectory(prefix="poise-fuzz-") as place:
        seeds = Path(place) / "seeds"
        make_seeds(seeds)
        workers = [Worker(seeds, Path(place) / f"work{k}", seed, only) for k in range(jobs)]
        try:
            for number, found, worker in _run(workers, count):
                report.take(number, found)
                if report.faults and report.faults[-1].number == number and out is not None:
                    _keep(report.faults[-1], seed, only, worker.work / "mutant", out)
                if show:
                    done = sum(sum(c.values()) for c in report.outcomes.values())
                    print(f"\r{done}/{count} mutants, {len(report.faults)} faults", end="", file=sys.stderr, flush=True)
        finally:
            for worker in workers:
                worker.close()
    if show:
        print(file=sys.stderr)
    return report


def _run(workers: list[Worker], count: int) -> Iterator[tuple[int, dict[str, Any], Worker]]:
    waiting = iter(range(count))
    busy: list[Worker] = []
    for worker in workers:
        number = next(waiting, None)
        if number is not None:
            worker.send(number)
            busy.append(worker)
    while busy:
        ready, _, _ = select.select([w.pipe for w in busy], [], [], 0.5)
        for worker in list(busy):
            found = worker.receive() if worker.pipe in ready else worker.check()
            if found is None:
                continue
            yield worker.number, found, worker
            number = next(waiting, None)
            if number is None:
                busy.remove(worker)
            else:
                worker.send(number)


def _keep(fault: Fault, seed: int, only: str, mutant: Path, out: Path) -> None:
    folder = out / f"seed{seed}-{fault.number}-{fault.reader}-{fault.outcome}"
    shutil.rmtree(folder, ignore_errors=True)
    if mutant.is_dir():
        shutil.copytree(mutant, folder)
    folder.mkdir(parents=True, exist_ok=True)
    again = f"python tools/fuzz.py --seed {seed} --number {fault.number}" + (f" --only {only}" if only else "")
    (folder / "FAULT").write_text(f"{again}\n\n{fault.text}", encoding="utf-8")


def _read_one(seed: int, number: int, only: str) -> int:
    """Read one mutant in this process, for a debugger."""
    from tools.fuzz_worker import Draws, read

    with tempfile.TemporaryDirectory(prefix="poise-fuzz-") as place:
        make_seeds(Path(place) / "seeds")
        reader, path = Draws(Path(place) / "seeds", seed, only).write(number, Path(place) / "mutant")
        os.chdir(place)
        found = read(reader, path)
    print(f"{reader.name}, {path.name}: {found['outcome']} in {found['seconds']} s\n{found['text']}")
    return 0 if found["outcome"] in ("read", "refused") else 1


def main() -> int:
    parser = argparse.ArgumentParser(description="Read damaged files of every kind")
    parser.add_argument("--count", type=int, default=10_000, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--only", default="", metavar="READER", help="one reader only")
    parser.add_argument("--number", type=int, help="read one mutant again, in this process")
    parser.add_argument("--out", type=Path, default=Path("out/fuzz"), help="folder for faults")
    given = parser.parse_args()
    if given.number is not None:
        return _read_one(given.seed, given.number, given.only)
    report = fuzz(given.count, given.seed, given.jobs, out=given.out, only=given.only, show=sys.stderr.isatty())
    print(report.format())
    for fault in report.faults[:40]:
        last = fault.text.strip().rpartition("\n")[2]
        print(f"  {fault.number} {fault.reader}: {fault.outcome}: {last[:160]}")
    if report.faults:
        print(f"{len(report.faults)} faults, in {given.out}")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
