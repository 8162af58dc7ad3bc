"""Kill jobs with -9 at their file operations, resume them, and compare their files with those of an undisturbed run.

    .venv/bin/python tools/kill_points.py                    # every operation of all five jobs
    .venv/bin/python tools/kill_points.py tame --points 5    # five operations of one job

Each attempt is a fork of this process, which has loaded and compiled everything. The fork counts calls of the `os`
functions that change files. It sends itself SIGKILL before the n-th call or, for a write, halfway through it. Then the
job is resumed as a user would: with `--resume` if it left something to resume, otherwise from the beginning. It passes
if all files have the bytes of the undisturbed run, and no others are left.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

#: Functions of `os` that change files or flush them to disk.
COUNTED: Final = (
    "open", "write", "fsync", "replace", "rename", "unlink", "remove", "mkdir", "rmdir", "ftruncate", "chmod",
)  # fmt: skip
KILLED: Final = -signal.SIGKILL
#: Suffixes of files not compared: they contain times, or the order in which threads finished.
APART: Final = (".journal",)


@dataclass(frozen=True)
class Job:
    """A job in the current folder: the function that writes its inputs, the one that runs it, and its journal."""

    prepare: Callable[[], None]
    run: Callable[[bool], None]
    journal: str


def use_poise(*arguments: str) -> None:
    """Run a command in this process."""
    from poise.cli import app

    app(list(arguments), standalone_mode=False)


def make_jobs() -> dict[str, Job]:
    """The five jobs, as small as possible."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    from poise.documents import save_toml
    from poise.search import retouch_windows, tame_plan, tame_search
    from poise.skills import explore

    clips, problems = (import_module(f"unit.search.{name}") for name in ("small_clip", "small_problem"))
    # Reduce the modules: the same file operations in less time.
    changes: list[tuple[Any, str, Any]] = [
        (tame_search, "FINALISTS", 1),
        (tame_plan, "POPULATION", 4),
        (tame_search, "POPULATION", 4),
        (retouch_windows, "POPULATION", 4),
        (explore, "LEAVES", 1),
        (explore, "WILD", ((0.3, 2.0),)),
        (explore, "WILD_TRIES", 1),
        (explore, "library_transitions", lambda: []),
        (explore, "skill_names", lambda: ["stand", "walk-in-place"]),
    ]
    for module, name, value in changes:
        setattr(module, name, value)

    def write_tracker() -> None:
        clips.write_stand(Path("stand.npz"))
        head = {"method": "tracker", "character": "lee13", "clip": "stand.npz", "endless": False, "description": "x"}
        save_toml("stand.toml", {**head, "gains": {"lift_m": 0.01}})

    def search(resume: bool) -> None:
        place = ("--resume", "out") if resume else ("--out", "out")
        use_poise("optimize", "small.toml", *place, "--workers", "1")

    def command(*words: str) -> Callable[[bool], None]:
        return lambda resume: use_poise(*words, "--workers", "1", *(["--resume"] if resume else []))

    clip = ("clip", "tame", "walk.npz", "--once", "--evaluations", "8", "--seeds", "1", "--start", "tracker/normal")
    rows = ("clip", "retouch", "stand.toml", "--generations", "2", "--starts", "1")
    way = (
        "transition",
        "walk-in-place",
        "stand",
        "--phases",
        "1",
        "--generations",
        "2",
        "--starts",
        "1",
        "--tries",
        "1",
    )
    graph = ("graph", "learn", "--folder", "graph", "--tours", "1", "--minutes", "0.05")
    return {
        "optimize": Job(
            lambda: _write("small.toml", problems.PROBLEM.replace("generations = 4", "generations = 2")),
            search,
            "out/optimize.journal",
        ),
        "tame": Job(lambda: _drop(clips.write_walk(Path("walk.npz"))), command(*clip), "walk.tame.journal"),
        "retouch": Job(write_tracker, command(*rows), "stand.retouch.journal"),
        "transition": Job(lambda: None, command(*way), "out/transitions/walk-in-place-to-stand.transition.journal"),
        "graph learn": Job(lambda: None, command(*graph), "graph/graph.journal"),
    }


def _drop(_value: object) -> None:
    """Discard a return value."""


def _write(name: str, text: str) -> None:
    Path(name).write_text(text)


