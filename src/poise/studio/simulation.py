"""An interactive world: pushes, balls, pulling hands, parameters, and a history to go back to.

It belongs to one thread, knows nothing of clocks and pages, and is deterministic: the same calls give the same run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from poise.constants import DEFAULT_RECORD_HZ
from poise.controllers.script.carry import Running
from poise.controllers.walker.facing import is_walker, turned
from poise.controllers.walker.plan import read_step_plan
from poise.controllers.walker.styles import write_curve, write_tempo
from poise.errors import DivergedError, PoiseError
from poise.kernels.progress import Progress
from poise.language.load import Program
from poise.rollout.scene import Scene
from poise.rollout.simulate import make_recording
from poise.studio import steering
from poise.studio.actor import LIMP, load_actor, make_stand_in, with_limp
from poise.studio.balls import Balls
from poise.studio.body_scale import measure_scale
from poise.studio.hands import Hands
from poise.studio.moment import History, Moment
from poise.studio.observer import Observer
from poise.studio.past import Entry, Past
from poise.studio.posture import FALL_S, Posture
from poise.studio.samples import Samples, compute_samples
from poise.studio.scenario import Scenario, load_body
from poise.studio.scene import describe_scene
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.handling import read_parts
from poise.world.loop import run_ticks
from poise.world.sense import sense_whole
from poise.world.tape import TapeLog
from poise.world.terrain import flat, parse_terrain
from poise.world.world import Snapshot, Spawn


class Simulation:
    """A running scenario and the last half minute of its history.

    If `before` runs the same controller, the new body continues at the same place with the same parameters. A
    `stand_in` leaves the body passive.
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
        #: Current parameters and style curves. Those in a snapshot are from another time.
        self.params = self.controller.params.copy()
        #: Mask of the numbers in `params` that people have set or may set.
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
        balls = Balls(measure_scale(self.character), terrain or flat())
        self.world = Scene(
            with_limp(self.controller),
            self.character,
            terrain=terrain,
            props=balls.make(),
            physics=PhysicsSettings(timestep_s=scenario.timestep_s, ground=scenario.ground),
            spawn=spawn,
        ).open()
        self.scene = describe_scene(self.world) | {"steerable": steering.can_steer(self.controller)}
        self.history = History()
        self.history_ticks = max(round(self.history.step_s / scenario.timestep_s), 1)
        #: Counts up whenever a parameter or a curve is set.
        self.settings_number = 0
        self._frame_ticks = max(round(1.0 / (DEFAULT_RECORD_HZ * scenario.timestep_s)), 1)
        self._fall_ticks = round(FALL_S / scenario.timestep_s)
        self.posture = Posture()
        self.samples = Samples()
        #: Starts of a script's phases, oldest first.
        self.entries: list[Entry] = []
        self._names = self.program.called() if self.program else []
        self._shown: Moment | None = None
        bodies = [body["name"] for body in self.scene["bodies"]]
        self._observer = Observer(self.world, bodies, spawn, self._names)
        self.hands = Hands(self.world, self._observer, balls)
        self.restart()

    # -- time -------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Compile what this world needs, by running one tick."""
        self.world.advance(1)
        self.restart()

    def measure_progress(self) -> Progress:
        """How much of what this world needs is compiled."""
        return Progress([run_ticks, *(c.law for cast in self.world.casts for c in cast.controllers.values())])

    def _load(self) -> tuple[Controller, Program | None]:
        return load_actor(self.scenario.controller, self.scenario.drafts, self.character)

    def restart(self) -> None:
        """Return to time zero, with the current parameters."""
        self.world.reset()
        sense_whole(self.world.percepts[0], self.character.root == "planar")
        self._apply_params()
        self.history.clear()
        self.entries.clear()
        self.samples.clear()
        self.posture = Posture()
        self.hands.forget()
        self._shown = None
        self._live = self._observer.measure(self.posture)
        self.history.add(self._live, self.world.snapshot())

    def advance(self, ticks: int) -> None:
        """Advance by a number of ticks from the moment that is shown."""
        self.resume()
        left = ticks
        try:
            while left > 0:
                part = min(left, self._ticks_to_stop())
                log = TapeLog()
                stop_on = ("phase",) if self._names else ()
                done, began = self.world.advance(part, log=log, stop_on=stop_on, record_every=self._frame_ticks)
                left -= done
                if self._names and (began or not self.entries):
                    self.entries.append(Entry(self.world.tick - 1, self._observer.measure_stack()))
                self._take(log)
                if self.world.tick % self.history_ticks == 0:
                    self.history.add(self._observer.measure(self.posture), self.world.snapshot())
        except DivergedError:
            # The state is no longer finite: continue from the last kept moment.
            self._shown = self.history.find(math.inf)
            self.resume()
            raise
        self._live = self._observer.measure(self.posture)

    def _ticks_to_stop(self) -> int:
        """Ticks to the next one at which something is kept or decided; it does not depend on how a run is split."""
        tick = self.world.tick
        if self._names and not self.entries:
            # The first phase of a script is known only after its first step.
            return 1
        ticks = self.history_ticks - tick % self.history_ticks
        since_s = self.posture.down_since_s
        if since_s is not None and self.can_go_limp:
            fallen = round(since_s / self.scenario.timestep_s) + self._fall_ticks
            ticks = min(ticks, max(fallen - tick, 1))
        return ticks

    def _take(self, log: TapeLog) -> None:
        """Measure the part of the run that a log holds, and let go of a walker that has fallen."""
        part = make_recording(self.world, log, (), {})
        self.samples.take(compute_samples(part))
        self.posture = self.posture.after(part)
        since_s = self.posture.down_since_s
        if since_s is None or not self.can_go_limp:
            return
        if self.world.tick >= round(since_s / self.scenario.timestep_s) + self._fall_ticks:
            self.world.switch(LIMP)

    @property
    def can_go_limp(self) -> bool:
        """Whether a controller that cannot get up acts: after a fall it lets go of the joints."""
        return self.world.active() != LIMP and LIMP in self.world.casts[0].names

    def look_back(self, seconds: float) -> None:
        """Show the moment that many seconds before the present; the run will continue from it. 0 shows the present."""
        self._shown = self.history.find(self._live.time_s - seconds) if seconds > 0.0 else None

    def resume(self) -> None:
        """Make the shown moment the present. Later moments are dropped; parameters stay."""
        moment, self._shown = self._shown, None
        if moment is None or moment.snapshot is None:
            return
        self.world.restore(moment.snapshot)
        # A hand that was pulling at that moment is gone.
        self.hands.forget()
        self._apply_params()
        self.history.forget_after(moment.time_s)
        self.samples.forget_from(moment.time_s)
        self.entries = [entry for entry in self.entries if entry.tick < moment.tick]
        self.posture = moment.posture
        self._live = moment

    def begin_at(self, snapshot: Snapshot, past: Past) -> None:
        """Continue from a state with its history; parameters stay."""
        self.world.restore(snapshot)
        self._apply_params()
        self.history.take(past.moments)
        self.samples.clear()
        self.samples.take(past.samples)
        self.entries = list(past.entries)
        self.posture = past.moments[-1].posture if past.moments else Posture()
        self.hands.forget()
        self._shown = None
        self._sense()
        self._live = self._observer.measure(self.posture)
        self.keep()

    def _sense(self) -> None:
        """Update the quantities derived from a restored state."""
        read_parts(self.world, 0)
        sense_whole(self.world.percepts[0], self.character.root == "planar")

    def keep(self) -> None:
        """Add the present to the history, in addition to the regular moments."""
        self.history.add(self._live, self.world.snapshot())

    def foresee(self, seconds: float) -> list[Moment]:
        """The next moments if nobody interferes; the present stays as it is."""
        present, moments = self.world.snapshot(), []
        every = self.history_ticks
        try:
            for _ in range(round(seconds / (every * self.scenario.timestep_s))):
                self.world.advance(every)
                moments.append(self._observer.measure(self.posture))
        except PoiseError:
            # The moments before the state stopped being finite remain.
            pass
        self.world.restore(present)
        self._sense()
        return moments

    def replay(self, tick: int) -> tuple[Snapshot, Snapshot] | None:
        """States before and after a past tick, with the current parameters; None if older than the history."""
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
        """The running script with its current parameters; None for other controllers."""
        return Running(self.program, self.params, self.controller.memory) if self.program else None

    @property
    def moment(self) -> Moment:
        """The moment to show: the present, or the past one that was chosen."""
        return self._shown or self._live

    @property
    def behind_s(self) -> float:
        """Time from the shown moment to the present."""
        return self._live.time_s - self.moment.time_s

    @property
    def reach_s(self) -> float:
        """Length of the history."""
        oldest_s = self.history.oldest_s
        return 0.0 if oldest_s is None else self._live.time_s - oldest_s

    # -- what people do ---------------------------------------------------------------------------------------------

    @property
    def values(self) -> dict[str, float]:
        """Current values of all declared parameters."""
        return {p.name: float(self.params[p.index]) for p in self.controller.parameters}

    def set_parameter(self, name: str, value: float) -> None:
        index, checked = self.controller.check_value(name, value)
        self.params[index] = checked
        self._apply_params()

    def reset_parameters(self) -> None:
        """Reset every declared parameter to the controller's value; the edited style stays."""
        for parameter in self.controller.parameters:
            self.params[parameter.index] = self.controller.params[parameter.index]
        self._apply_params()

    def steer(self, commands: Mapping[str, float]) -> None:
        """Set commands, clamped to their ranges."""
        for name, value in commands.items():
            self.params[self.controller.parameter(name).index] = steering.clamp(self.controller, name, value)
        self._apply_params()

    def nudge(self, faster: int, leftward: int) -> None:
        """Change speed and heading by a number of small increments; negative numbers are slower and to the right."""
        if steering.can_steer(self.controller):
            self.steer(steering.nudge(self.values, faster, leftward))

    def stop(self) -> None:
        """Command zero speed in all directions."""
        if steering.can_steer(self.controller):
            self.steer({name: 0.0 for name in (steering.SPEED, steering.SIDE_SPEED) if name in self.values})

    def edit_style(self, style: int) -> None:
        """Copy the curves of a style into the editable style, and select that."""
        steering.take_as_own(self.controller, self.params, style)
        self._apply_params()

    def edit_curve(self, channel: str, points: Sequence[float], joined: bool) -> None:
        """Write a curve of the editable style, which starts as a copy of the selected one."""
        self._take_as_own()
        write_curve(self.params, steering.find_own(self.controller), channel, points, joined=joined)
        self._apply_params()

    def edit_tempo(self, tempo: float) -> None:
        """Set the step time of the editable style, as a factor."""
        self._take_as_own()
        write_tempo(self.params, steering.find_own(self.controller), tempo)
        self._apply_params()

    def place(self) -> Spawn:
        """Position and heading; for a walker, the commanded heading, which is defined even after a fall."""
        percept = self.world.percepts[0]
        heading_rad = float(percept.heading_rad[0])
        if is_walker(self.world.controllers[0]):
            heading_rad = read_step_plan(self.world.memories[0]).heading_rad
        elif self.world.active() == LIMP:
            heading_rad = math.radians(self.values[steering.HEADING])
        return Spawn(float(percept.com_w[0]), float(percept.com_w[1]), math.remainder(heading_rad, 2.0 * math.pi))

    def push(self, force_n: float, direction_deg: float) -> None:
        """Push the trunk for 0.1 s; 0 is forward, 90 to the left."""
        self.resume()
        self.hands.push(force_n, direction_deg)
        self.keep()

    def throw_ball(self, speed_mps: float, direction_deg: float) -> None:
        """Throw a ball at the trunk. The direction is the ball's, in the heading frame: 0 comes from behind."""
        self.resume()
        self.hands.throw_ball(speed_mps, direction_deg)
        self.keep()

    def pull(self, segment: int, point_b_m: Sequence[float], target_w_m: Sequence[float]) -> None:
        """Pull a point of a segment towards a point of the world, until `let_go`."""
        self.resume()
        self.hands.pull(segment, point_b_m, target_w_m)

    def let_go(self) -> None:
        self.hands.let_go()

    @property
    def pulling(self) -> bool:
        return self.hands.pulling

    # -- inside -----------------------------------------------------------------------------------------------------

    def _take_as_own(self) -> None:
        style = int(self.params[self.controller.parameter("style").index])
        steering.take_as_own(self.controller, self.params, style)

    def _apply_params(self) -> None:
        """Write the parameters that people may set or have changed. The others belong to pilots."""
        self._theirs |= self.params != self.controller.params
        if self.world.active() != LIMP:
            self.world.params[0][self._theirs] = self.params[self._theirs]
        self.world.tell_pilots()
        self.settings_number += 1


def look_alike(old: Simulation, new: Simulation) -> bool:
    """Whether pages would show the same bodies and parameters."""
    mine, theirs = old.controller, new.controller
    return (
        old.scene == new.scene
        and mine.parameters == theirs.parameters
        and mine.description == theirs.description
        and all(mine.value(p.name) == theirs.value(p.name) for p in mine.parameters)
    )
