"""Worlds in which a script of a test runs, and looks into where it stands."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.checking.subject import Answer, ask
from poise.controllers.script import layout as lay
from poise.controllers.script.build import build_controller
from poise.language.names import Body
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.world import World

TICK_S = 0.001
PLANAR17 = load_any_character("planar17")
BODY = Body(PLANAR17)


def one_phase(*lines: str, transition: str = "", parameters: str = "void") -> str:
    """A script of a single phase with some actions."""
    actions = "\n".join(lines)
    return f"BEGINSCRIPT a({parameters})\nPHASE 0\nACTIONS\n{actions}\nENDACTIONS\n{transition}\nENDPHASE\nENDSCRIPT\n"


def open_world(folder: Path, text: str, timestep_s: float = TICK_S, **others: str) -> World:
    """The body, standing, with a script; others are files beside it, `walk_t` for walk.t."""
    for name, other in others.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(other)
    (folder / "main.ctl").write_text(text)
    controller = build_controller(folder / "main.ctl", PLANAR17, "main")
    return World([PLANAR17], [controller], settings=PhysicsSettings(timestep_s=timestep_s))


def set_angle(world: World, joint: str, angle_rad: float, rate_radps: float = 0.0) -> None:
    """Bends a joint, as scripts count."""
    axis = BODY.joints[joint]
    world.percepts[0].joint_q[axis] = BODY.sign(axis) * angle_rad
    world.percepts[0].joint_v[axis] = BODY.sign(axis) * rate_radps


def script_torques(world: World) -> dict[str, float]:
    """What the law writes now, in the scripts' sense, the damping's share included."""
    return in_script_sense(world, ask(world))


def in_script_sense(world: World, answer: Answer) -> dict[str, float]:
    total = answer.torque - answer.damping * np.asarray(world.percepts[0].joint_v)
    return {n: float(BODY.sign(a) * total[a]) for n, a in BODY.joints.items() if n in BODY.joint_names}


def read_target(world: World, joint: str) -> float:
    """The angle towards which a joint's servo pulls after the last tick."""
    slots = int(world.params[0][lay.H_M_SLOTS])
    return float(world.memories[0][slots + BODY.joints[joint] * lay.SLOT_SIZE + lay.B_TARGET])


def is_on(world: World, joint: str) -> bool:
    slots = int(world.params[0][lay.H_M_SLOTS])
    return bool(world.memories[0][slots + BODY.joints[joint] * lay.SLOT_SIZE + lay.B_ON])


def where(world: World) -> list[tuple[int, int]]:
    """Script and phase of everything on the stack; empty once it has ended."""
    params, memory = world.params[0], world.memories[0]
    first, size = int(params[lay.H_M_STACK]), int(params[lay.H_FRAME])
    frames = [first + k * size for k in range(int(memory[lay.M_DEPTH]))]
    return [(int(memory[f + lay.F_SCRIPT]), int(memory[f + lay.F_PHASE])) for f in frames]
