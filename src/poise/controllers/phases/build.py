"""Packs a list of phases into a `Controller`, and writes parameter values back into its table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from poise.characters.kinematics import compute_frames
from poise.characters.model import SIDES, Character
from poise.controllers.phases import layout
from poise.controllers.phases.law import phases_law
from poise.controllers.phases.linear import Linear
from poise.controllers.phases.read_phases import read_phase_list
from poise.controllers.phases.spec import UNTIL, Phase, PhaseList, mirror_phase
from poise.errors import unknown_name
from poise.kernels.fixed import add_up
from poise.kernels.records import place
from poise.world.controller import Controller, FloatArray, Parameter, Start
from poise.world.environment import Environment
from poise.world.guard import Guard, Whole, make_guard

METHOD = "phases"
_FEET = {"left": layout.LEFT_FOOT, "right": layout.RIGHT_FOOT}


def _read_values(spec: PhaseList) -> dict[str, float]:
    """Initial value of every parameter, including those that the command governs."""
    values = {t.name: t.value for t in spec.tunables}
    if spec.skill is None:
        return values
    skill = spec.skill
    w = (skill.value - skill.low) / (skill.high - skill.low)
    ranges = {t.name: (t.low, t.high) for t in spec.tunables}
    for name, weights in skill.weights.items():
        values[name] = float(np.clip(add_up(c * w**k for k, c in enumerate(weights)), *ranges[name]))
    return {**values, skill.command: skill.value}


def _pack_skill(spec: PhaseList, names: list[str]) -> list[float]:
    skill = spec.skill
    if skill is None:
        return [-1.0, 0.0, 1.0, 0.0, *([0.0] * (layout.SKILL_ROW * len(names)))]
    packed = [float(names.index(skill.command)), skill.low, skill.high, float(skill.degree)]
    ranges = {t.name: (t.low, t.high) for t in spec.tunables}
    for name in names:
        weights = skill.weights.get(name, ())
        low, high = ranges.get(name, (skill.low, skill.high))
        packed += [1.0 if weights else 0.0, low, high, *weights]
        packed += [0.0] * (layout.MAX_DEGREE + 1 - len(weights))
    return packed


def _pack_pose(pose: Mapping[str, Linear], character: Character, names: list[str]) -> list[float]:
    return [number for axis in character.axis_names for number in pose[axis].pack(names)]


def _pack_phases(spec: PhaseList, character: Character, names: list[str]) -> tuple[list[float], ...]:
    """Rows of the phases, of their feedback, and of their forces."""
    order = [p.name for p in spec.phases]
    rows, feedback, forces = list[float](), list[float](), list[float]()
    for phase in spec.phases:
        rows += [
            float(UNTIL[phase.until]),
            float(sum(_FEET[foot] for foot in phase.feet)),
            phase.after_s,
            phase.ramp_s,
            -1.0 if phase.following is None else float(order.index(phase.following)),
            float(len(feedback) // layout.feedback_row(len(names))),
            float(len(phase.feedback)),
            float(len(forces) // layout.force_row(len(names))),
            float(len(phase.forces)),
            *phase.duration_s.pack(names),
        ]
        for f in phase.feedback:
            numbers = layout.MEASURES.index(f.measure), character.axis_index(f.axis)
            feedback += [*map(float, numbers), *f.gain.pack(names)]
        for force in phase.forces:
            segment = layout.AT_COM if force.at == "com" else character.segment_names.index(force.at)
            forces += [float(segment), float(force.limited)]
            forces += [number for part in force.force_n for number in part.pack(names)]
    return rows, feedback, forces


def pack(spec: PhaseList, character: Character) -> FloatArray:
    """The numbers of a list of phases, laid out as in `layout`."""
    values = _read_values(spec)
    names = list(values)
    rows, feedback, forces = _pack_phases(spec, character, names)
    poses = [number for p in spec.phases for number in _pack_pose(p.pose_rad, character, names)]
    blocks = [
        list(values.values()),
        _pack_skill(spec, names),
        [gain for axis in character.axis_names for gain in spec.gains[axis]],
        # The start pose follows those of the phases.
        [*poses, *_pack_pose(_start_pose(spec, character, values), character, names)],
        rows,
        feedback,
        forces,
    ]
    places = np.cumsum([layout.HEADER, *(len(block) for block in blocks)])[:-1]
    return np.array([len(names), len(spec.phases), *places, *(number for block in blocks for number in block)], float)


def _start_pose(spec: PhaseList, character: Character, values: Mapping[str, float]) -> dict[str, Linear]:
    return {a: Linear(spec.start_rad.get(a, spec.pose_rad[a].value(values))) for a in character.axis_names}


def _level_soles_rad(character: Character, pose_rad: Mapping[str, float]) -> float:
    """The root pitch at which the soles are level on average in a pose; forward is positive."""
    frames = compute_frames(character, pose_rad)
    left, right = (frames[character.roles[f"{side}_foot"]].rotation for side in SIDES)
    return math.atan2(left[2, 0] + right[2, 0], left[0, 0] + right[0, 0])


def _declare(spec: PhaseList) -> tuple[Parameter, ...]:
    """Parameters that users may set: those that the command does not govern, and the command."""
    governed = spec.skill.weights if spec.skill is not None else {}
    declared = [
        Parameter(t.name, layout.HEADER + k, t.low, t.high, t.about)
        for k, t in enumerate(spec.tunables)
        if t.name not in governed
    ]
    if spec.skill is not None:
        s = spec.skill
        about = f"command of the skill; sets {', '.join(s.weights)}"
        declared.append(Parameter(s.command, layout.HEADER + len(spec.tunables), s.low, s.high, about))
    return tuple(declared)


def _find_mirror(spec: PhaseList, character: Character) -> Callable[[FloatArray], FloatArray] | None:
    """Function that mirrors a memory; None unless each phase has a mirror image with the mirrored successor.

    The start counts as a phase that must be its own mirror image.
    """
    contents = [_describe(p) for p in spec.phases]
    images: list[int] = []
    for phase in spec.phases:
        image = _describe(mirror_phase(phase, character))
        if image not in contents:
            return None
        # Among identical phases, a symmetric one is its own image.
        own = len(images)
        images.append(own if contents[own] == image else contents.index(image))
    order = [p.name for p in spec.phases]
    after = [None if p.following is None else order.index(p.following) for p in spec.phases]
    for k, image_of in enumerate(images):
        here, there = after[k], after[image_of]
        if images[image_of] != k or (here is None) != (there is None):
            return None
        if here is not None and images[here] != there:
            return None
    start = {a: Linear(v) for a, v in spec.start_rad.items()}
    whole = Phase("start", {**spec.pose_rad, **start}, Linear())
    if _describe(mirror_phase(whole, character)) != _describe(whole):
        return None
    return partial(mirror_memory, np.array([*images, len(images)], dtype=float))


def _describe(phase: Phase) -> tuple[Any, ...]:
    """Everything about a phase except its name and successor, in a comparable form."""

    def plain(form: Linear) -> tuple[Any, ...]:
        return form.constant + 0.0, tuple(sorted((n, f) for n, f in form.factors.items() if f))

    return (
        tuple(sorted((axis, plain(form)) for axis, form in phase.pose_rad.items())),
        plain(phase.duration_s), phase.until, phase.feet, phase.after_s, phase.ramp_s,
        tuple(sorted((f.measure, f.axis, plain(f.gain)) for f in phase.feedback)),
        tuple(sorted((f.at, f.limited, tuple(plain(part) for part in f.force_n)) for f in phase.forces)),
    )  # fmt: skip


def mirror_memory(images: FloatArray, memory: FloatArray) -> FloatArray:
    """The memory with its phases replaced by their mirror images."""
    mirrored = memory.copy()
    image = layout.read_memory(mirrored)
    image.phase, image.before = images[int(image.phase)], images[int(image.before)]
    return mirrored


def build(spec: PhaseList, character: Character, name: str, description: str = "") -> Controller:
    """The controller of a list of phases for a character."""
    values = _read_values(spec)
    memory = np.array([0.0, 0.0, float(len(spec.phases)), *values.values()])
    start = {axis: form.constant for axis, form in _start_pose(spec, character, values).items()}
    params, parameters = pack(spec, character), _declare(spec)
    return Controller(
        name=name,
        law=phases_law,
        params=params,
        memory=memory,
        parameters=parameters,
        start=Start(joint_q_rad=start, root_pitch_rad=_level_soles_rad(character, start)),
        description=description,
        mirror_memory=_find_mirror(spec, character),
        limits_itself=any(not force.limited for phase in spec.phases for force in phase.forces),
        guard=_make_guard(spec, params, parameters),
        environment=Environment(props=spec.props) if spec.props else None,
    )


def _make_guard(spec: PhaseList, params: FloatArray, parameters: Sequence[Parameter]) -> Guard:
    """Guard everything except the settable parameters: the rest is the tables and their layout."""
    last = len(spec.phases) - 1
    indices = [
        Whole("phase", place(layout.MEMORY, "phase"), 0, last),
        Whole("previous phase", place(layout.MEMORY, "before"), 0, last + 1),
    ]
    return make_guard(np.setdiff1d(np.arange(len(params)), [p.index for p in parameters]), indices)


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    return build(read_phase_list(table, character, name), character, name, description)


def revise_table(table: Mapping[str, Any], values: Mapping[str, float], character: Character) -> dict[str, Any]:
    """The table with other parameter values, named as in the controller that `build` makes."""
    known = [p.name for p in _declare(read_phase_list(table, character, METHOD))]
    parameters = {name: dict(row) for name, row in table.get("parameters", {}).items()}
    skill = dict(table.get("skill", {}))
    for name, value in values.items():
        if name not in known:
            raise unknown_name(METHOD, "parameter", name, known)
        parameters.get(name, skill)["value"] = value
    revised = {**table, "parameters": parameters} if parameters else dict(table)
    return {**revised, "skill": skill} if skill else revised
