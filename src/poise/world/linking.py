"""Joins percepts, laws and memories into the typed lists that the compiled loop takes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numba
from numba import typed, typeof, types
from numba.core.errors import NumbaExperimentalFeatureWarning

from poise.kernels.jit import JIT_ENABLED, law
from poise.kernels.percept import LAW_TYPE, PERCEPT_TYPE
from poise.world.compile_law import compile_law


@law
def limp(percept, params, memory, torque, damping):
    """The law of a body without a controller: does nothing."""


def _begin(item):
    out = typed.List()
    out.append(item)
    return out


def _grow(out, item):
    out.append(item)


@cache
def _list_makers(item_type: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Compiled list constructors for one type. numba would recompile its own in every process: two seconds each."""
    several = types.ListType(item_type)
    begin = numba.njit(several(item_type), cache=True)(_begin)
    return begin, numba.njit(types.void(several, item_type), cache=True)(_grow)


def typed_list(item_type: Any, items: Sequence[Any]) -> Any:
    """A list of at least one item for compiled code; a plain one if the JIT is off."""
    if not JIT_ENABLED:
        return list(items)
    with warnings.catch_warnings():
        # numba calls first-class functions experimental.
        warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        begin, grow = _list_makers(item_type)
        out = begin(items[0])
        for item in items[1:]:
            grow(out, item)
    return out


def link(
    percepts: Sequence[Any], drives: Sequence[Any], laws: Sequence[Any], params: Any, memories: Any
) -> tuple[Any, ...]:
    """The last arguments of `run_ticks`, with the laws compiled."""
    array = types.float64[::1]
    return (
        typed_list(PERCEPT_TYPE, percepts),
        typed_list(typeof(drives[0]), drives),
        typed_list(LAW_TYPE, [compile_law(law) if JIT_ENABLED else law for law in laws]),
        typed_list(array, params),
        typed_list(array, memories),
    )
