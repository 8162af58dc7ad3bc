"""Judges of acrobatics refuse what comes near and is something else."""

from __future__ import annotations

from functools import cache

import pytest

from poise.recordings.recording import Recording
from poise.reproduce.firmin.skills import SKILLS, run_skill


@cache
def perform(name: str) -> Recording:
    return run_skill(name, seed=1, timestep_s=0.0005)


@pytest.mark.parametrize(
    ("judge", "skill", "why"),
    [
        ("walkover", "handspring", "legs only 0."),
        ("walkover", "somersault", "legs only 0."),
        ("walkover", "stand", "rotated 0.0"),
        ("kick-up", "stand", "not on its hands: trunk at "),
        ("kick-up", "handwalk", "not on its hands: still moves"),
        ("handwalk", "handstand", "moved at "),
        ("kip", "supine-to-stand", "rotated -"),
        ("kip", "supine", "not standing: "),
    ],
)
def test_a_judge_refuses_what_is_something_else(judge: str, skill: str, why: str) -> None:
    assert SKILLS[judge].judge(perform(skill)).startswith(why)
