"""Where skills are left: in the middle, from other poses, with noise, and where something fails."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.skills.course import open_stage
from poise.skills.learn import Plan, prepare
from poise.skills.manner import learn_manner
from poise.skills.moment import find_places, take_moment
from poise.skills.skill import load_skill
from poise.skills.starts import Leaving, go_to_leave, record_failing, record_moments
from poise.skills.way import go, make_way

STEP_S = 0.001


def test_a_skill_is_left_when_it_comes_to_a_phase() -> None:
    spring = load_skill("handspring")
    stage = open_stage(spring.character, spring.controller, STEP_S)
    go_to_leave(stage, spring, Leaving(3))
    assert find_places(stage.world)[0].phase == 3
    with pytest.raises(InputError, match=r"skill handspring: its own run does not reach phase 9\."):
        go_to_leave(stage, spring, Leaving(9))


def test_a_gait_is_left_after_a_time_when_its_phase_begins_anew() -> None:
    walk = load_skill("walk")
    stage = open_stage(walk.character, walk.controller, STEP_S)
    go_to_leave(stage, walk, Leaving(1, 3.0))
    assert 3.0 <= stage.world.time_s < 5.0
    assert [place.phase for place in find_places(stage.world)] == [1, 0]


def test_noise_is_as_large_as_it_is_asked_for() -> None:
    walk = load_skill("walk")
    stage = open_stage(walk.character, walk.controller, STEP_S)

    def spread(noise: float) -> float:
        first, *others = record_moments(stage, walk, 20, 3, settle_s=1.0, leaving=Leaving(noise=noise))
        return float(np.std([m.joint_v - first.joint_v for m in others]))

    assert spread(3.0) == pytest.approx(3.0 * spread(1.0))
    assert spread(0.0) == 0.0


def test_moments_are_drawn_until_enough_of_them_fail() -> None:
    walk = load_skill("walk")
    stage = open_stage(walk.character, walk.controller, STEP_S)
    asked = iter([False, True, False, True])
    found, drawn = record_failing(stage, walk, 2, 3, Leaving(1), lambda _moment: next(asked))
    assert (len(found), drawn) == (2, 4)
    message = (
        r"transition: an immediate switch fails from 0 of 30 starts of walk, but 1 are needed\. Increase the noise\."
    )
    with pytest.raises(InputError, match=message):
        record_failing(stage, walk, 1, 3, Leaving(1), lambda _moment: False)


def test_untouched_phases_of_a_skill_that_is_left_in_its_midst_are_the_naive_transition() -> None:
    spring, stand = load_skill("handspring"), load_skill("stand")
    task = prepare(spring, stand, Plan(phases=2, starts=1, leaving=Leaving(7), timestep_s=STEP_S))
    assert task.naive is not None
    assert task.naive.phases[:-1] == task.phases
    assert task.steps[0].file == "_squat.ctl"


def test_who_had_to_get_up_has_not_turned_over() -> None:
    spring = load_skill("handspring")
    assert spring.mishaps == {9}
    stage = open_stage(spring.character, spring.controller, 0.0005)
    manner = learn_manner(stage, spring)
    assert manner is not None and manner.turns == 1
    stage.begin(spring.controller)
    moment = take_moment(stage.world)
    assert go(stage, make_way(None, spring), moment, manner)[1]
    moment.root_v[0] += 2.5
    assert not go(stage, make_way(None, spring), moment, manner)[1]


def test_turns_of_a_skill_that_is_entered_in_its_midst_are_counted_from_there() -> None:
    spring = load_skill("handspring")
    stage = open_stage(spring.character, spring.controller, STEP_S)
    whole, rest = learn_manner(stage, spring), learn_manner(stage, spring, 5)
    assert whole is not None and rest is not None
    assert 0.2 < rest.turns < 0.8
    assert rest.seconds < whole.seconds
    assert (rest.height_m, rest.lean_rad) == (whole.height_m, whole.lean_rad)
