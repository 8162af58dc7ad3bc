"""Find the skill of a motion and write it into a copy of its controller file.

    python -m poise.reproduce.ha.skills_find jump --seed 1 --evaluations 2000 --out jump.toml

The skills under `bioloid/` were found this way; their `[provenance]` holds the command. With `--even-out` there is no
search: the skill in the file is reparameterised to make the reached values match the commanded ones.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from poise.documents import save_toml
from poise.reproduce.ha.skills_motions import MOTIONS, SEARCH_TIMESTEP_S, FloatArray, Motion, try_out
from poise.reproduce.ha.skills_races import decode_weights, search_together

#: Name of each motion's command.
COMMANDS = {"jump": "height_m", "kick": "distance_m", "walk": "speed_mps"}


#: Tasks tried by `even_out`, beyond both ends of the range, and time steps to average over.
TRIED, TIMESTEPS_S = np.linspace(-0.3, 1.1, 29), (SEARCH_TIMESTEP_S, 0.5 * SEARCH_TIMESTEP_S)

Weights = Mapping[str, list[float]]


def even_out(motion: Motion, weights: Weights) -> dict[str, list[float]]:
    """The skill as a function of the value it reaches, instead of the task it was searched for.

    Tasks tried without a fall give a curve from commanded to reached values. A polynomial of the same degree is fitted
    to the parameters at the points of the curve that cover the range.
    """
    bounds = {v.name: (v.low, v.high) for v in motion.make_space().variables}

    def parameters(tasks: FloatArray) -> FloatArray:
        """Values of all parameters, one row each."""
        return np.array([np.clip(np.polyval(w[::-1], tasks), *bounds[name]) for name, w in weights.items()])

    asked, reached = list[float](), list[float]()
    for task, column in zip(TRIED, parameters(TRIED).T, strict=True):
        values = dict(zip(weights, map(float, column), strict=True))
        outcomes = [try_out(motion, values, timestep_s=step) for step in TIMESTEPS_S]
        if not any(outcome.fell for outcome in outcomes):
            asked.append(float(task))
            reached.append(float(np.mean([outcome.reached for outcome in outcomes])))
    tasks = np.linspace(0.0, 1.0, len(TRIED))
    places = np.interp(motion.wish(tasks), np.maximum.accumulate(reached), asked)
    degree = len(next(iter(weights.values()))) - 1
    fitted = np.polyfit(tasks, parameters(places).T, degree)[::-1].T
    return {name: [float(f"{x:.6g}") for x in row] for name, row in zip(weights, fitted, strict=True)}


def write_skill(motion: Motion, weights: Weights, provenance: Mapping[str, object], path: Path) -> None:
    """Write the motion's controller with new weights."""
    file = motion.file()
    skill = {
        "parameter": COMMANDS[motion.name],
        "low": motion.low,
        "high": motion.high,
        "degree": len(next(iter(weights.values()))) - 1,
        "weights": dict(weights),
    }
    head = {"method": file.method, "character": file.character, "description": file.description}
    table = {k: v for k, v in file.table.items() if k != "skill"}
    save_toml(path, {**head, **table, "skill": skill, "provenance": dict(provenance)})


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command's arguments."""
    parser = argparse.ArgumentParser(prog="python -m poise.reproduce.ha.skills_find")
    parser.add_argument("motion", choices=list(MOTIONS))
    parser.add_argument("--degree", type=int, default=3)
    parser.add_argument("--tasks", type=int, default=6)
    parser.add_argument("--timestep", type=float, default=SEARCH_TIMESTEP_S)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluations", type=int, default=2000)
    parser.add_argument("--even-out", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    return parser


def main(arguments: list[str]) -> None:
    chosen = make_parser().parse_args(arguments)
    motion = replace(MOTIONS[chosen.motion], timestep_s=chosen.timestep)
    command = " ".join(["python -m poise.reproduce.ha.skills_find", *arguments[: arguments.index("--out")]]).strip()
    if chosen.even_out:
        weights = even_out(motion, motion.file().table["skill"]["weights"])
        write_skill(motion, weights, {"command": command}, chosen.out)
        return
    course = search_together(motion, chosen.seed, tasks=chosen.tasks, degree=chosen.degree, budget=chosen.evaluations)
    found = {"evaluations": course.evaluations[-1], "mean_cost": float(f"{course.costs[-1]:.4g}")}
    weights = decode_weights(motion.make_space(), course.skill)
    write_skill(motion, weights, {"command": command, **found}, chosen.out)
    for count in np.linspace(course.evaluations[0], course.evaluations[-1], 11).astype(int):
        print(f"{count:6d} evaluations: mean cost {course.cost_at(int(count)):.5f}")


if __name__ == "__main__":
    main(sys.argv[1:])
