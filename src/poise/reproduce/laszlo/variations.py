"""Variations of a balanced walk, switched on and off while it walks, and runs [Laszlo96 §3.4, §4.5, §5.5]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.laszlo.pictures import plot_steps
from poise.reproduce.laszlo.runs import GROUND, SERVO, SETTINGS, TRIAL_STEPS, WALK, Progress, Values, open_walk
from poise.reproduce.laszlo.watch import Look, share_in_flight, share_on_heel, watch
from poise.trials import run_trials

RUN, BIRD, JOG = "limit-cycle/human12-run", "limit-cycle/bird-run", "limit-cycle/bird-jog"
#: Runs are sampled this often because their flights are short.
RUN_LOOK_S: Final = 0.002
QUICK_RUN_STEPS: Final = 20
#: Time step on MuJoCo's own ground.
FIRM_STEP_S: Final = 0.0005


@dataclass(frozen=True)
class Variation:
    """A variation, the walk it is tried on, and the steps after which it is switched on and off."""

    name: str
    controller: str
    values: Values
    on: int = 8
    #: None if it stays on.
    off: int | None = None
    #: Steps of the quick form; everything that matters has happened by then.
    quick_steps: int = 30
    #: How many of the last settings tried work.
    tried: str = ""


#: Found by a small search over both walks, targets, sampling strategies, hold times and a held torso.
BENT_KNEE: Final = Variation(
    "bent_knee", WALK, {"target": 0.275, "strategy": "FL"}, tried="3 of the last 14 tried work"
)
BENT_OVER: Final = Variation("bent_over", WALK, {"target": 0.3, "strategy": "SP"}, off=36, quick_steps=16)
DUCK: Final = Variation(
    "duck",
    WALK,
    {**SERVO, "target": 0.3, "strategy": "FL"},
    off=36,
    quick_steps=20,
    tried="2 of the last 23 tried work",
)
VARIATIONS: Final = (BENT_KNEE, BENT_OVER, DUCK)
VARIATION_SETTINGS: Final = {
    **SETTINGS,
    **{v.name: {"controller": v.controller, "values": dict(v.values), "on": v.on, "off": v.off} for v in VARIATIONS},
}


@dataclass(frozen=True)
class Varied:
    """Result of a varied walk: whether it lasted, and looks before, during and after its variation."""

    upright: bool
    looks: Sequence[Look]

    @property
    def done(self) -> int:
        return self.looks[-1].step if self.looks else 0

    def part(self, first: int, last: int) -> list[Look]:
        """Looks from the end of one step to the end of another."""
        return [look for look in self.looks if first <= look.step < last]


def try_variation(variation: Variation, steps: int) -> Varied:
    """Walk, and switch the variation on and off; it fades step by step, as its file says."""
    world = open_walk(variation.values, controller=variation.controller)
    looks: list[Look] = []
    changes = [(variation.on, 1.0), *([(variation.off, 0.0)] if variation.off is not None else [])]
    for at, value in changes:
        upright, seen = watch(world, min(at, steps))
        looks += seen
        if not upright or at >= steps:
            return Varied(upright, looks)
        world.set_parameter(variation.name, value)
    upright, seen = watch(world, steps)
    return Varied(upright, [*looks, *seen])


def try_run(controller: str, soft: bool, steps: int) -> Varied:
    """Run from the start, on the source's ground or on MuJoCo's own."""
    where: dict[str, Any] = {"ground": GROUND} if soft else {"ground": None, "timestep_s": FIRM_STEP_S}
    upright, looks = watch(open_walk(controller=controller, **where), steps, every_s=RUN_LOOK_S)
    return Varied(upright, looks)


def _show_base(variation: Variation) -> str:
    words = ", ".join(f"{k} {v:g}" if isinstance(v, float | int) else f"{k} {v}" for k, v in variation.values.items())
    return f"{variation.controller} with {words}"


def _describe(made: Varied, variation: Variation) -> str:
    times = f"switched on after {variation.on} steps"
    if variation.off is not None and made.done > variation.off:
        times += f" and off after {variation.off}"
    end = "no fall" if made.upright else "falls"
    return f"{made.done} steps, {end}; {times}; {_show_base(variation)}"


def _heights(made: Varied, what: str) -> np.ndarray:
    """Mean height over each step."""
    count = made.done
    return np.array([np.mean([getattr(k, what) for k in made.part(n, n + 1)] or [np.nan]) for n in range(count)])


def _knee_row(made: Varied, steps: int) -> Row:
    """The variation is complete 18 steps after it is switched on."""
    whole = BENT_KNEE.on + 18
    before, after = made.part(4, BENT_KNEE.on), made.part(whole, steps)
    heel = share_on_heel(after)
    lower = np.mean([k.com_m for k in before]) - np.mean([k.com_m for k in after]) if after else np.nan
    holds = made.upright and bool(lower > 0.0)
    return make_row(
        "laszlo-5-bent-knee",
        f"{_describe(made, BENT_KNEE)}; once complete, 18 steps later, the centre of mass is {100 * lower:.1f} cm "
        f"lower, and {heel:.0%} of the contact is on the heel, against {share_on_heel(before):.0%} before",
        holds,
        note=f"Settings matter: {BENT_KNEE.tried}." if holds else "It falls while its knees bend.",
        plot=plot_steps({"bent knees": _heights(made, "com_m")}, "m", "height of the centre of mass"),
    )


def _back_row(claim: str, variation: Variation, made: Varied, what: str, words: str, over: int) -> Row:
    """A variation that is switched on and off: how much lower something is during it."""
    off = variation.off or made.done
    before, under = made.part(4, variation.on), made.part(variation.on + over, off)
    lower = (
        np.mean([getattr(k, what) for k in before]) - np.mean([getattr(k, what) for k in under]) if under else np.nan
    )
    holds = made.upright and bool(lower > 0.0)
    return make_row(
        claim,
        f"{_describe(made, variation)}; complete within {over} steps; {words} is {100 * lower:.1f} cm lower then",
        holds,
        note=(f"Settings matter: {variation.tried}." if variation.tried else "")
        if holds
        else f"It falls after {made.done} steps.",
        plot=plot_steps({variation.name: _heights(made, what)}, "m", f"height of {words.removeprefix('the ')}"),
    )


def _run_row(claim: str, runs: Mapping[str, Varied], note: str) -> Row:
    """Runs on several grounds; on at least one of them, most steps must have a flight."""
    shown, flown = [], []
    for name, made in runs.items():
        flying = sum(any(k.in_flight for k in made.part(n, n + 1)) for n in range(made.done))
        flown.append(flying / max(made.done, 1))
        shown.append(
            f"{name}: {made.done} steps, {'no fall' if made.upright else 'falls'}, in flight in {flying} of them and "
            f"for {share_in_flight(made.looks):.1%} of the time"
        )
    holds = all(made.upright for made in runs.values()) and max(flown) > 0.5
    return make_row(claim, "; ".join(shown), holds, note=note if holds else "It falls, or hardly leaves the ground.")


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about variations and runs; the seed changes nothing."""
    count: Mapping[str, int] = {v.name: v.quick_steps if quick else TRIAL_STEPS for v in VARIATIONS}
    run_to_step = QUICK_RUN_STEPS if quick else TRIAL_STEPS
    jobs = [partial(try_variation, v, count[v.name]) for v in VARIATIONS]
    plans = ((RUN, True), (RUN, False), (JOG, True), (BIRD, False))
    runs = [partial(try_run, name, soft, run_to_step) for name, soft in plans]
    knee, over, duck, *found = run_trials([*jobs, *runs], progress)
    human = dict(zip((f"{RUN} on the source's ground", f"{RUN} on MuJoCo's"), found[:2], strict=True))
    bird = dict(zip((f"{JOG} on the source's ground", f"{BIRD} on MuJoCo's"), found[2:], strict=True))
    return [
        _run_row("laszlo-3-run", human, "With the speed term of Eq. 5.1: a fixed target alone falls sooner."),
        _run_row(
            "laszlo-4-bird-run",
            bird,
            "With the speed term of Eq. 5.1; targets and gains are ours. The printed poses work on MuJoCo's ground; "
            "on the soft ground the stance leg has to push further back.",
        ),
        _knee_row(knee, count["bent_knee"]),
        _back_row("laszlo-5-bent-over", BENT_OVER, over, "head_m", "the head", 2),
        _back_row("laszlo-5-duck", DUCK, duck, "head_m", "the head", 6),
    ]


EXPERIMENT = Experiment(
    "laszlo/variations",
    "limit cycles varied while they walk: bent knees, a bent back, ducking; and runs",
    measure,
    VARIATION_SETTINGS,
    ("laszlo-3-run", "laszlo-4-bird-run", "laszlo-5-bent-knee", "laszlo-5-bent-over", "laszlo-5-duck"),
)
