"""Skills: where they stay, when they may be left, and what they are found by."""

from pathlib import Path

import pytest

from poise.errors import InputError
from poise.language.load import load_program
from poise.language.parse import parse_script
from poise.skills.course import LEFT, open_stage
from poise.skills.graph import load_graph
from poise.skills.moment import find_places
from poise.skills.skill import find_loop, fingerprint, load_skill


def make(*phases: tuple[str, ...]) -> str:
    rows = []
    for k, transitions in enumerate(phases):
        ways = "\n".join(f"TRANSITION {t};" for t in transitions)
        rows.append(f"PHASE {k}\nACTIONS\nPOSE lHip(0);\nENDACTIONS\n{ways}\nENDPHASE")
    return "BEGINSCRIPT a(void)\n" + "\n".join(rows) + "\nENDSCRIPT\n"


@pytest.mark.parametrize(
    ("phases", "loop"),
    [
        ([("to(1).after(time 1)",), ()], {1}),
        ([("to(1).after(time 1)",), ("to(0).after(contact lFoot)",)], {0, 1}),
        ([("to(1).after(time 1)",), ("to(-1).after(fallen x 1.2)",)], {1}),
        ([("to(1).after(time 1)",), ("to(-1).after(complete)",)], set()),
        ([("to(1).after(time 1)",), ("to(2).after(time 1)",), ("to(1).after(time 1)",)], {1, 2}),
        ([()], {0}),
    ],
)
def test_a_skill_stays_in_the_phases_that_only_a_guard_leaves(phases: list[tuple[str, ...]], loop: set[int]) -> None:
    assert find_loop(parse_script(make(*phases))) == loop


def test_a_gait_is_left_when_a_cycle_begins_anew() -> None:
    walk = load_skill("walk")
    stage = open_stage(walk.character, walk.controller, 0.001)
    stage.begin(walk.controller)
    assert stage.perform(walk, 2.0) == LEFT
    assert stage.world.time_s >= 2.0
    assert [p.phase for p in find_places(stage.world)] == [1, 0]


def test_a_skill_goes_by_its_short_name_its_name_or_its_file() -> None:
    walk = load_skill("walk")
    assert load_skill("script/walk").path == load_skill(str(walk.path)).path == walk.path
    with pytest.raises(InputError, match=r"skills: no skill named 'wlak'\..* Did you mean 'walk'\?"):
        load_skill("wlak")


def test_the_fingerprint_is_of_the_code_alone(tmp_path: Path) -> None:
    plain = make(("to(1).after(time 1)",), ())
    texts = {
        "plain": plain,
        "comments": "a title\n" + plain.replace("ACTIONS\n", "ACTIONS  # what it does\n\n", 1),
        "code": plain.replace("time 1", "time 2"),
    }
    prints = []
    for name, text in texts.items():
        (tmp_path / f"{name}.ctl").write_text(text)
        prints.append(fingerprint(load_program(tmp_path / f"{name}.ctl")))
    assert prints[0] == prints[1] != prints[2]


def test_the_shipped_graph_was_learned_from_the_shipped_skills() -> None:
    graph = load_graph()
    assert {n: fingerprint(load_skill(n).program) for n in graph.fingerprints} == dict(graph.fingerprints)
