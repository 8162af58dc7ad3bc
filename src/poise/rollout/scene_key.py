"""The key of a scene in the pool of worlds: what tells one world from another."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np

from poise.characters.model import Character
from poise.world.cast import Cast, make_cast
from poise.world.controller import Controller


def make_key(characters: Sequence[Character], drivers: Sequence[Controller | Cast | None], *rest: Any) -> bytes:
    """A digest of what defines a world; empty if there can be none."""
    casts = [make_cast(driver) for driver in drivers]
    controllers = [[*(_describe(c) for c in one.controllers.values()), one.names, one.start] for one in casts]
    # Bodies are not pickled: what they have computed about themselves since they were made would count.
    bodies = [repr(body) for body in characters]
    try:
        return hashlib.sha256(pickle.dumps((bodies, controllers, rest))).digest()
    except (pickle.PicklingError, TypeError, AttributeError):
        # A controller of one's own may hold anything.
        return b""


def _describe(controller: Controller) -> tuple[Any, ...]:
    """What tells one controller from another. Laws and makers of pilots are known by their identity."""
    guard = controller.guard
    return (
        controller.name,
        id(controller.law),
        np.ascontiguousarray(controller.params).tobytes(),
        np.ascontiguousarray(controller.memory).tobytes(),
        controller.parameters,
        controller.start,
        dict(controller.provenance),
        (controller.limits_itself, controller.drives, controller.ground, controller.friction),
        None if controller.pilot is None else id(controller.pilot),
        controller.environment,
        None if guard is None else (guard.fixed.tobytes(), guard.whole),
    )
