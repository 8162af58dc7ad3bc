"""Real recordings of people, where they are: POISE_MOCAP names a folder with the clips of docs/clips.md."""

import json
import os
from dataclasses import replace
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
from poise.motion.travel import restore_travel
from poise.search.clip_survey import survey_file

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


#: What each recording is, the cycle that is repeated, and its speed (m/s).
VERDICTS = {
    "02_01.bvh": ("walk", 1, 1.2),
    "07_01.bvh": ("walk", 0, 1.38),
    "16_17.bvh": ("walk", 0, 0.95),
    "16_19.bvh": ("walk", 0, 0.92),
    "walk_left_45degree.bvh": ("walk", 0, 1.11),
    "walk_left_90degree.bvh": ("walk", 0, 1.2),
    "wd2_WalkBackward00.bvh": ("walk", 1, 0.6),
    "wd2_WalkForwardFast00.bvh": ("walk", 1, 1.27),
    "wd2_WalkLean00.bvh": ("walk", 2, 0.62),
    "wd2_u-turn.bvh": ("walk", 0, 0.99),
    "humanoid3d_walk.txt": ("walk", 1, 0.98),
    "humanoid3d_run.txt": ("run", 1, 3.56),
    "humanoid3d_backflip.txt": ("no walk: the body turns upside down", None, None),
    "humanoid3d_crawl.txt": ("no walk: the body lies or crawls: the hips come down to 0.26 m", None, None),
    "humanoid3d_getup_faceup.txt": ("no walk: the body lies or crawls: the hips come down to 0.14 m", None, None),
    "humanoid3d_getup_facedown.txt": ("no walk: the body lies or crawls: the hips come down to 0.16 m", None, None),
}


@pytest.mark.parametrize(("name", "expected"), VERDICTS.items(), ids=VERDICTS)
def test_recorded_walks_are_told_from_other_motions(name, expected):
    row = survey_file(find(name), load_character("lee13"))
    verdict, cycle, speed = expected
    assert (row.verdict, row.cycle) == (verdict, cycle)
    assert speed is None or row.speed_mps == pytest.approx(speed, abs=0.02)


@pytest.mark.parametrize("name", ["walk_left_45degree.bvh", "walk_left_90degree.bvh"])
def test_t_poses_of_recordings_are_left_out_at_both_ends(name):
    notes = [n for n in load_clip(find(name)).notes if "T-pose" in n]
    assert ["before" in note for note in notes] == [True, False]


@pytest.mark.parametrize("name", ["02_01.bvh", "07_01.bvh", "humanoid3d_walk.txt", "wd2_WalkForwardSlow01.bvh"])
def test_the_travel_of_a_recorded_walk_is_found_again(name):
    """Without its travel, as on a treadmill."""
    clip = load_clip(find(name))
    mapping = guess_mapping(clip.skeleton)
    quarter = clip.frames // 4 if name.startswith("wd2") else 0
    clip = clip.cut(quarter, clip.frames - 1 - quarter)
    hips = clip.places_w_m[:, mapping.joints["pelvis"], :2]
    speed = np.linalg.norm(hips[-1] - hips[0]) / clip.duration_s
    travel = np.stack([np.polyval(np.polyfit(clip.time_s, h, 1), clip.time_s) for h in hips.T], axis=-1)
    root = clip.root_pos_m.copy()
    root[:, :2] -= travel
    back = restore_travel(replace(clip, root_pos_m=root), mapping)
    assert back.in_place
    hips = back.places_w_m[:, mapping.joints["pelvis"], :2]
    assert np.linalg.norm(hips[-1] - hips[0]) / clip.duration_s == pytest.approx(speed, rel=0.07)
    assert not restore_travel(clip, mapping).in_place
