"""Learning the graph: what was tried is not tried again, and what fails is known."""

import pytest

from poise.skills import explore as module
from poise.skills.explore import FALLEN_MARK, OWN_MARK, explore
from poise.skills.graph import NAIVE, SkillGraph
from poise.skills.tours import take_lessons
from poise.skills.wander import Lesson

SKILLS = ("walk-in-place", "high-step")


@pytest.fixture(scope="module")
def graph() -> SkillGraph:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LEAVES", 1)
        patch.setattr(module, "WILD", ((0.3, 2.0),))
        patch.setattr(module, "WILD_TRIES", 1)
        patch.setattr(module, "library_transitions", lambda: [])
        found = explore(names=SKILLS, timestep_s=0.002)

        def refuse(*_: object) -> bool:
            raise AssertionError("tried again")

        patch.setattr(module, "_try_pair", refuse)
        failed = [Lesson("walk-in-place", "high-step", found.moments["walk-in-place"][0], False)]
        taught = explore(take_lessons(found, failed), names=SKILLS, timestep_s=0.002)
        assert taught.outcomes["walk-in-place@high-step", "high-step"].tolist() == [0.0]
        assert not any((e.source, e.target, e.kind) == (*SKILLS, NAIVE) for e in taught.edges)
        again = explore(found, names=SKILLS, timestep_s=0.002)
        assert again.edges == found.edges
        assert {pair: o.tolist() for pair, o in again.outcomes.items()} == {
            pair: o.tolist() for pair, o in found.outcomes.items()
        }
        return found


def test_skills_that_lead_into_each_other_have_edges(graph: SkillGraph) -> None:
    assert set(graph.manners) == set(SKILLS)
    assert ("walk-in-place", "high-step", NAIVE) in {(e.source, e.target, e.kind) for e in graph.edges}
    assert 0.7 < graph.manners["high-step"].speed_mps < 1.3


def test_every_skill_is_tried_from_where_others_are_left_and_lie_and_from_its_own_starts(graph: SkillGraph) -> None:
    sources = {s for s, t in graph.outcomes if t == "high-step"}
    assert sources == {*SKILLS, *(n + FALLEN_MARK for n in SKILLS), "high-step" + OWN_MARK}
    # Height of the root: who was let fall lies.
    assert graph.moments["high-step" + FALLEN_MARK][0, 0] < 0.5 < graph.moments["high-step"][0, 0]


def test_skills_that_need_things_around_them_are_left_out() -> None:
    said: list[str] = []
    assert list(module._load_skills(["stand", "stair-climb"], said.append)) == ["stand"]
    assert said == ["stair-climb: left out, since it needs objects that the graph's level ground does not have."]
