"""`World`: characters with their controllers, terrain and props, in one MuJoCo model that steps, senses and rewinds."""

from __future__ import annotations

import math
import secrets
import time as wall
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from poise.characters.model import Character
from poise.constants import CHUNK_WALL_S
from poise.errors import DivergedError, InputError, PoiseError, out_of_range, unknown_name
from poise.world.compile import PhysicsSettings, add_motors, build_spec, compile_spec, segment_body_name
from poise.world.controller import Controller, Start
from poise.world.disturbances import Push, Spawn
from poise.world.events import STOP_ON
from poise.world.events import TIMER as TIMER_EVENT
from poise.world.fitting import Frame, check_fit
from poise.world.ground import GroundPoints, PenaltyGround
from poise.world.hybrid import find_kind
from poise.world.linking import limp, link
from poise.world.loop import DIVERGED, run_ticks
from poise.world.notebook import Notebook
from poise.world.pilot import Crew, Pilot
from poise.world.props import Prop
from poise.world.snapshots import Snapshot
from poise.world.stage import Ledger, Tape
from poise.world.state_arrays import view_state
from poise.world.surroundings import Surroundings
from poise.world.tape import TapeLog, make_tape
from poise.world.terrain import Terrain, flat
from poise.world.views import lowest_point_m, make_drive, make_ledger, make_percept, make_scratch, make_stage

__all__ = ["Push", "Snapshot", "Spawn", "World"]

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION
_BAD_STATE = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)
_OVERFLOW = (mujoco.mjtWarning.mjWARN_CONTACTFULL, mujoco.mjtWarning.mjWARN_CNSTRFULL)
#: Frames that one call of the loop may tape; a call returns long before.
_TAPE_FRAMES = 64


