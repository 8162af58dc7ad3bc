"""Finds numbers of a controller script by CMA-ES: those with which it costs least from several changed starts.

A number is a parameter of the script that has a SET line: its name alone lets it vary around its value, `name=low:high`
between two bounds; without any, all vary. Costs are sums of the terms of `tools.skill_costs`; what counts is the mean
over the starts plus half of the worst. With --from-phase the lead-in of each start runs once, and trials go on from
where the main script came to that phase; with --fails a trial ends where it comes to that one. --cases and --terrains
try every start with each of several values and on each of several grounds. Equal arguments find the same again. Ctrl-C
ends it with the best so far. --write puts the numbers into the file, with the command as a comment.

    .venv/bin/python -m tools.find_skill handspring tp fx=-200:200 --cost 3*turned:1 standing --starts 3 \\
        --from-phase 2 --fails 9 --evaluations 300 --seed 1
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar

import numpy as np

from poise.batches.threads import run_trials
from poise.controllers.script.build import build_controller
from poise.errors import DivergedError, InputError, PoiseError, unknown_name
from poise.files import save_text
from poise.language.tree import TORQUE_LIMIT
from poise.optim.cma_es import CmaEs
from poise.optim.space import FloatArray, Space, Variable
from poise.recordings.recording import Recording
from poise.reproduce.firmin.skills import SKILLS
from poise.rollout.simulate import make_recording
from poise.skills.moment import find_places
from poise.skills.poses import ACROBATIC, POSES, Change, change_start
from poise.skills.skill import find_skill
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Spawn
from poise.world.snapshots import Snapshot
from poise.world.tape import TapeLog
from poise.world.terrain import parse_terrain
from poise.world.world import World
from tools.skill_costs import Part, read_part

T = TypeVar("T")
#: Around its value a number varies by this part of it, and at least so far, where no bounds are given.
AROUND, LEAST = 0.6, 0.2
RECORD_HZ: Final = 100.0
#: In so much time it must have come to the phase from which trials begin.
LEAD_IN_S: Final = 30.0
#: What a run costs that diverges.
DIVERGED: Final = 1000.0
SETTING: Final = re.compile(r"^SET\s+(\w+)\s*=\s*(\S+)\s*$", re.MULTILINE)


def read_settings(text: str) -> dict[str, float]:
    """Parameters of a script and their values, as its SET lines give them."""
    return {name: float(value) for name, value in SETTING.findall(text) if name != TORQUE_LIMIT}


def write_settings(text: str, values: Mapping[str, float], note: str) -> str:
    """The text with other values in its SET lines, and a note before the first line that is no comment."""

    def put(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"SET {name} = {spell(values[name])}" if name in values else match.group(0)

    lines = SETTING.sub(put, text).split("\n")
    first = next(k for k, line in enumerate(lines) if not line.startswith("#"))
    return "\n".join([*lines[:first], f"# {note}", *lines[first:]])


def spell(value: float) -> str:
    """A number as scripts have it: four digits that count, no exponent."""
    digits = max(0, 3 - int(np.floor(np.log10(max(abs(value), 1e-3)))))
    text = np.format_float_positional(round(value, digits), trim="-")
    return re.sub(r"^(-?)0\.", r"\1.", text)


def make_variable(wish: str, settings: Mapping[str, float], part: float) -> Variable:
    """The variable that `tp` or `tp=.1:.3` stands for; its spread is a part of its range."""
    name, _, bounds = wish.partition("=")
    if name not in settings:
        raise unknown_name("find_skill", "parameter", name, list(settings))
    value = settings[name]
    reach = max(AROUND * abs(value), LEAST)
    try:
        low, high = (float(b) for b in bounds.split(":")) if bounds else (value - reach, value + reach)
    except ValueError:
        raise InputError(f"find_skill: {wish!r} is no range. It reads name=low:high.") from None
    return Variable(name, low, high, min(max(value, low), high), part * (high - low))


@dataclass(frozen=True)
class Case:
    """A ground and values with which a script is tried."""

    terrain: str
    values: Mapping[str, float]


def make_cases(args: argparse.Namespace) -> list[Case]:
    """Every ground with every value: `--cases height=.1 height=.2 --terrains flat slope:5` are four."""
    texts = [text.partition("=") for text in args.cases] or [("", "", "")]
    return [Case(ground, {name: float(value)} if name else {}) for ground in args.terrains for name, _, value in texts]


class Stage:
    """Worlds for one case, and the moments at which its trials begin."""

    def __init__(self, case: Case, worlds: int, open_world: Callable[[Case], World]) -> None:
        self.case = case
        self._free: SimpleQueue[World] = SimpleQueue()
        for _ in range(worlds):
            self._free.put(open_world(case))
        self.moments: list[Snapshot] = []

    def use(self, work: Callable[[World], T]) -> T:
        """What a piece of work gives that has a world for itself meanwhile."""
        world = self._free.get()
        try:
            return work(world)
        finally:
            self._free.put(world)


class Theatre:
    """Stages on which a script is tried, one for each case."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args, self.path = args, find_skill(args.script)
        self.character = load_any_character("planar17")
        self.controller = build_controller(self.path, self.character, self.path.stem)
        self.costs: list[Part] = [read_part(text) for text in args.cost]
        self.stages = [Stage(case, args.workers, self._open) for case in make_cases(args)]
        for stage in self.stages:
            stage.moments = run_trials([partial(stage.use, partial(self._lead_in, k)) for k in self._seeds()])

    def _seeds(self) -> range:
        return range(self.args.first_start, self.args.first_start + self.args.starts)

    def _open(self, case: Case) -> World:
        settings = PhysicsSettings(timestep_s=self.args.timestep)
        controller = self.controller.with_values(case.values)
        world = World([self.character], [controller], settings=settings, terrain=parse_terrain(case.terrain))
        world.warm_up()
        return world

    def _lead_in(self, seed: int, world: World) -> Snapshot:
        """Where the trials of a start begin: a tick before the phase, which looks up its arguments as it begins."""
        self._place(world, seed)
        if self.args.from_phase:
            if self._go(world, LEAD_IN_S, self.args.from_phase, None):
                raise InputError(f"find_skill: from start {seed} it never comes to phase {self.args.from_phase}.")
            ticks = world.tick - 1
            self._place(world, seed)
            world.advance(ticks)
        self._shake(world, seed)
        return world.snapshot()

    def _place(self, world: World, seed: int) -> None:
        world.reset()
        change = Change(*self.args.change)
        world.place(0, change_start(self.character, self.args.pose, change, seed), Spawn(self.args.place))

    def _shake(self, world: World, seed: int) -> None:
        """Changes the speeds where the trials begin; angles would move what stands on the ground."""
        random, speeds = np.random.default_rng([seed, 1]), world.percepts[0].joint_v
        speeds += random.uniform(-self.args.shake, self.args.shake, len(speeds))

    def _go(self, world: World, seconds: float, phase: int | None, log: TapeLog | None) -> bool:
        """Goes on until the main script comes to a phase: whether it never did in so many seconds."""
        dt = world.settings.timestep_s
        end = world.tick + round(seconds / dt)
        every = max(1, round(1.0 / (RECORD_HZ * dt))) if log is not None else 0
        while world.tick < end:
            world.advance(end - world.tick, stop_on=["phase"], record_every=every, log=log)
            places = find_places(world)
            if phase is not None and places and places[0].phase == phase:
                return False
        return True

    def _try(self, values: Mapping[str, float], moment: Snapshot, world: World) -> float:
        """What a run from a moment costs."""
        world.restore(moment)
        for name, value in values.items():
            # Not `with_values`: what people may set is less than what a search may try.
            world.params[0][self.controller.parameter(name).index] = value
        log = TapeLog()
        try:
            self._go(world, self.args.seconds, self.args.fails, log)
        except DivergedError:
            return DIVERGED
        return self._judge(make_recording(world, log, (), {}))

    def _judge(self, recording: Recording) -> float:
        return sum(part(recording) for part in self.costs)

    def try_all(self, candidates: Sequence[Mapping[str, float]]) -> FloatArray:
        """The cost of each candidate: the mean over the starts and half of the worst."""
        jobs = [
            partial(stage.use, partial(self._try, values, moment))
            for values in candidates
            for stage in self.stages
            for moment in stage.moments
        ]
        found = np.array(run_trials(jobs, workers=self.args.workers), dtype=float).reshape(len(candidates), -1)
        return np.asarray(found.mean(axis=1) + 0.5 * found.max(axis=1))


