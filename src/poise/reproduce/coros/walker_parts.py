"""Ablations of the walker: its parts, removed one at a time [Coros10 §5.3, §5.6].

Ablations use `walker/text`, the controller as published; rows about our own walker say so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from poise.characters.catalog import load_character
from poise.characters.model import SIDES
from poise.constants import GRAVITY_MPS2
from poise.controllers.catalog import load_controller
from poise.controllers.walker.plan import read_step_plan
from poise.measures.leg_overlap import compute_leg_depths_m
from poise.recordings.recording import Recording
from poise.recordings.rotations import quat_to_matrix
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_gains import Values, Variant, show_variant, try_variant
from poise.reproduce.coros.walker_runs import (
    PUSHED_MPS,
    STEP_S,
    TEXT,
    WALK,
    Progress,
    make_scene,
    show_falls,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.rollout.simulate import Change
from poise.trials import heartbeat, record_trial, run_trial, run_trials

#: Legs cross if they overlap by more than this.
CROSSED_M = 0.001
#: Slow enough that only the arms sag, not the walk.
REACHING_MPS = 0.3
SETTINGS = {"controller": TEXT, "speed_mps": PUSHED_MPS, "timestep_s": STEP_S, "push_s": 0.1}


def measure_lean_rad(recording: Recording, role: str = "trunk") -> float:
    """Mean forward lean of a segment along its current heading, after the first seconds."""
    body = recording.characters[0]
    column = recording.segments_of(0).start + body.segment_names.index(body.roles[role])
    rot = quat_to_matrix(recording.segment_quat_wxyz[recording.time_s > 4.0, column])
    up, ahead = rot[:, :, 2], rot[:, :, 0].copy()
    ahead[:, 2] = 0.0
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    return float(np.mean(np.arctan2(np.sum(up * ahead, axis=1), up[:, 2])))


def measure_hands_m(recording: Recording) -> float:
    """Mean height of the wrists above the shoulders, from the forearms' frames, after the first seconds."""
    body, first, late = recording.characters[0], recording.segments_of(0).start, recording.time_s > 4.0
    heights = []
    for side in SIDES:
        arm, elbow = (
            first + body.segment_names.index(body.roles[f"{side}_{part}"]) for part in ("upper_arm", "forearm")
        )
        z = recording.segment_pos_w_m[late, :, 2]
        # Along the forearm, the wrist lies one upper-arm length below the elbow.
        down = -quat_to_matrix(recording.segment_quat_wxyz[late, elbow])[:, 2, 2]
        length = float(np.linalg.norm(recording.segment_pos_w_m[0, elbow] - recording.segment_pos_w_m[0, arm]))
        heights.append(float(np.mean(z[:, elbow] + length * down - z[:, arm])))
    return float(np.mean(heights))


def measure_placement_error_m(quick: bool, seed: int, values: Values) -> float:
    """Mean distance between the swing ankle's target and its position at touchdown; infinite after a fall."""
    scene = make_scene(quick, {"speed_mps": PUSHED_MPS, **values}, controller=TEXT, seed=seed)
    world = scene.open()
    ticks, errors = round(0.004 / world.settings.timestep_s), []
    for k in range(round((10.0 if quick else 20.0) / 0.004)):
        before = read_step_plan(world.memories[0])
        world.step(ticks)
        heartbeat()
        after = read_step_plan(world.memories[0])
        if after.steps != before.steps and k > 1000:
            errors.append(math.dist(after.stance_ankle_w_m, before.swing_ankle_w_m))
        if world.fell_at_s() is not None:
            return math.inf
    return float(np.mean(errors)) if errors else math.inf


