"""Finds the pose graph of a gait from nothing: only its states, sensors and symmetry are given [Laszlo96 §6.1.5].

Every joint target in the sagittal plane begins in one slightly bent stance. Random tables come first; from the best of
them CMA-ES finds all targets, hold times, the lean at the start and what the balance aims at. The balance works from
the first trial on, and nothing else ever helps, as guiding forces do in [vL95], which the source names. Trials begin
with five steps; where a quarter of a generation does them well, the next are twice as long. What does its steps well is
also tried for as long as is asked for, with two time steps of which the worse counts: what goes on in both does not
hang on the last bit. The first that does it well ends the search.

A step counts 0.3 for being done and 0.7 for how far it is of the gait: `JUDGES` says how. A skip is grown from a walk
that was found before (--walk), since none came from the neutral stance. Equal arguments find the same again.

    .venv/bin/python -m tools.find_graph walk out/found.toml --seed 2
    .venv/bin/python -m tools.find_graph walk out/found.toml --check
"""

from __future__ import annotations

import argparse
import copy
import math
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np
import tomli_w

from poise.characters.model import swap_side
from poise.controllers.limit_cycle.balance import find_balancer
from poise.errors import DivergedError
from tools.tune_graph import FEET, LOOK_S, open_world, put

#: What a look at the feet of a step finds.
AIR, STANCE, OTHER, BOTH = range(4)
#: Steps of the first trials, and steps in a row that are not of the gait after which a trial is given up.
FIRST_STEPS, PATIENCE = 5, 3
#: Mean worth of the steps from which on it is the gait.
GOOD: Final = 0.65
#: The stance in which all begins, and how far the search may go from zero, in degrees.
NEUTRAL_DEG: Final = {"hip_pitch": 10.0, "knee_pitch": 20.0, "ankle_pitch": 10.0}
BOUNDS_DEG: Final = {"hip_pitch": (-40.0, 80.0), "knee_pitch": (0.0, 100.0), "ankle_pitch": (-40.0, 30.0)}
ROLL_DEG: Final = (-8.0, 2.0)
#: Keys of a state that only the search knows: states of one pose, the state of a walk that it grows from, flight.
KNOWN: Final = ("pose", "like", "flies")


@dataclass(frozen=True)
class Gait:
    """What is known of a gait before it is found."""

    #: `[[states]]` without poses; those with the same `pose` share one.
    states: tuple[dict[str, Any], ...]
    #: Whether the other leg's step follows as the mirror image; if not, both legs do the same.
    mirrored: bool
    help: str
    #: Whether feet may be set down near the middle, with a lean over them: one leg that hops must stand under the body.
    sets_in: bool = False
    hold_s: tuple[float, float] = (0.05, 0.4)


#: A flight ends with the landing, and the balance decides anew.
LANDING: Final = {"timeout_s": 1.0, "ends_step": True}
GAITS: Final = {
    "walk": Gait(
        (
            {"name": "S1", "pose": "a", "until_foot": "right", "timeout_s": 0.5},
            {"name": "S2", "pose": "a", "hold_s": 0.2},
            {"name": "S3", "pose": "b", "hold_s": 0.2, "ends_step": True},
        ),
        mirrored=True,
        help="the states of the walk [Laszlo96 Fig. 3.7]: land, swing, reach",
    ),
    "hop": Gait(
        (
            {"name": "S1", "pose": "a", "hold_s": 0.15},
            {"name": "S2", "pose": "b", "hold_s": 0.15},
            {"name": "S3", "pose": "c", "flies": True, "hold_s": 0.1, "until_foot": "left", **LANDING},
        ),
        mirrored=False,
        help="both legs together: bend, push, fly until a foot lands",
    ),
    "skip": Gait(
        (
            {"name": "S1", "pose": "a", "until_foot": "right", "timeout_s": 0.5},
            {"name": "S2", "pose": "a", "hold_s": 0.15},
            {"name": "S3", "pose": "b", "like": "S2", "flies": True, "hold_s": 0.1, "until_foot": "right", **LANDING},
            {"name": "S4", "pose": "c", "like": "S3", "hold_s": 0.15, "ends_step": True},
        ),
        mirrored=True,
        sets_in=True,
        help="each leg twice: land and push, fly until the same foot lands, reach with the other",
    ),
}


