"""The queue of references: a pilot that writes the next move while the law tracks the current one [Lee10 §3, Fig. 2].

The law has a few slots, each with room for one fragment. Whenever it enters another slot, the following move is made
and written into the next slot. If that move is a stop, one more step waits in the slot after it; the law takes that
step while the body is too fast to stop (`stop_reach_m`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from poise.characters.model import Character
from poise.controllers.tracker import layout
from poise.controllers.tracker.moves import Move
from poise.controllers.tracker.reference import RATE_HZ
from poise.controllers.tracker.spec import pack_frames, pack_header
from poise.errors import InputError
from poise.motion.fragments import Stance
from poise.motion.rotations import FloatArray
from poise.world.event_kinds import EventKind
from poise.world.pilot import PlainState
from poise.world.plain_data import read_number, read_whole
from poise.world.world import World

SLOTS: Final = 4
MAX_LENGTH: Final = 60
"""Frames of the longest move."""
_PARAMETER = EventKind.PARAMETER.label


class Entry(NamedTuple):
    """Contents of a slot: the heading at the end of its move, the move's stance, and a note of the chooser."""

    heading_rad: float
    stance: Stance
    note: Any = None


@dataclass(frozen=True)
class Choice:
    """A move for a slot, the heading at its start, its gains, and a note for the chooser itself."""

    move: Move
    heading_rad: float
    gains: FloatArray
    note: Any = None

    @property
    def entry(self) -> Entry:
        return Entry(self.heading_rad + self.move.turn_rad, self.move.stance, self.note)


class Chooser(Protocol):
    """Decides which moves are tracked; everything that it must remember is in the entries passed to it."""

    def begin(self, params: FloatArray) -> Choice:
        """The first move."""

    def choose_next(self, params: FloatArray, now: Entry, random: np.random.Generator) -> Sequence[Choice]:
        """The move that follows one; if it is a stop, also the step that may be taken instead."""

    def read_note(self, note: Any) -> Any:
        """A note of one of its choices, from plain data; raises an InputError if it is invalid."""


def frame_numbers(character: Character) -> int:
    """Size of a frame of the reference."""
    return layout.frame_row(len(character.segments))


def make_params(character: Character, gains: FloatArray, commands: Sequence[float]) -> FloatArray:
    """Params with empty slots; commands follow everything else, from `commands_at` on."""
    table = layout.HEADER
    sets = table + layout.FRAGMENT_ROW * SLOTS
    frames = sets + layout.SETTINGS * SLOTS
    size = frames + SLOTS * (MAX_LENGTH + 1) * frame_numbers(character)
    params = np.zeros(size + len(commands))
    params[: layout.HEADER] = pack_header(character, gains, SLOTS, table, frames)
    params[size:] = commands
    return params


def commands_at(character: Character) -> int:
    """Index of the first command in params."""
    rows = layout.FRAGMENT_ROW + layout.SETTINGS + (MAX_LENGTH + 1) * frame_numbers(character)
    return layout.HEADER + SLOTS * rows


def write_slot(params: FloatArray, character: Character, slot: int, choice: Choice, following: int, again: int) -> None:
    """Write a move into a slot."""
    move = choice.move
    if not 1 <= move.length <= MAX_LENGTH:
        raise InputError("a move has too many frames", where="tracker", got=move.length, allowed=f"1 to {MAX_LENGTH}")
    reference = move.turned(choice.heading_rad).on(character)
    ground = float(reference.places_w_m()[:, reference.feet(), 2].min())
    gains = int(params[layout.FRAGMENT_TABLE]) + layout.FRAGMENT_ROW * SLOTS + layout.SETTINGS * slot
    row = int(params[layout.FRAGMENT_TABLE]) + layout.FRAGMENT_ROW * slot
    first = slot * (MAX_LENGTH + 1)
    stance = layout.STANCES.index(move.stance)
    params[row : row + layout.LEAN] = [first, move.length, stance, following, ground, gains, again]
    params[gains : gains + layout.SETTINGS] = choice.gains
    numbers = pack_frames(reference)
    start = int(params[layout.FRAME_TABLE]) + first * frame_numbers(character)
    params[start : start + len(numbers)] = numbers


class Engine:
    """The pilot of a tracker whose moves are made during the run."""

    name = "engine"
    period_s = 0.0

    def __init__(self, chooser: Chooser, character: int = 0, seed: int = 0, *, takes_commands: bool = False) -> None:
        self.events: Sequence[str] = ("phase", _PARAMETER) if takes_commands else ("phase",)
        self.character = character
        self._chooser = chooser
        self._random = np.random.default_rng(seed)
        self._entries: dict[int, Entry] = {}
        self._done = -1
        #: The commands by which the waiting moves were chosen.
        self._heard: tuple[float, ...] = ()

    def decide(self, world: World, causes: Collection[str] = ()) -> None:
        """Write the next moves when the law enters a slot, and again when a command changes in between."""
        memory, params = world.memories[self.character], world.params[self.character]
        body = world.characters[self.character]
        if not self._entries:
            choice = self._chooser.begin(params)
            write_slot(params, body, 0, choice, 1, -1)
            self._entries[0] = choice.entry
        heard = tuple(params[commands_at(body) :]) if _PARAMETER in self.events else ()
        if int(memory[layout.DONE]) == self._done and heard == self._heard:
            return  # another character's event
        self._done, self._heard = int(memory[layout.DONE]), heard
        slot = int(memory[layout.FRAGMENT])
        if slot not in self._entries:
            raise InputError("the tracked move is unknown", where="tracker", got=slot)
        choices = self._chooser.choose_next(params, self._entries[slot], self._random)
        self._entries = {slot: self._entries[slot]}
        row = int(params[layout.FRAGMENT_TABLE]) + layout.FRAGMENT_ROW * slot
        params[row + layout.AGAIN] = (slot + 2) % SLOTS if len(choices) > 1 else -1
        for k, choice in enumerate(choices):
            target = (slot + 1 + k) % SLOTS
            write_slot(params, body, target, choice, (target + 1) % SLOTS, -1)
            self._entries[target] = choice.entry

    def state(self) -> PlainState:
        return {
            "entries": dict(self._entries),
            "done": self._done,
            "random": self._random.bit_generator.state,
            "heard": self._heard,
        }

    def restore(self, state: PlainState) -> None:
        entries = {int(slot): self._read_entry(entry) for slot, entry in state["entries"].items()}
        random = np.random.default_rng()
        random.bit_generator.state = state["random"]
        self._entries, self._done, self._random = entries, read_whole(state["done"], -1, 10**12), random
        self._heard = tuple(read_number(command) for command in state["heard"])

    def _read_entry(self, entry: Sequence[Any]) -> Entry:
        heading_rad, stance, note = entry
        if stance not in layout.STANCES:
            raise InputError("a slot holds an unknown stance", where="tracker", got=stance)
        return Entry(read_number(heading_rad), stance, self._chooser.read_note(note))


def seconds_of(move: Move) -> float:
    """Duration of a move."""
    return move.length / RATE_HZ
