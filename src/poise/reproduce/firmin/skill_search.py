"""`poise tune skill`: CMA-ES search over the numbers of a controller script.

A number is a script parameter with a SET line. `name` varies it around its value, `name=low:high` between two bounds;
without any names, all numbers vary. The cost of a run is the sum of the terms of `skill_costs`; that of a candidate is
the mean over its starts plus half of the worst. With `from_phase`, the lead-in of each start runs once, and trials
begin where the main script enters that phase; with `fails`, a trial ends when it enters that phase. Cases and terrains
try every start with each of several values and on each of several grounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from poise.batches.threads import count_cores
from poise.errors import InputError
from poise.files import digest, load_text, save_text
from poise.optim.cma_es import CmaEs
from poise.optim.draws import Draws
from poise.optim.space import FloatArray, Space, Variable
from poise.reproduce.firmin.skill_plan import SETTING, Plan, make_variable, read_settings, spell, write_settings
from poise.reproduce.firmin.skill_stage import Theatre
from poise.search.drive import Judged, Told, drive, ending_with_best
from poise.search.session import Say, Session, open_session
from poise.skills.skill import find_skill


@dataclass(frozen=True)
class Found:
    """Result of a search: values of the parameters, and their cost."""

    values: Mapping[str, float]
    cost: float
    first_cost: float
    evaluations: int
    interrupted: bool


class Hunt:
    """A search: uniform draws, then CMA-ES around the best of them, and the best candidate so far."""

    def __init__(self, theatre: Theatre, variables: Sequence[Variable], say: Say | None = None) -> None:
        self.theatre, self.variables, self._say = theatre, tuple(variables), say
        self.values = {v.name: v.start for v in variables}
        if len(self.variables) < 2:
            raise InputError("poise tune skill: CMA-ES needs two numbers or more.")
        self.cost = self.first_cost = np.inf
        self.evaluations = 0

    def run(self, session: Session) -> None:
        plan = self.theatre.plan
        start = round_values(self.values)
        self.first_cost = session.recall("start", lambda: float(self.theatre.try_all([start])[0]), read=float)
        self._keep(start, self.first_cost)
        self.evaluations += 1
        draws = Draws(
            lambda random: random.uniform(size=len(self.variables)), population=plan.population, seed=plan.seed
        )
        self._drive(draws, self._spread, -(-plan.draws // plan.population), session, "draws")
        centred = [Variable(v.name, v.low, v.high, self.values[v.name], v.spread) for v in self.variables]
        space = Space(tuple(centred))
        generations = -(-max(plan.evaluations - self.evaluations, 0) // plan.population)
        search = CmaEs(space, population=plan.population, seed=plan.seed)
        self._drive(search, space.decode, generations, session, "generation")

    def _drive(
        self,
        optimizer: Draws | CmaEs,
        decode: Callable[[FloatArray], Mapping[str, float]],
        generations: int,
        session: Session,
        key: str,
    ) -> None:
        """Try candidates rounded as they would be written, and keep the best of all."""

        def evaluate(_generation: int, points: FloatArray) -> Judged:
            return Judged(self.theatre.try_all([round_values(decode(point)) for point in points]))

        def take(told: Told) -> None:
            self.evaluations += len(told.costs)
            best = int(np.argmin(told.costs))
            self._keep(round_values(decode(told.points[best])), float(told.costs[best]))
            if self._say is not None and told.is_new:
                self._say(f"{self.evaluations} candidates: {told.costs[best]:.4f}, best so far {self.cost:.4f}")

        drive(optimizer, evaluate, done=lambda told: told >= generations, session=session, key=key, follow=take)

    def _spread(self, point: FloatArray) -> dict[str, float]:
        return {v.name: float(v.low + x * (v.high - v.low)) for v, x in zip(self.variables, point, strict=True)}

    def _keep(self, values: Mapping[str, float], cost: float) -> None:
        if cost < self.cost:
            self.cost, self.values = cost, dict(values)


def round_values(values: Mapping[str, float]) -> dict[str, float]:
    """Values rounded to the scripts' notation."""
    return {name: float(spell(value)) for name, value in values.items()}


def tune_skill(
    script: str,
    plan: Plan,
    out: Path,
    command: str,
    *,
    resume: bool = False,
    workers: int | None = None,
    say: Say | None = None,
) -> Found:
    """Search for the numbers of a script and write it with the best ones; a comment holds the command."""
    path = find_skill(script)
    is_same = out.exists() and out.resolve() == path.resolve()
    if not resume and out.exists() and not is_same:
        raise InputError(f"{out}: already exists. Give another file with --out.")
    text = load_text(path)
    variables = _make_variables(plan, read_settings(text))
    # Results may go into the same file: the rest of it must not have changed.
    notes = {**asdict(plan), "script": digest(SETTING.sub("", text).encode())}
    with open_session(out, "tune", notes, resume=resume, say=say) as session:
        text = session.remember("script", text)
        if is_same:
            variables = _make_variables(plan, read_settings(text))
        hunt = Hunt(Theatre(path, plan, workers or count_cores()), variables, say)
        with ending_with_best(lambda: hunt.evaluations > 0) as end:
            hunt.run(session)
        save_text(out, write_settings(text, hunt.values, f"Cost {hunt.cost:.3g} by: {command}"))
        if not end.interrupted:
            session.finish()
    return Found(hunt.values, hunt.cost, hunt.first_cost, hunt.evaluations, end.interrupted)


def _make_variables(plan: Plan, settings: Mapping[str, float]) -> list[Variable]:
    return [make_variable(wish, settings, plan.sigma_part) for wish in plan.vary or settings]
