"""What helps after a fall: near falls count, what has just failed counts less."""

import numpy as np
import pytest

from poise.skills.graph import SkillGraph
from poise.skills.manner import Manner
from poise.skills.rescue import FAILED_PART, Rescue

BELLY, BACK = np.array([1.5, 0.0]), np.array([-1.5, 0.0])


def make_rescue() -> Rescue:
    manners = {name: Manner(1.0, 0.0, 0.0, 0.0, False) for name in ("walk", "push-up", "kip", "new")}
    moments = {"walk!": np.array([BELLY]), "kip!": np.array([BACK]), "walk!@kip": np.array([BACK]), "walk": np.eye(2)}
    outcomes = {
        ("walk!", "push-up"): np.array([1.0]),
        ("kip!", "push-up"): np.array([0.0]),
        ("walk!", "kip"): np.array([0.0]),
        ("kip!", "kip"): np.array([1.0]),
        ("walk!@kip", "kip"): np.array([1.0]),
        ("walk!", "walk"): np.array([0.0]),
        # Entered on its feet, a walk arrives; that says nothing of falls.
        ("walk", "walk"): np.array([1.0, 1.0]),
    }
    return Rescue(SkillGraph(manners, (), moments=moments, outcomes=outcomes))


def test_the_skill_that_came_back_from_a_fall_like_this_one_helps() -> None:
    rescue = make_rescue()
    everybody = ("walk", "push-up", "kip", "new")
    assert rescue.choose(BELLY, (), everybody) == "push-up"
    assert rescue.choose(BACK, (), everybody) == "kip"
    assert rescue.judge("walk", BELLY) == 0.0 == rescue.judge("new", BELLY)
    # Two falls like this and none far away, and the share of all three for one more.
    assert rescue.judge("kip", BACK) == pytest.approx((2.0 + 2.0 / 3.0) / 3.0, abs=0.01)


def test_what_has_just_failed_gives_way_and_comes_again() -> None:
    rescue = make_rescue()
    everybody = ("walk", "push-up", "kip", "new")
    assert rescue.judge("kip", BACK) * FAILED_PART**3 < rescue.judge("push-up", BACK)
    assert rescue.choose(BACK, ("kip", "kip", "kip"), everybody) == "push-up"
    assert rescue.choose(BACK, ("kip", "kip", "kip", "push-up", "push-up"), everybody) == "kip"


def test_those_from_which_no_way_leads_on_come_last() -> None:
    assert make_rescue().choose(BACK, (), ("push-up",)) == "push-up"
