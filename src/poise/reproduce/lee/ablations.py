"""Ablations of the tracker: each feedback removed in turn, and gains scaled up and down [Lee10 §5].

Every removal is tried with the shipped gains and in the source's form: the same gains without our additions to the
source, which may compensate for what is missing. Claims are judged by the source's form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from poise.controllers.tracker.cycle import make_endless
from poise.controllers.tracker.reference import make_reference
from poise.motion.load import load_clip
from poise.motion.repeat import lengthen
from poise.motion.shipped import find_clip
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import Progress, show_share, split_progress
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.lee.runs import (
    OURS_OFF,
    SWING,
    TICK_S,
    TURNS,
    WALKS,
    Changes,
    Outcome,
    Run,
    Walk,
    load_walk,
    run_walk,
    show_steps,
)
from poise.search.tame_trial import NOISE, Trial, run_trial
from poise.trials import run_trials
from poise.world.disturbances import Push

SECONDS, QUICK_S = 20.0, 8.0
SEEDS, QUICK_SEEDS = (0, 1), (1,)
QUICK_WALKS: Final = ("slow", "march")
NOTHING: Final = "nothing"
POSITION: Final[Changes] = {
    "swing_place_behind": 0.0, "swing_place_ahead": 0.0, "swing_place_coronal": 0.0, "ankle_place": 0.0,
}  # fmt: skip
#: Gains that each removal changes.
REMOVED: Final[Mapping[str, Changes]] = {
    NOTHING: {},
    "sync": {"synchronise": 0.0},
    "stance hip": {"stance_hip": 0.0},
    "swing hip": dict.fromkeys(SWING, 0.0),
    "ankle": {"ankle_speed": 0.0, "ankle_place": 0.0},
    "foot height": {"foot_height": 0.0, "foot_rise": 0.0},
    "position": POSITION,
}
FORMS: Final[Mapping[str, Changes]] = {"source": OURS_OFF, "ours": {}}
#: Range of steps to a fall in the source; ours count as similar within a factor of two of either end.
STEPS: Final = {"sync": (3, 6), "stance hip": (2, 4), "swing hip": (6, 10)}
MILD_N, MILD_PUSH_S = 40.0, 0.2
FACTORS: Final = (0.25, 0.5, 1.0, 2.0, 4.0)
#: Time factors of clips that are played at another speed than the physics that made them.
TIMES: Final = (1.0 / 1.15, 1.15)
#: Gains that are scaled together: those that the source tunes for each motion.
TUNED: Final = (*SWING, "ankle_speed")
SETTINGS = {
    "walks": WALKS,
    "seconds": SECONDS,
    "seeds": SEEDS,
    "noise": NOISE,
    "mild_push_n": MILD_N,
    "factors": FACTORS,
    "timestep_s": TICK_S,
}

#: Outcomes by form, removal and clip.
Table = Mapping[str, Mapping[str, Mapping[str, Sequence[Outcome]]]]


def try_timed(name: str, factor: float) -> Outcome:
    """Run a clip slowed down by a factor, in the source's form without synchronisation."""
    walk = load_walk(name)
    clip = load_clip(find_clip(name))
    reference = make_reference(lengthen(replace(clip, frame_s=factor * clip.frame_s)), walk.character)
    track = make_endless(reference, cycle=walk.track.cycle)
    return run_walk(replace(walk, track=track), Run(SECONDS, {**OURS_OFF, **REMOVED["sync"]}, 1))


def make_pushes(seconds: float) -> tuple[Push, ...]:
    """Make a mild push every four seconds, from another side each time."""
    return tuple(Push(MILD_N, 90.0 * k, 5.0 + 4.0 * k, MILD_PUSH_S) for k in range(max(1, int((seconds - 8.0) / 4.0))))


