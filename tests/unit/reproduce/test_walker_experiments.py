"""What the walker's experiments count with, and that together they measure every claim about it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.measures.steps import find_swings
from poise.recordings.recording import Event, Recording
from poise.reproduce.claims import load_claims
from poise.reproduce.coros.walker_bodies import compute_asymmetry, describe_body
from poise.reproduce.coros.walker_catalog import WALKER_EXPERIMENTS
from poise.reproduce.coros.walker_gains import limit_torques
from poise.reproduce.coros.walker_parts import compute_residual_mps
from poise.reproduce.coros.walker_runs import make_scene, show_falls, split_progress
from poise.reproduce.coros.walker_styles import make_zero_walker
from poise.reproduce.coros.walker_turns import measure_turn
from poise.rollout.simulate import simulate
from poise.trials import Gait, measure_gait


@pytest.fixture(scope="module")
def standing() -> Recording:
    return simulate(make_scene(True).open(), 0.6, record_hz=100.0)


def test_every_claim_about_the_walker_is_measured_once() -> None:
    claims = [claim for e in WALKER_EXPERIMENTS for claim in e.claims]
    assert sorted(claims) == sorted(c.id for c in load_claims().values() if c.system == "walker")
    assert len({e.name for e in WALKER_EXPERIMENTS}) == len(WALKER_EXPERIMENTS)


def test_progress_of_parts_adds_up() -> None:
    seen: list[float] = []
    for part in split_progress(seen.append, 4):
        assert part is not None
        part(0.5)
        part(1.0)
    assert seen == [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]
    assert split_progress(None, 2) == [None, None]


def test_falls_are_said() -> None:
    assert show_falls({"robot": None}) == "no falls"
    assert show_falls({"robot": None, "beast1": 2.04}) == "falls: beast1 at 2.0 s"


def test_uneven_steps_are_seen(standing: Recording) -> None:
    gait: Gait = measure_gait(standing)
    assert compute_asymmetry(gait) == 0.0
    assert compute_asymmetry(replace(gait, step_lengths_m=(0.4, 0.2, 0.4, 0.2))) == pytest.approx(2.0 / 3.0)


@pytest.mark.parametrize("speed_mps", [0.3, 1.0, 2.0])
def test_the_full_formula_stops_a_pendulum_and_the_printed_one_does_not(speed_mps: float) -> None:
    assert compute_residual_mps(speed_mps, 1.0, printed=False) == pytest.approx(0.0, abs=1e-6)
    assert compute_residual_mps(speed_mps, 1.0, printed=True) > 0.01


def test_the_other_bodies_are_as_the_source_says() -> None:
    for name in ("robot", "beast1", "beast2"):
        words, holds = describe_body(load_character(name))
        assert holds, words


def test_torque_limits_go_by_joint() -> None:
    axes = limit_torques(load_character("humanoid"), 200.0, 100.0).axes
    assert {a.torque_limit_nm for a in axes if "hip" in a.name or "knee" in a.name} == {200.0}
    assert {a.torque_limit_nm for a in axes if "hip" not in a.name and "knee" not in a.name} == {100.0}


def test_the_zero_style_has_no_curves() -> None:
    walker = make_zero_walker("humanoid")
    assert walker.parameter("style").choices[int(walker.value("style"))] == "zero"


def test_a_foot_that_trembles_makes_no_step(standing: Recording) -> None:
    events = [
        Event(0.10, "lift", 0, "left_foot"),
        Event(0.12, "strike", 0, "left_foot"),
        Event(0.20, "lift", 0, "left_foot"),
        Event(0.50, "strike", 0, "left_foot"),
    ]
    assert find_swings(replace(standing, events=tuple(events))) == [(0.20, 0.50)]


def test_a_turn_is_timed_and_its_lead_seen(standing: Recording) -> None:
    """A body that turns as one by 90 degrees within a second, its head a tenth of a second ahead."""
    time = np.linspace(0.0, 6.0, 601)
    body = standing.characters[0]
    quats = np.zeros((len(time), len(body.segments), 4))
    for k, name in enumerate(body.segment_names):
        ahead = 0.1 if name == body.roles["head"] else 0.0
        yaw = np.radians(90.0) * np.clip(time - 2.0 + ahead, 0.0, 1.0)
        quats[:, k, 0], quats[:, k, 3] = np.cos(0.5 * yaw), np.sin(0.5 * yaw)
    turned = replace(standing, time_s=time, segment_quat_wxyz=quats)
    rate, seconds, error, lead = measure_turn(turned, 2.0, 90.0)
    assert rate == pytest.approx(math.radians(90.0), rel=0.03)
    assert seconds == pytest.approx(0.9, abs=0.02)
    assert error == pytest.approx(0.0, abs=0.1)
    assert lead == pytest.approx(9.0, abs=0.5)