def _gravity_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    # Arms held out in front stand in for reaching.
    reach: Values = {"style": "zombie", "speed_mps": REACHING_MPS}
    scenes = [make_scene(quick, {**reach, "gravity_compensation": g}, controller=TEXT, seed=seed) for g in (1.0, 0.0)]
    (one, one_fell), (none, none_fell) = run_trials([partial(record_trial, s, 12.0) for s in scenes], progress)
    errors = run_trials(
        [partial(measure_placement_error_m, quick, seed, {"gravity_compensation": g}) for g in (1.0, 0.0)]
    )
    falls = {"with": one_fell, "without": none_fell}
    if one_fell is not None or none_fell is not None:
        note = "It falls without compensation." if one_fell is None else "It falls with compensation."
        return make_row("coros-5-no-gc", show_falls(falls), one_fell is None, note=note)
    leans = [measure_lean_rad(r) for r in (one, none)]
    drop = measure_hands_m(one) - measure_hands_m(none)
    holds = leans[1] > leans[0] and drop > 0.0 and errors[1] > errors[0]
    return make_row(
        "coros-5-no-gc",
        f"with, without: the trunk leans {math.degrees(leans[0]):.1f}°, {math.degrees(leans[1]):.1f}°; outstretched "
        f"arms are {100 * drop:.1f} cm lower without; feet land {100 * errors[0]:.1f}, {100 * errors[1]:.1f} cm from "
        "their targets",
        holds,
        note="" if holds else "Required: more lean, lower arms and less accurate steps without it.",
    )


def _tuning_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    speeds, seconds = ((0.3, 0.6), 12.0) if quick else ((-0.3, 0.0, 0.3, 0.6, 0.9), 30.0)
    plan = [(t, v) for t in (1.0, 0.0) for v in speeds]
    plain: Values = {"integral_gain": 0.0, "stand": 0.0}
    scenes = [
        make_scene(quick, {"speed_mps": v, "velocity_tuning": t, **plain}, controller=TEXT, seed=seed) for t, v in plan
    ]
    gaits = run_trials([partial(run_trial, scene, seconds, settle_s=5.0) for scene in scenes], progress)
    errors, spreads, falls = {}, {}, {}
    for t in (1.0, 0.0):
        mine = [(v, g) for (u, v), g in zip(plan, gaits, strict=True) if u == t]
        errors[t] = float(np.mean([abs(g.speed_mps - v) for v, g in mine if not g.fell] or [math.inf]))
        steps = [float(np.std(np.divide(g.step_lengths_m, g.step_times_s))) for _, g in mine if not g.fell]
        spreads[t] = float(np.mean(steps or [math.inf]))
        falls[t] = sum(g.fell for _, g in mine)
    worse = errors[0.0] > errors[1.0]
    holds = worse and (spreads[0.0] > spreads[1.0] or falls[0.0] > falls[1.0])
    return make_row(
        "coros-5-no-vt",
        f"with, without: mean speed error {errors[1.0]:.2f}, {errors[0.0]:.2f} m/s; speed of single steps varies by "
        f"{spreads[1.0]:.3f}, {spreads[0.0]:.3f} m/s; falls {falls[1.0]}, {falls[0.0]} of {len(speeds)}",
        holds,
        note="" if holds else "Its speed is off, its walk just as steady." if worse else "Its speed is no worse.",
    )


def _pendulum_rows(quick: bool, seed: int, base: Variant, progress: Progress | None) -> list[Row]:
    variants: dict[str, Values] = {
        "no pendulum": {"pendulum_gain": 0.0, "pendulum_gain_side": 0.0},
        "none forward": {"pendulum_gain": 0.0},
        "none sideways": {"pendulum_gain_side": 0.0},
    }
    found = run_trials([partial(try_variant, quick, seed, v) for v in variants.values()], progress)
    shown = "; ".join(f"{n}: {show_variant(v)}" for n, v in zip(variants, found, strict=True))
    holds = found[0].limit_n < 0.5 * base.limit_n
    return [
        make_row(
            "coros-5-no-ipm",
            f"{shown}; with it: {show_variant(base)}",
            holds,
            note="" if holds else "Required: less than half of the push limit without it.",
        ),
        _formula_row(quick, seed, base),
    ]