def remove_each(quick: bool, pushed: bool, what: Sequence[str], progress: Progress | None) -> Table:
    """Run all clips in both forms with each feedback removed."""
    names, seeds, seconds = (QUICK_WALKS, QUICK_SEEDS, QUICK_S) if quick else (WALKS, SEEDS, SECONDS)
    seeds = QUICK_SEEDS if pushed else seeds
    walks = {name: load_walk(name) for name in names}
    pushes = make_pushes(seconds) if pushed else ()
    plan = [(form, part, name, seed) for form in FORMS for part in what for name in names for seed in seeds]
    jobs = [
        partial(run_walk, walks[name], Run(seconds, {**FORMS[form], **REMOVED[part]}, seed, pushes=pushes))
        for form, part, name, seed in plan
    ]
    table: dict[str, dict[str, dict[str, list[Outcome]]]] = {
        f: {p: {n: [] for n in names} for p in what} for f in FORMS
    }
    for (form, part, name, _), outcome in zip(plan, run_trials(jobs, progress), strict=True):
        table[form][part][name].append(outcome)
    return table


def _all_walked(outcomes: Sequence[Outcome]) -> bool:
    return all(o.walked for o in outcomes)


def _usable(table: Table, form: str) -> list[str]:
    """Clips that walk in a form with nothing removed; the others say nothing about a removal."""
    return [name for name, found in table[form][NOTHING].items() if _all_walked(found)]


def _pick(table: Table, form: str, part: str) -> Mapping[str, Sequence[Outcome]]:
    return {name: table[form][part][name] for name in _usable(table, form)}


def _fall_row(table: Table, part: str, claim: str, reason: str, more: str = "") -> Row:
    """Row about a feedback without which it should fall."""
    own, source = _pick(table, "ours", part), _pick(table, "source", part)
    low, high = STEPS[part]
    runs = [o for found in source.values() for o in found]
    middle = float(np.median([o.steps for o in runs])) if runs else 0.0
    all_fall = bool(runs) and not any(o.walked for o in runs)
    holds = all_fall and 0.5 * low <= middle <= 2.0 * high
    return make_row(
        claim,
        f"steps to the fall in the source's form: {show_steps(source)}; with our gains: {show_steps(own)}{more}",
        holds,
        note=f"Median {middle:g} steps; a factor of two is allowed." if holds else reason,
    )


def _lean(table: Table, part: str) -> str:
    leans = [o.lean_deg for found in _pick(table, "source", part).values() for o in found if not o.walked]
    if not leans:
        return ""
    sideways = sum(abs(left) > abs(ahead) for ahead, left in leans)
    return f"; in {show_share(sideways, len(leans))} falls it leans sideways more than forward or back"


def _survival_row(table: Table, part: str, claim: str) -> Row:
    """Row about a feedback without which some gaits should keep walking."""
    parts = []
    for form in FORMS:
        found, whole = _pick(table, form, part), _pick(table, form, NOTHING)
        up = [name for name, runs in found.items() if _all_walked(runs)]
        errors = [float(np.mean([o.joint_error_rad for n in up for o in t[n]] or [np.nan])) for t in (found, whole)]
        parts.append((len(up), len(found), errors))
    shown = "; ".join(
        f"{words}: {show_share(up, total)} walks keep going, joints {np.degrees(errors[0]):.1f}° off the recording "
        f"({np.degrees(errors[1]):.1f}° with the feedback)"
        for words, (up, total, errors) in zip(("in the source's form", "with our gains"), parts, strict=True)
    )
    holds = parts[0][0] >= 1
    return make_row(claim, shown, holds, note="" if holds else "All fall; in the source some do not.")


def _position_row(table: Table, pushed: Table) -> Row:
    found = _pick(table, "source", "position")
    up = sum(_all_walked(runs) for runs in found.values())
    own = _pick(table, "ours", "position")
    own_up = sum(_all_walked(runs) for runs in own.values())
    mild = {part: sum(_all_walked(r) for r in pushed["source"][part].values()) for part in (NOTHING, "position")}
    count = len(pushed["source"][NOTHING])
    holds = up > 0.5 * len(found) and mild["position"] > 0.5 * count
    return make_row(
        "lee-5-abl-position",
        f"without position feedback {show_share(up, len(found))} walks keep going in the source's form, "
        f"{show_share(own_up, len(own))} with our gains; of all {count} with pushes of {MILD_N:g} N for "
        f"{MILD_PUSH_S:g} s every 4 s, {mild['position']} in the source's form, {mild[NOTHING]} with position feedback",
        holds,
        note="Most means more than half." + ("" if holds else " In the source's form, most need it here."),
    )


