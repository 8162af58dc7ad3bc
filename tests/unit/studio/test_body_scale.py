"""Pushes, balls and pulls are as strong for one body as for another."""

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.characters.proportions import scaled
from poise.studio.balls import BALL_MASS_KG, BALL_RADIUS_M, Balls
from poise.studio.body_scale import BodyScale, Strength, measure_scale, scale_strength
from poise.studio.scenario import Scenario
from poise.studio.simulation import Simulation
from poise.world.terrain import flat

FORCE_N = Strength(20.0, 1000.0, 20.0, 300.0)


def test_the_figures_are_the_humanoids() -> None:
    scale = measure_scale(load_character("humanoid"))
    assert (scale.mass, scale.length) == pytest.approx((1.0, 1.0), abs=0.01)
    assert scale_strength(FORCE_N, 1.0) == FORCE_N


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("bioloid", Strength(0.5, 22.5, 0.5, 7.0)),
        ("biped7", Strength(20.0, 1280.0, 20.0, 380.0)),
        ("beast1", Strength(50.0, 1900.0, 50.0, 600.0)),
    ],
)
def test_a_push_has_the_same_share_of_the_weight(body: str, expected: Strength) -> None:
    made = scale_strength(FORCE_N, measure_scale(load_character(body)).mass)
    assert (made.low, made.high, made.step, made.value) == pytest.approx(
        (expected.low, expected.high, expected.step, expected.value)
    )


def test_a_value_is_one_that_the_slider_has() -> None:
    assert [FORCE_N.clamp(v) for v in (-5.0, 311.0, 9e9)] == [20.0, 320.0, 1000.0]


def test_the_mass_slider_counts_too() -> None:
    humanoid = load_character("humanoid")
    assert measure_scale(scaled(humanoid, mass=2.0)).mass == pytest.approx(2.0 * measure_scale(humanoid).mass)


def test_balls_follow_the_body() -> None:
    balls = Balls(measure_scale(load_character("bioloid")), flat())
    (first, *_) = balls.make()
    assert first.mass_kg == pytest.approx(BALL_MASS_KG * 1.6 / 70.4, rel=0.01)
    assert first.shapes[0].size_m[0] == pytest.approx(BALL_RADIUS_M * 0.346 / 1.73, rel=0.02)
    assert first.position_m[2] == pytest.approx(first.shapes[0].size_m[0])
    assert Balls(BodyScale(), flat()).start_m == 3.0


def test_a_small_body_is_shoved_and_not_shot_away() -> None:
    """The same slider position changes the speed by the same fraction of the body's size."""
    changes = {}
    for controller, body in (("pose/hold", "humanoid"), ("bioloid/walk", "bioloid")):
        simulation = Simulation(Scenario(controller, body))
        scale = measure_scale(simulation.character)
        simulation.advance(400)
        simulation.push(scale_strength(FORCE_N, scale.mass).value, 0.0)
        simulation.advance(200)
        changes[body] = simulation.moment.speed_mps
        simulation.throw_ball(8.0 * scale.speed, 180.0)
        simulation.advance(1)
        ball = simulation.moment.pose[[b["name"] for b in simulation.scene["bodies"]].index("ball_1"), :3]
        assert np.linalg.norm(ball - simulation.moment.com_w_m) == pytest.approx(3.0 * scale.length, rel=0.1)
    assert changes["bioloid"] == pytest.approx(changes["humanoid"], rel=0.3)


def test_a_hand_pulls_with_the_weight_of_the_body() -> None:
    simulation = Simulation(Scenario("bioloid/walk", "bioloid"))
    trunk = simulation.character.segment_names.index(simulation.character.roles["trunk"])
    here = simulation.moment.pose[trunk, :3]
    simulation.pull(trunk, [0.0, 0.0, 0.0], (here + [0.0, 0.0, 0.3]).tolist())
    simulation.advance(2000)
    assert simulation.moment.com_w_m[2] > 0.21, "it hangs where the spring carries its weight"
