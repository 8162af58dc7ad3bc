"""The steered tracker in the studio: its pilot writes into params while people do."""

from poise.studio.simulation import Scenario, Simulation


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
