"""Shared by the tracker's experiments: shipped clips with their gains, on any body and ground, and their runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.controllers.catalog import load_controller, read_controller_file
from poise.controllers.tracker import layout
from poise.controllers.tracker.cycle import Track, make_endless, make_track
from poise.controllers.tracker.reference import RATE_HZ, make_reference
from poise.controllers.tracker.spec import Gains, build_from_track
from poise.motion.load import load_clip
from poise.motion.repeat import lengthen
from poise.motion.rotations import FloatArray, quat_rotate
from poise.motion.shipped import find_clip
from poise.rollout.run import Ticks, Until, Watch
from poise.rollout.run import run as advance
from poise.rollout.scene import Scene, StartNoise
from poise.search.tame_trial import LEAD_S, NOISE, Subject
from poise.trials import heartbeat
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Push
from poise.world.ground import PenaltyGround
from poise.world.world import World

BODY, HEAVY = "lee13", "lee13_heavy"
TICK_S: Final = 1.0 / 900.0
#: Stiffness of each point of the ground [Lee10 §5].
STIFFNESS_NPM: Final = 2000.0
NORMAL: Final = "normal"
#: Shipped clips: endless walks, and motions that are played once.
WALKS: Final = (NORMAL, "slow", "fast", "march", "backward", "sneak", "happy")
TURNS: Final = ("left-45", "right-45", "left-90", "right-90", "u-turn", "spin")
SWING: Final = (
    "swing_speed_sagittal", "swing_speed_coronal", "swing_place_behind", "swing_place_ahead", "swing_place_coronal",
)  # fmt: skip
#: Our additions to the source, all off.
OURS_OFF: Final[Mapping[str, float]] = {
    "swing_world": 0.0,
    "swing_heading": 0.0,
    "speed_learning": 0.0,
    "speed_forgetting": 0.0,
    "stance_level": 0.0,
}
Changes = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Walk:
    """A shipped clip, cut into fragments, with its gains."""

    name: str
    track: Track
    gains: Changes
    friction: float = 1.0

    @property
    def character(self) -> Character:
        return self.track.reference.character

    def subject(self) -> Subject:
        """The walk as a subject of `poise.search.tame_trial`, which runs motions that are played once to their end."""
        return Subject(self.track, build_from_track(self.track, self.name, Gains(**self.gains)), self.friction)

    def direction(self) -> FloatArray:
        """Direction (2,) in which the recording travels."""
        velocity = self.subject().cycle_velocity_mps()
        return velocity / max(float(np.linalg.norm(velocity)), 1e-9)

    def recorded_mps(self) -> float:
        return float(np.linalg.norm(self.subject().cycle_velocity_mps()))


def load_walk(name: str, character: Character | None = None, *, lead_in: bool = True) -> Walk:
    """Load a shipped clip with the gains of its controller, on a body; without lead-in it begins in its cycle."""
    body = character or load_character(BODY)
    controller = load_controller(f"tracker/{name}", body)
    table = read_controller_file(f"tracker/{name}").table
    clip = load_clip(find_clip(str(table["clip"])))
    if table.get("endless", True):
        track = make_endless(make_reference(lengthen(clip), body), cycle=table.get("cycle"), lead_in=lead_in)
    else:
        track = make_track(make_reference(clip, body))
    gains = {name: float(value) for name, value in controller.values().items()}
    return Walk(name, track, gains, 1.0 if controller.friction is None else controller.friction)


@dataclass(frozen=True)
class Place:
    """Ground of a run; `friction` None takes the controller's, and a positive `slope_deg` climbs forward."""

    friction: float | None = None
    slope_deg: float = 0.0
    stiffness_npm: float = STIFFNESS_NPM

    def make(self, friction: float) -> PenaltyGround:
        mu = friction if self.friction is None else self.friction
        damping = 2.0 * math.sqrt(self.stiffness_npm)
        return PenaltyGround(self.stiffness_npm, damping, mu, math.radians(self.slope_deg), "fade")


@dataclass(frozen=True)
class Outcome:
    """Result of one run."""

    fell_at_s: float | None
    seconds: float
    #: Landings.
    steps: int
    #: Along the recording's direction, after the first seconds; 0 if it fell before.
    speed_mps: float
    joint_error_rad: float
    #: Lean of the torso at the end: forward and to the left.
    lean_deg: tuple[float, float]

    @property
    def walked(self) -> bool:
        return self.fell_at_s is None


@dataclass(frozen=True)
class Run:
    """Settings of a run besides the clip; `seed` draws noise for all initial speeds, 0 for no noise."""

    seconds: float = 30.0
    changes: Changes = field(default_factory=dict)
    seed: int = 0
    place: Place = Place()
    pushes: Sequence[Push] = ()
    tick_s: float = TICK_S


