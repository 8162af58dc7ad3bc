"""How the experiments on the language look at runs: what would not hold must not be seen to hold."""

import pytest

from poise.reproduce.firmin.language_feedback import find_push_limit_n
from poise.reproduce.firmin.language_flow import count_callers, land
from poise.reproduce.firmin.language_primitives import LEFT, RIGHT, find_center_m
from poise.reproduce.firmin.language_runs import (
    STAND,
    build,
    build_shipped,
    follow,
    is_up,
    open_world,
    run_text,
    write_phase,
    write_script,
)
from poise.reproduce.firmin.language_scripts import SOLE_M, judge_step, step_up
from poise.world.disturbances import Push

STIFF = STAND.replace("(2000, 250)", "(0, 0)") + LEFT + RIGHT


def test_a_course_knows_which_phase_acted_when() -> None:
    text = write_script(
        write_phase(0, STAND, "to(2).after(time .1)"),
        write_phase(1, STAND),
        write_phase(2, STAND, "to(-1).after(time .2)"),
    )
    course = run_text(text, 0.5)
    assert [phase for _, phase in course.phases()] == [-1, 2, -1]
    assert (course.reached_s(2), course.reached_s(1)) == (pytest.approx(0.1, abs=0.002), None)
    assert course.places[-1][1] == ()


def test_who_is_pushed_over_is_not_up() -> None:
    world = open_world(build(write_script(write_phase(0, STIFF))), pushes=[Push(400.0, 180.0, 0.1, 0.1)])
    course = follow(world, 3.0, stop_on_fall=True)
    assert not is_up(course) and course.recording.time_s[-1] < 2.0


def test_a_pose_without_feedback_has_no_push_that_it_survives() -> None:
    assert find_push_limit_n(build(write_script(write_phase(0, STIFF))), 1.0, 60.0) is None


def test_a_foot_that_is_not_on_the_block_does_not_rest_on_it() -> None:
    course = step_up(0.4, 0.15, 0.1)
    assert judge_step(course, 0.4, 0.15).rests
    assert find_center_m(course, "rFoot")[-1, 1] == pytest.approx(0.15 + SOLE_M, abs=0.005)
    # The same run beside another block, and one whose foot hits the block's edge.
    assert not judge_step(course, 0.4, 0.2).rests
    assert not judge_step(course, 0.8, 0.15).rests
    assert not judge_step(step_up(0.4, 0.15, 0.0), 0.4, 0.15).rests


def test_the_branch_is_that_of_the_side_to_which_the_backflip_falls() -> None:
    landed = follow(open_world(build_shipped("backflip")), 9.0).reached_s(5)
    assert landed is not None
    assert land(-400.0, landed, landed + 2.0)[0] == "from the back"
    assert land(400.0, landed, landed + 2.0) == ("from the belly", False)


def test_callers_are_counted_once_each() -> None:
    callers = count_callers()
    assert callers["_gait.ctl"] >= 6 and callers["_stand.ctl"] > callers["_run_gait.ctl"] >= 1
