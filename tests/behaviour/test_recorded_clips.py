"""Real recordings of people, where they are: POISE_MOCAP names a folder with the clips of docs/clips.md."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.motion.fragments import find_fragments
from poise.motion.load import load_clip
from poise.motion.mapping import guess_mapping
from poise.motion.resample import resample
from poise.motion.retarget import retarget
from poise.motion.summary import summarize_clip

FOLDER = os.environ.get("POISE_MOCAP", "")
WALKS = ("07_01.bvh", "16_17.bvh", "wd2_WalkForwardNormal00.bvh", "humanoid3d_walk.txt")
RELEASED = (
    "walk_left_45degree", "wd2_2foot_walk_turn", "wd2_WalkBackward00", "wd2_WalkForwardNormal00",
    "wd2_WalkForwardSlow01", "wd2_WalkSoldier00", "wd2_u-turn",
)  # fmt: skip
STANCES = {0: "both", 1: "right", 2: "left", 3: "none"}


def find(name: str) -> Path:
    """A recording by its name, anywhere in the folder; without it the test is skipped."""
    found = sorted(Path(FOLDER).rglob(name)) if FOLDER else []
    if not found:
        pytest.skip(f"no {name} in POISE_MOCAP")
    return found[0]


@pytest.mark.parametrize("name", WALKS)
@pytest.mark.parametrize("body", ["humanoid", "lee13", "biped7"])
def test_recorded_walks_stand_on_the_ground_of_other_bodies(name, body):
    clip = load_clip(find(name))
    clip = resample(clip, 30.0) if clip.rate_hz > 60.0 else clip
    result = retarget(clip, guess_mapping(clip.skeleton), load_character(body))
    assert result.report.sunk_m < 1e-3
    assert result.report.skate_mps < 0.04
    assert result.report.skate_mps < 0.1 * result.report.skate_before_mps
    assert result.report.ankle_miss_m < 1e-3
    upright = result.clip.places_w_m[:, :, 2].max(axis=1)
    assert upright.min() > 0.75 * upright.max()


def test_a_recording_is_as_large_and_fast_as_a_person():
    summary = summarize_clip(clip := load_clip(find("07_01.bvh")), guess_mapping(clip.skeleton))
    assert summary.leg_m == pytest.approx(0.81, abs=0.01)
    assert summary.mean_speed_mps == pytest.approx(1.37, abs=0.02)
    assert summary.frames == 316
    assert summary.notes[-1].startswith("the first frame left out")


@pytest.mark.parametrize("name", RELEASED)
def test_fragments_are_those_of_the_release(name):
    """Every fragment, and its first frame to two frames [Lee10, released segmentation]."""
    path = find(f"{name}.bvh")
    released = json.loads(path.with_suffix(".seg.json").read_text())
    # The release keeps the T-poses at both ends of its turn.
    ours = find_fragments(load_clip(path, keep_start=True))
    assert [f.stance for f in ours] == [STANCES[s["state"]] for s in released]
    apart = np.abs(np.array([f.first for f in ours]) - [s["interval"][0] for s in released])
    assert apart.max() <= 2
    assert (apart > 0).sum() <= 1


def test_clips_of_the_release_keep_their_shape_on_its_body():
    clip = load_clip(find("wd2_WalkForwardNormal00.bvh"))
    result = retarget(clip, guess_mapping(clip.skeleton), load_character("lee13"))
    ours = ("pelvis", "torso", "head", "left_upper_arm", "left_lower_arm", "left_thigh", "left_shin", "left_foot")
    theirs = ("Hips", "Spine", "Spine1", "LeftArm", "LeftForeArm", "LeftUpLeg", "LeftLeg", "LeftFoot")
    a = result.clip.places_w_m[:, [result.clip.skeleton.index(n) for n in ours]]
    b = clip.places_w_m[:, [clip.skeleton.index(n) for n in theirs]]
    apart = [np.linalg.norm(p[:, :, None] - p[:, None], axis=-1) for p in (a, b)]
    assert np.abs(apart[0] - apart[1]).mean() < 0.002
