"""The key of a scene in the pool of worlds: scenes with equal keys can share a world."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from poise.characters.model import Character
from poise.world.cast import Cast, make_cast
from poise.world.controller import Controller


def make_key(characters: Sequence[Character], drivers: Sequence[Controller | Cast | None], *rest: Any) -> bytes:
    """A digest of everything that defines a world; empty if it cannot be computed."""
    casts = [make_cast(driver) for driver in drivers]
    controllers = [[*(_describe(c) for c in one.controllers.values()), one.names, one.start] for one in casts]
    # Bodies are not pickled, since their cached properties would affect the digest.
    bodies = [repr([getattr(body, f.name) for f in fields(body)]) for body in characters]
    try:
        return hashlib.sha256(pickle.dumps((bodies, controllers, rest))).digest()
    except (pickle.PicklingError, TypeError, AttributeError):
        # A user's controller may hold objects that cannot be pickled.
        return b""


def _describe(controller: Controller) -> tuple[Any, ...]:
    """Everything that distinguishes a controller. Laws and pilot factories are compared by identity."""
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
        controller.diary,
        None if guard is None else (guard.fixed.tobytes(), guard.whole),
    )
