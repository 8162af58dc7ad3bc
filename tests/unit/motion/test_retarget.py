"""Clips on characters: the same motion, feet on the ground and still, whatever the source's conventions."""

import dataclasses

import numpy as np
import pytest

from poise.characters.catalog import character_names, load_character
from poise.errors import InputError
from poise.motion.body_plan import BodyPlan
from poise.motion.contacts import find_runs
from poise.motion.joint_angles import compose_joint, fit_joint
from poise.motion.leg_ik import solve_knee_rad
from poise.motion.load import load_clip
from poise.motion.mapping import guess_mapping
from poise.motion.retarget import retarget
from poise.motion.rotations import compute_heading_rad, quat_about, quat_multiply, quat_rotate
from poise.motion.source_motion import make_source_motion
from poise.motion.write_bvh import save_bvh
from poise.recordings.clip_recording import make_clip_recording
from poise.rollout.filmstrip import draw_filmstrip
from unit.motion.walkers import STYLES, make_foreign, make_walk

FREE = ("humanoid", "lee13", "beast1", "bird", "laszlo_human", "bioloid", "robo_bird")
PLANAR = ("biped7", "planar17")


def put(clip, name, **more):
    return retarget(clip, guess_mapping(clip.skeleton), load_character(name), **more)


@pytest.mark.parametrize("name", FREE + PLANAR)
def test_feet_neither_sink_nor_slide_on_any_body(name):
    result = put(make_walk(90), name)
    assert result.report.sunk_m < 1e-3
    assert result.report.skate_mps < 0.2 * result.report.skate_before_mps + 1e-3
    assert result.report.sunk_before_m > 2.0 * result.report.sunk_m
    assert result.clip.character == load_character(name).name
    character = load_character(name)
    low = np.array([axis.low_rad for axis in character.axes])
    high = np.array([axis.high_rad for axis in character.axes])
    assert (result.angles_rad >= low - 1e-9).all() and (result.angles_rad <= high + 1e-9).all()


def test_standing_feet_touch_the_ground():
    result = put(make_walk(90), "humanoid")
    plan = BodyPlan(load_character("humanoid"))
    clip = result.clip
    for k, side in enumerate(("left", "right")):
        foot = plan.leg(side)[2]
        sole = clip.places_w_m[:, foot, 2] - plan.sole_depth_m(side, clip.places_w_m, clip.turns_wxyz)
        assert np.abs(sole[clip.contacts[:, k]]).max() < 1e-3
        points = plan.sole_w_m(side, clip.places_w_m, clip.turns_wxyz)
        for first, last in find_runs(clip.contacts[:, k]):
            stance = points[first : last + 1]
            lowest = np.argmin(stance[1:, :, 2] + stance[:-1, :, 2], axis=1)
            moves = np.diff(stance[..., :2], axis=0)[np.arange(last - first), lowest]
            assert np.abs(moves).max(initial=0.0) < 1e-4


def test_a_foot_rolls_off_over_its_toes_and_swings_clear_of_the_ground():
    walk = make_walk(90)
    plan = BodyPlan(load_character("humanoid"))
    source = make_source_motion(walk, guess_mapping(walk.skeleton), plan)
    assert source.toe_contacts.sum() > source.contacts.sum() * 0.5
    clip = put(walk, "humanoid").clip
    for k, side in enumerate(("left", "right")):
        sole = plan.sole_w_m(side, clip.places_w_m, clip.turns_wxyz)[..., 2].min(axis=1)
        swings = ~(source.contacts[:, k] | source.toe_contacts[:, k])
        for first, last in find_runs(swings):
            if last - first > 8:
                assert sole[first + 4 : last - 3].min() > 0.01


def test_a_body_that_lies_is_not_in_the_ground():
    """A walk that changes, from one frame to the next, to lying with raised legs, lower than the back is thick."""
    walk = make_walk(90)
    part = np.where(walk.time_s > 2.0, 1.0, 0.0)
    quats = walk.quats_wxyz.copy()
    quats[:, 0] = quat_multiply(quat_about((0.0, 1.0, 0.0), -1.5 * part), quats[:, 0])
    for name in ("LeftUpLeg", "RightUpLeg"):
        joint = walk.skeleton.index(name)
        quats[:, joint] = quat_multiply(quat_about((0.0, -1.0, 0.0), 0.8 * part), quats[:, joint])
    root = walk.root_pos_m.copy()
    root[:, 2] += part * (0.02 - root[:, 2])
    result = put(dataclasses.replace(walk, quats_wxyz=quats, root_pos_m=root), "humanoid")
    plan = BodyPlan(load_character("humanoid"))
    clip = result.clip
    assert plan.find_lowest_skin_m(clip.places_w_m, clip.turns_wxyz).min() > -1e-3
    assert result.report.root_lifted_m > 0.02
    assert result.report.sunk_m < 1e-3


def test_the_motion_is_that_of_the_clip():
    clip = make_walk(90)
    result = put(clip, "humanoid")
    names = load_character("humanoid").axis_names
    knee = result.angles_rad[:, names.index("left_knee_pitch")]
    hip = result.angles_rad[:, names.index("left_hip_pitch")]
    phase = 2.0 * np.pi * 0.9 * clip.time_s
    assert np.corrcoef(hip, 0.4 * np.sin(phase))[0, 1] > 0.97
    assert np.corrcoef(knee, 0.15 + 0.45 * (1.0 + np.cos(phase)) ** 2 / 2.0)[0, 1] > 0.97
    elbow = result.angles_rad[:, names.index("right_elbow_pitch")]
    assert elbow == pytest.approx(0.3 + 0.2 * np.cos(phase + np.pi), abs=0.05)
    speed = np.ptp(clip.root_pos_m[:, 0]) * result.report.scale
    assert np.ptp(result.clip.root_pos_m[:, 0]) == pytest.approx(speed, rel=0.03)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_frames_of_bones_make_little_difference(seed):
    """Bones whose frames are turned at random: nothing is known but what the motion tells."""
    plain = put(make_walk(90), "humanoid").clip
    foreign = put(make_foreign(make_walk(90), STYLES["mixamo"], seed), "humanoid").clip
    assert foreign.contacts.tolist() == plain.contacts.tolist()
    apart = np.linalg.norm(foreign.places_w_m - plain.places_w_m, axis=-1)
    assert apart.mean() < 0.02
    assert apart.max() < 0.1


