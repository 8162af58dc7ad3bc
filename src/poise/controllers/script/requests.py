"""Carries out a script's requests to the world between ticks: SAVE, LOAD, toggles, EF, and positions for `pass`.

No file is read or written here: the states for LOAD were read with the script, and those of SAVE stay in the world's
notebook, where LOAD looks first.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.controllers.script import layout as lay
from poise.errors import InputError
from poise.kernels.fixed import contract, dot
from poise.language.names import Body
from poise.language.states import BodyState, PartState, Servo, read_state, write_state
from poise.world.body_state import put_body, take_body
from poise.world.handling import feel_contacts, read_parts
from poise.world.notebook import Request
from poise.world.pilot import PlainState
from poise.world.world import World

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Order:
    """SAVE, LOAD, toggleVisible or toggleCollidable, and its argument."""

    word: str
    name: str

    def __str__(self) -> str:
        return f"{self.word}({self.name})" if self.word.startswith("toggle") else f"{self.word} {self.name}"


@dataclass(frozen=True)
class Plan:
    """All requests of a program, in the order of their numbers, and their data."""

    body: Body
    #: Segment of each external force, and its name in the script.
    forces: tuple[tuple[str, str], ...] = ()
    orders: tuple[Order, ...] = ()
    #: Entities of `pass`, in the order of the law's memory; "" if none has that name.
    entities: tuple[str, ...] = ()
    #: Texts of saved states by the names in the script.
    states: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not (self.forces or self.orders or any(self.entities))


class Requests:
    """The pilot of a script with requests."""

    name = "requests"
    events = ("request",)
    period_s = 0.0

    def __init__(self, plan: Plan, character: int) -> None:
        self._plan, self._character = plan, character
        #: The world's number of each force that acts now, and its text in the notebook.
        self._acting: list[tuple[int, str] | None] = [None] * len(plan.forces)

    def state(self) -> PlainState:
        return {"acting": tuple(self._acting)}

    def restore(self, state: PlainState) -> None:
        acting = [None if force is None else (int(force[0]), str(force[1])) for force in state["acting"]]
        if len(acting) != len(self._plan.forces):
            raise InputError("wrong number of forces", where="requests", got=len(acting))
        self._acting = acting

    def decide(self, world: World, causes: Collection[str] = ()) -> None:
        """Carry out what the law recorded in the last tick."""
        params, memory = world.params[self._character], world.memories[self._character]
        self._set_forces(world, params, memory)
        first = int(params[lay.H_M_ORDERS])
        for k, order in enumerate(self._plan.orders):
            if memory[first + k]:
                memory[first + k] = 0.0
                self._obey(world, order)
        first = int(params[lay.H_M_ENTITIES])
        for k, entity in enumerate(self._plan.entities):
            # If the controller was changed during the run, the world may lack the surroundings of this one.
            if entity in world.surroundings.entities:
                memory[first + k] = world.surroundings.x_m(entity)

    def _note(
        self, world: World, what: str, helps: bool = False, shift_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> None:
        dt = world.settings.timestep_s
        world.notebook.note(Request(world.time_s, world.time_s, self._character, what, helps, shift_m), 1.5 * dt)

    def _set_forces(self, world: World, params: Any, memory: Any) -> None:
        first = int(params[lay.H_M_FORCES])
        for k, (segment, part) in enumerate(self._plan.forces):
            row = memory[first + k * lay.FORCE_SIZE : first + (k + 1) * lay.FORCE_SIZE]
            before = self._acting[k]
            if before is not None:
                world.end_force(before[0])
                world.notebook.end(self._character, before[1], world.time_s)
                self._acting[k] = None
            if row[lay.R_STATE] == lay.ASKED:
                forward, up, out_of_page = (float(v) for v in row[lay.R_FORCE :])
                number = world.begin_force(segment, (forward, -out_of_page, up), self._character)
                what = f"EF {part}({forward:g}, {up:g}, {out_of_page:g})"
                self._acting[k] = (number, what)
                self._note(world, what, helps=True)

    def _obey(self, world: World, order: Order) -> None:
        if order.word.startswith("toggle"):
            if order.name in world.surroundings.entities:
                visible = order.word == "toggleVisible"
                world.surroundings.toggle(world.notebook, order.name, drawn=visible, collides=not visible)
                self._note(world, str(order))
            return
        if order.word == "SAVE":
            world.notebook.saved[order.name] = save_text(self._plan.body, world, self._character)
            self._note(world, str(order))
            return
        text = world.notebook.saved.get(order.name, self._plan.states.get(order.name))
        if text is None:
            self._note(world, f"{order}: there is no such file; the body is unchanged")
            return
        before = _find_com(world, self._character)
        load_state(self._plan.body, world, self._character, read_state(text, self._plan.body, order.name))
        x, y, z = (float(v) for v in _find_com(world, self._character) - before)
        # A state loaded at the beginning of a run is its start; later it moves the body from outside.
        self._note(world, str(order), helps=world.tick > 1, shift_m=(x, y, z))


def save_text(body: Body, world: World, character: int) -> str:
    """The current state of a character, as the text of a file."""
    motion, mass = read_parts(world, character), world.percepts[character].mass
    parts = [
        PartState(at[0], at[2], -math.atan2(turn[2], turn[8]), velocity[0], velocity[2], -rate[1])
        for at, turn, velocity, rate in zip(*(array.tolist() for array in motion), strict=True)
    ]
    share = mass / mass.sum()
    com = [dot(share, [getattr(p, name) for p in parts]) for name in ("x", "y", "vx", "vy")]
    return write_state(body, _read_body(world, character), parts, com, world.settings.timestep_s)


def _find_com(world: World, character: int) -> FloatArray:
    """The current centre of mass."""
    mass = world.percepts[character].mass
    return np.asarray(contract((mass / mass.sum())[None], read_parts(world, character).centre_w_m)[0])


def _read_body(world: World, character: int) -> BodyState:
    state, memory = take_body(world, character), world.memories[character]
    first = int(world.params[character][lay.H_M_SLOTS])
    slots = [memory[first + a * lay.SLOT_SIZE :] for a in range(len(state.joint_q))]
    servos = (Servo(bool(s[lay.B_ON]), float(s[lay.B_TARGET]), float(s[lay.B_KP]), float(s[lay.B_KD])) for s in slots)
    return BodyState(
        tuple(map(float, state.root_q)),
        tuple(map(float, state.root_v)),
        tuple(map(float, state.joint_q)),
        tuple(map(float, state.joint_v)),
        tuple(servos),
    )


def load_state(body: Body, world: World, character: int, state: BodyState) -> None:
    """Put a character into a state: bodies, servos and contacts. Feedback, limit and clocks are kept."""
    percept, params, memory = world.percepts[character], world.params[character], world.memories[character]
    put_body(world, state, character)
    first = int(params[lay.H_M_SLOTS])
    for axis, servo in enumerate(state.servos):
        slot = first + axis * lay.SLOT_SIZE
        memory[slot + lay.B_ON], memory[slot + lay.B_TARGET] = float(servo.on), servo.target
        memory[slot + lay.B_KP], memory[slot + lay.B_KD] = servo.kp, servo.kd
    feel_contacts(world, character)
    touch = int(params[lay.H_M_TOUCH])
    memory[touch : touch + len(percept.touch_load)] = 0.0
    rates = int(params[lay.H_M_RATES])
    memory[rates : rates + len(percept.joint_v)] = percept.joint_v
