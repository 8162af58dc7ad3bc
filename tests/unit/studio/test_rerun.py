"""An edited script runs again: from the start, or from the phase in view."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from poise.studio.actor import pack_drafts
from poise.studio.rerun import begin_with_phase, find_entry, keep_values, rerun
from poise.studio.scenario import Scenario
from poise.studio.simulation import Simulation

CALLEE = """# Bends a knee and stretches it.
BEGINSCRIPT bend(depth)
PHASE 0
    ACTIONS
        LIPOSE lKnee(depth, 300, 30).time(.1);
        POSE rKnee(.2, 300, 30), lHip(0, 300, 30), rHip(0, 300, 30), waist(0, 600, 30);
    ENDACTIONS
    TRANSITION to(1).after(time .15);
ENDPHASE
PHASE 1
    ACTIONS
        LIPOSE lKnee(.1, 300, 30).time(.1);
    ENDACTIONS
    TRANSITION to(-1).after(time .12);
ENDPHASE
ENDSCRIPT
"""
MAIN = """# Bends thrice, then holds.
SCRIPTS bend.ctl;
SET depth = .8
BEGINSCRIPT main(depth)
PHASE 0
    > bend.ctl(depth);
    TRANSITION to(1).after(iterations 2);
ENDPHASE
PHASE 1
    ACTIONS
        HOLD lKnee;
        POSE rElbow(-.5, 100, 10);
    ENDACTIONS
ENDPHASE
ENDSCRIPT
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "main.ctl").write_text(MAIN)
    (tmp_path / "bend.ctl").write_text(CALLEE)
    yield tmp_path


def make_scenario(folder: Path, **drafts: str) -> Scenario:
    texts = {folder / f"{name}.ctl": text for name, text in drafts.items()}
    return Scenario(str(folder / "main.ctl"), "planar17", drafts=pack_drafts(texts))


def run(scenario: Scenario, seconds: float) -> Simulation:
    simulation = Simulation(scenario)
    simulation.advance(round(seconds / scenario.timestep_s))
    return simulation


def read_state(simulation: Simulation) -> np.ndarray:
    return np.concatenate([simulation.world.data.qpos, simulation.world.data.qvel])


def begin(old: Simulation, scenario: Scenario, script: str) -> Simulation:
    new = Simulation(scenario)
    assert begin_with_phase(old, new, script) == ""
    return new


@pytest.mark.parametrize("script", ["main.ctl", "bend.ctl"])
@pytest.mark.parametrize("seconds", [0.21, 0.4, 0.7, 0.95])
def test_from_the_phase_is_the_same_as_from_the_start_when_nothing_changed(
    folder: Path, script: str, seconds: float
) -> None:
    scenario = make_scenario(folder)
    old = run(scenario, seconds)
    entry, _ = find_entry(old, script)
    new = begin(old, scenario, script)
    assert new.moment.tick == entry.tick < old.moment.tick
    assert (entry.tick == 0) == (script == "main.ctl" and seconds < 0.8), "the second phase begins after 0.8 s"
    new.advance(old.moment.tick + 400 - new.moment.tick)
    straight = run(scenario, seconds + 400 * scenario.timestep_s)
    assert np.array_equal(read_state(new), read_state(straight))
    assert new.moment.stack == straight.moment.stack
    assert np.array_equal(new.world.memories[0], straight.world.memories[0])


@pytest.mark.parametrize("script", ["main.ctl", "bend.ctl"])
def test_an_edit_of_the_phase_in_view_acts_as_if_it_had_been_there_from_the_start(folder: Path, script: str) -> None:
    """The edited phase ran for the first time when it is in view: nothing before it differs."""
    old = run(make_scenario(folder), 0.22 if script == "bend.ctl" else 0.95)
    place = next(p for p in old.moment.stack if p.script == script)
    assert place.phase == 1
    if script == "bend.ctl":
        edited = make_scenario(folder, bend=CALLEE.replace("lKnee(.1, 300, 30)", "lKnee(.5, 200, 20)"))
    else:
        edited = make_scenario(folder, main=MAIN.replace("rElbow(-.5", "rShoulder(.3), rElbow(-1.5"))
    new = begin(old, edited, script)
    new.advance(old.moment.tick + 200 - new.moment.tick)
    straight = run(edited, new.moment.time_s)
    assert np.array_equal(read_state(new), read_state(straight))
    assert not np.array_equal(read_state(new), read_state(run(make_scenario(folder), new.moment.time_s)))


def test_a_comment_above_changes_nothing(folder: Path) -> None:
    old = run(make_scenario(folder), 0.7)
    new = begin(old, make_scenario(folder, main="# Another line.\n" + MAIN), "bend.ctl")
    new.advance(old.moment.tick - new.moment.tick)
    assert np.array_equal(read_state(new), read_state(old))


