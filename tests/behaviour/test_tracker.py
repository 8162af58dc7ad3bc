"""Recorded walks are tracked, where the recordings are: POISE_MOCAP names a folder with the clips of [Lee10]."""

import os
from pathlib import Path

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.tracker.spec import Gains, build
from poise.motion.load import load_clip
from poise.reproduce.lee.recorded import MOTIONS, find_clip, load_subject
from poise.search.tame_trial import run_trial
from poise.tables import load_table
from poise.world.compile import PhysicsSettings
from poise.world.world import World

FOLDER = os.environ.get("POISE_MOCAP", "")
#: Gains of [Lee10 Fig. 5]; the slow walk's soles and the backward walk's swing are higher.
WALKS = {
    "wd2_WalkForwardNormal00": Gains(swing_speed_sagittal=0.0, swing_speed_coronal=0.3, swing_place_behind=1.2),
    "wd2_WalkForwardSlow01": Gains(swing_speed_coronal=0.25, swing_place_behind=0.5, clearance_m=0.03),
    "wd2_WalkSoldier00": Gains(swing_speed_sagittal=0.0, swing_speed_coronal=0.3),
}


def open_walk(name: str, gains: Gains) -> World:
    """A world in which a recorded walk repeats endlessly; without the recording the test is skipped."""
    found = sorted(Path(FOLDER).rglob(f"{name}.bvh")) if FOLDER else []
    if not found:
        pytest.skip(f"no {name}.bvh in POISE_MOCAP")
    character = load_character("lee13")
    controller = build(load_clip(found[0]), character, name, gains)
    return World([character], [controller], settings=PhysicsSettings(1.0 / 900.0))


@pytest.mark.parametrize("name", WALKS)
def test_recorded_walks_go_on_for_twenty_seconds(name: str) -> None:
    world = open_walk(name, WALKS[name])
    world.advance(900 * 20, stop_on=["down"])
    assert world.fell_at_s() is None
    assert world.percepts[0].root_q[0] > 8.0


@pytest.mark.parametrize("part", ["stance_hip", "swing"])
def test_without_a_part_of_its_feedback_the_march_falls(part: str) -> None:
    off = {"stance_hip": 0.0} if part == "stance_hip" else dict.fromkeys(
        ("swing_speed_sagittal", "swing_speed_coronal", "swing_place_behind", "swing_place_ahead",
         "swing_place_coronal"), 0.0,
    )  # fmt: skip
    world = open_walk("wd2_WalkSoldier00", Gains(**{"swing_speed_coronal": 0.3, "swing_speed_sagittal": 0.0, **off}))
    world.advance(900 * 20, stop_on=["down"])
    assert world.fell_at_s() is not None


@pytest.mark.parametrize("name", ["lee-left-45", "lee-u-turn"])
def test_a_recorded_turn_comes_to_its_end_and_stands(name: str) -> None:
    motion = next(m for m in MOTIONS if m.tamed == name)
    if find_clip(str(load_table(motion.path)["clip"])) is None:
        pytest.skip("its clip is not in POISE_MOCAP")
    subject, gains = load_subject(motion)
    trial = run_trial(subject, gains, 1, seconds=0.0)
    assert trial.holds
    assert abs(trial.yaw_error_rad) < 0.5


def test_nothing_but_contacts_and_gravity_acts_from_outside() -> None:
    world = open_walk("wd2_WalkSoldier00", WALKS["wd2_WalkSoldier00"])
    for _ in range(300):
        world.advance(10)
        assert not np.any(world.data.qfrc_applied[:6])
        forces = world.ledger.contact_rows[: world.ledger.counts.contacts, 3:].sum(axis=0)
        assert forces == pytest.approx(world.data.xfrc_applied[:, :3].sum(axis=0), abs=1e-6)
