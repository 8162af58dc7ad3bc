"""Parameters are presented in groups, with readable units and practical slider ranges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.studio.knobs import (
    OTHERS,
    SLIDER_STEPS,
    compute_slider_range,
    compute_step,
    find_groups,
    make_knobs,
    split_unit,
)
from poise.world.controller import Controller, Parameter


def test_names_that_share_their_first_word_are_a_group() -> None:
    names = ["torso_kp", "lift_a", "lift_b", "lift_c", "torso_kd"]
    assert find_groups(names) == [OTHERS, "lift", "lift", "lift", OTHERS]


@pytest.mark.parametrize(
    ("name", "bare", "unit"),
    [
        ("torso_kp_nm_per_rad", "torso_kp", "N·m/rad"),
        ("torso_kd_nms_per_rad", "torso_kd", "N·m·s/rad"),
        ("lift_cd_radpm", "lift_cd", "rad/m"),
        ("lift_cv_radspm", "lift_cv", "rad·s/m"),
        ("lift_duration_s", "lift_duration", "s"),
        ("speed_mps", "speed", "m/s"),
        ("friction", "friction", ""),
    ],
)
def test_units_are_written_as_people_do(name: str, bare: str, unit: str) -> None:
    assert split_unit(name) == (bare, unit)


@given(st.floats(-50.0, 50.0), st.floats(0.1, 1e5), st.floats(0.1, 1e5))
def test_a_slider_covers_its_value_within_what_is_allowed(value: float, below: float, above: float) -> None:
    low, high = compute_slider_range(value, value - below, value + above)
    assert value - below <= low <= value <= high <= value + above
    assert low < high


@given(st.floats(-1e4, 1e4), st.floats(1e-3, 1e5))
def test_a_step_is_round_and_fine(low: float, span: float) -> None:
    step = compute_step(low, low + span)
    assert SLIDER_STEPS / 3 <= span / step <= SLIDER_STEPS * 3
    assert f"{step:.0e}"[0] in "125"


def test_a_wide_range_gets_a_handy_slider() -> None:
    parameters = (Parameter("torso_kp_nm_per_rad", 0, 0.0, 1e5, "stiffness"), Parameter("lift_hip_rad", 1, -3.2, 3.2))
    controller = Controller("walk", lambda *_: None, np.array([1000.0, 0.4]), np.zeros(1), parameters)
    torso, lift = make_knobs(controller)
    assert (torso.label, torso.unit, torso.group, torso.help) == ("torso kp", "N·m/rad", OTHERS, "stiffness")
    assert (torso.slider_low, torso.slider_high, torso.step) == (0.0, 4000.0, 20.0)
    assert (torso.low, torso.high, torso.default) == (0.0, 1e5, 1000.0)
    assert (lift.slider_low, lift.slider_high) == (-1.6, 1.6)


def test_groups_stay_together_in_the_order_of_the_controller() -> None:
    names = ["b_1", "a_1", "b_2", "a_2", "b_3", "a_3"]
    parameters = tuple(Parameter(name, k, 0.0, 1.0) for k, name in enumerate(names))
    knobs = make_knobs(Controller("walk", lambda *_: None, np.zeros(6), np.zeros(1), parameters))
    assert [k.name for k in knobs] == ["b_1", "b_2", "b_3", "a_1", "a_2", "a_3"]
    assert [k.label for k in knobs] == ["1", "2", "3"] * 2


@pytest.mark.parametrize("choices", [("walk", "march", "sneak"), ("walk",)])
def test_a_choice_keeps_its_names(choices: tuple[str, ...]) -> None:
    parameters = (Parameter("style", 0, 0, len(choices) - 1, "how it goes", choices=choices),)
    (knob,) = make_knobs(Controller("walk", lambda *_: None, np.zeros(1), np.zeros(1), parameters))
    assert (knob.choices, knob.default, knob.step) == (choices, 0.0, 1.0)
