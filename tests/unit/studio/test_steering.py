"""Keys and the arrow become commands, and another body continues with the same settings."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.characters.catalog import load_character
from poise.characters.proportions import scaled
from poise.controllers.catalog import load_controller
from poise.controllers.walker.styles import read_curve, write_curve
from poise.studio import steering
from poise.studio.steering import FIRST_SPEED_MPS, HEADING, SIDE_SPEED, SPEED, nudge, wrap_deg
from poise.world.controller import Controller


@pytest.fixture(scope="module")
def walker() -> Controller:
    return load_controller("walker/walk", load_character("humanoid"))


def test_a_walker_can_be_steered_and_restyled_and_others_cannot(walker: Controller) -> None:
    planar = load_controller("simbicon/planar-walk", load_character("biped7"))
    assert steering.can_steer(walker) and steering.can_restyle(walker)
    assert not steering.can_steer(planar) and not steering.can_restyle(planar)
    assert steering.set_off(planar) is planar


def test_what_would_stand_sets_off(walker: Controller) -> None:
    assert steering.set_off(walker).value(SPEED) == FIRST_SPEED_MPS
    assert steering.set_off(walker.with_values({SPEED: 0.4})).value(SPEED) == 0.4


def test_keys_go_in_whole_steps() -> None:
    assert nudge({SPEED: 1.0, HEADING: 0.0}, 1, 0) == {SPEED: 1.1, HEADING: 0.0}
    assert nudge({SPEED: 0.97, HEADING: 7.0}, 0, 1) == {SPEED: 0.97, HEADING: 15.0}
    assert nudge({SPEED: 0.1, HEADING: 165.0}, -1, 1) == {SPEED: 0.0, HEADING: 180.0}
    assert nudge({SPEED: 0.0, HEADING: 180.0}, -1, 1) == {SPEED: -0.1, HEADING: -165.0}


@given(st.floats(-3600.0, 3600.0))
def test_a_wrapped_angle_is_the_same_direction(angle: float) -> None:
    wrapped = wrap_deg(angle)
    assert -180.0 < wrapped <= 180.0
    assert np.cos(np.radians(wrapped)) == pytest.approx(np.cos(np.radians(angle)), abs=1e-9)
    assert np.sin(np.radians(wrapped)) == pytest.approx(np.sin(np.radians(angle)), abs=1e-9)


def test_the_arrow_shows_the_commands_and_gives_them_back(walker: Controller) -> None:
    values = walker.with_values({SPEED: 1.2, SIDE_SPEED: 0.1, HEADING: 30.0}).values()
    command = steering.describe_command(walker, values)
    assert command is not None
    assert (command["speed"], command["side"], command["heading"]) == (1.2, 0.1, 30.0)
    assert (command["low"], command["high"]) == (walker.parameter(SPEED).low, walker.parameter(SPEED).high)
    dragged = steering.read_arrow(walker, {"speed": 0.8349, "side": 0.0, "heading": -190.4})
    assert dragged == {SPEED: 0.83, HEADING: 170.0, SIDE_SPEED: 0.0}


def test_another_body_keeps_commands_ratios_and_curves(walker: Controller) -> None:
    """A step height follows the legs, a gain the mass, a speed nothing."""
    params = walker.with_values({SPEED: 0.7, "step_height_m": 2.0 * walker.value("step_height_m")}).params
    own = steering.find_own(walker)
    write_curve(params, own, "neck_pitch", [0.1, 0.2, 0.3, 0.2, 0.1])
    steering.take_as_own(walker, params, own)
    long = load_controller("walker/walk", scaled(load_character("humanoid"), legs=1.2))
    values = steering.hand_over(walker, params, long)
    assert values[long.parameter(SPEED).index] == 0.7
    assert values[long.parameter("style").index] == own
    assert values[long.parameter("step_height_m").index] == pytest.approx(2.0 * long.value("step_height_m"))
    assert values[long.parameter("side_kp_npm").index] == long.value("side_kp_npm") > walker.value("side_kp_npm")
    assert read_curve(values, own, "neck_pitch") == (0.1, 0.2, 0.3, 0.2, 0.1)


def test_a_script_has_the_keys_that_it_asks_for(tmp_path: Path) -> None:
    text = "BEGINSCRIPT a(void)\nPHASE 0\nTRANSITION to(0).after(press W);\nENDPHASE\nENDSCRIPT\n"
    (tmp_path / "a.ctl").write_text(text)
    controller = load_controller(tmp_path / "a.ctl", load_character("planar17"))
    assert steering.find_key(controller, "w") == "key_W"
    assert steering.find_key(controller, "s") is None
