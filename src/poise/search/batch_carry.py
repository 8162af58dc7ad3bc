"""Data sent to workers: a problem as one parcel, packed once here and unpacked once there.

A parcel holds contents, not paths, since other machines do not have our files. Compiled functions are sent by name:
otherwise numba would send their source, and every worker would compile it again instead of reading its cache.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from numba import cloudpickle
from numba.core.dispatcher import Dispatcher

from poise.search.evaluate import Evaluation, evaluate
from poise.search.problem import Problem

#: Unpacked problems that a worker keeps: a search has one, and several searches may share a cluster.
_PROBLEMS_KEPT: Final = 8


class Evaluator:
    """Evaluates values of a problem's variables, here or in a worker: `batch.run(Evaluator(p), …)`."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._parcel = b""

    def __call__(self, values: Mapping[str, float]) -> Evaluation:
        return evaluate(self.problem, values)

    def __reduce__(self) -> tuple[Any, ...]:
        self._parcel = self._parcel or pack(self.problem)
        return _unpack_evaluator, (self._parcel,)


@lru_cache(_PROBLEMS_KEPT)
def _unpack_evaluator(parcel: bytes) -> Evaluator:
    return Evaluator(unpack(parcel))


def pack(value: object) -> bytes:
    """Pickle an object and everything it refers to."""
    buffer = io.BytesIO()
    _Packer(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def unpack(parcel: bytes) -> Any:
    """Return the packed object."""
    return pickle.loads(parcel)


class _Packer(cloudpickle.CloudPickler):  # type: ignore[misc]
    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Dispatcher):
            place = obj.py_func.__module__, obj.py_func.__qualname__
            if _find(*place) is obj:
                return _find, place
        return super().reducer_override(obj)


def _find(module: str, name: str) -> Any:
    """The compiled function of this name; None if it is defined inside another function."""
    return getattr(import_module(module), name, None)
