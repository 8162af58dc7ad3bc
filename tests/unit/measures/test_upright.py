"""From when to when a body is down, and what is said of it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from poise.measures.metrics import compute_metrics
from poise.measures.upright import compute_upright, describe_outcome, find_down_spans, is_up_at_end
from poise.recordings.recording import Event, Recording
from synthetic_walks import make_walk

HZ = 100.0


def tilt(recording: Recording, start_s: float, end_s: float, angle_rad: float = 2.0) -> Recording:
    """The same with the trunk turned forward for a time, as the loop would note it the first time."""
    trunk = recording.characters[0].segment_names.index("trunk")
    quat = recording.segment_quat_wxyz.copy()
    chosen = (recording.time_s >= start_s - 1e-9) & (recording.time_s <= end_s + 1e-9)
    quat[chosen, trunk] = [math.cos(0.5 * angle_rad), 0.0, math.sin(0.5 * angle_rad), 0.0]
    events = recording.events
    if angle_rad > 1.4 and not recording.events_of(0, "down"):
        events = (*events, Event(start_s, "down", 0, "trunk"))
    return replace(recording, segment_quat_wxyz=quat, events=events)


@pytest.fixture
def long_walk() -> Recording:
    return make_walk(seconds=4.0, hz=HZ)


def test_a_walk_is_upright_in_every_frame(long_walk) -> None:
    assert compute_upright(long_walk).all()
    assert (find_down_spans(long_walk), is_up_at_end(long_walk)) == ([], True)
    assert describe_outcome(long_walk) == "still on its feet"


def test_leaning_far_is_not_being_down(long_walk) -> None:
    assert compute_upright(tilt(long_walk, 1.0, 2.0, angle_rad=1.3)).all()
    assert not compute_upright(tilt(long_walk, 1.0, 2.0, angle_rad=1.5)).all()


def test_who_turns_over_and_stands_again_has_not_ended_in_a_fall(long_walk) -> None:
    over = tilt(long_walk, 1.0, 1.6)
    assert find_down_spans(over) == [pytest.approx((1.0, 1.6))]
    assert describe_outcome(over) == "on its feet at the end; turned over or down from 1.00 to 1.60 s"
    metrics = compute_metrics(over)
    assert (metrics.fallen, metrics.fell_at_s, metrics.up_at_end) == (True, 1.0, True)


def test_who_lies_in_the_end_fell_unless_a_script_has_the_body(long_walk) -> None:
    fallen = tilt(long_walk, 2.5, 4.0)
    assert describe_outcome(fallen) == "fell at 2.50 s"
    assert not compute_metrics(fallen).up_at_end
    lying = replace(fallen, meta={**fallen.meta, "script": "supine"})
    assert describe_outcome(lying) == "down since 2.50 s"


def test_a_fall_after_a_somersault_is_told_with_both_times(long_walk) -> None:
    both = tilt(tilt(long_walk, 1.0, 1.5), 3.0, 4.0)
    assert describe_outcome(both) == "fell at 3.00 s; turned over or down before, from 1.00 to 1.50 s"


def test_short_breaks_do_not_count_and_long_lists_are_cut(long_walk) -> None:
    again = tilt(tilt(long_walk, 1.0, 1.5), 1.7, 2.0)
    assert find_down_spans(again) == [pytest.approx((1.0, 2.0))]
    often = long_walk
    for start in (0.2, 0.9, 1.6, 2.3, 3.0):
        often = tilt(often, start, start + 0.2)
    assert describe_outcome(often).endswith("from 0.20 to 0.40 s, 0.90 to 1.10 s, 1.60 to 1.80 s and 2 more times")


def test_who_begins_lying_is_said_to(long_walk) -> None:
    assert describe_outcome(tilt(long_walk, 0.0, 4.0)) == "down from the start"


def test_a_run_that_ends_with_the_fall_has_no_frame_of_it(long_walk) -> None:
    stopped = replace(long_walk, events=(*long_walk.events, Event(float(long_walk.time_s[-1]), "down", 0, "trunk")))
    assert compute_upright(stopped).all() and not is_up_at_end(stopped)
    assert describe_outcome(stopped) == f"fell at {long_walk.time_s[-1]:.2f} s"


def test_a_knee_on_the_ground_is_no_fall_and_a_thigh_is(long_walk) -> None:
    names = long_walk.characters[0].segment_names
    for segment, down in (("left_shank", False), ("left_thigh", True)):
        moved = replace(
            long_walk,
            contact_start=np.concatenate([[0], np.ones(long_walk.frames, dtype=np.int64)]),
            contact_segment=np.array([names.index(segment)]),
            contact_other=np.array([-1]),
            contact_pos_w_m=np.zeros((1, 3)),
            contact_force_w_n=np.array([[0.0, 0.0, 50.0]]),
        )
        assert bool(compute_upright(moved)[0]) is not down
        assert compute_upright(moved)[1:].all()
