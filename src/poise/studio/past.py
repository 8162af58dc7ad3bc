"""Parts of a run that another run can take over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from poise.controllers.script.whereabouts import Stack
from poise.studio.moment import Moment
from poise.studio.steering import FloatArray


class Entry(NamedTuple):
    """The start of a script's phase: the tick of its first step, and the phases that run from then on."""

    tick: int
    stack: Stack


class Past(NamedTuple):
    """What a run that continues from a state takes over."""

    moments: Sequence[Moment]
    entries: Sequence[Entry]
    samples: Sequence[FloatArray]
