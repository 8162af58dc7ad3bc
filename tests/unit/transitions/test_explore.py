"""Learning the graph: what was tried is not tried again, and what fails is known."""

import pytest

from poise.transitions import explore as module
from poise.transitions.explore import FALLEN_MARK, OWN_MARK, explore
from poise.transitions.graph import NAIVE, SkillGraph

SKILLS = ("walk-in-place", "high-step")


@pytest.fixture(scope="module")
def graph() -> SkillGraph:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LEAVES", 1)
        patch.setattr(module, "WILD", ((0.3, 2.0),))
        patch.setattr(module, "WILD_TRIES", 1)
        patch.setattr(module, "library_transitions", lambda: [])
        kept: list[SkillGraph] = []
        found = explore(names=SKILLS, timestep_s=0.002, keep=kept.append)
        assert set(kept[-1].outcomes) == set(found.outcomes)

        def refuse(*_: object) -> bool:
            raise AssertionError("tried again")

        patch.setattr(module, "_try_pair", refuse)
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