# -- what a step is worth ---------------------------------------------------------------------------------------------


def share(looks: Sequence[int], kind: int) -> float:
    """How much of a step some way of standing takes."""
    return sum(look == kind for look in looks) / max(len(looks), 1)


def go_ahead(ahead_m: float, wanted_m: float) -> float:
    """1 where a step leads as far as is wanted, 1/2 on the spot, 0 as far backward."""
    return 0.5 + 0.5 * min(max(ahead_m / wanted_m, -1.0), 1.0)


def judge_walk(looks: Sequence[int], ahead_m: float) -> float:
    """One leg carries for half of the step, nothing flies, and it leads 0.3 m ahead."""
    alone = min(share(looks, STANCE) / 0.5, 1.0)
    grounded = max(1.0 - 3.0 * share(looks, AIR), 0.0)
    return alone * grounded * go_ahead(ahead_m, 0.3)


def judge_hop(looks: Sequence[int], ahead_m: float) -> float:
    """Both feet leave and land together, a third of the time is flight and a third not, and it leads 0.2 m ahead."""
    together = min(share(looks, AIR) / 0.33, 1.0) * min(share(looks, BOTH) / 0.33, 1.0)
    return together * go_ahead(ahead_m, 0.2)


def hop_share(looks: Sequence[int]) -> float:
    """How much of a step is its longest flight from the stance foot alone to the stance foot alone."""
    runs = [(kind, len(list(run))) for kind, run in groupby(looks)]
    between = zip(runs, runs[1:], runs[2:], strict=False)
    hops = [n for (a, _), (kind, n), (b, _) in between if kind == AIR and a == b == STANCE]
    return max(hops, default=0) / max(len(looks), 1)


def judge_skip(looks: Sequence[int], ahead_m: float) -> float:
    """The stance leg hops for a fifth of its step, stands alone for two fifths, and it leads 0.3 m ahead."""
    flight = min(share(looks, AIR) / 0.2, 1.0)
    hop = min(hop_share(looks) / 0.2, 1.0)
    alone = min(share(looks, STANCE) / 0.4, 1.0)
    return (0.1 + 0.2 * flight + 0.7 * hop) * alone * go_ahead(ahead_m, 0.3)


Judge = Callable[[Sequence[int], float], float]
JUDGES: Final[dict[str, Judge]] = {"walk": judge_walk, "hop": judge_hop, "skip": judge_skip}


# -- the table and its numbers ----------------------------------------------------------------------------------------


def legs(gait: Gait) -> list[tuple[str, ...]]:
    """Legs whose targets are one number: each for itself, or both together."""
    return [("left",), ("right",)] if gait.mirrored else [("left", "right")]


def make_table(name: str, body: str) -> dict[str, Any]:
    """The controller before the search: all states stand in the neutral stance."""
    gait = GAITS[name]
    pose = {f"{side}_{axis}": angle for axis, angle in NEUTRAL_DEG.items() for side in ("left", "right")}
    values: dict[str, Any] = {"strategy": "SP", "target": 0.1}
    values |= {"speed_gain": 0.2, "speed_mpstep": 0.25, "side_gain": 0.2}
    if gait.sets_in:
        pose |= {f"{side}_hip_roll": sum(ROLL_DEG) / 2.0 for side in ("left", "right")}
        values["outward"] = 0.0
    carrying = "right" if gait.mirrored else "left"
    states = []
    for state in gait.states:
        entry: dict[str, Any] = {k: v for k, v in state.items() if k not in KNOWN}
        states.append(entry | {"stance": carrying, "pose_deg": dict(pose)})
    # Both hips take part where both feet stand: one opens while the other closes.
    ahead = {f"{side}_hip_pitch": -1.0 for side in ("left", "right") if side == carrying or not gait.mirrored}
    aside = {f"{side}_hip_roll": 1.0 if side == carrying else -1.0 for side in ("left", "right")}
    if gait.mirrored:
        aside = {f"{carrying}_hip_roll": 1.0}
    changes = {"forward": ahead, "side": aside}
    # In flight the legs keep to their pose: leaning back then sets the feet ahead, which is what slows it down.
    carried = [s["name"] for s in gait.states if not s.get("flies")]
    return {
        "method": "limit-cycle",
        "character": body,
        "description": f"a {name} that was found from nothing",
        "mirrored": gait.mirrored,
        "values": values,
        "states": states,
        "changes": {k: {"states": {name: {"pose_deg": dict(v)} for name in carried}} for k, v in changes.items()},
        "start": {"pitch_deg": 0.0, "pose_deg": dict(pose)},
    }