class World:
    """One simulation. It owns its model (damping is written into it), so worlds may run in threads side by side."""

    def __init__(
        self,
        characters: Sequence[Character],
        controllers: Sequence[Controller | None] = (),
        *,
        terrain: Terrain | None = None,
        props: Sequence[Prop] = (),
        settings: PhysicsSettings | None = None,
        ground: PenaltyGround | None = None,
        spawns: Sequence[Spawn] = (),
        seed: int = 0,
        piloted: bool = True,
    ) -> None:
        self.characters = tuple(characters)
        brought = [c.environment for c in controllers if c is not None and c.environment is not None]
        self._own_props = tuple(props)
        self.props = (*self._own_props, *(p for e in brought for p in e.props))
        #: With nothing left open: the ground is there by its name.
        self.settings = (settings or PhysicsSettings()).made_for(c.ground for c in controllers if c is not None)
        grounds = [e.terrain for e in brought if e.terrain is not None]
        # A ground that a controller brings along counts where nobody asked for another.
        asked = terrain or (grounds[0] if grounds else flat())
        frictions = [c.friction for c in controllers if c is not None and c.friction is not None]
        self.terrain = asked.on_ground(frictions[0] if frictions else self.settings.feel.friction)
        springs = self.settings.feel.penalty
        self.ground = ground or (replace(springs, friction=self.terrain.friction) if springs else None)
        self.seed = seed
        self._piloted = piloted
        self._crew = Crew(self.settings.timestep_s)
        self.spawns = tuple(spawns) or tuple(Spawn(y_m=1.0 * k) for k in range(len(self.characters)))
        given = list(controllers) or [None] * len(self.characters)
        if len(given) != len(self.characters) or len(self.spawns) != len(self.characters):
            raise InputError(
                f"world: it needs one controller and one spawn for each of its {len(self.characters)} characters, "
                f"got {len(given)} and {len(self.spawns)}."
            )
        self.spec = build_spec(
            self.characters, self.terrain, self.props, self.settings, ground_collides=self.ground is None
        )
        self.model = compile_spec(self.spec)
        self.data = mujoco.MjData(self.model)
        #: Views of the state of everything.
        self.state = view_state(self.data)
        self._stage = make_stage(self.model, self.data, self.characters, self.ground)
        self.ledger: Ledger = make_ledger(self._stage, self.settings.timestep_s, self.settings.gravity_mps2, seed)
        self.percepts = [
            make_percept(self.model, self.data, self._stage, self.ledger, c, k) for k, c in enumerate(self.characters)
        ]
        self._drives = [make_drive(c) for c in self.characters]
        self._scratch = make_scratch(self._stage)
        self.notebook = Notebook()
        entities = {name: entity for e in brought for name, entity in e.entities.items()}
        self.surroundings = Surroundings(self.model, self.data, entities)
        self._tape: Tape = make_tape(self._stage, _TAPE_FRAMES)
        self._chunk = 16
        #: Wall time spent in the compiled loop.
        self.loop_wall_s = 0.0
        self.set_controllers(given)
        self.reset()

    def set_controllers(self, controllers: Sequence[Controller | None]) -> None:
        """Puts other controllers in charge, with fresh memories; the bodies stay as they are."""
        self.controllers = tuple(c or Controller("limp", limp, np.zeros(1), np.zeros(1)) for c in controllers)
        self.params = [np.array(c.params, dtype=float) for c in self.controllers]
        self.memories = [np.array(c.memory, dtype=float) for c in self.controllers]
        for controller, drive, character in zip(self.controllers, self._drives, self.characters, strict=True):
            drive.limit[:] = np.inf if controller.limits_itself else make_drive(character).limit
            drive.kind[0] = find_kind(controller)
        self._lists: tuple[Any, ...] | None = None
        #: Snapshots that this world took with these controllers fit it.
        self._token = secrets.token_hex(8)
        self._make_pilots()

    def _make_pilots(self) -> None:
        makers = {k: c.pilot for k, c in enumerate(self.controllers) if c.pilot is not None}
        self._crew.set_own(makers if self._piloted else {})

    @property
    def pilots(self) -> tuple[Pilot, ...]:
        """All pilots, from the top of their stacks to the bottom; those of controllers are last."""
        return tuple(seat.pilot for seat in self._crew.seats)

    def add_pilot(self, pilot: Pilot, character: int = 0) -> None:
        """Puts a pilot on top of the stack of a character. `reset` takes it back to the state that it has now."""
        if not 0 <= character < len(self.characters):
            raise out_of_range("world", "character", character, 0, len(self.characters) - 1)
        self._crew.add(pilot, character)

    def remove_pilot(self, pilot: Pilot) -> None:
        """Takes a pilot that was added off its stack."""
        self._crew.remove(pilot)

    def _loop_lists(self) -> tuple[Any, ...]:
        if self._lists is None:
            laws = [c.law for c in self.controllers]
            self._lists = link(self.percepts, self._drives, laws, self.params, self.memories)
        return self._lists

    # -- state ------------------------------------------------------------------------------------------------------

    @property
    def time_s(self) -> float:
        return float(self.ledger.counters[0] * self.settings.timestep_s)

    @property
    def tick(self) -> int:
        return int(self.ledger.counters[0])

    def reset(self) -> None:
        """Back to time zero: every character stands on the ground in the pose in which its controller begins."""
        self._take_notebook(Notebook())
        mujoco.mj_resetData(self.model, self.data)
        fresh = make_ledger(self._stage, self.settings.timestep_s, self.settings.gravity_mps2, self.seed)
        for name in Ledger._fields:
            getattr(self.ledger, name)[...] = getattr(fresh, name)
        for k, controller in enumerate(self.controllers):
            self.params[k][:] = controller.params
            self.memories[k][:] = controller.memory
            self._pose(k, controller.start, self.spawns[k])
        self._make_pilots()
        mujoco.mj_forward(self.model, self.data)

    def _take_notebook(self, notebook: Notebook) -> None:
        self.surroundings.follow(self.notebook, notebook)
        self.notebook = notebook

    def place(self, index: int, start: Start, spawn: Spawn) -> None:
        """Puts a character into a pose with its lowest point on the terrain under its root."""
        self._pose(index, start, spawn)
        mujoco.mj_forward(self.model, self.data)

    def _pose(self, index: int, start: Start, spawn: Spawn) -> None:
        """As `place`, with positions alone: before the last of a crowd is placed, many stand in one spot."""
        character, percept = self.characters[index], self.percepts[index]
        for k, name in enumerate(character.axis_names):
            percept.joint_q[k] = start.joint_q_rad.get(name, character.rest_pose_rad.get(name, 0.0))
            percept.joint_v[k] = start.joint_v_radps.get(name, 0.0)
        percept.root_v[:] = 0.0
        pitch = 0.5 * start.root_pitch_rad
        if character.root == "free":
            half = 0.5 * spawn.heading_rad
            yaw, lean = (
                np.array([math.cos(half), 0, 0, math.sin(half)]),
                np.array([math.cos(pitch), 0, math.sin(pitch), 0]),
            )
            lean = lean if start.root_quat_wxyz is None else np.array(start.root_quat_wxyz)
            quat = np.zeros(4)
            mujoco.mju_mulQuat(quat, yaw, lean)
            percept.root_q[:] = [spawn.x_m, spawn.y_m, 0.0, *quat]
            percept.root_v[:3] = _turn(start.root_vel_mps, spawn.heading_rad)
            percept.root_v[3:] = start.root_turn_b_radps
        else:
            percept.root_q[:] = [spawn.x_m, 0.0, start.root_pitch_rad]
            percept.root_v[:2] = start.root_vel_mps[0], start.root_vel_mps[2]
        mujoco.mj_kinematics(self.model, self.data)
        ground = 0.0 if self.ground else self.terrain.height_m(spawn.x_m, spawn.y_m)
        height = ground - lowest_point_m(self.model, self.data, self._stage, index)
        percept.root_q[2 if character.root == "free" else 1] += height

    def snapshot(self) -> Snapshot:
        """A copy of everything needed to go on from here."""
        physics = np.zeros(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, physics, _STATE)
        snapshot = Snapshot(
            physics,
            {name: getattr(self.ledger, name).copy() for name in Ledger._fields},
            tuple(p.copy() for p in self.params),
            tuple(m.copy() for m in self.memories),
            self._crew.states(),
            self.notebook.copy(),
        )
        object.__setattr__(snapshot, "token", self._token)
        return snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back (or on) to a snapshot of a world that was built in the same way; others raise an InputError."""
        if snapshot.token != self._token:
            check_fit(snapshot, self._frame())
        if self._piloted and snapshot.pilots is not None:
            self._crew.restore(snapshot.pilots)
        mujoco.mj_setState(self.model, self.data, snapshot.physics, _STATE)
        for kind in (*_BAD_STATE, *_OVERFLOW):
            self.data.warning[kind].number = 0
        for name in Ledger._fields:
            getattr(self.ledger, name)[...] = snapshot.ledger[name]
        arrays, saved = (*self.params, *self.memories), (*snapshot.params, *snapshot.memories)
        for array, value in zip(arrays, saved, strict=True):
            array[:] = value
        self._take_notebook(snapshot.notebook.copy())

    def _frame(self) -> Frame:
        size, entities = mujoco.mj_stateSize(self.model, _STATE), list(self.surroundings.entities)
        return Frame(self.model, self.ledger, self.controllers, self.params, self.memories, size, entities)

    def twin(self) -> World:
        """Another world that was built in the same way and stands where this one does; nothing pilots it."""
        other = World(
            self.characters,
            self.controllers,
            terrain=self.terrain,
            props=self._own_props,
            settings=self.settings,
            ground=self.ground,
            spawns=self.spawns,
            seed=self.seed,
            piloted=False,
        )
        other._token = self._token
        other.restore(self.snapshot())
        return other

    # -- stepping ---------------------------------------------------------------------------------------------------

    def step(self, ticks: int = 1) -> None:
        """Advances by a number of ticks."""
        self.advance(ticks)

    def advance(
        self,
        ticks: int,
        *,
        stop_on: Sequence[str] = (),
        record_every: int = 0,
        log: TapeLog | None = None,
        on_call: Callable[[], None] | None = None,
    ) -> tuple[int, bool]:
        """Runs up to `ticks` ticks in calls of a few milliseconds; returns (ticks done, whether an event stopped it).

        What is taped goes into `log`; `on_call` is called after each call of the compiled loop. A state that stops
        being finite raises `DivergedError`, which carries a snapshot from before.
        """
        mask = self._mask(stop_on)
        watched = mask | self._mask(self._crew.events)
        left = ticks
        if self.tick == 0 and ticks > 0:
            self._crew.begin(self)
        while left > 0:
            before = self.snapshot()
            room = min(left, self._room(record_every), self._crew.ticks_to_timer(self.tick) or left)
            done, reason, happened = self._call(room, watched, record_every)
            left -= done
            if log is not None:
                log.take(self._tape)
            self._tape.frames[:] = 0
            if on_call is not None:
                on_call()
            if reason == DIVERGED:
                raise self._diverged(before)
            timers = self._crew.ask(self, [name for name, bit in STOP_ON.items() if happened & bit])
            if log is not None:
                log.events.extend(np.array([self.time_s, TIMER_EVENT, c, 0.0]) for c in timers)
            if happened & mask:
                return ticks - left, True
        return ticks, False

    def _mask(self, events: Collection[str]) -> int:
        return sum(STOP_ON[self._event(name)] for name in events)

    def run_until(self, what: str | float, *, timeout_s: float = 10.0) -> bool:
        """Runs until an event of a kind, or until a time; false if no such event came before the time-out."""
        dt = self.settings.timestep_s
        if isinstance(what, str):
            return self.advance(round(timeout_s / dt), stop_on=[what])[1]
        self.advance(max(0, round(what / dt) - self.tick))
        return True

    def warm_up(self) -> None:
        """Compiles or loads all that a run needs; the state stays as it is."""
        before, chunk = self.snapshot(), self._chunk
        self._call(1, 0, 1)
        self._tape.frames[:] = 0
        self._chunk, self.loop_wall_s = chunk, 0.0
        self.restore(before)

    def blank_tape(self) -> Tape:
        """A tape with nothing on it, for its shapes."""
        return make_tape(self._stage, 0)

    def _event(self, name: str) -> str:
        if name not in STOP_ON:
            raise unknown_name("world", "event", name, list(STOP_ON))
        return name

    def _room(self, record_every: int) -> int:
        room = self._chunk
        return min(room, record_every * (_TAPE_FRAMES - 1)) if record_every > 0 else room

    def _call(self, ticks: int, mask: int, record_every: int) -> tuple[int, int, int]:
        lists = self._loop_lists()
        began = wall.perf_counter()
        done, reason, happened = run_ticks(
            ticks, mask, record_every, self._stage, self.ledger, self._tape, self._scratch, *lists
        )
        spent = max(wall.perf_counter() - began, 1e-6)
        self.loop_wall_s += spent
        # The length of a call follows the speed of the machine; results do not depend on it.
        self._chunk = int(min(max(done / spent * CHUNK_WALL_S, 8), 4096))
        self._check_memory()
        return int(done), DIVERGED if self._is_absurd() else int(reason), int(happened)

    def _is_absurd(self) -> bool:
        """Whether MuJoCo found a position, speed or acceleration that is not finite or past any sense."""
        return any(self.data.warning[kind].number for kind in _BAD_STATE)

    def _check_memory(self) -> None:
        if any(self.data.warning[kind].number for kind in _OVERFLOW):
            raise PoiseError(
                f"world: more contacts than MuJoCo has memory for at {self.time_s:.4g} s. "
                "Use fewer props and characters, or simpler terrain."
            )

    def _diverged(self, before: Snapshot) -> DivergedError:
        at = float(before.ledger["counters"][0]) * self.settings.timestep_s
        error = DivergedError(
            f"world: the state stopped being finite within {self.time_s - at:.4g} s after {at:.4g} s. "
            "Gains, torques or the time step are too large for these masses."
        )
        error.snapshot = before
        return error

    # -- outside world ----------------------------------------------------------------------------------------------

    def body(self, segment: str, character: int = 0) -> int:
        """The model's number of a character's segment or of a prop."""
        names = self.characters[character].segment_names
        if segment in names:
            return int(self._stage.characters[character, 0]) + names.index(segment)
        for prop in self.props:
            if prop.name == segment:
                return int(mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, segment))
        raise unknown_name("world", "segment", segment, [*names, *(p.name for p in self.props)])

    def push(self, push: Push) -> None:
        """Schedules a push; without a segment it acts on the trunk."""
        if push.segment in self.characters[push.character].roles:
            segment = self.characters[push.character].roles[push.segment]
        else:
            segment = push.segment or self.characters[push.character].roles["trunk"]
        rows = self.ledger.pushes
        free = np.flatnonzero(rows[:, 0] == 0.0)
        if not len(free):
            raise InputError(f"world: at most {len(rows)} pushes may wait or act at a time.")
        angle = np.deg2rad(push.direction_deg)
        rows[free[0], :7] = [
            1.0,
            self.body(segment, push.character),
            push.force_n * math.cos(angle),
            push.force_n * math.sin(angle),
            0.0,
            push.start_s,
            push.start_s + push.duration_s,
        ]
        self.ledger.counters[2] += 1

    def begin_force(self, segment: str, force_h_n: Sequence[float], character: int = 0) -> int:
        """A force on a segment's centre, from now on until `end_force`: forward, left, up; returns its number."""
        rows = self.ledger.pushes
        free = np.flatnonzero(rows[:, 0] == 0.0)
        if not len(free):
            raise InputError(f"world: at most {len(rows)} pushes may wait or act at a time.")
        rows[free[0], :7] = [1.0, self.body(segment, character), *force_h_n, self.time_s, np.inf]
        self.ledger.counters[2] += 1
        return int(free[0])

    def end_force(self, number: int) -> None:
        """Ends what `begin_force` began."""
        if self.ledger.pushes[number, 0]:
            self.ledger.pushes[number, 0] = 0.0
            self.ledger.counters[2] -= 1

    def forget_pushes(self) -> None:
        """Takes back the pushes that have not begun: who tries out what may come must not know of them."""
        rows = self.ledger.pushes
        waiting = rows[:, 0] == 1.0
        rows[waiting, 0] = 0.0
        self.ledger.counters[2] -= int(waiting.sum())

    def throw(self, prop: str, position_w_m: Sequence[float], velocity_w_mps: Sequence[float]) -> None:
        """Puts a free prop somewhere and sends it off."""
        joint = int(self.model.body_jntadr[self.body(prop)])
        if joint < 0:
            raise InputError(f"world: prop {prop!r} is fixed and cannot be thrown. Make it with free=True.")
        q, v = int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])
        self.data.qpos[q : q + 7] = [*position_w_m, 1.0, 0.0, 0.0, 0.0]
        self.data.qvel[v : v + 6] = [*velocity_w_mps, 0.0, 0.0, 0.0]

    def attach(
        self,
        segment: str,
        point_b_m: Sequence[float],
        other: str,
        other_point_b_m: Sequence[float],
        *,
        stiffness_npm: float,
        damping_nspm: float,
        max_force_n: float = np.inf,
        character: int = 0,
    ) -> int:
        """Ties a point of a segment to a point of a prop (or of `world`) by a damped spring; returns its number."""
        rows = self.ledger.springs
        free = np.flatnonzero(rows[:, 0] == 0.0)
        if not len(free):
            raise InputError(f"world: at most {len(rows)} springs may pull at a time.")
        b = 0 if other == "world" else self.body(other, character)
        a = self.body(segment, character)
        rows[free[0]] = [1.0, a, *point_b_m, b, *other_point_b_m, stiffness_npm, damping_nspm, min(max_force_n, 1e12)]
        self.ledger.counters[3] += 1
        return int(free[0])

    def detach(self, spring: int) -> None:
        """Lets go of what `attach` tied."""
        if self.ledger.springs[spring, 0]:
            self.ledger.springs[spring, 0] = 0.0
            self.ledger.counters[3] -= 1

    def set_parameter(self, name: str, value: float | str, character: int = 0) -> None:
        """Changes a controller's parameter from the next tick on; a choice goes by its name or number."""
        index, checked = self.controllers[character].check_value(name, value)
        self.params[character][index] = checked
        self.tell_pilots(character)

    def tell_pilots(self, character: int = 0) -> None:
        """Says that parameters of a character were set to those of its pilots that want to know."""
        self._crew.tell(self, character)

    def compiled_scene(self) -> mujoco.MjModel:
        """The compiled scene, for `poise.world.video`."""
        return self.model

    def ground_points(self, segment: str, character: int = 0) -> GroundPoints:
        """The points of a segment that feel a ground of springs."""
        return GroundPoints(self._stage.ground_points, self.body(segment, character))

    def fell_at_s(self, character: int = 0) -> float | None:
        """When the character fell; None while it has not."""
        fallen = self.ledger.fallen[character]
        return float(fallen[1]) if fallen[0] else None

    def body_names(self) -> tuple[list[str], list[str]]:
        """Names of all characters' segments in model order, and of the props."""
        bodies = self.characters
        segments = [segment_body_name(bodies, k, s) for k, c in enumerate(bodies) for s in c.segment_names]
        return segments, [p.name for p in self.props]

    def to_mjcf(self) -> str:
        """The scene as MJCF text, with a motor on every joint axis so that others can drive it."""
        collides = self.ground is None
        spec = build_spec(self.characters, self.terrain, self.props, self.settings, ground_collides=collides)
        add_motors(spec, self.characters)
        compile_spec(spec)
        return str(spec.to_xml())


def _turn(v: Sequence[float], heading_rad: float) -> list[float]:
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    return [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]]
