"""Poise: physics simulation and control of two-legged characters.

>>> import poise
>>> result = poise.run("simbicon/planar-walk", seconds=5)
>>> result.metrics.fallen
False

`docs/api.md` describes every public name of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "Actor",
    "Cast",
    "Change",
    "Character",
    "Controller",
    "DivergedError",
    "InputError",
    "Metrics",
    "Pilot",
    "PoiseError",
    "Prop",
    "Push",
    "Recording",
    "Run",
    "Scene",
    "Snapshot",
    "Spawn",
    "StartNoise",
    "Terrain",
    "World",
    "__version__",
    "allowing",
    "check_controller",
    "check_pilot",
    "compute_metrics",
    "export",
    "load_character",
    "load_controller",
    "load_recording",
    "load_snapshot",
    "optimize",
    "parse_terrain",
    "run",
    "run_scene",
    "save_recording",
    "save_snapshot",
    "sense",
    "simulate",
    "sweep",
]

if TYPE_CHECKING:
    from poise.api import Run, run, run_scene
    from poise.characters.model import Character
    from poise.checking.contract import check_controller, check_pilot
    from poise.controllers.catalog import load_controller
    from poise.errors import DivergedError, InputError, PoiseError
    from poise.measures.metrics import Metrics, compute_metrics
    from poise.recordings.recording import Recording
    from poise.recordings.recording_file import load_recording, save_recording
    from poise.rollout.actor import Actor
    from poise.rollout.export import export
    from poise.rollout.scene import Scene, StartNoise
    from poise.rollout.simulate import Change, simulate
    from poise.search.optimize import optimize
    from poise.trials.sweep import sweep
    from poise.trust import allowing
    from poise.world.adopt import load_any_character as load_character
    from poise.world.cast import Cast
    from poise.world.controller import Controller
    from poise.world.disturbances import Push, Spawn
    from poise.world.pilot import Pilot
    from poise.world.props import Prop
    from poise.world.senses import sense
    from poise.world.snapshots import Snapshot, load_snapshot, save_snapshot
    from poise.world.terrain import Terrain, parse_terrain
    from poise.world.world import World

_HOMES = {
    "Actor": "rollout.actor",
    "Cast": "world.cast",
    "Change": "rollout.simulate",
    "Character": "characters.model",
    "Controller": "world.controller",
    "DivergedError": "errors",
    "InputError": "errors",
    "Metrics": "measures.metrics",
    "Pilot": "world.pilot",
    "PoiseError": "errors",
    "Prop": "world.props",
    "Push": "world.disturbances",
    "Recording": "recordings.recording",
    "Run": "api",
    "Scene": "rollout.scene",
    "Snapshot": "world.snapshots",
    "Spawn": "world.disturbances",
    "StartNoise": "rollout.scene",
    "Terrain": "world.terrain",
    "World": "world.world",
    "allowing": "trust",
    "check_controller": "checking.contract",
    "check_pilot": "checking.contract",
    "compute_metrics": "measures.metrics",
    "export": "rollout.export",
    "load_character": "world.adopt:load_any_character",
    "load_controller": "controllers.catalog",
    "load_recording": "recordings.recording_file",
    "load_snapshot": "world.snapshots",
    "optimize": "search.optimize",
    "parse_terrain": "world.terrain",
    "run": "api",
    "run_scene": "api",
    "save_recording": "recordings.recording_file",
    "save_snapshot": "world.snapshots",
    "sense": "world.senses",
    "simulate": "rollout.simulate",
    "sweep": "trials.sweep",
}


def __getattr__(name: str) -> Any:
    """Import names on first use: importing numba and MuJoCo takes most of a second."""
    if name in _HOMES:
        from importlib import import_module

        module, _, original = _HOMES[name].partition(":")
        return getattr(import_module(f"poise.{module}"), original or name)
    raise AttributeError(f"module 'poise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