def grow(name: str, walk: dict[str, Any], body: str) -> dict[str, Any]:
    """The controller before the search with the poses and the balance of a walk that was found."""
    table = make_table(name, body)
    poses = {state["name"]: state["pose_deg"] for state in walk["states"]}
    zeros = {f"{side}_hip_roll": 0.0 for side in ("left", "right")} if GAITS[name].sets_in else {}
    for state, known in zip(table["states"], GAITS[name].states, strict=True):
        state["pose_deg"] = zeros | poses[known.get("like", known["name"])]
    table["values"] |= walk["values"]
    table["start"] |= walk["start"]
    return table


def list_numbers(name: str) -> list[tuple[tuple[str, ...], float, float, int]]:
    """What is found: the ways of each number through the table, its bounds, and the digits that it is rounded to."""
    gait = GAITS[name]
    numbers: list[tuple[tuple[str, ...], float, float, int]] = []
    for pose in dict.fromkeys(s["pose"] for s in gait.states):
        states = "+".join(s["name"] for s in gait.states if s["pose"] == pose)
        for sides in legs(gait):
            for axis, (low, high) in BOUNDS_DEG.items():
                ways = tuple(f"states.{states}.pose_deg.{side}_{axis}" for side in sides)
                numbers.append((ways, low, high, 2))
    for state in gait.states:
        if "hold_s" in state:
            numbers.append(((f"states.{state['name']}.hold_s",), *gait.hold_s, 4))
    numbers.append((("start.pitch_deg",), -5.0, 10.0, 2))
    numbers.append((("values.target",), -0.1, 0.4, 4))
    numbers.append((("values.speed_gain",), 0.0, 1.0, 4))
    numbers.append((("values.speed_mpstep",), 0.0, 0.6, 4))
    numbers.append((("values.side_gain",), 0.0, 1.0, 4))
    if gait.sets_in:
        states = "+".join(s["name"] for s in gait.states)
        numbers += [((f"states.{states}.pose_deg.{side}_hip_roll",), *ROLL_DEG, 2) for side in ("left", "right")]
        numbers.append((("values.outward",), -0.1, 0.2, 4))
    return numbers


class Numbers:
    """Points of the unit cube to tables and back."""

    def __init__(self, name: str, table: dict[str, Any]) -> None:
        self._table = table
        self._listed = list_numbers(name)
        self._low, self._high = (np.array([n[k] for n in self._listed], dtype=float) for k in (1, 2))

    def decode(self, x: np.ndarray) -> dict[str, Any]:
        table = copy.deepcopy(self._table)
        for (ways, _, _, digits), value in zip(self._listed, self._low + x * (self._high - self._low), strict=True):
            for way in ways:
                put(table, way, round(float(value), digits))
        if table.get("mirrored", False):
            # As if the other leg's step had just ended: on one foot, about to land on the next.
            pose = table["states"][-1]["pose_deg"]
            table["start"]["pose_deg"] = {swap_side(axis): angle for axis, angle in pose.items()}
        return table

    def encode(self) -> np.ndarray:
        values = np.array([_get(self._table, ways[0]) for ways, _, _, _ in self._listed])
        return np.clip((values - self._low) / (self._high - self._low), 0.0, 1.0)


