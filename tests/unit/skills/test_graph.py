"""The graph of skills: ways, basins, files, tours."""

import numpy as np
import pytest

from poise.errors import FileFormatError, InputError
from poise.skills.basin import Basin, cross_validate
from poise.skills.course import Track
from poise.skills.graph import CORRECTIVE, LEARNED, NAIVE, Edge, SkillGraph, load_graph, save_graph, settle_graph
from poise.skills.manner import Manner
from poise.skills.tours import MOST_LESSONS, take_lessons
from poise.skills.wander import Lesson


def make_graph() -> SkillGraph:
    manners = {name: Manner(1.0, 0.0, 0.0, 0.0, False) for name in ("a", "b", "c", "d")}
    edges = (
        Edge("a", "c", NAIVE, 4, 4),
        Edge("a", "b", NAIVE, 4, 4),
        Edge("b", "c", LEARNED, 4, 4),
        Edge("c", "a", CORRECTIVE, 1, 1),
    )
    moments = {"a": np.array([[0.0, 1.0], [0.5, 1.0]]), "b!": np.array([[2.0, 2.0]])}
    outcomes = {("a", "b"): np.array([1.0, 1.0]), ("b!", "b"): np.array([0.0])}
    return SkillGraph(manners, edges, {"a": "1", "b": "2", "c": "3", "d": "4"}, moments, outcomes)


def test_the_surest_way_is_found() -> None:
    graph = make_graph()
    assert [e.target for e in graph.find_path("a", "b")] == ["b"]
    assert [e.target for e in graph.find_path("script/a", "c")] == ["c"]
    assert graph.find_path("a", "a") == []
    # A corrective transition is not available to a standing body.
    with pytest.raises(InputError, match=r"graph: no path from c to a\."):
        graph.find_path("c", "a")
    with pytest.raises(InputError, match="graph: no skill named 'e'"):
        graph.find_path("a", "e")


def test_a_way_round_is_taken_where_the_straight_one_is_unsure() -> None:
    graph = make_graph()
    unsure = tuple(Edge("a", "c", NAIVE, 15, 20) if e.target == "c" and e.kind == NAIVE else e for e in graph.edges)
    sure = tuple(Edge(e.source, e.target, e.kind, 20, 20) if e.kind != NAIVE or e.target == "b" else e for e in unsure)
    way = SkillGraph(graph.manners, sure).find_path("a", "c")
    assert [(e.target, e.kind) for e in way] == [("b", NAIVE), ("c", LEARNED)]


def test_a_graph_is_read_as_it_was_written(tmp_path) -> None:
    graph = make_graph()
    save_graph(graph, tmp_path)
    again = load_graph(tmp_path)
    assert (again.manners, again.edges, again.fingerprints) == (graph.manners, graph.edges, graph.fingerprints)
    np.testing.assert_allclose(again.moments["a"], graph.moments["a"])
    np.testing.assert_allclose(again.outcomes["b!", "b"], [0.0])
    assert list(again.make_basins()) == ["b"]
    fewer = load_graph(tmp_path, names=("a", "b"))
    assert fewer.skills == ["a", "b"]
    assert fewer.edges == (graph.edges[1],)


def test_a_missing_or_broken_graph_is_told(tmp_path) -> None:
    with pytest.raises(InputError, match=r"graph: not measured yet: .* is missing\. Try 'poise graph learn'\."):
        load_graph(tmp_path)
    (tmp_path / "graph.toml").write_text("[skills.a]\nheight_m = 1.0\n")
    with pytest.raises(FileFormatError, match=r"graph\.toml:1:2: skills\.a: lean_rad is missing"):
        load_graph(tmp_path)