def try_factor(walk: Walk, factor: float, seed: int, seconds: float) -> bool:
    """Whether a clip is tracked with its tuned gains scaled."""
    gains = {**walk.gains, **{name: min(factor * walk.gains[name], 5.0) for name in TUNED}}
    trial: Trial = run_trial(walk.subject(), gains, seed, seconds=seconds)
    return trial.holds


def _range_row(progress: Progress | None) -> Row:
    names = (*WALKS, *TURNS)
    walks = {name: load_walk(name) for name in names}
    plan = [(name, f) for name in names for f in FACTORS]
    found = run_trials([partial(try_factor, walks[n], f, 1, SECONDS) for n, f in plan], progress)
    good = {n: [f for (m, f), up in zip(plan, found, strict=True) if m == n and up] for n in names}
    wide = [n for n, ok in good.items() if {0.5, 1.0, 2.0} <= set(ok)]
    rest = [n for n in names if n != "spin"]
    holds = len([n for n in wide if n in rest]) > 0.5 * len(rest) and "spin" not in wide
    shown = ", ".join(f"{n} {'/'.join(f'{f:g}' for f in ok) or 'none'}" for n, ok in good.items())
    return make_row(
        "lee-5-param-range",
        f"factors from 0.25 to 4 on all swing-hip and ankle gains at which clips are tracked: {shown}",
        holds,
        note="Wide is half to twice. Required: more than half of all clips but the spin are wide, and the spin is not."
        + ("" if holds else " The spin is no more sensitive." if "spin" in wide else " Too few are wide."),
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about parts of the feedback."""
    parts = split_progress(progress, 3)
    table = remove_each(quick, False, tuple(REMOVED), parts[0])
    pushed = remove_each(quick, True, (NOTHING, "sync", "position"), parts[1])
    up = {part: sum(_all_walked(r) for r in pushed["ours"][part].values()) for part in (NOTHING, "sync")}
    mild = (
        f"; with pushes of {MILD_N:g} N for {MILD_PUSH_S:g} s every 4 s and our gains, {up['sync']} of "
        f"{len(pushed['ours']['sync'])} walks keep going without it, {up[NOTHING]} with it"
    )
    if not quick:
        timed = [(name, f) for name in WALKS for f in TIMES]
        kept = [o.walked for o in run_trials([partial(try_timed, *case) for case in timed])]
        mild += f"; played 15 % faster or slower, {show_share(sum(kept), len(kept))} keep going without it"
    made = (
        "Walks do not need it here. Our clips come from a simulated walker, whose landings are timed by physics, but "
        "that is not the reason: with other timing, most keep going as well."
    )
    return [
        _fall_row(table, "sync", "lee-5-abl-sync", made, mild),
        _fall_row(table, "stance hip", "lee-5-abl-stance-hip", "Some fall later, or not.", _lean(table, "stance hip")),
        _fall_row(table, "swing hip", "lee-5-abl-swing-hip", "Some fall later, or not.", _lean(table, "swing hip")),
        _survival_row(table, "ankle", "lee-5-abl-ankle"),
        _survival_row(table, "foot height", "lee-5-abl-foot-height"),
        _position_row(table, pushed),
        *([] if quick else [_range_row(parts[2])]),
    ]


EXPERIMENT = Experiment(
    "lee/ablations",
    "the tracker without each of its feedbacks, and with larger and smaller gains",
    measure,
    SETTINGS,
    (
        "lee-5-abl-sync",
        "lee-5-abl-stance-hip",
        "lee-5-abl-swing-hip",
        "lee-5-abl-ankle",
        "lee-5-abl-foot-height",
        "lee-5-abl-position",
        "lee-5-param-range",
    ),
)