def _get(table: dict[str, Any], way: str) -> float:
    entry: Any = table
    for part in way.split("."):
        entry = next(s for s in entry if s["name"] == part.split("+")[0]) if isinstance(entry, list) else entry[part]
    return float(entry)


# -- trials -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """What became of one run."""

    #: How far each step was of the gait, from 0 to 1.
    worth: tuple[float, ...]
    #: Whether it did all steps that were asked for.
    whole: bool
    time_s: float
    speed_mps: float
    air: float

    @property
    def score(self) -> float:
        """Higher is better. The time of a fall tells apart those of equal steps."""
        return sum(0.3 + 0.7 * w for w in self.worth) + 0.05 * min(self.time_s, 2.0)

    @property
    def good(self) -> bool:
        """Whether it did all steps, and they are of the gait."""
        return self.whole and self.mean_worth >= GOOD

    @property
    def mean_worth(self) -> float:
        return float(np.mean(self.worth)) if self.worth else 0.0

    def describe(self) -> str:
        return (
            f"{len(self.worth)} steps worth {sum(self.worth):.1f}, {self.speed_mps:.2f} m/s, "
            f"{100 * self.air:.0f} % in the air"
        )


def run(table: dict[str, Any], judge: Judge, steps: int, timestep_s: float) -> Trial:
    """One run from the start, until the steps are done, it falls, or it is plainly not the gait."""
    world = open_world(table, timestep_s)
    pilot, percept = find_balancer(world), world.percepts[0]
    pilot.workers = 1
    looks: list[int] = []
    worth: list[float] = []
    every, airborne, at = round(LOOK_S / timestep_s), 0, 0.0
    left_carries = table["states"][0]["stance"] == "left"
    # A leg may be balanced more than once while it carries.
    parts = sum(s.get("ends_step", False) for s in table["states"])
    try:
        while len(worth) < steps and world.fell_at_s() is None:
            world.advance(every, stop_on=["down"])
            down = [percept.touch_load[percept.roles[foot]] > 0.0 for foot in FEET]
            stance, other = down if left_carries else reversed(down)
            looks.append(BOTH if stance and other else STANCE if stance else OTHER if other else AIR)
            airborne += looks[-1] == AIR
            if len(pilot.steps) >= parts * (len(worth) + 1):
                step = pilot.steps[-1]
                worth.append(judge(looks, step.at[0] - at))
                looks, at = [], step.at[0]
                left_carries = left_carries != table.get("mirrored", False)
                if len(worth) >= PATIENCE and max(worth[-PATIENCE:]) < 0.02:
                    break
    except DivergedError:
        pass  # it counts for what it did before
    speed = pilot.steps[-1].at[0] / pilot.steps[-1].time_s if pilot.steps else 0.0
    share_of_air = airborne * LOOK_S / max(world.time_s, LOOK_S)
    return Trial(tuple(worth), len(worth) == steps, world.time_s, speed, share_of_air)


def run_worst(table: dict[str, Any], judge: Judge, steps: int, timesteps_s: Sequence[float]) -> Trial:
    """The worse of runs with several time steps; a run that ends early spares the others."""
    worst = run(table, judge, steps, timesteps_s[0])
    for timestep_s in timesteps_s[1:] if worst.whole else ():
        worst = min(worst, run(table, judge, steps, timestep_s), key=lambda t: t.score)
    return worst


# -- the search -------------------------------------------------------------------------------------------------------


