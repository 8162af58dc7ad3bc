"""What travels to workers: a problem as one parcel, packed once here and unpacked once there.

A parcel holds contents, not paths, since other machines do not have the files of this one. Compiled functions go by
name: numba would otherwise send their source, and every worker would compile it anew instead of reading its cache.
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

#: Problems that a worker keeps unpacked: a search has one, and a few may share a cluster.
_PROBLEMS_KEPT: Final = 8


class Evaluator:
    """Gives the evaluation of values of a problem's variables, wherever it is called: `batch.run(Evaluator(p), …)`."""

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
    """An object with all that belongs to it."""
    buffer = io.BytesIO()
    _Packer(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def unpack(parcel: bytes) -> Any:
    """What was packed."""
    return pickle.loads(parcel)


class _Packer(cloudpickle.CloudPickler):  # type: ignore[misc]
    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Dispatcher):
            place = obj.py_func.__module__, obj.py_func.__qualname__
            if _find(*place) is obj:
                return _find, place
        return super().reducer_override(obj)


def _find(module: str, name: str) -> Any:
    """The compiled function of a name, or None where it is made by another function."""
    return getattr(import_module(module), name, None)
