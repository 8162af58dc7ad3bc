"""The files are read back with pybvh, a reader and forward kinematics that are not ours."""

import dataclasses

import numpy as np
import pybvh
import pytest
from scipy.spatial.transform import Rotation

from poise.errors import InputError
from poise.recordings.recording import Recording
from poise.rollout.export_bvh import export_bvh
from synthetic_walks import make_character, make_walk


def read_positions(path, body):
    """Places of the segments in our axes, (F, S, 3), in file units."""
    motion = pybvh.read_bvh_file(path)
    places = motion.joint_positions()
    columns = [motion.joint_names.index(name) for name in body.segment_names]
    return motion, places[:, columns][..., [2, 0, 1]]


@pytest.mark.parametrize("name", ["walk", "turn"])
def test_another_reader_finds_every_segment_where_it_was(tmp_path, request, name):
    recording = request.getfixturevalue(name)
    export_bvh(recording, tmp_path / "x.bvh")
    motion, places = read_positions(tmp_path / "x.bvh", recording.characters[0])
    assert motion.frame_time == pytest.approx(0.01)
    assert places == pytest.approx(recording.segment_pos_w_m, abs=1e-3)


def test_centimetres_are_a_hundred_times_as_many(tmp_path, walk):
    export_bvh(walk, tmp_path / "x.bvh", unit_m=0.01)
    _, places = read_positions(tmp_path / "x.bvh", walk.characters[0])
    assert places == pytest.approx(100.0 * walk.segment_pos_w_m, abs=0.1)


def test_each_character_can_be_chosen(tmp_path, pair):
    export_bvh(pair, tmp_path / "x.bvh", 1)
    _, places = read_positions(tmp_path / "x.bvh", pair.characters[1])
    assert places == pytest.approx(pair.segment_pos_w_m[:, pair.segments_of(1)], abs=1e-3)


def test_the_angles_of_a_joint_are_its_own(tmp_path, turn):
    """The hips turn about their axes in order, so the file holds the joint angles, with BVH's signs."""
    export_bvh(turn, tmp_path / "x.bvh")
    motion = pybvh.read_bvh_file(tmp_path / "x.bvh")
    hip = motion.joint_names.index("left_thigh")
    assert motion.euler_orders[hip] == "XZY"
    angles = np.rad2deg(motion.joint_angles[:, hip])
    body = turn.characters[0]
    pitch = np.rad2deg(turn.joint_q_rad[:, body.axis_index("left_hip_pitch")])
    yaw = np.rad2deg(turn.joint_q_rad[:, body.axis_index("left_hip_yaw")])
    assert angles[:, 0] == pytest.approx(-pitch, abs=1e-3)
    assert angles[:, 2] == pytest.approx(yaw, abs=1e-3)


def spin(turns: float, axis: tuple[float, float, float]) -> Recording:
    """The first pose of a walk, turning as a whole about an axis through its root."""
    walk = make_walk(root="free", seconds=1.0)
    rotation = Rotation.from_rotvec(np.outer(2.0 * np.pi * turns * walk.time_s, axis))
    root = walk.segment_pos_w_m[0, 0]
    places = np.stack([root + rotation.apply(p - root) for p in walk.segment_pos_w_m[0]], axis=1)
    start = [Rotation.from_quat(q, scalar_first=True) for q in walk.segment_quat_wxyz[0]]
    quats = np.stack([(rotation * r).as_quat(scalar_first=True) for r in start], axis=1)
    return dataclasses.replace(walk, segment_pos_w_m=places, segment_quat_wxyz=quats)


@pytest.mark.parametrize("axis", [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, 0.8), (1.0, 0.0, 0.0)])
def test_somersaults_and_cartwheels_come_through_without_jumps(tmp_path, axis):
    recording = spin(1.5, axis)
    export_bvh(recording, tmp_path / "x.bvh")
    motion, places = read_positions(tmp_path / "x.bvh", recording.characters[0])
    assert places == pytest.approx(recording.segment_pos_w_m, abs=1e-3)
    if axis != (1.0, 0.0, 0.0):  # a cartwheel passes exactly through the singular pose
        jumps = np.abs(np.diff(motion.joint_angles, axis=0))
        assert jumps.max() < 1.0


def test_uneven_frames_become_even(tmp_path, walk):
    keep = np.r_[0:100, 101:301]
    arrays = {
        f.name: getattr(walk, f.name)[keep]
        for f in dataclasses.fields(Recording)
        if isinstance(getattr(walk, f.name), np.ndarray) and len(getattr(walk, f.name)) == 301
    }
    uneven = dataclasses.replace(walk, **arrays)
    export_bvh(uneven, tmp_path / "x.bvh")
    motion, places = read_positions(tmp_path / "x.bvh", walk.characters[0])
    assert motion.frame_count == 301
    assert np.abs(places - walk.segment_pos_w_m).max() < 0.05
    assert places[200] == pytest.approx(walk.segment_pos_w_m[200], abs=1e-3)


def test_names_with_blanks_become_words(tmp_path, walk):
    body = make_character()
    spaced = {s.name: s.name.replace("_", " ") for s in body.segments}
    renamed = dataclasses.replace(
        body,
        segments=tuple(
            dataclasses.replace(s, name=spaced[s.name], parent=s.parent and spaced[s.parent]) for s in body.segments
        ),
        roles={role: spaced[name] for role, name in body.roles.items()},
        landmarks=(),
    )
    export_bvh(dataclasses.replace(walk, characters=(renamed,)), tmp_path / "x.bvh")
    assert "left_upper_arm" in pybvh.read_bvh_file(tmp_path / "x.bvh").joint_names


def test_a_unit_of_nothing_is_refused(tmp_path, walk):
    with pytest.raises(InputError) as error:
        export_bvh(walk, tmp_path / "x.bvh", unit_m=0.0)
    assert str(error.value) == "BVH: unit_m must be a positive length, got 0.0."
