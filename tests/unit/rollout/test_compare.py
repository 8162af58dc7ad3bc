import json

import pytest
from PIL import Image

from poise.rollout.compare import compare, draw_comparison, export_comparison
from synthetic_walks import make_walk


def test_rows_hold_both_figures_and_how_they_differ(walk):
    rows = {row.name: row for row in compare(walk, make_walk(speed_mps=0.6, falls_at_s=2.8))}
    speed = rows["mean_speed_mps"]
    assert (speed.a, speed.b) == pytest.approx((1.2, 0.6))
    assert speed.difference == pytest.approx(-0.6) and speed.ratio == pytest.approx(0.5)
    assert (rows["fallen"].a, rows["fallen"].b, rows["fallen"].difference) == (False, True, None)
    assert rows["fell_at_s"].a is None and rows["fell_at_s"].ratio is None
    assert rows["duty_factor_left"].difference == pytest.approx(0.0, abs=0.05)
    assert "step_lengths_m" not in rows


def test_a_recording_does_not_differ_from_itself(turn):
    assert all(row.difference in (None, 0.0) and row.ratio in (None, 1.0) for row in compare(turn, turn))


def test_rows_go_into_json(walk, turn):
    json.dumps([row.as_dict() for row in compare(walk, turn)], allow_nan=False)


def test_characters_of_one_recording_can_be_compared(pair):
    rows = {row.name: row for row in compare(pair, pair, character_b=1)}
    assert (rows["character"].a, rows["character"].b) == ("synthetic", "other")


def test_both_curves_share_a_panel(tmp_path, walk, turn):
    figure = draw_comparison(walk, turn, labels=("straight", "round"))
    assert [len(panel.lines) for panel in figure.axes] == [2] * 5
    export_comparison(walk, turn, tmp_path / "x.png")
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.format == "PNG"
