"""Clips that loop, several times over."""

from dataclasses import replace

import numpy as np
import pytest

from poise.errors import InputError
from poise.motion.repeat import lengthen, repeat
from unit.motion.walkers import make_walk


def test_copies_go_on_from_where_the_last_one_ended():
    clip = make_walk(60)
    twice = repeat(clip, 2)
    assert twice.frames == 119
    way = twice.root_pos_m[59] - twice.root_pos_m[0]
    assert np.allclose(twice.root_pos_m[59:], twice.root_pos_m[:60] + way)
    assert abs(way[2]) < 1e-12, "it neither climbs nor sinks"
    assert np.allclose(np.abs((twice.quats_wxyz[59:] * twice.quats_wxyz[:60]).sum(axis=-1)), 1.0)
    assert np.allclose(twice.quats_wxyz[:40], clip.quats_wxyz[:40]), "only its end is changed"


def test_only_clips_that_loop_are_made_longer():
    clip = make_walk(60)
    assert lengthen(clip) is clip
    assert lengthen(replace(clip, loops=True)).frames == 178
    with pytest.raises(InputError, match="it cannot be repeated"):
        repeat(clip, 0)
