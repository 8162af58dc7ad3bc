"""Transitions that Poise ships lead from skill to skill, and random tours go on."""

import pytest

from poise.language.check import check_program
from poise.language.names import Body
from poise.language.problems import ERROR
from poise.skills.compare import compare
from poise.skills.graph import LEARNED, load_graph
from poise.skills.script_file import LIBRARY, library_transitions, read_transition
from poise.skills.skill import load_skill, skill_names
from poise.skills.wander import Wanderer


@pytest.mark.parametrize("path", library_transitions(), ids=lambda p: p.stem)
def test_a_shipped_transition_is_a_script_without_faults_that_says_where_it_comes_from(path) -> None:
    file = read_transition(path)
    assert {file.source, file.target} <= set(skill_names())
    assert path.stem == f"{file.source}-to-{file.target}" + ("-repair" if file.repairs else "")
    assert "Found by `poise transition" in path.read_text().replace("\n# ", " ")
    body = Body(load_skill(file.target).character)
    assert not [p for p in check_program(file.program, body) if p.severity == ERROR]


def test_a_walk_that_falls_when_it_is_told_to_stand_stops_after_the_search() -> None:
    script = read_transition(LIBRARY / "walk-to-stand.ctl").program.script
    both = compare(load_skill("walk"), load_skill("stand"), script, starts=4)
    assert both.learned is not None
    assert both.naive.arrived <= 1
    assert both.learned.arrived >= 3


def test_a_walk_loses_no_speed_on_its_way_into_a_run_after_the_search() -> None:
    script = read_transition(LIBRARY / "walk-to-run.ctl").program.script
    both = compare(load_skill("walk"), load_skill("run"), script, starts=2)
    assert both.learned is not None and both.learned.dip_mps is not None and both.naive.dip_mps is not None
    assert both.naive.dip_mps > both.learned.dip_mps + 0.1


def test_the_graph_knows_the_shipped_transitions() -> None:
    learned = {(e.source, e.target) for e in load_graph().edges if e.kind == LEARNED}
    assert ("walk", "stand") in learned


def test_a_tour_of_half_a_minute_does_not_end_early() -> None:
    tour = Wanderer(load_graph(), 5).wander(30.0)
    assert not tour.failed
    assert tour.skills >= 3
    assert tour.seconds >= 30.0
