"""The entities that controllers refer to by name: their positions, visibility and collisions."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np

from poise.errors import unknown_name
from poise.kernels.ground import GroundTable
from poise.world.environment import Entity
from poise.world.ground_table import set_solid
from poise.world.notebook import Notebook

BOTH = (True, True)


class Surroundings:
    """Switches drawing and collisions of entities' geoms; the world's notebook records the switches."""

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, entities: Mapping[str, Entity], ground: GroundTable
    ) -> None:
        self._model, self._data, self._ground = model, data, ground
        self.entities = dict(entities)
        self._alpha = np.array(model.geom_rgba[:, 3])
        self._contype, self._conaffinity = np.array(model.geom_contype), np.array(model.geom_conaffinity)

    def toggle(self, notebook: Notebook, entity: str, *, drawn: bool = False, collides: bool = False) -> None:
        """Toggles whether an entity is drawn, and whether it collides."""
        was_drawn, did_collide = notebook.toggled.get(entity, BOTH)
        now = (was_drawn != drawn, did_collide != collides)
        self._set(entity, now)
        notebook.toggled[entity] = now
        if now == BOTH:
            del notebook.toggled[entity]

    def follow(self, before: Notebook, after: Notebook) -> None:
        """Switches every entity from the state in one notebook to that in another."""
        for entity in {*before.toggled, *after.toggled}:
            self._set(entity, after.toggled.get(entity, BOTH))

    def x_m(self, entity: str) -> float:
        """Position of an entity along x: the mean of the centres of its bodies, or of its solids."""
        found = self._find(entity)
        if found.props:
            return float(np.mean([self._data.body(p).xipos[0] for p in found.props]))
        return float(np.mean([self._data.geom(g).xpos[0] for g in found.geoms]))

    def _find(self, name: str) -> Entity:
        if name not in self.entities:
            raise unknown_name("world", "entity", name, list(self.entities))
        return self.entities[name]

    def _set(self, entity: str, state: tuple[bool, bool]) -> None:
        found, model = self._find(entity), self._model
        bodies = {int(model.body(p).id) for p in found.props}
        geoms = [g for g in range(model.ngeom) if int(model.geom_bodyid[g]) in bodies]
        for g in [*geoms, *(int(model.geom(name).id) for name in found.geoms)]:
            drawn, collides = state
            model.geom_rgba[g, 3] = self._alpha[g] if drawn else 0.0
            model.geom_contype[g] = self._contype[g] if collides else 0
            model.geom_conaffinity[g] = self._conaffinity[g] if collides else 0
        set_solid(self._ground, found.geoms, state[1])
