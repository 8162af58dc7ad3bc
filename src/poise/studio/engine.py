"""The thread that owns a simulation and keeps it in step with the clock on the wall.

Pages ask for things through a queue and read the last `View`; nothing else passes between the threads. When the
machine cannot keep up, simulated time slows down: nothing piles up. An error pauses the run and becomes a notice.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from poise.errors import PoiseError
from poise.studio.actor import Drafts, find_script
from poise.studio.pace import Pace
from poise.studio.published import Edited, Notice, Stage, View
from poise.studio.reading import Reading, read_script
from poise.studio.rerun import Since, rerun
from poise.studio.simulation import Scenario, Simulation, load_body
from poise.studio.track import Tracks
from poise.trust import Trust, trusting

#: How often the world is moved on: twice as often as pages draw.
BEAT_S = 1.0 / 60.0
#: The most wall time that one beat may spend on physics.
BUDGET_S = 0.05
#: The most that a beat may catch up on after a stall; longer ones are lost time.
CATCH_UP_S = 0.15
IDLE_S = 0.25
TRACE_EVERY_S = 0.2
#: A hand from which nothing was heard for so long has let go: its page is gone.
PULL_EXPIRES_S = 1.0
MIN_SPEED, MAX_SPEED = 0.1, 4.0
#: How long it lies there before it starts again by itself.
GETS_UP_AFTER_S = 1.5
#: What one click on "step" moves on by.
STEP_S = 0.01

Command = Callable[[Simulation], None]


@dataclass(frozen=True)
class Version:
    """A script as someone has just written it, from when on it is to run, and the file that is in view."""

    number: int
    drafts: Drafts
    since: Since = "start"
    script: str = ""


class Engine:
    """One world with a thread of its own. Every public method may be called from any thread and returns at once."""

    def __init__(
        self, scenario: Scenario, *, trust: Trust | None = None, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.view = View(preparing="Setting the stage …")
        self.stage: Stage | None = None
        self._scenario = scenario
        self._trust = trust or Trust()
        self._clock = clock
        self._commands: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._notices: queue.SimpleQueue[Notice] = queue.SimpleQueue()
        self._simulation: Simulation | None = None
        self._stopping = threading.Event()
        self._pace = Pace()
        self._owed_s = 0.0
        self._pulled_at = 0.0
        self._traced_at = -1.0
        #: The newest version of a script that was written; older ones are not worth a run.
        self._newest = 0
        #: Of which simulation and which of its settings pages know.
        self._settings: tuple[Simulation | None, int] = (None, 0)
        self._thread = threading.Thread(target=self._live, name="poise-engine", daemon=True)

    # -- for pages --------------------------------------------------------------------------------------------------

    def start(self) -> Engine:
        self._thread.start()
        return self

    def close(self, timeout_s: float = 0.0) -> None:
        """Ends the thread after the beat that it is in; waits for that up to a time."""
        self._stopping.set()
        self._commands.put(None)
        if timeout_s > 0.0 and self._thread.is_alive():
            self._thread.join(timeout_s)

    @property
    def closed(self) -> bool:
        return self._stopping.is_set()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def take_notices(self) -> list[Notice]:
        """What has happened since the last call."""
        notices = []
        while True:
            try:
                notices.append(self._notices.get_nowait())
            except queue.Empty:
                return notices

    def run(self) -> None:
        self._commands.put(lambda: self._set_running(True))

    def pause(self) -> None:
        self._commands.put(lambda: self._set_running(False))

    def toggle(self) -> None:
        self._commands.put(lambda: self._set_running(not self.view.running))

    def step(self, ticks: int | None = None) -> None:
        """Pauses and moves on by some ticks, or by a hundredth of a second."""

        def step(simulation: Simulation) -> None:
            self._set_running(False)
            simulation.advance(ticks or max(round(STEP_S / simulation.scenario.timestep_s), 1))

        self._ask(step)

    def restart(self) -> None:
        self._ask(lambda simulation: simulation.restart(), leap=True)

    def set_speed(self, speed: float) -> None:
        """How fast simulated time should pass: 1 is real time."""
        clamped = min(max(float(speed), MIN_SPEED), MAX_SPEED)
        self._commands.put(lambda: self._publish(speed=clamped))

    def look_back(self, seconds: float) -> None:
        """Pauses and shows what was so many seconds ago."""

        def look_back(simulation: Simulation) -> None:
            self._set_running(False)
            simulation.look_back(seconds)

        self._ask(look_back, leap=True)

    def set_parameter(self, name: str, value: float) -> None:
        self._ask(lambda simulation: simulation.set_parameter(name, value))

    def reset_parameters(self) -> None:
        self._ask(lambda simulation: simulation.reset_parameters())

    def steer(self, commands: Mapping[str, float]) -> None:
        """Sets commands such as speed and heading, as far as they may go."""
        self._ask(lambda simulation: simulation.steer(commands))

    def nudge(self, faster: int = 0, leftward: int = 0) -> None:
        """Speed and heading by so many steps."""
        self._ask(lambda simulation: simulation.nudge(faster, leftward))

    def stop(self) -> None:
        self._ask(lambda simulation: simulation.stop())

    def edit_style(self, style: int) -> None:
        self._ask(lambda simulation: simulation.edit_style(style))

    def edit_curve(self, channel: str, points: Sequence[float], joined: bool) -> None:
        self._ask(lambda simulation: simulation.edit_curve(channel, points, joined))

    def edit_tempo(self, tempo: float) -> None:
        self._ask(lambda simulation: simulation.edit_tempo(tempo))

    def set_gets_up(self, gets_up: bool) -> None:
        """Whether it starts again by itself some moments after a fall."""
        self._commands.put(lambda: self._publish(gets_up=gets_up))

    def push(self, force_n: float, direction_deg: float) -> None:
        self._ask(lambda simulation: simulation.push(force_n, direction_deg))

    def throw_ball(self, speed_mps: float, direction_deg: float) -> None:
        self._ask(lambda simulation: simulation.throw_ball(speed_mps, direction_deg))

    def pull(self, segment: int, point_b_m: list[float], target_w_m: list[float]) -> None:
        """A hand pulls until `let_go`, or until nothing is heard of it for a second."""

        def pull(simulation: Simulation) -> None:
            self._pulled_at = self._clock()
            simulation.pull(segment, point_b_m, target_w_m)

        self._ask(pull)

    def let_go(self) -> None:
        self._ask(lambda simulation: simulation.let_go())

    def load(self, scenario: Scenario) -> None:
        """Puts something else on stage; what does not fit becomes a notice, and everything stays as it was.

        The same controller goes on where it is and as it is set, with another body.
        """
        self._commands.put(lambda: self._load(scenario))

    def edit(self, version: Version) -> None:
        """Another version of the script on stage: it is read, and runs where it can."""
        self._newest = version.number
        self._commands.put(lambda: self._edit(version))

    # -- in the thread ----------------------------------------------------------------------------------------------

    def _ask(self, command: Command, *, leap: bool = False) -> None:
        def obey() -> None:
            if self._simulation is not None:
                command(self._simulation)
                self._publish(leap=self.view.leap + leap)

        self._commands.put(obey)

    def _live(self) -> None:
        with trusting(self._trust):
            self._load(self._scenario, run=True)
            self._keep_going()
        self._forget()

    def _keep_going(self) -> None:
        last = self._clock()
        while not self._stopping.is_set():
            began = self._clock()
            if self.view.running:
                self._guard(partial(self._beat, began - last), pause=True)
            last = began
            self._listen(began + (BEAT_S if self.view.running else IDLE_S))

    def _forget(self) -> None:
        """Lets go of the world: the page of a closed tab may hold on to its engine for a while."""
        self._simulation, self._settings, self.stage = None, (None, 0), None
        self.view = View(number=self.view.number + 1)
        with suppress(queue.Empty):
            while True:
                self._commands.get_nowait()

    def _listen(self, until: float) -> None:
        """Obeys what is asked until a time; while paused, only until something was asked."""
        while not self._stopping.is_set():
            try:
                command = self._commands.get(timeout=max(until - self._clock(), 0.0))
            except queue.Empty:
                return
            if command is not None:
                was_running = self.view.running
                self._guard(command)
                if self.view.running and not was_running:
                    return

    def _guard(self, action: Callable[[], None], *, pause: bool = False) -> None:
        """Does something; what goes wrong is told, and the thread lives on."""
        try:
            action()
        except Exception as error:
            self._tell(error)
            self._publish(running=self.view.running and not pause, leap=self.view.leap + 1)

    def _tell(self, error: Exception) -> None:
        text = str(error) if isinstance(error, PoiseError) else f"{type(error).__name__}: {error}"
        self._notices.put(Notice("negative", text))

    def _load(self, scenario: Scenario, *, run: bool | None = None) -> None:
        was_running = self.view.running if run is None else run
        before = self._simulation
        goes_on = before is not None and before.scenario.controller == scenario.controller
        # Another body for the same law is a matter of a moment, and no reason for a curtain.
        self._publish(running=False, preparing="" if goes_on else "Getting ready …")
        try:
            reading = self._read(scenario)
            sound = reading is None or reading.is_sound
            # A body on which a script cannot run changes nothing; a script that nobody has run yet shows its errors.
            simulation = Simulation(scenario, before if goes_on else None, stand_in=not (sound or goes_on))
            if not goes_on:
                self._publish(preparing="Compiling the control loop; the first time this takes about 40 s …")
            simulation.prepare()
        except Exception as error:
            self._tell(error)
            self._publish(preparing="", running=was_running and self._simulation is not None)
            return
        self._take_stage(simulation, goes_on)
        self._publish(
            preparing="", running=was_running and sound, leap=self.view.leap + 1, reading=reading, tracks=None
        )

    def _take_stage(self, simulation: Simulation, goes_on: bool) -> None:
        """Another world to live in; pages build their stage anew where it looks otherwise."""
        old, self._simulation, self._pace = self._simulation, simulation, Pace()
        scenario, controller = simulation.scenario, simulation.controller
        self.stage = Stage(scenario, simulation.scene, controller, simulation.character, goes_on)
        if old is None or not goes_on or not _look_alike(old, simulation):
            self._publish(stage_number=self.view.stage_number + 1)

    # -- scripts ----------------------------------------------------------------------------------------------------

    def _read(self, scenario: Scenario, number: int = 0) -> Reading | None:
        """How a script reads; None for all that is none."""
        if find_script(scenario.controller) is None:
            return None
        return read_script(scenario.controller, scenario.drafts, load_body(scenario), number)

    def _edit(self, version: Version) -> None:
        old = self._simulation
        if old is None or version.number < self._newest or find_script(old.scenario.controller) is None:
            return
        scenario = replace(old.scenario, drafts=version.drafts)
        reading = self._read(scenario, version.number)
        self._publish(reading=reading)
        if reading is None or not reading.is_sound:
            return
        try:
            self._exchange(old, Simulation(scenario, spawn=old.spawn), version)
        finally:
            self._publish(preparing="")

    def _exchange(self, old: Simulation, new: Simulation, version: Version) -> None:
        """The new version goes on in the place of the old one."""

        def is_fresh() -> bool:
            return version.number >= self._newest and not self._stopping.is_set()

        if new.controller.law is not old.controller.law:
            self._publish(preparing="Compiling the control loop; the first time this takes about 40 s …")
            new.prepare()
        if old.program is None:
            # Nobody was on stage so far.
            self._take_stage(new, goes_on=True)
            self._publish(running=True, leap=self.view.leap + 1, edited=Edited(version.number, 0.0))
            return
        made = rerun(old, new, version.since, version.script, playing=self.view.running, fresh=is_fresh)
        if not is_fresh():
            return
        self._take_stage(new, goes_on=True)
        self._owed_s = 0.0
        self._publish(
            leap=self.view.leap + 1,
            edited=Edited(version.number, made.began_s, made.note),
            tracks=Tracks(version.number, made.mine, made.before),
        )

    def _set_running(self, running: bool) -> None:
        self._owed_s, self._pace = 0.0, Pace()
        self._publish(running=running and self._simulation is not None)

    def _beat(self, passed_s: float) -> None:
        """Moves the world on by the wall time that has passed, or by as much of it as can be had."""
        simulation = self._simulation
        if simulation is None:
            return
        timestep_s, began = simulation.scenario.timestep_s, self._clock()
        if simulation.pulling and began - self._pulled_at > PULL_EXPIRES_S:
            simulation.let_go()
        self._owed_s += min(passed_s, CATCH_UP_S) * self.view.speed
        ticks = int(self._owed_s / timestep_s)
        self._owed_s -= ticks * timestep_s
        leap = self.view.leap + (simulation.behind_s > 0.0)
        done = 0
        while done < ticks:
            part = min(ticks - done, simulation.history_ticks)
            simulation.advance(part)
            done += part
            if self._clock() - began > BUDGET_S:
                self._owed_s = 0.0
                break
        self._pace.add(done * timestep_s, passed_s)
        fell_at_s = simulation.moment.fell_at_s
        if self.view.gets_up and fell_at_s is not None and simulation.moment.time_s > fell_at_s + GETS_UP_AFTER_S:
            simulation.restart()
            leap += 1
        self._publish(leap=leap)

    def _publish(self, **changes: Any) -> None:
        """Shows pages the state of things. Attributes are replaced whole, so that no page sees half of a view."""
        simulation, now = self._simulation, self._clock()
        if simulation is not None:
            changes |= {
                "moment": simulation.moment,
                "behind_s": simulation.behind_s,
                "reach_s": simulation.reach_s,
                "realtime_factor": self._pace.factor,
            }
            tracks = changes.get("tracks", self.view.tracks)
            if tracks is not None and tracks.mine.is_left_by(simulation.moment):
                changes["tracks"] = tracks.cut(simulation.moment.time_s)
            settings = (simulation, simulation.settings_number)
            if settings != self._settings:
                self._settings = settings
                changes |= {"values": simulation.values, "params": simulation.params.copy()}
            if now - self._traced_at > TRACE_EVERY_S or not changes.get("running", self.view.running):
                changes["trace"], self._traced_at = simulation.history.trace(), now
        self.view = replace(self.view, number=self.view.number + 1, **changes)


def _look_alike(old: Simulation, new: Simulation) -> bool:
    """Whether pages would show the same bodies and the same parameters."""
    mine, theirs = old.controller, new.controller
    return (
        old.scene == new.scene
        and mine.parameters == theirs.parameters
        and mine.description == theirs.description
        and all(mine.value(p.name) == theirs.value(p.name) for p in mine.parameters)
    )
