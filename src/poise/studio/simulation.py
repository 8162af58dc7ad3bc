"""A world that people play with: pushes, balls, pulling hands, parameters, and going back in time.

It belongs to one thread, knows no clock and no page, and does the same for the same calls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from poise.characters.model import Character
from poise.characters.proportions import scaled
from poise.characters.random_bodies import random_body
from poise.constants import DEFAULT_TIMESTEP_S
from poise.controllers.catalog import default_character
from poise.controllers.script.carry import Running
from poise.controllers.script.whereabouts import Stack, read_stack
from poise.controllers.walker.facing import is_walker, turned
from poise.controllers.walker.plan import read_step_plan
from poise.controllers.walker.styles import write_curve, write_tempo
from poise.errors import DivergedError, PoiseError
from poise.language.load import Program
from poise.rollout.scene import Scene
from poise.studio import steering
from poise.studio.actor import Drafts, load_actor, make_stand_in
from poise.studio.aim import aim_ball
from poise.studio.moment import History, Moment
from poise.studio.scene import describe_scene
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.event_kinds import EventKind
from poise.world.handling import read_parts
from poise.world.props import Prop, ball
from poise.world.sense import sense_whole
from poise.world.tape import TapeLog
from poise.world.terrain import Terrain, flat, parse_terrain
from poise.world.world import Push, Snapshot, Spawn

#: As long as the pushes of the literature last.
PUSH_S = 0.1
BALLS = 3
BALL_RADIUS_M = 0.11
BALL_MASS_KG = 4.0
#: Where balls wait that nobody has thrown yet: far to the left, out of sight.
BALL_PARK_M = 80.0
#: A hand that pulls: over a metre with the character's weight, and never with more than one and a half times that.
PULL_WEIGHTS_PER_M = 1.0
PULL_LIMIT_WEIGHTS = 1.5
#: The hand's own damping over its stiffness: enough that what it holds does not ring.
PULL_DAMPING_S = 0.05


@dataclass(frozen=True)
class Scenario:
    """What is simulated; every name as the catalogues know it."""

    controller: str
    character: str
    terrain: str | None = None
    timestep_s: float = DEFAULT_TIMESTEP_S
    #: Part and factor of every proportion that was edited, and the seed of those that were drawn before that.
    scale: tuple[tuple[str, float], ...] = ()
    random_body: int | None = None
    #: Another ground than the one for which the controller is made.
    ground: str | None = None
    #: Texts of a script's files that are not on the disk.
    drafts: Drafts = ()


def make_scenario(
    controller: str,
    character: str | None = None,
    terrain: str | None = None,
    timestep_s: float = DEFAULT_TIMESTEP_S,
    ground: str | None = None,
) -> Scenario:
    """A scenario in which a missing character is the one that the controller was made for."""
    return Scenario(controller, character or default_character(controller), terrain, timestep_s, ground=ground)


def load_body(scenario: Scenario) -> Character:
    """The character of a scenario, with the proportions that it has there."""
    body = load_any_character(scenario.character)
    if scenario.random_body is not None:
        body = random_body(body, scenario.random_body)
    return scaled(body, **dict(scenario.scale))


class Entry(NamedTuple):
    """A phase of a script began: the tick of its first step, and the phases that ran from then on."""

    tick: int
    stack: Stack


class Simulation:
    """A scenario that runs, with the last half minute of it.

    After a run `before` of the same controller, another body goes on at the same place with the same parameters. Where
    a `stand_in` is asked for, nobody moves the body.
    """

    def __init__(
        self,
        scenario: Scenario,
        before: Simulation | None = None,
        *,
        spawn: Spawn | None = None,
        stand_in: bool = False,
    ) -> None:
        self.scenario = scenario
        self.character = load_body(scenario)
        loaded = (make_stand_in(scenario.controller), None) if stand_in else self._load()
        self.controller, self.program = steering.set_off(loaded[0]), loaded[1]
        #: What is set now, declared parameters and the curves of styles alike; a snapshot's are of another time.
        self.params = self.controller.params.copy()
        #: Which numbers of `params` are set from here.
        self._theirs = np.zeros(len(self.params), dtype=bool)
        self._theirs[[p.index for p in self.controller.parameters]] = True
        spawn = spawn or Spawn()
        if before is not None and before.scenario.controller == scenario.controller:
            self.params = steering.hand_over(before.controller, before.params, self.controller)
            if self.character.root == before.character.root == "free":
                spawn = before.place()
        if is_walker(self.controller):
            self.controller = turned(self.controller, spawn.heading_rad)
        self.spawn = spawn
        terrain = None if scenario.terrain is None else parse_terrain(scenario.terrain)
        self.world = Scene(
            self.controller,
            self.character,
            terrain=terrain,
            props=_make_balls(terrain or flat()),
            physics=PhysicsSettings(timestep_s=scenario.timestep_s, ground=scenario.ground),
            spawn=spawn,
        ).open()
        self.scene = describe_scene(self.world) | {"steerable": steering.can_steer(self.controller)}
        self.history = History()
        self.history_ticks = max(round(self.history.step_s / scenario.timestep_s), 1)
        #: Counts up whenever a parameter or a curve is set.
        self.settings_number = 0
        self.steps = 0
        #: Phases of a script that began, oldest first.
        self.entries: list[Entry] = []
        self._names = self.program.called() if self.program else []
        self._throws = 0
        self._spring: int | None = None
        self._shown: Moment | None = None
        self._bodies = np.array([self.world.body(b["name"]) for b in self.scene["bodies"]])
        self._trunk = self.character.segment_names.index(self.character.roles["trunk"])
        self._feet = [
            [self.character.segment_names.index(self.character.roles[r]) for r in roles if r in self.character.roles]
            for roles in (("left_foot", "left_toes"), ("right_foot", "right_toes"))
        ]
        self.restart()

    # -- time -------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Compiles what this world needs, by running one tick of it."""
        self.world.advance(1)
        self.restart()

    def _load(self) -> tuple[Controller, Program | None]:
        return load_actor(self.scenario.controller, self.scenario.drafts, self.character)

    def restart(self) -> None:
        """Back to time zero, with the parameters as they are set now."""
        self.world.reset()
        sense_whole(self.world.percepts[0], self.character.root == "planar")
        self._apply_params()
        self.history.clear()
        self.entries.clear()
        self.steps = 0
        self._spring, self._shown = None, None
        self._live = self._measure()
        self.history.add(self._live, self.world.snapshot())

    def advance(self, ticks: int) -> None:
        """Runs on by a number of ticks, from the moment that is shown."""
        self.resume()
        left = ticks
        try:
            while left > 0:
                part = min(left, self.history_ticks - self.world.tick % self.history_ticks)
                # Where a script begins is known after its first step.
                part = 1 if self._names and not self.entries else part
                log = TapeLog()
                done, began = self.world.advance(part, log=log, stop_on=("phase",) if self._names else ())
                left -= done
                if self._names and (began or not self.entries):
                    self.entries.append(Entry(self.world.tick - 1, self._measure_stack()))
                self.steps += sum(int(event[1]) == EventKind.STEP for event in log.events)
                if self.world.tick % self.history_ticks == 0:
                    self.history.add(self._measure(), self.world.snapshot())
        except DivergedError:
            # The state is no longer finite: the last moment that was kept becomes the present.
            self._shown = self.history.find(math.inf)
            self.resume()
            raise
        self._live = self._measure()

    def look_back(self, seconds: float) -> None:
        """Shows the moment that lies so far back; the run goes on from there. 0 is now."""
        self._shown = self.history.find(self._live.time_s - seconds) if seconds > 0.0 else None

    def resume(self) -> None:
        """Makes the moment that is shown the present; what came after it is forgotten, the parameters stay."""
        moment, self._shown = self._shown, None
        if moment is None or moment.snapshot is None:
            return
        self.world.restore(moment.snapshot)
        # A hand that pulled then does not pull now.
        self.world.ledger.springs[:] = 0.0
        self._spring = None
        self._apply_params()
        self.history.forget_after(moment.time_s)
        self.entries = [entry for entry in self.entries if entry.tick < moment.tick]
        self.steps = moment.steps
        self._live = moment

    def begin_at(self, snapshot: Snapshot, moments: Sequence[Moment], entries: Sequence[Entry], steps: int) -> None:
        """Goes on from a state, with a past that led there; the parameters stay as they are set."""
        self.world.restore(snapshot)
        self._apply_params()
        self.history.take(moments)
        self.entries, self.steps = list(entries), steps
        self._spring, self._shown = None, None
        self._sense()
        self._live = self._measure()
        self.keep()

    def _sense(self) -> None:
        """Brings up to date what is derived from a state that was just put in place."""
        read_parts(self.world, 0)
        sense_whole(self.world.percepts[0], self.character.root == "planar")

    def keep(self) -> None:
        """Keeps the present in the history, between the moments that are kept anyway."""
        self.history.add(self._live, self.world.snapshot())

    def foresee(self, seconds: float) -> list[Moment]:
        """What will come of the present if nobody interferes; it stays the present."""
        present, moments = self.world.snapshot(), []
        every = self.history_ticks
        try:
            for _ in range(round(seconds / (every * self.scenario.timestep_s))):
                self.world.advance(every)
                moments.append(self._measure())
        except PoiseError:
            # Up to where the state stops being finite.
            pass
        self.world.restore(present)
        self._sense()
        return moments

    def replay(self, tick: int) -> tuple[Snapshot, Snapshot] | None:
        """The states before and after a tick of the past, with the parameters of now; None where it is too long ago."""
        start = next((m for m in reversed(self.history.all()) if m.tick <= tick), None)
        if start is None or start.snapshot is None:
            return None
        present = self.world.snapshot()
        try:
            self.world.restore(start.snapshot)
            self._apply_params()
            self.world.advance(tick - start.tick)
            before = self.world.snapshot()
            self.world.advance(1)
            return before, self.world.snapshot()
        finally:
            self.world.restore(present)
            self._sense()

    @property
    def running(self) -> Running | None:
        """The script that runs, with its parameters as they are set."""
        return Running(self.program, self.params, self.controller.memory) if self.program else None

    @property
    def moment(self) -> Moment:
        """What is to be shown: the present, or the moment at which someone looks back."""
        return self._shown or self._live

    @property
    def behind_s(self) -> float:
        """How far back the shown moment lies."""
        return self._live.time_s - self.moment.time_s

    @property
    def reach_s(self) -> float:
        """How far back one can look."""
        oldest_s = self.history.oldest_s
        return 0.0 if oldest_s is None else self._live.time_s - oldest_s

    # -- what people do ---------------------------------------------------------------------------------------------

    @property
    def values(self) -> dict[str, float]:
        """Every declared parameter as it is set now."""
        return {p.name: float(self.params[p.index]) for p in self.controller.parameters}

    def set_parameter(self, name: str, value: float) -> None:
        index, checked = self.controller.check_value(name, value)
        self.params[index] = checked
        self._apply_params()

    def reset_parameters(self) -> None:
        """Every declared parameter back to the controller's own value; the edited style stays."""
        for parameter in self.controller.parameters:
            self.params[parameter.index] = self.controller.params[parameter.index]
        self._apply_params()

    def steer(self, commands: Mapping[str, float]) -> None:
        """Sets commands to the nearest values that they may have."""
        for name, value in commands.items():
            self.params[self.controller.parameter(name).index] = steering.clamp(self.controller, name, value)
        self._apply_params()

    def nudge(self, faster: int, leftward: int) -> None:
        """A little faster, and a little more to the left; negative numbers are the opposite."""
        if steering.can_steer(self.controller):
            self.steer(steering.nudge(self.values, faster, leftward))

    def stop(self) -> None:
        """No speed in any direction."""
        if steering.can_steer(self.controller):
            self.steer({name: 0.0 for name in (steering.SPEED, steering.SIDE_SPEED) if name in self.values})

    def edit_style(self, style: int) -> None:
        """Takes the curves of a style over into the one that people edit, and puts that in charge."""
        steering.take_as_own(self.controller, self.params, style)
        self._apply_params()

    def edit_curve(self, channel: str, points: Sequence[float], joined: bool) -> None:
        """Writes a curve of the style that people edit, which begins as the one in charge."""
        self._take_as_own()
        write_curve(self.params, steering.find_own(self.controller), channel, points, joined=joined)
        self._apply_params()

    def edit_tempo(self, tempo: float) -> None:
        """The step time of the style that people edit, as a factor."""
        self._take_as_own()
        write_tempo(self.params, steering.find_own(self.controller), tempo)
        self._apply_params()

    def place(self) -> Spawn:
        """Where the character is and which way it faces, or means to face when it lies on the ground."""
        percept = self.world.percepts[0]
        heading_rad = float(percept.heading_rad[0])
        if is_walker(self.controller):
            heading_rad = read_step_plan(self.world.memories[0]).heading_rad
        return Spawn(float(percept.com_w[0]), float(percept.com_w[1]), math.remainder(heading_rad, 2.0 * math.pi))

    def push(self, force_n: float, direction_deg: float) -> None:
        """Pushes the trunk for a tenth of a second; 0 is forward, 90 to the left."""
        self.resume()
        self.world.push(Push(force_n, direction_deg, self.world.time_s, PUSH_S))
        self.keep()

    def throw_ball(self, speed_mps: float, direction_deg: float) -> None:
        """Throws a ball at the trunk that flies in a direction of the heading frame: 0 comes from behind."""
        self.resume()
        percept = self.world.percepts[0]
        start, velocity = aim_ball(
            percept.segment_com_w[self._trunk],
            percept.com_vel_w,
            percept.heading_rad[0] + math.radians(direction_deg),
            speed_mps,
            self.world.settings.gravity_mps2,
            floor_m=self._floor_m,
        )
        self.world.throw(f"ball_{self._throws % BALLS + 1}", start.tolist(), velocity.tolist())
        self._throws += 1
        self.keep()

    def _floor_m(self, x_m: float, y_m: float) -> float:
        height_m = self.world.terrain.height_m(x_m, y_m)
        return height_m + BALL_RADIUS_M if math.isfinite(height_m) else -math.inf

    def pull(self, segment: int, point_b_m: Sequence[float], target_w_m: Sequence[float]) -> None:
        """Pulls a point of a segment towards a point of the world until `let_go`; the farther, the harder."""
        self.resume()
        self.let_go()
        weight_n = self.character.mass_kg * max(self.world.settings.gravity_mps2, 1.0)
        stiffness = PULL_WEIGHTS_PER_M * weight_n
        self._spring = self.world.attach(
            self.character.segment_names[segment],
            point_b_m,
            "world",
            target_w_m,
            stiffness_npm=stiffness,
            damping_nspm=PULL_DAMPING_S * stiffness,
            max_force_n=PULL_LIMIT_WEIGHTS * weight_n,
        )

    def let_go(self) -> None:
        if self._spring is not None:
            self.world.detach(self._spring)
            self._spring = None

    @property
    def pulling(self) -> bool:
        return self._spring is not None

    # -- inside -----------------------------------------------------------------------------------------------------

    def _take_as_own(self) -> None:
        style = int(self.params[self.controller.parameter("style").index])
        steering.take_as_own(self.controller, self.params, style)

    def _apply_params(self) -> None:
        """Sets what people may set or have changed; the rest may be a pilot's, which writes there as it goes."""
        self._theirs |= self.params != self.controller.params
        self.world.params[0][self._theirs] = self.params[self._theirs]
        self.world.tell_pilots()
        self.settings_number += 1

    def _measure(self) -> Moment:
        world, percept = self.world, self.world.percepts[0]
        pose = np.empty((len(self._bodies), 7))
        pose[:, :3] = world.state.body_pos_w_m[self._bodies]
        pose[:, 3:] = world.state.body_quat_wxyz[self._bodies]
        com, rot, (cos, sin) = percept.com_w, percept.rot_w[self._trunk], percept.heading_w
        left, right = (float(sum(percept.touch_load[s] for s in foot)) for foot in self._feet)
        floor_m = world.terrain.height_m(float(com[0]), float(com[1]))
        return Moment(
            time_s=world.time_s,
            pose=pose,
            pushes=self._measure_pushes(),
            com_w_m=(float(com[0]), float(com[1]), float(com[2])),
            speed_mps=float(percept.com_vel_w[0] * cos + percept.com_vel_w[1] * sin),
            lean_rad=math.atan2(rot[2] * cos + rot[5] * sin, rot[8]),
            loads_n=(left, right),
            steps=self.steps,
            fell_at_s=world.fell_at_s(),
            heading_rad=float(percept.heading_rad[0]),
            distance_m=self._measure_distance_m(),
            floor_m=floor_m if math.isfinite(floor_m) else 0.0,
            phase=self._measure_phase(),
            stack=self._measure_stack(),
            tick=world.tick,
        )

    def _measure_stack(self) -> Stack:
        """The phases of a script that run now."""
        return read_stack(self._names, self.world.params[0], self.world.memories[0]) if self._names else ()

    def _measure_distance_m(self) -> float:
        """From where it began: along x in the plane, as the crow flies elsewhere."""
        x_m, y_m = (float(v) for v in self.world.percepts[0].com_w[:2])
        if self.character.root == "planar":
            return x_m
        return math.hypot(x_m - self.spawn.x_m, y_m - self.spawn.y_m)

    def _measure_phase(self) -> float | None:
        """How far a walker is in its step; None while it stands, and for others."""
        return read_step_plan(self.world.memories[0]).phase if is_walker(self.controller) else None

    def _measure_pushes(self) -> np.ndarray:
        """Place and strength (over the weight) of every push that acts now."""
        rows = self.world.ledger.pushes
        acting = rows[rows[:, 0] == 2.0]
        weight_n = self.character.mass_kg * max(self.world.settings.gravity_mps2, 1.0)
        return np.hstack([self.world.state.body_com_w_m[acting[:, 1].astype(int)], acting[:, 7:10] / weight_n])


def _make_balls(terrain: Terrain) -> list[Prop]:
    balls = []
    for k in range(BALLS):
        x_m, y_m = 4.0 * BALL_RADIUS_M * k, BALL_PARK_M
        height_m = terrain.height_m(x_m, y_m)
        z_m = BALL_RADIUS_M + (height_m if math.isfinite(height_m) else 0.0)
        balls.append(ball(BALL_RADIUS_M, BALL_MASS_KG, position_m=(x_m, y_m, z_m), name=f"ball_{k + 1}"))
    return balls
