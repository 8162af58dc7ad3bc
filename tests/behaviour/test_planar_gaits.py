"""The planar gaits: each goes at its own speed without falling, and the walk takes pushes."""

import pytest

from poise.api import run
from poise.controllers.catalog import controller_names, read_controller_file
from poise.measures.catalog import MEASURES, Window
from poise.reproduce.coros.planar_walk import measure_push_survival

#: gait -> its lowest and highest mean speed, m/s.
SPEEDS = {
    "simbicon/planar-walk": (1.0, 1.4),
    "simbicon/planar-walk-2state": (0.8, 1.2),
    "simbicon/planar-fast-walk": (1.5, 1.9),
    "simbicon/planar-in-place": (-0.1, 0.1),
    "simbicon/planar-backward": (-0.8, -0.3),
    "simbicon/planar-high-step": (0.6, 1.2),
    "simbicon/planar-run": (2.5, 3.5),
    "simbicon/bigbird-walk": (1.0, 1.8),
}
#: What a human hip can do in a moment is about a third of this, per kilogram of body.
SENSIBLE_TORQUE_NM_PER_KG = 9.0


@pytest.fixture(scope="module")
def walked():
    """Each gait's run of fifteen seconds, simulated once."""
    runs = {}

    def _walked(name):
        if name not in runs:
            runs[name] = run(name, seconds=15.0, stop_on_fall=True)
        return runs[name]

    return _walked


def measure(done, name):
    return MEASURES[name](Window(done.recording, 7.5))


def test_every_shipped_planar_gait_is_tested_here():
    shipped = [n for n in controller_names() if read_controller_file(n).method == "simbicon-planar"]
    assert sorted(SPEEDS) == sorted(shipped)


@pytest.mark.parametrize("name", SPEEDS)
def test_a_gait_goes_at_its_speed_without_falling(walked, name):
    done = walked(name)
    low, high = SPEEDS[name]
    assert not done.metrics.fallen
    assert low <= done.metrics.mean_speed_mps <= high
    assert done.metrics.steps > 20
    assert done.metrics.max_torque_nm < SENSIBLE_TORQUE_NM_PER_KG * done.recording.characters[0].mass_kg


@pytest.mark.parametrize("name", [n for n in SPEEDS if n != "simbicon/planar-run"])
def test_a_walk_has_a_foot_on_the_ground(walked, name):
    assert measure(walked(name), "flight_share") < 0.04


def test_the_run_flies_in_every_step(walked):
    done = walked("simbicon/planar-run")
    assert measure(done, "flight_share") > 0.1
    assert measure(done, "double_support_share") < 0.02


def test_the_fast_walk_is_much_faster_than_the_walk(walked):
    fast, plain = walked("simbicon/planar-fast-walk"), walked("simbicon/planar-walk")
    assert fast.metrics.mean_speed_mps > 1.3 * plain.metrics.mean_speed_mps


def test_the_high_step_lifts_its_thighs_far_higher_than_the_walk(walked):
    lifted = measure(walked("simbicon/planar-high-step"), "thigh_lift_rad")
    assert lifted > 1.0
    assert lifted > 1.5 * measure(walked("simbicon/planar-walk"), "thigh_lift_rad")


def test_steps_on_the_spot_leave_the_ground(walked):
    assert measure(walked("simbicon/planar-in-place"), "foot_lift_m") > 0.08


@pytest.mark.parametrize("force_n", [600.0, -400.0])
def test_the_walk_survives_pushes_at_any_phase_of_the_stride(force_n):
    outcomes = measure_push_survival("simbicon/planar-walk", [force_n], 4, settle_s=6.0, recover_s=6.0)
    assert [o.survived for o in outcomes] == [True] * 4


@pytest.mark.parametrize("name", [n for n in SPEEDS if n != "simbicon/planar-walk"])
def test_every_gait_survives_a_shove_both_ways(name):
    force_n = 200.0 if name != "simbicon/bigbird-walk" else 100.0
    outcomes = measure_push_survival(name, [force_n, -force_n], 2, timestep_s=0.001, settle_s=6.0, recover_s=5.0)
    assert [o.survived for o in outcomes] == [True] * 4


def test_the_walk_falls_without_balance_feedback():
    done = run("simbicon/planar-walk", seconds=10.0, set={"strike_cd": 0.0, "lift_cv": 0.0}, stop_on_fall=True)
    assert done.metrics.fallen


def test_the_walk_falls_when_nothing_holds_its_trunk():
    done = run("simbicon/planar-walk", seconds=10.0, set={"torso_kp": 0.0, "torso_kd": 0.0}, stop_on_fall=True)
    assert done.metrics.fallen


def test_speed_is_an_outcome_of_how_the_walk_leans():
    speeds = []
    for lean_rad in (-0.1, 0.0, 0.1):
        done = run("simbicon/planar-walk", seconds=12.0, set={"lift_torso": lean_rad, "strike_torso": lean_rad})
        assert not done.metrics.fallen
        speeds.append(done.metrics.mean_speed_mps)
    assert speeds[0] < speeds[1] < speeds[2]
