"""Runs of skills: one world that switches between scripts, and the track of the body."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.errors import DivergedError
from poise.skills.moment import Moment, find_places, hand_over, has_ended, put_moment, take_moment
from poise.skills.skill import Skill
from poise.world.cast import Cast
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.tape import TapeLog
from poise.world.world import World

FloatArray = NDArray[np.float64]
#: All skills share the ground that the language was designed for.
GROUND: Final = "firm"
RECORD_HZ: Final = 100.0
#: The member of a stage's cast that is replaced.
CANDIDATE: Final = "candidate"
#: Segments that should not touch the ground in a skill on hands and feet.
TENDER: Final = ("head", "neck", "upper_trunk", "lower_trunk", "pelvis")
#: How long to wait for a moment at which a skill may be left.
PATIENCE_S: Final = 4.0
#: How a skill was left: it ended, its loop restarted, neither happened in time, or the simulation diverged.
ENDED, LEFT, OVERDUE, DIVERGED = "ended", "left", "overdue", "diverged"


@dataclass(frozen=True, eq=False)
class Track:
    """Motion of a body, sampled 100 times a second."""

    time_s: FloatArray  # (F,)
    com_m: FloatArray  # (F, 2) forward and up
    speed_mps: FloatArray  # (F,) of the centre of mass, forward
    trunk_rad: FloatArray  # (F,) lean in the world, unwrapped
    joint_rad: FloatArray  # (F, J)
    joint_radps: FloatArray  # (F, J)
    torque_nm: FloatArray  # (F, J)
    knocked: FloatArray  # (F,) 1 where the head or trunk touches anything, else 0

    def __len__(self) -> int:
        return len(self.time_s)

    def since(self, time_s: float, until_s: float = np.inf) -> Track:
        """The part from one time until another, both inclusive."""
        chosen = (self.time_s >= time_s - 1e-9) & (self.time_s <= until_s + 1e-9)
        return Track(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


def read_track(log: TapeLog, character: Character) -> Track:
    """Read the track of a planar body from a log."""
    arrays = log.arrays()
    trunk = arrays["quat"][:, 1 + character.segment_names.index(character.roles["trunk"])]
    root = 3
    return Track(
        arrays["time"],
        arrays["com"][:, 0, (0, 2)],
        arrays["com"][:, 0, 3],
        np.unwrap(2.0 * np.arctan2(trunk[:, 2], trunk[:, 0])),
        arrays["qpos"][:, root:],
        arrays["qvel"][:, root:],
        arrays["torque"],
        _find_knocks(arrays, character),
    )


def _find_knocks(arrays: dict[str, np.ndarray], character: Character) -> FloatArray:
    # The first body is the world.
    wanted = [1 + k for k, name in enumerate(character.segment_names) if name in TENDER]
    rows = np.flatnonzero(np.isin(arrays["contact_bodies"], wanted).any(axis=1))
    knocked = np.zeros(len(arrays["time"]))
    knocked[np.searchsorted(arrays["contact_start"], rows, side="right") - 1] = 1.0
    return knocked


class Stage:
    """One body in one world, driven by a sequence of scripts: members of its cast, and candidates.

    A candidate is a controller outside the cast, such as a transition that a search tries. It replaces the previous
    candidate.
    """

    def __init__(self, character: Character, controllers: Sequence[Controller], timestep_s: float) -> None:
        settings = PhysicsSettings(timestep_s=timestep_s, ground=GROUND)
        self.character = character
        cast = Cast({**{c.name: c for c in controllers}, CANDIDATE: controllers[0]})
        self.world = World([character], [cast], settings=settings)
        self.world.warm_up()
        self.log = TapeLog()
        self.every = max(1, round(1.0 / (RECORD_HZ * timestep_s)))

    @property
    def timestep_s(self) -> float:
        return self.world.settings.timestep_s

    def begin(self, controller: Controller, moment: Moment | None = None) -> None:
        """Start at time zero, from a moment or in the controller's own start pose."""
        self.log = TapeLog()
        member = self._load(controller)
        if moment is None:
            self.world.reset([member])
        else:
            put_moment(self.world, moment, member)

    def switch(self, controller: Controller) -> None:
        """Make another script active; the body and its servos continue unchanged."""
        moment = take_moment(self.world)
        self.world.switch(self._load(controller))
        hand_over(self.world, moment)

    def _load(self, controller: Controller) -> str:
        """Name of the cast member for a controller."""
        for name, loaded in self.world.casts[0].controllers.items():
            if loaded is controller:
                return name
        self.world.replace_controller(CANDIDATE, controller)
        return CANDIDATE

    def advance(self, seconds: float, *, to_phase: bool = False) -> bool:
        """Simulate for some time, or until the script enters another phase; return whether it did."""
        ticks = max(0, round(seconds / self.timestep_s))
        stop_on = ["phase"] if to_phase else []
        return self.world.advance(ticks, stop_on=stop_on, record_every=self.every, log=self.log)[1]

    def perform(self, skill: Skill, at_least_s: float, patience_s: float = PATIENCE_S) -> str:
        """Run a skill for some time and then until it may be left; return how it was left."""
        begun = self.world.time_s
        # The first entry to a loop does not complete a cycle; a loop that starts at phase 0 has no entry to detect.
        rounds = 1 if 0 in skill.loop else 0
        if has_ended(self.world):
            return ENDED
        try:
            while True:
                left = begun + at_least_s + patience_s - self.world.time_s
                if skill.always_open:
                    left = begun + at_least_s - self.world.time_s
                if left <= 0.5 * self.timestep_s:
                    return LEFT if skill.always_open else OVERDUE
                if not self.advance(left, to_phase=True):
                    continue
                places = find_places(self.world)
                if not places:
                    return ENDED
                if skill.may_be_left(places):
                    rounds += 1
                    if rounds > 1 and self.world.time_s - begun >= at_least_s:
                        return LEFT
        except DivergedError:
            return DIVERGED

    def track(self) -> Track:
        """The track since the log began."""
        return read_track(self.log, self.character)


_here = threading.local()


def open_stage(character: Character, controller: Controller, timestep_s: float) -> Stage:
    """This thread's stage, reused: creating one takes longer than most trials."""
    key = (character.name, timestep_s)
    stages: dict[tuple[str, float], Stage] = _here.__dict__.setdefault("stages", {})
    if key not in stages:
        stages[key] = Stage(character, [controller], timestep_s)
    return stages[key]


Progress = Callable[[float], None]


class JoinedLog(TapeLog):
    """Several logs concatenated into one."""

    def __init__(self, logs: Sequence[TapeLog]) -> None:
        super().__init__()
        self._logs = [log for log in logs if log.frames]
        self.events = [event for log in self._logs for event in log.events]
        self.frames = sum(log.frames for log in self._logs)

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays, concatenated; contact indices run on from log to log."""
        parts = [log.arrays() for log in self._logs]
        whole = {n: np.concatenate([p[n] for p in parts]) for n in parts[0] if n != "contact_start"} if parts else {}
        starts, before = [], 0
        for part in parts:
            starts.append(part["contact_start"][:-1] + before)
            before += int(part["contact_start"][-1])
        if parts:
            whole["contact_start"] = np.append(np.concatenate(starts), before)
        return whole
