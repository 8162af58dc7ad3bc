"""Turns, starts and stops of the walker on command [Coros10 §5.3.5, §5.5.1]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from poise.measures.leg_overlap import compute_leg_depths_m
from poise.measures.steps import find_swings
from poise.recordings.recording import FloatArray, Recording
from poise.recordings.rotations import compute_heading_rad
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import (
    BODIES,
    PUSHED_MPS,
    STEP_S,
    Progress,
    make_own_row,
    make_scene,
    show_falls,
    show_share,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.pictures import Plot
from poise.rollout.simulate import Change
from poise.trials import record_trial, run_trials

TURN_MPS, TURN_RATE_RADPS = 1.0, 2.0
#: Margin on the mean turn rate, since body and feet do not follow the commanded ramp exactly.
TURN_RATE_MARGIN = 1.1
HEADING_ERROR_DEG = 5.0
#: Largest turn that settles within three seconds, at the speed of the weave.
MOST_TURN_DEG = 120.0
LEGS_OVERLAP_M = 0.005
#: Starts and stops: range of forward speeds, backward speed, and duration of each command.
STARTED_MPS, BACKWARD_MPS, HOLD_S = (0.3, 1.0), -0.4, 4.0
SETTINGS = {"turn_mps": TURN_MPS, "weave_s": 60.0, "starts": 20, "timestep_s": STEP_S, "bodies": list(BODIES)}


def find_headings_deg(recording: Recording, role: str) -> FloatArray:
    """Unwrapped heading of a segment in each frame."""
    body = recording.characters[0]
    column = recording.segments_of(0).start + body.segment_names.index(body.roles[role])
    return np.degrees(np.unwrap(compute_heading_rad(recording.segment_quat_wxyz[:, column])))


def measure_turn(recording: Recording, at_s: float, angle_deg: float) -> tuple[float, float, float, float]:
    """Mean rate (rad/s) from 10 % to 90 %, seconds until 90 %, final error (degrees), lead of the head (degrees)."""
    pelvis, head, time = find_headings_deg(recording, "pelvis"), find_headings_deg(recording, "head"), recording.time_s
    before = float(np.mean(pelvis[(time > at_s - 1.0) & (time <= at_s)]))
    done = (pelvis - before) / angle_deg
    after = time > at_s
    crossing = [float(time[after & (done >= part)][0]) if np.any(after & (done >= part)) else math.nan
                for part in (0.1, 0.9)]  # fmt: skip
    rate = math.radians(0.8 * abs(angle_deg)) / (crossing[1] - crossing[0])
    end = float(np.mean(pelvis[time > time[-1] - 1.0])) - before
    turning = after & (time <= crossing[1])
    lead = float(np.mean((head - pelvis)[turning])) * math.copysign(1.0, angle_deg) if turning.any() else math.nan
    return rate, crossing[1] - at_s, angle_deg - end, lead


def _turn_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    angles, at_s = (90.0, 180.0) if quick else (90.0, -90.0, 180.0, -179.0), 4.0
    scenes = [make_scene(quick, {"speed_mps": TURN_MPS}, changes=[Change(at_s, "heading_deg", a)], seed=seed)
              for a in angles]  # fmt: skip
    runs = run_trials([partial(record_trial, s, 12.0) for s in scenes], progress)
    measured = [(a, *measure_turn(r, at_s, a)) for a, (r, fell) in zip(angles, runs, strict=True) if fell is None]
    falls = {f"{a:g}°": fell for a, (_, fell) in zip(angles, runs, strict=True)}
    shown = "; ".join(f"{a:g}° in {s:.1f} s at {rate:.2f} rad/s, {error:+.1f}° off, head {lead:.0f}° ahead"
                      for a, rate, s, error, lead in measured)  # fmt: skip
    good = [abs(error) < HEADING_ERROR_DEG and lead > 0.0 and rate <= TURN_RATE_MARGIN * TURN_RATE_RADPS
            for _, rate, _, error, lead in measured]  # fmt: skip
    holds = len(measured) == len(angles) and all(good)
    plot = None
    if runs[0][1] is None:
        recording = runs[0][0]
        some = slice(None, None, max(1, len(recording.time_s) // 120))
        series = {role: [round(float(v), 1) for v in find_headings_deg(recording, role)[some]]
                  for role in ("pelvis", "head")}  # fmt: skip
        times = [round(float(t), 2) for t in recording.time_s[some]]
        plot = Plot("line", times, series, x_label="s", y_label="degrees", title="heading after a command of 90°")
    return make_row(
        "coros-5-turn",
        f"at {TURN_MPS:g} m/s: {shown}; {show_falls(falls)}",
        holds,
        note="" if holds else f"Required: within {HEADING_ERROR_DEG:g}° at the end, a mean rate of at "
        f"most {TURN_RATE_MARGIN * TURN_RATE_RADPS:g} rad/s, and the head ahead of the pelvis.",
        plot=plot,
    )  # fmt: skip


def _weave_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    """A new heading every three seconds, with legs that cannot pass through each other."""
    every_s, seconds = 3.0, 15.0 if quick else 60.0
    plans = []
    for k in range(1 if quick else 4):
        rng = np.random.default_rng([seed, k])
        times = np.arange(every_s, seconds - 0.5 * every_s, every_s)
        headings = np.cumsum(rng.uniform(-MOST_TURN_DEG, MOST_TURN_DEG, len(times)))
        plans.append([Change(float(t), "heading_deg", float(h)) for t, h in zip(times, headings, strict=True)])
    scenes = [
        make_scene(quick, {"speed_mps": PUSHED_MPS}, changes=plan, legs_collide=True, seed=seed) for plan in plans
    ]
    runs = run_trials([partial(record_trial, s, seconds, record_hz=50.0) for s in scenes], progress)
    errors, depths = [], []
    for plan, (recording, _) in zip(plans, runs, strict=True):
        depths.append(float(compute_leg_depths_m(recording).max(initial=0.0)))
        pelvis = find_headings_deg(recording, "pelvis")
        for change, end_s in zip(plan, [*(c.at_s for c in plan[1:]), seconds]):
            settled = (recording.time_s > end_s - 0.6) & (recording.time_s <= end_s)
            if settled.any():
                errors.append(abs((float(change.value) - float(np.mean(pelvis[settled])) + 180.0) % 360.0 - 180.0))
    falls = {f"walk {k + 1}": fell for k, (_, fell) in enumerate(runs)}
    worst, depth = max(errors, default=math.inf), max(depths)
    holds = all(f is None for f in falls.values()) and worst < HEADING_ERROR_DEG and depth <= LEGS_OVERLAP_M
    return make_own_row(
        "poise-walker-weave",
        f"It turns by up to {MOST_TURN_DEG:g}° every 3 s, and its legs never pass through each other.",
        f"no falls in {seconds:g} s, within {HEADING_ERROR_DEG:g}°, leg overlap at most {1000 * LEGS_OVERLAP_M:g} mm",
        f"{show_falls(falls)}; worst of {len(errors)} heading errors {worst:.1f}°, leg overlap {1000 * depth:.1f} mm",
        holds,
        note="" if holds else "See the measured figures.",
    )


class Stops:
    """Starts and stops of one walk: waits for the first strike, steps until rest, and stops that did not settle."""

    def __init__(self, quick: bool, body: str, seed: int, trial: int) -> None:
        speed = float(np.random.default_rng([seed, trial]).uniform(*STARTED_MPS))
        plan = [(1.0 + HOLD_S * k, v) for k, v in enumerate((speed, 0.0, speed, BACKWARD_MPS, 0.0))]
        changes = [Change(t, "speed_mps", v) for t, v in plan]
        scene = make_scene(quick, character=body, changes=changes, seed=seed)
        recording, self.fell_at_s = record_trial(scene, plan[-1][0] + HOLD_S, record_hz=20.0)
        swings = find_swings(recording)
        self.waits_s: list[float] = []
        self.steps: list[int] = []
        self.restless = 0
        for k, (at_s, value) in enumerate(plan):
            if self.fell_at_s is not None and self.fell_at_s <= at_s + HOLD_S:
                break
            strikes = [strike for lift, strike in swings if at_s < strike <= at_s + HOLD_S]
            rested = not any(at_s - 0.5 < strike <= at_s for _, strike in swings)
            if k in (0, 2) and strikes and rested:
                self.waits_s.append(strikes[0] - at_s)
            elif value == 0.0:
                self.steps.append(len(strikes))
                self.restless += bool(strikes) and strikes[-1] > at_s + HOLD_S - 0.5


def _start_stop_rows(quick: bool, seed: int, progress: Progress | None) -> list[Row]:
    bodies, trials = (BODIES[:2], 2) if quick else (BODIES, 20)
    plan = [(body, k) for body in bodies for k in range(trials)]
    runs = run_trials([partial(Stops, quick, body, seed, k) for body, k in plan], progress)
    waits, steps = [w for r in runs for w in r.waits_s], [n for r in runs for n in r.steps]
    upright = {body: sum(r.fell_at_s is None for (b, _), r in zip(plan, runs, strict=True) if b == body)
               for body in bodies}  # fmt: skip
    shown = ", ".join(f"{body} {show_share(n, trials)}" for body, n in upright.items())
    all_upright, restless = sum(upright.values()) == len(runs), sum(r.restless for r in runs)
    started = len(waits) >= len(runs)
    note = "" if all_upright else "Not every body completes every sequence."
    return [
        make_row(
            "coros-5-start",
            f"first strike {_show_range(waits, 's')} after the command, in {len(waits)} starts from rest; sequences of "
            f"start, stop, start, reversal and stop without a fall: {shown}",
            all_upright and started,
            note=f"{note} The position of the capture point triggers the walk, not 40 % of the COM's shift.".strip(),
        ),
        make_row(
            "coros-5-stop",
            f"{_show_range(steps, 'steps')} until it stands, in {len(steps)} stops from {BACKWARD_MPS:g} to "
            f"{STARTED_MPS[1]:g} m/s; {restless} still stepping after {HOLD_S - 0.5:g} s; without a fall: {shown}",
            all_upright and restless == 0,
            note=note or ("" if restless == 0 else "Not every walk stops."),
        ),
    ]


def _show_range(values: Sequence[float], unit: str) -> str:
    if not values:
        return f"no {unit}"
    return f"{min(values):.2g} to {max(values):.2g} {unit} (mean {np.mean(values):.2g})"


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about turns, starts and stops."""
    parts = split_progress(progress, 3)
    return [
        _turn_row(quick, seed, parts[0]),
        _weave_row(quick, seed, parts[1]),
        *_start_stop_rows(quick, seed, parts[2]),
    ]


EXPERIMENT = Experiment(
    "walker-turns",
    "the walker turns, starts and stops on command",
    measure,
    SETTINGS,
    ("coros-5-turn", "coros-5-start", "coros-5-stop"),
)