def test_another_argument_reaches_the_script_that_runs(folder: Path) -> None:
    old = run(make_scenario(folder), 0.35)
    new = begin(old, make_scenario(folder, main=MAIN.replace("> bend.ctl(depth)", "> bend.ctl(.3)")), "bend.ctl")
    new.advance(1)
    frame = int(new.params[16]) + int(new.params[14])
    assert new.world.memories[0][frame + 2] == 0.3


def test_what_a_caller_has_counted_is_kept(folder: Path) -> None:
    """Two of three runs are done: one more follows, whatever is added to the callee."""
    old = run(make_scenario(folder), 0.7)
    longer = CALLEE.replace("TRANSITION to(-1)", "TRANSITION to(2)").replace(
        "ENDSCRIPT\n",
        "PHASE 2\n ACTIONS\n  HOLD rKnee;\n ENDACTIONS\n TRANSITION to(-1).after(time .1);\nENDPHASE\nENDSCRIPT\n",
    )
    new = begin(old, make_scenario(folder, bend=longer), "bend.ctl")
    new.advance(round(0.5 / new.scenario.timestep_s))
    assert [e.stack[0].phase for e in new.entries].count(1) == 1
    ends = [e for e in new.entries if e.stack[0].phase == 1]
    assert 0.8 < ends[0].tick * new.scenario.timestep_s < 1.1


def test_a_phase_that_is_gone_is_told_and_the_run_is_at_the_start(folder: Path) -> None:
    old = run(make_scenario(folder), 0.95)
    short = MAIN.replace("to(1).after(iterations 2)", "to(0).after(iterations 2)").split("PHASE 1")[0] + "ENDSCRIPT\n"
    new = Simulation(make_scenario(folder, main=short))
    assert begin_with_phase(old, new, "main.ctl") == "the phase no longer exists: from the start"
    assert new.moment.time_s == 0.0


def test_paused_the_moment_in_view_stays_and_the_future_is_foreseen(folder: Path) -> None:
    old = run(make_scenario(folder), 0.5125)
    edited = make_scenario(folder, bend=CALLEE.replace("lKnee(.1", "lKnee(.6"))
    new = Simulation(edited)
    made = rerun(old, new, "start", "main.ctl", playing=False, fresh=lambda: True)
    assert made.began_s == 0.0 and made.note == ""
    assert new.moment.tick == old.moment.tick and new.behind_s == 0.0
    assert made.mine.times_s[0] == 0.0 and made.mine.times_s[-1] == pytest.approx(3.5125, abs=0.06)
    assert made.before.times_s[-1] == pytest.approx(3.5125, abs=0.06)
    assert np.array_equal(read_state(new), read_state(run(edited, 0.5125))), "foreseeing leaves the present alone"
    new.advance(100)
    assert np.array_equal(read_state(new), read_state(run(edited, 0.5625)))


def test_looking_back_one_sees_the_same_moment_of_the_new_version(folder: Path) -> None:
    old = run(make_scenario(folder), 0.8)
    old.look_back(0.45)
    new = Simulation(make_scenario(folder))
    made = rerun(old, new, "phase", "bend.ctl", playing=False, fresh=lambda: True)
    assert new.moment.tick == old.moment.tick and new.behind_s == pytest.approx(old.behind_s)
    assert made.began_s == pytest.approx(find_entry(old, "bend.ctl")[0].tick * 0.0005)
    assert new.reach_s == pytest.approx(0.8), "the past before the phase is still there"
    new.look_back(0.75)
    new.advance(200)
    assert np.array_equal(read_state(new), read_state(run(make_scenario(folder), new.moment.time_s)))


def test_playing_it_goes_on_where_the_phase_began(folder: Path) -> None:
    old = run(make_scenario(folder), 0.7)
    new = Simulation(make_scenario(folder))
    made = rerun(old, new, "phase", "bend.ctl", playing=True, fresh=lambda: True)
    assert new.moment.time_s == made.began_s < 0.7
    assert made.mine.times_s[-1] > made.began_s + 2.9


def test_parameters_that_people_set_stay_and_others_follow_the_text(folder: Path) -> None:
    old = run(make_scenario(folder), 0.1)
    deeper = make_scenario(folder, main=MAIN.replace("depth = .8", "depth = .6"))
    for depth in (0.6, 0.7):
        new = Simulation(deeper)
        keep_values(old, new)
        assert new.values == {"depth": depth}
        old.set_parameter("depth", 0.7)


def test_the_phases_on_the_stack_are_told_with_every_moment(folder: Path) -> None:
    simulation = run(make_scenario(folder), 0.2)
    assert simulation.moment.stack == (("main.ctl", 0), ("bend.ctl", 1))
    assert [m.stack for m in simulation.history.all()][-1] == simulation.moment.stack
