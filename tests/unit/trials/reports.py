"""Reports made by hand, so that files, pictures and comparisons are tested without a simulation."""

from __future__ import annotations

from poise.trials import (
    Gait,
    PushLimit,
    PushLimits,
    PushMatrix,
    PushOutcome,
    PushTrains,
    RandomPush,
    RandomPushes,
    Sweep,
    SweepRow,
    TrainOutcome,
)

SETTINGS = {
    "controller": "walk",
    "character": "biped",
    "duration_s": 0.1,
    "seconds": 10.0,
    "poise": "1",
    "seed": 7,
    "physics": {"timestep_s": 0.001},
    "phases": [0.0, 0.5],
}
ALL = (0.0, 90.0, 180.0, 270.0)


def make_gait(speed_mps: float, fell_at_s: float | None = None) -> Gait:
    return Gait(5.0, 10.0, fell_at_s, speed_mps, 0.0, (speed_mps, 0.0), 0.0, 2, (0.5,), (0.4,), (0.2,))


def make_matrix(weak_n: float = 500.0) -> PushMatrix:
    outcomes = tuple(
        PushOutcome(f, d, p, 0.8 if f > weak_n and d == 180.0 else None)
        for f in (400.0, 600.0)
        for d in ALL
        for p in (0.0, 0.5)
    )
    return PushMatrix((400.0, 600.0), ALL, (0.0, 0.5), 0.4, outcomes, SETTINGS)


def make_limits(scale: float = 1.0) -> PushLimits:
    limits = tuple(PushLimit(d, scale * (400.0 + d), scale * (410.0 + d), 0.5) for d in ALL[:3])
    return PushLimits((*limits, PushLimit(270.0, 20_000.0, None, None)), (0.0, 0.5), 0.4, SETTINGS)


def make_random() -> RandomPushes:
    """Four draws at two forces: of 400 N one of them is not survived, of 600 N two."""
    draws = [(0.0, 0.1, "left_foot"), (95.0, 0.6, "left_foot"), (181.0, 0.3, "right_foot"), (350.0, 0.9, "right_foot")]
    outcomes = tuple(
        RandomPush(f, d, 3.0 + p, p, foot, 0.8 if 90.0 < d <= f - 400.0 + 100.0 else None)
        for f in (400.0, 600.0)
        for d, p, foot in draws
    )
    return RandomPushes((400.0, 600.0), 4, (0.4, 0.4), outcomes, {**SETTINGS, "after_s": 2.0, "segment": ""})


def make_trains() -> PushTrains:
    return PushTrains(10, 4.0, (TrainOutcome(80.0, 0.0, 10, None), TrainOutcome(80.0, 180.0, 3, 13.0)), SETTINGS)


def make_sweep(commanded: bool = True, error: float = 0.1) -> Sweep:
    rows = [SweepRow(v, f"{v:g}", v - error if commanded else None, make_gait(v - error)) for v in (0.0, 0.5, 1.0)]
    rows.append(SweepRow(1.5, "1.5", 1.1 if commanded else None, make_gait(1.1, fell_at_s=8.0)))
    return Sweep("speed_mps", commanded, tuple(rows), SETTINGS)