@pytest.mark.parametrize("unit_m", [0.01, 0.0254])
def test_units_and_headings_make_no_difference(tmp_path, unit_m):
    plain = put(make_walk(60), "humanoid").clip
    save_bvh(make_walk(60, heading_rad=2.1), tmp_path / "x.bvh", unit_m)
    other = put(load_clip(tmp_path / "x.bvh"), "humanoid").clip
    assert other.places_w_m == pytest.approx(plain.places_w_m, abs=1e-4)


def test_it_begins_above_the_origin_and_faces_x():
    clip = put(make_walk(60, heading_rad=-2.0, turn_radps=0.5), "humanoid").clip
    assert compute_heading_rad(clip.turns_wxyz[:, 0])[0] == pytest.approx(0.0, abs=1e-6)
    assert np.abs(clip.root_pos_m[0, :2]).max() < 0.05
    assert compute_heading_rad(clip.turns_wxyz[:, 0])[-1] == pytest.approx(0.5 * 59 / 30, abs=0.1)


def test_a_planar_body_walks_a_curve_straight_ahead():
    straight = put(make_walk(60), "biped7").clip
    curve = put(make_walk(60, turn_radps=0.8), "biped7").clip
    assert np.abs(curve.root_pos_m[:, 1]).max() == 0.0
    assert curve.root_pos_m[-1, 0] == pytest.approx(straight.root_pos_m[-1, 0], rel=0.15)


def test_scale_follows_the_legs_unless_it_is_given():
    walk = make_walk(30)
    assert put(walk, "humanoid").report.scale == pytest.approx(0.86 / 0.85, abs=0.01)
    assert put(walk, "humanoid", scale=0.9).report.scale == 0.9


def test_a_floor_that_slopes_a_little_is_levelled():
    walk = make_walk(120)
    root = walk.root_pos_m.copy()
    root[:, 2] += 0.02 * root[:, 0] + 0.5
    result = put(dataclasses.replace(walk, root_pos_m=root), "humanoid")
    assert abs(result.report.floor_slope) == pytest.approx(0.02, abs=0.004)
    plain = put(walk, "humanoid")
    assert result.clip.root_pos_m[:, 2] == pytest.approx(plain.clip.root_pos_m[:, 2], abs=0.02)


def test_without_legs_it_says_what_is_missing():
    walk = make_walk(10)
    clip = make_foreign(walk, {name: f"bone{k}" for k, name in enumerate(walk.skeleton.names)})
    with pytest.raises(InputError, match=r"walk: no joint found for left_thigh, .*--map left_thigh=JOINT"):
        put(clip, "humanoid")


def test_a_joint_gives_back_its_own_angles():
    rng = np.random.default_rng(4)
    for name in character_names():
        if name == "gym_humanoid":  # stands on an MJCF file
            continue
        for segment in load_character(name).segments:
            if segment.joint is None:
                continue
            low = np.clip([axis.low_rad for axis in segment.joint.axes], -1.2, 1.2)
            high = np.clip([axis.high_rad for axis in segment.joint.axes], -1.2, 1.2)
            angles = rng.uniform(low, high, size=(1, len(low)))
            fitted = fit_joint(segment.joint, compose_joint(segment.joint, angles))
            assert fitted.angles_rad == pytest.approx(angles, abs=1e-6), (name, segment.name)
            assert fitted.cut_rad == pytest.approx(0.0, abs=1e-6)


def test_limits_cut_what_a_joint_cannot_do():
    knee = load_character("humanoid").role("left_shank").joint
    fitted = fit_joint(knee, quat_about((0, 1, 0), np.array([-0.3, 0.5])))
    assert fitted.angles_rad[:, 0] == pytest.approx([0.0, 0.5])
    assert fitted.cut_rad[:, 0] == pytest.approx([0.3, 0.0])


def test_a_knee_bends_to_the_distance():
    rng = np.random.default_rng(5)
    for _ in range(20):
        thigh, shank = rng.normal(size=3) * 0.04 + [0, 0, -0.4], rng.normal(size=3) * 0.04 + [0, 0, -0.4]
        axis = np.array([0.0, 1.0, 0.0])
        distance = np.array([0.4, 0.6])
        angle = solve_knee_rad(thigh, shank, axis, distance, 1.0)
        ankle = thigh + quat_rotate(quat_about(axis, angle), np.broadcast_to(shank, (2, 3)))
        assert np.linalg.norm(ankle, axis=-1) == pytest.approx(distance)


def test_a_retargeted_clip_is_drawn_like_a_run():
    character = load_character("humanoid")
    result = put(make_walk(90), "humanoid")
    recording = make_clip_recording(result.clip, character, result.angles_rad)
    assert recording.segment_pos_w_m.shape == (90, len(character.segments), 3)
    assert {e.segment for e in recording.events} == {"left_foot", "right_foot"}
    assert len(draw_filmstrip(recording).axes) >= 2
    with pytest.raises(InputError, match="the clip is not on the skeleton of humanoid"):
        make_clip_recording(make_walk(5), character, result.angles_rad)
