"""`poise.run`: simulate a controller on a character, given by names or objects, and measure the motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from poise.batches.threads import Progress
from poise.characters.model import Character
from poise.constants import DEFAULT_RECORD_HZ, DEFAULT_TIMESTEP_S
from poise.errors import DivergedError, InputError
from poise.measures.metrics import Metrics, compute_metrics
from poise.recordings.recording import Recording
from poise.rollout.describe import describe
from poise.rollout.scene import Scene, StartNoise
from poise.rollout.simulate import Change, simulate
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.ground import PenaltyGround
from poise.world.pilot import Pilot
from poise.world.props import Prop
from poise.world.snapshots import save_snapshot
from poise.world.terrain import Terrain
from poise.world.world import Push, World


@dataclass(frozen=True)
class Run:
    """The recording of a run and its metrics."""

    recording: Recording
    metrics: Metrics

    def __repr__(self) -> str:
        return f"<Run of {self.metrics.describe()}>"


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
    noise: float = 0.0,
    random_body: int | None = None,
    pilots: Sequence[Pilot] = (),
    record_hz: float = DEFAULT_RECORD_HZ,
    stop_on_fall: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Simulate a controller and measure the motion.

    Names are those of `poise list`. `set` changes parameters before the start, `at` during the run; `scale` edits
    proportions (`left_leg`, `trunk`, `mass` …), `random_body` draws them. `ground` is "default", "firm", or a
    `PenaltyGround`; the default is the ground that the controller is made for. `noise` is the spread of normal noise on
    all initial velocities (m/s, rad/s), drawn with `seed`. `progress` is called with the completed fraction.
    """
    _check_kind("seconds", seconds, int, float)
    _check_kind("noise", noise, int, float)
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
        noise=StartNoise(noise) if noise else None,
        random_body=random_body,
    )
    return run_scene(scene, seconds, pilots=pilots, record_hz=record_hz, stop_on_fall=stop_on_fall, progress=progress)


def _check_kind(name: str, value: object, *kinds: type) -> None:
    if not isinstance(value, kinds) or isinstance(value, bool):
        allowed = " or ".join(k.__name__ for k in kinds)
        raise InputError(f"{name} has the wrong type", where="run", got=value, allowed=f"It must be {allowed}")


def run_scene(
    scene: Scene,
    seconds: float = 10.0,
    *,
    pilots: Sequence[Pilot] = (),
    record_hz: float = DEFAULT_RECORD_HZ,
    stop_on_fall: bool = False,
    progress: Progress | None = None,
    on_open: Callable[[World], None] | None = None,
    rescue_path: str | PathLike[str] = "out/diverged.npz",
) -> Run:
    """Open a scene, run it for `seconds` and measure it. If it diverges, the last good snapshot is saved.

    `on_open` is called with the world before the first tick.
    """
    world = scene.open()
    for pilot in pilots:
        world.add_pilot(pilot)
    if on_open is not None:
        on_open(world)
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
