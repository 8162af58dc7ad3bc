"""The walker's styles: each shows in the measured motion, and none is another by a different name."""

from itertools import combinations

import pytest

from poise.api import run
from poise.measures.stride import mean_stride, style_distance

#: Neighbours: pairs of these are among the nearest of all.
CLOSE = ("plain", "march", "robot", "zombie", "sad")
DIFFERENT_RAD = 0.15


@pytest.fixture(scope="module")
def walked():
    """Each style's run, simulated once."""
    runs = {}

    def _walked(style):
        if style not in runs:
            values = {"style": style, "speed_mps": 0.6}
            runs[style] = run("walker/walk", seconds=6.0, set=values, timestep_s=0.001)
        return runs[style]

    return _walked


@pytest.mark.parametrize("a, b", list(combinations(CLOSE, 2)))
def test_two_styles_differ_in_the_joints(walked, a, b):
    assert not walked(a).metrics.fallen and not walked(b).metrics.fallen
    assert style_distance(walked(a).recording, walked(b).recording, start_s=2.5) > DIFFERENT_RAD


def test_a_style_is_like_itself(walked):
    """Both halves of one run: what remains is how far one stride is from the next."""
    recording = walked("plain").recording
    early, late = mean_stride(recording, start_s=2.0), mean_stride(recording, start_s=4.0)
    assert abs(early - late).mean() < 0.02
