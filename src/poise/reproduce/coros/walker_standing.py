"""The walker at rest: standing, idling, and pushes that make it step and stand again [Coros10 §5.5.1]."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from poise.measures.steps import find_swings
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import (
    BODIES,
    STEP_S,
    Progress,
    make_own_row,
    make_scene,
    show_falls,
    show_share,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.trials import record_trial, run_trials
from poise.world.disturbances import Push

STAND_S, DRIFT_M = 600.0, 0.3
IDLE_S = 60.0
PUSH_N, PUSH_S, PUSH_AT_S, REST_S = 300.0, 0.1, 2.0, 5.0
#: One more second after the recovery, in which no foot may move.
WATCH_S = 1.0
SETTINGS = {"stand_s": STAND_S, "idle_s": IDLE_S, "push_n": PUSH_N, "push_s": PUSH_S, "timestep_s": STEP_S}


def measure_drift(quick: bool, seed: int, body: str, seconds: float, idle: float) -> tuple[float | None, float, int]:
    """Time of the fall, largest distance of the centre of mass from its start, and number of steps."""
    scene = make_scene(quick, {"idle": idle}, character=body, seed=seed)
    recording, fell = record_trial(scene, seconds, record_hz=10.0)
    com = recording.com_w_m[:, 0, :2]
    return fell, float(np.linalg.norm(com - com[0], axis=1).max()), len(find_swings(recording))


def _rest_rows(quick: bool, seed: int, progress: Progress | None) -> list[Row]:
    parts = split_progress(progress, 2)
    bodies = BODIES[:1] if quick else BODIES
    stand_s, idle_s = (30.0, 30.0) if quick else (STAND_S, IDLE_S)
    stood = run_trials([partial(measure_drift, quick, seed, b, stand_s, 0.0) for b in bodies], parts[0])
    idled = run_trials([partial(measure_drift, quick, seed, b, idle_s, 1.0) for b in bodies], parts[1])
    drift = max(d for _, d, _ in stood)
    still = {b: f for b, (f, _, _) in zip(bodies, stood, strict=True)}
    moved = {b: f for b, (f, _, _) in zip(bodies, idled, strict=True)}
    stands = all(f is None for f in still.values()) and drift <= DRIFT_M
    idles = all(f is None for f in moved.values()) and any(n > 0 for _, _, n in idled)
    return [
        make_own_row(
            "poise-walker-stand",
            "Each body stands in place for ten minutes.",
            f"{STAND_S:g} s, no fall, drift at most {DRIFT_M:g} m",
            f"{stand_s:g} s on {len(bodies)} bodies: {show_falls(still)}, drift {drift:.2f} m",
            stands,
            note="" if stands else "See the measured figures.",
        ),
        make_row(
            "coros-5-idle",
            f"{idle_s:g} s on {len(bodies)} bodies: {show_falls(moved)}, steps {', '.join(str(n) for *_, n in idled)}, "
            f"centre of mass up to {max(d for _, d, _ in idled):.2f} m from its start",
            idles,
            note="" if idles else "It falls, or never moves a foot.",
        ),
    ]


def measure_stand_push(quick: bool, seed: int, direction_deg: float) -> tuple[float | None, int, float]:
    """Time of the fall, steps after a push at rest, and seconds from the push to the last touchdown."""
    push = Push(PUSH_N, direction_deg, PUSH_AT_S, PUSH_S)
    recording, fell = record_trial(
        make_scene(quick, pushes=[push], seed=seed), PUSH_AT_S + REST_S + WATCH_S, record_hz=20.0
    )
    strikes = [strike for _, strike in find_swings(recording) if strike > PUSH_AT_S]
    return fell, len(strikes), max((t - PUSH_AT_S for t in strikes), default=0.0)


def _push_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    directions = [360.0 * k / (4 if quick else 16) for k in range(4 if quick else 16)]
    found = run_trials([partial(measure_stand_push, quick, seed, d) for d in directions], progress)
    upright = [fell is None for fell, _, _ in found]
    stepped = [fell is None and n > 0 for fell, n, _ in found]
    rested = [fell is None and last <= REST_S for fell, _, last in found]
    steps = [n for fell, n, _ in found if fell is None] or [0]
    holds = all(upright) and all(rested) and any(stepped)
    return make_row(
        "coros-5-stand-push",
        f"{PUSH_N:g} N for {PUSH_S:g} s at rest: {show_share(sum(upright), len(found))} directions survived, "
        f"{sum(stepped)} by stepping, {sum(rested)} stand within {REST_S:g} s, {min(steps)} to {max(steps)} steps",
        holds,
        note="" if holds else "It does not recover from every direction.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about standing."""
    parts = split_progress(progress, 2)
    return [*_rest_rows(quick, seed, parts[0]), _push_row(quick, seed, parts[1])]


EXPERIMENT = Experiment(
    "walker-standing",
    "the walker at rest: standing, idling, and stepping when pushed",
    measure,
    SETTINGS,
    ("coros-5-idle", "coros-5-stand-push"),
)
