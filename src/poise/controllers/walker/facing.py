"""A walker that begins with its face in another direction than +x."""

from __future__ import annotations

from dataclasses import replace

from poise.controllers.walker import layout
from poise.world.controller import Controller


def is_walker(controller: Controller) -> bool:
    """Whether a controller's arrays are those of this package."""
    return controller.params.size == layout.PARAMS_SIZE and controller.memory.size == layout.MEMORY_SIZE


def turned(controller: Controller, heading_rad: float) -> Controller:
    """The walker for a body that begins with this heading; the one that is commanded stays."""
    memory = controller.memory.copy()
    record = memory.view(layout.MEMORY)[0]
    record.heading = record.goal = heading_rad
    return replace(controller, memory=memory)
