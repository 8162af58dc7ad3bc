"""Casts: all the controllers that a character may use, loaded into its world together, and which one is active.

A world keeps the members of all casts in one list. Each has its own parameters, memory and drive. The active member of
each character is an index in the ledger: switching is part of the state and never recompiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.errors import InputError, out_of_range, unknown_name
from poise.kernels.percept import Percept
from poise.world.controller import Controller
from poise.world.hybrid import find_kind
from poise.world.linking import limp, link
from poise.world.stage import Drive
from poise.world.views import make_drive

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cast:
    """Named controllers for one character. It starts with the first, unless `start` names another."""

    controllers: Mapping[str, Controller]
    start: str = ""

    def __post_init__(self) -> None:
        if not self.controllers:
            raise InputError("a cast needs at least one controller", where="cast")
        if self.start and self.start not in self.controllers:
            raise unknown_name("cast", "controller", self.start, list(self.controllers))

    def __repr__(self) -> str:
        return f"<Cast of {', '.join(self.names)}, starts with {self.names[self.first]}>"

    @classmethod
    def of(cls, *controllers: Controller) -> Cast:
        """A cast whose members are named after their controllers."""
        names = [c.name for c in controllers]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(f"two controllers are named {', '.join(map(repr, twice))}", where="cast")
        return cls(dict(zip(names, controllers, strict=True)))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.controllers)

    @property
    def first(self) -> int:
        """Index of the member that is active at time zero."""
        return self.names.index(self.start) if self.start else 0

    def index(self, member: str | int) -> int:
        """Index of a member, by its name or index."""
        if isinstance(member, str):
            if member not in self.controllers:
                raise unknown_name("cast", "controller", member, list(self.controllers))
            return self.names.index(member)
        if not 0 <= member < len(self.controllers):
            raise out_of_range("cast", "member", member, 0, len(self.controllers) - 1)
        return int(member)


def make_cast(given: Cast | Controller | None) -> Cast:
    """The cast for one entry of a world's controllers; a character without a controller is limp."""
    if isinstance(given, Cast):
        return given
    controller = given or Controller("limp", limp, np.zeros(1), np.zeros(1))
    return Cast({controller.name: controller})


class Member(NamedTuple):
    """One member of a cast, as a snapshot names it: the snapshot fits only a world with the same members."""

    character: int
    name: str
    #: How often its controller has been replaced.
    revision: int = 0


class Members:
    """The members of all casts of a world, one character after another."""

    def __init__(self, casts: Sequence[Cast], characters: Sequence[Character]) -> None:
        self.casts, self._characters = tuple(casts), tuple(characters)
        #: Where each character's members begin.
        self.first = np.cumsum([0, *(len(c.controllers) for c in casts)])[:-1].astype(np.int64)
        self.controllers = [c for cast in casts for c in cast.controllers.values()]
        self.keys = [Member(k, name) for k, cast in enumerate(casts) for name in cast.names]
        self.params = [np.array(c.params, dtype=float) for c in self.controllers]
        self.memories = [np.array(c.memory, dtype=float) for c in self.controllers]
        self._drives = [self._make_drive(k) for k in range(len(self.controllers))]
        self._lists: tuple[Any, ...] | None = None
        #: Copies of the arrays of inactive members. They do not change, casts can be large, and snapshots are frequent.
        self._copies: list[tuple[FloatArray, FloatArray] | None] = [None] * len(self.controllers)

    def _make_drive(self, k: int) -> Drive:
        controller, drive = self.controllers[k], make_drive(self._characters[self.keys[k].character])
        if controller.limits_itself:
            drive.limit[:] = np.inf
        drive.kind[0] = find_kind(controller)
        return drive

    def __len__(self) -> int:
        return len(self.controllers)

    def __iter__(self) -> Iterator[tuple[Member, Controller]]:
        return zip(self.keys, self.controllers, strict=True)

    def find(self, member: str | int, character: int) -> int:
        """Index of a member in the list of all members."""
        if not 0 <= character < len(self.casts):
            raise out_of_range("world", "character", character, 0, len(self.casts) - 1)
        return int(self.first[character]) + self.casts[character].index(member)

    def refresh(self, k: int) -> None:
        """Resets a member's memory to that of its controller."""
        self.memories[k][:] = self.controllers[k].memory
        self._copies[k] = None

    def reset(self) -> None:
        """Resets parameters and memories of all members to those of their controllers."""
        for k, controller in enumerate(self.controllers):
            self.params[k][:] = controller.params
            self.refresh(k)

    def replace(self, k: int, controller: Controller) -> None:
        """Replaces a member's controller."""
        self.controllers[k], self._copies[k] = controller, None
        character, name = self.keys[k].character, self.keys[k].name
        casts, cast = list(self.casts), self.casts[character]
        casts[character] = Cast({**cast.controllers, name: controller}, cast.start)
        self.casts = tuple(casts)
        self.keys[k] = self.keys[k]._replace(revision=self.keys[k].revision + 1)
        self.params[k] = np.array(controller.params, dtype=float)
        self.memories[k] = np.array(controller.memory, dtype=float)
        self._drives[k] = self._make_drive(k)
        self._lists = None

    def copy_arrays(self, active: Sequence[int]) -> tuple[tuple[FloatArray, ...], tuple[FloatArray, ...]]:
        """Copies of all parameters and memories; those of inactive members are shared between calls."""
        rows = []
        for k, (params, memory) in enumerate(zip(self.params, self.memories, strict=True)):
            row = self._copies[k]
            if row is None:
                row = params.copy(), memory.copy()
            self._copies[k] = None if k in active else row
            rows.append(row)
        return tuple(params for params, _ in rows), tuple(memory for _, memory in rows)

    def restore_arrays(self, params: Sequence[FloatArray], memories: Sequence[FloatArray]) -> None:
        """Restores all parameters and memories from a snapshot."""
        for k in range(len(self)):
            self.params[k][:], self.memories[k][:] = params[k], memories[k]
            self._copies[k] = None

    def link(self, percepts: Sequence[Percept]) -> tuple[Any, ...]:
        """The last arguments of `run_ticks`, with all laws compiled."""
        if self._lists is None:
            laws = [c.law for c in self.controllers]
            self._lists = link(percepts, self._drives, laws, self.params, self.memories)
        return self._lists