class Counter:
    """Counts file operations, and kills the process at one of them."""

    def __init__(self, kill_at: int | None, in_midst: bool) -> None:
        self.count, self._kill_at, self._in_midst = 0, kill_at, in_midst
        self.writes: list[int] = []

    def install(self) -> None:
        for name in COUNTED:
            setattr(os, name, self._wrap(name, getattr(os, name)))

    def _wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            self.count += 1
            if name == "write":
                self.writes.append(self.count)
            if self.count == self._kill_at:
                if self._in_midst:
                    function(arguments[0], arguments[1][: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **options)

        return counted


def run_forked(work: Callable[[], Any]) -> tuple[int, Any]:
    """Run `work` in a fork; return its exit code (or minus the signal) and the result."""
    sys.stdout.flush()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        code = 1
        original = os.write
        try:
            with open(os.devnull, "w") as nothing, open("said.txt", "w") as said:
                os.dup2(nothing.fileno(), 1)
                os.dup2(said.fileno(), 2)
            result = work()
            original(write, json.dumps(result).encode())
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status, json.loads(text) if text else None


def run_job(job: Job, resume: bool, kill_at: int | None = None, in_midst: bool = False) -> tuple[int, Any]:
    """Run a job in a fork; return its exit code, its number of file operations, and which of them were writes."""

    def work() -> tuple[int, list[int]]:
        counter = Counter(kill_at, in_midst)
        counter.install()
        job.run(resume)
        return counter.count, counter.writes

    return run_forked(work)


def read_files() -> dict[str, bytes]:
    """All files below the current folder that must be reproducible."""
    return {
        str(path): path.read_bytes()
        for path in sorted(Path().rglob("*"))
        if path.is_file() and path.name != "said.txt" and not path.name.endswith(APART)
    }


def try_point(job: Job, whole: dict[str, bytes], kill_at: int, in_midst: bool) -> str:
    """Kill a job at an operation and resume it; describe the fault, empty if there is none."""
    _enter_empty_folder()
    job.prepare()
    code, _ = run_job(job, False, kill_at, in_midst)
    if code != KILLED:
        return f"was not killed, exited with {code}: {Path('said.txt').read_text()[-300:]}"
    resumable = Path(job.journal).exists()
    if resumable or any(read_files().get(name) != data for name, data in whole.items()):
        code, _ = run_job(job, resumable)
        if code:
            return f"resumed, exited with {code}: {Path('said.txt').read_text()[-300:]}"
    else:
        # Only its lock was left to release; the next start does that.
        run_job(job, True)
    found = read_files()
    if found != whole:
        return "differs: " + ", ".join(sorted(n for n in found.keys() | whole if found.get(n) != whole.get(n)))
    return ""


def _enter_empty_folder() -> None:
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def check_job(name: str, job: Job, points: int | None) -> dict[str, Any]:
    """Kill a job at `points` of its file operations, evenly spread, or at every one."""
    _enter_empty_folder()
    job.prepare()
    began = time.monotonic()
    code, counted = run_job(job, False)
    if code:
        raise SystemExit(f"{name}: the undisturbed run exited with {code}: {Path('said.txt').read_text()[-2000:]}")
    operations, writes = counted
    whole = read_files()
    every = [(k, False) for k in range(1, operations + 1)] + [(k, True) for k in writes]
    chosen = every if points is None else [every[round((k + 0.5) * len(every) / points - 0.5)] for k in range(points)]
    faults = {}
    for kill_at, in_midst in chosen:
        fault = try_point(job, whole, kill_at, in_midst)
        if fault:
            faults[f"{kill_at}{' halfway' if in_midst else ''}"] = fault
    return {
        "job": name,
        "operations": operations,
        "killed": len(chosen),
        "same_bits": len(chosen) - len(faults),
        "seconds": round(time.monotonic() - began, 1),
        "faults": faults,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table or JSON; return 1 if a job did not recover."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("jobs", nargs="*", help="optimize, tame, retouch, transition, 'graph learn'; all by default")
    parser.add_argument("--points", type=int, help="kill points of each job; every file operation by default")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    jobs = make_jobs()
    reports = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in options.jobs or jobs:
            job = jobs[name]
            # Run once here, so that the forks have everything compiled and loaded.
            _enter_empty_folder()
            job.prepare()
            _run_quietly(job)
            report = check_job(name, job, options.points)
            reports.append(report)
            if not options.json:
                print("{job}: {same_bits} of {killed} kills, {operations} operations, {seconds} s".format(**report))
                for point, fault in report["faults"].items():
                    print(f"  at {point}: {fault}")
        os.chdir("/")
    if options.json:
        print(json.dumps(reports))
    return int(any(report["faults"] for report in reports))


def _run_quietly(job: Job) -> None:
    keep = [os.dup(1), os.dup(2)]
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    try:
        job.run(False)
    finally:
        for number, copy in enumerate(keep, 1):
            os.dup2(copy, number)
            os.close(copy)
        os.close(nothing)


if __name__ == "__main__":
    raise SystemExit(main())
