"""The small robot's shipped skills: a jump, a kick and a walk for any task in their range [Ha15 §7.4.1].

Every value of a task is simulated at the thesis's time step, and again for longer, only to check for falls. The
searches behind the skills are compared in `skills_searches`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.batches.threads import run_trials
from poise.characters.catalog import load_character
from poise.optim import parametric
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.ha import skills_races
from poise.reproduce.ha.skills_find import COMMANDS
from poise.reproduce.ha.skills_motions import FIRST_STEPS, MOTIONS, WALK_FROM_S, Motion, Outcome, try_out
from poise.reproduce.pictures import Plot
from poise.rollout.scene import Scene

Progress = Callable[[float], None]
#: Number of values of each task, evenly over its range. Searches were repeated until these were met; values halfway
#: between are therefore measured too.
VALUES: Final = 21
QUICK_VALUES: Final = 5
TIMESTEP_S: Final = 0.0005
#: How long the robot must stay on its feet after each.
STANDING_S: Final = {"jump": 3.9, "kick": 3.3, "walk": 20.0}
#: A task is met if the error is at most this fraction of the range.
TOLERANCE: Final = 0.1
#: The manual walk's speed, and the relative difference that counts as the same [Ha15 §7.4.1.3].
MANUAL_MPS, MANUAL_PART = 0.085, 0.1
#: Claim -> motion, the factor to the displayed unit, and the unit's name.
RANGES: Final = {
    "ha-7-jump": ("jump", 100.0, "cm"),
    "ha-7-kick": ("kick", 100.0, "cm"),
    "ha-7-walk": ("walk", 100.0, "cm/s"),
}


def follow(motion: Motion, value: float) -> tuple[Outcome, bool]:
    """Outcome of the shipped skill for a value, and whether the robot is still on its feet later."""
    values = {COMMANDS[motion.name]: value}
    outcome = try_out(motion, values, timestep_s=TIMESTEP_S, skilled=True)
    later = try_out(motion, values, timestep_s=TIMESTEP_S, skilled=True, seconds=STANDING_S[motion.name])
    return outcome, not later.fell


def _range_row(claim: str, count: int, progress: Progress | None) -> Row:
    name, factor, unit = RANGES[claim]
    motion = MOTIONS[name]
    wished = motion.wish(np.linspace(0.0, 1.0, count))
    found = run_trials([partial(follow, motion, float(v)) for v in wished], progress)
    reached = np.array([outcome.reached for outcome, _ in found])
    standing = sum(stands and not outcome.fell for outcome, stands in found)
    errors = np.abs(reached - wished)
    between = _measure_between(motion, wished)
    allowed = TOLERANCE * (motion.high - motion.low)
    away = np.sqrt(np.mean([outcome.balance_m2 for outcome, _ in found]))
    holds = standing == count and bool(errors.max() <= allowed)
    return make_row(
        claim,
        f"{count} values from {factor * motion.low:g} to {factor * motion.high:g} {unit}: mean error "
        f"{factor * errors.mean():.2g}, largest {factor * errors.max():.2g} {unit}, at most {factor * allowed:.2g} "
        f"required; at {count - 1} values between them mean {factor * between.mean():.2g}, largest "
        f"{factor * between.max():.2g}; {count - standing} falls in {STANDING_S[name]:g} s; centre of mass "
        f"{100 * away:.1f} cm from the centre of pressure (root mean square)",
        holds,
        note=" ".join(
            part
            for part in (
                "" if holds else _say_where(errors > allowed, wished * factor, unit),
                _describe_first_steps(wished) if name == "walk" else "",
            )
            if part
        ),
        plot=Plot(
            "line",
            [float(f"{factor * v:.4g}") for v in wished],
            {"reached": [float(f"{factor * v:.4g}") for v in reached]},
            x_label=f"commanded ({unit})",
            title=f"{name}: reached over commanded ({unit})",
            diagonal=True,
        ),
    )


def _measure_between(motion: Motion, wished: NDArray[np.float64]) -> NDArray[np.float64]:
    """Errors halfway between values; a fall counts as infinite."""
    middles = 0.5 * (wished[1:] + wished[:-1])
    command = COMMANDS[motion.name]
    jobs = [partial(try_out, motion, {command: float(v)}, timestep_s=TIMESTEP_S, skilled=True) for v in middles]
    found = run_trials(jobs)
    return np.array([np.inf if o.fell else abs(o.reached - v) for o, v in zip(found, middles, strict=True)])


def _describe_first_steps(wished: NDArray[np.float64]) -> str:
    jobs = [
        partial(try_out, FIRST_STEPS, {COMMANDS["walk"]: float(v)}, timestep_s=TIMESTEP_S, skilled=True) for v in wished
    ]
    errors = 100.0 * np.abs(np.array([outcome.reached for outcome in run_trials(jobs)]) - wished)
    return (
        f"Speed from {WALK_FROM_S:g} to {MOTIONS['walk'].seconds:g} s. Over the first 3 s from rest, as in the thesis, "
        f"the error is {errors.mean():.1f} on average and {errors.max():.1f} cm/s at most: it starts slowly."
    )


def _say_where(off: NDArray[np.bool_], shown: NDArray[np.float64], unit: str) -> str:
    """Text about the missed part of a range."""
    if not np.any(off):
        return "It falls."
    places = f"from {shown[off].min():.3g} to {shown[off].max():.3g} {unit}"
    return f"Errors above the limit at {np.count_nonzero(off)} values {places}; searched with few evaluations."


def _model_row() -> Row:
    body = load_character("bioloid")
    world = Scene(character=body).open()
    com_m = float(world.state.subtree_com_w_m[1][2])
    top = next(m for m in body.landmarks if m.name == "head_top")
    height_m = float(world.percepts[0].root_q[2]) + top.position_m[2]
    limits = {(round(float(np.degrees(a.high_rad))), a.torque_limit_nm) for a in body.axes}
    holds = (
        abs(height_m - 0.346) < 5e-4
        and abs(body.mass_kg - 1.6) < 1e-3
        and abs(com_m - 0.19) < 2.5e-3
        and limits == {(150, 0.6)}
    )
    return make_row(
        "ha-7-model",
        f"{100 * height_m:.1f} cm, {body.mass_kg:.2f} kg, {len(body.axes)} joints, ±150 degrees, 0.6 N·m; centre of "
        f"mass at {com_m:.3f} m; {TIMESTEP_S} s",
        holds,
        note="Masses are 1.49 times those of the released URDF, which weighs 1.08 kg.",
    )


def _settings_row() -> Row:
    import cma

    parents = cma.CMAEvolutionStrategy(np.zeros(6), 1.0, {"popsize": skills_races.POPULATION, "verbose": -9}).sp
    used = (parametric.SAMPLES, parametric.ELITES, parametric.GROUPS, parametric.FIT_WEIGHT)
    mu = int(parents.weights.mu)
    holds = used == (16, 48, 100, 10.0) and (skills_races.POPULATION, mu) == (16, 8)
    return make_row(
        "ha-7-settings",
        f"lambda = {used[0]}, mu = {used[1]}, {used[2]} groups, alpha {used[3]:g}; CMA-ES lambda "
        f"{skills_races.POPULATION}, mu {mu}; medians and quartiles over all seeds instead of seven of nine",
        holds,
    )


def _manual_row() -> Row:
    outcome = try_out(MOTIONS["walk"], {}, timestep_s=TIMESTEP_S)
    first = try_out(FIRST_STEPS, {}, timestep_s=TIMESTEP_S)
    holds = not outcome.fell and abs(outcome.reached / MANUAL_MPS - 1.0) <= MANUAL_PART
    return make_row(
        "ha-7-walk-manual",
        f"{100 * outcome.reached:.1f} cm/s from {WALK_FROM_S:g} to {MOTIONS['walk'].seconds:g} s, "
        f"{'it falls' if outcome.fell else 'no fall'}; within {100 * MANUAL_PART:.0f} % required; "
        f"{100 * first.reached:.1f} cm/s over the first 3 s from rest",
        holds,
        note="The released poses, made symmetric, with lateral feedback; all parameters zero.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Rows about the shipped skills; nothing here is random, and the seed has no effect."""
    count = QUICK_VALUES if quick else VALUES
    rows = [_model_row(), _settings_row(), _manual_row()]
    for k, claim in enumerate(RANGES):
        part = None if progress is None else partial(_describe, progress, k)
        rows.append(_range_row(claim, count, part))
    return rows


def _describe(progress: Progress, row: int, part: float) -> None:
    progress((row + part) / len(RANGES))


EXPERIMENT = Experiment(
    "ha/skills",
    "a small robot jumps, kicks and walks to commanded heights, distances and speeds",
    measure,
    {"values": VALUES, "timestep_s": TIMESTEP_S, "standing_s": STANDING_S, "tolerance": TOLERANCE},
    claims=("ha-7-model", "ha-7-settings", "ha-7-walk-manual", *RANGES),
)
