"""Finds how `limit-cycle/human-stroll` samples and holds itself: values that walk at every bias, and settle soon.

Random settings, one after the other, on the source's ground; what falls at one bias is not tried at the next. Printed
are those that walk 60 steps at all nine: steps until the speed is what it will be (median), the neighbouring biases
over which speeds lie on a straight line, and the speeds in metres a step. Equal seeds try the same again.

    .venv/bin/python tools/tune_stroll.py --seed 3 --trials 60
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np

from poise.reproduce.laszlo.runs import STROLL, TRIAL_STEPS, Walk, walk
from poise.reproduce.laszlo.speed import BIASES, NOMINAL_MPSTEP, find_line, find_settled, find_speed


def draw(rng: random.Random) -> dict[str, Any]:
    """Settings that the source leaves open, around those of its other walks."""
    return {
        "target_most": round(rng.uniform(0.36, 0.42), 3),
        "sample_deg": rng.choice([6, 7, 8, 9, 10, 12]),
        "sample_side_deg": rng.choice([0.5, 0.7, 1, 1.4, 2]),
        "outward": rng.choice([0.025, 0.03, 0.035]),
        "servo_rad": round(rng.uniform(0.06, 0.11), 3),
    }


def walk_all_biases(values: dict[str, Any]) -> list[Walk]:
    """Walks at each bias, the fastest first; ends with the first that falls."""
    found: list[Walk] = []
    for bias in reversed(BIASES):
        found.append(walk({**values, "target": bias, "speed_mpstep": NOMINAL_MPSTEP}, controller=STROLL))
        if found[-1].done < TRIAL_STEPS:
            break
    return found[::-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--trials", type=int, default=60)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    for trial in range(args.trials):
        values = draw(rng)
        found = walk_all_biases(values)
        if len(found) < len(BIASES) or found[0].done < TRIAL_STEPS:
            print(trial, "falls at", BIASES[len(BIASES) - len(found)], flush=True)
            continue
        speeds = [find_speed(made) for made in found]
        first, last = find_line(BIASES, speeds)
        settled = float(np.median([find_settled(made) for made in found]))
        line = f"{BIASES[first]:g} to {BIASES[last]:g}" if last > first else "none"
        print(trial, values, f"settles in {settled:g}, line {line}:", *(f"{v:.3f}" for v in speeds), flush=True)


if __name__ == "__main__":
    main()
