"""The settings of a run as plain data, for its recording."""

from __future__ import annotations

from dataclasses import asdict

from poise import __version__
from poise.rollout.scene import Scene
from poise.rollout.simulate import Change
from poise.world.controller import Controller
from poise.world.world import World


def describe(scene: Scene, world: World) -> dict[str, object]:
    """The settings of a run; several characters are listed under `actors`."""
    actors = scene.all_actors()
    described: dict[str, object] = {
        "poise": __version__,
        "seed": scene.seed,
        "terrain": world.terrain.spec,
        "friction": world.terrain.friction,
        "scale": dict(actors[0].scale),
        "random_body": actors[0].random_body,
        "parameters": world.controllers[0].named_values(),
        "script": world.controllers[0].provenance.get("script"),
        "unset": find_unset(scene, world),
        "warnings": list(world.controllers[0].remarks),
        "changed": dict(actors[0].values),
        "pushes": [asdict(p) for p in scene.pushes],
        "changes": [_describe_change(c, world.controllers[c.character]) for c in scene.changes],
        "props": [p.name for p in world.props],
        "steady": _describe_steady(world),
        "ground": asdict(scene.ground) if scene.ground else None,
        "timestep_s": scene.physics.timestep_s,
        "physics": asdict(world.settings),
    }
    if scene.noise is not None:
        seed = scene.seed if scene.noise.seed is None else scene.noise.seed
        described["noise"] = {"spread": scene.noise.spread, "seed": seed}
    if len(actors) > 1:
        described["actors"] = [
            {
                "controller": controller.name,
                "character": character.name,
                "parameters": controller.named_values(),
                "changed": dict(actor.values),
                "scale": dict(actor.scale),
                "random_body": actor.random_body,
                "spawn": asdict(spawn),
            }
            for actor, character, controller, spawn in zip(
                actors, world.characters, world.controllers, world.spawns, strict=True
            )
        ]
    return described


def find_unset(scene: Scene, world: World) -> list[str]:
    """Parameters of the first character's script that neither the script nor the scene sets: they are 0."""
    given = scene.all_actors()[0].values
    return [name for name in world.controllers[0].provenance.get("unset", ()) if name not in given]


def _describe_change(change: Change, controller: Controller) -> dict[str, object]:
    """A change with the full name of its parameter, and the name of a choice."""
    parameter, (_, value) = controller.parameter(change.name), controller.check_value(change.name, change.value)
    return {**asdict(change), "name": parameter.name, "value": parameter.name_value(value)}


def _describe_steady(world: World) -> dict[str, object] | None:
    """Fixed boxes that the terrain's text does not describe, for figures to show."""
    boxes = [
        {"size_m": shape.size_m, "center_m": prop.position_m, "quat_wxyz": prop.quat_wxyz}
        for prop in world.props
        for shape in prop.shapes
        if not prop.free and shape.kind == "box" and not any(shape.center_m)
    ]
    if world.terrain.spec == "environment":
        boxes += [{"size_m": s.size_m, "center_m": s.center_m, "quat_wxyz": s.quat_wxyz} for s in world.terrain.solids]
    plane = world.terrain.plane_height_m if world.terrain.plane else -1e3
    return {"boxes": boxes, "plane_height_m": plane} if boxes else None
