"""Progress of a compilation: what is needed is known before, and what is done is what is compiled."""

import numba
import pytest

from poise.controllers.walker.law import walker_law
from poise.kernels.jit import JIT_ENABLED
from poise.kernels.progress import Progress, find_called
from poise.world.loop import run_ticks

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")


@numba.njit
def leaf(x):
    return x + 1.0


@numba.njit
def shared(x):
    return leaf(x) * 2.0


@numba.njit
def alone(x):
    return -x


@numba.njit
def root(x):
    return shared(x) + alone(x) + leaf(x)


def make_inner(law):
    @numba.njit
    def inner(x):
        return law(x)

    return inner


def names(functions) -> set[str]:
    return {f.py_func.__name__ for f in functions}


def test_calls_are_found_in_the_code() -> None:
    assert names(find_called(root)) == {"shared", "alone", "leaf"}
    assert names(find_called(shared)) == {"leaf"} and find_called(leaf) == ()
    assert names(find_called(make_inner(alone))) == {"alone"}


def test_progress_counts_what_is_compiled() -> None:
    progress = Progress([root, shared, lambda x: x])
    assert (progress.needed, progress.done, progress.compiles) == (4, 0, False)
    leaf(1.0)
    assert (progress.done, progress.compiles) == (1, True)
    shared(1.0)
    assert progress.done == 2
    root(1.0)
    assert progress.done == progress.needed == 4
    assert Progress([root]).needed == 0


def test_what_is_below_a_loaded_function_is_done() -> None:
    @numba.njit
    def below(x):
        return x

    @numba.njit
    def above(x):
        return below(x)

    progress = Progress([above])
    assert progress.needed == 2
    above.overloads["as if loaded"] = object()
    assert progress.done == 2


def test_loading_from_the_disk_is_not_compiling() -> None:
    class Loaded:
        py_func = staticmethod(lambda x: x)
        overloads: dict[str, object] = {}

        class stats:  # noqa: N801
            cache_misses: dict[str, int] = {}

    progress = Progress([Loaded])
    Loaded.overloads["float64"] = object()
    assert (progress.done, progress.needed, progress.compiles) == (1, 1, False)
    Loaded.stats.cache_misses["float64"] = 1
    assert progress.compiles


def test_the_loop_and_its_law_are_counted() -> None:
    assert {"follow_commands", "hold_arms"} <= names(find_called(walker_law))
    assert {"step1", "sense_whole"} <= {n for f in [run_ticks, *find_called(run_ticks)] for n in names(find_called(f))}
