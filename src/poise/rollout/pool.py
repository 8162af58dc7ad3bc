"""Worlds that are used again: opening one takes longer than many a trial.

    with lend_world(scene) as world:
        run(world, [10.0, "fall"])

The world is at time zero and as good as new, to the last bit. It belongs to the borrower until the block ends, in
whatever thread. Parameters, states, pushes, springs and replaced controllers are put back when it is lent again;
pilots that were added must be removed, and `ground_points` must be left as they are.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any, Final

from poise.errors import PoiseError
from poise.rollout.scene import LoadedScene, Scene
from poise.world.cast import make_cast
from poise.world.world import World

#: Worlds that wait to be lent; beyond that, those that were used longest ago are dropped.
MOST_KEPT: Final = 24


class WorldPool:
    """Worlds by what defines them. Seeds, noise and pushes may differ from loan to loan."""

    def __init__(self, most_kept: int = MOST_KEPT) -> None:
        self._most_kept, self._lock = most_kept, Lock()
        self._free: OrderedDict[bytes, list[tuple[World, LoadedScene]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(len(worlds) for worlds in self._free.values())

    @contextmanager
    def lend(self, scene: Scene | LoadedScene) -> Iterator[World]:
        """A world of a scene at time zero, which nobody else uses meanwhile.

        Loading a scene takes a good part of opening it: who borrows often does it once, with `Scene.load`.
        """
        loaded = scene.load() if isinstance(scene, Scene) else scene
        key = loaded.key
        with self._lock:
            kept = self._take(key)
        if kept is None:
            world = loaded.open()
        else:
            # Its controllers are equal to those that are wanted; seed, noise and pushes may not be.
            world, loaded = kept[0], replace(kept[1], scene=loaded.scene)
            _renew(world, loaded)
        pilots = world.pilots
        try:
            yield world
        except PoiseError:
            self._keep(key, world, loaded, pilots)
            raise
        self._keep(key, world, loaded, pilots)

    def _take(self, key: bytes) -> tuple[World, LoadedScene] | None:
        worlds = self._free.get(key)
        if not worlds:
            return None
        taken = worlds.pop()
        if not worlds:
            del self._free[key]
        return taken

    def _keep(self, key: bytes, world: World, loaded: LoadedScene, pilots: Sequence[Any]) -> None:
        own_pilots = any(actor.pilots for actor in loaded.scene.all_actors())
        if not key or own_pilots or len(world.pilots) != len(pilots):
            return
        with self._lock:
            self._free.setdefault(key, []).append((world, loaded))
            self._free.move_to_end(key)
            while len(self) > self._most_kept:
                oldest = next(iter(self._free))
                self._free[oldest].pop(0)
                if not self._free[oldest]:
                    del self._free[oldest]

    def clear(self) -> None:
        """Drops all worlds that wait."""
        with self._lock:
            self._free.clear()


def _renew(world: World, loaded: LoadedScene) -> None:
    """Puts a used world back to time zero, as if it had just been opened."""
    for k, driver in enumerate(loaded.drivers):
        for name, controller in make_cast(driver).controllers.items() if driver is not None else ():
            if world.member(name, k) is not controller:
                world.replace_controller(name, controller, k)
    world.seed, world.loop_wall_s = loaded.scene.seed, 0.0
    world.reset()
    loaded.disturb(world)


#: The pool of this process.
_POOL: Final = WorldPool()
lend_world = _POOL.lend
