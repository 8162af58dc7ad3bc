"""How much body and ground may change under the normal walk, with the same clip and gains [Lee10 §5, Fig. 7].

Walks begin in their cycle, as if body or ground had changed while walking: standing still on a slope or on uneven legs
is another task. A walk continues if it neither falls nor is driven backward. Lengths are scaled with their shapes.
Masses are kept unless stated otherwise, and so are the recorded angles; on shorter legs the recorded path is shorter,
too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.characters.proportions import scaled
from poise.errors import InputError
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import Progress, make_own_row, show_share, split_progress
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.lee.runs import (
    BODY,
    NORMAL,
    TICK_S,
    WALKS,
    Changes,
    Outcome,
    Place,
    Run,
    find_limit,
    load_walk,
    run_walk,
    with_mass,
    with_masses_of,
)
from poise.search.tame_trial import NOISE
from poise.trials import run_trials

SECONDS, QUICK_S = 20.0, 8.0
SEEDS, QUICK_SEEDS = (1, 2, 3), (1,)
#: Allowed relative error of the unchanged walk's speed.
SPEED_PART: Final = 0.15
#: The whole body; the head's joint also carries the arms.
PARTS: Final = ("legs", "trunk", "head", "feet")
#: On slopes, swing-foot heights count from the ground under the other foot.
ON_SLOPES: Final[Changes] = {"over_stance": 1.0}
SETTINGS = {"walk": NORMAL, "seconds": SECONDS, "seeds": SEEDS, "noise": NOISE, "timestep_s": TICK_S}


@dataclass(frozen=True)
class Condition:
    """One kind of change, with its values in order of difficulty."""

    claim: str
    #: Text after a value.
    unit: str
    values: tuple[float, ...]
    #: Value that the source reached, or our own requirement if it gives no figure.
    asked: float
    body: Callable[[float], Character] | None = None
    place: Callable[[float], Place] | None = None
    changes: Changes | None = None
    note: str = ""
    scale: float = 1.0

    def show(self, value: float | None) -> str:
        return "none" if value is None else f"{self.scale * value:.3g}{self.unit}"


def make_body(**factors: float) -> Character:
    """Return the body with some parts scaled and its masses kept."""
    body = load_character(BODY)
    return with_masses_of(scaled(body, **factors), body)


def _grid(first: float, last: float, count: int) -> tuple[float, ...]:
    return tuple(float(np.round(v, 4)) for v in np.linspace(first, last, count))


CONDITIONS: Final = (
    Condition(
        "lee-5-rob-weight", " kg", _grid(1.0, 30.0, 30), 15.0,
        body=lambda kg: with_mass(load_character(BODY), "left_shin", kg), note="On the left shin, which weighs 5 kg.",
    ),
    Condition(
        "lee-5-rob-long-legs", " % longer", _grid(1.1, 2.0, 10), 1.5, body=lambda f: make_body(legs=f),
        note="Thighs and shins, masses kept.",
    ),
    Condition(
        "lee-5-rob-short-legs", " % of their length", _grid(0.9, 0.3, 7), 0.5, body=lambda f: make_body(legs=f),
        note="Thighs and shins, masses kept, and the recorded path shortened alike; as recorded, the limit is 70 %.",
        scale=100.0,
    ),
    Condition(
        "lee-5-rob-asym-leg", " % shorter", _grid(0.995, 0.9, 20), 0.97, body=lambda f: make_body(left_leg=f),
        note="The left leg, masses kept.",
    ),
    Condition(
        "lee-5-rob-slope-up", "°", _grid(1.0, 12.0, 12), 6.0, place=lambda d: Place(slope_deg=d), changes=ON_SLOPES,
        note="Swing-foot heights count from the stance foot.",
    ),
    Condition(
        "lee-5-rob-slope-down", "°", _grid(1.0, 12.0, 12), 4.0, place=lambda d: Place(slope_deg=-d), changes=ON_SLOPES,
        note="Swing-foot heights count from the stance foot.",
    ),
    Condition(
        "lee-7-short-same", " % of its height", _grid(0.95, 0.4, 12), 0.8,
        body=lambda f: make_body(**dict.fromkeys(PARTS, f)), scale=100.0,
        note="The source gives no figure; our own goal is 80 %.",
    ),
    Condition(
        "lee-7-short-light", " % of its height", _grid(0.95, 0.4, 12), 0.8,
        body=lambda f: scaled(load_character(BODY), **dict.fromkeys(PARTS, f)), scale=100.0,
        note="Masses scale with its cube. The source gives no figure; our own goal is 80 %.",
    ),
)  # fmt: skip
#: Friction is changed both ways: to 60 % and 1200 % of a coefficient that is 1 in the released code.
FRICTION_LOW, FRICTION_HIGH = _grid(1.0, 0.1, 10), (1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 24.0)
ASKED_FRICTION: Final = (0.6, 12.0)


def try_value(name: str, condition: Condition, value: float, seed: int, seconds: float) -> Outcome:
    """Run a clip under a condition; a body on which the clip no longer has steps falls at once."""
    try:
        walk = load_walk(name, condition.body(value) if condition.body else None, lead_in=False)
    except InputError:
        return Outcome(0.0, 0.0, 0, 0.0, 0.0, (0.0, 0.0))
    place = condition.place(value) if condition.place else Place()
    return run_walk(walk, Run(seconds, condition.changes or {}, seed, place))


def walks_on(outcome: Outcome) -> bool:
    """True if it neither fell nor was driven backward."""
    return outcome.walked and outcome.speed_mps > 0.0


def find_last(condition: Condition, seeds: Sequence[int], seconds: float) -> float | None:
    """Last value at which the normal walk continues from all starts."""

    def holds(value: float) -> bool:
        return all(walks_on(try_value(NORMAL, condition, value, seed, seconds)) for seed in seeds)

    return find_limit(holds, condition.values, from_index=condition.values.index(condition.asked))[0]


def reached(condition: Condition, limit: float | None) -> tuple[bool, bool]:
    """Whether a limit meets the required value, and whether it exceeds it."""
    if limit is None:
        return False, False
    last, asked = (condition.values.index(v) for v in (limit, condition.asked))
    return last >= asked, last > asked


def _measure_row(condition: Condition, quick: bool, progress: Progress | None) -> Row:
    seeds, seconds = (QUICK_SEEDS, QUICK_S) if quick else (SEEDS, SECONDS)
    if quick:
        ok = all(walks_on(try_value(NORMAL, condition, condition.asked, s, seconds)) for s in seeds)
        limit = condition.asked if ok else None
        others = ""
    else:
        jobs: list[Callable[[], object]] = [partial(find_last, condition, seeds, seconds)]
        names = WALKS[1:]
        plan = [(name, seed) for name in names for seed in seeds[:1]]
        jobs += [partial(try_value, name, condition, condition.asked, seed, seconds) for name, seed in plan]
        limit, *found = run_trials(jobs, progress)  # type: ignore[assignment]
        kept = _keep(plan, found)
        others = f"; of the other walks at {condition.show(_shown(condition, condition.asked))}: {_show_kept(kept)}"
    holds, more = reached(condition, limit)
    return make_row(
        condition.claim,
        f"the normal walk continues at {condition.show(_shown(condition, limit))}, tried up to "
        f"{condition.show(_shown(condition, condition.asked if quick else condition.values[-1]))}{others}",
        holds,
        exceeded=holds and more,
        note=condition.note
        + ("" if holds else " The normal walk falls or is driven backward at the required value or before."),
    )


def _keep(plan: Sequence[tuple[str, int]], found: Sequence[object]) -> Mapping[str, bool]:
    kept: dict[str, bool] = {}
    for (name, _), outcome in zip(plan, found, strict=True):
        assert isinstance(outcome, Outcome)
        kept[name] = kept.get(name, True) and walks_on(outcome)
    return kept


def _show_kept(kept: Mapping[str, bool]) -> str:
    fell = [name for name, up in kept.items() if not up]
    return show_share(len(kept) - len(fell), len(kept)) + (f" (not {', '.join(fell)})" if fell else "")


def _shown(condition: Condition, value: float | None) -> float | None:
    """Convert a factor to the value that is shown."""
    if value is None:
        return None
    if "longer" in condition.unit:
        return 100.0 * (value - 1.0)
    return 100.0 * (1.0 - value) if "shorter" in condition.unit else value


def _friction_row(quick: bool, progress: Progress | None) -> Row:
    seeds, seconds = (QUICK_SEEDS, QUICK_S) if quick else (SEEDS, SECONDS)
    sides = [
        Condition("lee-5-rob-friction", "", values, asked, place=lambda mu: Place(friction=mu))
        for values, asked in ((FRICTION_LOW, ASKED_FRICTION[0]), (FRICTION_HIGH, ASKED_FRICTION[1]))
    ]
    if quick:
        ok = [walks_on(try_value(NORMAL, side, side.asked, seeds[0], seconds)) for side in sides]
        limits = [side.asked if up else None for side, up in zip(sides, ok, strict=True)]
        others = ""
    else:
        limits = run_trials([partial(find_last, side, seeds, seconds) for side in sides], progress)
        plan = [(name, k) for name in WALKS[1:] for k in range(2)]
        found = run_trials([partial(try_value, n, sides[k], sides[k].asked, 1, seconds) for n, k in plan])
        others = f"; of the other walks at both: {_show_kept(_keep(plan, found))}"
    judged = [reached(side, limit) for side, limit in zip(sides, limits, strict=True)]
    holds = all(ok for ok, _ in judged)
    shown = " to ".join("none" if v is None else f"{100 * v:.0f} %" for v in limits)
    return make_row(
        "lee-5-rob-friction",
        f"the normal walk continues at {shown} of a coefficient of 1{others}",
        holds,
        exceeded=holds and all(more for _, more in judged),
        note="" if holds else "On slick ground its feet slide away.",
    )


def _unchanged_row(quick: bool) -> Row:
    """Row about the unchanged walk, the baseline of all others."""
    walk, seconds = load_walk(NORMAL, lead_in=False), (3.0 if quick else 5.0) * SECONDS
    found = run_walk(walk, Run(seconds, seed=1))
    near = abs(found.speed_mps - walk.recorded_mps()) <= SPEED_PART * walk.recorded_mps()
    return make_own_row(
        "poise-tracker-unchanged",
        "On its own body and level ground, the normal walk keeps going at its recorded speed.",
        f"no fall; within {100 * SPEED_PART:g} % of the recorded speed",
        f"{'on its feet for' if found.walked else f'falls after {found.seconds:.1f} s of'} {seconds:g} s, "
        f"{found.speed_mps:.2f} m/s, recorded {walk.recorded_mps():.2f}; joints "
        f"{np.degrees(found.joint_error_rad):.1f}° off the recording",
        found.walked and near,
        note="" if found.walked and near else "Its steps are shorter than recorded, as they are in all rows below.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about changed bodies and grounds."""
    parts = split_progress(progress, len(CONDITIONS) + 1)
    rows = [_unchanged_row(quick)]
    rows += [_measure_row(c, quick, part) for c, part in zip(CONDITIONS, parts, strict=False)]
    return [*rows, _friction_row(quick, parts[-1])]


EXPERIMENT = Experiment(
    "lee/robustness",
    "the normal walk on changed legs, slopes and frictions, with the same clip and gains",
    measure,
    SETTINGS,
    (*(c.claim for c in CONDITIONS), "lee-5-rob-friction"),
)
