"""The named terms of an objective, each against a motion for which its value is known."""

from dataclasses import replace

import numpy as np
import pytest

import poise.api
from poise.characters.catalog import load_character
from poise.constants import GRAVITY_MPS2
from poise.controllers.catalog import load_controller
from poise.errors import InputError
from poise.measures.body import compute_distance_to_polygon_m
from poise.measures.catalog import NAMES, Measure
from poise.measures.tracking import check_reference
from poise.measures.window import Window
from poise.world.controller import Start


@pytest.fixture(scope="module")
def walk():
    return poise.api.run("simbicon/planar-walk", seconds=3.0, timestep_s=0.001).recording


def measure(recording, name, start_s=0.0, **more):
    return Measure(name, **more)(Window(recording, start_s))


def moved(recording, **arrays):
    """A recording with other arrays, each a function of its old one."""
    return replace(recording, **{name: change(getattr(recording, name)) for name, change in arrays.items()})


def test_every_measure_of_a_walk_is_finite(walk):
    needs = {"part_height_m": {"of": "trunk"}, "part_apex_m": {"of": "trunk"}}
    tracked = {name: {"reference": walk} for name in ("tracking_rad", "com_tracking_m")}
    for name in NAMES:
        assert np.isfinite(measure(walk, name, 1.0, **needs.get(name, {}), **tracked.get(name, {}))), name


def test_height_is_that_of_the_highest_moment(walk):
    lifted = moved(walk, com_w_m=lambda com: com + np.eye(len(com))[150][:, None, None] * [0.0, 0.0, 2.0])
    assert measure(lifted, "apex_m") == pytest.approx(walk.com_w_m[150, 0, 2] + 2.0)
    assert measure(walk, "apex_m") == walk.com_w_m[:, 0, 2].max()
    assert measure(walk, "com_height_m") == pytest.approx(walk.com_w_m[:, 0, 2].mean())


def test_height_of_a_part_goes_by_role_or_name(walk):
    foot = walk.characters[0].segment_names.index("left_foot")
    assert measure(walk, "part_apex_m", of="left_foot") == walk.segment_pos_w_m[:, foot, 2].max()
    assert measure(walk, "part_apex_m", of="pelvis") == measure(walk, "part_apex_m", of="trunk")
    assert measure(walk, "part_height_m", of="pelvis") > measure(walk, "part_height_m", of="left_foot")
    with pytest.raises(InputError, match="character biped7: no part named 'tail'"):
        measure(walk, "part_apex_m", of="tail")


def test_effort_grows_with_the_square_of_the_torques(walk):
    doubled = moved(walk, torque_nm=lambda torque: 2.0 * torque)
    assert measure(doubled, "squared_torque_nm2") == pytest.approx(4.0 * measure(walk, "squared_torque_nm2"))


def test_cost_of_transport_is_work_over_weight_and_way(walk):
    body, way = walk.characters[0], walk.com_w_m[-1, 0, 0] - walk.com_w_m[0, 0, 0]
    expected = walk.tallies[0].absolute_work_j / (body.mass_kg * GRAVITY_MPS2 * way)
    assert measure(walk, "cost_of_transport") == pytest.approx(expected)
    stays = moved(walk, com_w_m=lambda com: com * [0.0, 0.0, 1.0])
    assert measure(stays, "cost_of_transport") == pytest.approx(expected * way / 0.1)


def test_smoothness_is_the_rate_at_which_torques_and_speeds_change(walk):
    ramp = walk.time_s[:, None] * np.ones(len(walk.characters[0].axes))
    steady = moved(walk, torque_nm=lambda _: 30.0 * ramp, joint_v_radps=lambda _: -2.0 * ramp)
    assert measure(steady, "torque_roughness_nmps") == pytest.approx(30.0)
    assert measure(steady, "roughness_radps2") == pytest.approx(2.0)


def test_tracking_is_the_distance_at_the_same_times(walk):
    assert measure(walk, "tracking_rad", reference=walk) == pytest.approx(0.0, abs=1e-12)
    bent = moved(walk, joint_q_rad=lambda q: q + 0.2, com_w_m=lambda com: com + 5.0)
    assert measure(bent, "tracking_rad", reference=walk) == pytest.approx(0.2)
    assert measure(bent, "com_tracking_m", reference=walk) == pytest.approx(0.0, abs=1e-12)
    away = moved(walk, com_w_m=lambda com: com + walk.time_s[:, None, None] * [0.0, 0.3, 0.0])
    mean_s = float(walk.time_s[100:].mean())
    assert measure(away, "com_tracking_m", walk.time_s[100], reference=walk) == pytest.approx(0.3 * mean_s, rel=0.01)


def test_what_is_tracked_must_fit_the_body_and_last_as_long(walk):
    names = walk.characters[0].axis_names
    check_reference(walk, names, 3.0)
    with pytest.raises(InputError, match=r"the reference lasts 2.99 s, a trial 4 s"):
        check_reference(walk, names, 4.0)
    with pytest.raises(InputError, match="the reference has the joints left_hip_pitch"):
        check_reference(walk, names[1:], 3.0)


def test_balance_is_the_distance_of_the_centre_of_mass_from_that_of_pressure():
    body = load_character("biped7")
    stand = replace(load_controller("pose/hold", body), start=Start())
    recording = poise.api.run(stand, character=body, seconds=0.3).recording
    window = Window(recording, 0.1)
    calm = Measure("com_cop_m")(window)
    assert calm < 0.12
    leaning = moved(recording, com_w_m=lambda com: com + [0.5, 0.0, 0.0])
    far = measure(leaning, "com_cop_m", 0.1)
    assert far == pytest.approx(0.5, abs=0.12)
    assert measure(leaning, "com_cop_m2s", 0.1) == pytest.approx(far**2 * window.seconds, rel=0.06)
    assert Measure("com_outside_m")(window) < 0.05 < 0.3 < measure(leaning, "com_outside_m", 0.1) < 0.5


def test_in_flight_nobody_is_out_of_balance_but_who_never_touches_is():
    body = load_character("biped7")
    flying = replace(load_controller("pose/hold", body), start=Start(root_vel_mps=(0.0, 0.0, 3.0)))
    recording = poise.api.run(flying, character=body, seconds=0.3).recording
    assert measure(recording, "com_cop_m", 0.1) == 1.0
    assert measure(recording, "com_cop_m2s", 0.1) == 0.0 == measure(recording, "com_outside_m", 0.1)


SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])


@pytest.mark.parametrize(
    ("point", "corners", "distance"),
    [
        ((1.0, 1.0), SQUARE, 0.0),
        ((3.0, 1.0), SQUARE, 1.0),
        ((5.0, 6.0), SQUARE, 5.0),
        ((1.0, 1.0), SQUARE[:2], 1.0),
        ((4.0, 0.0), SQUARE[:2], 2.0),
        ((3.0, 4.0), SQUARE[:1], 5.0),
    ],
)
def test_distance_to_a_polygon_a_line_or_a_point(point, corners, distance):
    assert compute_distance_to_polygon_m(np.array(point), corners) == pytest.approx(distance)


def test_time_of_failure_is_the_end_for_who_did_not_fail(walk):
    assert measure(walk, "time_of_failure_s") == walk.time_s[-1]
    assert Measure("time_of_failure_s")(Window(walk, 0.0, 1.25)) == 1.25
