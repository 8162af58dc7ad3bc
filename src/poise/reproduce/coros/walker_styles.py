"""Styles of walking: bent knees, tiptoes, twisted legs, narrow steps [Coros10 §5.3, §5.5.2]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import combinations, pairwise

import numpy as np

from poise.characters.catalog import load_character
from poise.characters.model import SIDES
from poise.controllers.catalog import read_controller_file
from poise.controllers.walker import spec
from poise.controllers.walker.styles import OWN, shipped_styles
from poise.errors import InputError
from poise.measures.stride import mean_stride
from poise.recordings.contacts import compute_foot_loaded
from poise.recordings.recording import Recording
from poise.recordings.rotations import quat_to_matrix
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import (
    BODIES,
    PUSHED_MPS,
    STEP_S,
    WALK,
    Progress,
    find_limits,
    make_scene,
    show_falls,
    show_limits,
    show_share,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.pictures import Plot, make_plot
from poise.trials import PushTest, record_trial, run_trial, run_trials, sweep
from poise.world.controller import Controller

SPEEDS_MPS = (-0.4, 0.0, 0.6, 1.0)
STYLE_S = 20.0
#: Styles with a smaller mean difference would be one style under two names.
APART_RAD = 0.01
CROUCH_RAD = (0.0, 0.35, 0.7, 1.05)
TWIST_RAD = (-0.4, -0.2, 0.0, 0.2, 0.4)
#: Share of all walks that must not fall.
WALK_SHARE = 0.95
WIDTHS_M = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)
#: Allowed error of a step width.
WIDTH_ERROR_M = 0.04
#: On tiptoe, a loaded foot points down by this much more than in the plain style.
TIPTOE_RAD = 0.15
#: Walks are measured after this time.
SETTLE_S = 5.0
SETTINGS = {"speeds_mps": list(SPEEDS_MPS), "style_s": STYLE_S, "bodies": list(BODIES), "timestep_s": STEP_S}


def list_styles() -> list[str]:
    """Shipped styles, without the user's own slot."""
    return [name for name in shipped_styles() if name != OWN]


