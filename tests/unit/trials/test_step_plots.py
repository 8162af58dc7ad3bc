"""What is plotted of a walk, on recordings whose every figure is known beforehand."""

from dataclasses import replace

import numpy as np
import pytest

from poise.controllers.limit_cycle.balance import Step
from poise.errors import InputError, NotFoundError
from poise.recordings.recording import Recording
from poise.trials.step_plots import KINDS, HipPlot, PhaseDiagram, StepPlot, VariablePlot, make_picture
from poise.trials.step_run import StepRun
from synthetic_walks import STEP_S, cut, make_walk


def watch(recording: Recording, **more) -> StepRun:
    meta = {**recording.meta, "seconds": float(recording.time_s[-1]), **more.pop("meta", {})}
    ends = tuple(e.time_s for e in recording.events_of(0, "strike"))
    return StepRun(replace(recording, meta=meta), more.pop("ends_s", ends), more.pop("fell_at_s", None), **more)


def make_step(number: int, target: float, reached: float) -> Step:
    return Step(
        number, "left", 0.5 * number, (target, 0.0), (0.0, 0.0), (0.0, 0.0), (reached, 0.01 * number), 4, False, (),
        (0.0, 0.0), 0.0,
    )  # fmt: skip


@pytest.fixture(scope="module")
def walk() -> StepRun:
    return watch(make_walk())


@pytest.fixture(scope="module")
def turn() -> StepRun:
    return watch(make_walk(root="free", seconds=4.0, turn_radius_m=2.0))


def test_a_joint_axis_has_its_own_angle_and_rate(walk: StepRun) -> None:
    plotted = make_picture(walk, "phase", "left_knee_pitch").plotted
    assert isinstance(plotted, PhaseDiagram)
    column = walk.recording.characters[0].axis_index("left_knee_pitch")
    assert plotted.angle_deg == pytest.approx(np.rad2deg(walk.recording.joint_q_rad[:, column]))
    assert plotted.rate_degps == pytest.approx(np.rad2deg(walk.recording.joint_v_radps[:, column]))


def test_the_trunk_leans_ahead_and_to_the_left(turn: StepRun) -> None:
    pitch, roll = (make_picture(turn, "phase", axis).plotted for axis in ("trunk_pitch", "trunk_roll"))
    assert isinstance(pitch, PhaseDiagram) and isinstance(roll, PhaseDiagram)
    # The back is bent ahead by 0.06 rad, and by up to 0.04 to the right while `swing` is positive.
    assert pitch.angle_deg == pytest.approx(np.rad2deg(0.06), abs=0.1)
    swing = np.sin(np.pi * turn.recording.time_s / STEP_S)
    assert roll.angle_deg == pytest.approx(-np.rad2deg(0.04) * swing, abs=0.4)
    rate = -np.rad2deg(0.04) * np.pi / STEP_S * np.cos(np.pi * turn.recording.time_s / STEP_S)
    assert roll.rate_degps == pytest.approx(rate, abs=2.5)


def test_every_moment_belongs_to_a_step(walk: StepRun) -> None:
    plotted = make_picture(walk, "phase").plotted
    assert isinstance(plotted, PhaseDiagram)
    assert plotted.ends_s == tuple(STEP_S * k for k in range(1, 7))
    times = [0.0, 0.4, 0.6, 2.9]
    assert [plotted.step[round(100 * t)] for t in times] == [1, 1, 2, 6]


def test_hips_are_seen_from_above(turn: StepRun) -> None:
    plotted = make_picture(turn, "hips").plotted
    assert isinstance(plotted, HipPlot)
    assert np.diff(plotted.time_s) == pytest.approx(0.16)
    yaw = 1.2 * plotted.time_s / 2.0
    middle = plotted.hips_m.mean(axis=1)
    assert middle == pytest.approx(np.stack([2.0 * np.sin(yaw), 2.0 - 2.0 * np.cos(yaw)], axis=-1), abs=1e-6)
    across = plotted.hips_m[:, 0] - plotted.hips_m[:, 1]
    assert across == pytest.approx(np.stack([-np.sin(yaw), np.cos(yaw)], axis=-1), abs=1e-6)
    assert plotted.pelvis_m[0] == pytest.approx([0.0, 0.0])


