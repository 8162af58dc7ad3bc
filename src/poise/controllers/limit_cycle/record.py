"""A balanced walk as an aperiodic graph that replays it without feedback [Laszlo96 §2.4].

The graph records what was applied. From the same start in the same world it gives the same motion; from any other it
falls, as every open loop does.
"""

from __future__ import annotations

import math
from dataclasses import replace
from os import PathLike
from typing import Any

from poise.controllers.limit_cycle.balance import Balancer, Step, find_balancer
from poise.controllers.limit_cycle.graph import PoseGraph, State, write_states
from poise.documents import save_toml
from poise.errors import InputError
from poise.world.world import World


def record_graph(balancer: Balancer) -> PoseGraph:
    """All states of all completed steps in order, with the perturbations added."""
    if not balancer.steps:
        raise InputError("pose graph: no step is complete yet, so there is nothing to record.")
    states: list[State] = []
    at = 0
    for step in balancer.steps:
        while True:
            state = balancer.base.states[at]
            states.append(replace(_perturb(balancer, at, step), name=f"S{len(states) + 1}", next=len(states) + 1))
            at = state.next
            if state.ends_step or at < 0:
                break
    states[-1] = replace(states[-1], next=-1)
    return PoseGraph(tuple(states))


def _perturb(balancer: Balancer, index: int, step: Step) -> State:
    """A state plus its perturbations, summed in the same order as in the law."""
    state = balancer.base.states[index]
    axes = dict.fromkeys([*state.pose_rad, *(a for g in balancer.changes.values() for a in g.states[index].pose_rad)])
    pose, hold = {axis: state.pose_rad.get(axis, 0.0) for axis in axes}, state.hold_s
    for scaling, graph in zip(step.applied, balancer.changes.values(), strict=True):
        change = graph.states[index]
        for axis in axes:
            pose[axis] += scaling * change.pose_rad.get(axis, 0.0)
        hold += scaling * change.hold_s
    return replace(state, pose_rad=pose, hold_s=hold)


def describe_recording(world: World, character: int = 0) -> dict[str, Any]:
    """The controller file that replays the steps of a character's balancer so far."""
    balancer = find_balancer(world, character)
    controller = world.controllers[character]
    degrees = {axis: math.degrees(angle) for axis, angle in controller.start.joint_q_rad.items()}
    return {
        "method": "limit-cycle",
        "character": world.characters[character].name,
        "description": f"{len(balancer.steps)} steps of {controller.name}, replayed in open loop",
        "values": {"strategy": "open", "servo": "on" if controller.value("servo") else "off"},
        "states": write_states(record_graph(balancer)),
        "start": {"pose_deg": degrees},
    }


def save_recording(world: World, path: str | PathLike[str], character: int = 0) -> None:
    """Save the result of `describe_recording`."""
    save_toml(path, describe_recording(world, character))
