"""Checks that a law's answer to the mirror image of a state, in the sagittal plane (x-z), is mirrored."""

from __future__ import annotations

import numpy as np

from poise.characters.model import Character, swap_side
from poise.checking.subject import Answer, CheckResult, FloatArray, Subject, ask
from poise.world.body_state import mirror_axes, mirror_body, put_body, take_body
from poise.world.world import World

NAME = "mirrored"
#: Both answers come from the same formulas with different numbers: only rounding may differ.
TOLERANCE = 1e-9
#: Times of a run at which both sides are compared.
LOOKS_S = (0.0, 0.05, 0.15, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3)
#: Number of perturbed states for each of these times, and size of the perturbations.
JOLTS = 4
JOLT_RAD, JOLT_RADPS, JOLT_N = 0.3, 1.0, 600.0


def is_symmetric(character: Character) -> bool:
    """Whether the body equals its mirror image for a law: masses, frames, axes, limits, gains, rest pose."""
    image = character.mirrored()
    if image.segment_names != character.segment_names or image.axis_names != character.axis_names:
        return False
    return np.allclose(_figures(character), _figures(image), rtol=1e-9, atol=1e-12)


def _figures(character: Character) -> FloatArray:
    figures: list[float] = [character.rest_pose_rad.get(name, 0.0) for name in character.axis_names]
    for s in character.segments:
        figures += [s.mass_kg, *s.origin_m, *s.com_m, *s.inertia_kgm2]
    for a in character.axes:
        figures += [*a.direction, a.low_rad, a.high_rad, a.torque_limit_nm, a.kp_nm_per_rad, a.kd_nms_per_rad]
    return np.array(figures)


def mirror_state(source: World, target: World) -> None:
    """Sets `target` to the mirror image of the state of `source`: bodies, touch, clock and memory."""
    character, a, b = source.characters[0], source.percepts[0], target.percepts[0]
    put_body(target, mirror_body(character, take_body(source)))
    names = character.segment_names
    other = [names.index(swap_side(n)) for n in names]
    b.touch_load[:] = a.touch_load[other]
    b.touch_force_w[:] = a.touch_force_w[other] * np.array([1.0, -1.0, 1.0])
    b.time_s[:], b.random_state[:] = a.time_s, a.random_state
    mirror_memory = source.controllers[0].mirror_memory
    assert mirror_memory is not None
    target.params[0][:] = source.params[0]
    target.memories[0][:] = mirror_memory(source.memories[0])


def jolt(world: World, random: np.random.Generator) -> None:
    """Perturbs everything that a law sees, left and right independently: a symmetric state would be its own image."""
    percept, limits = world.percepts[0], world.percepts[0].limits
    angles = percept.joint_q + random.uniform(-JOLT_RAD, JOLT_RAD, len(percept.joint_q))
    percept.joint_q[:] = np.clip(angles, limits[:, 0], limits[:, 1])
    percept.joint_v[:] += random.uniform(-JOLT_RADPS, JOLT_RADPS, len(percept.joint_v))
    percept.root_v[:] += random.uniform(-JOLT_RADPS, JOLT_RADPS, len(percept.root_v))
    percept.root_q[2:] += random.uniform(-JOLT_RAD, JOLT_RAD, len(percept.root_q) - 2)
    if world.characters[0].root == "free":
        percept.root_q[3:7] /= np.linalg.norm(percept.root_q[3:7])
    loads = random.uniform(0.0, JOLT_N, len(percept.touch_load))
    percept.touch_load[:] = loads * (random.random(len(loads)) < 0.5)
    percept.touch_force_w[:] = percept.touch_load[:, None] * random.uniform(-0.5, 1.0, (len(loads), 3))


def _compare(character: Character, here: Answer, there: Answer, memory: FloatArray) -> str:
    """The difference between the mirrored answer `here` and the answer `there` of the mirror image, or empty."""
    partner, sign = mirror_axes(character)
    for what, expected, found in (
        ("torque of {}", sign * here.torque[partner], there.torque),
        ("damping of {}", here.damping[partner], there.damping),
        ("memory[{}]", memory, there.memory),
    ):
        error = np.abs(expected - found)
        worst = int(np.argmax(error)) if len(error) else 0
        if len(error) and not error[worst] <= TOLERANCE * (1.0 + float(np.abs(expected).max())):
            name = str(worst) if what.startswith("memory") else character.axis_names[worst]
            return f"{what.format(name)} should be {expected[worst]:.9g}, got {found[worst]:.9g}"
    return ""


def check_mirror(subject: Subject) -> CheckResult:
    """Mirrored input gives mirrored output."""
    mirror_memory, character = subject.controller.mirror_memory, subject.character
    if mirror_memory is None:
        return CheckResult(NAME, True, True, "it does not declare itself symmetric (mirror_memory)")
    if not is_symmetric(character):
        return CheckResult(NAME, True, True, f"{character.name} itself is not symmetric")
    world, image = subject.open(pushed=True), subject.open(pushed=True)
    random = np.random.default_rng(0)
    for moment in LOOKS_S:
        world.step(round(moment / world.settings.timestep_s) - world.tick)
        kept = world.snapshot()
        for shaken in range(1 + JOLTS):
            if shaken:
                world.restore(kept)
                jolt(world, random)
            mirror_state(world, image)
            here, there = ask(world), ask(image)
            wrong = _compare(character, here, there, mirror_memory(here.memory))
            if wrong:
                return CheckResult(NAME, False, detail=f"at {moment:g} s, {wrong} in the mirror image.")
        world.restore(kept)
    return CheckResult(NAME, True, detail=f"{len(LOOKS_S)} states of a pushed run, and {JOLTS} perturbed ones for each")
