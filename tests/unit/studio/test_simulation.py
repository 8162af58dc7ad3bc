"""What people do in the studio has the effect that they see, and going back in time is exact."""

import math
from dataclasses import replace

import numpy as np
import pytest

from poise.controllers.walker.styles import OWN, read_curve
from poise.errors import DivergedError, InputError, NotFoundError
from poise.studio.balls import BALLS
from poise.studio.hands import PUSH_S
from poise.studio.scenario import Scenario, make_scenario
from poise.studio.simulation import Simulation

WALK = Scenario("simbicon/planar-walk", "biped7")
HOLD = Scenario("pose/hold", "humanoid")
STEER = Scenario("walker/walk", "humanoid")


def seconds(value: float) -> int:
    return round(value / WALK.timestep_s)


@pytest.fixture
def walk() -> Simulation:
    return Simulation(WALK)


def state(simulation: Simulation) -> bytes:
    return simulation.world.snapshot().physics.tobytes()


def test_a_controller_comes_with_the_character_that_it_was_made_for() -> None:
    assert make_scenario("simbicon/planar-walk") == WALK
    assert make_scenario("pose/hold", "biped7").character == "biped7"


def test_it_walks(walk: Simulation) -> None:
    walk.advance(seconds(4.0))
    moment = walk.moment
    assert moment.time_s == pytest.approx(4.0)
    assert moment.fell_at_s is None
    assert moment.steps >= 6
    assert 0.5 < moment.speed_mps < 2.0
    assert moment.com_w_m[0] > 2.0
    time_s, speed_mps, lean_rad, *loads_n = walk.samples.trace()[-1]
    assert time_s == pytest.approx(3.99) and speed_mps == pytest.approx(moment.speed_mps, abs=0.1)
    assert abs(lean_rad) < 0.3 and max(loads_n) > 200.0
    assert moment.pose.shape == (7 + BALLS, 7)
    assert np.allclose(np.linalg.norm(moment.pose[:, 3:], axis=1), 1.0)


def test_before_the_first_tick_it_stands_in_view(walk: Simulation) -> None:
    walk.advance(seconds(1.0))
    walk.restart()
    moment = walk.moment
    assert moment.time_s == 0.0 and moment.steps == 0
    assert 0.5 < moment.com_w_m[2] < 1.5
    assert moment.com_w_m[0] == pytest.approx(0.0, abs=0.2)
    assert moment.speed_mps == pytest.approx(0.0, abs=0.5)


def test_a_push_forward_makes_it_faster_and_can_be_seen(walk: Simulation) -> None:
    walk.advance(seconds(3.0))
    before = walk.moment.speed_mps
    walk.push(400.0, 0.0)
    walk.advance(seconds(0.5 * PUSH_S))
    (row,) = walk.moment.pushes
    assert row[3] == pytest.approx(400.0 / (90.0 * 9.81))
    assert row[4:] == pytest.approx([0.0, 0.0])
    walk.advance(seconds(0.5 * PUSH_S) + 1)
    assert walk.moment.speed_mps > before + 0.25
    assert len(walk.moment.pushes) == 0


def test_a_ball_from_ahead_slows_it_down(walk: Simulation) -> None:
    walk.advance(seconds(3.0))
    undisturbed = Simulation(WALK)
    undisturbed.advance(seconds(3.0))
    walk.throw_ball(10.0, 180.0)
    for simulation in (walk, undisturbed):
        simulation.advance(seconds(0.5))
    assert walk.moment.speed_mps < undisturbed.moment.speed_mps - 0.1


def test_balls_are_taken_in_turn(walk: Simulation) -> None:
    for _ in range(BALLS + 1):
        walk.advance(seconds(0.3))
        walk.throw_ball(8.0, 0.0)
        walk.advance(1)
    y = walk.moment.pose[-BALLS:, 1]
    assert np.all(np.abs(y) < 5.0)


def test_a_hand_pulls_until_it_lets_go() -> None:
    simulation = Simulation(HOLD)
    twin = Simulation(HOLD)
    trunk = simulation.character.segment_names.index(simulation.character.roles["trunk"])
    target = simulation.moment.pose[trunk, :3] + [0.0, 0.5, 0.2]
    simulation.pull(trunk, [0.0, 0.0, 0.1], target.tolist())
    assert simulation.pulling
    for each in (simulation, twin):
        each.advance(200)
    assert simulation.moment.com_w_m[1] > twin.moment.com_w_m[1] + 0.005
    simulation.let_go()
    assert not simulation.pulling
    assert not simulation.world.ledger.springs[:, 0].any()


def test_looking_back_shows_what_was_and_changes_nothing(walk: Simulation) -> None:
    walk.advance(seconds(1.0))
    then = walk.moment
    walk.advance(seconds(1.0))
    now = state(walk)
    walk.look_back(1.0)
    assert walk.moment.time_s == pytest.approx(1.0)
    assert np.array_equal(walk.moment.pose, then.pose)
    assert walk.behind_s == pytest.approx(1.0)
    walk.look_back(0.0)
    assert walk.moment.time_s == pytest.approx(2.0)
    assert state(walk) == now


def test_going_on_from_the_past_gives_the_same_bits_again(walk: Simulation) -> None:
    walk.advance(seconds(3.0))
    end, steps = state(walk), walk.moment.steps
    walk.look_back(2.0)
    walk.advance(seconds(2.0))
    assert walk.moment.time_s == pytest.approx(3.0)
    assert state(walk) == end
    assert walk.moment.steps == steps
    assert len(walk.history) == 61


