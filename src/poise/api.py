"""`poise.run`: simulate a controller on a character in a world, by names or objects, and measure the motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from os import PathLike
from pathlib import Path

from poise import __version__
from poise.characters.model import Character
from poise.characters.proportions import scaled
from poise.characters.random_bodies import random_body as make_random_body
from poise.constants import DEFAULT_RECORD_HZ, DEFAULT_TIMESTEP_S
from poise.controllers.catalog import default_character, load_controller
from poise.errors import DivergedError, InputError
from poise.measures.metrics import Metrics, compute_metrics
from poise.recordings.recording import Recording
from poise.rollout.simulate import Change, simulate
from poise.trust import Trust, current_trust, trusting
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.ground import PenaltyGround
from poise.world.pilot import Pilot
from poise.world.props import Prop
from poise.world.snapshots import save_snapshot
from poise.world.terrain import Terrain, flat, parse_terrain
from poise.world.world import Push, World

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Scene:
    """Everything that defines a run. Names are looked up when it is opened, so a scene of names can go anywhere."""

    controller: str | Controller
    character: str | Character | None = None
    values: Mapping[str, float | str] = field(default_factory=dict)
    scale: Mapping[str, float] = field(default_factory=dict)
    #: None is flat ground, or that which the controller brings along.
    terrain: str | Terrain | None = None
    friction: float | None = None
    pushes: Sequence[Push] = ()
    changes: Sequence[Change] = ()
    props: Sequence[Prop] = ()
    ground: PenaltyGround | None = None
    physics: PhysicsSettings = field(default_factory=PhysicsSettings)
    seed: int = 0
    #: Seed of random proportions, on which `scale` acts; None leaves the character as it is.
    random_body: int | None = None
    #: What the files that it names may lead to: that of the place where the scene was made, wherever it is opened.
    trust: Trust = field(default_factory=current_trust)

    def load_character(self) -> Character:
        """The body, with its proportions edited."""
        with trusting(self.trust):
            return self._load_character()

    def _load_character(self) -> Character:
        body = self.character
        if body is None:
            body = default_character(self.controller) if isinstance(self.controller, str) else "biped7"
        if isinstance(body, str):
            body = load_any_character(body)
        if self.random_body is not None:
            body = make_random_body(body, self.random_body)
        return scaled(body, **self.scale) if self.scale else body

    def open(self) -> World:
        """The world at time zero, pushes scheduled."""
        with trusting(self.trust):
            return self._open()

    def _open(self) -> World:
        character = self._load_character()
        controller = self.controller
        if isinstance(controller, str):
            controller = load_controller(controller, character)
        controller = controller.with_values(self.values)
        terrain = parse_terrain(self.terrain) if isinstance(self.terrain, str) else self.terrain
        if self.friction is not None:
            brought = controller.environment.terrain if controller.environment else None
            terrain = (terrain or brought or flat()).with_friction(self.friction)
        world = World(
            [character],
            [controller],
            terrain=terrain,
            props=self.props,
            settings=self.physics,
            ground=self.ground,
            seed=self.seed,
        )
        for push in self.pushes:
            world.push(push)
        return world


@dataclass(frozen=True)
class Run:
    """The recording of a run and what was measured on it."""

    recording: Recording
    metrics: Metrics


def run(
    controller: str | Controller,
    *,
    character: str | Character | None = None,
    seconds: float = 10.0,
    set: Mapping[str, float | str] | None = None,
    scale: Mapping[str, float] | None = None,
    terrain: str | Terrain | None = None,
    friction: float | None = None,
    pushes: Sequence[Push] = (),
    at: Sequence[Change] = (),
    props: Sequence[Prop] = (),
    ground: str | PenaltyGround | None = None,
    timestep_s: float = DEFAULT_TIMESTEP_S,
    physics: PhysicsSettings | None = None,
    seed: int = 0,
    random_body: int | None = None,
    pilots: Sequence[Pilot] = (),
    record_hz: float = DEFAULT_RECORD_HZ,
    stop_on_fall: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Simulates and measures.

    Names are those of `poise list`; `set` changes parameters before the start, `at` while it runs, `scale` edits
    proportions (`left_leg`, `trunk`, `mass` …), `random_body` draws them. `ground` is "default", "firm", or one of
    springs; without it the controller has the one for which it is made. `progress` is called with the part that is
    done.
    """
    _check_kind("seconds", seconds, int, float)
    if terrain is not None:
        _check_kind("terrain", terrain, str, Terrain)
    for push in pushes:
        _check_kind("pushes", push, Push)
    for change in at:
        _check_kind("at", change, Change)
    settings = physics or PhysicsSettings(timestep_s=timestep_s)
    scene = Scene(
        controller=controller,
        character=character,
        values=set or {},
        scale=scale or {},
        terrain=terrain,
        friction=friction,
        pushes=tuple(pushes),
        changes=tuple(at),
        props=tuple(props),
        ground=None if isinstance(ground, str) else ground,
        physics=replace(settings, ground=ground) if isinstance(ground, str) else settings,
        seed=seed,
        random_body=random_body,
    )
    return run_scene(scene, seconds, pilots=pilots, record_hz=record_hz, stop_on_fall=stop_on_fall, progress=progress)


def _check_kind(name: str, value: object, *kinds: type) -> None:
    if not isinstance(value, kinds) or isinstance(value, bool):
        allowed = " or ".join(k.__name__ for k in kinds)
        raise InputError(f"{name} is of the wrong kind", where="run", got=value, allowed=f"It must be {allowed}")


def run_scene(
    scene: Scene,
    seconds: float = 10.0,
    *,
    pilots: Sequence[Pilot] = (),
    record_hz: float = DEFAULT_RECORD_HZ,
    stop_on_fall: bool = False,
    progress: Progress | None = None,
    rescue_path: str | PathLike[str] = "out/diverged.npz",
) -> Run:
    """Opens a scene, runs it for `seconds` and measures. If it diverges, the last good snapshot is saved."""
    world = scene.open()
    for pilot in pilots:
        world.add_pilot(pilot)
    try:
        recording = simulate(
            world,
            seconds,
            changes=scene.changes,
            record_hz=record_hz,
            stop_on_fall=stop_on_fall,
            progress=progress,
            meta=describe(scene, world),
        )
    except DivergedError as error:
        if error.snapshot is not None:
            save_snapshot(error.snapshot, rescue_path)
            error.snapshot_path = Path(rescue_path)
        raise
    return Run(recording, compute_metrics(recording))


def _describe_steady(world: World) -> dict[str, object] | None:
    """Boxes that never move and that the terrain's text does not tell of: pictures show them."""
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


def describe(scene: Scene, world: World) -> dict[str, object]:
    """The settings of a run as plain data, for the recording."""
    return {
        "poise": __version__,
        "seed": scene.seed,
        "terrain": world.terrain.spec,
        "friction": world.terrain.friction,
        "scale": dict(scene.scale),
        "random_body": scene.random_body,
        "parameters": world.controllers[0].values(),
        "script": world.controllers[0].provenance.get("script"),
        "changed": dict(scene.values),
        "pushes": [asdict(p) for p in scene.pushes],
        "changes": [asdict(c) for c in scene.changes],
        "props": [p.name for p in world.props],
        "steady": _describe_steady(world),
        "ground": asdict(scene.ground) if scene.ground else None,
        "timestep_s": scene.physics.timestep_s,
        "physics": asdict(world.settings),
    }
