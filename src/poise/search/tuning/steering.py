"""Finds gains for the steered tracker by CMA-ES: `python -m tools.tune_steering --generations 18 --seed 3 [--start F]`.

A candidate walks through tours of random commands: every 4 s another heading, anywhere, and another speed; in some
tours another style, too. It costs, as a mean over the tours,

    8 · (part of the time after its fall) + (heading error / 45°) + 4 · (speed error in m/s) + 2 · (joint error in rad).

Prints a line a generation, and at the end the mean of the search as a table of gains; Ctrl-C ends it there.
"""

from __future__ import annotations

import argparse
import tomllib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from poise.characters.catalog import load_character
from poise.controllers.catalog import find_controller, load_controller
from poise.controllers.tracker import layout
from poise.controllers.tracker.steer_spec import build_from_table
from poise.errors import DivergedError
from poise.optim.cma_es import CmaEs
from poise.optim.space import FloatArray, Space, Variable
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.world import World

BODY, CONTROLLER = "lee13", "tracker/steer"
TICK_S = 1.0 / 900.0
NOISE = 0.02
SPEEDS_MPS = (0.0, 0.3, 0.6, 0.6, 0.8, 0.9, 1.0, -0.4)
STYLES = (0, 0, 0, 1, 2, 3)
TOUR_S, EVERY_S, SETTLED_S = 28.0, 4.0, 2.5
#: Seeds of the tours, and whether there are styles in them.
TOURS = (*((seed, False) for seed in range(100, 105)), (200, True))
POPULATION = 12
#: Lowest and highest value and spread of every gain that is searched.
RANGES = {
    "swing_speed_sagittal": (0.0, 0.6, 0.03), "swing_speed_coronal": (0.0, 0.8, 0.018),
    "swing_place_behind": (0.0, 2.0, 0.09), "swing_place_ahead": (0.0, 2.0, 0.06),
    "swing_place_coronal": (0.0, 1.0, 0.03), "ankle_speed": (0.0, 1.0, 0.03), "ankle_place": (0.0, 2.0, 0.03),
    "lift_m": (0.0, 0.1, 0.006), "clearance_m": (-0.03, 0.05, 0.003), "landing_after": (0.5, 0.9, 0.021),
    "stance_rise": (0.1, 1.0, 0.06), "speed_learning": (0.0, 0.2, 0.006), "foot_height": (0.0, 1.0, 0.045),
    "track_kp": (12.0, 60.0, 1.2), "swing_heading": (0.0, 1.5, 0.06), "swing_world": (0.0, 1.0, 0.045),
    "stand_speed": (0.0, 3.0, 0.09), "stand_place": (0.0, 8.0, 0.24), "stand_hip": (0.0, 1.0, 0.06),
    "stop_reach_m": (0.03, 0.3, 0.009),
}  # fmt: skip


def tour(controller: Controller, seed: int, styles: bool) -> float:
    """What a tour of random commands costs."""
    random = np.random.default_rng(seed)
    world = World([load_character(BODY)], [controller], settings=PhysicsSettings(TICK_S, 9.8))
    world.state.velocities[:] += random.normal(0.0, NOISE, len(world.state.velocities))
    at = [controller.parameter(name).index for name in ("speed", "heading", "style")]
    heading_deg, heading_errors, speed_errors = 0.0, [], []
    world.advance(round(0.5 / TICK_S))
    while world.time_s < TOUR_S:
        heading_deg += random.uniform(-180.0, 180.0)
        speed, style = float(random.choice(SPEEDS_MPS)), int(random.choice(STYLES)) if styles else 0
        world.params[0][at] = [speed, heading_deg, style]
        world.advance(round(SETTLED_S / TICK_S), stop_on=["down"])
        before, began_s = world.state.positions[:2].copy(), world.time_s
        world.advance(round((EVERY_S - SETTLED_S) / TICK_S), stop_on=["down"])
        if world.fell_at_s() is not None:
            break
        yaw = float(world.percepts[0].heading_rad[0])
        heading_errors.append(abs((np.degrees(yaw) - heading_deg + 180.0) % 360.0 - 180.0))
        if style == 0:
            ahead = (world.state.positions[:2] - before) @ [np.cos(yaw), np.sin(yaw)] / (world.time_s - began_s)
            speed_errors.append(abs(ahead - speed))
    lived = min(world.fell_at_s() or TOUR_S, TOUR_S) / TOUR_S
    memory = world.memories[0]
    cost = 8.0 * (1.0 - lived) + 2.0 * memory[layout.ERROR_SUM] / max(memory[layout.ERROR_COUNT], 1.0)
    cost += np.mean(heading_errors) / 45.0 if heading_errors else 2.0
    return float(cost + (4.0 * np.mean(speed_errors) if speed_errors else 2.0))


def evaluate(space: Space, table: dict[str, object], point: FloatArray) -> float:
    """The mean cost of a candidate; what diverges costs as much as nothing else."""
    gains = {**table["gains"], **space.decode(point)}  # type: ignore[dict-item]
    controller = build_from_table({**table, "gains": gains}, load_character(BODY), "candidate", "")
    costs = []
    for seed, styles in TOURS:
        try:
            costs.append(tour(controller, seed, styles))
        except DivergedError:
            costs.append(12.0)
    return float(np.mean(costs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, default=find_controller(CONTROLLER), help="a file with gains")
    parser.add_argument("--generations", type=int, default=18)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    load_controller(CONTROLLER, load_character(BODY))  # its errors come before a long search
    keep = ("paces", "styles", "stand", "gains", "clip_gains")
    table = {k: v for k, v in tomllib.loads(options.start.read_text()).items() if k in keep}
    start = table["gains"]
    space = Space(
        tuple(Variable(n, low, high, min(max(start.get(n, low), low), high), s) for n, (low, high, s) in RANGES.items())
    )
    search = CmaEs(space, population=POPULATION, seed=options.seed)
    mean = np.zeros(len(space))
    try:
        with ThreadPoolExecutor(2) as pool:
            for generation in range(options.generations):
                points = search.ask()
                costs = np.array(list(pool.map(partial(evaluate, space, table), points)))
                search.tell(points, costs)
                mean = search.mean
                print(f"{generation}: best {costs.min():.2f}, median {np.median(costs):.2f}", flush=True)
    except KeyboardInterrupt:
        print("ended early")
    for name, value in space.decode(mean).items():
        print(f"{name} = {value:.4g}")


if __name__ == "__main__":
    main()
