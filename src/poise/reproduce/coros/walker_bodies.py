"""One walker on every body: random bodies, the source's four, and a large one [Coros10 §5.4, §5.5.3]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from poise.characters.catalog import load_character
from poise.characters.model import SIDES, Character
from poise.characters.proportions import scaled
from poise.measures.walking import wrap_deg
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import (
    BODIES,
    PUSHED_MPS,
    STEP_S,
    TEXT,
    Progress,
    make_scene,
    show_falls,
    show_share,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.rollout.simulate import Change
from poise.trials import Gait, measure_gait, record_trial, run_trial, run_trials

RANDOM_BODIES, WALK_S = 200, 30.0
#: Share of random bodies that must walk for the claim to hold; the source shows a few and gives no share.
ENOUGH = 0.9
#: Commands to every body: time (s), speed (m/s) and heading (degrees).
SCRIPT = (
    (1.0, 0.6, 0.0),
    (6.0, 1.0, 0.0),
    (11.0, 0.6, 90.0),
    (16.0, -0.4, 90.0),
    (21.0, 0.0, 90.0),
    (25.0, 0.6, -45.0),
    (31.0, 0.0, -45.0),
)
SCRIPT_S = 35.0
GROWN = 1.5
#: A joint has given way when it is this far from its angle under gains that grow with the mass.
GIVES_RAD = 0.15
SETTINGS = {"bodies": RANDOM_BODIES, "walk_s": WALK_S, "speed_mps": PUSHED_MPS, "timestep_s": STEP_S, "grown": GROWN}


def _random_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    count, seconds = (6, 15.0) if quick else (RANDOM_BODIES, WALK_S)
    jobs = [
        partial(
            run_trial, make_scene(quick, {"speed_mps": PUSHED_MPS}, random_body=k, seed=seed), seconds, settle_s=5.0
        )
        for k in range(count)
    ]
    gaits: list[Gait] = run_trials(jobs, progress)
    walked = [g for g in gaits if not g.fell]
    errors = [abs(g.speed_mps - PUSHED_MPS) for g in walked]
    share = len(walked) / count
    return make_row(
        "coros-5-editor",
        f"{show_share(len(walked), count)} bodies walk {seconds:g} s at {PUSHED_MPS:g} m/s ({100 * share:.0f} %); "
        f"mean speed error {np.mean(errors) if errors else math.nan:.2f} m/s",
        share >= ENOUGH,
        note=f"Limbs by 0.7 to 1.4, unevenly too, masses by 0.5 to 2, knees moved; {100 * ENOUGH:g} % must walk.",
    )


@dataclass(frozen=True)
class ScriptRun:
    """Result of the script on one body."""

    fell_at_s: float | None
    #: Largest speed and heading errors at the ends of commands, up to a fall.
    speed_error_mps: float
    heading_error_deg: float
    #: Difference between left and right step lengths over their mean, in the first straight walk.
    asymmetry: float


def run_script(quick: bool, body: str, seed: int) -> ScriptRun:
    """Run the script on a body; errors are measured over the last two seconds of each command."""
    changes = [Change(t, name, v) for t, *both in SCRIPT for name, v in zip(("speed_mps", "heading_deg"), both)]
    recording, fell = record_trial(make_scene(quick, character=body, changes=changes, seed=seed), SCRIPT_S)
    speeds, headings = [0.0], [0.0]
    ends = [*(t for t, _, _ in SCRIPT[1:]), SCRIPT_S]
    for (_, speed, heading), end_s in zip(SCRIPT, ends, strict=True):
        if fell is not None and fell < end_s:
            break
        gait = measure_gait(recording, start_s=end_s - 2.0, end_s=end_s)
        speeds.append(abs(gait.speed_mps - speed))
        headings.append(abs(wrap_deg(heading - gait.heading_deg)))
    straight = measure_gait(recording, start_s=2.0, end_s=SCRIPT[1][0])
    return ScriptRun(fell, max(speeds), max(headings), compute_asymmetry(straight))


def compute_asymmetry(gait: Gait) -> float:
    """Difference between the mean step lengths of the two sides over their mean; 0 if there are too few steps."""
    one, other = gait.step_lengths_m[0::2], gait.step_lengths_m[1::2]
    if not one or not other:
        return 0.0
    mean, apart = 0.5 * float(np.mean(one) + np.mean(other)), abs(float(np.mean(one) - np.mean(other)))
    return apart / max(abs(mean), 1e-3)


def _script_rows(quick: bool, seed: int, progress: Progress | None) -> list[Row]:
    runs = dict(zip(BODIES, run_trials([partial(run_script, quick, b, seed) for b in BODIES], progress), strict=True))
    falls = {body: run.fell_at_s for body, run in runs.items()}
    upright = all(f is None for f in falls.values())
    worst = max(r.speed_error_mps for r in runs.values())
    turned = max(r.heading_error_deg for r in runs.values())
    rows = [
        make_row(
            "coros-5-4-characters",
            f"{len(SCRIPT)} commands in {SCRIPT_S:g} s on {len(BODIES)} bodies: {show_falls(falls)}; worst speed error "
            f"{worst:.2f} m/s, worst heading error {turned:.0f}° at the end of a command",
            upright,
            note="" if upright else "Errors are those before the fall.",
        )
    ]
    for body in BODIES[1:]:
        words, model_holds = describe_body(load_character(body))
        run = runs[body]
        holds = model_holds and run.fell_at_s is None
        rows.append(
            make_row(
                f"coros-5-model-{body}",
                f"{words}; commands: {show_falls({'it': run.fell_at_s}).replace('it at', 'at')}, left and right "
                f"steps differ by {100 * run.asymmetry:.0f} %",
                holds,
                note="" if holds else "The body is as described, but falls before the last command."
                if model_holds else "The body is not as described.",
            )
        )  # fmt: skip
    return rows


def describe_body(body: Character) -> tuple[str, bool]:
    """Measured values of what the source says about one of its other bodies, and whether they agree."""
    if body.name == "robot":
        at = body.reference_positions_m()
        arm_kg, arm_m, knee_m = {}, {}, {}
        for side in SIDES:
            arm = body.below(body.roles[f"{side}_upper_arm"])
            arm_kg[side] = sum(body.segment(n).mass_kg for n in arm)
            shoulder, elbow = (np.array(at[body.roles[f"{side}_{part}"]]) for part in ("upper_arm", "forearm"))
            arm_m[side] = float(np.linalg.norm(elbow - shoulder))
            knee_m[side] = float(at[body.roles[f"{side}_shank"]][2])
        longer, heavier = arm_m["left"] / arm_m["right"], arm_kg["left"] / arm_kg["right"]
        higher = knee_m["left"] - knee_m["right"]
        words = (
            f"left arm {longer:.2f} times as long, {heavier:.2f} times as heavy, left knee {100 * higher:.0f} cm higher"
        )
        return words, abs(longer - 1.4) < 0.02 and heavier >= 1.39 and abs(higher - 0.2) < 0.005
    masses = sorted(((s.mass_kg, s.name) for s in body.segments), reverse=True)
    share = body.segment(body.roles["pelvis"]).mass_kg / body.mass_kg
    return f"{100 * share:.0f} % of {body.mass_kg:.0f} kg in the pelvis", masses[0][1] == body.roles["pelvis"]


def find_first_to_give(quick: bool, seed: int, body: Character, stiffness: float) -> tuple[str, float, float | None]:
    """First joint to leave the pose that mass-scaled gains hold, its time, and the time of the fall."""
    seconds = 4.0
    recordings = []
    for factor in (1.0, stiffness):
        scene = make_scene(quick, {"stiffness": factor}, controller=TEXT, character=body, seed=seed)
        recordings.append(record_trial(scene, seconds, record_hz=200.0))
    (held, _), (weak, fell) = recordings
    frames = min(held.frames, weak.frames)
    apart = np.abs(held.joint_q_rad[:frames] - weak.joint_q_rad[:frames]) > GIVES_RAD
    when = np.where(apart.any(axis=0), apart.argmax(axis=0), frames)
    first = int(when.argmin())
    time = float(held.time_s[when[first]]) if when[first] < frames else math.inf
    return (body.axis_names[first] if math.isfinite(time) else "none"), time, fell


def _gain_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    plain = load_character("humanoid")
    body = scaled(plain, **dict.fromkeys(("legs", "arms", "trunk", "head", "feet"), GROWN))
    ratio = body.mass_kg / plain.mass_kg
    walks = [
        make_scene(quick, {"speed_mps": PUSHED_MPS, "stiffness": k}, controller=TEXT, character=body, seed=seed)
        for k in (1.0, 1.0 / ratio)
    ]
    grown, weak = run_trials([partial(run_trial, s, 10.0 if quick else 20.0, settle_s=5.0) for s in walks], progress)
    joint, time, fell = find_first_to_give(quick, seed, body, 1.0 / ratio)
    holds = not grown.fell and weak.fell and joint.endswith("knee_pitch")
    return make_row(
        "coros-5-pd-scaling",
        f"humanoid {GROWN:g} times as large, {body.mass_kg:.0f} kg: with mass-scaled gains it {_show_walk(grown)}, "
        f"without them it {_show_walk(weak)}; when standing, {joint} gives way first, after {time:.2f} s"
        f"{'' if fell is None else f', and it falls at {fell:.1f} s'}",
        holds,
        note="With `walker/text`; the knees of `walker/walk` also carry the weight by feed-forward." if holds else
        "With `walker/text`. Required: it walks with scaled gains, falls without them, and a knee gives way first.",
    )  # fmt: skip


def _show_walk(gait: Gait) -> str:
    return f"falls at {gait.fell_at_s:.1f} s" if gait.fell_at_s is not None else f"walks at {gait.speed_mps:.2f} m/s"


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about bodies."""
    parts = split_progress(progress, 3)
    return [
        _random_row(quick, seed, parts[0]),
        *_script_rows(quick, seed, parts[1]),
        _gain_row(quick, seed, parts[2]),
    ]


EXPERIMENT = Experiment(
    "walker-bodies",
    "the walker on random bodies, on the source's four, and on a large one",
    measure,
    SETTINGS,
    (
        "coros-5-editor",
        "coros-5-4-characters",
        "coros-5-model-robot",
        "coros-5-model-beast1",
        "coros-5-model-beast2",
        "coros-5-pd-scaling",
    ),
)
