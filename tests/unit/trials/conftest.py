"""What the tests of trials share: ears for Ctrl-C."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """A process in the background is started deaf to Ctrl-C; this one must hear it wherever the tests run."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