def open_walk(walk: Walk, run: Run) -> World:
    """World at the start of a run, with the lowest point of the body on the ground."""
    controller = build_from_track(walk.track, walk.name, Gains(**{**walk.gains, **run.changes}))
    ground = run.place.make(walk.friction)
    world = Scene(
        controller,
        walk.character,
        physics=PhysicsSettings(run.tick_s),
        ground=ground,
        pushes=run.pushes,
        noise=StartNoise(NOISE, run.seed) if run.seed else None,
    ).open()
    if run.place.slope_deg:
        world.percepts[0].root_q[2] -= find_clearance_m(world, ground.slope_rad)
        world.warm_up()
    return world


def find_clearance_m(world: World, slope_rad: float) -> float:
    """Vertical distance of a body's lowest point above a sloping plane; negative below it."""
    percept, least = world.percepts[0], math.inf
    for k, segment in enumerate(world.characters[0].segments):
        points = np.array(segment.ground_m).reshape(-1, 3)
        turns = np.broadcast_to(percept.quat_w[k], (len(points), 4))
        places = percept.pos_w[k] + quat_rotate(turns, points)
        least = min(least, float(np.min(places[:, 2] - math.tan(slope_rad) * places[:, 0], initial=math.inf)))
    return least


def run_walk(walk: Walk, run: Run) -> Outcome:
    """Run an endless walk until it falls or its time is up."""
    world = open_walk(walk, run)
    ticks, lead = round(1.0 / (RATE_HZ * run.tick_s)), min(LEAD_S, 0.25 * run.seconds)
    frames = math.ceil(run.seconds * RATE_HZ)
    began: tuple[float, FloatArray] | None = None

    def look(world: World) -> None:
        nonlocal began
        if began is None and world.time_s >= lead:
            began = (world.time_s, world.state.positions[:2].copy())

    until: list[Until] = [Ticks(frames * ticks), "down", "diverged"]
    ending = advance(world, until, watch=Watch(look, ticks), progress=heartbeat)
    return conclude(walk, world, world.time_s if ending.error else world.fell_at_s(), began)


def conclude(walk: Walk, world: World, fell_at_s: float | None, began: tuple[float, FloatArray] | None) -> Outcome:
    """Result of a run that has ended; `began` is the time and position from which speed is measured."""
    memory, speed = world.memories[0], 0.0
    if began is not None and world.time_s > began[0]:
        way = (world.state.positions[:2] - began[1]) @ walk.direction()
        speed = float(way / (world.time_s - began[0]))
    # The lead-in begins standing.
    first = 1 if walk.track.fragments[0].stance == "both" else 0
    return Outcome(
        fell_at_s=fell_at_s,
        seconds=world.time_s,
        steps=max(0, int(memory[layout.DONE]) - first),
        speed_mps=speed,
        joint_error_rad=float(memory[layout.ERROR_SUM] / max(1.0, memory[layout.ERROR_COUNT])),
        lean_deg=find_lean_deg(world),
    )


def find_lean_deg(world: World) -> tuple[float, float]:
    """Lean of the torso from the vertical: forward and to the left of its heading."""
    percept, character = world.percepts[0], world.characters[0]
    trunk = character.segment_names.index(character.roles["trunk"])
    up = quat_rotate(percept.quat_w[trunk], np.array([0.0, 0.0, 1.0]))
    c, s = math.cos(percept.heading_rad[0]), math.sin(percept.heading_rad[0])
    ahead, left = c * up[0] + s * up[1], c * up[1] - s * up[0]
    return math.degrees(math.atan2(ahead, up[2])), math.degrees(math.atan2(left, up[2]))


def with_mass(character: Character, segment: str, more_kg: float) -> Character:
    """Return the body with a heavier segment, its inertia scaled alike."""
    return replace(character, segments=tuple(
        replace(s, mass_kg=s.mass_kg + more_kg,
                inertia_kgm2=_scaled_inertia(s.inertia_kgm2, (s.mass_kg + more_kg) / s.mass_kg))
        if s.name == segment else s
        for s in character.segments
    ))  # fmt: skip


def with_masses_of(character: Character, other: Character) -> Character:
    """Return the body with the masses of another body that has the same segments."""
    for s in other.segments:
        own = character.segment(s.name).mass_kg
        character = with_mass(character, s.name, s.mass_kg - own)
    return character


def _scaled_inertia(inertia: Sequence[float], factor: float) -> Any:
    return tuple(v * factor for v in inertia)


def find_limit(
    holds: Callable[[float], bool], values: Sequence[float], *, from_index: int = 0
) -> tuple[float | None, int]:
    """Last of rising values that holds before one that does not, by bisection, and the number of values tried.

    `from_index` is tried first. A value that holds beyond one that does not goes unnoticed.
    """
    low, high, k, tried = -1, len(values), from_index, 0
    while high - low > 1:
        tried += 1
        low, high = (k, high) if holds(values[k]) else (low, k)
        k = (low + high) // 2
    return (values[low] if low >= 0 else None), tried


def show_steps(outcomes: Mapping[str, Sequence[Outcome]]) -> str:
    """Describe steps of runs by clip, such as `normal 4/5`; a run without a fall is `no fall`."""
    return ", ".join(
        f"{name} {'/'.join('no fall' if o.walked else str(o.steps) for o in found)}" for name, found in outcomes.items()
    )
