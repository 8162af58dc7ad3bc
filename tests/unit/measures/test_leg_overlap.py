"""The metric `legs_overlap_m` of a recording."""

from __future__ import annotations

import numpy as np
import pytest

from poise.api import run
from poise.characters.catalog import load_character
from poise.measures.leg_overlap import compute_leg_depths_m, compute_legs_overlap_m
from poise.rollout.simulate import simulate
from poise.world.controller import Start
from poise.world.leg_overlap import LegOverlap
from poise.world.world import Spawn, World


def test_legs_that_stay_apart() -> None:
    recording = run("pose/hold", character="humanoid", seconds=0.3, timestep_s=0.002).recording
    assert compute_legs_overlap_m(recording) == 0.0
    assert compute_leg_depths_m(recording).shape == (recording.frames,)


def test_the_deepest_moment_counts() -> None:
    """Of two limp bodies, the one whose legs are posed across each other."""
    humanoid = load_character("humanoid")
    world = World([humanoid, humanoid], spawns=[Spawn(), Spawn(y_m=3.0)])
    world.place(1, Start(joint_q_rad={"left_hip_roll": -0.15, "right_hip_roll": -0.15}), world.spawns[1])
    percept = world.percepts[1]
    at_start = LegOverlap(humanoid).depth_m(percept.pos_w, percept.quat_w)
    recording = simulate(world, 0.2, record_hz=100.0)
    depths = compute_leg_depths_m(recording, 1)
    assert depths[0] == pytest.approx(at_start)
    assert at_start > 0.05
    assert compute_legs_overlap_m(recording, 1) == np.max(depths)
    assert compute_legs_overlap_m(recording, 0) < 0.05


def test_nothing_was_recorded() -> None:
    recording = run("pose/hold", character="humanoid", seconds=0.0).recording
    assert compute_legs_overlap_m(recording) == 0.0
