"""`run`: conditions that end it, watches, and the same bits as the bare loop."""

import numpy as np
import pytest

from poise import Push, Scene
from poise.errors import DivergedError, InputError
from poise.rollout.run import DIVERGED, SILENCE, STEPS, TIME, WATCH, Silence, Steps, Ticks, Watch, run
from poise.world.compile import PhysicsSettings
from poise.world.tape import TapeLog
from poise.world.world import World

WALK = Scene("simbicon/planar-walk", physics=PhysicsSettings(timestep_s=0.001))
TRIPPED = Scene(
    "simbicon/planar-walk", physics=PhysicsSettings(timestep_s=0.001), pushes=[Push(900.0, 180.0, 0.5, 0.3)]
)


def state(world: World) -> bytes:
    return world.snapshot().physics.tobytes()


def test_a_time_or_ticks_end_a_run_whichever_comes_first() -> None:
    world = WALK.open()
    assert run(world, 0.05).reason == TIME and world.tick == 50
    assert run(world, [0.05, Ticks(7)]).reason == TIME and world.tick == 57
    assert run(world, 0.0).reason == TIME and world.tick == 57


def test_watching_leaves_the_bits_alone() -> None:
    plain, watched = WALK.open(), WALK.open()
    plain.advance(1500)
    log = TapeLog()
    watch = [Watch(lambda _: None, 7), Watch(lambda _: None, 30, ("strike",))]
    assert run(watched, 1.5, watch=watch, record_hz=100.0, log=log).reason == TIME
    assert state(watched) == state(plain)
    assert np.allclose(np.diff(log.arrays()["time"]), 0.01) and log.frames == 150


def test_a_watch_is_called_at_multiples_of_its_ticks_and_at_events() -> None:
    world, ticks, strikes = WALK.open(), [], []
    run(world, 1.0, watch=Watch(lambda w: ticks.append(w.tick), 300))
    run(world, 1.0, watch=Watch(lambda w: strikes.append(w.tick), events=("strike",)))
    assert ticks == [300, 600, 900]
    log, again = TapeLog(), WALK.open()
    again.advance(2000, log=log)
    expected = [round(t / 0.001) + 1 for t, kind, _, _ in log.events if kind == 0 and t >= 1.0]
    assert strikes == expected and len(strikes) >= 2


def test_a_watch_that_returns_true_ends_the_run() -> None:
    world = WALK.open()
    assert run(world, 5.0, watch=Watch(lambda w: w.tick >= 250, 100)).reason == WATCH
    assert world.tick == 300


def test_a_predicate_ends_the_run_within_a_hundredth_of_a_second() -> None:
    world = WALK.open()
    assert run(world, [5.0, lambda w: w.time_s > 0.234]).reason == WATCH
    assert world.tick == 240


def test_a_fall_ends_the_run_before_the_watches_of_its_tick() -> None:
    world, looks = TRIPPED.open(), []
    ending = run(world, [5.0, "down"], watch=Watch(lambda w: looks.append(w.tick), 1))
    assert ending.reason == "down" and ending.failed
    assert world.fell_at_s() is not None and looks[-1] == world.tick - 1


def test_a_run_ends_after_steps_of_alternating_feet() -> None:
    world, log = WALK.open(), TapeLog()
    assert run(world, [20.0, Steps(3)], log=log).reason == STEPS
    feet = [int(foot) for _, kind, _, foot in log.events if kind == 0]
    steps = [foot for k, foot in enumerate(feet) if k == 0 or foot != feet[k - 1]]
    assert len(steps) == 3 and feet[-1] != feet[-2]


def test_silence_ends_the_run_of_a_body_that_stands() -> None:
    world = Scene("pose/hold", physics=PhysicsSettings(timestep_s=0.001)).open()
    assert run(world, ["strike", Silence(0.2)]).reason == SILENCE
    assert world.tick == 200


def test_divergence_raises_unless_it_is_a_condition() -> None:
    def explode() -> World:
        world = WALK.open()
        world.state.velocities[:] = 1e9
        return world

    with pytest.raises(DivergedError):
        run(explode(), 1.0)
    ending = run(explode(), [1.0, "diverged"])
    assert ending.reason == DIVERGED and ending.failed
    assert ending.error is not None and ending.error.snapshot is not None


def test_progress_is_the_part_of_the_time() -> None:
    parts: list[float] = []
    run(WALK.open(), [0.5, Ticks(5000)], progress=parts.append)
    assert parts == sorted(parts) and parts[-1] == 1.0


def test_a_run_without_an_end_is_refused() -> None:
    with pytest.raises(InputError) as error:
        run(WALK.open(), "diverged")
    assert str(error.value) == ("run: it would never end. Give a time, an event, a number of steps or a predicate.")
