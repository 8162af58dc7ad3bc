"""Poise: two-legged characters that move by physics and control.

>>> import poise
>>> result = poise.run("simbicon/planar-walk", seconds=5)
>>> result.metrics.fallen
False
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "Actor",
    "Change",
    "Push",
    "Run",
    "Scene",
    "Spawn",
    "StartNoise",
    "__version__",
    "allowing",
    "run",
    "run_scene",
]

if TYPE_CHECKING:
    from poise.api import Run, run, run_scene
    from poise.rollout.scene import Actor, Scene, StartNoise
    from poise.rollout.simulate import Change
    from poise.trust import allowing
    from poise.world.world import Push, Spawn

_HOMES = {
    "Actor": "poise.rollout.scene",
    "Change": "poise.rollout.simulate",
    "Push": "poise.world.world",
    "Run": "poise.api",
    "Scene": "poise.rollout.scene",
    "Spawn": "poise.world.world",
    "StartNoise": "poise.rollout.scene",
    "allowing": "poise.trust",
    "run": "poise.api",
    "run_scene": "poise.api",
}


def __getattr__(name: str) -> Any:
    """Names are fetched when they are first used: importing numba and MuJoCo takes most of a second."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'poise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
