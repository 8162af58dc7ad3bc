"""SIMBICON in the plane: balance feedback, trunk control and robustness [Coros10 §2.3–2.4]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from poise.api import run_scene
from poise.batches.threads import run_trials
from poise.characters.model import KNOWN_AXES, ROLES
from poise.constants import STRIKE_LOAD_N
from poise.controllers.simbicon import planar_law as law
from poise.kernels.rotation import pitch_rad
from poise.reproduce.coros.planar_walk import measure_push_survival
from poise.reproduce.experiment import Row
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate

WALK, TWO_STATES = "simbicon/planar-walk", "simbicon/planar-walk-2state"
FORWARD_N, BACKWARD_N = 600.0, -400.0
#: Settings of the full form, kept with the result.
SETTINGS = {
    "walk": WALK,
    "walk_s": 600.0,
    "pushes_n": [FORWARD_N, BACKWARD_N],
    "push_s": 0.1,
    "push_phases": 8,
    "gaits_s": 60.0,
    "terrain_s": 15.0,
}


def walks(scene: Scene, seconds: float) -> bool:
    """Whether the character is still on its feet after `seconds`."""
    world = scene.open()
    simulate(world, seconds, record_hz=0.0, stop_on_fall=True)
    return world.fell_at_s() is None


def find_limit(survives: Sequence[tuple[float, bool]]) -> float:
    """Last value before the first failure, 0 if the first one fails; values are ordered away from zero."""
    limit = 0.0
    for value, ok in survives:
        if not ok:
            break
        limit = value
    return limit


def count_unexplained_changes(seconds: float) -> tuple[int, int]:
    """Number of state changes of the two-state walk, and of those with neither foot contact nor timeout."""
    world = Scene(TWO_STATES).open()
    feet = [world.percepts[0].roles[ROLES.index(f"{side}_foot")] for side in ("left", "right")]
    duration = world.params[0][law.HEADER :][: law.FIRST_CHANNEL].view(law.STATE)[0].duration
    memory = law.read_memory(world.memories[0])
    changes = odd = 0
    for _ in range(round(seconds / world.settings.timestep_s)):
        steps, elapsed = memory.steps, memory.elapsed
        swing = feet[1 - int(memory.stance)]
        load = world.percepts[0].touch_load[swing]
        world.step(1)
        if memory.steps != steps:
            changes += 1
            odd += not (load > STRIKE_LOAD_N or elapsed >= duration)
    return changes, odd


def measure_root_torque_error_nm(seconds: float) -> float:
    """Largest difference over a walk between the hip torques on the trunk and the trunk's PD torque."""
    world = Scene(WALK).open()
    percept, params = world.percepts[0], world.params[0]
    hips = [percept.axes[KNOWN_AXES.index(f"{side}_hip_pitch")] for side in ("left", "right")]
    trunk = percept.roles[ROLES.index("trunk")]
    worst = 0.0
    for _ in range(round(seconds / world.settings.timestep_s / 20)):
        world.step(20)
        torque, damping = np.zeros(len(percept.joint_q)), np.zeros(len(percept.joint_q))
        law.planar_law(percept, params, world.memories[0].copy(), torque, damping)
        lean, rate = pitch_rad(percept.rot_w[trunk]), percept.spatial_vel[trunk, 1]
        wanted = -law.read_params(params).torso_kp * lean - law.read_params(params).torso_kd * rate
        # Positive hip torque flexes the leg and, in reaction, pitches the trunk forward.
        worst = max(worst, abs(float(torque[hips[0]] + torque[hips[1]] - wanted)))
    return worst


def _structure_rows(quick: bool) -> list[Row]:
    changes, odd = count_unexplained_changes(5.0 if quick else 20.0)
    error = measure_root_torque_error_nm(2.0 if quick else 10.0)
    gains = {f"{state}_{gain}_radpm" if gain == "cd" else f"{state}_{gain}_radspm": 0.0
             for state in ("lift", "strike") for gain in ("cd", "cv")}  # fmt: skip
    with_it, without = walks(Scene(WALK), 20.0), walks(Scene(WALK, values=gains), 20.0)
    return [
        Row(
            "coros-2-fsm",
            "Coros10 §2.4",
            "Each of the two states ends when the swing foot makes contact or its time expires.",
            "every change of state explained",
            f"{changes} changes, {odd} unexplained",
            changes > 5 and odd == 0,
            note="In the plane, on the two-state walk.",
        ),
        Row(
            "coros-2-feedback",
            "Coros10 §2.4 Eq. 2.1",
            "Linear feedback on the swing hip alone maintains balance.",
            "walks with it, falls without it",
            f"with it: {'walks' if with_it else 'falls'}; with its gains at zero: {'walks' if without else 'falls'}",
            with_it and not without,
            note="Sagittal plane.",
        ),
        Row(
            "coros-2-root",
            "Coros10 §2.4 Eq. 2.3",
            "The stance hip makes the net torque on the root equal to the root's PD torque.",
            "0 up to round-off",
            f"largest difference {error:.1e} N·m",
            error < 1e-9,
        ),
    ]


