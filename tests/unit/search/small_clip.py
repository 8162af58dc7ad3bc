"""A walk made from formulas, as a motion file of `lee13`."""

from __future__ import annotations

from pathlib import Path

from poise.controllers.tracker.reference import RATE_HZ, Reference
from poise.motion.clip import Clip
from poise.motion.load import write_clip
from unit.controllers.tracker.motions import make_stand, make_walk


def write_walk(path: Path) -> Path:
    """It has four cycles, and nobody has tuned anything for it."""
    return _write(make_walk(), path)


def write_stand(path: Path) -> Path:
    return _write(make_stand(), path)


def _write(reference: Reference, path: Path) -> Path:
    places, turns = reference.root_pos_m, reference.turns
    write_clip(Clip(path.stem, reference.skeleton, 1.0 / RATE_HZ, places, turns, character="lee13"), path)
    return path
