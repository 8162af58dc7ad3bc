import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from poise.measures.momentum import compute_angular_velocity_w_radps, compute_com_w_m, compute_momentum
from synthetic_walks import make_walk


def test_the_centre_of_mass_of_the_poses_is_the_recorded_one(turn):
    assert compute_com_w_m(turn) == pytest.approx(turn.com_w_m[:, 0], abs=1e-12)


def test_linear_momentum_is_mass_times_the_slope_of_the_path():
    walk = make_walk(root="free", seconds=0.6, hz=1000.0)
    linear = compute_momentum(walk).linear_w_kgmps
    slope = np.gradient(compute_com_w_m(walk), walk.time_s, axis=0) * walk.characters[0].mass_kg
    # The legs of the formula have kinks where a knee is straight; away from them both agree.
    error = np.abs(linear - slope).max(axis=1)
    assert np.quantile(error, 0.8) < 1e-2


def test_angular_momentum_of_a_body_that_only_turns_is_inertia_times_rate(turn):
    """A frozen pose on a turntable: L about the vertical is I_zz omega, with I from scipy's rotations."""
    body, rate = turn.characters[0], 0.7
    time = np.arange(50) / 100
    spin = Rotation.from_rotvec(np.outer(rate * time, [0.0, 0.0, 1.0]))
    positions = np.stack([spin.apply(p) for p in turn.segment_pos_w_m[37]], axis=1)
    start = [Rotation.from_quat(q, scalar_first=True) for q in turn.segment_quat_wxyz[37]]
    quats = np.stack([(spin * r).as_quat(scalar_first=True) for r in start], axis=1)
    com_rate = np.zeros((50, 1, 3))
    frozen = make_walk(root="free", seconds=0.49)
    frozen = frozen.__class__(
        **{**vars(frozen), "segment_pos_w_m": positions, "segment_quat_wxyz": quats, "com_vel_w_mps": com_rate}
    )
    com = compute_com_w_m(frozen)[0]
    inertia = np.zeros((3, 3))
    for k, s in enumerate(body.segments):
        xx, yy, zz, xy, xz, yz = s.inertia_kgm2
        own = start[k].as_matrix() @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ start[k].as_matrix().T
        arm = positions[0, k] + start[k].apply(s.com_m) - com
        inertia += own + s.mass_kg * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    angular = compute_momentum(frozen).angular_w_kgm2ps
    assert angular[1:-1, 2] == pytest.approx(inertia[2, 2] * rate, rel=1e-4)
    assert angular[1] @ [1, 0, 0] == pytest.approx(inertia[0, 2] * rate, abs=2e-2)


def test_angular_velocity_is_that_of_the_turntable():
    time = np.array([0.0, 0.1, 0.15, 0.3])
    axis = np.array([0.6, 0.0, 0.8])
    quats = Rotation.from_rotvec(np.outer(2.0 * time, axis)).as_quat(scalar_first=True)
    quats[2] *= -1.0  # the same orientation
    assert compute_angular_velocity_w_radps(time, quats) == pytest.approx(np.tile(2.0 * axis, (4, 1)))
