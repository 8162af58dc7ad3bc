"""Transfers the memory of a running script to the tables of an edited version, which then continues.

Phases are matched by script and position, actions and transitions within them by their order. Servos, contacts and
clocks are kept. What a phase counts or remembers is kept if the same kind of item is in the same place, and is reset
otherwise. Arguments are those of the new version's calls.
"""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.controllers.script import layout as lay
from poise.controllers.script.whereabouts import Stack, read_stack
from poise.language.load import Program
from poise.language.tree import Linterp, Number, Value

FloatArray = NDArray[np.float64]

#: How many numbers each kind of action remembers; IK has one, and one more for every joint.
_STATE_SIZES = {lay.LIPOSE: 3, lay.LIMATCH: 4, lay.HOLD: 2, lay.TOGGLE: 1}


@dataclass(frozen=True, eq=False)
class Running:
    """A program and the tables compiled from it, with the current parameters."""

    program: Program
    params: FloatArray
    memory: FloatArray

    @property
    def names(self) -> list[str]:
        return self.program.called()

    def is_same_as(self, other: Running) -> bool:
        """Whether both are the same, except for blanks and comments."""
        mine, theirs = self.program, other.program
        return (
            mine.scripts == theirs.scripts
            and self.shares_surroundings_with(other)
            and mine.states == theirs.states
            and mine.guests.keys() == theirs.guests.keys()
            and self.memory.shape == other.memory.shape
        )

    def shares_surroundings_with(self, other: Running) -> bool:
        """Whether both have the same surroundings."""
        # Height fields hold arrays, for which == gives no single answer.
        return pickle.dumps(self.program.environment) == pickle.dumps(other.program.environment)


def carry_memory(old: Running, new: Running, memory: FloatArray) -> FloatArray | None:
    """The memory of the old version in the new one's layout; None if the new one lacks a phase on the stack."""
    if old.is_same_as(new):
        return memory.copy()
    stack = read_stack(old.names, old.params, memory)
    if not _fits(new.program, stack) or (memory[lay.M_GUEST] > 0.0 and memory[lay.M_TICKS] > 0.0):
        # Only a guest's own law understands its memory.
        return None
    carried = new.memory.copy()
    carried[: lay.MEMORY_HEADER] = memory[: lay.MEMORY_HEADER]
    carried[lay.M_GUEST] = 0.0
    carried[lay.M_LIMIT] = _find_limit(old.program, new.program, stack, float(memory[lay.M_LIMIT]))
    for block, size in ((lay.H_M_SLOTS, _axes(new) * lay.SLOT_SIZE), (lay.H_M_RATES, _axes(new)), _touch_block(new)):
        at, to = int(old.params[block]), int(new.params[block])
        carried[to : to + size] = memory[at : at + size]
    _carry_stack(old, new, memory, carried, stack)
    for at, to, size in _pair_states(old, new):
        carried[to : to + size] = memory[at : at + size]
    return carried


def enter_phase(running: Running, before: FloatArray, after: FloatArray, level: int) -> FloatArray:
    """The memory at the start of a phase, combined from those before and after the tick in which it began.

    `level` counts scripts on the stack from the main one, 0. The tick can then be repeated, by this program or another:
    the phase runs all of it again, without the transitions that led to it.
    """
    memory, params = before.copy(), running.params
    stack, states, values = (int(params[h]) for h in (lay.H_M_STACK, lay.H_M_STATES, lay.H_M_VALUES))
    memory[stack : int(params[lay.H_M_SLOTS])] = after[stack : int(params[lay.H_M_SLOTS])]
    memory[states:values] = after[states:values]
    memory[lay.M_DEPTH], memory[lay.M_LIMIT] = level + 1.0, after[lay.M_LIMIT]
    memory[lay.M_TICKS] = memory[lay.M_STEPPED] = 0.0
    acting = _find_phase(running, after)
    for kind, state, size in _list_states(params, acting):
        # State that outlives a phase keeps its value from before the tick.
        at = states + state
        memory[at : at + size] = before[at : at + size] if kind in (-lay.K_PASS, lay.IK) else 0.0
    return memory


def _axes(running: Running) -> int:
    return (int(running.params[lay.H_M_STATES]) - int(running.params[lay.H_M_SLOTS])) // lay.SLOT_SIZE


def _touch_block(running: Running) -> tuple[int, int]:
    return lay.H_M_TOUCH, int(running.params[lay.H_M_RATES]) - int(running.params[lay.H_M_TOUCH])


def _fits(program: Program, stack: Stack) -> bool:
    """Whether the program can reach every phase on the stack, and each calls the script above it."""
    reached = program.find_reached()
    for k, place in enumerate(stack):
        if place.phase not in reached.get(place.script, ()):
            return False
        script = program.scripts[place.script]
        above = stack[k + 1].script if k + 1 < len(stack) else None
        calls = script.phases[place.phase].calls
        if above is not None and (not calls or calls[-1].script.text != above):
            return False
    return not stack or stack[0].script == program.main


def _find_limit(old: Program, new: Program, stack: Stack, limit_nm: float) -> float:
    """The torque limit: unchanged, unless one of the scripts now sets another."""
    limits = {p.script: (old.scripts[p.script].torque_limit_nm, new.scripts[p.script].torque_limit_nm) for p in stack}
    if all(before == now for before, now in limits.values()):
        return limit_nm
    set_now = [limit for limit in (limits[p.script][1] for p in stack) if limit is not None]
    return set_now[-1] if set_now else lay.START_LIMIT_NM


