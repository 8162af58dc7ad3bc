"""Pushes, throws, springs and elasticity do what their figures say."""

from __future__ import annotations

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.errors import InputError
from poise.world.props import ball, crate
from poise.world.terrain import flat
from poise.world.world import Push, World


def test_a_push_gives_its_impulse_to_the_whole_body() -> None:
    pushed, free = World([load_character("biped7")]), World([load_character("biped7")])
    for world in (pushed, free):
        world.percepts[0].root_q[1] += 2.0
    pushed.push(Push(force_n=500.0, direction_deg=0.0, start_s=0.05, duration_s=0.1))
    for world in (pushed, free):
        world.step(400)
    gained = pushed.percepts[0].com_vel_w[0] - free.percepts[0].com_vel_w[0]
    assert gained * pushed.characters[0].mass_kg == pytest.approx(50.0, rel=2e-3)


def test_a_push_acts_on_the_segment_or_role_that_is_named() -> None:
    character = load_character("humanoid")
    world = World([character])
    world.push(Push(100.0, 0.0, 0.0, 0.1, segment="head"))
    world.step(2)
    assert world.data.xfrc_applied[world.body("head"), 0] == pytest.approx(100.0)
    with pytest.raises(InputError, match="Did you mean 'left_foot'"):
        world.push(Push(100.0, 0.0, 0.0, 0.1, segment="left_fot"))


@pytest.mark.parametrize("field", ["force_n", "direction_deg", "start_s", "duration_s"])
def test_absurd_pushes_are_refused(field: str) -> None:
    figures = {"force_n": 100.0, "direction_deg": 0.0, "start_s": 0.0, "duration_s": 0.1, field: float("nan")}
    with pytest.raises(InputError, match=field):
        Push(**figures)


def test_more_pushes_than_fit_are_refused_not_lost() -> None:
    world = World([load_character("biped7")])
    with pytest.raises(InputError, match="at most 64 pushes"):
        for k in range(100):
            world.push(Push(10.0, 0.0, float(k), 0.1))


def test_a_thrown_ball_flies_a_parabola_and_hits() -> None:
    world = World([load_character("humanoid")], props=[ball(name="ball", mass_kg=5.0, position_m=(5.0, 0.0, 0.5))])
    world.throw("ball", (2.0, 0.0, 1.2), (-10.0, 0.0, 0.0))
    world.step(200)
    body = world.body("ball")
    assert world.data.xpos[body, 0] == pytest.approx(1.0, abs=0.01)
    assert world.data.xpos[body, 2] == pytest.approx(1.2 - 0.5 * 9.81 * 0.1**2, abs=0.01)
    world.step(300)
    assert world.percepts[0].com_vel_w[0] < -0.2, "the body was not hit"


@pytest.mark.parametrize("elasticity", [0.0, 0.3, 0.5, 0.8])
def test_a_ball_bounces_with_the_grounds_elasticity(elasticity: float) -> None:
    world = World(
        [load_character("biped7")],
        terrain=flat().with_elasticity(elasticity),
        props=[ball(name="ball", radius_m=0.1, mass_kg=2.0, position_m=(5.0, 0.0, 0.6))],
    )
    down = up = 0.0
    joint = int(world.model.body_dofadr[world.body("ball")])
    for _ in range(1200):
        world.step(1)
        speed = float(world.data.qvel[joint + 2])
        down, up = min(down, speed), max(up, speed)
    # A critically damped contact still gives back a seventh of the speed.
    assert up / -down == pytest.approx(max(elasticity, 0.14), abs=0.07)


def test_a_spring_carries_a_crate_by_its_handle() -> None:
    load = crate(name="crate", position_m=(0.6, 0.0, 0.5))
    world = World([load_character("humanoid")], props=[load])
    spring = world.attach(
        "left_forearm", (0.0, 0.0, -0.2), "crate", load.handles[0].position_m, stiffness_npm=2e4, damping_nspm=500.0
    )
    world.step(400)
    held = float(world.data.xpos[world.body("crate"), 2])
    world.detach(spring)
    world.step(600)
    assert world.data.xpos[world.body("crate"), 2] < held - 0.05


def test_a_spring_between_two_bodies_keeps_their_momentum() -> None:
    world = World([load_character("biped7")], props=[ball(name="ball", mass_kg=5.0, position_m=(0.5, 0.0, 4.0))])
    world.percepts[0].root_q[1] += 3.0
    world.attach("trunk", (0.0, 0.0, 0.0), "ball", (0.0, 0.0, 0.0), stiffness_npm=500.0, damping_nspm=10.0)
    world.step(300)
    joint = int(world.model.body_dofadr[world.body("ball")])
    total = world.characters[0].mass_kg * world.percepts[0].com_vel_w[0] + 5.0 * world.data.qvel[joint]
    assert total == pytest.approx(0.0, abs=0.05)
    assert abs(world.data.qvel[joint]) > 0.1


def test_a_spring_is_limited_in_force() -> None:
    world = World([load_character("biped7")])
    world.percepts[0].root_q[1] += 3.0
    world.attach(
        "trunk", (0.0, 0.0, 0.0), "world", (9.0, 0.0, 3.0), stiffness_npm=1e6, damping_nspm=0.0, max_force_n=123.0
    )
    world.step(1)
    assert np.linalg.norm(world.data.xfrc_applied[1, :3]) == pytest.approx(123.0)


def test_an_exported_scene_has_a_motor_on_every_axis() -> None:
    import mujoco

    for name in ("biped7", "humanoid"):
        character = load_character(name)
        model = mujoco.MjModel.from_xml_string(World([character]).to_mjcf())
        assert model.nu == len(character.axes)
        data = mujoco.MjData(model)
        data.ctrl[0] = 7.0
        mujoco.mj_forward(model, data)
        assert np.abs(data.qfrc_actuator).max() == pytest.approx(7.0)
