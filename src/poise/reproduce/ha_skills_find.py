"""Finds the skill of a motion and writes it into a copy of its controller file.

    python -m poise.reproduce.ha_skills_find jump --seed 1 --evaluations 2000 --out jump.toml

The skills under `bioloid/` were found so; their `[provenance]` holds the command.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from poise.files import save_toml
from poise.reproduce.ha_skills_motions import MOTIONS, SEARCH_TIMESTEP_S, Motion
from poise.reproduce.ha_skills_races import Course, decode_weights, search_together

#: Name of each motion's command.
COMMANDS = {"jump": "height_m", "kick": "distance_m", "walk": "speed_mps"}


def write_skill(motion: Motion, course: Course, command: str, path: Path, degree: int) -> None:
    """Writes the motion's controller with the skill of a search."""
    file = motion.file()
    skill = {
        "parameter": COMMANDS[motion.name],
        "low": motion.low,
        "high": motion.high,
        "degree": degree,
        "weights": decode_weights(motion.make_space(), course.skill),
    }
    head = {"method": file.method, "character": file.character, "description": file.description}
    found = {
        "command": command,
        "evaluations": course.evaluations[-1],
        "mean_cost": float(f"{course.costs[-1]:.4g}"),
    }
    table = {k: v for k, v in file.table.items() if k != "skill"}
    save_toml(path, {**head, **table, "skill": skill, "provenance": found})


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m poise.reproduce.ha_skills_find")
    parser.add_argument("motion", choices=list(MOTIONS))
    parser.add_argument("--degree", type=int, default=3)
    parser.add_argument("--tasks", type=int, default=6)
    parser.add_argument("--timestep", type=float, default=SEARCH_TIMESTEP_S)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluations", type=int, default=2000)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args(arguments)
    motion = replace(MOTIONS[chosen.motion], timestep_s=chosen.timestep)
    course = search_together(motion, chosen.seed, tasks=chosen.tasks, degree=chosen.degree, budget=chosen.evaluations)
    command = " ".join(["python -m poise.reproduce.ha_skills_find", *arguments[: arguments.index("--out")]])
    write_skill(motion, course, command.strip(), chosen.out, chosen.degree)
    for count in np.linspace(course.evaluations[0], course.evaluations[-1], 11).astype(int):
        print(f"{count:6d} evaluations: mean cost {course.cost_at(int(count)):.5f}")


if __name__ == "__main__":
    main(sys.argv[1:])
