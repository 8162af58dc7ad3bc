"""Searches for transitions: the objective, the course, and the file that comes out."""

from dataclasses import replace

import numpy as np
import pytest

from poise.errors import InputError
from poise.language.check import check_program
from poise.language.names import Body
from poise.skills.command import read_plan, spell_command
from poise.skills.course import Track, open_stage
from poise.skills.explore import let_fall
from poise.skills.goal import Weights, compute_terms, weigh
from poise.skills.learn import Plan, Task, learn, prepare
from poise.skills.script_file import read_transition, write_transition
from poise.skills.skill import load_skill
from poise.skills.starts import Leaving
from poise.skills.trial import make_limp


def make_track(frames: int = 50) -> Track:
    time = np.arange(frames) / 100.0
    com = np.stack([1.3 * time, np.full(frames, 1.0)], axis=1)
    zeros = np.zeros((frames, 16))
    return Track(time, com, np.full(frames, 1.3), np.full(frames, 0.1), zeros, zeros, zeros + 2.0, np.zeros(frames))


def test_a_run_that_is_the_goal_costs_what_it_took() -> None:
    track = make_track()
    terms = compute_terms(track, track, track)
    assert (terms["com"], terms["trunk"], terms["joints"], terms["fallen"]) == (0.0, 0.0, 0.0, 0.0)
    assert terms["time"] == 0.5
    assert terms["energy"] == pytest.approx(2 * 50 * 16 * 4.0 / 100.0)


def test_each_term_is_the_sum_of_squares_of_the_source() -> None:
    goal = make_track()
    low = replace(goal, com_m=goal.com_m - [0.0, 0.2])
    assert compute_terms(goal, low, goal)["com"] == pytest.approx(50 * 0.04)
    leaning = replace(goal, trunk_rad=goal.trunk_rad + 0.7 + 2.0 * np.pi)
    terms = compute_terms(goal, leaning, goal)
    assert terms["trunk"] == pytest.approx(50 * 0.49)
    assert terms["fallen"] == pytest.approx(0.5)
    bent = replace(goal, joint_rad=goal.joint_rad + 0.1)
    assert compute_terms(goal, bent, goal)["joints"] == pytest.approx(50 * 16 * 0.01)
    assert weigh(terms, Weights()) == pytest.approx(50 * 0.49 + 200 * 0.5)
    rolled = replace(goal, knocked=np.ones(50))
    terms = compute_terms(rolled, goal, goal)
    assert terms["knocked"] == pytest.approx(0.5)
    assert weigh(terms, Weights(knocked=3.0)) == pytest.approx(1.5)


def test_a_goal_farther_along_the_way_is_the_same_goal() -> None:
    goal = make_track()
    elsewhere = replace(goal, com_m=goal.com_m + [5.0, 0.0])
    assert compute_terms(goal, elsewhere, goal)["com"] == pytest.approx(0.0, abs=1e-12)


def test_a_body_that_lies_is_knocked_and_one_that_stands_is_not() -> None:
    skill = load_skill("stand")
    stage = open_stage(skill.character, skill.controller, 0.002)
    stage.begin(skill.controller)
    stage.advance(1.0)
    assert not stage.track().knocked.any()
    let_fall(stage, make_limp(skill), 3.0)
    assert stage.track().since(3.5).knocked.mean() > 0.9


@pytest.fixture(scope="module")
def task() -> Task:
    plan = Plan(phases=2, generations=3, starts=2, goal=(0.0, 0.4), timestep_s=0.002)
    return prepare(load_skill("walk-in-place"), load_skill("stand"), plan)


def test_a_search_repeats_itself_and_does_not_get_worse(task: Task) -> None:
    rows: list[tuple[int, int, float]] = []
    first = learn(task, workers=2, progress=lambda *row: rows.append(row))
    again = learn(task, workers=1)
    assert first.script == again.script
    assert first.course == again.course
    assert list(first.course) == sorted(first.course, reverse=True)
    assert [row[:2] for row in rows] == [(1, 3), (2, 3), (3, 3)]
    # The first candidate of the (1+1)-strategy is the skill's own phases.
    assert first.course[0] == first.first_cost
    assert first.cost <= first.first_cost
    assert (first.evaluations, first.unknowns) == (3, len(task.space))


def test_what_is_written_is_what_was_tried_and_the_checker_finds_nothing(task: Task, tmp_path) -> None:
    found = learn(replace(task, plan=replace(task.plan, generations=1)))
    path = tmp_path / "there.ctl"
    path.write_text(write_transition("walk-in-place", "stand", found.script, task.steps, "short.", ["A note."]))
    file = read_transition(path)
    assert (file.source, file.target) == ("walk-in-place", "stand")
    assert file.program.script.phases == found.script.phases
    assert "# Was phase 0 of _gait.ctl." in path.read_text()
    problems = [p for p in check_program(file.program, Body(task.target.character)) if "there.ctl" in str(p)]
    assert not [str(p) for p in problems if p.severity == "error"]


def test_the_command_that_made_it_is_spelled_without_what_is_usual() -> None:
    plan = Plan(phases=8, weights=Weights(energy=0.2), goal=(0.0, 3.0))
    command = spell_command("walk", "run", plan, "fast-walk")
    assert command == "poise transition walk run --via fast-walk --phases 8 --weight energy=0.2 --goal 0:3"
    assert spell_command("walk", "run", Plan(), None) == "poise transition walk run"


@pytest.mark.parametrize(
    "plan",
    [
        Plan(),
        Plan(phases=3, at_phase=5, goal=(4.0, 7.0), leaving=Leaving(2, 5.0, "handstand", 0.4)),
        Plan(
            algorithm="cma-es", spread=1.5, seed=3, weights=Weights(com=10.0, energy=0.2), leaving=Leaving(failing=True)
        ),
    ],
)
def test_a_command_that_was_spelled_is_read_again(plan: Plan) -> None:
    assert read_plan(spell_command("walk", "run", plan, None).split()) == plan


def test_plans_say_what_they_do_not_know() -> None:
    with pytest.raises(InputError, match=r"algorithm: no algorithm named 'cma'\."):
        Plan(algorithm="cma")
    with pytest.raises(InputError, match=r"transition: phases must be at least 1, got 0\."):
        Plan(phases=0)
    with pytest.raises(InputError, match=r"transition: weight com must be a number of at least 0, got -1\.0\."):
        Weights(com=-1.0)