class Hunt:
    """Trials of points, the length that they have now, and the best table so far."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args, self._judge = args, JUDGES[args.gait]
        table = make_table(args.gait, args.body)
        if args.walk:
            table = grow(args.gait, tomllib.loads(args.walk.read_text()), args.body)
        if args.like:
            table = tomllib.loads(args.like.read_text())
        self._numbers = Numbers(args.gait, table)
        self.begin = self._numbers.encode()
        self.steps, self.found = min(FIRST_STEPS, args.steps), False
        #: The best score of trials as long as now, and of those of the full length.
        self._best = self._longest = -math.inf

    def try_all(self, points: Sequence[np.ndarray], name: str) -> list[float]:
        """The score of each. Where the best did all of its steps, it is tried for as long as is asked for."""
        timesteps = self._args.timesteps if self.steps == self._args.steps else [self._args.quick_timestep]
        trials = [run_worst(self._numbers.decode(x), self._judge, self.steps, timesteps) for x in points]
        scores = [t.score for t in trials]
        top = int(np.argmax(scores))
        print(f"{name}: {trials[top].describe()} of {self.steps}; median score {np.median(scores):.2f}", flush=True)
        if scores[top] > self._best:
            self._best = scores[top]
            if trials[top].good:
                self._try_whole(points[top])
            elif self._longest == -math.inf:
                self._save(points[top])
        longer = sum(t.whole and t.mean_worth >= self._args.longer_at for t in trials)
        if self.steps < self._args.steps and longer >= len(points) / 4:
            self._best, self.steps = -math.inf, min(2 * self.steps, self._args.steps)
        return scores

    def _try_whole(self, point: np.ndarray) -> None:
        trial = run_worst(self._numbers.decode(point), self._judge, self._args.steps, self._args.timesteps)
        print(f"  the best for longer: {trial.describe()} of {self._args.steps}", flush=True)
        self.found = trial.good
        if trial.score > self._longest:
            self._longest = trial.score
            self._save(point)

    def _save(self, point: np.ndarray) -> None:
        self._args.out.parent.mkdir(parents=True, exist_ok=True)
        self._args.out.write_text(tomli_w.dumps(self._numbers.decode(point)))


def parse(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gait", choices=list(GAITS), help="; ".join(f"{k}: {g.help}" for k, g in GAITS.items()))
    parser.add_argument("out", type=Path, help="the best table that was found; with --check, the one to run")
    parser.add_argument("--check", action="store_true", help="only run a table, with each time step")
    parser.add_argument("--like", type=Path, help="a table of the same gait to go on from")
    parser.add_argument("--walk", type=Path, help="a walk that was found before, to grow a skip from")
    parser.add_argument("--body", default="laszlo_human12")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--timesteps", type=float, nargs="+", default=[0.0005, 0.00025], help="of the longest trials")
    parser.add_argument("--quick-timestep", type=float, default=0.001, help="of all shorter ones")
    parser.add_argument("--samples", type=int, default=200, help="random points from the best of which it goes on")
    parser.add_argument("--spread", type=float, default=0.15, help="of these, of the distance between the bounds")
    parser.add_argument("--longer-at", type=float, default=GOOD, help="mean worth that makes trials longer")
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--population", type=int, default=16)
    parser.add_argument("--sigma", type=float, default=0.05, help="of CMA-ES at first")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(argv)


def check(args: argparse.Namespace) -> None:
    """Prints what a table comes to."""
    table = tomllib.loads(args.out.read_text())
    for timestep_s in args.timesteps:
        trial = run(table, JUDGES[args.gait], args.steps, timestep_s)
        print(f"{timestep_s:g} s: {trial.describe()} of {args.steps} steps", flush=True)


def main(argv: Sequence[str] | None = None) -> None:
    args = parse(argv)
    if args.check:
        check(args)
        return
    import cma

    hunt, random = Hunt(args), np.random.default_rng(args.seed)
    begin, best = hunt.begin, -math.inf
    for k in range(0, args.samples, args.population):
        points = [np.clip(random.normal(hunt.begin, args.spread), 0.0, 1.0) for _ in range(args.population)]
        scores = hunt.try_all(points, f"sample {k}")
        if hunt.found:
            return
        if max(scores) > best:
            best, begin = max(scores), points[int(np.argmax(scores))]
    options = {"popsize": args.population, "seed": args.seed, "verbose": -9, "bounds": [0.0, 1.0]}
    search = cma.CMAEvolutionStrategy(begin, args.sigma, options)
    for generation in range(args.generations):
        points = search.ask()
        search.tell(points, [-s for s in hunt.try_all(points, f"generation {generation}")])
        if hunt.found:
            return


if __name__ == "__main__":
    main()
