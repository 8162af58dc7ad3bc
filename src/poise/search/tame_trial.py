"""One trial of a tracked clip: time on its feet, speed, and distance to the recording.

`poise.search.tame_cost` turns trials into costs; experiments report them directly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any, Final

import numpy as np

from poise.batches.threads import heartbeat
from poise.characters.model import Character
from poise.controllers.tracker import layout
from poise.controllers.tracker.cycle import Track, drop_lead_in, make_endless, make_track
from poise.controllers.tracker.reference import RATE_HZ, make_reference
from poise.controllers.tracker.spec import Gains, build_from_track, check_body, retouch_track
from poise.motion.read_settings import PLAIN_READING, ReadSettings
from poise.motion.repeat import lengthen
from poise.motion.rotations import FloatArray
from poise.motion.shipped import find_clip
from poise.rollout.pool import lend_world
from poise.rollout.run import WATCH, Ticks, Until, Watch, run
from poise.rollout.scene import LoadedScene, Scene
from poise.world.body_state import perturb_velocities
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.disturbances import Push
from poise.world.terrain import flat
from poise.world.world import World

TICKS_A_FRAME: Final = 30
"""Ticks of 1/900 s in a frame [Lee10 §5]."""

NOISE: Final = 0.02
"""Spread of the noise on all velocities at the start (m/s, rad/s): outcomes are chaotic, and one start says little."""

LEAD_S: Final = 4.0
"""Time for a walk to reach its speed from standing."""

STAND_S: Final = 2.0
"""Time for which a motion played once must stand after its end."""

PUSH_EVERY_S, PUSH_S = 2.0, 0.2


@dataclass(frozen=True, eq=False)
class Subject:
    """A clip on a character, cut into fragments, and the ground on which it is tracked."""

    track: Track
    controller: Controller
    friction: float = 1.0

    @property
    def character(self) -> Character:
        return self.track.reference.character

    @property
    def recorded_s(self) -> float:
        """Duration of the motion played once."""
        fragments = self.track.fragments
        return (fragments[-1].last - fragments[0].first) / RATE_HZ

    @property
    def lead_in(self) -> int:
        """Number of fragments before the cycle; 0 if it begins with the motion, or if none is repeated."""
        return max(self.track.back_to, 0)

    @property
    def lead_in_s(self) -> float:
        """Duration of the lead-in."""
        fragments = self.track.fragments
        return (fragments[self.lead_in].first - fragments[0].first) / RATE_HZ

    def with_track(self, track: Track) -> Subject:
        """The same character on the same ground with another motion."""
        return replace(self, track=track, controller=build_from_track(track, self.controller.name, Gains()))

    def without_lead_in(self) -> Subject:
        """The same subject, starting in its cycle."""
        return self.with_track(drop_lead_in(self.track))

    @cached_property
    def scene(self) -> LoadedScene:
        """The clip tracked with its own gains."""
        return self.make_scene({}).load()

    def make_scene(self, gains: Mapping[str, float]) -> Scene:
        """The clip tracked on flat ground; gains not named keep their defaults."""
        return Scene(
            self.controller,
            self.character,
            values=asdict(Gains(**gains)),
            terrain=flat().with_friction(self.friction),
            physics=PhysicsSettings(1.0 / (RATE_HZ * TICKS_A_FRAME)),
        )

    def cycle_velocity_mps(self) -> FloatArray:
        """Mean velocity (2,) of the root in the repeated cycle, or in the whole motion if it has none."""
        fragments, places = self.track.fragments, self.track.reference.root_pos_m
        first, last = fragments[max(self.track.back_to, 0)].first, fragments[-1].last
        way: FloatArray = places[last, :2] - places[first, :2]
        return way * RATE_HZ / (last - first)

    def fragment_way_m(self, k: int) -> FloatArray:
        """Displacement (2,) of the root in a fragment."""
        places, f = self.track.reference.root_pos_m, self.track.fragments[k]
        way: FloatArray = places[f.last, :2] - places[f.first, :2]
        return way


@dataclass(frozen=True)
class Trial:
    """Result of one start."""

    #: None if it stayed on its feet and, played once, reached its end and stood there.
    failed_at_s: float | None
    seconds: float
    fragments: int
    #: Speed in the recording's direction, without the first seconds; None if it fell in them or is played once.
    speed_mps: float | None
    #: Mean over joints and frames of the angle between body and recording.
    joint_error_rad: float
    #: Mean over fragments of the distance between the root's displacements in the world and in the recording.
    way_error_m: float
    #: Yaw of the pelvis relative to the recording at the end, positive to the left.
    yaw_error_rad: float

    @property
    def holds(self) -> bool:
        return self.failed_at_s is None


def make_subject(
    clip: str | PathLike[str],
    character: Character,
    *,
    once: bool = False,
    cycle: int | None = None,
    lead_in: bool = True,
    friction: float = 1.0,
    gains: Gains | None = None,
    retouch: Mapping[str, Any] | None = None,
    read: ReadSettings = PLAIN_READING,
) -> Subject:
    """A motion file on a character: one of its cycles endlessly, or the motion `once`; `retouch` is a table.

    Without `lead_in` it starts in the cycle.
    """
    check_body(character)
    motion = read.load(find_clip(str(clip)))
    reference = make_reference(motion if once else lengthen(motion), character)
    track = make_track(reference) if once else make_endless(reference, cycle=cycle, lead_in=lead_in)
    track = retouch_track(track, retouch, motion.name)
    return Subject(track, build_from_track(track, "trial", gains or Gains()), friction)


def run_trial(subject: Subject, gains: Mapping[str, float], seed: int, *, seconds: float, push_n: float = 0.0) -> Trial:
    """Run a start with the noise of a seed; gains not named keep their defaults.

    `seconds` applies to endless motions; all others get the time that they need. With `push_n`, the character is pushed
    every two seconds for 0.2 s, from any direction, with up to that force.
    """
    with lend_world(subject.scene) as world:
        for name, value in asdict(Gains(**gains)).items():
            world.set_parameter(name, value)
        watch = _Watch(subject, world, seed, push_n)
        if subject.track.is_endless:
            watch.lead_s = min(LEAD_S, 0.25 * seconds)
            return watch.run(seconds)
        # A stop may be delayed by some steps.
        return watch.run(2.0 * subject.recorded_s + 2.0 * STAND_S)


class _Watch:
    """A trial running in a world, which it inspects once per frame."""

    def __init__(self, subject: Subject, world: World, seed: int, push_n: float) -> None:
        self.subject, self.lead_s, self.world = subject, 0.0, world
        self._random = np.random.default_rng(seed)
        perturb_velocities(self.world, NOISE, self._random)
        self._push_n = push_n
        self._fragment, self._began = 0, self._place()
        self._errors: list[float] = []
        self._lead: tuple[float, FloatArray] | None = None

    def _place(self) -> FloatArray:
        place: FloatArray = self.world.state.positions[:2].copy()
        return place

    def run(self, seconds: float) -> Trial:
        """Run to the end of the motion, a fall, or the time limit."""
        self._schedule_pushes(seconds)
        frames = math.ceil(seconds * RATE_HZ)
        until: list[Until] = [Ticks(frames * TICKS_A_FRAME), "down", "diverged"]
        ending = run(self.world, until, watch=Watch(self._look, TICKS_A_FRAME), progress=heartbeat)
        if ending.error is not None:
            # The current position is meaningless.
            return replace(self._conclude(self.world.time_s), speed_mps=None, yaw_error_rad=0.0)
        ended = self.subject.track.is_endless or ending.reason == WATCH
        return self._conclude(self.world.fell_at_s() or (None if ended else self.world.time_s))

    def _schedule_pushes(self, seconds: float) -> None:
        for k in range(1, int(seconds / PUSH_EVERY_S)) if self._push_n > 0.0 else ():
            force, direction, late = self._random.uniform((0.3 * self._push_n, 0.0, 0.0), (self._push_n, 360.0, 1.0))
            self.world.push(Push(force, direction, PUSH_EVERY_S * k + late, PUSH_S))

    def _look(self, _: World) -> bool:
        """Compare a completed fragment with the recording; True once a motion played once has ended and stood."""
        now = int(self.world.memories[0][layout.FRAGMENT])
        if self.world.memories[0][layout.DONE] > len(self._errors):
            place = self._place()
            way = place - self._began - self.subject.fragment_way_m(self._fragment)
            self._errors.append(float(np.linalg.norm(way)))
            self._began, self._fragment = place, now
        if self._lead is None and self.world.time_s >= self.lead_s:
            self._lead = (self.world.time_s, self._place())
        return not self.subject.track.is_endless and self._has_stood()

    def _has_stood(self) -> bool:
        last = self.subject.track.fragments[-1]
        memory = self.world.memories[0]
        beyond = memory[layout.FRAME] - (last.last - last.first)
        return self._fragment == len(self.subject.track.fragments) - 1 and bool(beyond >= STAND_S * RATE_HZ)

    def _conclude(self, failed_at_s: float | None) -> Trial:
        memory = self.world.memories[0]
        return Trial(
            failed_at_s=failed_at_s,
            seconds=self.world.time_s,
            fragments=int(memory[layout.DONE]),
            speed_mps=self._find_speed(),
            joint_error_rad=float(memory[layout.ERROR_SUM] / max(1.0, memory[layout.ERROR_COUNT])),
            way_error_m=float(np.mean(self._errors)) if self._errors else 0.0,
            yaw_error_rad=self._find_yaw_error(),
        )

    def _find_speed(self) -> float | None:
        if not self.subject.track.is_endless or self._lead is None:
            return None
        time, place = self._lead
        velocity = self.subject.cycle_velocity_mps()
        passed = self.world.time_s - time
        along = (self._place() - place) @ velocity / np.linalg.norm(velocity)
        return float(along / passed) if passed > 0.0 else None

    def _find_yaw_error(self) -> float:
        """Yaw error of the pelvis against the recorded frame that is due."""
        fragment, memory = self.subject.track.fragments[self._fragment], self.world.memories[0]
        frame = min(fragment.first + int(memory[layout.FRAME]), fragment.last)
        w, x, y, z = self.world.percepts[0].quat_w[0]
        a, b, c, d = self.subject.track.reference.turns[frame, 0]
        off = 2.0 * math.atan2(-w * d - x * c + y * b + z * a, w * a + x * b + y * c + z * d)
        return math.remainder(off, 2.0 * math.pi)
