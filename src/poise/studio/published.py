"""What an engine publishes: frozen, so that any thread may read it while the engine goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.studio.moment import Moment
from poise.studio.reading import Reading
from poise.studio.scenario import Scenario
from poise.studio.track import Tracks
from poise.world.controller import Controller


@dataclass(frozen=True)
class Notice:
    """Something that people should read."""

    kind: Literal["positive", "warning", "negative"]
    text: str


@dataclass(frozen=True)
class Stage:
    """What is on stage: it changes only when another controller or character comes on."""

    scenario: Scenario
    scene: dict[str, Any]
    controller: Controller
    character: Character
    #: True if the same controller continues with another body: the camera stays where it is.
    continues: bool = False


@dataclass(frozen=True)
class Edited:
    """The last version of a script that came on stage: from when on it runs, and what else is to be said of it."""

    number: int
    began_s: float
    note: str = ""


@dataclass(frozen=True, eq=False)
class View:
    """All that a page shows, at one instant."""

    #: Counts up with everything that is published, with every other stage, and with every leap in time.
    number: int = 0
    stage_number: int = 0
    leap: int = 0
    preparing: str = ""
    running: bool = False
    speed: float = 1.0
    #: Simulated over wall time, as it was achieved.
    realtime_factor: float = 0.0
    moment: Moment | None = None
    behind_s: float = 0.0
    reach_s: float = 0.0
    #: Every declared parameter as it is set, and all of the controller's numbers; other objects when one changes.
    values: Mapping[str, float] = field(default_factory=dict)
    params: NDArray[np.float64] | None = None
    #: Whether it starts again by itself after a fall.
    gets_up: bool = False
    #: Of a script: how the last version reads, which one runs, and what it does around the present.
    reading: Reading | None = None
    edited: Edited | None = None
    tracks: Tracks | None = None
    #: See `History.trace`.
    trace: NDArray[np.float64] | None = None
