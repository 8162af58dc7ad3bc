"""The engine keeps time, obeys commands, and survives errors."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from poise.errors import InputError
from poise.studio import engine as engine_module
from poise.studio.engine import CATCH_UP_S, Engine
from poise.studio.posture import Down, Posture
from poise.studio.scenario import Scenario
from poise.studio.simulation import Simulation

WALK = Scenario("simbicon/planar-walk", "biped7")
PATIENCE_S = 120.0


def wait_for(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def time_s(engine: Engine) -> float:
    return engine.view.moment.time_s if engine.view.moment else -1.0


@pytest.fixture
def engine() -> Iterator[Engine]:
    running = Engine(WALK).start()
    wait_for(lambda: time_s(running) > 0.0)
    yield running
    running.close(timeout_s=10.0)


@pytest.fixture
def still() -> Engine:
    """An engine without a thread, whose beats the test gives, on a machine that is never too slow."""
    engine = Engine(WALK, clock=lambda: 0.0)
    engine._load(WALK, run=True)
    return engine


def test_it_gets_ready_and_runs_by_itself(engine: Engine) -> None:
    assert engine.view.running and engine.view.preparing == ""
    assert engine.stage is not None and engine.stage.scenario == WALK
    before = time_s(engine)
    wait_for(lambda: time_s(engine) > before + 0.2)
    assert engine.take_notices() == []


def test_a_beat_moves_on_by_the_time_that_has_passed(still: Engine) -> None:
    for passed_s in (0.016, 0.0171, 0.0164):
        still._beat(passed_s)
    assert time_s(still) == pytest.approx(0.0495, abs=1e-9)
    assert still.view.realtime_factor == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("speed", [0.1, 0.5, 4.0])
def test_time_passes_at_the_speed_that_is_set(still: Engine, speed: float) -> None:
    still._publish(speed=speed)
    for _ in range(20):
        still._beat(0.02)
    assert time_s(still) == pytest.approx(0.4 * speed, abs=0.001)


def test_what_cannot_be_had_is_not_caught_up_on(still: Engine) -> None:
    still._beat(30.0)
    assert time_s(still) <= CATCH_UP_S + 1e-9
    still._beat(0.01)
    assert time_s(still) <= CATCH_UP_S + 0.01 + 1e-9


def test_a_machine_that_is_too_slow_slows_time_down(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    engine = Engine(WALK, clock=lambda: now[0])
    engine._load(WALK, run=True)
    advance = Simulation.advance

    def crawl(simulation: Simulation, ticks: int) -> None:
        advance(simulation, ticks)
        now[0] += 10.0 * ticks * WALK.timestep_s

    monkeypatch.setattr(Simulation, "advance", crawl)
    monkeypatch.setattr(engine_module, "BUDGET_S", 0.2)
    last = now[0]
    for _ in range(6):
        passed_s, last = now[0] - last + 0.016, now[0]
        engine._beat(passed_s)
    assert engine.view.realtime_factor < 0.2
    assert time_s(engine) == pytest.approx(0.1 * now[0], rel=0.3)


def test_pause_step_and_run(engine: Engine) -> None:
    engine.pause()
    wait_for(lambda: not engine.view.running)
    at = time_s(engine)
    engine.step()
    wait_for(lambda: time_s(engine) == pytest.approx(at + 0.01))
    engine.step(1)
    wait_for(lambda: time_s(engine) == pytest.approx(at + 0.0105))
    engine.toggle()
    wait_for(lambda: time_s(engine) > at + 0.1)


def test_while_nobody_watches_time_stands_still(engine: Engine) -> None:
    engine.hold(True)
    wait_for(lambda: engine._held)
    at = time_s(engine)
    engine.set_parameter("torso_kp", 900.0)
    wait_for(lambda: engine.view.values["torso_kp_nm_per_rad"] == 900.0)
    time.sleep(0.3)
    assert time_s(engine) == at and engine.view.running, "held, not paused: commands are still taken"
    engine.hold(False)
    wait_for(lambda: time_s(engine) > at)
    assert time_s(engine) < at + 0.5, "the time away is not caught up on"


def test_looking_back_pauses_and_going_on_leaps(engine: Engine) -> None:
    wait_for(lambda: time_s(engine) > 0.5)
    leap = engine.view.leap
    engine.look_back(0.3)
    wait_for(lambda: engine.view.behind_s > 0.0)
    assert not engine.view.running and engine.view.leap == leap + 1
    shown = time_s(engine)
    engine.run()
    wait_for(lambda: engine.view.behind_s == 0.0 and time_s(engine) > shown + 0.02)
    assert engine.view.moment is not None and engine.view.trace is not None


def test_restart_begins_anew(engine: Engine) -> None:
    wait_for(lambda: time_s(engine) > 0.3)
    engine.pause()
    engine.restart()
    wait_for(lambda: time_s(engine) == 0.0)


def test_parameters_pushes_and_balls_arrive(still: Engine) -> None:
    still.set_parameter("torso_kp", 900.0)
    still.push(300.0, 0.0)
    still.throw_ball(8.0, 180.0)
    still.pull(0, [0.0, 0.0, 0.1], [0.5, 0.0, 1.0])
    while not still._commands.empty():
        command = still._commands.get()
        assert command is not None
        command()
    simulation = still._simulation
    assert simulation is not None
    assert simulation.values["torso_kp_nm_per_rad"] == 900.0
    assert simulation.world.ledger.pushes[0, 0] == 1.0
    assert simulation.pulling
    still.let_go()
    command = still._commands.get()
    assert command is not None
    command()
    assert not simulation.pulling


def test_a_hand_that_is_not_heard_of_lets_go() -> None:
    now = [0.0]
    engine = Engine(WALK, clock=lambda: now[0])
    engine._load(WALK, run=True)
    engine.pull(0, [0.0, 0.0, 0.1], [0.5, 0.0, 1.0])
    command = engine._commands.get()
    assert command is not None
    command()
    simulation = engine._simulation
    assert simulation is not None
    now[0] = 0.9
    engine._beat(0.01)
    assert simulation.pulling
    now[0] = 1.1
    engine._beat(0.01)
    assert not simulation.pulling


def test_what_does_not_fit_is_told_and_changes_nothing(engine: Engine) -> None:
    stage, number = engine.stage, engine.view.stage_number
    engine.load(replace(WALK, character="biped8"))
    notices: list[Any] = []
    wait_for(lambda: notices.extend(engine.take_notices()) or notices)
    assert "no character named 'biped8'" in notices[0].text
    assert engine.stage is stage and engine.view.stage_number == number
    # The notice comes just before the run continues.
    wait_for(lambda: engine.view.running)
    before = time_s(engine)
    wait_for(lambda: time_s(engine) > before + 0.05)


def test_another_character_comes_on_stage(engine: Engine) -> None:
    engine.load(Scenario("pose/hold", "humanoid"))
    wait_for(lambda: engine.view.stage_number == 2)
    assert engine.stage is not None and not engine.stage.scene["planar"]
    wait_for(lambda: time_s(engine) > 0.05)


def test_a_wrong_value_is_told_and_the_engine_lives_on(engine: Engine) -> None:
    engine.set_parameter("lift_duration_s", -5.0)
    notices: list[Any] = []
    wait_for(lambda: notices.extend(engine.take_notices()) or notices)
    expected = "controller simbicon/planar-walk: lift_duration_s is out of range, got -5.0. Allowed: 0.02 to 2."
    assert notices[0].text == expected
    assert engine.alive and engine.view.running


def test_a_run_that_diverges_is_paused_and_told(engine: Engine) -> None:
    def break_it(simulation: Simulation) -> None:
        simulation.world.data.qvel[0] = np.inf

    engine._ask(break_it)
    notices: list[Any] = []
    wait_for(lambda: notices.extend(engine.take_notices()) or notices)
    assert "stopped being finite" in notices[0].text
    wait_for(lambda: not engine.view.running)
    engine.run()
    before = time_s(engine)
    wait_for(lambda: time_s(engine) > before)


def test_a_scenario_that_cannot_be_built_is_told() -> None:
    engine = Engine(replace(WALK, controller="nobody")).start()
    notices: list[Any] = []
    wait_for(lambda: notices.extend(engine.take_notices()) or notices)
    assert "no controller named 'nobody'" in notices[0].text
    assert engine.alive and engine.stage is None
    engine.run()
    engine.push(100.0, 0.0)
    engine.close(timeout_s=10.0)
    assert not engine.alive


def test_the_character_is_drawn_while_the_loop_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling, compiled = threading.Event(), threading.Event()

    def prepare(simulation: Simulation) -> None:
        compiling.set()
        assert compiled.wait(PATIENCE_S)

    monkeypatch.setattr(Simulation, "prepare", prepare)
    engine = Engine(WALK).start()
    assert compiling.wait(PATIENCE_S)
    view = engine.view
    assert engine.stage is not None and view.stage_number == 1
    assert view.moment is not None and view.moment.time_s == 0.0
    assert view.preparing == "Getting ready …" and view.progress is not None and not view.running
    compiled.set()
    wait_for(lambda: engine.view.running)
    assert engine.view.preparing == "" and engine.view.progress is None and engine.view.stage_number == 1
    engine.close(timeout_s=10.0)


def test_a_world_that_cannot_be_prepared_gives_way_to_the_one_before(
    still: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, number = still._simulation, still.view.stage_number

    def prepare(simulation: Simulation) -> None:
        raise InputError("law hang cannot be compiled")

    monkeypatch.setattr(Simulation, "prepare", prepare)
    still._load(Scenario("pose/hold", "humanoid"))
    assert [notice.text for notice in still.take_notices()] == ["law hang cannot be compiled."]
    assert still._simulation is before and still.view.running and still.view.preparing == ""
    assert still.stage is not None and still.stage.scenario == WALK and still.view.stage_number == number + 2


def test_closing_ends_the_thread() -> None:
    engine = Engine(WALK).start()
    engine.close(timeout_s=PATIENCE_S)
    assert engine.closed and not engine.alive


def test_after_a_fall_it_starts_again_if_it_is_told_to(still: Engine) -> None:
    simulation = still._simulation
    assert simulation is not None
    still._beat(0.1)
    simulation.posture = Posture((Down(0.02, 0.1),))
    simulation.set_parameter("torso_kp", 0.0)
    simulation.push(3000.0, 180.0)
    for _ in range(17):
        still._beat(0.1)
    assert time_s(still) == pytest.approx(1.8), "automatic restarts are off by default"
    still._publish(gets_up=True)
    leap = still.view.leap
    still._beat(0.01)
    assert time_s(still) == 0.0 and still.view.leap == leap + 1


@pytest.mark.parametrize(
    ("scripted", "stack", "finished"), [(False, (), True), (True, (("a.ctl", 0),), False), (True, (), True)]
)
def test_a_script_that_runs_may_intend_to_lie_down(scripted: bool, stack: Any, finished: bool) -> None:
    moment = replace(Simulation(WALK).moment, time_s=3.0, scripted=scripted, stack=stack)
    assert not moment.is_finished
    assert replace(moment, posture=Posture((Down(1.0, 3.0),))).is_finished is finished
    assert not replace(moment, posture=Posture((Down(2.0, 3.0),))).is_finished
    assert not replace(moment, posture=Posture((Down(1.0, 2.0, over=True),))).is_finished


def test_values_are_published_when_they_change_and_only_then(still: Engine) -> None:
    first = still.view.values
    assert first["torso_kp_nm_per_rad"] == 1000.0
    still._beat(0.01)
    assert still.view.values is first
    simulation = still._simulation
    assert simulation is not None
    simulation.set_parameter("torso_kp", 900.0)
    still._publish()
    assert still.view.values["torso_kp_nm_per_rad"] == 900.0 and first["torso_kp_nm_per_rad"] == 1000.0
