"""The balancer: a pilot that scales the perturbations of each step to end it on target [Laszlo96 §3.7].

At the start of a step it simulates the step with hip perturbations of ±k, builds a linear model Q(K) = Q_nom + J·K and
takes K* = J⁻¹·(Q_d − Q_nom) [Eq. 3.9, 3.11; the printed sign of ΔQ is reversed]. The samples of one stage run in
parallel, each in its own world.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from poise.batches.threads import run_trials
from poise.characters.model import SIDES
from poise.controllers.limit_cycle import layout
from poise.controllers.limit_cycle.graph import PoseGraph
from poise.controllers.limit_cycle.layout import MODELS, STRATEGIES
from poise.controllers.limit_cycle.models import Model, ModelStore, describe_state
from poise.controllers.limit_cycle.regulation import Regulation
from poise.controllers.limit_cycle.solve import build_model, solve
from poise.errors import DivergedError, InputError
from poise.kernels.fixed import turn
from poise.kernels.percept import Percept
from poise.kernels.rotation import wrap_rad
from poise.world.controller import FloatArray
from poise.world.pilot import PlainState
from poise.world.plain_data import read_array, read_number, read_numbers, read_whole
from poise.world.snapshots import Snapshot
from poise.world.world import World

#: A sampled step that has not ended after this many seconds is cut off.
LONGEST_STEP_S: Final = 3.0
#: Heading error at which the turn saturates.
FULL_TURN_RAD: Final = math.pi / 4
#: How many models of its own the walk needs before it looks one up among them, and how many it keeps.
ENOUGH_MODELS, MOST_MODELS = 30, 1000
#: Most models built for one step while the result misses the tolerance.
REBUILDS: Final = 3


MAX_STEPS: Final = 10**9
"""Upper bound on the steps of a run and on the samples of a step; no real run reaches it."""


class Step(NamedTuple):
    """Outcome of one step: target and reached values (ahead, to the left), scalings, and how they were found."""

    number: int
    stance: str
    time_s: float
    target: tuple[float, float]
    scaling: tuple[float, float]
    #: Prediction of the model; NaN in open loop.
    predicted: tuple[float, float]
    reached: tuple[float, float]
    #: Number of simulations used to sample it.
    samples: int
    singular: bool
    #: Scaling of every perturbation, in the controller's order.
    applied: tuple[float, ...]
    #: Position and heading of the pelvis at the end of the step.
    at: tuple[float, float]
    heading_rad: float


@dataclass
class _Plan:
    """The step in progress."""

    number: int = 0
    stance: int = -1
    time_s: float = 0.0
    target: list[float] = field(default_factory=lambda: [math.nan, math.nan])
    scaling: list[float] = field(default_factory=lambda: [0.0, 0.0])
    predicted: list[float] = field(default_factory=lambda: [math.nan, math.nan])
    samples: int = 0
    singular: bool = False
    applied: tuple[float, ...] = ()
    #: State at its start, and the Jacobian used for it.
    state: FloatArray = field(default_factory=lambda: np.zeros(0))
    jacobian: FloatArray | None = None

    def take(self, model: Model, target: FloatArray, most: FloatArray) -> None:
        """Take the scalings that a model gives for a target, and their predicted result."""
        scaling, singular = solve(model, target, most, self.scaling)
        self.singular = self.singular or singular
        self.scaling, self.predicted, self.jacobian = scaling.tolist(), model.predict(scaling).tolist(), model.jacobian


class Balancer:
    """Chooses the scalings of the next step at the end of each step of a pose graph."""

    name = "balancer"
    events: Sequence[str] = ("phase",)
    period_s = 0.0

    def __init__(
        self,
        base: PoseGraph,
        changes: Mapping[str, PoseGraph],
        regulation: Regulation,
        character: int = 0,
        *,
        path_m: Sequence[tuple[float, float]] = (),
        store: ModelStore | None = None,
        workers: int = 2,
    ) -> None:
        self.character = character
        self._path = tuple(path_m)
        #: Number of path points reached.
        self.passed = 0
        self._stances = [SIDES.index(s.stance) if s.stance else -1 for s in base.states]
        self.base, self.changes = base, dict(changes)
        #: Threads that run the samples of a step.
        self.workers = workers
        self._twins: list[World] = []
        self._regulation = regulation
        self._plan = _Plan()
        self._place = (0.0, 0.0)
        self.steps: list[Step] = []
        self._store = store
        #: Start states of steps and the models of those steps, all expressed for a step on the right leg.
        self.seen: list[tuple[FloatArray, Model]] = []

    # -- as a pilot -------------------------------------------------------------------------------------------------

    def decide(self, world: World, causes: Collection[str] = ()) -> None:
        """Record how the step ended, and choose the scalings of the next."""
        memory = layout.read_memory(world.memories[self.character])
        if self._plan.number > 0 and memory.steps < self._plan.number:
            return  # another character's step
        self._note(world)
        params = world.params[self.character]
        p = layout.read_params(params)
        state = int(memory.state)
        stance = self._stances[state]
        self._follow(world, params)
        target = self._aim(world, params, stance)
        plan = _Plan(self._plan.number + 1, stance, world.time_s, [float(v) for v in target], list(self._plan.scaling))
        self._plan = plan
        plan.state = self._describe(world, max(stance, 0))
        strategy = STRATEGIES[int(p.strategy)]
        if strategy == "open" or stance < 0:
            plan.scaling = [0.0, 0.0]
        else:
            self._settle(world, params, strategy, target, plan)
        _apply(params, (p.forward, plan.scaling[0]), (p.side, plan.scaling[1]))
        plan.applied = tuple(float(v) for v in params[layout.SCALINGS_AT : layout.SCALINGS_AT + len(self.changes)])
        at = world.percepts[self.character].pos_w[0]
        self._place = (float(at[0]), float(at[1]))

    def state(self) -> PlainState:
        return {
            "plan": vars(self._plan).copy(),
            "place": self._place,
            "passed": self.passed,
            "steps": tuple(self.steps),
            "seen": tuple(self.seen),
        }

    def restore(self, state: PlainState) -> None:
        plan, (x, y) = _read_plan(state["plan"], len(self.changes)), read_numbers(state["place"], 2)
        steps = [_read_step(row) for row in state["steps"]]
        size = len(state["seen"][0][0]) if state["seen"] else len(plan.state)
        seen = [(read_array(described, (size,)), _read_model(model)) for described, model in state["seen"]]
        passed = read_whole(state["passed"], 0, len(self._path))
        self._plan, self._place, self.passed, self.steps, self.seen = plan, (x, y), passed, steps, seen

    # -- before a step ----------------------------------------------------------------------------------------------

    def _note(self, world: World) -> None:
        """Record the step that has just ended."""
        plan, percept = self._plan, world.percepts[self.character]
        if plan.number == 0:
            return
        reached = self._measure(world, plan.stance)
        self._learn(reached, plan)
        at, (c, s) = percept.pos_w[0], self._regulation.ahead(percept)
        self.steps.append(
            Step(
                number=plan.number,
                stance=SIDES[plan.stance] if plan.stance >= 0 else "",
                time_s=world.time_s,
                target=(plan.target[0], plan.target[1]),
                scaling=(plan.scaling[0], plan.scaling[1]),
                predicted=(plan.predicted[0], plan.predicted[1]),
                reached=(float(reached[0]), float(reached[1])),
                samples=plan.samples,
                singular=plan.singular,
                applied=plan.applied,
                at=(float(at[0]), float(at[1])),
                heading_rad=math.atan2(s, c),
            )
        )

    def _measure(self, world: World, stance: int) -> FloatArray:
        p, percept = layout.read_params(world.params[self.character]), world.percepts[self.character]
        read = self._regulation.read
        stance = max(stance, 0)
        ahead = read(percept, int(p.forward_by), stance)[0]
        aside = read(percept, int(p.side_by), stance)[1]
        return np.array([ahead, aside])

    def _follow(self, world: World, params: FloatArray) -> None:
        """Move every variation towards its requested scaling, and turn."""
        count = len(self.changes)
        p = layout.read_params(params)
        chosen = {int(getattr(p, role)) for role in layout.ROLES}
        for k in set(range(count)) - chosen:
            now, asked = params[layout.applied_at(k)], params[layout.commanded_at(k, count)]
            most = params[layout.pace_at(k, count)]
            params[layout.applied_at(k)] = now + min(max(asked - now, -most), most)
        turn = p.turn_deg
        if p.follow > 0.0:
            # k_turn = k_θ·θ, clamped; it saturates at 45 degrees [§5.3.1].
            part = self._find_error_rad(world, params) / FULL_TURN_RAD
            turn = p.turn_most_deg * min(max(part, -1.0), 1.0)
        _apply(params, (p.turn_left, max(turn, 0.0)), (p.turn_right, max(-turn, 0.0)))

    def _find_error_rad(self, world: World, params: FloatArray) -> float:
        """Heading error, positive to the left: to the commanded heading, or to the next point of the path."""
        percept = world.percepts[self.character]
        c, s = self._regulation.ahead(percept)
        p = layout.read_params(params)
        goal = math.radians(p.heading_deg)
        if self._path:
            dx, dy = self._offset_to_next(percept)
            # Points that lie close together are passed at once. The path is cyclic, hence the bound on the loop.
            for _ in self._path[1:]:
                if math.hypot(dx, dy) > p.near_m:
                    break
                self.passed += 1
                dx, dy = self._offset_to_next(percept)
            goal = math.atan2(dy, dx)
        return wrap_rad(goal - math.atan2(s, c))

    def _offset_to_next(self, percept: Percept) -> tuple[float, float]:
        x, y = self._path[self.passed % len(self._path)]
        return x - float(percept.pos_w[0, 0]), y - float(percept.pos_w[0, 1])

    def _aim(self, world: World, params: FloatArray, stance: int) -> FloatArray:
        """Q_d of the next step: the target plus the speed feedback [Eq. 5.1]."""
        percept = world.percepts[self.character]
        c, s = self._regulation.ahead(percept)
        p = layout.read_params(params)
        target = np.array([p.target, p.target_side])
        # The vector points from the swing foot to the COM: with that foot further out, it leans to the stance leg.
        target[1] += p.outward * (1.0 if stance == 0 else -1.0)
        if self._plan.number > 0:
            dx, dy = percept.pos_w[0, 0] - self._place[0], percept.pos_w[0, 1] - self._place[1]
            ahead, aside = c * dx + s * dy, c * dy - s * dx
            more = p.speed_gain * (p.speed_mpstep - ahead)
            side = -p.side_gain * aside
            target[0] += min(max(more, -p.speed_most), p.speed_most)
            target[1] += min(max(side, -p.side_most), p.side_most)
        target[0] = min(target[0], p.target_most)
        return target

    # -- sampling ---------------------------------------------------------------------------------------------------

    def _settle(self, world: World, params: FloatArray, strategy: str, target: FloatArray, plan: _Plan) -> None:
        """Find the scalings by the strategy; write them and their predicted result into the plan."""
        p = layout.read_params(params)
        sample = np.array([p.sample_deg, p.sample_side_deg])
        most = np.array([p.most_deg, p.most_side_deg])
        tolerance = np.array([p.tolerance, p.tolerance_side])
        known = self._recall(world, params, plan)
        if known is not None:
            plan.take(known, target, most)
            return
        snapshot = world.snapshot()
        attempt = partial(self._try, world, snapshot, plan)
        around = np.zeros(2)
        for _ in range(REBUILDS):
            plan.take(build_model(attempt, strategy, target, sample, most, around, plan.scaling), target, most)
            scaling = np.array(plan.scaling)
            if np.all(tolerance >= 1.0):
                return
            (reached,) = attempt([scaling])
            if np.all(np.abs(reached - target) <= tolerance):
                return
            around = scaling

    def _recall(self, world: World, params: FloatArray, plan: _Plan) -> Model | None:
        """A model that needs no samples; None if none is wanted or none can be trusted [§6.1.1]."""
        p = layout.read_params(params)
        models = MODELS[int(p.models)]
        if models == "look-up" and self._store is not None:
            found = self._store.look_up(self._describe(world, plan.stance))
            return found if plan.stance == 1 else found.mirrored()
        if models != "reuse" or len(self.seen) < ENOUGH_MODELS:
            return None
        errors = [np.abs(np.subtract(s.reached, s.predicted)).max() for s in self.steps[-2:]]
        if max(errors, default=0.0) > p.trust:
            return None
        found = ModelStore.gather(self.seen).look_up(self._describe(world, plan.stance))
        return found if plan.stance == 1 else found.mirrored()

    def _learn(self, reached: FloatArray, plan: _Plan) -> None:
        """Store the model of a step by its start state: the result without the effect of its scalings, and J."""
        if plan.jacobian is not None:
            model = Model(reached - turn(plan.jacobian, plan.scaling), plan.jacobian)
            seen = (plan.state, model if plan.stance == 1 else model.mirrored())
            self.seen = [*self.seen[-MOST_MODELS + 1 :], seen]

    def _describe(self, world: World, stance: int) -> FloatArray:
        percept = world.percepts[self.character]
        return describe_state(percept, self._regulation.ahead(percept), stance)

    def _try(self, world: World, snapshot: Snapshot, plan: _Plan, tries: Sequence[FloatArray]) -> list[FloatArray]:
        """Result of the step with each of these scalings."""
        while len(self._twins) < len(tries):
            self._twins.append(world.twin())
        plan.samples += len(tries)
        jobs = [
            partial(self._sample, twin, snapshot, k, plan.stance) for twin, k in zip(self._twins, tries, strict=False)
        ]
        if self.workers < 2 or len(jobs) < 2:
            return [job() for job in jobs]
        return run_trials(jobs, workers=self.workers)

    def _sample(self, twin: World, snapshot: Snapshot, scaling: FloatArray, stance: int) -> FloatArray:
        twin.restore(snapshot)
        twin.forget_pushes()
        params = twin.params[self.character]
        p = layout.read_params(params)
        _apply(params, (p.forward, scaling[0]), (p.side, scaling[1]))
        try:
            twin.advance(round(LONGEST_STEP_S / twin.settings.timestep_s), stop_on=["phase"])
        except DivergedError:
            return np.array([math.nan, math.nan])
        return self._measure(twin, stance)


def _apply(params: FloatArray, *scalings: tuple[float, float]) -> None:
    """Set scalings of perturbations by index; -1 means no such perturbation."""
    for number, scaling in scalings:
        if number >= 0.0:
            params[layout.applied_at(int(number))] = scaling


def _read_plan(state: Mapping[str, Any], changes: int) -> _Plan:
    plan = _Plan(**state)
    return replace(
        plan,
        number=read_whole(plan.number, 0, MAX_STEPS),
        stance=read_whole(plan.stance, -1, 1),
        time_s=read_number(plan.time_s),
        target=list(read_numbers(plan.target, 2, finite=False)),
        scaling=list(read_numbers(plan.scaling, 2)),
        predicted=list(read_numbers(plan.predicted, 2, finite=False)),
        samples=read_whole(plan.samples, 0, MAX_STEPS),
        singular=bool(plan.singular),
        applied=read_numbers(plan.applied, len(plan.applied) and changes),
        state=read_array(plan.state, (None,)),
        jacobian=None if plan.jacobian is None else read_array(plan.jacobian, (2, None)),
    )


def _read_step(row: Sequence[Any]) -> Step:
    step = Step(*row)
    read_whole(step.number, 0, MAX_STEPS)
    read_whole(step.samples, 0, MAX_STEPS)
    for number in (step.time_s, step.heading_rad):
        read_number(number)
    for pair in (step.target, step.scaling, step.predicted, step.reached, step.at):
        read_numbers(pair, 2, finite=False)
    # Tuples come back from a file as lists.
    values: Any = [tuple(value) if isinstance(value, list) else value for value in step]
    return Step(*values)


def _read_model(model: Sequence[Any]) -> Model:
    nominal, jacobian = model
    return Model(read_array(nominal, (2,)), read_array(jacobian, (2, None)))


def find_balancer(world: World, character: int = 0) -> Balancer:
    """The balancer of a character under limit cycle control."""
    for pilot in world.pilots:
        if isinstance(pilot, Balancer) and pilot.character == character:
            return pilot
    raise InputError("no balancer", where=f"character {character}", allowed="It needs a limit-cycle controller")
