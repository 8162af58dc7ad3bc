"""What is counted of tours through the graph, where a guided one goes, and how far noise may go."""

import numpy as np
import pytest

from poise.reproduce.firmin.basins import find_extent_rad, open_at_entry, try_noise
from poise.reproduce.firmin.graph import ask_skills, find_lengths, find_rescued, find_saved
from poise.reproduce.firmin.graph_path import Guided, find_reachable
from poise.reproduce.firmin.skills import SKILLS
from poise.skills.graph import CORRECTIVE, LEARNED, NAIVE, Edge, SkillGraph, load_graph
from poise.skills.manner import Manner
from poise.skills.moment import Z, find_places, take_moment
from poise.skills.wander import Tour, Visit

MANNER = Manner(1.0, 0.0, 0.0, 1.0, True)


def make_tour(*outcomes: tuple[str, bool], failed: bool = False) -> Tour:
    visits = [Visit("walk", by, float(k), 1.0, arrived) for k, (by, arrived) in enumerate(outcomes)]
    return Tour(0, float(len(visits)), visits, failed)


def test_skills_in_a_row_are_counted_between_failures() -> None:
    tour = make_tour(
        ("start", True), (NAIVE, True), (NAIVE, False), (CORRECTIVE, False), (CORRECTIVE, True), (NAIVE, True)
    )
    assert find_lengths(tour) == [2, 2]
    assert find_rescued(tour) == (1, 1)
    ended = make_tour(("start", True), (NAIVE, False), (CORRECTIVE, False), failed=True)
    assert (find_lengths(ended), find_rescued(ended)) == ([1], (1, 0))
    # The time was up before anything was tried.
    assert find_rescued(make_tour(("start", True), (NAIVE, False))) == (0, 0)
    assert find_lengths(make_tour(("start", False), failed=True)) == []


def test_a_fall_is_saved_if_any_skill_arrives_from_it() -> None:
    rows = {("walk!", "stand"): [1, 0, 0], ("walk!", "rise"): [0, 1, 0], ("run!", "rise"): [0], ("walk", "stand"): [0]}
    outcomes = {pair: np.array(found, dtype=float) for pair, found in rows.items()}
    assert find_saved(SkillGraph({}, (), outcomes=outcomes)) == (4, 2)
    assert (ask_skills(10.0), ask_skills(1.0)) == (100.0, 5.0)


def test_only_skills_that_one_comes_back_from_can_be_shown() -> None:
    pairs = (("a", "b"), ("b", "a"), ("b", "c"), ("c", "a"), ("b", "end"), ("before", "a"))
    graph = SkillGraph(
        dict.fromkeys(("a", "b", "c", "end", "before"), MANNER), tuple(Edge(s, t, NAIVE, 3, 3) for s, t in pairs)
    )
    assert find_reachable(graph, "a") == {"a", "b", "c"}


def test_a_guided_tour_goes_to_what_is_missing_and_then_through_learned_ways() -> None:
    graph = load_graph()
    pairs = (("stand", "walk"), ("walk", "stand"), ("walk", "run"), ("run", "walk"))
    edges = [Edge(s, t, NAIVE, 3, 3) for s, t in pairs] + [Edge("run", "walk", LEARNED, 3, 3)]
    guided = Guided(SkillGraph({n: graph.manners[n] for n in ("stand", "walk", "run")}, tuple(edges)), 1)
    assert [e.target for e in guided._find_transition()] == ["walk"] and not guided.has_shown_all()
    guided.tour.visits += [Visit(skill, NAIVE, 0.0, 1.0, True) for skill in ("stand", "walk", "run", "walk")]
    guided._here = "walk"
    # All were shown, and the learned way from run to walk was not gone: it goes back for it.
    assert [(e.target, e.kind) for e in guided._find_transition()] == [("run", NAIVE), ("walk", LEARNED)]
    guided.tour.visits += [Visit("run", NAIVE, 0.0, 1.0, True), Visit("walk", LEARNED, 0.0, 1.0, True)]
    assert guided.has_shown_all()


@pytest.mark.parametrize(
    ("shares", "extent"),
    [((1.0, 1.0, 1.0), 0.4), ((1.0, 0.0, 0.0), 0.15), ((0.0, 0.0, 1.0), 0.05), ((1.0, 0.75, 0.25), 0.3)],
)
def test_the_extent_is_where_half_succeed(shares: tuple[float, ...], extent: float) -> None:
    assert find_extent_rad((0.1, 0.2, 0.4), shares) == pytest.approx(extent)


def test_noise_comes_where_the_skill_itself_begins() -> None:
    world = open_at_entry("backflip")
    # It has squatted by then, and is about to jump.
    assert 2.0 < world.time_s < 6.0 and take_moment(world).root_q[Z] < 0.8
    assert try_noise("backflip", (0.0, 0.3), 1, 0) == [1.0, 0.0]
    # It has folded up and lies still, and is about to throw its legs; a squat never leaves the ground.
    assert find_places(open_at_entry("kip"))[0].phase == 4
    assert open_at_entry("squat").time_s == pytest.approx(0.6 * SKILLS["squat"].seconds)
