"""Stretches of motion around the present."""

from dataclasses import replace

import numpy as np
import pytest

from poise.studio.moment import Moment
from poise.studio.track import Track, Tracks, make_track


def make_moment(time_s: float, x_m: float) -> Moment:
    pose = np.zeros((3, 7))
    pose[:, 0], pose[:, 3] = x_m, 1.0
    return Moment(time_s, pose, np.zeros((0, 6)), (x_m, 0.0, 1.0), 1.0, 0.0, (0.0, 0.0), 0, None)


@pytest.fixture
def track() -> Track:
    return make_track([make_moment(0.1 * k, 0.2 * k) for k in range(11)])


def test_a_window_of_it(track: Track) -> None:
    part = track.between(0.25, 0.6)
    assert part.times_s == pytest.approx([0.3, 0.4, 0.5, 0.6])
    assert part.coms_m[:, 0] == pytest.approx([0.6, 0.8, 1.0, 1.2]) and part.poses.shape == (4, 3, 7)


def test_who_strays_has_left_it(track: Track) -> None:
    assert not track.is_left_by(make_moment(0.55, 1.1)), "in between two moments, on the way"
    assert track.is_left_by(make_moment(0.55, 1.12))
    assert not track.is_left_by(make_moment(1.3, 9.0)), "it says nothing of times that it does not know"
    assert not make_track([]).is_left_by(make_moment(0.0, 0.0))


def test_a_cut_takes_the_future_away(track: Track) -> None:
    tracks = Tracks(4, track, track)
    cut = tracks.cut(0.5)
    assert cut.number == 4 and cut.cuts == 1 and cut.mine.times_s[-1] == pytest.approx(0.5)
    assert cut.before is track
    assert replace(tracks, cuts=1).mine is track


def test_a_browser_gets_the_character_alone(track: Track) -> None:
    packed = track.between(0.0, 0.1).pack(2)
    assert packed["times"] == [0.0, 0.1] and len(packed["poses"]) == 2 * 2 * 7 and len(packed["coms"]) == 6
    assert packed["poses"][14] == 0.2
