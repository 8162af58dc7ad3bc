"""Clips at other rates, smoothed, differentiated, kept in files; contacts and sliding of their feet."""

import dataclasses
import itertools

import numpy as np
import pytest

from poise.errors import FileFormatError, InputError
from poise.motion.clip import Clip
from poise.motion.clip_file import read_clip_file, save_clip
from poise.motion.contacts import find_clip_floor, find_contacts, find_runs, measure_skate, measure_sole_skate_mps
from poise.motion.derivatives import compute_derivatives
from poise.motion.mapping import guess_mapping
from poise.motion.resample import resample, smooth
from poise.motion.rotations import matrix_to_quat, quat_about, quat_normalize, quat_slerp, quat_to_matrix
from unit.motion.walkers import make_skeleton, make_walk


def make_spin(frames=50, rate_hz=100.0, spin_radps=2.0, speed_mps=3.0):
    """A skeleton that turns about z and moves along x, both evenly."""
    skeleton = make_skeleton()
    time = np.arange(frames) / rate_hz
    quats = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton.names), 1))
    quats[:, 0] = quat_about((0, 0, 1), spin_radps * time)
    root = np.stack([speed_mps * time, np.zeros(frames), np.ones(frames)], axis=-1)
    return Clip("spin", skeleton, 1.0 / rate_hz, root, quats)


def test_even_motion_is_the_same_at_every_rate():
    fine, coarse = make_spin(101, 100.0), resample(make_spin(11, 10.0), 100.0)
    assert coarse.frames == 101
    assert coarse.root_pos_m == pytest.approx(fine.root_pos_m)
    assert coarse.quats_wxyz == pytest.approx(fine.quats_wxyz)


def test_a_fourth_of_the_rate_takes_every_fourth_frame():
    clip = make_walk(121, rate_hz=120.0)
    slow = resample(dataclasses.replace(clip, contacts=np.arange(242).reshape(121, 2) % 8 == 0), 30.0)
    assert slow.frames == 31
    assert slow.quats_wxyz == pytest.approx(clip.quats_wxyz[::4])
    assert slow.contacts is not None and slow.contacts[:, 0].all()


def test_a_rate_of_nothing_is_refused():
    with pytest.raises(InputError, match=r"clip spin: the frame rate is out of range, got 0\.0 Hz"):
        resample(make_spin(), 0.0)


def test_smoothing_takes_out_noise_and_keeps_the_walk():
    clip = make_walk(120, rate_hz=120.0)
    rng = np.random.default_rng(1)
    noisy = dataclasses.replace(
        clip,
        quats_wxyz=quat_normalize(clip.quats_wxyz + 0.02 * rng.normal(size=clip.quats_wxyz.shape)),
        root_pos_m=clip.root_pos_m + 0.01 * rng.normal(size=clip.root_pos_m.shape),
    )
    quiet = smooth(noisy, 6.0)
    for name in ("root_pos_m", "quats_wxyz"):
        before, after = (np.abs(getattr(c, name) - getattr(clip, name)).mean() for c in (noisy, quiet))
        assert after < 0.5 * before
    with pytest.raises(InputError, match=r"Allowed: 0 to 54 Hz"):
        smooth(clip, 60.0)


def test_a_single_frame_can_be_smoothed_and_resampled():
    clip = make_walk(1)
    assert resample(smooth(clip, 6.0), 60.0).frames == 1


def test_even_turning_has_its_velocity_and_no_acceleration():
    rates = compute_derivatives(make_spin())
    assert rates.root_vel_w_mps == pytest.approx(np.tile([3.0, 0.0, 0.0], (50, 1)))
    assert rates.joint_vel_radps[:, 0] == pytest.approx(np.tile([0.0, 0.0, 2.0], (50, 1)))
    assert rates.joint_acc_radps2 == pytest.approx(0.0, abs=1e-9)
    assert rates.root_acc_w_mps2 == pytest.approx(0.0, abs=1e-9)


def test_accelerated_motion_has_its_acceleration_inside():
    clip = make_spin()
    time = clip.time_s
    clip = dataclasses.replace(clip, root_pos_m=np.stack([time**2, 0 * time, 0 * time], axis=-1))
    rates = compute_derivatives(clip)
    assert rates.root_vel_w_mps[1:-1, 0] == pytest.approx(2.0 * time[1:-1])
    assert rates.root_acc_w_mps2[2:-2, 0] == pytest.approx(2.0)


def test_velocities_of_a_single_frame_are_zero():
    rates = compute_derivatives(make_walk(1))
    assert not rates.joint_vel_radps.any() and not rates.root_acc_w_mps2.any()


def test_contacts_alternate_in_a_walk():
    clip = make_walk(150)
    contacts = find_contacts(clip, guess_mapping(clip.skeleton))
    assert contacts is not None
    left, right = (find_runs(contacts[:, k]) for k in range(2))
    assert len(left) >= 4 and len(right) >= 4
    assert contacts.any(axis=1).mean() > 0.9
    starts = sorted([(a, "l") for a, _ in left if a] + [(a, "r") for a, _ in right if a])
    assert all(a[1] != b[1] for a, b in itertools.pairwise(starts))


