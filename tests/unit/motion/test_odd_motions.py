"""Motion files with the oddities of many programs: each is read right, or refused with the reason."""

from dataclasses import replace

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.errors import FileFormatError, InputError
from poise.motion.contacts import find_clip_floor
from poise.motion.load import load_clip, write_clip
from poise.motion.mapping import guess_mapping
from poise.motion.summary import summarize_clip
from poise.search.clip_survey import survey_file
from unit.motion import odd_motions as odd
from unit.motion.walkers import NAMES, STYLES, make_foreign

#: Names that say nothing, right side first.
NUMBERED = {name: f"Bone{(8 * k) % len(NAMES):02}" for k, name in enumerate(NAMES)}
LEGS = [f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "shank", "foot")]
MMD = STYLES["mmd"]
#: Full-width letters and half-width kana, as some versions of MMD write.
NARROW = {k: v.replace("ひざ", "ﾋｻﾞ").replace("つま先", "ツマ先") for k, v in MMD.items()}


def load(path, **more):
    clip = load_clip(path, **more)
    return clip, guess_mapping(clip.skeleton)


def named(clip, mapping):
    """Names of the legs' joints."""
    names = mapping.name_joints(clip.skeleton)
    return [names[role] for role in LEGS]


def check_walk(path, speed_mps=0.9, leg_m=0.85, **more):
    """The file is a walk of an adult at a speed; returns the clip."""
    clip, mapping = load(path, **more)
    summary = summarize_clip(clip, mapping)
    assert summary.leg_m == pytest.approx(leg_m, rel=0.01)
    assert summary.distance_m / clip.duration_s == pytest.approx(speed_mps, rel=0.05)
    assert not mapping.missing_legs
    assert summary.lowest_m == pytest.approx(0.05, abs=0.06)
    return clip


WALK = odd.smooth_walk()
T_POSE = odd.t_pose(1, WALK)

WALKS = {
    "centimetres, y up": {},
    "metres, z up": {"unit_m": 1.0, "up": "z"},
    "inches": {"unit_m": 0.0254},
    "millimetres, z up": {"unit_m": 0.001, "up": "z"},
    "an offset of the root in the pose of the skeleton": {"root_offset_m": (0.1, 0.2, 0.99)},
    "positions relative to the offset of the root": {"root_offset_m": (0.1, 0.2, 0.99), "relative": True},
    "an offset below the ground": {"root_offset_m": (0.0, 0.0, -0.4)},
    "a root that never moves": {"static_root": "Reference", "slide": True},
    "a root that never moves and relative hips": {
        "static_root": "Armature", "root_offset_m": (0.0, 0.0, 0.95), "relative": True,
    },
    "hips below a scene of another name": {"static_root": "joint_Root", "names": STYLES["bandai"], "slide": True},
    "position channels of all joints": {"slide": True},
    "bones in position channels only": {"slide": True, "zero_offsets": True},
    "names in Shift-JIS": {"names": MMD, "encoding": "cp932"},
    "narrow kana in Shift-JIS": {"names": NARROW, "encoding": "cp932"},
    "names in UTF-16": {"names": MMD, "encoding": "utf-16"},
    "names that say nothing": {"names": NUMBERED},
    "names that say nothing, z up, in metres": {"names": NUMBERED, "up": "z", "unit_m": 1.0},
    "names of Kinect": {"names": STYLES["kinect"]},
    "blank frames in the middle": {"blank": (50, 51, 52, 53)},
}  # fmt: skip


@pytest.mark.parametrize("oddity", WALKS.values(), ids=WALKS)
def test_a_walk_is_read_right(tmp_path, oddity):
    check_walk(odd.write_bvh(tmp_path / "x.bvh", WALK, **oddity))


NOTES = {
    "positions relative to the offset of the root": (
        "position channels of 'Hips' are added to its offset: that puts the feet on the floor"
    ),
    "names in Shift-JIS": "not UTF-8: read as Shift-JIS",
    "blank frames in the middle": "4 blank frames are interpolated: all of their channels are zero",
    "names that say nothing": (
        "names do not reveal the legs; from the shape of the body: left_thigh Bone08, left_shank Bone16, "
        "left_foot Bone03, right_thigh Bone19, right_shank Bone06, right_foot Bone14"
    ),
}


