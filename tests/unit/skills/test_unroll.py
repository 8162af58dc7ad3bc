"""Phases that are written out do what the script did from which they come."""

import numpy as np
import pytest

from poise.language.names import Body
from poise.language.tree import Pose
from poise.skills.course import Stage, open_stage
from poise.skills.moment import Moment, default_limit_nm, disturb, put_moment, take_moment
from poise.skills.skill import Skill, load_skill
from poise.skills.trial import make_controller, make_script, pass_over
from poise.skills.unroll import follow, unroll


def leave(name: str) -> tuple[Stage, Skill, Moment]:
    skill = load_skill(name)
    stage = open_stage(skill.character, skill.controller, 0.001)
    stage.begin(skill.controller)
    stage.perform(skill, 2.0)
    return stage, skill, take_moment(stage.world)


@pytest.mark.parametrize("name", ["walk-in-place", "run"])
def test_a_cycle_that_is_written_out_moves_the_body_as_the_skill_does(name: str) -> None:
    stage, skill, moment = leave(name)
    steps = follow(stage, skill, moment, 4)
    phases = unroll(steps, moment, Body(skill.character))
    script = make_script("copy", phases, skill, 0, moment.limit_nm)
    passage = pass_over(stage, make_controller(script, skill), moment, len(phases), 0.5, 3.0)
    copied = stage.track()
    assert passage.after is not None
    stage.begin(skill.controller, moment)
    stage.advance(float(copied.time_s[-1]))
    own = stage.track()
    n = min(len(own), len(copied))
    # At the end of the cycle the copy calls the skill; there the skill itself restarts its cycle.
    assert np.abs(own.joint_rad[:n] - copied.joint_rad[:n]).max() < 1e-6


def test_servos_that_earlier_phases_left_on_are_set_by_the_first_phase() -> None:
    stage, skill, moment = leave("walk-in-place")
    lift, strike = follow(stage, skill, moment, 2)
    body = Body(skill.character)
    # The lift sets all servos itself; before the strike the trunk, the arms and the head have theirs from it.
    assert len(unroll([lift], moment, body)[0].actions) == len(lift.phase.actions)
    first = unroll([strike], moment, body)[0].actions[0]
    assert isinstance(first, Pose)
    names = {t.joint.text for t in first.targets}
    assert {"waist", "lElbow", "rShoulder", "neck2head"} <= names
    assert not names & {"lKnee", "rKnee", "lAnkle", "lHip", "rHip"}


def test_a_moment_that_is_put_back_is_the_same_but_for_its_way() -> None:
    stage, _, moment = leave("walk-in-place")
    put_moment(stage.world, moment)
    again = take_moment(stage.world)
    assert again.root_q[0] == 0.0
    np.testing.assert_array_equal(again.features(), moment.features())
    np.testing.assert_array_equal(again.servos, moment.servos)
    assert default_limit_nm() == moment.limit_nm


def test_noise_leaves_the_lowest_point_where_it_is() -> None:
    stage, skill, moment = leave("walk-in-place")
    noisy = disturb(stage.world, moment, np.random.default_rng(1))
    assert 0.02 < np.std(noisy.joint_q - moment.joint_q) < 0.08
    put_moment(stage.world, noisy)
    stage.advance(0.002)
    feet = [k for k, s in enumerate(skill.character.segment_names) if s.endswith("foot")]
    heights = [float(stage.world.percepts[0].pos_w[k][2]) for k in feet]
    put_moment(stage.world, moment)
    stage.advance(0.002)
    before = [float(stage.world.percepts[0].pos_w[k][2]) for k in feet]
    assert abs(min(heights) - min(before)) < 0.03


def test_a_stage_switches_within_its_cast_and_keeps_a_place_for_candidates() -> None:
    walk, run, hop = (load_skill(name) for name in ("walk-in-place", "run", "hop"))
    stage = Stage(walk.character, [walk.controller, run.controller], 0.001)
    stage.begin(run.controller)
    assert stage.world.active() == "run"
    stage.advance(0.2)
    kept = stage.world.snapshot()
    stage.switch(walk.controller)
    assert stage.world.active() == "walk-in-place"
    stage.world.restore(kept)
    assert stage.world.active() == "run"
    stage.switch(hop.controller)
    assert stage.world.active() == "candidate" and stage.world.controllers[0] is hop.controller
    # A wanderer's cast and a search's candidates move the body alike.
    ends = []
    for controllers in ([walk.controller, run.controller], [hop.controller]):
        stage = Stage(walk.character, controllers, 0.001)
        stage.begin(run.controller)
        stage.advance(0.5)
        stage.switch(walk.controller)
        stage.advance(0.5)
        ends.append(stage.world.state.positions.copy())
    assert np.array_equal(*ends)