def test_files_of_two_graphs_are_not_mixed(tmp_path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    save_graph(make_graph(), one)
    save_graph(take_lessons(make_graph(), [Lesson("a", "b", np.zeros(2), True)]), other)
    (one / "graph.npz").write_bytes((other / "graph.npz").read_bytes())
    with pytest.raises(FileFormatError) as error:
        load_graph(one)
    assert str(error.value) == (
        f"{one / 'graph.npz'}: does not belong to the graph.toml beside it, whose samples_sha256 differs. Restore "
        "both files from the same place, or run 'poise graph learn --afresh'."
    )
    # Where a writer died between the two, the new samples wait under another name.
    (one / "graph.toml").write_bytes((other / "graph.toml").read_bytes())
    (other / "graph.npz").replace(one / "graph.npz.next")
    save_graph(make_graph(), other)
    (other / "graph.npz").replace(one / "graph.npz")
    assert "a@b" in load_graph(one).moments
    settle_graph(one)
    assert sorted(p.name for p in one.iterdir()) == ["graph.npz", "graph.toml"]
    assert "a@b" in load_graph(one).moments


def test_a_graph_of_an_earlier_version_says_nothing_of_its_samples(tmp_path) -> None:
    save_graph(make_graph(), tmp_path)
    lines = (tmp_path / "graph.toml").read_text().splitlines(keepends=True)
    (tmp_path / "graph.toml").write_text("".join(line for line in lines if not line.startswith("samples_sha256")))
    assert set(load_graph(tmp_path).moments) == {"a", "b!"}


def make_basin(count: int = 80) -> Basin:
    features = np.random.default_rng(2).normal(size=(count, 6))
    return Basin("a", features, np.linalg.norm(features[:, :2], axis=1) < 1.2, np.ones(6))


def test_a_basin_is_learned_from_trials() -> None:
    basin = make_basin()
    assert cross_validate(basin) > 0.75
    assert basin.accepts(np.zeros(6))
    assert not basin.accepts(np.array([3.0, 3.0, 0.0, 0.0, 0.0, 0.0]))


def test_a_basin_of_one_kind_of_trial_takes_all_or_nothing() -> None:
    always = Basin("a", np.zeros((3, 2)), np.ones(3, dtype=bool), np.ones(2))
    never = Basin("a", np.zeros((3, 2)), np.zeros(3, dtype=bool), np.ones(2))
    assert always.accepts(np.full(2, 9.0)) and not never.accepts(np.zeros(2))


def test_of_what_tours_teach_about_a_way_the_newest_is_kept() -> None:
    lessons = [Lesson("a", "b", np.array([float(k), 0.0]), k % 10 != 9) for k in range(3 * MOST_LESSONS)]
    graph = take_lessons(take_lessons(make_graph(), lessons[:30]), lessons[30:])
    assert graph.moments["a@b"][:, 0].tolist() == [lesson.features[0] for lesson in lessons[-MOST_LESSONS:]]
    assert graph.outcomes["a@b", "b"].tolist() == [float(lesson.arrived) for lesson in lessons[-MOST_LESSONS:]]
    # With the two trials of the way, and that of the fall.
    assert len(graph.make_basins()["b"].arrived) == MOST_LESSONS + 3
    assert Edge("a", "b", NAIVE, 20, 22) in graph.edges
    assert Edge("b", "c", LEARNED, 4, 4) in graph.edges


def test_a_way_that_fails_on_tours_is_no_edge_any_more() -> None:
    failed = [Lesson("a", "b", np.zeros(2), False)]
    graph = take_lessons(make_graph(), failed)
    assert not any((e.source, e.target) == ("a", "b") for e in graph.edges)
    saved = [Lesson("b!", "b", np.full(2, 2.0), True)]
    assert Edge("b", "b", CORRECTIVE, 1, 2) in take_lessons(graph, saved).edges


def make_track(turn_rad: float, frames: int = 200) -> Track:
    time = np.arange(frames) / 100.0
    com = np.stack([np.zeros(frames), np.full(frames, 1.0)], axis=1)
    zeros = np.zeros((frames, 16))
    trunk = np.concatenate([np.linspace(0.0, turn_rad, frames - 160), np.full(160, turn_rad)])
    return Track(time, com, np.zeros(frames), trunk, zeros, zeros, zeros, np.zeros(frames))


def test_who_should_turn_over_must_have_done_so() -> None:
    still, over = make_track(0.0), make_track(-2.0 * np.pi)
    standing, flip = Manner(1.0, 0.0, 0.0, 0.0, False), Manner(1.0, 0.0, 0.0, 0.0, False, turns=-1)
    assert standing.matches(still) and flip.matches(over) and not flip.matches(still)
    # Height, lean and speed are looked at with their tolerances, of which a part may be asked for.
    assert not Manner(0.7, 0.0, 0.0, 0.0, False).matches(still)
    assert not Manner(1.0, 0.5, 0.0, 0.0, False).matches(still)
    leaning = Manner(1.0, 0.2, 0.0, 0.0, False)
    assert leaning.matches(still) and not leaning.matches(still, 0.4)
    assert not Manner(1.0, 0.0, 1.4, 0.0, False).matches(still)


def test_ways_that_cost_the_same_need_no_order_among_edges() -> None:
    edges = tuple(
        Edge(source, target, NAIVE, 3, 3)
        for source, target in (("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"), ("b", "c"), ("c", "b"))
    )
    manner = Manner(1.0, 0.0, 0.0, 1.0, True)
    graph = SkillGraph(dict.fromkeys("abcde", manner), (*edges, *edges))
    assert [edge.target for edge in graph.find_path("a", "e")] == ["b", "d", "e"]


def test_skills_from_which_one_comes_to_an_end_are_not_endless() -> None:
    pairs = (("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("e", "a"))
    graph = SkillGraph(
        dict.fromkeys("abcde", Manner(1.0, 0.0, 0.0, 1.0, True)), tuple(Edge(s, t, NAIVE, 3, 3) for s, t in pairs)
    )
    assert graph.find_endless() == {"a", "b", "e"}
    assert SkillGraph(graph.manners, graph.edges[2:]).find_endless() == set()
