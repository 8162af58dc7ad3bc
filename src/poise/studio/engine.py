"""The thread that owns a simulation and keeps it in step with wall-clock time.

Pages send commands through a queue and read the latest `View`; the threads share nothing else. If the machine cannot
keep up, simulated time slows down and no backlog builds up. An error pauses the run and becomes a notice.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from poise.errors import PoiseError
from poise.studio.actor import find_script
from poise.studio.controls import Command, Controls
from poise.studio.pace import Pace
from poise.studio.published import Edited, Notice, Stage, View
from poise.studio.reading import Reading, read_script
from poise.studio.rerun import Version, rerun
from poise.studio.scenario import Scenario, load_body
from poise.studio.simulation import Simulation, look_alike
from poise.studio.track import Tracks
from poise.trust import Trust, trusting

#: Period of the loop, half the period at which pages draw.
BEAT_S = 1.0 / 60.0
#: Maximum wall time of one beat's physics.
BUDGET_S = 0.05
#: Maximum wall time that a beat catches up after a stall; the rest is dropped.
CATCH_UP_S = 0.15
IDLE_S = 0.25
TRACE_EVERY_S = 0.2
#: A pulling hand that has sent nothing for this time lets go: its page is gone.
PULL_EXPIRES_S = 1.0
MIN_SPEED, MAX_SPEED = 0.1, 4.0
#: Time advanced by one click on "step".
STEP_S = 0.01


class Engine(Controls):
    """One world and its thread. Every public method may be called from any thread and returns at once."""

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
        #: Whether time stands still because no page is connected.
        self._held = False
        self._pace = Pace()
        self._owed_s = 0.0
        self._pulled_at = 0.0
        self._traced_at = -1.0
        #: Number of the newest version of the script; older ones are skipped.
        self._newest = 0
        #: The simulation and the number of its settings that pages have seen.
        self._settings: tuple[Simulation | None, int] = (None, 0)
        self._thread = threading.Thread(target=self._live, name="poise-engine", daemon=True)

    # -- for pages --------------------------------------------------------------------------------------------------

    def start(self) -> Engine:
        self._thread.start()
        return self

    def close(self, timeout_s: float = 0.0) -> None:
        """End the thread after the current beat, and wait for that for up to `timeout_s`."""
        self._stopping.set()
        self._commands.put(None)
        if timeout_s > 0.0 and self._thread.is_alive():
            self._thread.join(timeout_s)

    @property
    def closed(self) -> bool:
        return self._stopping.is_set()

    @property
    def newest(self) -> int:
        """Number of the newest version of the script."""
        return self._newest

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def take_notices(self) -> list[Notice]:
        """The notices since the last call."""
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

    def hold(self, held: bool) -> None:
        """Let time stand still while nobody watches; afterwards a run continues from the same tick."""

        def hold() -> None:
            self._held, self._owed_s = held, 0.0

        self._commands.put(hold)

    def toggle(self) -> None:
        self._commands.put(lambda: self._set_running(not self.view.running))

    def step(self, ticks: int | None = None) -> None:
        """Pause and advance by some ticks, by default by 0.01 s."""

        def step(simulation: Simulation) -> None:
            self._set_running(False)
            simulation.advance(ticks or max(round(STEP_S / simulation.scenario.timestep_s), 1))

        self._ask(step)

    def set_speed(self, speed: float) -> None:
        """Set simulated time / wall time; 1 is real time."""
        clamped = min(max(float(speed), MIN_SPEED), MAX_SPEED)
        self._commands.put(lambda: self._publish(speed=clamped))

    def look_back(self, seconds: float) -> None:
        """Pause and show the moment that many seconds ago."""

        def look_back(simulation: Simulation) -> None:
            self._set_running(False)
            simulation.look_back(seconds)

        self._ask(look_back, leap=True)

    def set_gets_up(self, gets_up: bool) -> None:
        """Choose whether to restart automatically shortly after a fall."""
        self._commands.put(lambda: self._publish(gets_up=gets_up))

    def pull(self, segment: int, point_b_m: list[float], target_w_m: list[float]) -> None:
        """Pull until `let_go`, or until no further call comes for a second."""

        def pull(simulation: Simulation) -> None:
            self._pulled_at = self._clock()
            simulation.pull(segment, point_b_m, target_w_m)

        self._ask(pull)

    def load(self, scenario: Scenario) -> None:
        """Load another scenario. If it fails, a notice says why, and the current one stays.

        With another body, the same controller continues at the same place with the same parameters.
        """
        self._commands.put(lambda: self._load(scenario))

    def edit(self, version: Version) -> None:
        """Check another version of the loaded script, and run it if it has no errors."""
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
            if self._moves:
                self._guard(partial(self._beat, began - last), pause=True)
            last = began
            self._listen(began + (BEAT_S if self._moves else IDLE_S))

    @property
    def _moves(self) -> bool:
        return self.view.running and not self._held

    def _forget(self) -> None:
        """Release the world: the page of a closed tab may keep a reference to its engine for a while."""
        self._simulation, self._settings, self.stage = None, (None, 0), None
        self.view = View(number=self.view.number + 1)
        with suppress(queue.Empty):
            while True:
                self._commands.get_nowait()

    def _listen(self, until: float) -> None:
        """Run commands until a time, or until one of them starts the run."""
        while not self._stopping.is_set():
            try:
                command = self._commands.get(timeout=max(until - self._clock(), 0.0))
            except queue.Empty:
                return
            if command is not None:
                moved = self._moves
                self._guard(command)
                if self._moves and not moved:
                    return

    def _guard(self, action: Callable[[], None], *, pause: bool = False) -> None:
        """Run an action; an error becomes a notice, and the thread continues."""
        try:
            action()
        except Exception as error:
            self._describe(error)
            self._publish(running=self.view.running and not pause, leap=self.view.leap + 1)

    def _describe(self, error: Exception) -> None:
        text = str(error) if isinstance(error, PoiseError) else f"{type(error).__name__}: {error}"
        self._notices.put(Notice("negative", text))

    def _load(self, scenario: Scenario, *, run: bool | None = None) -> None:
        was_running = self.view.running if run is None else run
        before = self._simulation
        continues = before is not None and before.scenario.controller == scenario.controller
        # Another body for the same law loads quickly, so the page need not be covered.
        self._publish(running=False, preparing="" if continues else "Getting ready …")
        try:
            reading = self._read(scenario)
            sound = reading is None or reading.is_sound
            # If a script cannot run on a new body, the load fails; a newly opened script with errors shows a stand-in.
            simulation = Simulation(scenario, before if continues else None, stand_in=not (sound or continues))
            if not continues:
                # The character is drawn while the rest is compiled.
                self._take_stage(simulation, continues)
                self._publish(progress=simulation.measure_progress(), reading=reading, tracks=None)
            simulation.prepare()
        except Exception as error:
            self._describe(error)
            self._go_back_to(before)
            self._publish(preparing="", progress=None, running=was_running and self._simulation is not None)
            return
        if continues:
            self._take_stage(simulation, continues)
        self._publish(
            preparing="",
            progress=None,
            running=was_running and sound,
            leap=self.view.leap + 1,
            reading=reading,
            tracks=None,
        )

    def _go_back_to(self, before: Simulation | None) -> None:
        """Show the world before one that cannot run, if it was shown already."""
        if self._simulation is before:
            return
        self._simulation = None
        if before is not None:
            self._take_stage(before, continues=False)
            self._publish(reading=self._read(before.scenario), leap=self.view.leap + 1)

    def _take_stage(self, simulation: Simulation, continues: bool) -> None:
        """Replace the world; pages rebuild their scene if it looks different."""
        old, self._simulation, self._pace = self._simulation, simulation, Pace()
        scenario, controller = simulation.scenario, simulation.controller
        self.stage = Stage(scenario, simulation.scene, controller, simulation.character, continues)
        if old is None or not continues or not look_alike(old, simulation):
            self._publish(stage_number=self.view.stage_number + 1)

    # -- scripts ----------------------------------------------------------------------------------------------------

    def _read(self, scenario: Scenario, number: int = 0) -> Reading | None:
        """The result of reading a script; None for other controllers."""
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
            self._publish(preparing="", progress=None)

    def _exchange(self, old: Simulation, new: Simulation, version: Version) -> None:
        """Replace the old version by the new one."""

        def is_fresh() -> bool:
            return version.number >= self._newest and not self._stopping.is_set()

        if new.controller.law is not old.controller.law:
            self._publish(preparing="Getting ready …", progress=new.measure_progress())
            new.prepare()
        if old.program is None:
            # Only a stand-in was shown so far.
            self._take_stage(new, continues=True)
            self._publish(running=True, leap=self.view.leap + 1, edited=Edited(version.number, 0.0))
            return
        made = rerun(old, new, version.since, version.script, playing=self.view.running, fresh=is_fresh)
        if not is_fresh():
            return
        self._take_stage(new, continues=True)
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
        """Advance the world by the wall time that has passed, or by as much as the budget allows."""
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
        if self.view.gets_up and simulation.moment.is_finished:
            simulation.restart()
            leap += 1
        self._publish(leap=leap)

    def _publish(self, **changes: Any) -> None:
        """Publish a new view. It is replaced as a whole, so a page never sees half of one."""
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
                changes["trace"], self._traced_at = simulation.samples.trace(), now
        self.view = replace(self.view, number=self.view.number + 1, **changes)