@pytest.mark.parametrize("name", NOTES)
def test_what_was_decided_is_noted(tmp_path, name):
    clip = load_clip(odd.write_bvh(tmp_path / "x.bvh", WALK, **WALKS[name]))
    assert NOTES[name] in clip.notes


def test_a_root_with_its_own_position_is_not_moved(tmp_path):
    clip = load_clip(odd.write_bvh(tmp_path / "x.bvh", WALK, root_offset_m=(0.1, 0.2, 0.99)))
    assert not [n for n in clip.notes if "offset" in n]


@pytest.mark.parametrize("mirrored", [False, True])
def test_legs_without_names_are_found_on_both_sides(tmp_path, mirrored):
    names = {k: f"Bone{n:02}" for n, k in enumerate(reversed(NAMES) if mirrored else NAMES)}
    clip, mapping = load(odd.write_bvh(tmp_path / "x.bvh", WALK, names=names))
    assert named(clip, mapping) == [
        names[f"{side}{part}"] for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot")
    ]
    assert mapping.name_joints(clip.skeleton)["left_upper_arm"] == names["LeftArm"]
    assert mapping.name_joints(clip.skeleton)["trunk"] == names["Spine1"]
    note = next(n for n in clip.notes if "legs" in n and "names" in n)
    assert note.startswith("names do not reveal the legs; from the shape of the body: left_thigh Bone")