def test_going_on_from_the_past_keeps_the_parameters_of_now(walk: Simulation) -> None:
    walk.advance(seconds(2.0))
    walk.set_parameter("strike_swing_hip_rad", 0.2)
    walk.advance(seconds(1.0))
    walk.look_back(2.0)
    walk.advance(1)
    parameter = walk.controller.parameter("strike_swing_hip_rad")
    assert walk.world.params[0][parameter.index] == 0.2
    walk.reset_parameters()
    assert walk.world.params[0][parameter.index] == walk.controller.value("strike_swing_hip_rad")


def test_a_hand_that_pulled_in_the_past_does_not_pull_again(walk: Simulation) -> None:
    walk.pull(0, [0.0, 0.0, 0.1], [1.0, 0.0, 1.0])
    walk.advance(seconds(0.5))
    walk.let_go()
    walk.advance(seconds(0.5))
    walk.look_back(0.8)
    walk.advance(seconds(0.1))
    assert not walk.world.ledger.springs[:, 0].any()


def test_one_can_look_back_half_a_minute_and_no_further(walk: Simulation) -> None:
    walk.advance(seconds(32.0))
    assert walk.reach_s == pytest.approx(30.0)
    walk.look_back(1e9)
    assert walk.moment.time_s == pytest.approx(2.0)


def test_restart_keeps_the_parameters_and_forgets_the_run(walk: Simulation) -> None:
    walk.set_parameter("torso_kp", 900.0)
    walk.advance(seconds(1.0))
    walk.restart()
    assert walk.values["torso_kp_nm_per_rad"] == 900.0
    assert walk.world.params[0][walk.controller.parameter("torso_kp").index] == 900.0
    assert walk.moment.time_s == 0.0 and walk.moment.steps == 0 and walk.reach_s == 0.0


def test_a_value_out_of_range_is_refused_and_changes_nothing(walk: Simulation) -> None:
    before = dict(walk.values)
    with pytest.raises(InputError, match="out of range"):
        walk.set_parameter("lift_duration_s", -1.0)
    with pytest.raises(NotFoundError, match="Did you mean"):
        walk.set_parameter("lift_duratoin_s", 0.3)
    assert walk.values == before


def test_a_run_that_diverges_goes_back_to_the_last_good_moment(walk: Simulation) -> None:
    walk.advance(seconds(1.0))
    walk.world.data.qvel[0] = math.inf
    with pytest.raises(DivergedError):
        walk.advance(10)
    assert walk.moment.time_s == pytest.approx(1.0)
    assert np.all(np.isfinite(walk.moment.pose))
    walk.advance(seconds(1.0))
    assert walk.moment.fell_at_s is None


def test_over_a_void_the_balls_wait_somewhere() -> None:
    simulation = Simulation(Scenario("simbicon/planar-walk", "biped7", terrain="stones"))
    simulation.advance(100)
    assert np.all(np.isfinite(simulation.moment.pose))


def test_a_walker_sets_off_and_can_be_steered_and_stopped() -> None:
    simulation = Simulation(STEER)
    assert simulation.values["speed_mps"] == 1.0 and simulation.scene["steerable"]
    simulation.nudge(-2, 1)
    assert (simulation.values["speed_mps"], simulation.values["heading_deg"]) == (0.8, 15.0)
    simulation.steer({"speed_mps": 99.0, "side_speed_mps": 0.3})
    assert simulation.values["speed_mps"] == simulation.controller.parameter("speed_mps").high
    simulation.stop()
    assert simulation.values["speed_mps"] == simulation.values["side_speed_mps"] == 0.0
    assert simulation.values["heading_deg"] == 15.0


def test_what_cannot_be_steered_takes_no_harm(walk: Simulation) -> None:
    before = dict(walk.values)
    walk.nudge(1, 1)
    walk.stop()
    assert walk.values == before and not walk.scene["steerable"] and walk.moment.phase is None


def test_a_curve_is_edited_in_the_slot_for_it_and_survives_going_back() -> None:
    simulation = Simulation(STEER)
    simulation.advance(seconds(1.0))
    simulation.edit_curve("stance_elbow", [0.3, 0.5, 0.7, 0.5, 0.4], joined=True)
    own = simulation.controller.parameter("style").choices.index(OWN)
    assert simulation.values["style"] == own
    simulation.look_back(0.5)
    simulation.advance(10)
    assert read_curve(simulation.world.params[0], own, "stance_elbow") == (0.3, 0.5, 0.7, 0.5, 0.4)
    assert read_curve(simulation.world.params[0], own, "swing_elbow")[0] == 0.4
    assert read_curve(simulation.world.params[0], 0, "stance_elbow") != (0.3, 0.5, 0.7, 0.5, 0.4), "plain stays plain"
    simulation.restart()
    assert read_curve(simulation.world.params[0], own, "stance_elbow")[2] == 0.7


def test_another_body_goes_on_at_the_same_place_with_the_same_commands() -> None:
    before = Simulation(STEER)
    before.set_parameter("speed_mps", 0.6)
    before.advance(seconds(2.0))
    after = Simulation(replace(STEER, scale=(("legs", 1.1),)), before)
    assert after.values["speed_mps"] == 0.6
    assert after.moment.com_w_m[:2] == pytest.approx(before.moment.com_w_m[:2], abs=0.1)
    assert after.moment.com_w_m[2] > before.moment.com_w_m[2]
    assert after.moment.heading_rad == pytest.approx(before.moment.heading_rad, abs=0.15)
    after.advance(seconds(2.0))
    assert after.moment.fell_at_s is None and after.moment.steps >= 2
    assert after.moment.distance_m > 0.3
