"""The verdicts of the studio are those of `poise run`."""

from dataclasses import replace

import numpy as np
import pytest

from poise import Scene, run_scene
from poise.measures.upright import describe_outcome, find_down_spans, is_up_at_end
from poise.recordings.recording import Event, Recording
from poise.rollout.export_csv import compute_table
from poise.studio.actor import LIMP
from poise.studio.balls import Balls
from poise.studio.body_scale import measure_scale
from poise.studio.posture import FALL_S, Down, Posture
from poise.studio.scenario import Scenario, make_scenario
from poise.studio.simulation import Simulation
from poise.world.terrain import flat
from synthetic_walks import make_walk

HZ = 100.0
STEER = Scenario("walker/walk", "humanoid")


def tilt(recording: Recording, *spans: tuple[float, float]) -> Recording:
    """The same with the trunk upside down at times."""
    trunk = recording.characters[0].segment_names.index("trunk")
    quat = recording.segment_quat_wxyz.copy()
    for start_s, end_s in spans:
        chosen = (recording.time_s >= start_s - 1e-9) & (recording.time_s <= end_s + 1e-9)
        quat[chosen, trunk] = [0.0, 0.0, 1.0, 0.0]
    down = [Event(start_s, "down", 0, "trunk") for start_s, _ in spans]
    return replace(recording, segment_quat_wxyz=quat, events=(*recording.events, *down))


@pytest.mark.parametrize(
    "spans",
    [
        (),
        ((1.0, 1.6),),
        ((1.0, 1.2), (1.4, 1.6)),
        ((1.0, 1.2), (1.51, 1.6)),
        ((1.0, 1.2), (2.0, 2.4), (3.8, 4.0)),
        ((2.5, 4.0),),
        ((3.5, 3.75),),
        ((0.0, 4.0),),
    ],
)
@pytest.mark.parametrize("parts", [1, 7, 400])
def test_times_down_are_those_of_the_judge_however_a_run_is_split(
    spans: tuple[tuple[float, float], ...], parts: int
) -> None:
    recording = tilt(make_walk(seconds=4.0, hz=HZ), *spans)
    posture = Posture()
    for chosen in np.array_split(np.arange(recording.frames), parts):
        posture = posture.after(cut(recording, chosen))
    assert [(d.since_s, d.until_s) for d in posture.downs] == find_down_spans(recording)
    assert (posture.down_since_s is None) is (not spans or is_up_at_end(recording))


def cut(recording: Recording, frames: np.ndarray) -> Recording:
    """Some frames of a recording without contacts."""
    return replace(
        recording,
        time_s=recording.time_s[frames],
        segment_pos_w_m=recording.segment_pos_w_m[frames],
        segment_quat_wxyz=recording.segment_quat_wxyz[frames],
        contact_start=np.zeros(len(frames) + 1, dtype=int),
        contact_segment=np.zeros(0, dtype=int),
        contact_other=np.zeros(0, dtype=int),
        contact_pos_w_m=np.zeros((0, 3)),
        contact_force_w_n=np.zeros((0, 3)),
        events=(),
    )


def test_a_lying_body_takes_no_steps() -> None:
    walk = make_walk(seconds=2.0, hz=HZ)
    step = replace(walk, events=(Event(0.5, "step", 0, "left_foot"), Event(1.0, "step", 0, "right_foot")))
    assert Posture().after(step).steps == 2
    lying = Posture((Down(0.1, 0.2),), 4)
    assert lying.after(tilt(step, (0.0, 2.0))).steps == 4


def run_both(controller: str, seconds: float) -> tuple[Simulation, Recording]:
    simulation = Simulation(make_scenario(controller))
    simulation.advance(round(seconds / simulation.scenario.timestep_s))
    return simulation, run_scene(Scene(controller), seconds).recording


def test_a_backflip_that_lands_has_not_fallen() -> None:
    simulation, recording = run_both("script/backflip", 5.5)
    assert describe_outcome(recording).startswith("on its feet at the end; turned over or down from ")
    moment = simulation.moment
    assert moment.fell_at_s is None and moment.posture.down_since_s is None
    ((since_s, until_s),) = find_down_spans(recording)
    assert moment.posture.downs == (Down(since_s, until_s, over=True),)


