"""What a search leaves in its folder: history, convergence plot, and the best controller with its provenance."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from os import PathLike
from typing import Any

import numpy as np

from poise import __version__
from poise.api import Scene, run_scene
from poise.controllers.catalog import read_controller_file, revise_table
from poise.files import save_toml, write_atomic
from poise.optim.ask_tell import Trace
from poise.search.evaluate import Evaluation
from poise.search.problem import Problem
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller

#: Digits that are kept of a found value: more than any gait can tell apart, few enough to read.
DIGITS = 5


@dataclass(frozen=True)
class Generation:
    """One row of the history."""

    generation: int
    evaluations: int
    best_cost: float
    generation_best_cost: float
    generation_median_cost: float


def compute_history(trace: Trace) -> list[Generation]:
    """A row for each generation, counted from 1."""
    best = np.minimum.accumulate([row.min() for row in trace.costs])
    done = np.cumsum([len(row) for row in trace.costs])
    return [
        Generation(g + 1, int(done[g]), float(best[g]), float(row.min()), float(np.median(row)))
        for g, row in enumerate(trace.costs)
    ]


def save_history(path: str | PathLike[str], history: Sequence[Generation]) -> None:
    """Writes the history as CSV."""
    with write_atomic(path, "w") as file:
        writer = csv.DictWriter(file, [f.name for f in fields(Generation)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in history)


def save_convergence_plot(path: str | PathLike[str], history: Sequence[Generation], title: str) -> None:
    """Draws cost over evaluations as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.add_subplot()
    evaluations = [row.evaluations for row in history]
    axes.plot(evaluations, [row.generation_median_cost for row in history], color="#b9bec6", label="median")
    axes.plot(evaluations, [row.generation_best_cost for row in history], color="#4f8fc0", label="best of generation")
    axes.plot(evaluations, [row.best_cost for row in history], color="#d9694a", label="best so far")
    axes.set(xlabel="evaluations", ylabel="cost", title=title, yscale="log")
    axes.legend(frameon=False)
    with write_atomic(path) as file:
        figure.savefig(file, format="png", dpi=120)


def round_values(values: Mapping[str, float]) -> dict[str, float]:
    """The values as they are written to files and evaluated, so that the file's gait is the one that was found."""
    return {name: float(f"{value:.{DIGITS}g}") for name, value in values.items()}


def save_best(
    path: str | PathLike[str], problem: Problem, found: Mapping[str, float], provenance: Mapping[str, Any]
) -> None:
    """Writes the controller of found values, in the form of the one that the search began with."""
    file = read_controller_file(problem.base_path)
    table = revise_table(file.method, file.table, problem.parameters(found), problem.body)
    head = {"method": file.method, "character": problem.character, "description": problem.description}
    save_toml(path, {**head, **table, "provenance": provenance})


def make_provenance(problem: Problem, seed: int, trace: Trace, evaluation: Evaluation) -> dict[str, Any]:
    """How a controller was found, so that anyone can find it again."""
    trials = {
        name: {"cost": t.cost, **t.measured} if t.fell_at_s is None else {"cost": t.cost, "fell_at_s": t.fell_at_s}
        for name, t in evaluation.trials.items()
    }
    return {
        "source": f"found by search from {problem.base}",
        "command": f"poise optimize {problem.label} --seed {seed}",
        "problem_sha256": problem.sha256,
        "poise": __version__,
        "seed": seed,
        "generations": trace.generations,
        "evaluations": trace.evaluations,
        "cost": evaluation.cost,
        "trials": {name: {k: float(f"{v:.4g}") for k, v in row.items()} for name, row in trials.items()},
    }


def check_best(problem: Problem, found: Mapping[str, float]) -> dict[str, Any]:
    """What the problem's closing run measures of found values."""
    controller: Controller = problem.controller.with_values(problem.parameters(found))
    physics = PhysicsSettings(timestep_s=problem.check.timestep_s)
    done = run_scene(Scene(controller, problem.body, physics=physics), problem.check.seconds, stop_on_fall=True)
    m = done.metrics
    row = {
        "seconds": problem.check.seconds,
        "timestep_s": problem.check.timestep_s,
        "fallen": m.fallen,
        "fell_at_s": m.fell_at_s,
        "mean_speed_mps": round(m.mean_speed_mps, 4),
        "max_torque_nm": round(m.max_torque_nm, 1),
    }
    return {k: v for k, v in row.items() if v is not None}
