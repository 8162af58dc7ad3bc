"""The gaits in space: each goes its way without falling, says how it was found, and right is left in the mirror."""

import pytest

from poise.api import run
from poise.controllers.catalog import controller_names, read_controller_file
from poise.controllers.simbicon.spatial_gait import mirror_gait
from poise.controllers.simbicon.spatial_table import read_gait
from poise.measures.catalog import MEASURES, Window

#: gait -> lowest and highest forward speed (m/s), side speed (m/s) and turn (rad/s), to the left.
WAYS = {
    "simbicon/bird-backward": ((-0.7, -0.4), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/bird-in-place": ((-0.15, 0.15), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/bird-run": ((2.1, 2.4), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/bird-sharp-turn-left": ((0.0, 0.3), (-0.5, -0.3), (0.8, 1.0)),
    "simbicon/bird-sharp-turn-right": ((0.0, 0.3), (0.3, 0.5), (-1.0, -0.8)),
    "simbicon/bird-side-step": ((-0.15, 0.15), (0.2, 0.4), (-0.1, 0.1)),
    "simbicon/bird-side-step-right": ((-0.15, 0.15), (-0.4, -0.2), (-0.1, 0.1)),
    "simbicon/bird-turn-left": ((0.7, 1.0), (-0.4, -0.2), (0.3, 0.5)),
    "simbicon/bird-turn-right": ((0.7, 1.0), (0.2, 0.4), (-0.5, -0.3)),
    "simbicon/bird-walk": ((0.8, 1.1), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/humanoid-backward": ((-0.6, -0.3), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/humanoid-in-place": ((-0.15, 0.15), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/humanoid-run": ((2.0, 2.3), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/humanoid-side-step": ((-0.15, 0.15), (0.2, 0.4), (-0.1, 0.1)),
    "simbicon/humanoid-side-step-right": ((-0.15, 0.15), (-0.4, -0.2), (-0.1, 0.1)),
    "simbicon/humanoid-turn-left": ((0.7, 1.0), (-0.2, -0.0), (0.3, 0.5)),
    "simbicon/humanoid-turn-right": ((0.7, 1.0), (0.0, 0.2), (-0.5, -0.3)),
    "simbicon/humanoid-walk": ((0.8, 1.1), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/humanoid-walk-released": ((0.8, 1.1), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/raptor-in-place": ((-0.15, 0.15), (-0.1, 0.1), (-0.1, 0.1)),
    "simbicon/raptor-sharp-turn-left": ((-0.15, 0.15), (-0.3, -0.1), (0.8, 1.0)),
    "simbicon/raptor-sharp-turn-right": ((-0.15, 0.15), (0.1, 0.3), (-1.0, -0.8)),
    "simbicon/raptor-turn-left": ((0.6, 0.9), (-0.4, -0.2), (0.3, 0.5)),
    "simbicon/raptor-turn-right": ((0.6, 0.9), (0.2, 0.4), (-0.5, -0.3)),
    "simbicon/raptor-walk": ((0.7, 1.0), (-0.1, 0.1), (-0.1, 0.1)),
}
BLENDS = [n for n in controller_names() if read_controller_file(n).method == "simbicon-blend"]
MIRRORED = [n for n in WAYS if n.endswith("-right")]
RUNS = [n for n in WAYS if n.endswith("-run")]


@pytest.fixture(scope="module")
def walked():
    """Each gait's run of eight seconds, simulated once, at a step that the searches use too."""
    runs = {}

    def _walked(name):
        if name not in runs:
            runs[name] = run(name, seconds=8.0, timestep_s=0.001, stop_on_fall=True)
        return runs[name]

    return _walked


def measure(done, name):
    return MEASURES[name](Window(done.recording, 3.0))


def test_every_shipped_gait_is_tested_here():
    assert sorted(WAYS) == [n for n in controller_names() if read_controller_file(n).method == "simbicon"]


@pytest.mark.parametrize("name", WAYS)
def test_a_gait_goes_its_way_without_falling(walked, name):
    done = walked(name)
    assert not done.metrics.fallen
    for what, (low, high) in zip(("speed_mps", "side_speed_mps", "turn_radps"), WAYS[name], strict=True):
        assert low <= measure(done, what) <= high, what
    assert done.metrics.steps > 10


@pytest.mark.parametrize("name", MIRRORED)
def test_what_goes_right_is_the_mirror_image_of_what_goes_left(name):
    left = next(n for n in (name.replace("-right", "-left"), name.removesuffix("-right")) if n in WAYS)
    gait = read_gait(read_controller_file(left).table, left)
    assert read_gait(read_controller_file(name).table, name) == mirror_gait(gait)
    assert left in read_controller_file(name).provenance["source"]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_flies(walked, name):
    assert measure(walked(name), "flight_share") > 0.08


@pytest.mark.parametrize("name", [n for n in WAYS if n not in RUNS])
def test_a_walk_has_a_foot_on_the_ground(walked, name):
    assert measure(walked(name), "flight_share") < 0.05


@pytest.mark.parametrize("name", BLENDS)
def test_a_blend_goes_between_its_gaits(walked, name):
    table = read_controller_file(name).table
    speeds = sorted(measure(walked(gait), "speed_mps") for gait in table["gaits"])
    done = walked(name)
    assert not done.metrics.fallen
    assert speeds[0] - 0.05 < measure(done, "speed_mps") < speeds[1] + 0.05
