"""Gains, the speed offset and torque limits: halved, doubled, removed [Coros10 §5.4, §5.6].

Ablations use `walker/text`, the controller as published; rows about our own walker say so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.errors import InputError
from poise.measures.stride import mean_stride
from poise.recordings.recording import FloatArray
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_bodies import compute_asymmetry
from poise.reproduce.coros.walker_runs import (
    PUSHED_MPS,
    STEP_S,
    TEXT,
    WALK,
    Progress,
    find_limits,
    least_limit_n,
    make_own_row,
    make_scene,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.pictures import Plot
from poise.trials import Gait, PushTest, measure_gait, record_trial, run_trial, run_trials

#: A variant keeps its robustness if its push limit is at least this fraction of the original one.
KEPT = 0.7
#: Walks are alike if the joints of their mean strides differ by less (RMS).
ALIKE_RAD = 0.15
#: A joint difference too small to see.
UNSEEN_RAD = 0.03
#: Steps are even if left and right differ by less than this fraction of their mean.
EVEN = 0.1
ALPHAS_S = (0.05, 0.1, 0.2, 0.4)
HIP_KNEE_NM, OTHER_NM = 200.0, 100.0
SETTINGS = {
    "controller": TEXT,
    "speed_mps": PUSHED_MPS,
    "alphas_s": list(ALPHAS_S),
    "timestep_s": STEP_S,
    "push_s": 0.1,
}

Values = Mapping[str, float | str]


@dataclass(frozen=True)
class Variant:
    """Result of one variant: its gait, its mean stride if it walked, and the push it survives from the worst side."""

    gait: Gait
    stride: FloatArray | None
    #: 0 if it was not pushed or falls without a push.
    limit_n: float
    pushed: bool = True

    def differs_rad(self, other: Variant) -> float:
        """RMS joint difference over a stride; NaN if either variant does not walk."""
        if self.stride is None or other.stride is None:
            return math.nan
        return float(np.sqrt(np.mean((self.stride - other.stride) ** 2)))


def try_variant(
    quick: bool, seed: int, values: Values, *, controller: str = TEXT, character: Character | str = "humanoid",
    pushed: bool = True,
) -> Variant:  # fmt: skip
    """Walk with a variant and push it from four sides."""
    scene = make_scene(
        quick, {"speed_mps": PUSHED_MPS, **values}, controller=controller, character=character, seed=seed
    )
    recording, fell = record_trial(scene, 10.0 if quick else 20.0)
    gait = measure_gait(recording, start_s=4.0, fell_at_s=fell)
    stride = None
    if fell is None:
        try:
            stride = mean_stride(recording, start_s=4.0)
        except InputError:
            stride = None
    test = PushTest(directions=(90.0,) if quick else 4, phases=1 if quick else 4, settle_s=3.0, after_s=3.0)
    limits = None
    if pushed and fell is None:
        limits = find_limits(scene, test, guess_n=200.0, tolerance_n=100.0 if quick else 40.0)
    return Variant(gait, stride, least_limit_n(limits), pushed)


def show_variant(variant: Variant) -> str:
    """Describe a variant by its speed and push limit, or by its fall."""
    if variant.gait.fell_at_s is not None:
        return f"falls at {variant.gait.fell_at_s:.1f} s"
    limit = f", {variant.limit_n:.0f} N" if variant.pushed else ""
    return f"{variant.gait.speed_mps:.2f} m/s{limit}"


def _gain_rows(quick: bool, seed: int, base: Variant, progress: Progress | None) -> list[Row]:
    factors = {"coros-5-pd-half": 0.5, "coros-5-pd-double": 2.0}
    found = run_trials([partial(try_variant, quick, seed, {"stiffness": k}) for k in factors.values()], progress)
    rows = []
    for (claim, factor), variant in zip(factors.items(), found, strict=True):
        differs = variant.differs_rad(base)
        holds = not variant.gait.fell and differs < ALIKE_RAD
        rows.append(
            make_row(
                claim,
                f"{factor:g} times the gains: {show_variant(variant)}, joints differ by {differs:.3f} rad (RMS) from "
                f"{show_variant(base)}",
                holds,
                note="" if holds else f"Required: no fall, and less than {ALIKE_RAD:g} rad.",
            )
        )
    return rows


def _alpha_rows(quick: bool, seed: int, base: Variant, progress: Progress | None) -> list[Row]:
    parts = split_progress(progress, 2)
    alphas = (0.1, 0.4) if quick else ALPHAS_S[1:]
    found = run_trials([partial(try_variant, quick, seed, {"alpha_s": a}) for a in alphas], parts[0])
    limits = {ALPHAS_S[0]: base, **dict(zip(alphas, found, strict=True))}
    twice, most = limits[0.1], limits[ALPHAS_S[-1]]
    holds = base.limit_n > 0.0 and twice.limit_n >= KEPT * base.limit_n and most.limit_n < KEPT * base.limit_n
    speeds = (0.2, 0.4, 1.0) if quick else (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.2)
    walks: list[Gait] = run_trials(
        [partial(run_trial, make_scene(quick, {"speed_mps": v, "alpha_s": 0.0}, controller=TEXT, seed=seed),
                 12.0 if quick else 30.0, settle_s=5.0) for v in speeds],
        parts[1],
    )  # fmt: skip
    uneven = {v: math.inf if g.fell else compute_asymmetry(g) for v, g in zip(speeds, walks, strict=True)}
    slow, fast = [u for v, u in uneven.items() if v <= 0.4], [u for v, u in uneven.items() if v > 0.4]
    # One limping walk at one time step may be chance: half of the faster walks must limp.
    slow_walk, limp = all(math.isfinite(u) for u in slow), float(np.median(fast)) > max(EVEN, *slow)
    shown = ", ".join(f"{v:g} m/s: {'falls' if g.fell else f'{g.speed_mps:.2f} m/s, {100 * uneven[v]:.0f} %'}"
                      for v, g in zip(speeds, walks, strict=True))  # fmt: skip
    return [
        make_row(
            "coros-5-alpha0",
            f"alpha 0, commanded: measured speed, difference between left and right steps: {shown}",
            slow_walk and limp,
            note="" if slow_walk and limp else "It walks evenly at higher speeds too, but slower than commanded."
            if slow_walk else "It falls at a low speed.",
        ),
        make_row(
            "coros-5-alpha2x",
            "; ".join(f"alpha {a:g}: {show_variant(v)}" for a, v in limits.items()),
            holds,
            note="" if holds else f"Required: twice alpha keeps {100 * KEPT:g} % of the push limit, eight times less.",
            plot=Plot("line", list(limits), {"limit": [v.limit_n for v in limits.values()]}, "alpha (s)", "N",
                      "push survived from the worst side"),
        ),
    ]  # fmt: skip


def limit_torques(character: Character, hip_knee_nm: float, other_nm: float) -> Character:
    """Return the character with other torque limits at its joints."""
    segments = []
    for segment in character.segments:
        if segment.joint is None:
            segments.append(segment)
            continue
        axes = tuple(replace(a, torque_limit_nm=hip_knee_nm if "hip" in a.name or "knee" in a.name else other_nm)
                     for a in segment.joint.axes)  # fmt: skip
        segments.append(replace(segment, joint=replace(segment.joint, axes=axes)))
    return replace(character, segments=tuple(segments))


def _torque_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    parts = split_progress(progress, 2)
    body = load_character("humanoid")
    bodies = [limit_torques(body, *limits) for limits in ((math.inf, math.inf), (HIP_KNEE_NM, OTHER_NM))]
    speeds = (PUSHED_MPS,) if quick else (PUSHED_MPS, -0.4, 1.2)
    walks = run_trials(
        [partial(try_variant, quick, seed, {"speed_mps": v}, controller=WALK, character=b, pushed=False)
         for v in speeds for b in bodies],
        parts[0],
    )  # fmt: skip
    differs = {v: walks[2 * k + 1].differs_rad(walks[2 * k]) for k, v in enumerate(speeds)}
    more = ""
    if not quick:
        # The effect of the limits on push survival is only reported.
        plan = [(c, b) for c in (WALK, TEXT) for b in bodies]
        pushed = run_trials(
            [partial(try_variant, quick, seed, {}, controller=c, character=b) for c, b in plan], parts[1]
        )
        shown = [show_variant(v) for v in pushed]
        more = f"; pushed, without and with: {shown[0]} and {shown[1]}; `{TEXT}`: {shown[2]} and {shown[3]}"
    holds = not any(w.gait.fell for w in walks) and all(d < UNSEEN_RAD for d in differs.values())
    return make_row(
        "coros-5-torque-limits",
        "RMS joint difference with and without limits: "
        + ", ".join(f"{d:.3f} rad at {v:g} m/s" for v, d in differs.items())
        + more,
        holds,
        note=("" if holds else f"Required: no fall, and less than {UNSEEN_RAD:g} rad. ")
        + ("" if quick else "Under hard pushes the limits do matter: knees that reach theirs fold."),
    )


def _lead_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    variants: dict[str, Values] = {"with": {}, "without": {"velocity_feedforward": 0.0}}
    found = run_trials([partial(try_variant, quick, seed, v, controller=WALK) for v in variants.values()], progress)
    return make_own_row(
        "poise-walker-lead",
        "Benefit of the feed-forward for the swing leg and the weight.",
        "reported",
        "; ".join(f"{n}: {show_variant(v)}" for n, v in zip(variants, found, strict=True)),
        not found[0].gait.fell,
        note="" if not found[0].gait.fell else "It falls even with the feed-forward.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about gains, the speed offset and torque limits."""
    parts = split_progress(progress, 5)
    (base,) = run_trials([partial(try_variant, quick, seed, {})], parts[0])
    return [
        *_gain_rows(quick, seed, base, parts[1]),
        *_alpha_rows(quick, seed, base, parts[2]),
        _torque_row(quick, seed, parts[3]),
        *([] if quick else [_lead_row(quick, seed, parts[4])]),
    ]


EXPERIMENT = Experiment(
    "walker-gains",
    "how much the walker depends on its gains, its speed offset and its torque limits",
    measure,
    SETTINGS,
    ("coros-5-pd-half", "coros-5-pd-double", "coros-5-alpha0", "coros-5-alpha2x", "coros-5-torque-limits"),
)
