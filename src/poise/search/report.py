"""Controller files written by a search, with their provenance."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from poise import __version__
from poise.controllers.catalog import revise_table
from poise.documents import save_toml
from poise.errors import DivergedError
from poise.measures.metrics import compute_metrics
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate
from poise.search.evaluate import Evaluation, TrialCost
from poise.search.history import Course
from poise.search.problem import Problem
from poise.world.compile import PhysicsSettings


def save_best(
    path: str | PathLike[str],
    problem: Problem,
    found: Mapping[str, float],
    provenance: Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
) -> None:
    """Write the controller with the found values, in the form of the initial one, plus the entries of `more`."""
    table = revise_table(problem.method, problem.base_table, problem.parameters(found), problem.body)
    if "store" in table:
        # The path is relative to the file's folder, and the new file is in another one.
        table["store"] = str((problem.base_path.parent / table["store"]).resolve())
    head = {"method": problem.method, "character": problem.character, "description": problem.description}
    if problem.controller.ground is not None:
        head["ground"] = problem.controller.ground
    save_toml(path, {**head, **table, **(more or {}), "provenance": provenance})


def make_provenance(problem: Problem, algorithm: str, seed: int, stopped_by: str, course: Course) -> dict[str, Any]:
    """How to find the controller again. Contains no times, so that a resumed search writes the same."""
    failures = course.count_failures()
    chosen = "" if algorithm == problem.algorithm else f" --algorithm {algorithm}"
    chosen += f" --ground {problem.ground}" if problem.ground else ""
    return {
        "source": f"found by search from {problem.base}",
        "command": f"poise optimize {problem.label}{chosen} --seed {seed}",
        "problem_sha256": problem.sha256,
        "poise": __version__,
        "algorithm": algorithm,
        "seed": seed,
        "generations": len(course.rows),
        "evaluations": course.rows[-1].evaluations,
        "stopped_by": stopped_by,
        # Number of failed candidates by the name of the failure.
        **({"failures": failures} if failures else {}),
    }


def describe_trials(evaluation: Evaluation) -> dict[str, Any]:
    """Cost, failures and measures of every trial."""
    return {name: _describe_trial(trial) for name, trial in evaluation.trials.items()}


def _describe_trial(trial: TrialCost) -> dict[str, Any]:
    row: dict[str, Any] = {"cost": trial.cost, **trial.measured}
    if trial.failed_at_s is not None:
        row["failed_at_s"] = trial.failed_at_s
    rounded: dict[str, Any] = {name: float(f"{value:.4g}") for name, value in row.items()}
    return {**rounded, "failures": list(trial.failures)} if trial.failures else rounded


def check_best(problem: Problem, found: Mapping[str, float]) -> dict[str, Any]:
    """Figures of the problem's closing run with the found values."""
    controller = problem.controller.with_values(problem.parameters(found))
    physics = PhysicsSettings(timestep_s=problem.check.timestep_s)
    row = {"seconds": problem.check.seconds, "timestep_s": problem.check.timestep_s}
    world = Scene(controller, problem.body, physics=physics).open()
    try:
        m = compute_metrics(simulate(world, problem.check.seconds, stop_on_fall=True))
    except DivergedError:
        return {**row, "fallen": True, "diverged_at_s": world.time_s}
    figures = {
        "fallen": m.fallen,
        "fell_at_s": m.fell_at_s,
        "mean_speed_mps": round(m.mean_speed_mps, 4),
        "max_torque_nm": round(m.max_torque_nm, 1),
    }
    return {**row, **{k: v for k, v in figures.items() if v is not None}}
