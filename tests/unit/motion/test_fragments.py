"""Fragments begin where a foot lands [Lee10 §3]."""

import dataclasses
import itertools

import numpy as np
import pytest

from poise.errors import InputError
from poise.motion.fragments import describe_fragments, find_fragments
from unit.motion.walkers import make_walk


def make_clip(left, right, rate_hz=30.0):
    """A clip whose feet stand as two strings of 0 and 1 say."""
    contacts = np.array([[c == "1" for c in left], [c == "1" for c in right]]).T
    return dataclasses.replace(make_walk(len(left), rate_hz), contacts=contacts)


def test_short_double_support_belongs_to_the_step_that_follows():
    left = "1" * 20 + "1" * 10 + "111" + "0" * 10 + "1" * 12
    right = "1" * 20 + "0" * 10 + "111" + "1" * 10 + "0" * 12
    fragments = find_fragments(make_clip(left, right))
    assert describe_fragments(fragments) == "both 0-20, left 20-30, right 30-43, left 43-54"
    assert [f.swing for f in fragments] == [None, "right", "left", "right"]


def test_short_flight_belongs_to_what_came_before():
    left = "1" * 10 + "000" + "0" * 10 + "00"
    right = "0" * 10 + "000" + "1" * 10 + "00"
    assert describe_fragments(find_fragments(make_clip(left, right))) == "left 0-13, right 13-23, none 23-24"
    longer = find_fragments(make_clip("1" * 10 + "0" * 30, "0" * 10 + "0" * 20 + "1" * 10))
    assert describe_fragments(longer) == "left 0-10, none 10-30, right 30-39"


def test_what_is_short_depends_on_the_rate():
    left, right = "1" * 20 + "1" * 20 + "0" * 20, "0" * 20 + "1" * 20 + "1" * 20
    assert describe_fragments(find_fragments(make_clip(left, right, 30.0))) == "left 0-20, both 20-40, right 40-59"
    assert describe_fragments(find_fragments(make_clip(left, right, 120.0))) == "left 0-20, right 20-59"


def test_fragments_cover_the_clip_and_share_their_ends():
    rng = np.random.default_rng(3)
    for _ in range(30):
        frames = int(rng.integers(2, 60))
        clip = dataclasses.replace(make_walk(frames), contacts=rng.random((frames, 2)) < 0.6)
        fragments = find_fragments(clip)
        assert fragments[0].first == 0 and fragments[-1].last == frames - 1
        for a, b in itertools.pairwise(fragments):
            assert a.last == b.first and a.stance != b.stance


def test_contacts_must_be_known():
    with pytest.raises(InputError, match="clip walk: foot contacts are unknown"):
        find_fragments(make_walk(5))
