"""A pool of reusable worlds: opening a world takes longer than many trials.

    with lend_world(scene) as world:
        run(world, [10.0, "fall"])

The world is at time zero and bit-identical to a new one. It belongs to the borrower, in any thread, until the block
ends. Parameters, states, pushes, springs and replaced controllers are reset when it is lent again. The borrower must
remove the pilots it added, and may not change `ground_points`.
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

#: Idle worlds to keep; beyond that, the least recently used are dropped.
MOST_KEPT: Final = 24


class WorldPool:
    """Idle worlds by the key of their scene. Seeds, noise and pushes may differ between loans."""

    def __init__(self, most_kept: int = MOST_KEPT) -> None:
        self._most_kept, self._lock = most_kept, Lock()
        self._free: OrderedDict[bytes, list[tuple[World, LoadedScene]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(len(worlds) for worlds in self._free.values())

    @contextmanager
    def lend(self, scene: Scene | LoadedScene) -> Iterator[World]:
        """A world of a scene at time zero, for exclusive use.

        Loading is a large part of opening a scene: to borrow often, load it once with `Scene.load`.
        """
        loaded = scene.load() if isinstance(scene, Scene) else scene
        key = loaded.key
        with self._lock:
            kept = self._take(key)
        if kept is None:
            world = loaded.open()
        else:
            # Its controllers equal the requested ones; seed, noise and pushes may differ.
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
        """Drops all idle worlds."""
        with self._lock:
            self._free.clear()


def _renew(world: World, loaded: LoadedScene) -> None:
    """Resets a used world to the state in which it was opened."""
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
