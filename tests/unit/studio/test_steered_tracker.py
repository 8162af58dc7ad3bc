"""The steered tracker in the studio: its pilot writes into params while people do."""

from poise.controllers.tracker import layout
from poise.controllers.tracker.engine import SLOTS
from poise.studio.scenario import Scenario
from poise.studio.simulation import Simulation


def test_it_is_steered_pushed_rewound_and_started_again() -> None:
    simulation = Simulation(Scenario("tracker/steer", "lee13"))
    simulation.prepare()
    simulation.steer({"speed_mps": 0.6})
    simulation.advance(10_000)
    ahead = simulation.moment.com_w_m[0]
    assert ahead > 1.0
    simulation.nudge(0, 1)
    simulation.push(40.0, 90.0)
    simulation.advance(4_000)
    simulation.look_back(2.0)
    simulation.advance(6_000)
    simulation.set_parameter("speed", 0.0)
    simulation.advance(6_000)
    assert simulation.moment.fell_at_s is None and simulation.moment.com_w_m[0] > ahead
    simulation.restart()
    simulation.advance(2_000)
    assert simulation.moment.fell_at_s is None and abs(simulation.moment.com_w_m[0]) < 0.5
    assert simulation.values["speed_mps"] == 0.0


def test_a_key_is_heeded_by_the_next_step() -> None:
    simulation = Simulation(Scenario("tracker/steer", "lee13"))
    simulation.steer({"speed_mps": 0.7})
    world = simulation.world
    while int(world.memories[0][layout.DONE]) < 6:
        world.advance(30)
    (engine,) = world.pilots
    before = engine.state()["entries"]
    simulation.steer({"heading_deg": 60.0})
    waiting = (int(world.memories[0][layout.FRAGMENT]) + 1) % SLOTS
    assert engine.state()["entries"][waiting].heading_rad > before[waiting].heading_rad + 0.4
