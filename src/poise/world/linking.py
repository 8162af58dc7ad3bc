"""Joins percepts, laws and memories into the typed lists that the compiled loop takes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from numba import typed, typeof, types
from numba.core.errors import NumbaExperimentalFeatureWarning

from poise.kernels.jit import JIT_ENABLED, law
from poise.kernels.percept import LAW_TYPE, PERCEPT_TYPE
from poise.world.compile_law import compile_law


@law
def limp(percept, params, memory, torque, damping):
    """The law of a body that nobody drives."""


def typed_list(item_type: Any, items: Sequence[Any]) -> Any:
    """A list that compiled code takes; a plain one where nothing is compiled."""
    if not JIT_ENABLED:
        return list(items)
    out = typed.List.empty_list(item_type)
    with warnings.catch_warnings():
        # numba calls first-class functions experimental.
        warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        for item in items:
            out.append(item)
    return out


def link(
    percepts: Sequence[Any], drives: Sequence[Any], laws: Sequence[Any], params: Any, memories: Any
) -> tuple[Any, ...]:
    """The last arguments of `run_ticks`, laws compiled."""
    array = types.float64[::1]
    return (
        typed_list(PERCEPT_TYPE, percepts),
        typed_list(typeof(drives[0]), drives),
        typed_list(LAW_TYPE, [compile_law(law) if JIT_ENABLED else law for law in laws]),
        typed_list(array, params),
        typed_list(array, memories),
    )
