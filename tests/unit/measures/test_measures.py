"""Measures of a gait, on a real walk and on wishes."""

from dataclasses import replace

import pytest

import poise.api
from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.measures.catalog import MEASURES, Measure
from poise.measures.window import Window
from poise.search.problem import Term
from poise.world.controller import Start


@pytest.fixture(scope="module")
def window():
    recording = poise.api.run("simbicon/planar-walk", seconds=6.0, timestep_s=0.001).recording
    return Window(recording, 3.0)


def test_a_walk_measures_like_a_walk(window):
    found = {name: measure(window) for name, measure in MEASURES.items()}
    assert 1.0 < found["speed_mps"] < 1.3
    assert found["distance_m"] == pytest.approx(found["speed_mps"] * window.seconds)
    assert found["flight_share"] < 0.01
    assert 0.0 < found["double_support_share"] < 0.2
    assert abs(found["lean_rad"]) < 0.02 and found["sway_rad"] < 0.05
    assert 0.4 < found["thigh_lift_rad"] < 0.8
    assert 0.05 < found["foot_lift_m"] < 0.2
    assert found["stance_knee_rad"] < found["swing_knee_rad"]
    assert 2.0 < found["steps_hz"] < 4.0
    assert found["irregularity_rad"] < 0.05
    assert found["peak_torque_nm"] > found["mean_torque_nm"] > 0.0
    assert found["power_w_per_kg"] > 0.0 and found["roughness_radps2"] > 0.0


def test_a_bounce_changes_no_measure_of_steps(window):
    names = ("steps_hz", "step_length_m", "irregularity_rad", "stride_irregularity_rad", "thigh_lift_rad")
    strike = window.steps[2]
    bounce = replace(strike, time_s=strike.time_s + 0.02)
    events = sorted((*window.recording.events, bounce), key=lambda e: e.time_s)
    bounced = Window(replace(window.recording, events=tuple(events)), 3.0)
    assert len(bounced.recording.events_of(0, "strike")) == len(window.recording.events_of(0, "strike")) + 1
    assert {n: MEASURES[n](bounced) for n in names} == {n: MEASURES[n](window) for n in names}


def test_a_thigh_that_is_raised_forward_has_a_positive_lift():
    character = load_character("biped7")
    hold = replace(load_controller("pose/hold", character), start=Start(joint_q_rad={"left_hip_pitch": 0.5}))
    recording = poise.api.run(hold, character=character, seconds=0.001).recording
    window = Window(recording, 0.0)
    assert window.pitch_rad("left_thigh")[0] == pytest.approx(-0.5)
    assert window.pitch_rad("right_thigh")[0] == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("wish", "value", "measured", "cost"),
    [
        ("low", 0.0, 3.0, 6.0),
        ("near", 2.0, 3.0, 2.0),
        ("near", 2.0, 1.0, 2.0),
        ("at_least", 2.0, 3.0, 0.0),
        ("at_least", 2.0, 0.5, 3.0),
        ("at_most", 2.0, 3.0, 2.0),
        ("at_most", 2.0, 1.0, 0.0),
    ],
)
def test_a_wish_costs_its_distance(wish, value, measured, cost):
    assert Term(Measure("speed_mps"), 2.0, wish, value).cost(measured) == cost
