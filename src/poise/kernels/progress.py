"""How far a compilation is: the compiled functions that a root calls, counted by reading their code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from types import CodeType, ModuleType
from typing import Any


def _is_compiled(thing: object) -> bool:
    return hasattr(thing, "overloads") and hasattr(thing, "py_func")


def _list_names(code: CodeType) -> set[str]:
    """Names of everything outside that a function refers to, with those of its inner functions."""
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return {*code.co_names, *code.co_freevars}.union(*map(_list_names, inner))


def _refer(function: Any) -> Iterator[Any]:
    """Everything outside that a function refers to."""
    names = _list_names(function.__code__)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for name in names:
        thing = cells[name].cell_contents if name in cells else function.__globals__.get(name)
        yield thing
        if isinstance(thing, ModuleType):
            yield from (vars(thing).get(n) for n in names)


@cache
def find_called(function: Any) -> tuple[Any, ...]:
    """The compiled functions that a compiled function calls itself."""
    found: dict[int, Any] = {}
    for thing in _refer(function.py_func):
        several = thing if isinstance(thing, tuple | list) else (thing,)
        found.update((id(one), one) for one in several if _is_compiled(one) and one is not function)
    return tuple(found.values())


class Progress:
    """The functions that some roots need, of which more and more are compiled.

    A function that was loaded from the disk, or whose caller was, counts as compiled.
    """

    def __init__(self, roots: Iterable[Any]) -> None:
        self._roots = [root for root in roots if _is_compiled(root)]
        first = self._find_missing()
        self._misses = _count_misses(first)
        self._first = first
        self.needed = len(first)

    @property
    def done(self) -> int:
        """How many of the functions that were missing at first are compiled."""
        return self.needed - len(self._find_missing())

    @property
    def compiles(self) -> bool:
        """Whether anything had to be compiled so far, rather than loaded."""
        return _count_misses(self._first) > self._misses

    def _find_missing(self) -> list[Any]:
        """Functions without compiled code that are not below one that has some."""
        missing: dict[int, Any] = {}
        left = list(self._roots)
        while left:
            function = left.pop()
            if id(function) not in missing and not function.overloads:
                missing[id(function)] = function
                left.extend(find_called(function))
        return list(missing.values())


def _count_misses(functions: Iterable[Any]) -> int:
    # Another thread may be adding to the counts: a list is copied at once.
    return sum(sum(list(function.stats.cache_misses.values())) for function in functions)