def test_a_script_that_lies_is_down_and_has_not_fallen() -> None:
    simulation, recording = run_both("script/supine", 6.0)
    assert describe_outcome(recording).startswith("down ")
    moment = simulation.moment
    assert moment.posture.down_since_s == find_down_spans(recording)[-1][0]
    assert moment.down_for_s > 1.0 and moment.fell_at_s is None


def make_fallen() -> Simulation:
    simulation = Simulation(STEER)
    simulation.advance(2000)
    for _ in range(3):
        simulation.push(1000.0, 90.0)
    simulation.advance(4000)
    return simulation


def test_a_walker_that_has_fallen_goes_limp_and_takes_no_more_steps() -> None:
    simulation = make_fallen()
    fell_at_s = simulation.moment.fell_at_s
    assert fell_at_s is not None and simulation.world.active() == LIMP
    drive = simulation.world.percepts[0]
    steps = simulation.moment.steps
    simulation.advance(4000)
    assert simulation.moment.steps == steps and simulation.moment.fell_at_s == fell_at_s
    assert np.abs(drive.joint_v).max() < 2.0, "it lies still"
    simulation.set_parameter("speed_mps", 0.7)
    assert abs(simulation.place().heading_rad) < 1e-9, "the commanded heading"


def test_before_the_fall_and_after_a_restart_the_walker_acts() -> None:
    simulation = make_fallen()
    fell_at_s = simulation.moment.fell_at_s
    assert fell_at_s is not None
    simulation.set_parameter("speed_mps", 0.7)
    simulation.look_back(simulation.moment.time_s - fell_at_s + 0.5)
    simulation.advance(1)
    assert simulation.world.active() == "walker/walk" and simulation.moment.fell_at_s is None
    assert simulation.world.params[0][simulation.controller.parameter("speed_mps").index] == 0.7
    simulation.advance(4000)
    assert simulation.world.active() == LIMP
    simulation.restart()
    assert simulation.world.active() == "walker/walk" and simulation.moment.posture == Posture()


def test_the_tick_at_which_it_goes_limp_does_not_depend_on_how_the_run_is_split() -> None:
    one, other = Simulation(STEER), Simulation(STEER)
    for simulation in (one, other):
        simulation.set_parameter("side_kp_npm", 0.0)
        simulation.set_parameter("placement_speed_gain", 0.0)
        simulation.push(1500.0, 90.0)
    one.advance(5000)
    for ticks in (1, 17, 333, 1000, 649, 3000):
        other.advance(ticks)
    assert one.world.active() == LIMP
    assert one.world.snapshot().physics.tobytes() == other.world.snapshot().physics.tobytes()
    assert one.moment.posture == other.moment.posture
    fell_at_s = one.moment.fell_at_s
    assert fell_at_s is not None and one.moment.time_s > fell_at_s + FALL_S


@pytest.mark.parametrize("controller", ["walker/walk", "simbicon/planar-walk"])
def test_plots_show_what_is_exported(controller: str) -> None:
    simulation = Simulation(make_scenario(controller))
    simulation.advance(3000)
    # With the same bodies in the world, the solver gives the same bits.
    props = Balls(measure_scale(simulation.character), flat()).make()
    run = run_scene(Scene(controller, values=simulation.values, props=props), 1.5)
    names, table = compute_table(run.recording)
    trace = simulation.samples.trace()
    assert len(trace) == len(table)
    loads = [table[:, names.index(f"{side}_foot_force_z_n")] for side in ("left", "right")]
    assert np.array_equal(trace[:, 0], table[:, 0]) and np.array_equal(trace[:, 3:].T, loads)
    assert max(loads[0].max(), loads[1].max()) > 500.0


def test_going_on_from_the_past_draws_no_line_twice() -> None:
    simulation = Simulation(make_scenario("simbicon/planar-walk"))
    simulation.advance(6000)
    whole = simulation.samples.trace()
    simulation.look_back(1.0)
    assert np.array_equal(simulation.samples.trace(), whole)
    simulation.advance(2000)
    assert np.array_equal(simulation.samples.trace(), whole)


def test_the_plot_covers_its_span() -> None:
    simulation = Simulation(make_scenario("simbicon/planar-walk"))
    simulation.advance(24000)
    trace = simulation.samples.trace()
    assert len(trace) == 1001 and trace[0, 0] == pytest.approx(1.99)
    assert np.allclose(np.diff(trace[:, 0]), 0.01)
