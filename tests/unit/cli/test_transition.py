"""`poise transition` and `poise graph`: what they refuse, print and write."""

import json
from pathlib import Path

from poise.skills.graph import load_graph


def test_skills_that_nobody_knows_are_named(poise) -> None:
    result = poise("transition", "walk", "stnd")
    assert result.exit_code == 2
    assert "no skill named 'stnd'" in result.stderr
    assert "Did you mean 'stand'?" in result.stderr


def test_options_are_checked_before_anything_runs(poise) -> None:
    for arguments, told in (
        (("--weight", "speed=1"), "--weight: no term named 'speed'."),
        (("--goal", "3"), "--goal: two times are needed, got '3'. Write FROM:TO in seconds, such as 0:3."),
        (("--goal", "3:1"), "--goal: two times are needed"),
        (("--phases", "0"), "--phases: the number is out of range, got 0. Allowed: 1 to 64."),
        (("--algorithm", "cma"), "algorithm: no algorithm named 'cma'."),
        (("--output", "a.txt"), "--output: the name must end in .ctl, got 'a.txt'."),
        (("--export", "a.gif"), "a.gif: cannot export to a file with this suffix."),
        (("--at-phase", "7"), "--at-phase: the target has no such phase, got 7. Allowed: 0 to 0."),
        (("--leave", "9"), "--leave: the source has no such phase, got 9. Allowed: 0 to 1."),
        (("--pose", "sitting"), "--pose: no pose named 'sitting'."),
        (("--noise", "-1"), "--noise: the number is out of range, got -1.0. Allowed: 0 to 20."),
    ):
        result = poise("transition", "walk", "stand", *arguments)
        assert result.exit_code == 2
        assert told in result.stderr


def test_a_transition_is_searched_compared_and_written(poise) -> None:
    result = poise(
        "transition", "walk-in-place", "stand", "--phases", "2", "--generations", "2", "--starts", "1", "--workers",
        "2", "--tries", "2", "--json", "a.json",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    figures = json.loads(Path("a.json").read_text())
    assert (figures["source"], figures["target"], figures["found"]["generations"]) == ("walk-in-place", "stand", 2)
    assert figures["comparison"]["naive"]["starts"] == figures["comparison"]["learned"]["starts"] == 2
    text = Path(figures["script"]).read_text()
    assert text.startswith("# From walk-in-place to stand: ")
    assert "`poise transition walk-in-place stand --phases 2 --generations 2 --starts 1`" in " ".join(
        line.removeprefix("# ") for line in text.splitlines()
    )
    checked = poise("script", "check", figures["script"])
    assert checked.exit_code == 0, checked.stderr


def test_the_graph_is_listed_drawn_and_searched(poise) -> None:
    graph = load_graph()
    result = poise("graph", "--png", "a.png", "--json", "a.json")
    assert result.exit_code == 0, result.stderr
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    assert set(json.loads(Path("a.json").read_text())["skills"]) == set(graph.skills)
    assert f"{len(graph.skills)} skills" in result.stdout
    way = poise("graph", "path", "stand", "run")
    assert way.exit_code == 0
    assert way.stdout.splitlines()[0] == "stand"
    assert way.stdout.splitlines()[-1].split()[0] == "run"
    assert "no skill named 'rnu'" in poise("graph", "path", "stand", "rnu").stderr


def test_a_tour_is_told_and_repeats_itself(poise) -> None:
    for name in ("a.json", "b.json"):
        result = poise("graph", "wander", "--minutes", "0.2", "--seed", "3", "--json", name)
        assert result.exit_code == 0, result.stderr
    tour = json.loads(Path("a.json").read_text())
    assert tour == json.loads(Path("b.json").read_text())
    assert tour["skills"] >= 2 and not tour["failed"]
    assert tour["visits"][0]["skill"] in load_graph().skills
    starts = [v["start_s"] for v in tour["visits"]]
    assert starts == sorted(starts)
