"""Displacements by LOAD in a recording: where they are, and what they leave of distance, speed and steps."""

from dataclasses import replace

import numpy as np
import pytest

from poise.measures.loads import compute_shift_w_m, find_jumps
from poise.measures.metrics import compute_metrics, compute_way_m
from poise.recordings.recording import Recording
from synthetic_walks import make_walk


def jump(recording: Recording, start_s: float, end_s: float, shift_m: float) -> Recording:
    """The same walk, put ahead at a time or little by little, as a LOAD does."""
    row = {"start_s": start_s, "end_s": end_s, "character": 0, "what": "LOAD a", "shift_m": [shift_m, 0.0, 0.0]}
    moved = replace(recording, meta={**recording.meta, "requests": [row]})
    shift = compute_shift_w_m(moved)
    return replace(
        moved,
        com_w_m=moved.com_w_m + shift[:, None],
        segment_pos_w_m=moved.segment_pos_w_m + shift[:, None],
    )


@pytest.mark.parametrize("end_s", [2.0, 2.5])
def test_a_walk_that_was_put_elsewhere_has_the_distance_and_speed_of_the_walk(end_s: float) -> None:
    walk = make_walk(seconds=4.0, hz=100.0)
    moved = jump(walk, 2.0, end_s, 30.0)
    assert moved.com_w_m[-1, 0, 0] - walk.com_w_m[-1, 0, 0] == pytest.approx(30.0)
    one, other = compute_metrics(walk), compute_metrics(moved)
    assert other.distance_m == pytest.approx(one.distance_m)
    assert other.mean_speed_mps == pytest.approx(one.mean_speed_mps)
    assert np.allclose(compute_way_m(moved), compute_way_m(walk))


def test_a_step_across_a_load_has_no_length_and_no_time() -> None:
    walk = make_walk(seconds=4.0, hz=100.0)
    one, other = compute_metrics(walk), compute_metrics(jump(walk, 2.1, 2.1, 30.0))
    assert other.steps == one.steps
    assert len(other.step_lengths_m) == len(other.step_times_s) == len(one.step_lengths_m) - 1
    assert max(other.step_lengths_m) == pytest.approx(max(one.step_lengths_m))


@pytest.mark.parametrize(
    "row",
    [3, {}, {"character": 0}, {"character": 0, "start_s": 1.0, "end_s": 1.0, "shift_m": ["a", 0, 0]}],
)
def test_a_malformed_request_of_a_file_is_no_jump(row: object) -> None:
    walk = make_walk(seconds=1.0, hz=100.0)
    assert find_jumps(replace(walk, meta={"requests": [row]})) == []