class Hunt:
    """A search: uniform draws, then CMA-ES around the best of them, and the best candidate so far."""

    def __init__(self, theatre: Theatre, variables: Sequence[Variable]) -> None:
        self.theatre, self.variables = theatre, tuple(variables)
        self.values = {v.name: v.start for v in variables}
        if len(self.variables) < 2:
            raise InputError("find_skill: CMA-ES needs two numbers or more.")
        self.cost = np.inf
        self.evaluations = 0

    def run(self) -> None:
        args = self.theatre.args
        self._look([dict(self.values)], "as it is")
        random = np.random.default_rng(args.seed)
        for _ in range(0, args.draws, args.population):
            points = random.uniform(size=(args.population, len(self.variables)))
            self._look([self._spread(point) for point in points], "draws")
        centred = [Variable(v.name, v.low, v.high, self.values[v.name], v.spread) for v in self.variables]
        space = Space(tuple(centred))
        search = CmaEs(space, population=args.population, seed=args.seed)
        while self.evaluations < args.evaluations:
            points = search.ask()
            search.tell(points, self._look([space.decode(p) for p in points], f"spread {search.spread:.3f}"))

    def _spread(self, point: FloatArray) -> dict[str, float]:
        return {v.name: float(v.low + x * (v.high - v.low)) for v, x in zip(self.variables, point, strict=True)}

    def _look(self, candidates: Sequence[Mapping[str, float]], what: str) -> FloatArray:
        """Tries candidates as they would stand in the file, and keeps the best of all."""
        rounded = [{name: float(spell(x)) for name, x in values.items()} for values in candidates]
        costs = self.theatre.try_all(rounded)
        self.evaluations += len(rounded)
        best = int(np.argmin(costs))
        if costs[best] < self.cost:
            self.cost, self.values = float(costs[best]), rounded[best]
        print(f"{self.evaluations} {what}: {costs[best]:.4f}, best of all {self.cost:.4f}", flush=True)
        return costs


