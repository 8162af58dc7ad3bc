"""A skill: a script, the phases it loops in, and the moments at which another skill may take over.

A skill either ends by itself or reaches phases that it leaves only for a guard (`fallen`, `anglerange`) or a key. It
may be left whenever this loop restarts: after a gait cycle, or once a pose has settled.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from os.path import isfile
from pathlib import Path
from typing import Final

from poise.characters.model import Character
from poise.controllers.script.build import CHARACTER, build_controller, find_character
from poise.errors import InputError, unknown_name
from poise.language.load import SUFFIXES, Program, library_scripts, load_program
from poise.language.parse import load_script_text
from poise.language.tree import Script
from poise.language.write import write_code
from poise.skills.moment import Place
from poise.world.adopt import load_any_character
from poise.world.controller import Controller, Start

#: Conditions that report a failure or a key; all others are part of the skill's normal course.
GUARDS: Final = ("fallen", "anglerange", "press", "release")
PREFIX: Final = "script/"


@dataclass(frozen=True, eq=False)
class Skill:
    """A script that runs on its own as a character's controller."""

    name: str
    path: Path
    character: Character
    program: Program
    controller: Controller

    @cached_property
    def loop(self) -> frozenset[int]:
        """Phases in which the main script loops; empty if it ends."""
        return find_loop(self.program.script)

    @property
    def ends(self) -> bool:
        return not self.loop

    @cached_property
    def _head(self) -> int:
        return min(self.loop)

    @property
    def always_open(self) -> bool:
        """Whether the loop is a single phase without calls, which never restarts."""
        return len(self.loop) == 1 and not self.program.script.phases[self._head].calls

    @cached_property
    def mishaps(self) -> frozenset[int]:
        """Phases of the main script that only a guard leads to: those entered after a fall."""
        phases = self.program.script.phases
        return frozenset(range(len(phases))) - _find_reach(0, find_ways(self.program.script)) - {0}

    def may_be_left(self, places: tuple[Place, ...]) -> bool:
        """Whether a script that has just reached these places has ended or is at the start of its loop."""
        if not places:
            return True
        return not self.ends and self.begins(places, self._head)

    def begins(self, places: tuple[Place, ...], phase: int) -> bool:
        """Whether the main script is at the very start of a phase, with every call in it just begun."""
        if not places or places[0].phase != phase:
            return False
        names = self.program.called()
        for caller, callee in pairwise(places):
            call = self.program.scripts[names[caller.script]].phases[caller.phase].calls[-1]
            if callee.phase != (call.at_phase or 0):
                return False
        return True


def find_loop(script: Script) -> frozenset[int]:
    """Phases that a script never leaves once inside, guards aside; empty if it ends by itself."""
    ways = find_ways(script)
    reach = [_find_reach(k, ways) for k in range(len(ways))]
    if -1 in reach[0]:
        return frozenset()
    # From a phase of the final cycle, only phases that lead back to it are reachable.
    last = [k for k in sorted(reach[0] | {0}) if all(k in reach[to] or to == k for to in reach[k])]
    return frozenset(reach[last[0]] | {last[0]})


def find_ways(script: Script) -> list[set[int]]:
    """Successors of each phase, guards aside."""
    return [{t.to for t in phase.transitions if t.condition.kind not in GUARDS} for phase in script.phases]


def _find_reach(start: int, ways: list[set[int]]) -> set[int]:
    found: set[int] = set()
    waiting = list(ways[start])
    while waiting:
        phase = waiting.pop()
        if phase not in found:
            found.add(phase)
            waiting += ways[phase] if phase >= 0 else ()
    return found


def fingerprint(program: Program) -> str:
    """Short hash of the code of a script and everything it calls; comments and layout do not count."""
    texts = [write_code(program.scripts[name]) for name in program.called()]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def load_skill(name: str, character: Character | None = None) -> Skill:
    """Load a skill by name (`walk` or `script/walk`) or from a script file."""
    body = character or load_any_character(CHARACTER)
    path = find_skill(name)
    return Skill(path.stem, path, body, load_program(path), build_controller(path, body, path.stem))


def begin_from(skill: Skill, start: Start) -> Skill:
    """The same skill with another start pose for its own run."""
    return replace(skill, controller=replace(skill.controller, start=start))


def find_skill(name: str) -> Path:
    """Path of a skill's script."""
    known = library_scripts()
    full = name if name.startswith(PREFIX) else PREFIX + name
    if full in known:
        return known[full]
    path = Path(name)
    if path.suffix in SUFFIXES:
        if isfile(path):
            return path
        raise InputError(f"skill {name}: there is no such file.")
    raise unknown_name("skills", "skill", name, skill_names())


def skill_names() -> list[str]:
    """Names of the shipped skills for the body that transitions are made for."""
    known = library_scripts().items()
    return [name.removeprefix(PREFIX) for name, path in known if find_character(load_script_text(path)) == CHARACTER]
