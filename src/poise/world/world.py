"""`World`: characters, controllers, terrain and props in one MuJoCo model, with stepping, sensing and snapshots."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.errors import DivergedError, InputError, out_of_range
from poise.world.cast import Cast, Members, make_cast
from poise.world.compile import PhysicsSettings, build_spec, compile_spec
from poise.world.controller import Controller, Start
from poise.world.diary import read_diaries
from poise.world.disturbances import Push, Spawn
from poise.world.event_kinds import JOURNAL_BIT, EventKind
from poise.world.fitting import Frame, check_fit, complete_snapshot
from poise.world.ground import PenaltyGround
from poise.world.ground_table import pack_ground
from poise.world.interactions import Interactions
from poise.world.loop import DIVERGED
from poise.world.notebook import Notebook
from poise.world.pilot import Crew, Pilot
from poise.world.props import Prop
from poise.world.site import choose_site
from poise.world.snapshots import Snapshot
from poise.world.stage import Ledger, Tape
from poise.world.start_pose import lift_root, write_pose
from poise.world.state_arrays import view_state
from poise.world.stepper import Stepper
from poise.world.surroundings import Surroundings
from poise.world.tape import TapeLog, make_tape
from poise.world.terrain import Terrain
from poise.world.views import (
    clear_senses,
    lowest_point_m,
    make_ledger,
    make_percept,
    make_scratch,
    make_stage,
    view_props,
)
from poise.world.watching import Watcher, find_mask, read_happened

__all__ = ["Cast", "Push", "Snapshot", "Spawn", "World"]

FloatArray = NDArray[np.float64]

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class World(Interactions):
    """One simulation. It owns its model (damping is written into it), so worlds may run in parallel threads."""

    def __init__(
        self,
        characters: Sequence[Character],
        controllers: Sequence[Cast | Controller | None] = (),
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
        self.spawns = tuple(spawns) or tuple(Spawn(y_m=1.0 * k) for k in range(len(self.characters)))
        given = list(controllers) or [None] * len(self.characters)
        if len(given) != len(self.characters) or len(self.spawns) != len(self.characters):
            raise InputError(
                f"world: it needs one controller and one spawn for each of its {len(self.characters)} characters, "
                f"got {len(given)} and {len(self.spawns)}."
            )
        casts = [make_cast(one) for one in given]
        site = choose_site(casts, terrain=terrain, props=props, settings=settings, ground=ground)
        self.settings, self.terrain, self.ground, self.props = site.settings, site.terrain, site.ground, site.props
        self._own_props, self.seed, self._piloted = tuple(props), seed, piloted
        self._members = Members(casts, self.characters)
        self.spec = build_spec(
            self.characters, self.terrain, self.props, self.settings, ground_collides=self.ground is None
        )
        self.model = compile_spec(self.spec)
        self.data = mujoco.MjData(self.model)
        #: Views of the state of everything.
        self.state = view_state(self.data)
        self._stage = make_stage(self.model, self.data, self.characters, self.ground, self._members.first)
        self.ledger: Ledger = self._make_ledger()
        ground_table = pack_ground(self.terrain, self.ground)
        seen = ground_table, view_props(self.model, self.data, self.props)
        self.percepts = [
            make_percept(self.model, self.data, self._stage, self.ledger, c, k, *seen)
            for k, c in enumerate(self.characters)
        ]
        self._scratch = make_scratch(self._stage)
        self._stepper = Stepper(self.data, self._stage, self.ledger, self._scratch, self.percepts, self._members)
        self._watcher = Watcher(self.characters, self._stage, self.ledger)
        self._crew = Crew(self.settings.timestep_s, self.ledger.active, self._watcher.subscribe)
        self.notebook = Notebook()
        self.surroundings = Surroundings(self.model, self.data, site.entities, ground_table)
        #: Names of the events of the last tick of the last call of the loop.
        self.happened: tuple[str, ...] = ()
        #: Switches that no log has recorded yet, as rows of the tape's events.
        self._switches: list[np.ndarray] = []
        self._renew_token()
        self.reset()

    def _make_ledger(self) -> Ledger:
        first = [cast.first for cast in self._members.casts]
        return make_ledger(self._stage, self.settings.timestep_s, self.settings.gravity_mps2, self.seed, first)

    def _renew_token(self) -> None:
        #: Snapshots with this token were taken by this world with its current controllers, and need no check.
        self._token = secrets.token_hex(8)

    # -- controllers and pilots -------------------------------------------------------------------------------------

    def _active(self) -> list[int]:
        """Indices of the active members among the members of all casts."""
        return (self._members.first + self.ledger.active).tolist()

    @property
    def casts(self) -> tuple[Cast, ...]:
        """The cast of each character, with its current controllers."""
        return self._members.casts

    @property
    def controllers(self) -> tuple[Controller, ...]:
        """The active controller of each character."""
        return tuple(self._members.controllers[m] for m in self._active())

    @property
    def params(self) -> tuple[FloatArray, ...]:
        """Parameters of the active controllers."""
        return tuple(self._members.params[m] for m in self._active())

    @property
    def memories(self) -> tuple[FloatArray, ...]:
        """Memories of the active controllers."""
        return tuple(self._members.memories[m] for m in self._active())

    def active(self, character: int = 0) -> str:
        """Name of the active member of a character's cast."""
        return self._members.casts[character].names[self.ledger.active[character]]

    def member(self, name: str | int, character: int = 0) -> Controller:
        """The current controller of a member of a character's cast."""
        return self._members.controllers[self._members.find(name, character)]

    def switch(self, member: str | int, character: int = 0, *, keep_memory: bool = False) -> None:
        """Activate another member of a character's cast from the next tick on; the body keeps its state.

        Its memory and its pilot are reset unless `keep_memory`; its parameters keep their last values.
        """
        m = self._members.find(member, character)
        self.ledger.active[character] = m - self._members.first[character]
        self._switches.append(np.array([self.time_s, EventKind.SWITCH, character, self.ledger.active[character]]))
        if not keep_memory:
            self._members.refresh(m)
            self._crew.restart(self, character)
        self._crew.tell(self, character, EventKind.SWITCH.label)

    def replace_controller(self, member: str | int, controller: Controller, character: int = 0) -> None:
        """Replace the controller of a member, for example by an edited one; the body keeps its state.

        Earlier snapshots no longer fit: restoring one raises an InputError.
        """
        self._members.replace(self._members.find(member, character), controller)
        self._renew_token()
        self._make_pilots()

    def _make_pilots(self) -> None:
        makers = {}
        for m, (key, controller) in enumerate(self._members):
            if self._piloted and controller.pilot is not None:
                makers[key.character, m - int(self._members.first[key.character])] = controller.pilot
        self._crew.set_own(makers)

    @property
    def pilots(self) -> tuple[Pilot, ...]:
        """All pilots, from the top of their stacks to the bottom; those of controllers are last."""
        return tuple(seat.pilot for seat in self._crew.seats)

    def set_parameter(self, name: str, value: float | str, character: int = 0) -> None:
        """Set a parameter of the active controller from the next tick on; a choice is set by its name or number."""
        index, checked = self.controllers[character].check_value(name, value)
        self.params[character][index] = checked
        self.tell_pilots(character)

    def tell_pilots(self, character: int = 0) -> None:
        """Notify the pilots of a character that subscribe to "parameter" that its parameters were set."""
        self._crew.tell(self, character, EventKind.PARAMETER.label)

    def add_pilot(self, pilot: Pilot, character: int = 0) -> None:
        """Put a pilot on top of a character's stack. `reset` will restore the state that it has now."""
        if not 0 <= character < len(self.characters):
            raise out_of_range("world", "character", character, 0, len(self.characters) - 1)
        self._crew.add(pilot, character)

    def remove_pilot(self, pilot: Pilot) -> None:
        """Remove a pilot that was added."""
        self._crew.remove(pilot)

    def __repr__(self) -> str:
        pairs = zip(self.controllers, self.characters, strict=True)
        who = ", ".join(f"{driver.name} on {body.name}" for driver, body in pairs)
        return f"<World of {who}, {self.terrain.spec}, at {self.time_s:.4g} s>"

    # -- state ------------------------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        return int(self.ledger.counts.tick)

    def reset(self, members: Sequence[str | int] = ()) -> None:
        """Return to time zero, with every character on the ground in the start pose of its active controller.

        `members` names the members to activate, one per character; the default is the first member of each cast.
        """
        self._take_notebook(Notebook())
        mujoco.mj_resetData(self.model, self.data)
        fresh = self._make_ledger()
        for name in Ledger._fields:
            getattr(self.ledger, name)[...] = getattr(fresh, name)
        for k, member in enumerate(members):
            self.ledger.active[k] = self._members.find(member, k) - self._members.first[k]
        self._switches.clear()
        self._members.reset()
        for k, controller in enumerate(self.controllers):
            clear_senses(self.percepts[k])
            self._pose(k, controller.start, self.spawns[k])
        self._make_pilots()
        mujoco.mj_forward(self.model, self.data)

    def _take_notebook(self, notebook: Notebook) -> None:
        self.surroundings.follow(self.notebook, notebook)
        self.notebook = notebook

    def place(self, index: int, start: Start, spawn: Spawn) -> None:
        """Put a character into a pose, with its lowest point on the terrain below its root."""
        self._pose(index, start, spawn)
        mujoco.mj_forward(self.model, self.data)

    def _pose(self, index: int, start: Start, spawn: Spawn) -> None:
        """Like `place` without dynamics: until all characters are placed, several occupy the same spot."""
        character, percept = self.characters[index], self.percepts[index]
        write_pose(percept, character, start, spawn)
        mujoco.mj_kinematics(self.model, self.data)
        ground = 0.0 if self.ground else self.terrain.height_m(spawn.x_m, spawn.y_m)
        lift_root(percept, character, ground - lowest_point_m(self.model, self.data, self._stage, index))

    @property
    def loop_wall_s(self) -> float:
        """Wall time spent in the compiled loop."""
        return self._stepper.wall_s

    @loop_wall_s.setter
    def loop_wall_s(self, seconds: float) -> None:
        self._stepper.wall_s = seconds

    def snapshot(self) -> Snapshot:
        """A copy of everything needed to continue from here."""
        physics = np.zeros(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, physics, _STATE)
        snapshot = Snapshot(
            physics,
            {name: getattr(self.ledger, name).copy() for name in Ledger._fields},
            *self._members.copy_arrays(self._active()),
            self._crew.states(),
            self.notebook.copy(),
            tuple(self._members.keys),
        )
        object.__setattr__(snapshot, "token", self._token)
        return snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot of an identically built world; others raise an InputError."""
        if snapshot.token != self._token:
            snapshot = complete_snapshot(snapshot, self._make_ledger())
            check_fit(snapshot, self._frame())
        if self._piloted and snapshot.pilots is not None:
            self._crew.restore(snapshot.pilots)
        mujoco.mj_setState(self.model, self.data, snapshot.physics, _STATE)
        self._stepper.clear_warnings()
        for name in Ledger._fields:
            getattr(self.ledger, name)[...] = snapshot.ledger[name]
        self._members.restore_arrays(snapshot.params, snapshot.memories)
        self._take_notebook(snapshot.notebook.copy())
        self._switches = []

    def _frame(self) -> Frame:
        size, entities = mujoco.mj_stateSize(self.model, _STATE), list(self.surroundings.entities)
        return Frame(self.model, self.ledger, self._members, size, entities)

    def twin(self) -> World:
        """A copy of this world in the same state, without pilots."""
        other = World(
            self.characters,
            self._members.casts,
            terrain=self.terrain,
            props=self._own_props,
            settings=self.settings,
            ground=self.ground,
            spawns=self.spawns,
            seed=self.seed,
            piloted=False,
        )
        other._members.keys[:] = self._members.keys
        other._token = self._token
        other.restore(self.snapshot())
        return other

    # -- stepping ---------------------------------------------------------------------------------------------------

    def step(self, ticks: int = 1) -> None:
        """Advance by a number of ticks."""
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
        """Run up to `ticks` ticks in calls of a few milliseconds; return (ticks done, whether an event stopped it).

        Recorded ticks go into `log`; `on_call` is called after each call of the compiled loop. If the state stops
        being finite, a `DivergedError` is raised that carries an earlier snapshot.
        """
        stop, left, stepper = self._watcher.subscribe_all(stop_on), ticks, self._stepper
        if self.tick == 0 and ticks > 0:
            self._crew.begin(self)
        while left > 0:
            waiting = [*stop, *self._crew.subscriptions]
            self._watcher.watch(waiting)
            before = self.snapshot()
            room = min(left, stepper.room(record_every), self._crew.ticks_to_timer(self.tick) or left)
            mask = find_mask(waiting)
            done, reason, bits = stepper.call(room, mask | JOURNAL_BIT, record_every)
            left -= done
            read_diaries(self)
            happened = read_happened(bits, mask, stepper.tape)
            if log is not None:
                log.take(stepper.tape)
            stepper.tape.written[:] = 0
            if on_call is not None:
                on_call()
            if reason == DIVERGED:
                raise self._diverged(before)
            self.happened = happened.name(stop)
            timers = self._crew.ask(self, happened)
            if log is not None:
                log.events.extend(np.array([self.time_s, EventKind.TIMER, c, 0.0]) for c in timers)
                log.events.extend(self._switches)
            self._switches.clear()
            if any(happened.has(subscription) for subscription in stop):
                return ticks - left, True
        return ticks, False

    def run_until(self, what: str | float, *, timeout_s: float = 10.0) -> bool:
        """Run until an event of a kind, or until a time; return False if no such event came before the time-out."""
        dt = self.settings.timestep_s
        if isinstance(what, str):
            return self.advance(round(timeout_s / dt), stop_on=[what])[1]
        self.advance(max(0, round(what / dt) - self.tick))
        return True

    def warm_up(self) -> None:
        """Compile or load everything a run needs; the state does not change."""
        before, switches = self.snapshot(), self._switches
        self._stepper.warm_up()
        self.restore(before)
        self._switches = switches

    def blank_tape(self) -> Tape:
        """An empty tape, for its shapes."""
        return make_tape(self._stage, 0)

    def _diverged(self, before: Snapshot) -> DivergedError:
        at = float(before.ledger["counters"][0]) * self.settings.timestep_s
        error = DivergedError(
            f"world: the state stopped being finite within {self.time_s - at:.4g} s after {at:.4g} s. "
            "Gains, torques or the time step are too large for these masses."
        )
        error.snapshot = before
        return error
