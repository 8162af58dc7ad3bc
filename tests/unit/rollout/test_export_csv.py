import csv

import numpy as np
import pytest

from poise.rollout.export_csv import export_csv


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return {name: np.array(column, dtype=float) for name, column in zip(rows[0], zip(*rows[1:]))}


def test_the_table_holds_the_recording(tmp_path, walk):
    export_csv(walk, tmp_path / "walk.csv")
    table = read(tmp_path / "walk.csv")
    knee = walk.characters[0].axis_index("left_knee_pitch")
    assert table["time_s"] == pytest.approx(walk.time_s)
    assert table["root_x_m"] == pytest.approx(walk.segment_pos_w_m[:, 0, 0])
    assert table["root_quat_w"] == pytest.approx(walk.segment_quat_wxyz[:, 0, 0])
    assert table["left_knee_pitch_rad"] == pytest.approx(walk.joint_q_rad[:, knee])
    assert table["left_knee_pitch_radps"] == pytest.approx(walk.joint_v_radps[:, knee])
    assert table["left_knee_pitch_torque_nm"] == pytest.approx(walk.torque_nm[:, knee])
    assert table["com_z_m"] == pytest.approx(walk.com_w_m[:, 0, 2])
    assert table["com_vel_x_mps"] == pytest.approx(walk.com_vel_w_mps[:, 0, 0])
    total = table["left_foot_force_z_n"] + table["right_foot_force_z_n"]
    assert total == pytest.approx(walk.characters[0].mass_kg * 9.81)


def test_several_characters_have_columns_of_their_own(tmp_path, pair):
    export_csv(pair, tmp_path / "pair.csv")
    table = read(tmp_path / "pair.csv")
    assert "root_x_m" not in table
    assert table["c1_root_x_m"] - table["c0_root_x_m"] == pytest.approx(2.0 - 0.4 * pair.time_s)
    assert next(iter(table)) == "time_s"