def _speed_row(quick: bool) -> Row:
    targets = (0.2, 0.4, 0.6) if quick else (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    speeds = []
    for target in targets:
        metrics = run_scene(Scene(WALK, values={"lift_swing_hip_rad": target}), 20.0).metrics
        speeds.append(None if metrics.fallen else metrics.mean_speed_mps)
    shown = ", ".join(
        f"{t:g} rad: {'falls' if s is None else f'{s:.2f} m/s'}" for t, s in zip(targets, speeds, strict=True)
    )
    found = [s for s in speeds if s is not None]
    return Row(
        "coros-2-no-speed-control",
        "Coros10 §2.4",
        "Speed is an outcome of the pose targets, not an input.",
        "speed changes with the pose",
        shown,
        len(found) > 1 and max(found) - min(found) > 0.05,
    )


def _robust_row(quick: bool) -> Row:
    slopes = (2.0, 4.0) if quick else (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
    drops = (0.03, 0.06) if quick else (0.02, 0.04, 0.06, 0.08, 0.10, 0.12, 0.15)
    seconds = 15.0

    def on(terrain: str) -> bool:
        return walks(Scene(WALK, terrain=terrain), seconds)

    up = run_trials([partial(on, f"slope:angle_deg={a}") for a in slopes])
    down = run_trials([partial(on, f"slope:angle_deg={-a}") for a in slopes])
    steps = run_trials([partial(on, f"steps:rise_m={-d},run_m=2,count=3,start_m=4") for d in drops])
    limits = [
        find_limit(list(zip(values, ok, strict=True))) for values, ok in ((slopes, up), (slopes, down), (drops, steps))
    ]
    return Row(
        "coros-2-robust",
        "Coros10 §2.3–2.4",
        "Walking stays balanced on slopes, down steps and under pushes without planning.",
        "no figure",
        f"{seconds:g} s: up {limits[0]:g}° (up to {slopes[-1]:g}° tried), down {limits[1]:g}° (up to {slopes[-1]:g}°), "
        f"down steps of {100 * limits[2]:g} cm (up to {100 * drops[-1]:g} cm); pushes: see poise-walk-pushes",
        all(limit > 0 for limit in limits),
        note="In the plane. A limit is the last value before the first fall; at the end of the range it may be higher.",
    )


def _walk_rows(quick: bool) -> list[Row]:
    seconds = 30.0 if quick else 600.0
    run = run_scene(Scene(WALK), seconds, record_hz=20.0)
    pushed = measure_push_survival(WALK, [FORWARD_N, BACKWARD_N], 4 if quick else 8)
    survived = sum(p.survived for p in pushed)
    speed = run.metrics.mean_speed_mps
    how = "no fall" if not run.metrics.fallen else f"fell at {run.metrics.fell_at_s:.1f} s"
    return [
        Row(
            "poise-walk-600s",
            "Poise",
            "The planar walk starts from rest and keeps walking.",
            "600 s without a fall, 1.0–1.4 m/s",
            f"{seconds:g} s: {how}, {speed:.2f} m/s",
            not run.metrics.fallen and 1.0 <= speed <= 1.4,
        ),
        Row(
            "poise-walk-pushes",
            "Poise",
            "The planar walk survives 0.1 s pushes on the trunk at 8 phases of the stride.",
            f"{FORWARD_N:g} N forward, {-BACKWARD_N:g} N backward: all survived",
            f"{survived} of {len(pushed)}",
            survived == len(pushed),
        ),
    ]


GAITS = ("planar-fast-walk", "planar-in-place", "planar-backward", "planar-high-step", "planar-run", "bigbird-walk")


def _gait_rows(quick: bool) -> list[Row]:
    seconds = 20.0 if quick else 60.0

    def go(name: str) -> Row:
        metrics = run_scene(replace(Scene(WALK), controller=f"simbicon/{name}"), seconds, record_hz=50.0).metrics
        how = "no fall" if not metrics.fallen else f"fell at {metrics.fell_at_s:.1f} s"
        return Row(
            f"poise-gait-{name}",
            "Poise",
            f"`simbicon/{name}` keeps going.",
            "60 s without a fall; speed reported",
            f"{seconds:g} s: {how}, {metrics.mean_speed_mps:.2f} m/s, {metrics.steps} steps",
            not metrics.fallen,
        )

    return run_trials([partial(go, name) for name in GAITS])


def measure(quick: bool, seed: int) -> Sequence[Row]:
    """Measure all claims about SIMBICON in the plane and our own requirements for the planar gaits."""
    return [*_structure_rows(quick), _speed_row(quick), _robust_row(quick), *_walk_rows(quick), *_gait_rows(quick)]