def test_hips_in_one_place_are_drawn_across_the_heading(walk: StepRun) -> None:
    recording = walk.recording
    positions = recording.segment_pos_w_m.copy()
    for side in ("left", "right"):
        positions[:, recording.characters[0].segment_names.index(f"{side}_thigh"), 1] = 0.0
    plotted = make_picture(watch(replace(recording, segment_pos_w_m=positions)), "hips").plotted
    assert isinstance(plotted, HipPlot)
    assert plotted.hips_m[:, :, 1] == pytest.approx(np.broadcast_to([0.5, -0.5], plotted.hips_m.shape[:2]))


def test_steps_go_from_strike_to_strike(walk: StepRun) -> None:
    picture = make_picture(walk, "steps")
    assert isinstance(picture.plotted, StepPlot)
    assert picture.plotted.side == ("left", "right", "left", "right", "left")
    assert picture.plotted.duration_s == pytest.approx([STEP_S] * 5)
    assert picture.plotted.length_m == pytest.approx([1.2 * STEP_S] * 5)
    assert picture.outcome == "6 steps in 3 s"


def test_a_limit_cycle_wants_and_reaches_values() -> None:
    steps = tuple(make_step(k, 0.3, 0.3 + 0.02 / k) for k in (1, 2))
    settings = {"parameters": {"forward_by": "pelvis", "side_by": "swing"}}
    picture = make_picture(watch(make_walk(), balanced=steps, meta=settings), "variable")
    assert isinstance(picture.plotted, VariablePlot)
    assert picture.plotted.variables == ("pelvis", "swing")
    assert picture.plotted.target.tolist() == [[0.3, 0.0], [0.3, 0.0]]
    assert picture.plotted.reached == pytest.approx(np.array([[0.32, 0.01], [0.31, 0.02]]))


def test_a_picture_is_plain_data(walk: StepRun) -> None:
    data = make_picture(walk, "steps").as_dict()
    head = {"kind": "steps", "controller": "made/by-hand", "character": "synthetic", "seed": 3, "fell_at_s": None}
    assert {name: data[name] for name in head} == head
    assert data["duration_s"] == pytest.approx([STEP_S] * 5)
    assert "seed" not in data["settings"] and data["settings"]["terrain"] == "flat"
    assert data["interrupted"] is False
    assert set(KINDS) == {"phase", "hips", "steps", "variable", "range"}


def test_what_fell_says_so() -> None:
    picture = make_picture(watch(make_walk(falls_at_s=1.7), fell_at_s=1.7, ends_s=(0.5, 1.0, 1.5)), "steps")
    assert isinstance(picture.plotted, StepPlot)
    assert (len(picture.plotted.side), picture.outcome, picture.fell_at_s) == (2, "3 steps, fell at 1.70 s", 1.7)


@pytest.mark.parametrize("kind", ["phase", "hips", "steps", "variable"])
def test_who_falls_at_once_is_not_drawn(kind: str) -> None:
    run = watch(make_walk(falls_at_s=0.3), fell_at_s=0.3, ends_s=())
    with pytest.raises(InputError) as caught:
        make_picture(run, kind)
    assert str(caught.value) == (
        f"plot {kind}: made/by-hand on synthetic: it falls at 0.30 s, before its first step ends. "
        "There is nothing to draw."
    )


@pytest.mark.parametrize(("strikes", "why"), [(0, "no foot strikes"), (1, "only one foot strikes")])
def test_steps_need_two_strikes(walk: StepRun, strikes: int, why: str) -> None:
    events = walk.recording.events_of(0, "strike")[:strikes]
    with pytest.raises(InputError) as caught:
        make_picture(watch(replace(walk.recording, events=events)), "steps")
    assert str(caught.value) == f"plot steps: made/by-hand on synthetic: {why} in 3 s. There is nothing to draw."


def test_an_unknown_axis_is_refused(walk: StepRun) -> None:
    with pytest.raises(NotFoundError, match=r"axis: no axis named 'trunk_pich'\. Known here: trunk_pitch, "):
        make_picture(walk, "phase", "trunk_pich")


def test_ctrl_c_before_anything_was_recorded_is_passed_on(walk: StepRun) -> None:
    run = replace(walk, recording=replace(cut(walk.recording, 1), meta={"seconds": 0.0, "interrupted": True}))
    with pytest.raises(KeyboardInterrupt):
        make_picture(run, "phase")
