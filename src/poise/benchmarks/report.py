"""All benchmarks in one run, and their report."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

from poise import __version__
from poise.benchmarks.control_cost import measure_control_cost
from poise.benchmarks.crowd import measure_crowd
from poise.benchmarks.optimisers import measure_optimisers
from poise.benchmarks.scenes import SUBJECTS
from poise.benchmarks.scripts import measure_scripts
from poise.benchmarks.speed import measure_first_run, measure_realtime, measure_setup, measure_threads

#: Target of each figure: (at most, at least).
TARGETS: Final[Mapping[str, tuple[float | None, float | None]]] = {
    "cost_of_control": (1.25, None),
    "threads": (None, 1.8),
    "crowd": (None, 1.0),
    "optimisers": (0.05, None),
    "read_script": (0.1, None),
    "run_script": (None, 20.0),
}


def run_benchmarks(*, quick: bool = False, progress: Callable[[float], None] | None = None) -> dict[str, Any]:
    """Run all benchmarks and return plain data. `quick` is less precise and skips the benchmark that recompiles."""
    results: dict[str, Any] = {"quick": quick, "machine": describe_machine()}
    jobs = _list_jobs(quick)
    for done, (path, job) in enumerate(jobs):
        table = results
        for name in path[:-1]:
            table = table.setdefault(name, {})
        table[path[-1]] = job()
        if progress is not None:
            progress((done + 1) / len(jobs))
    return results


def _list_jobs(quick: bool) -> list[tuple[tuple[str, ...], Callable[[], Any]]]:
    """Path of each figure in the results, and its function. Many short runs: some hit quiet moments of the machine."""
    ticks, repetitions, seconds = (1000, 5, 1.0) if quick else (4000, 31, 5.0)
    jobs: list[tuple[tuple[str, ...], Callable[[], Any]]] = [
        (("cost_of_control", c), partial(measure_control_cost, c, ticks, repetitions)) for c in SUBJECTS
    ]
    jobs.append((("threads",), partial(measure_threads, 1000 if quick else 2000, 31 if quick else 151)))
    jobs += [(("realtime_factor", c), partial(measure_realtime, c, seconds, 3)) for c in SUBJECTS]
    jobs.append((("crowd",), partial(measure_crowd, seconds=1.0 if quick else 4.0, repetitions=2 if quick else 5)))
    jobs.append((("optimisers",), partial(measure_optimisers, 40 if quick else 200)))
    jobs.append((("scripts",), partial(measure_scripts, seconds, 3 if quick else 9)))
    jobs.append((("setup",), partial(measure_setup, 3)))
    if quick:
        return jobs
    if find_spec("distributed") is not None:
        jobs.append((("batches",), _measure_batches))
    return [*jobs, (("first_run",), measure_first_run)]


def _measure_batches() -> dict[str, Any]:
    # Needs the extra `cluster`.
    from poise.benchmarks.batches import measure_batches

    return measure_batches()


def describe_machine() -> dict[str, Any]:
    """What the figures depend on besides Poise; `load_before` above 0 means that the machine was busy."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "load_before": load,
        "python": platform.python_version(),
        "poise": __version__,
        "mujoco": version("mujoco"),
        "numba": version("numba"),
    }


def make_rows(results: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Rows (figure, measured, target) of the report; an exclamation mark follows a missed target."""
    for character, cost in results["cost_of_control"].items():
        detail = f"{cost['closed_us_per_tick']:.1f} over {cost['bare_us_per_tick']:.1f} µs a tick"
        target = _show_target("cost_of_control", cost["ratio"])
        yield f"cost of control, {character} with {cost['controller']}", f"{cost['ratio']:.2f}  ({detail})", target
    threads = results["threads"]
    detail = f"{threads['one_s']:.2f} over {threads['two_s']:.2f} s"
    yield "two threads over one", f"{threads['ratio']:.2f}  ({detail})", _show_target("threads", threads["ratio"])
    for character, factors in results["realtime_factor"].items():
        for timestep, factor in factors.items():
            yield f"real-time factor, {character} at {timestep} s", f"{factor:.0f}", ""
    crowd = results["crowd"]
    detail = f"slowest second {crowd['slowest_second']:.2f}, {crowd['contacts_between']} contacts between them"
    yield (
        f"real-time factor, {crowd['count']} {crowd['character']}s of random sizes in one world at "
        f"{crowd['timestep_s']:g} s with {crowd['controller']}",
        f"{crowd['ratio']:.2f}  ({detail})",
        _show_target("crowd", crowd["ratio"]),
    )
    for name, own in results["optimisers"].items():
        detail = f"{own['first_ms']:.1f} to {own['last_ms']:.1f} ms a generation"
        share = f"{own['ratio']:.2%}  ({detail})"
        yield f"{name} overhead on a batch of 1 s rollouts", share, _show_target("optimisers", own["ratio"])
    if "scripts" in results:
        yield from _make_script_rows(results["scripts"])
    for name, seconds in results["setup"].items():
        yield f"opening a world with {name.removesuffix('_s')}", f"{1e3 * seconds:.0f} ms", ""
    if "batches" in results:
        yield from _make_batch_rows(results["batches"])
    for name, seconds in results.get("first_run", {}).items():
        state = {"cold_s": "nothing compiled", "warm_s": "everything compiled"}[name]
        yield f"from starting Python to the first tick, {state}", f"{seconds:.1f} s", ""


def _make_script_rows(scripts: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    read_s = scripts["read_s"]
    yield f"reading a script of {scripts['lines']} lines", f"{read_s:.3f} s", _show_target("read_script", read_s) + " s"
    for skill, factor in scripts["realtime_factor"].items():
        yield (
            f"real-time factor, planar17 with {skill} at 0.0005 s",
            f"{factor:.0f}",
            _show_target("run_script", factor),
        )


def _make_batch_rows(batches: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Time of a generation relative to threads, and the cost of an item that does nothing."""
    kinds = batches["kinds"]
    for kind, times in kinds.items():
        if kind != "threads":
            wall = f"{times['generation_s']:.2f} over {kinds['threads']['generation_s']:.2f} s"
            detail = f"{wall}; by processor time {times['processor_ratio']:.2f}"
            yield (
                f"{batches['candidates']} candidates of {batches['problem']}, {kind} over threads, "
                f"{batches['workers']} workers",
                f"{times['ratio']:.2f}  ({detail})",
                "",
            )
    for kind, times in kinds.items():
        yield f"an item that does nothing, {kind}", f"{times['item_ms']:.2f} ms", ""


def _show_target(name: str, ratio: float) -> str:
    most, least = TARGETS[name]
    if most is not None:
        return f"at most {most:g}{'' if ratio <= most else ' !'}"
    assert least is not None
    return f"at least {least:g}{'' if ratio >= least else ' !'}"


def format_report(results: Mapping[str, Any]) -> str:
    """The rows as a Markdown table, below a line about the machine."""
    m = results["machine"]
    rows = [("figure", "measured", "target"), *make_rows(results)]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = [f"| {' | '.join(cell.ljust(w) for cell, w in zip(row, widths, strict=True))} |" for row in rows]
    lines.insert(1, f"|{'|'.join('-' * (w + 2) for w in widths)}|")
    head = f"Poise {m['poise']}, MuJoCo {m['mujoco']}, numba {m['numba']}, Python {m['python']}, {m['cores']} cores"
    return "\n".join([f"{head}{', quick' if results['quick'] else ''}", "", *lines])
