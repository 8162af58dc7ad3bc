"""What many unit tests share: recordings that none changes, and ears for Ctrl-C."""

import signal
from collections.abc import Iterator

import pytest

from poise.recordings.recording import Recording
from synthetic_walks import cut, join, make_character, make_walk


@pytest.fixture(scope="session")
def walk() -> Recording:
    """Three seconds straight on at 1.2 m/s in the plane."""
    return make_walk()


@pytest.fixture(scope="session")
def turn() -> Recording:
    """Four seconds on a circle of two metres to the left, in space."""
    return make_walk(root="free", seconds=4.0, turn_radius_m=2.0)


@pytest.fixture(scope="session")
def pair() -> Recording:
    """A walker, a second one who started two metres ahead, and a ball."""
    second = make_walk(seconds=1.0, character=make_character(name="other"), offset_m=2.0, speed_mps=0.8)
    return join(make_walk(seconds=1.0), second)


@pytest.fixture(scope="session")
def nothing(walk: Recording) -> Recording:
    """The walk, interrupted before its first frame."""
    return cut(walk, 0)


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """A process in the background is started deaf to Ctrl-C; this one must hear it wherever the tests run."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