def compute_residual_mps(speed_mps: float, height_m: float, printed: bool) -> float:
    """Remaining speed of a pendulum of constant length above its foot, which either formula places.

    [Coros10 §5.3.2]: d = v·√(h/g) as printed, v·√(h/g + v²/4g²) as its own energy balance gives.
    """
    g = GRAVITY_MPS2
    more = 0.0 if printed else speed_mps**2 / (4.0 * g * g)
    distance = speed_mps * math.sqrt(height_m / g + more)
    rise = math.hypot(height_m, distance) - height_m
    return math.sqrt(max(speed_mps**2 - 2.0 * g * rise, 0.0))


def _formula_row(quick: bool, seed: int, base: Variant) -> Row:
    speeds = (0.5, 1.0, 2.0)
    left = {p: [compute_residual_mps(v, 1.0, p) for v in speeds] for p in (True, False)}
    shown = ", ".join(
        f"{v:g} m/s: {a:.2f} and {b:.2f}" for v, a, b in zip(speeds, left[True], left[False], strict=True)
    )
    measured = f"remaining speed after one step from a height of 1 m, as printed and by the energy balance: {shown}"
    body = load_character("humanoid")
    if "printed_pendulum" in load_controller(TEXT, body).values():
        variant = try_variant(quick, seed, {"printed_pendulum": 1.0})
        measured += f"; walking: {show_variant(variant)} and {show_variant(base)}"
    holds = max(left[False]) < 0.01 and not base.gait.fell
    return make_row(
        "coros-5-ipm",
        measured,
        holds,
        note="The printed formula drops v²/4g² and does not stop the pendulum; `walker/text` uses the full one.",
    )


def count_crossings(quick: bool, seed: int, pass_legs: float) -> tuple[float | None, float, float]:
    """Time of the fall, fraction of time with overlapping legs, and largest overlap (m), in sharp turns."""
    seconds, every_s = (10.0, 2.0) if quick else (40.0, 2.0)
    rng = np.random.default_rng(seed)
    changes, heading = [], 0.0
    for at_s in np.arange(2.0, seconds, every_s):
        heading += float(rng.choice([-1.0, 1.0]) * rng.uniform(60.0, 120.0))
        changes.append(Change(float(at_s), "heading_deg", heading))
    scene = make_scene(quick, {"speed_mps": PUSHED_MPS, "pass_legs": pass_legs}, changes=changes, seed=seed)
    recording, fell = record_trial(scene, seconds, record_hz=50.0)
    depths = compute_leg_depths_m(recording)
    return fell, float(np.mean(depths > CROSSED_M)), float(depths.max(initial=0.0))


def _crossing_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    found = run_trials([partial(count_crossings, quick, seed, p) for p in (0.0, 1.0)], progress)
    (fell, part, depth), (free_fell, free_part, free_depth) = found
    holds = fell is None and part < 0.5 * free_part
    return make_row(
        "coros-5-leg-crossing",
        f"turns of 60 to 120° every 2 s at {PUSHED_MPS:g} m/s, with and without guidance: legs overlap for "
        f"{100 * part:.1f} and {100 * free_part:.1f} % of the time, by {1000 * depth:.0f} and "
        f"{1000 * free_depth:.0f} mm at most; {show_falls({'with': fell, 'without': free_fell})}",
        holds,
        exceeded=holds and depth < CROSSED_M,
        note=f"With `{WALK}`, whose swing foot avoids the stance leg instead of passing through a waypoint."
        + ("" if holds else " Required: no fall with guidance, and less than half of the crossings."),
    )  # fmt: skip


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about the parts of the controller."""
    parts = split_progress(progress, 5)
    (base,) = run_trials([partial(try_variant, quick, seed, {})], parts[0])
    return [
        _gravity_row(quick, seed, parts[1]),
        _tuning_row(quick, seed, parts[2]),
        *_pendulum_rows(quick, seed, base, parts[3]),
        _crossing_row(quick, seed, parts[4]),
    ]


EXPERIMENT = Experiment(
    "walker-parts",
    "the walker without gravity compensation, velocity tuning, the pendulum or swing-foot guidance",
    measure,
    SETTINGS,
    ("coros-5-no-gc", "coros-5-no-vt", "coros-5-no-ipm", "coros-5-ipm", "coros-5-leg-crossing"),
)