def test_legs_without_names_and_toes_are_found_by_the_ends_of_the_feet(tmp_path):
    clip, mapping = load(odd.write_bvh(tmp_path / "x.bvh", odd.drop_toes(WALK), names=NUMBERED))
    expected = [NUMBERED[f"{side}{part}"] for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot")]
    assert named(clip, mapping) == expected


def test_a_body_without_legs_is_refused_with_the_reason(tmp_path):
    keep = [k for k, name in enumerate(NAMES) if not any(part in name for part in ("Leg", "Foot", "Toe"))]
    skeleton = WALK.skeleton
    parents = tuple(-1 if skeleton.parents[k] < 0 else keep.index(skeleton.parents[k]) for k in keep)
    bust = type(skeleton)(tuple(NAMES[k] for k in keep), parents, skeleton.offsets_m[keep])
    clip = replace(WALK, skeleton=bust, quats_wxyz=WALK.quats_wxyz[:, keep])
    path = odd.write_bvh(tmp_path / "x.bvh", clip)
    row = survey_file(path, load_character("lee13"))
    assert (row.verdict, row.is_walk) == ("no legs found: --map left_thigh=JOINT", False)


def test_umlauts_of_an_old_encoding_stay_latin(tmp_path):
    names = {"Hips": "Hüfte", "Spine": "Rücken"}
    clip, _ = load(odd.write_bvh(tmp_path / "x.bvh", WALK, names=names, encoding="latin-1"))
    assert clip.skeleton.names[0] == "Hüfte"
    assert "not UTF-8: read as Latin-1" in clip.notes


# -- poses that are not part of the motion -----------------------------------------------------------------------------

POSES = {
    "one frame of T-pose": (odd.join(T_POSE, WALK), 1, 0),
    "two seconds of T-pose": (odd.join(odd.t_pose(60, WALK), WALK), 60, 0),
    "a T-pose from which the arms are lowered": (
        odd.join(odd.t_pose(30), odd.blend(odd.t_pose(1), odd.stand(1), 20), odd.stand(20)), 45, 0,
    ),
    "a T-pose of a second at the end": (odd.join(WALK, odd.t_pose(30, WALK, -1)), 0, 30),
    "T-poses at both ends": (odd.join(odd.t_pose(10, WALK), WALK, odd.t_pose(25, WALK, -1)), 10, 25),
    "a pose of zeros, held and blended": (
        odd.join(odd.t_pose(15, WALK), odd.blend(odd.t_pose(1, WALK), WALK, 8), WALK), 15, 0,
    ),
    "standing before and after": (odd.join(odd.stand(40), WALK), 0, 0),
    "nothing but a T-pose": (odd.t_pose(60), 0, 0),
}  # fmt: skip


@pytest.mark.parametrize(("clip", "before", "after"), POSES.values(), ids=POSES)
def test_poses_at_the_ends_are_left_out(tmp_path, clip, before, after):
    path = odd.write_bvh(tmp_path / "x.bvh", clip)
    kept = load_clip(path)
    assert clip.frames - kept.frames == pytest.approx(before + after, abs=8)
    assert ("before the motion" in "".join(kept.notes)) == bool(before)
    assert ("after the motion" in "".join(kept.notes)) == bool(after)
    assert load_clip(path, keep_start=True).frames == clip.frames


def test_the_note_tells_how_much_was_left_out(tmp_path):
    path = odd.write_bvh(tmp_path / "x.bvh", POSES["T-poses at both ends"][0])
    assert load_clip(path).notes[2:4] == (
        "the first 10 frames (0.3 s) left out: a T-pose before the motion",
        "the last 25 frames (0.8 s) left out: a T-pose after the motion",
    )


@pytest.mark.parametrize("blank", [(0, 1, 2), (117, 118, 119)])
def test_blank_frames_at_the_ends_are_left_out(tmp_path, blank):
    clip = load_clip(odd.write_bvh(tmp_path / "x.bvh", WALK, blank=blank))
    assert clip.frames == 117
    assert np.ptp(clip.root_pos_m[:, 2]) < 0.01


# -- travel and floor --------------------------------------------------------------------------------------------------

IN_PLACE = {
    "on a treadmill": {},
    "on a treadmill, below a root that never moves": {"static_root": "Reference"},
    "on a treadmill, z up": {"up": "z"},
}


@pytest.mark.parametrize("oddity", IN_PLACE.values(), ids=IN_PLACE)
def test_a_walk_in_place_gets_its_travel(tmp_path, oddity):
    clip = check_walk(odd.write_bvh(tmp_path / "x.bvh", odd.in_place(WALK), **oddity))
    assert clip.in_place
    assert "walks in place: its travel at 0.90 m/s is that of the foot on the ground" in clip.notes


@pytest.mark.parametrize("clip", [odd.march(), odd.stand(60), odd.sit_down(), odd.get_up()])
def test_other_motions_in_place_stay_there(tmp_path, clip):
    read = load_clip(odd.write_bvh(tmp_path / "x.bvh", clip))
    assert not read.in_place
    assert np.ptp(read.root_pos_m[:, :2], axis=0) == pytest.approx(np.ptp(clip.root_pos_m[:, :2], axis=0), abs=1e-4)


FLOORS = {
    "a ramp up": (odd.smooth_walk(150, slope=0.12), 0.12),
    "a ramp down": (odd.smooth_walk(150, slope=-0.1), -0.1),
    "a floor tilted by two per cent": (odd.smooth_walk(150, slope=0.02), 0.0),
    "a box to step on": (odd.step_onto_box(), 0.0),
    "sitting down": (odd.sit_down(), 0.0),
    "getting up": (odd.get_up(), 0.0),
    "cartwheels": (odd.cartwheels(), 0.0),
    "crawling": (odd.crawl(), 0.0),
}


@pytest.mark.parametrize(("clip", "slope"), FLOORS.values(), ids=FLOORS)
def test_ramps_are_claimed_with_evidence_only(tmp_path, clip, slope):
    read, mapping = load(odd.write_bvh(tmp_path / "x.bvh", clip))
    floor = find_clip_floor(read, mapping)
    assert floor is not None
    assert floor.is_ramp == bool(slope)
    assert (floor.slope * floor.way[0] if floor.is_ramp else 0.0) == pytest.approx(slope, abs=0.01)
    way = "rises" if slope > 0.0 else "falls"
    expected = [f"the floor is a ramp: it {way} by {100.0 * abs(slope):.0f} %"] if slope else []
    assert [n for n in read.notes if "ramp" in n] == expected


# -- other formats -----------------------------------------------------------------------------------------------------


def test_a_deepmimic_walk_with_long_quaternions_is_read(tmp_path):
    clip = check_walk(odd.write_deepmimic(tmp_path / "x.txt", WALK, stretch=1.08), leg_m=0.831)
    assert "quaternions of length 1.00 to 1.08 in 120 frames are normalised" in clip.notes


def test_a_deepmimic_motion_of_other_numbers_is_refused(tmp_path):
    path = odd.write_deepmimic(tmp_path / "x.txt", WALK, stretch=0.3)
    with pytest.raises(FileFormatError) as error:
        load_clip(path)
    assert str(error.value) == (
        f"{path}: frame 1: the quaternion of 'root' is not of length 1, got 0.3. "
        "Allowed: 0.5 to 2, which is normalised."
    )


@pytest.mark.parametrize("root_offset_m", [(0.0, 0.0, 0.0), (0.2, 0.0, 0.97)])
def test_an_amc_walk_is_read_wherever_its_root_is(tmp_path, root_offset_m):
    path = odd.write_amc(tmp_path / "x.amc", odd.smooth_walk(60), root_offset_m=root_offset_m)
    clip = check_walk(path, rate_hz=30.0)
    assert "30 frames per second, as given, instead of 120" in clip.notes


@pytest.mark.parametrize("frame_time", ["0", "30", "nan", "1/30", "-0.0333"])
def test_a_bad_frame_time_is_replaced_by_the_given_rate(tmp_path, frame_time):
    path = odd.write_bvh(tmp_path / "x.bvh", WALK, frame_time=frame_time)
    with pytest.raises(InputError, match="--fps"):
        load_clip(path)
    check_walk(path, rate_hz=30.0)


# -- verdicts ----------------------------------------------------------------------------------------------------------

VERDICTS = {
    "a walk": (WALK, "walk"),
    "a slow walk": (odd.smooth_walk(120, 0.4), "walk"),
    "a walk back": (replace(WALK, quats_wxyz=WALK.quats_wxyz[::-1], root_pos_m=WALK.root_pos_m[::-1]), "walk"),
    "a walk in a circle": (odd.walk(150, turn_radps=0.4), "walk"),
    "a walk on a treadmill": (odd.in_place(WALK), "walk in place"),
    "a walk up a ramp": (odd.smooth_walk(150, slope=0.12), "walk on a ramp of 12 %"),
    "a walk that trembles": (odd.tremble(WALK, 0.006), "walk"),
    "a walk in place that trembles": (odd.tremble(odd.in_place(WALK), 0.006), "walk in place"),
    "a stride alone": (odd.smooth_walk(37), "walk"),
    "standing": (odd.stand(90), "no walk: it stays in place: 0.00 m from start to end"),
    "marching on the spot": (odd.march(), "no walk: it stays in place: 0.00 m in a stride"),
    "turning on the spot": (odd.march(120, 1.6), "no walk: it turns on the spot: by 70° within 0.00 m"),
    "a dance": (odd.side_to_side(), "no walk: its steps do not alternate: on the ground are right, left, none"),
    "cartwheels": (odd.cartwheels(), "no walk: the body turns upside down"),
    "backflips": (odd.backflips(), "no walk: the body turns upside down"),
    "a crawl": (odd.crawl(), "no walk: the body lies or crawls: the hips come down to 0.54 m"),
    "a bear crawl": (odd.bear_crawl(), "no walk: the body leans on its hands: the trunk tilts by 100°"),
    "a walk bent forward": (odd.bend_forward(WALK), "walk"),
    "getting up": (odd.get_up(), "no walk: the body lies or crawls: the hips come down to 0.06 m"),
    "sitting down": (odd.sit_down(), "no walk: the hips come down to 0.46 m: it sits or kneels"),
    "hopping": (odd.hop(), "no walk: it steps with the left foot only"),
    "two steps": (odd.smooth_walk(25), "no walk: it ends before a foot lands twice"),
}


@pytest.mark.parametrize(("clip", "verdict"), VERDICTS.values(), ids=VERDICTS)
def test_the_cycle_finder_refuses_what_is_no_walk(tmp_path, clip, verdict):
    row = survey_file(odd.write_bvh(tmp_path / "x.bvh", clip), load_character("lee13"))
    assert row.verdict == verdict
    assert row.is_walk == verdict.startswith("walk")
    assert (row.cycle is not None) == row.is_walk


# -- options -----------------------------------------------------------------------------------------------------------


def test_getting_up_does_not_turn_the_world(tmp_path):
    """Legs lie for most of the time; the pose of the skeleton tells where up is."""
    clip = load_clip(odd.write_bvh(tmp_path / "x.bvh", odd.get_up()))
    assert clip.notes[0] == "up is y, as in the pose of the skeleton"
    assert np.ptp(clip.root_pos_m[:, 2]) > 0.5


def test_a_motion_that_trembles_is_smoothed_with_a_note(tmp_path):
    kinect = STYLES["kinect"]
    clip = load_clip(odd.write_bvh(tmp_path / "x.bvh", odd.tremble(WALK, 0.006), names=kinect))
    assert clip.notes[-1] == "positions tremble by 5 mm from frame to frame: smoothed at 6 Hz"
    assert np.abs(clip.places_w_m - WALK.places_w_m).mean() < 0.01
    for still in (WALK, odd.backflips(), odd.smooth_walk(90, 2.4)):
        notes = load_clip(odd.write_bvh(tmp_path / "x.bvh", still)).notes
        assert not [n for n in notes if "tremble" in n]


def test_a_t_pose_that_trembles_is_left_out(tmp_path):
    posed = odd.join(odd.t_pose(45, WALK), WALK)
    clip = load_clip(odd.write_bvh(tmp_path / "x.bvh", odd.tremble(posed, 0.006)))
    assert clip.frames == WALK.frames


def test_a_loop_is_found_from_its_ends(tmp_path):
    loop = load_clip(odd.write_bvh(tmp_path / "x.bvh", odd.smooth_walk(37)))
    assert loop.loops and loop.notes[-1] == "a loop: its last frame leads to its first"
    for clip in (odd.smooth_walk(50), odd.join(odd.stand(40), WALK, odd.stand(40)), odd.stand(30)):
        assert not load_clip(odd.write_bvh(tmp_path / "x.bvh", clip)).loops


def test_a_clip_file_keeps_its_own_unit_and_takes_a_rate(tmp_path):
    write_clip(WALK, tmp_path / "x.npz")
    clip = load_clip(tmp_path / "x.npz", unit="cm", up="z", rate_hz=60.0)
    assert clip.notes == (
        "a clip file is in metres, z up: --unit and --up have no effect",
        "60 frames per second, as given, instead of 30",
    )
    assert clip.root_pos_m == pytest.approx(WALK.root_pos_m)


@pytest.mark.parametrize("suffix", [".bvh", ".npz"])
def test_given_and_found_roles_are_kept_by_conversion(tmp_path, suffix):
    path = odd.write_bvh(tmp_path / "x.bvh", WALK, names=NUMBERED)
    given = {"trunk": NUMBERED["Spine"], "left_toes": NUMBERED["LeftToeBase"]}
    clip, mapping = load(path, roles=given)
    write_clip(clip, tmp_path / f"y{suffix}")
    back, again = load(tmp_path / f"y{suffix}")
    places = [c.places_w_m[:, [m.joints[role] for role in mapping.joints]] for c, m in ((clip, mapping), (back, again))]
    assert set(again.joints) == set(mapping.joints)
    assert places[1] == pytest.approx(places[0], abs=1e-5)


def test_legs_without_names_are_found_whatever_the_frames_of_their_bones(tmp_path):
    for seed in (1, 2):
        clip, mapping = load(odd.write_bvh(tmp_path / "x.bvh", make_foreign(WALK, NUMBERED, seed)))
        assert named(clip, mapping)[0] == NUMBERED["LeftUpLeg"]