def _style_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    parts = split_progress(progress, 2)
    styles = list_styles()
    tried = styles[:: max(1, len(styles) // 4)] if quick else styles
    bodies, speeds, seconds = (BODIES[:1], (0.6,), 8.0) if quick else (BODIES, SPEEDS_MPS, STYLE_S)
    plan = [(s, b, v) for s in tried for b in bodies for v in speeds]
    gaits = run_trials(
        [partial(run_trial, make_scene(quick, {"style": s, "speed_mps": v}, character=b, seed=seed), seconds,
                 record_hz=0.0) for s, b, v in plan],
        parts[0],
    )  # fmt: skip
    fallen = [(s, b, v) for (s, b, v), g in zip(plan, gaits, strict=True) if g.fell]
    worst = sorted({s: sum(f[0] == s for f in fallen) for s in tried}.items(), key=lambda item: -item[1])
    shown = ", ".join(f"{s} {n}" for s, n in worst if n) or "none"
    distance, pair = measure_least_distance(quick, tried, seed, parts[1])
    holds = len(fallen) <= (1.0 - WALK_SHARE) * len(plan) and distance > APART_RAD
    return make_row(
        "coros-5-styles",
        f"{len(tried)} styles on {len(bodies)} bodies at {len(speeds)} speeds, {seconds:g} s each: "
        f"{show_share(len(plan) - len(fallen), len(plan))} without a fall; falls by style: {shown}; closest styles: "
        f"{pair}, {distance:.3f} rad apart on average",
        holds,
        note=f"Required: {WALK_SHARE:.0%} without a fall and {APART_RAD:g} rad. How long people need was not measured.",
    )


def measure_least_distance(
    quick: bool, styles: Sequence[str], seed: int, progress: Progress | None
) -> tuple[float, str]:
    """Mean absolute difference of joint angles over a stride between the two closest styles, and their names."""
    scenes = [make_scene(quick, {"style": s, "speed_mps": PUSHED_MPS}, seed=seed) for s in styles]
    runs = run_trials([partial(record_trial, s, 8.0 if quick else 15.0) for s in scenes], progress)
    strides = {}
    for style, (recording, _) in zip(styles, runs, strict=True):
        try:
            strides[style] = mean_stride(recording, start_s=3.0)
        except InputError:
            # It fell before it had walked.
            continue
    apart = {f"{a} and {b}": float(np.mean(np.abs(strides[a] - strides[b]))) for a, b in combinations(strides, 2)}
    pair = min(apart, key=lambda name: apart[name], default="none")
    return apart.get(pair, math.nan), pair


def measure_loaded_knee_rad(recording: Recording) -> float:
    """Mean flexion of the loaded knees while walking."""
    body, loaded = recording.characters[0], compute_foot_loaded(recording, 0)
    late = recording.time_s > SETTLE_S
    bends = [recording.joint_q_rad[late & loaded[:, k], body.axis_index(f"{side}_knee_pitch")]
             for k, side in enumerate(SIDES)]  # fmt: skip
    return float(np.mean(np.concatenate(bends)))


def measure_loaded_pitch_rad(recording: Recording) -> float:
    """Mean angle by which the loaded feet point down."""
    body, loaded = recording.characters[0], compute_foot_loaded(recording, 0)
    late = recording.time_s > SETTLE_S
    angles = []
    for k, side in enumerate(SIDES):
        column = recording.segments_of(0).start + body.segment_names.index(body.roles[f"{side}_foot"])
        quats = recording.segment_quat_wxyz[late & loaded[:, k], column]
        angles.append(-np.arcsin(np.clip(quat_to_matrix(quats)[:, 2, 0], -1.0, 1.0)))
    return float(np.mean(np.concatenate(angles)))


def measure_knees_apart_m(recording: Recording) -> float:
    """Mean distance between the knees across the heading minus that between the ankles."""
    body, first = recording.characters[0], recording.segments_of(0).start
    late = recording.time_s > SETTLE_S
    pelvis = first + body.segment_names.index(body.roles["pelvis"])
    left = quat_to_matrix(recording.segment_quat_wxyz[late, pelvis])[:, :, 1]
    across = {}
    for part in ("shank", "foot"):
        columns = [first + body.segment_names.index(body.roles[f"{side}_{part}"]) for side in SIDES]
        way = recording.segment_pos_w_m[late][:, columns[0]] - recording.segment_pos_w_m[late][:, columns[1]]
        across[part] = float(np.mean(np.sum(way * left, axis=1)))
    return across["shank"] - across["foot"]


def _crouch_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    bends = CROUCH_RAD[::3] if quick else CROUCH_RAD
    scenes = [make_scene(quick, {"crouch_rad": b, "speed_mps": PUSHED_MPS}, seed=seed) for b in bends]
    runs = run_trials([partial(record_trial, s, 10.0 if quick else 30.0, record_hz=50.0) for s in scenes], progress)
    knees = [measure_loaded_knee_rad(r) if fell is None else None for r, fell in runs]
    falls = {f"{b:g} rad": fell for b, (_, fell) in zip(bends, runs, strict=True)}
    known = [k for k in knees if k is not None]
    holds = len(known) == len(bends) and all(b > a for a, b in pairwise(known))
    shown = ", ".join(f"{b:g}: {'falls' if k is None else f'{k:.2f}'}" for b, k in zip(bends, knees, strict=True))
    return make_row(
        "coros-5-style-crouch",
        f"flexion of the loaded knee, commanded: measured (rad): {shown}; {show_falls(falls)}",
        holds,
        note="" if holds else "Required: no falls, and every command bends the knee further than the one before.",
        plot=Plot("line", list(bends), {"measured": knees}, "commanded (rad)", "rad", "bend of the stance knee"),
    )


def _tiptoe_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    scenes = [make_scene(quick, {"style": s, "speed_mps": 0.4}, seed=seed) for s in ("plain", "tiptoe")]
    runs = run_trials([partial(record_trial, s, 10.0 if quick else 30.0, record_hz=50.0) for s in scenes], progress)
    falls = {s: fell for s, (_, fell) in zip(("plain", "tiptoe"), runs, strict=True)}
    if any(f is not None for f in falls.values()):
        return make_row("coros-5-style-tiptoe", show_falls(falls), False, note="One of the two walks falls.")
    flat, raised = (measure_loaded_pitch_rad(r) for r, _ in runs)
    holds = raised - flat > TIPTOE_RAD
    return make_row(
        "coros-5-style-tiptoe",
        f"loaded feet point down by {math.degrees(raised):.0f}°, in the plain style by {math.degrees(flat):.0f}°; "
        f"{show_falls(falls)}",
        holds,
        note="" if holds else f"Required: {math.degrees(TIPTOE_RAD):.0f}° more than in the plain style.",
    )


def _twist_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    twists = TWIST_RAD[::2] if quick else TWIST_RAD
    scenes = [make_scene(quick, {"twist_rad": t, "speed_mps": PUSHED_MPS}, seed=seed) for t in twists]
    runs = run_trials([partial(record_trial, s, 10.0 if quick else 30.0, record_hz=50.0) for s in scenes], progress)
    apart = [measure_knees_apart_m(r) if fell is None else None for r, fell in runs]
    known = [a for a in apart if a is not None]
    steady = all(b > a for a, b in pairwise(known)) or all(b < a for a, b in pairwise(known))
    holds = len(known) == len(twists) and steady
    shown = ", ".join(f"{t:g} rad: {'falls' if a is None else f'{100 * a:+.1f} cm'}"
                      for t, a in zip(twists, apart, strict=True))  # fmt: skip
    return make_row(
        "coros-5-style-legs",
        f"how much farther apart the knees are than the ankles: {shown}",
        holds,
        note="" if holds else "Required: no falls, and a knee distance that changes monotonically with the twist.",
    )


def _width_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    widths = WIDTHS_M[::2] if quick else WIDTHS_M
    seconds = 12.0 if quick else 30.0
    # As in the source, legs may pass through each other: feet in one line leave no room beside the stance foot.
    scene = make_scene(quick, {"speed_mps": PUSHED_MPS, "pass_legs": 1.0}, seed=seed)
    report = sweep(scene, "step_width_m", widths, seconds=seconds, settle_s=seconds / 3.0, progress=progress)
    shown = ", ".join(f"{100 * r.value:.0f}: {'falls' if r.gait.fell else f'{100 * (r.measured or 0.0):.1f}'}"
                      for r in report.rows)  # fmt: skip
    good = [not r.gait.fell and r.error is not None and abs(r.error) <= WIDTH_ERROR_M for r in report.rows]
    return make_row(
        "coros-5-style-catwalk",
        f"step width, commanded: measured (cm): {shown}",
        all(good),
        note="" if all(good) else f"Required: no falls, and an error of at most {100 * WIDTH_ERROR_M:g} cm.",
        plot=make_plot(report),
    )


def make_zero_walker(body: str) -> Controller:
    """The walker with a style whose curves are all zero; the swing foot still lifts."""
    table = read_controller_file(WALK).table
    values = {**table.get("values", {}), "style": "zero"}
    styles = {**table.get("styles", {}), "zero": {}}
    return spec.build(load_character(body), "walker/zero", table={**table, "values": values, "styles": styles})


def _zero_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    parts = split_progress(progress, 2)
    bodies, seconds = (BODIES[:1], 12.0) if quick else (BODIES, 60.0)
    scenes = {b: make_scene(quick, {"speed_mps": PUSHED_MPS}, controller=make_zero_walker(b), character=b, seed=seed)
              for b in bodies}  # fmt: skip
    gaits = run_trials([partial(run_trial, s, seconds, settle_s=SETTLE_S) for s in scenes.values()], parts[0])
    falls = {b: g.fell_at_s for b, g in zip(bodies, gaits, strict=True)}
    test = PushTest(directions=4, phases=1 if quick else 4, settle_s=SETTLE_S, after_s=4.0)
    tolerance_n = 200.0 if quick else 50.0
    limits = find_limits(scenes[BODIES[0]], test, guess_n=400.0, tolerance_n=tolerance_n, progress=parts[1])
    holds = all(f is None for f in falls.values()) and limits is not None and limits.least_n > 0.0
    speeds = ", ".join(f"{b} {g.speed_mps:.2f}" for b, g in zip(bodies, gaits, strict=True) if not g.fell)
    return make_row(
        "coros-5-zero-gait",
        f"{seconds:g} s on {len(bodies)} bodies: {show_falls(falls)}, speeds (m/s) {speeds or 'none'}; pushes of 0.1 s "
        f"on the humanoid: {show_limits(limits)}",
        holds,
        note="" if holds else "A body falls, or the humanoid survives no push.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about styles."""
    parts = split_progress(progress, 6)
    return [
        _style_row(quick, seed, parts[0]),
        _crouch_row(quick, seed, parts[1]),
        _tiptoe_row(quick, seed, parts[2]),
        _twist_row(quick, seed, parts[3]),
        _width_row(quick, seed, parts[4]),
        _zero_row(quick, seed, parts[5]),
    ]


EXPERIMENT = Experiment(
    "walker-styles",
    "the walker in many styles, on every body and at every speed",
    measure,
    SETTINGS,
    (
        "coros-5-styles",
        "coros-5-style-crouch",
        "coros-5-style-tiptoe",
        "coros-5-style-legs",
        "coros-5-style-catwalk",
        "coros-5-zero-gait",
    ),
)
