"""What an engine publishes: frozen objects that any thread may read while the engine runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.kernels.progress import Progress
from poise.studio.moment import Moment
from poise.studio.reading import Reading
from poise.studio.scenario import Scenario
from poise.studio.track import Tracks
from poise.world.controller import Controller


@dataclass(frozen=True)
class Notice:
    """A message to the user."""

    kind: Literal["positive", "warning", "negative"]
    text: str


@dataclass(frozen=True)
class Stage:
    """The scenario on stage; changes only with the controller or the character."""

    scenario: Scenario
    scene: dict[str, Any]
    controller: Controller
    character: Character
    #: True if the same controller continues with another body: the camera stays where it is.
    continues: bool = False


@dataclass(frozen=True)
class Edited:
    """The last version of a script on stage: the time at which it started to run, and a note for the user."""

    number: int
    began_s: float
    note: str = ""


@dataclass(frozen=True, eq=False)
class View:
    """Everything a page shows at one instant."""

    #: Counters of publications, of stages, and of jumps in time.
    number: int = 0
    stage_number: int = 0
    leap: int = 0
    preparing: str = ""
    #: How much of what the world needs is compiled, while something is prepared.
    progress: Progress | None = None
    running: bool = False
    speed: float = 1.0
    #: Achieved simulated time / wall time.
    realtime_factor: float = 0.0
    moment: Moment | None = None
    behind_s: float = 0.0
    reach_s: float = 0.0
    #: Current values of the declared parameters, and all of the controller's numbers; new objects on every change.
    values: Mapping[str, float] = field(default_factory=dict)
    params: NDArray[np.float64] | None = None
    #: Restart automatically shortly after a fall.
    gets_up: bool = False
    #: For a script: the result of reading the last version, the version that runs, and its motion around the present.
    reading: Reading | None = None
    edited: Edited | None = None
    tracks: Tracks | None = None
    #: See `compute_samples`.
    trace: NDArray[np.float64] | None = None
