"""Trials of retouched fragments: from the beginning of one over the next few, judged by the distance to the recording.

Cost of a frame, from the body's errors against the recording:

    4·|v|² + v_z²/2    for the velocity of the pelvis (m/s), horizontal and vertical,
    30·|d|² + 10·d_z²  for its position relative to the stance feet (m),
    6·|φ|²             for its orientation (rad),
    n²/50              for a landing that is n frames late,

at most 20. A run costs the mean over the frames that it should have. Frames lost to a fall cost 20 each, and at least a
fifth of all frames count as lost; the fall itself costs 10 more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from poise.batches.threads import heartbeat
from poise.controllers.tracker import layout
from poise.controllers.tracker.reference import RATE_HZ
from poise.motion.rotations import FloatArray
from poise.rollout.pool import lend_world
from poise.rollout.run import WATCH, Ticks, Watch, run
from poise.rollout.scene import StartNoise
from poise.search.tame_trial import NOISE, STAND_S, TICKS_A_FRAME, Subject
from poise.world.snapshots import Snapshot
from poise.world.world import World

MOST: Final = 20.0
FALL: Final = 10.0
LEAST_PART: Final = 0.2
#: Time limit of a run relative to the recording: landings may be late.
SLACK: Final = 1.5
STAND_FRAMES: Final = round(STAND_S * RATE_HZ)


@dataclass(frozen=True, eq=False)
class Case:
    """Start of a trial of a window: a state, and noise on its velocities."""

    snapshot: Snapshot
    noise: FloatArray | None = None


class Bench:
    """Runs trials of a motion's windows, each in a world from the pool."""

    def __init__(self, subject: Subject, gains: Mapping[str, float]) -> None:
        self.track = subject.track
        self.reference = subject.track.reference
        self._scene = subject.make_scene(gains).load()
        places = self.reference.places_w_m()
        self.feet = self.reference.feet()
        self.ways = places[:, :1] - places[:, self.feet]
        self.velocities = self.reference.velocities_mps()

    def count_velocities(self) -> int:
        """Degrees of freedom of the body."""
        with lend_world(self._scene) as world:
            return len(world.state.velocities)

    def begin(self, seed: int) -> Snapshot:
        """State at the start of the motion, with the noise of a seed on all velocities."""
        with lend_world(self._scene) as world:
            StartNoise(NOISE, seed).apply(world)
            return world.snapshot()

    def try_rows(self, case: Case, rows: FloatArray, fragments: int) -> float:
        """Cost of continuing over the next fragments, or to the end, with fragments retouched by `rows`."""
        with lend_world(self._scene) as world:
            return _Window(self, world).run(case, rows, fragments)[0]

    def continue_from(self, case: Case, rows: FloatArray, fragments: int = 1) -> tuple[float, Snapshot | None]:
        """Cost of the next fragments, and the state at their end; None after a fall."""
        with lend_world(self._scene) as world:
            cost, through = _Window(self, world).run(case, rows, fragments)
            return cost, world.snapshot() if through else None


class _Window:
    """One trial of a window."""

    def __init__(self, bench: Bench, world: World) -> None:
        self._bench, self.world = bench, world

    def run(self, case: Case, rows: FloatArray, fragments: int) -> tuple[float, bool]:
        """Cost of the next fragments, and whether the body survived them."""
        frames = self._set_out(case, rows, fragments)
        cost, passed = 0.0, 0

        def look(_: World) -> bool:
            nonlocal cost, passed
            cost, passed = cost + min(self._cost(), MOST), passed + 1
            return self._done() >= self._goal or self._has_stood()

        most = Ticks(TICKS_A_FRAME * (round(SLACK * frames) + TICKS_A_FRAME))
        ending = run(self.world, [most, "down", "diverged"], watch=Watch(look, TICKS_A_FRAME), progress=heartbeat)
        if ending.failed:
            left = max(frames - passed, LEAST_PART * frames)
            return (cost + MOST * left) / frames + FALL, False
        if ending.reason == WATCH:
            return cost / frames, True
        return (cost + MOST * LEAST_PART * frames) / frames + FALL, False

    def _set_out(self, case: Case, rows: FloatArray, fragments: int) -> int:
        """Restore a state; return the number of recorded frames of the next fragments."""
        world = self.world
        world.restore(case.snapshot)
        first = int(world.params[0][layout.FRAGMENT_TABLE])
        table = world.params[0][first : first + layout.FRAGMENT_ROW * len(rows)].reshape(len(rows), -1)
        table[:, layout.LEAN :] = rows
        if case.noise is not None:
            world.state.velocities[:] += case.noise
        self._goal = self._done() + fragments
        k, frames = int(world.memories[0][layout.FRAGMENT]), 0
        for _ in range(fragments):
            frames += self._bench.track.fragments[k].last - self._bench.track.fragments[k].first
            k = k + 1 if k + 1 < len(self._bench.track.fragments) else self._bench.track.back_to
            if k < 0:
                return frames + STAND_FRAMES
        return frames

    def _done(self) -> int:
        return int(self.world.memories[0][layout.DONE])

    def _has_stood(self) -> bool:
        """Whether the motion ended and the body has stood long enough since."""
        memory, last = self.world.memories[0], self._bench.track.fragments[-1]
        at_end = (
            not self._bench.track.is_endless and int(memory[layout.FRAGMENT]) == len(self._bench.track.fragments) - 1
        )
        return at_end and bool(memory[layout.FRAME] - (last.last - last.first) >= STAND_FRAMES)

    def _cost(self) -> float:
        """Cost of this frame; see the module."""
        memory, percept = self.world.memories[0], self.world.percepts[0]
        fragment = self._bench.track.fragments[int(memory[layout.FRAGMENT])]
        due = fragment.first + int(memory[layout.FRAME])
        frame, late = min(due, fragment.last), max(0, due - fragment.last)
        if fragment is self._bench.track.fragments[-1] and not self._bench.track.is_endless:
            late = 0
        speed = self.world.state.velocities[:3] - self._bench.velocities[frame]
        sides = {"left": (0,), "right": (1,)}.get(fragment.stance, (0, 1))
        ways = [percept.root_q[:3] - percept.pos_w[self._bench.feet[s]] - self._bench.ways[frame, s] for s in sides]
        way = sum(ways) / len(sides)
        # The angle between two unit quaternions.
        off = 2.0 * math.acos(min(1.0, abs(float(self._bench.reference.turns[frame, 0] @ percept.quat_w[0]))))
        cost = 4.0 * (speed[:2] @ speed[:2]) + 0.5 * speed[2] ** 2 + 30.0 * (way[:2] @ way[:2]) + 10.0 * way[2] ** 2
        return float(cost + 6.0 * off**2 + 0.02 * late**2)
