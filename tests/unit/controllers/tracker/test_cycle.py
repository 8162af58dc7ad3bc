"""Endless motions: one cycle, closed and repeated."""

import numpy as np
import pytest

from poise.characters.proportions import scaled
from poise.controllers.tracker.cycle import compute_gaps, find_cycles, make_endless, make_track
from poise.controllers.tracker.reference import make_reference
from poise.errors import InputError
from poise.motion.load import load_clip
from poise.motion.rotations import quat_about
from poise.motion.shipped import find_clip
from unit.controllers.tracker.motions import LEE, make_stand, make_walk


def test_steps_alternate_and_the_last_leads_back_to_the_first_of_the_cycle() -> None:
    track = make_endless(make_walk())
    stances = [f.stance for f in track.fragments[track.back_to :]]
    assert stances in (["left", "right"], ["right", "left"])
    assert track.fragments[0].first == 0
    assert all(a.last == b.first for a, b in zip(track.fragments, track.fragments[1:]))
    lengths = [f.last - f.first for f in track.fragments[track.back_to :]]
    assert sum(lengths) == pytest.approx(36, abs=1)


def test_the_ends_of_a_cycle_are_one_pose() -> None:
    reference = make_walk()
    # An arm that rises all the time: no two poses are alike.
    arm = LEE.segment_names.index("left_upper_arm")
    reference.turns[:, arm] = quat_about((0.0, -1.0, 0.0), np.linspace(0.0, 1.5, reference.frames))
    track = make_endless(reference)
    assert compute_gaps(track).max() < 1e-9
    first, last = track.fragments[track.back_to].first, track.fragments[-1].last
    assert track.reference.root_pos_m[last, 2] == pytest.approx(track.reference.root_pos_m[first, 2], abs=1e-9)


def test_without_a_lead_in_it_begins_in_the_cycle() -> None:
    track = make_endless(make_walk(), lead_in=False)
    assert track.back_to == 0
    assert len(track.fragments) == 2


@pytest.mark.parametrize("first", range(0, 36, 5))
def test_a_single_stride_is_a_cycle_wherever_it_begins(first: int) -> None:
    """A little more than a stride: depending on where it begins, no foot lands twice."""
    track = make_endless(make_walk().cut(first + 40, first + 80))
    assert sorted(f.stance for f in track.fragments[track.back_to :]) == ["left", "right"]
    assert sum(f.last - f.first for f in track.fragments[track.back_to :]) == pytest.approx(36, abs=1)
    assert compute_gaps(track).max() < 1e-9


def test_a_motion_as_it_is_ends_with_its_last_fragment() -> None:
    track = make_track(make_walk())
    assert not track.is_endless
    assert track.fragments[-1].last == 149


def test_a_motion_without_steps_has_no_cycle() -> None:
    with pytest.raises(InputError) as error:
        make_endless(make_stand())
    assert str(error.value) == (
        "motion: no walk to repeat: it stays in place: 0.00 m from start to end. Play it once: --once, endless = false."
    )


def test_a_motion_turned_forward_keeps_its_shape() -> None:
    turned = make_walk(heading_rad=2.0).faced_forward()
    straight = make_walk().faced_forward()
    assert np.abs(turned.root_pos_m - straight.root_pos_m).max() < 1e-9
    assert np.abs(turned.places_w_m() - straight.places_w_m()).max() < 1e-9


def test_on_shorter_legs_the_way_is_shorter_by_the_same_part() -> None:
    clip = load_clip(find_clip("normal"))
    own = make_reference(clip, LEE)
    short = make_reference(clip, scaled(LEE, legs=0.5))
    assert short.root_pos_m == pytest.approx(0.5 * own.root_pos_m)
    assert np.array_equal(short.turns, own.turns)
    long = make_reference(clip, scaled(LEE, legs=1.5))
    assert np.array_equal(long.root_pos_m, own.root_pos_m)


def test_the_cycle_in_the_middle_is_repeated_where_all_are_alike() -> None:
    walk = make_walk(frames=220)
    cycles = find_cycles(walk)
    assert len(cycles) >= 4
    assert make_endless(walk).cycle == len(cycles) // 2
    assert make_endless(walk, cycle=1).cycle == 1


def test_a_cycle_that_turns_is_not_the_one_that_is_repeated() -> None:
    """In other people's recordings the middle may be a turn."""
    straight = find_cycles(make_walk(frames=220))
    middle = len(straight) // 2
    turning = make_walk(frames=220, turn_rad=0.6, turn_at=straight[middle][0] + 4)
    assert len(find_cycles(turning)) == len(straight)
    chosen = make_endless(turning).cycle
    assert chosen is not None and chosen != middle
    assert make_endless(turning, cycle=middle).cycle == middle, "who asks for it gets it"


def test_a_cycle_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError) as error:
        make_endless(make_walk(), cycle=9)
    assert str(error.value) == f"cycle: no such cycle, got 9. Allowed: 0 to {len(find_cycles(make_walk())) - 1}."


def test_a_cycle_before_a_turn_is_better_than_one_after_it() -> None:
    """What comes before a cycle must be walked first."""
    second = find_cycles(make_walk(frames=220))[1][0]
    turning = make_walk(frames=220, turn_rad=1.2, turn_at=second + 4)
    assert make_endless(turning).cycle == 0