def parse(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("script", help="a shipped skill or the file of one")
    parser.add_argument("vary", nargs="*", metavar="NAME[=LOW:HIGH]")
    parser.add_argument("--cost", nargs="+", required=True, metavar="[WEIGHT*]TERM[:VALUE]")
    parser.add_argument("--pose", choices=list(POSES), help="in which it begins; that of firmin/skills if it is there")
    parser.add_argument("--seconds", type=float, help="of a trial; those of firmin/skills if it is there, else 10")
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--first-start", type=int, default=1, help="seed of the first start")
    parser.add_argument("--change", type=_read_change, help="of the starts: rad,rad/s")
    parser.add_argument("--place", type=float, default=0.0, metavar="X", help="where the starts are, ahead")
    parser.add_argument("--cases", nargs="+", default=[], metavar="NAME=VALUE", help="values with which all are tried")
    parser.add_argument(
        "--terrains", nargs="+", default=["flat"], metavar="SPEC", help="grounds on which all are tried"
    )
    parser.add_argument("--shake", type=float, default=0.0, help="of speeds where trials begin, in rad/s")
    parser.add_argument("--from-phase", type=int, default=0)
    parser.add_argument("--fails", type=int, help="phase that ends a trial")
    parser.add_argument("--draws", type=int, default=0, help="uniform draws before CMA-ES")
    parser.add_argument("--evaluations", type=int, default=300)
    parser.add_argument("--population", type=int, default=10)
    parser.add_argument("--sigma-part", type=float, default=0.15, help="first spread, as a part of the ranges")
    parser.add_argument("--timestep", type=float, default=0.001)
    parser.add_argument("--workers", type=int, choices=(1, 2), default=2, help="threads")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args(argv)
    known = SKILLS.get(Path(args.script).stem)
    args.pose = args.pose or (known.start if known else "standing")
    args.seconds = args.seconds or (known.seconds if known else 10.0)
    change = known.change if known else ACROBATIC
    args.change = args.change or (change.angle_rad, change.rate_radps)
    return args


def _read_change(text: str) -> tuple[float, float]:
    angle, _, rate = text.partition(",")
    return float(angle), float(rate)


def main(argv: Sequence[str] | None = None) -> None:
    args = parse(argv)
    try:
        theatre = Theatre(args)
        text = theatre.path.read_text()
        settings = read_settings(text)
        hunt = Hunt(theatre, [make_variable(w, settings, args.sigma_part) for w in args.vary or settings])
        with suppress(KeyboardInterrupt):  # what it has found so far is found
            hunt.run()
    except PoiseError as error:
        raise SystemExit(str(error)) from None
    for name, value in hunt.values.items():
        print(f"SET {name} = {spell(value)}")
    if args.write:
        words = [w for w in (sys.argv[1:] if argv is None else argv) if w != "--write"]
        note = f"Cost {hunt.cost:.3g} by: python -m tools.find_skill {' '.join(words)}"
        save_text(theatre.path, write_settings(text, hunt.values, note))


if __name__ == "__main__":
    main()
