"""A walker with an initial heading other than +x."""

from __future__ import annotations

from dataclasses import replace

from poise.controllers.walker import layout
from poise.world.controller import Controller


def is_walker(controller: Controller) -> bool:
    """Whether a controller's arrays are those of this package."""
    return controller.params.size == layout.PARAMS_SIZE and controller.memory.size == layout.MEMORY_SIZE


def turned(controller: Controller, heading_rad: float) -> Controller:
    """The walker for a body with this initial heading; the commanded heading is unchanged."""
    memory = controller.memory.copy()
    record = memory.view(layout.MEMORY)[0]
    record.heading = record.goal_heading = heading_rad
    return replace(controller, memory=memory)
