"""Checks of a law's single calls: it writes only finite numbers, never raises and never allocates."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from poise.checking.postures import each_posture
from poise.checking.subject import CheckResult, Subject, ask, look, named_arrays
from poise.errors import DivergedError, InputError
from poise.kernels.jit import JIT_ENABLED, kernel
from poise.kernels.percept import LAW_TYPE, PERCEPT_TYPE
from poise.world.compile_law import compile_law
from poise.world.linking import typed_list
from poise.world.world import World

RUN_S = 3.0
#: Interval between checks of the law's answers; in between, a number that is not finite would corrupt the state.
LOOK_EVERY_S = 0.02
CALLS = 100


def check_parameters(subject: Subject) -> CheckResult:
    """Every parameter has an index, a range, and a value within it."""
    controller = subject.controller
    names = [p.name for p in controller.parameters]
    wrong = [f"two parameters are named {n}" for n in sorted({n for n in names if names.count(n) > 1})]
    if not np.all(np.isfinite(controller.params)) or not np.all(np.isfinite(controller.memory)):
        wrong.append("params and memory must be finite")
    for p in controller.parameters:
        if not 0 <= p.index < len(controller.params):
            wrong.append(f"{p.name} has the index {p.index}, which params does not have")
        elif not (math.isfinite(p.low) and math.isfinite(p.high) and p.low <= controller.params[p.index] <= p.high):
            wrong.append(f"{p.name} is {controller.params[p.index]:g}, outside its range {p.low:g} to {p.high:g}")
        elif p.choices and controller.params[p.index] != int(controller.params[p.index]):
            wrong.append(f"{p.name} is {controller.params[p.index]:g}, which is not one of its choices")
    if wrong:
        return CheckResult("parameters", False, detail=f"{'; '.join(wrong)}.")
    return CheckResult("parameters", True, detail=f"{len(names)}, each within its range")


def check_compiled(subject: Subject) -> CheckResult:
    """The law compiles with the signature that all laws share."""
    if not JIT_ENABLED:
        return CheckResult("compiled", True, True, "the JIT is off")
    try:
        compile_law(subject.controller.law)
    except InputError as error:
        return CheckResult("compiled", False, detail=str(error))
    return CheckResult("compiled", True)


def _find_bad_answer(world: World) -> str:
    try:
        answer = ask(world)
    except Exception as error:
        return f"the law raises {type(error).__name__}: {error}"
    for what, values in answer._asdict().items():
        if not np.all(np.isfinite(values)):
            k = int(np.argmin(np.isfinite(values)))
            name = f"memory[{k}]" if what == "memory" else f"the {what} of {world.characters[0].axis_names[k]}"
            return f"{name} is {values[k]}"
    if np.any(answer.damping < 0.0):
        k = int(np.argmin(answer.damping))
        return f"the damping of {world.characters[0].axis_names[k]} is negative ({answer.damping[k]:g})"
    return ""


def check_finite(subject: Subject) -> CheckResult:
    """Torques, dampings and memory stay finite for seconds, from any initial state."""
    ran = 0
    for posture, world in each_posture(subject.open):
        every = round(LOOK_EVERY_S / world.settings.timestep_s)
        for _ in range(round(RUN_S / LOOK_EVERY_S)):
            wrong = _find_bad_answer(world)
            if wrong:
                return CheckResult("finite", False, detail=f"{posture}, at {world.time_s:.4g} s: {wrong}.")
            try:
                world.step(every)
            except DivergedError as error:
                return CheckResult("finite", False, detail=f"{posture}: {error}")
            except Exception as error:
                text = f"{posture}, after {world.time_s:.4g} s: the law raises {type(error).__name__}: {error}."
                return CheckResult("finite", False, detail=text)
        ran += 1
    return CheckResult("finite", True, detail=f"{RUN_S:g} s from each of {ran} states, including fallen and spinning")


def check_reads_only(subject: Subject) -> CheckResult:
    """The law does not modify its percept or parameters."""
    for posture, world in each_posture(subject.open):
        look(world)
        before = {name: array.copy() for name, array in named_arrays(world)}
        ask(world)
        for name, array in named_arrays(world):
            # The law may signal the end of a phase.
            if name != "percept.cue" and array.tobytes() != before[name].tobytes():
                return CheckResult("reads only", False, detail=f"{posture}, the law writes into {name}.")
    return CheckResult("reads only", True, detail="percept and parameters unchanged")


@kernel
def _call_law(times: int, percepts: Any, laws: Any, params: Any, memory: Any, torque: Any, damping: Any) -> None:
    percept, law = percepts[0], laws[0]
    for _ in range(times):
        law(percept, params, memory, torque, damping)


def count_allocations(world: World) -> float:
    """Number of memory allocations in one call of the compiled law; NaN if numba does not count them."""
    try:
        from numba.core.runtime import _nrt_python, rtsys

        _nrt_python.memsys_enable_stats()
    except (ImportError, AttributeError):
        return math.nan
    look(world)
    axes = len(world.percepts[0].joint_q)
    percepts, laws = typed_list(PERCEPT_TYPE, [world.percepts[0]]), typed_list(LAW_TYPE, [world.controllers[0].law])
    room = (world.params[0].copy(), world.memories[0].copy(), np.zeros(axes), np.zeros(axes))
    counts = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for times in (1, 1, 1 + CALLS):
            before = rtsys.get_allocation_stats().alloc
            _call_law(times, percepts, laws, *room)
            counts.append(rtsys.get_allocation_stats().alloc - before)
    return (counts[2] - counts[1]) / CALLS


def check_allocations(subject: Subject) -> CheckResult:
    """A compiled law allocates no arrays, for which a tick has no time."""
    name = "no allocation"
    if not JIT_ENABLED:
        return CheckResult(name, True, True, "the JIT is off")
    for posture, world in each_posture(subject.open):
        count = count_allocations(world)
        if math.isnan(count):
            return CheckResult(name, True, True, "this numba does not count allocations")
        if count > 0:
            return CheckResult(
                name, False, detail=f"{posture}, one call allocates {count:g} times. Use memory instead."
            )
    return CheckResult(name, True)
