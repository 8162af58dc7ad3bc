"""The subject of the checks: a controller on its character, and its law's answer in a given state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.constants import DEFAULT_TIMESTEP_S
from poise.rollout.scene import Scene
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.disturbances import Push
from poise.world.handling import refresh_percepts
from poise.world.snapshots import Snapshot, pack_pilots
from poise.world.world import World

FloatArray = NDArray[np.float64]

#: A push in the middle of a run, so that the checks cover more than standing still.
_PUSH = Push(force_n=60.0, direction_deg=30.0, start_s=0.2, duration_s=0.1)


@dataclass(frozen=True)
class CheckResult:
    """Result of one check. A check that does not apply is `skipped` and counts as passed."""

    name: str
    passed: bool
    skipped: bool = False
    detail: str = ""


class Answer(NamedTuple):
    """The output of a law in one state."""

    torque: FloatArray
    damping: FloatArray
    memory: FloatArray


@dataclass(frozen=True)
class Subject:
    """A controller on its character; every check opens its own worlds."""

    character: Character
    controller: Controller
    #: Overrides the ground for which the controller is made.
    ground: str | None = None

    def open(
        self, *, timestep_s: float | None = None, pushed: bool = False, seed: int = 0, piloted: bool = True
    ) -> World:
        """A fresh world on flat ground at time zero."""
        settings = PhysicsSettings(timestep_s=timestep_s or DEFAULT_TIMESTEP_S, ground=self.ground)
        return Scene(
            self.controller,
            self.character,
            physics=settings,
            pushes=(_PUSH,) if pushed else (),
            seed=seed,
            piloted=piloted,
        ).open()


def look(world: World) -> None:
    """Updates the percept to the world's current state, as the loop does before it calls the law."""
    world.percepts[0].time_s[0] = world.time_s
    refresh_percepts(world)


def ask(world: World) -> Answer:
    """The law's output for the current state; memory and random state are left unchanged."""
    look(world)
    percept, memory = world.percepts[0], world.memories[0].copy()
    axes = len(percept.joint_q)
    torque, damping = np.zeros(axes), np.zeros(axes)
    before = percept.random_state.copy()
    world.controllers[0].law(percept, world.params[0], memory, torque, damping)
    percept.random_state[:] = before
    return Answer(torque, damping, memory)


def named_arrays(world: World) -> Iterator[tuple[str, np.ndarray]]:
    """Everything that a law sees and may not change, by name; it may advance the random state."""
    percept = world.percepts[0]
    for where, table in (("percept", percept), ("percept.ground", percept.ground), ("percept.props", percept.props)):
        for name, array in table._asdict().items():
            # Plain numbers cannot be written to.
            if name != "random_state" and isinstance(array, np.ndarray):
                yield f"{where}.{name}", array
    yield "params", world.params[0]


def find_difference(a: Snapshot, b: Snapshot) -> str:
    """The first part in which two snapshots differ in any bit; empty if they are the same."""
    parts: list[tuple[str, Any, Any]] = [("the physics", a.physics, b.physics)]
    parts += [("a controller's memory", x, y) for x, y in zip(a.memories, b.memories, strict=True)]
    parts += [("a controller's parameters", x, y) for x, y in zip(a.params, b.params, strict=True)]
    parts += [(f"the ledger ({name})", a.ledger[name], b.ledger[name]) for name in a.ledger]
    for name, x, y in parts:
        if np.ascontiguousarray(x).tobytes() != np.ascontiguousarray(y).tobytes():
            return name
    if pack_pilots(a) != pack_pilots(b):
        return "a pilot's state"
    return ""
