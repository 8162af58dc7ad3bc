"""Compiles a program to tables: every script that can run, with joints and parts as indices of a character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.controllers.script import layout as lay
from poise.controllers.script.assemble_actions import ActionRows, RequestList
from poise.controllers.script.guests import Guest
from poise.controllers.script.journal import Journal, Move
from poise.controllers.script.whereabouts import Place
from poise.language import tree
from poise.language.load import Program
from poise.language.names import TRUNK, Body
from poise.language.spell import spell_condition
from poise.language.tree import Value
from poise.world.environment import Entity

FloatArray = NDArray[np.float64]
Row = list[float]


@dataclass(frozen=True)
class Tables:
    """The program and an empty memory; `inputs` maps the names of settable values to their indices."""

    params: FloatArray
    memory: FloatArray
    inputs: dict[str, int]
    requests: RequestList = field(default_factory=RequestList)
    #: Entities that `pass` tests, in the order of the memory.
    entities: tuple[str, ...] = ()
    #: Guests in the order of their rows.
    seats: tuple[Guest, ...] = ()
    journal: Journal = field(default_factory=lambda: Journal((), ()))


@dataclass
class PhaseValues:
    """The values of one phase, one for each use; those inside a linterp precede it."""

    names: Sequence[str]
    rows: list[Row] = field(default_factory=list)

    def add(self, value: Value | float) -> int:
        """Add a value and return its number within the phase."""
        if isinstance(value, tree.Linterp):
            inside = [float(self.add(v)) for v in value.values]
            self.rows.append([lay.V_LINTERP, *inside])
        elif isinstance(value, tree.Variable):
            self.rows.append([lay.V_INPUT, self.names.index(value.name), 0, 0, 0, 0])
        else:
            number = value.value if isinstance(value, tree.Number) else float(value)
            self.rows.append([lay.V_LITERAL, number, 0, 0, 0, 0])
        return len(self.rows) - 1


def _describe_move(place: Place, transition: tree.Transition) -> Move:
    condition = transition.condition
    varies = any(not isinstance(value, tree.Number) for value in condition.values)
    return Move(place, transition.to, spell_condition(condition), varies)


class Assembler:
    """Fills the tables script by script."""

    def __init__(self, program: Program, body: Body, guests: Mapping[str, Guest] | None = None) -> None:
        self.program, self.body, self.guests = program, body, guests or {}
        self.reached = program.find_reached()
        self.names = list(self.reached)
        self._depths: dict[str, int] = {}
        self.rows: dict[str, list[Row]] = {
            k: [] for k in ("scripts", "phases", "actions", "transitions", "calls", "values", "links", "guests")
        }
        self.requests, self.entities = RequestList(), list[str]()
        #: The guest of each row of guests; the rows are completed once everything else has its place.
        self.seats: list[Guest] = []
        self.arguments: list[float] = []
        self.keys: list[str] = []
        self.moves: list[Move] = []
        self.states = 0
        self.most_values = 1

    def assemble(self) -> Tables:
        for name in self.names:
            self._add_script(name, self.program.scripts[name])
        return self._pack()

    def take_states(self, count: int) -> int:
        """Reserve `count` numbers that outlive a tick and return their place."""
        self.states += count
        return self.states - count

    def _add_script(self, name: str, script: tree.Script) -> None:
        limit = script.torque_limit_nm
        row = [len(self.rows["phases"]), len(script.phases), -1.0 if limit is None else limit]
        self.rows["scripts"].append([float(v) for v in row])
        actions = ActionRows(self.body, self.take_states, self.rows["links"], self.requests)
        for k, written in enumerate(script.phases):
            # A phase that is never reached may contain errors; it keeps its position.
            phase = written if k in self.reached[name] else tree.Phase(written.label, ())
            self._add_phase(script, phase, actions)
            place = Place(name, k)
            self.moves += [_describe_move(place, transition) for transition in phase.transitions]

    def _add_phase(self, script: tree.Script, phase: tree.Phase, actions: ActionRows) -> None:
        values = PhaseValues([p.text for p in script.parameters])
        first_action, first_transition = len(self.rows["actions"]), len(self.rows["transitions"])
        for action in phase.actions:
            self.rows["actions"] += actions.make(action, values)
        for transition in phase.transitions:
            self.rows["transitions"].append(self._make_transition(transition, values))
        call = guest = -1
        if phase.calls and phase.calls[-1].script.text in self.guests:
            guest = self._add_guest(phase.calls[-1], values)
        elif phase.calls:
            call = self._add_call(phase.calls[-1], values)
        row = [
            *(first_action, len(self.rows["actions"]) - first_action),
            *(first_transition, len(phase.transitions)),
            *(call, len(self.rows["values"]), len(values.rows), guest),
        ]
        self.rows["phases"].append([float(v) for v in row])
        self.rows["values"] += values.rows
        self.most_values = max(self.most_values, len(values.rows))

    def _make_transition(self, transition: tree.Transition, values: PhaseValues) -> Row:
        condition = transition.condition
        kind, part = lay.CONDITION_CODES[condition.kind], -1
        if kind in (lay.K_CONTACT, lay.K_NOCONTACT) and condition.name:
            part = self.body.parts[condition.name.text]
        elif kind in (lay.K_PRESS, lay.K_RELEASE) and condition.name:
            key = condition.name.text.upper()
            if key not in self.keys:
                self.keys.append(key)
            part = self.keys.index(key)
        elif kind == lay.K_PASS and condition.name:
            if condition.name.text not in self.entities:
                self.entities.append(condition.name.text)
            part = self.entities.index(condition.name.text) if self._entity(condition.name.text) else -1
        places = [values.add(v) for v in condition.values]
        first, second = (*places, -1, -1)[:2]
        row = [kind, transition.to, part, lay.SIGN_CODES[condition.sign], first, second, self.take_states(1)]
        return [float(v) for v in row]

    def _add_call(self, call: tree.Call, values: PhaseValues) -> int:
        places = [float(values.add(v)) for v in call.arguments]
        row = [self.names.index(call.script.text), call.at_phase or 0, len(self.arguments), len(places)]
        self.rows["calls"].append([float(v) for v in row])
        self.arguments += places
        return len(self.rows["calls"]) - 1

    def _entity(self, name: str) -> Entity | None:
        environment = self.program.environment
        return None if environment is None else environment.entities.get(name)

    def _moves(self, name: str) -> bool:
        entity, environment = self._entity(name), self.program.environment
        return (
            entity is not None
            and environment is not None
            and any(p.free for p in environment.props if p.name in entity.props)
        )

    def _add_guest(self, call: tree.Call, values: PhaseValues) -> int:
        guest = self.guests[call.script.text]
        pairs = [(guest.places[a.name.text], values.add(a.value)) for a in call.named]
        row = [guest.law, *[0.0] * 6, len(self.arguments), len(pairs)]
        self.rows["guests"].append([float(v) for v in row])
        self.arguments += [float(v) for pair in pairs for v in pair]
        self.seats.append(guest)
        return len(self.seats) - 1

    def _depth(self, name: str) -> int:
        """Scripts on the stack when the deepest callee runs."""
        if name not in self._depths:
            phases = self.program.scripts[name].phases
            calls = {c.script.text for k in self.reached[name] for c in phases[k].calls if c.script.text in self.names}
            self._depths[name] = 1 + max(map(self._depth, calls), default=0)
        return self._depths[name]

    def _pack(self) -> Tables:
        main = self.program.script
        frame = max((len(self.program.scripts[n].parameters) for n in self.names), default=0)
        header = [0.0] * lay.HEADER_SIZE
        body: list[float] = []

        def place(index: int, numbers: Sequence[float]) -> None:
            header[index] = lay.HEADER_SIZE + len(body)
            body.extend(numbers)

        places = (
            *((lay.H_SCRIPTS, "scripts"), (lay.H_PHASES, "phases"), (lay.H_ACTIONS, "actions")),
            *((lay.H_TRANSITIONS, "transitions"), (lay.H_CALLS, "calls"), (lay.H_VALUES, "values")),
            (lay.H_LINKS, "links"),
        )
        for index, table in places:
            place(index, [v for row in self.rows[table] for v in row])
        place(lay.H_ARGUMENTS, self.arguments)
        place(lay.H_SIGNS, [self.body.sign(a) for a in range(len(self.body.character.axes))])
        defaults = {s.name: s.value.value for s in reversed(main.settings)}
        place(lay.H_INPUTS, [*(defaults.get(p.text, 0.0) for p in main.parameters), *(0.0 for _ in self.keys)])
        inputs = [p.text for p in main.parameters] + [f"key_{k}" for k in self.keys]
        header[lay.H_INPUT_COUNT] = len(main.parameters)
        header[lay.H_TRUNK] = self.body.parts[TRUNK]
        header[lay.H_LEFT_FOOT], header[lay.H_RIGHT_FOOT] = self.body.parts["lFoot"], self.body.parts["rFoot"]
        header[lay.H_FRAME], header[lay.H_LIMIT] = lay.F_ARGUMENTS + frame, lay.START_LIMIT_NM
        header[lay.H_FORCE_COUNT], header[lay.H_ORDER_COUNT] = len(self.requests.forces), len(self.requests.orders)
        header[lay.H_SPACE] = float(self.body.in_space)
        header[lay.H_WATCH] = float(any(self._moves(name) for name in self.entities))
        size = self._place_memory(header)
        for row, guest in zip(self.rows["guests"], self.seats, strict=True):
            row[lay.G_PARAM_COUNT], row[lay.G_MEMORY_COUNT] = len(guest.params), len(guest.memory)
            row[lay.G_PARAMS] = lay.HEADER_SIZE + len(body)
            row[lay.G_MEMORY] = row[lay.G_PARAMS] + len(guest.params)
            row[lay.G_M_PARAMS], row[lay.G_M_MEMORY] = size, size + len(guest.params)
            size += len(guest.params) + len(guest.memory)
            body.extend([*map(float, guest.params), *map(float, guest.memory)])
        place(lay.H_GUESTS, [v for row in self.rows["guests"] for v in row])
        first = int(header[lay.H_INPUTS])
        named = {name: first + k for k, name in enumerate(inputs)}
        memory = np.zeros(size)
        self._hold_axes(memory, int(header[lay.H_M_SLOTS]))
        params = np.array([*header, *body])
        journal = Journal(tuple(self.names), tuple(self.moves))
        return Tables(params, memory, named, self.requests, tuple(self.entities), tuple(self.seats), journal)

    def _hold_axes(self, memory: FloatArray, slots: int) -> None:
        """Switch on the servos of axes that sagittal scripts cannot name, at zero, with the body's own gains."""
        for k, axis in enumerate(self.body.character.axes):
            if self.body.is_held(k):
                slot = slots + k * lay.SLOT_SIZE
                memory[slot + lay.B_ON] = 1.0
                memory[slot + lay.B_KP], memory[slot + lay.B_KD] = axis.kp_nm_per_rad, axis.kd_nms_per_rad

    def _place_memory(self, header: list[float]) -> int:
        size = lay.MEMORY_HEADER
        axes, segments = len(self.body.character.axes), len(self.body.character.segments)
        wanted = (
            (lay.H_M_STACK, self._depth(self.program.main) * int(header[lay.H_FRAME])),
            (lay.H_M_SLOTS, axes * lay.SLOT_SIZE),
            (lay.H_M_STATES, self.states),
            (lay.H_M_VALUES, self.most_values),
            (lay.H_M_TOUCH, segments),
            (lay.H_M_RATES, axes),
            (lay.H_M_FORCES, lay.FORCE_SIZE * len(self.requests.forces)),
            (lay.H_M_ORDERS, len(self.requests.orders)),
            (lay.H_M_ENTITIES, len(self.entities)),
            (lay.H_M_JOURNAL, 1 + lay.JOURNAL_ROWS * lay.JOURNAL_SIZE),
        )
        for index, count in wanted:
            header[index] = size
            size += count
        return size