def _carry_stack(old: Running, new: Running, memory: FloatArray, carried: FloatArray, stack: Stack) -> None:
    """Write the stack: scripts by their new numbers, with the arguments of the new calls."""
    numbers = {name: k for k, name in enumerate(new.names)}
    scopes_old, scopes_new = _list_arguments(old, stack), _list_arguments(new, stack)
    for k, place in enumerate(stack):
        at = int(old.params[lay.H_M_STACK]) + k * int(old.params[lay.H_FRAME])
        to = int(new.params[lay.H_M_STACK]) + k * int(new.params[lay.H_FRAME])
        carried[to + lay.F_SCRIPT], carried[to + lay.F_PHASE] = numbers[place.script], place.phase
        names_old = list(scopes_old[k])
        for j, (name, value) in enumerate(scopes_new[k].items()):
            # A value that the edit does not touch keeps what the script was called with.
            same = scopes_old[k].get(name) == value
            source = memory[at + lay.F_ARGUMENTS + names_old.index(name)] if same else value
            carried[to + lay.F_ARGUMENTS + j] = source


def _list_arguments(running: Running, stack: Stack) -> list[dict[str, float]]:
    """The parameters of every script on the stack, as they would be passed now."""
    program, inputs = running.program, int(running.params[lay.H_INPUTS])
    main = program.script.parameters
    scopes = [{p.text: float(running.params[inputs + k]) for k, p in enumerate(main)}]
    for caller, place in itertools.pairwise(stack):
        call = program.scripts[caller.script].phases[caller.phase].calls[-1]
        names = [p.text for p in program.scripts[place.script].parameters]
        values = [_evaluate(v, scopes[-1]) for v in call.arguments]
        scopes.append(dict(zip(names, values, strict=False)))
    return scopes


def _evaluate(value: Value, scope: dict[str, float]) -> float:
    if isinstance(value, Number):
        return value.value
    if isinstance(value, Linterp):
        g, g0, g1, v0, v1 = (_evaluate(v, scope) for v in value.values)
        return v0 + (v1 - v0) * (g - g0) / (g1 - g0) if g1 != g0 else v0
    return scope.get(value.name, 0.0)


def _find_phase(running: Running, memory: FloatArray) -> int:
    """The row of the phase on top of the stack."""
    params = running.params
    frame = int(params[lay.H_M_STACK]) + (int(memory[lay.M_DEPTH]) - 1) * int(params[lay.H_FRAME])
    script = int(params[lay.H_SCRIPTS]) + int(memory[frame + lay.F_SCRIPT]) * lay.SCRIPT_SIZE
    return int(params[script + lay.S_FIRST]) + int(memory[frame + lay.F_PHASE])


def _list_states(params: FloatArray, phase: int) -> Iterator[tuple[int, int, int]]:
    """Kind (negative for transitions), place and size of everything that a phase remembers."""
    head = int(params[lay.H_PHASES]) + phase * lay.PHASE_SIZE
    first = int(params[lay.H_ACTIONS]) + int(params[head + lay.P_ACTIONS]) * lay.ACTION_SIZE
    for k in range(int(params[head + lay.P_ACTION_COUNT])):
        row = params[first + k * lay.ACTION_SIZE :]
        op = int(row[lay.A_OP])
        size = 1 + int(row[lay.A_LINK_COUNT]) if op == lay.IK else _STATE_SIZES.get(op, 0)
        if size:
            yield op, int(row[lay.A_STATE]), size
    first = int(params[lay.H_TRANSITIONS]) + int(params[head + lay.P_TRANSITIONS]) * lay.TRANSITION_SIZE
    for k in range(int(params[head + lay.P_TRANSITION_COUNT])):
        row = params[first + k * lay.TRANSITION_SIZE :]
        yield -int(row[lay.T_KIND]), int(row[lay.T_STATE]), 1


def _pair_states(old: Running, new: Running) -> Iterator[tuple[int, int, int]]:
    """Place in the old memory, place in the new memory and size of everything that both versions remember."""
    base_old, base_new = int(old.params[lay.H_M_STATES]), int(new.params[lay.H_M_STATES])
    numbers = {name: k for k, name in enumerate(new.names)}
    for k, name in enumerate(old.names):
        if name not in numbers:
            continue
        one, other = (
            running.params[int(running.params[lay.H_SCRIPTS]) + number * lay.SCRIPT_SIZE :]
            for running, number in ((old, k), (new, numbers[name]))
        )
        for phase in range(int(min(one[lay.S_COUNT], other[lay.S_COUNT]))):
            before = _split_states(old.params, int(one[lay.S_FIRST]) + phase)
            now = _split_states(new.params, int(other[lay.S_FIRST]) + phase)
            for mine, theirs in zip(before, now, strict=True):
                for (kind, at, size), (kind_now, to, size_now) in zip(mine, theirs, strict=False):
                    if (kind, size) == (kind_now, size_now):
                        yield base_old + at, base_new + to, size


def _split_states(params: FloatArray, phase: int) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """What the actions of a phase remember, and what its transitions remember."""
    states = list(_list_states(params, phase))
    return [s for s in states if s[0] > 0], [s for s in states if s[0] <= 0]