def test_a_floor_that_slopes_does_not_hide_contacts():
    clip = make_walk(150)
    mapping = guess_mapping(clip.skeleton)
    tilted = clip.root_pos_m.copy()
    tilted[:, 2] += 0.02 * tilted[:, 0]
    tilted = dataclasses.replace(clip, root_pos_m=tilted)
    level, sloping = find_contacts(clip, mapping), find_contacts(tilted, mapping)
    assert level is not None and sloping is not None
    assert (level == sloping).mean() > 0.97
    floor = find_clip_floor(tilted, mapping)
    assert floor.slope * floor.way[0] == pytest.approx(0.02, abs=0.003)


def test_sliding_is_measured_during_contacts_alone():
    points = np.zeros((10, 2, 3))
    points[:, 0, 0] = 0.1 * np.arange(10)
    contacts = np.zeros((10, 2), dtype=bool)
    contacts[2:6, 0] = True
    skate = measure_skate(points, contacts, 0.1)
    assert (skate.mean_speed_mps, skate.slide_m, skate.contacts) == (pytest.approx(1.0), pytest.approx(0.3), 1)
    assert measure_skate(points, np.zeros((10, 2), dtype=bool), 0.1).contacts == 0


def test_soles_slide_as_their_slowest_point_that_touches():
    points = np.zeros((5, 3, 3))
    points[:, 0, 0] = 0.1 * np.arange(5)  # slides
    points[:, 1, 2] = 1.0  # is in the air
    points[:, 2, 1] = 0.02 * np.arange(5)
    assert measure_sole_skate_mps([points], 0.1, 0.01) == pytest.approx(0.2)
    points[:, 2, 2] = 0.5
    assert measure_sole_skate_mps([points], 0.1, 0.01) == pytest.approx(1.0)
    assert measure_sole_skate_mps([points + [0.0, 0.0, 2.0]], 0.1, 0.01) == 0.0


def test_a_clip_file_keeps_everything(tmp_path):
    clip = make_walk(10)
    shifts = np.tile(clip.skeleton.offsets_m, (10, 1, 1))
    clip = dataclasses.replace(
        clip, contacts=np.eye(10, 2) > 0, loops=True, character="humanoid", notes=("a", "b"), shifts_m=shifts
    )
    save_clip(clip, tmp_path / "x.npz")
    back = read_clip_file(tmp_path / "x.npz")
    for name in ("root_pos_m", "quats_wxyz", "shifts_m", "contacts"):
        assert np.array_equal(getattr(back, name), getattr(clip, name))
    for name in ("name", "frame_s", "loops", "character", "notes"):
        assert getattr(back, name) == getattr(clip, name)
    assert back.skeleton.names == clip.skeleton.names
    assert back.skeleton.ends == clip.skeleton.ends


@pytest.mark.parametrize("keep", [0, 10, 200, 1000])
def test_damaged_clip_files_are_refused(tmp_path, keep):
    save_clip(make_walk(10), tmp_path / "x.npz")
    data = (tmp_path / "x.npz").read_bytes()
    (tmp_path / "x.npz").write_bytes(data[:keep])
    with pytest.raises(FileFormatError, match=r"not a clip file of Poise|is damaged"):
        read_clip_file(tmp_path / "x.npz")


def test_clip_files_with_other_bytes_are_refused_or_read(tmp_path):
    save_clip(make_walk(5), tmp_path / "x.npz")
    data = (tmp_path / "x.npz").read_bytes()
    refused = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        broken = bytearray(data)
        for place in rng.integers(len(data), size=3):
            broken[place] = int(rng.integers(256))
        (tmp_path / "x.npz").write_bytes(broken)
        try:
            read_clip_file(tmp_path / "x.npz")
        except FileFormatError:
            refused += 1
    assert refused > 20


def test_other_npz_files_are_refused(tmp_path):
    np.savez(tmp_path / "x.npz", a=np.zeros(3))
    with pytest.raises(FileFormatError, match=r"holds an entry 'a'\. Recordings of runs are not clips\."):
        read_clip_file(tmp_path / "x.npz")


def test_arrays_of_wrong_shape_are_refused():
    clip = make_walk(5)
    with pytest.raises(InputError, match=r"clip walk: quats_wxyz must have the shape \(5, 21, 4\), got \(5, 20, 4\)"):
        dataclasses.replace(clip, quats_wxyz=clip.quats_wxyz[:, 1:])
    with pytest.raises(InputError, match="clip walk: root_pos_m must be finite"):
        dataclasses.replace(clip, root_pos_m=clip.root_pos_m * np.nan)


def test_matrices_and_quaternions_are_one_thing():
    quats = quat_normalize(np.random.default_rng(2).normal(size=(200, 4)))
    back = matrix_to_quat(quat_to_matrix(quats))
    assert np.abs(np.sum(back * quats, axis=-1)) == pytest.approx(1.0)
    assert quat_slerp(quats[:1], quats[1:2], 1.0) == pytest.approx(quats[1:2]) or quat_slerp(
        quats[:1], quats[1:2], 1.0
    ) == pytest.approx(-quats[1:2])
