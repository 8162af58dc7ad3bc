"""A world that people play with: pushes, balls, pulling hands, parameters, and going back in time.

It belongs to one thread, knows no clock and no page, and does the same for the same calls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poise.constants import DEFAULT_TIMESTEP_S
from poise.controllers.catalog import default_character, load_controller
from poise.errors import DivergedError
from poise.studio.aim import aim_ball
from poise.studio.moment import History, Moment
from poise.studio.scene import describe_scene
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.events import FOOT_STRIKE
from poise.world.props import Prop, ball
from poise.world.sense import sense_whole
from poise.world.tape import TapeLog
from poise.world.terrain import Terrain, parse_terrain
from poise.world.world import Push, World

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
    terrain: str = "flat"
    timestep_s: float = DEFAULT_TIMESTEP_S


def make_scenario(
    controller: str, character: str | None = None, terrain: str = "flat", timestep_s: float = DEFAULT_TIMESTEP_S
) -> Scenario:
    """A scenario in which a missing character is the one that the controller was made for."""
    return Scenario(controller, character or default_character(controller), terrain, timestep_s)


class Simulation:
    """A scenario that runs, with the last half minute of it."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.character = load_any_character(scenario.character)
        self.controller = load_controller(scenario.controller, self.character)
        terrain = parse_terrain(scenario.terrain)
        settings = PhysicsSettings(timestep_s=scenario.timestep_s)
        self.world = World(
            [self.character], [self.controller], terrain=terrain, props=_make_balls(terrain), settings=settings
        )
        self.scene = describe_scene(self.world)
        self.history = History()
        self.history_ticks = max(round(self.history.step_s / scenario.timestep_s), 1)
        self.values: dict[str, float] = self.controller.values()
        self.steps = 0
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

    def restart(self) -> None:
        """Back to time zero, with the parameters as they are set now."""
        self.world.reset()
        sense_whole(self.world.percepts[0], self.character.root == "planar")
        self._apply_values()
        self.history.clear()
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
                log = TapeLog()
                self.world.advance(part, log=log)
                left -= part
                self.steps += sum(int(event[1]) == FOOT_STRIKE for event in log.events)
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
        self._apply_values()
        self.history.forget_after(moment.time_s)
        self.steps = moment.steps
        self._live = moment

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

    def set_parameter(self, name: str, value: float) -> None:
        self.world.set_parameter(name, value)
        self.values[self.controller.parameter(name).name] = float(value)

    def reset_parameters(self) -> None:
        """Every parameter back to the controller's own value."""
        self.values = self.controller.values()
        self._apply_values()

    def push(self, force_n: float, direction_deg: float) -> None:
        """Pushes the trunk for a tenth of a second; 0 is forward, 90 to the left."""
        self.resume()
        self.world.push(Push(force_n, direction_deg, self.world.time_s, PUSH_S))

    def throw_ball(self, speed_mps: float, direction_deg: float) -> None:
        """Throws a ball at the trunk that flies in a direction of the heading frame: 0 comes from behind."""
        self.resume()
        percept = self.world.percepts[0]
        start, velocity = aim_ball(
            percept.com_w[self._trunk],
            percept.whole[3:6],
            percept.whole[6] + math.radians(direction_deg),
            speed_mps,
            self.world.settings.gravity_mps2,
            floor_m=self._floor_m,
        )
        self.world.throw(f"ball_{self._throws % BALLS + 1}", start.tolist(), velocity.tolist())
        self._throws += 1

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

    def _apply_values(self) -> None:
        for name, value in self.values.items():
            self.world.set_parameter(name, value)

    def _measure(self) -> Moment:
        world, percept = self.world, self.world.percepts[0]
        pose = np.empty((len(self._bodies), 7))
        pose[:, :3] = world.data.xpos[self._bodies]
        pose[:, 3:] = world.data.xquat[self._bodies]
        whole, rot = percept.whole, percept.rot_w[self._trunk]
        cos, sin = whole[7], whole[8]
        left, right = (float(sum(percept.touch_load[s] for s in foot)) for foot in self._feet)
        return Moment(
            time_s=world.time_s,
            pose=pose,
            pushes=self._measure_pushes(),
            com_w_m=(float(whole[0]), float(whole[1]), float(whole[2])),
            speed_mps=float(whole[3] * cos + whole[4] * sin),
            lean_rad=math.atan2(rot[2] * cos + rot[5] * sin, rot[8]),
            loads_n=(left, right),
            steps=self.steps,
            fell_at_s=world.fell_at_s(),
        )

    def _measure_pushes(self) -> np.ndarray:
        """Place and strength (over the weight) of every push that acts now."""
        rows = self.world.ledger.pushes
        acting = rows[rows[:, 0] == 2.0]
        weight_n = self.character.mass_kg * max(self.world.settings.gravity_mps2, 1.0)
        return np.hstack([self.world.data.xipos[acting[:, 1].astype(int)], acting[:, 7:10] / weight_n])


def _make_balls(terrain: Terrain) -> list[Prop]:
    balls = []
    for k in range(BALLS):
        x_m, y_m = 4.0 * BALL_RADIUS_M * k, BALL_PARK_M
        height_m = terrain.height_m(x_m, y_m)
        z_m = BALL_RADIUS_M + (height_m if math.isfinite(height_m) else 0.0)
        balls.append(ball(BALL_RADIUS_M, BALL_MASS_KG, position_m=(x_m, y_m, z_m), name=f"ball_{k + 1}"))
    return balls
