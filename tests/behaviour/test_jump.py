"""The precision jump: it leans, leaves the ground with both feet, lands on its mark and stays there."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.measures.momentum import compute_segment_com_w_m
from poise.recordings.contacts import external_contacts, foot_segments
from poise.recordings.recording import Recording

MARK_M = 0.7


@pytest.fixture(scope="module")
def jump() -> Recording:
    return poise.run("jump/precision-jump", seconds=4.0, timestep_s=0.001).recording


def test_it_leaves_the_ground_with_both_feet_at_once(jump: Recording) -> None:
    lifts = [e.time_s for e in jump.events if e.kind == "lift"][:2]
    strikes = [e.time_s for e in jump.events if e.kind == "strike"][:2]
    assert lifts[1] - lifts[0] < 0.01 and strikes[1] - strikes[0] < 0.01
    assert 0.3 < strikes[0] - lifts[1] < 0.7
    highest = compute_segment_com_w_m(jump)[:, [m[0] for m in foot_segments(jump.characters[0]).values()], 2].max(
        axis=0
    )
    assert np.all(highest > 0.15), "the feet come up"


def test_it_lands_on_its_mark_and_stays_on_its_feet(jump: Recording) -> None:
    assert not [e for e in jump.events if e.kind == "down"]
    feet = list(foot_segments(jump.characters[0]).values())
    com = compute_segment_com_w_m(jump)
    way = [float(com[-1, members[0], 0] - com[0, members[0], 0]) for members in feet]
    assert way == pytest.approx([MARK_M, MARK_M], abs=0.05)
    assert np.linalg.norm(jump.com_vel_w_mps[-1, 0]) < 0.2


def test_nothing_but_the_feet_ever_touches_the_ground(jump: Recording) -> None:
    _, segments, _, _ = external_contacts(jump, ground_only=True)
    feet = {k for members in foot_segments(jump.characters[0]).values() for k in members}
    assert set(segments.tolist()) <= feet


def test_it_goes_straight_ahead(jump: Recording) -> None:
    assert abs(jump.com_w_m[-1, 0, 1]) < 0.01
