"""Scripts that Poise writes: they read back to what was written, and what they cannot say is refused."""

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.characters.bones_table import BonesTable, read_bones_table
from poise.characters.catalog import LIBRARY as CHARACTERS
from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.controllers.limit_cycle.graph import PoseGraph, State
from poise.controllers.limit_cycle.layout import STRATEGIES, VARIABLES
from poise.controllers.limit_cycle.scripts.read import load_script, parse_script
from poise.controllers.limit_cycle.scripts.script import SCRIPT_GROUND, Script, Trial
from poise.controllers.limit_cycle.scripts.write import format_script, save_script
from poise.controllers.limit_cycle.spec import Change, GraphSpec, read_spec
from poise.errors import InputError
from poise.tables import load_table
from poise.world.controller import Start
from poise.world.ground import PenaltyGround

SHIPPED = CHARACTERS.parent / "scripts" / "human-walk.script"
WALK = CHARACTERS.parent / "controllers" / "limit-cycle" / "human-walk.toml"


@cache
def load(name: str) -> tuple[BonesTable, Character]:
    return read_bones_table(load_table(CHARACTERS / f"{name}.toml")), load_character(name)


def load_walk() -> GraphSpec:
    table = dict(load_table(WALK))
    for key in ("method", "character", "description", "provenance"):
        table.pop(key)
    return read_spec(table, "human-walk")


def write_and_read(*trials: Trial, body: str = "laszlo_human") -> Script:
    book, character = load(body)
    return parse_script(format_script(Script(book, character, trials)), "written.script")


angles = st.one_of(st.integers(-90, 90).map(float), st.floats(-170.0, 170.0)).map(lambda v: math.radians(v) + 0.0)
poses = st.dictionaries(st.sampled_from(load("laszlo_human")[1].axis_names), angles.filter(bool), max_size=6)
holds = st.floats(0.01, 2.0)
shifts = st.floats(-1.0, 1.0)


@st.composite
def graphs(draw: st.DrawFn) -> PoseGraph:
    """A cycle of a right and a left step, each of which begins with a state that waits for its foot."""
    states = []
    for side in ("right", "left"):
        later = draw(st.integers(0, 2))
        states.append(State("", draw(poses), sensor=side, timeout_s=draw(holds), stance=side))
        states += [State("", draw(poses), draw(holds), stance=side) for _ in range(later)]
        states[-1] = replace(states[-1], ends_step=True)
    count = len(states)
    return PoseGraph(tuple(replace(s, name=f"S{k + 1}", next=(k + 1) % count) for k, s in enumerate(states)))


@st.composite
def trials(draw: st.DrawFn) -> Trial:
    base = draw(graphs())
    changes = []
    for name in ("forward", "side"):
        states = tuple(replace(State(s.name, draw(poses), draw(shifts)), next=s.next) for s in base.states)
        changes.append(Change(name, PoseGraph(states)))
    servo = draw(st.booleans())
    variables = ["pelvis" if servo else "up", "swing", "stance"]
    values = {
        "strategy": float(draw(st.integers(0, len(STRATEGIES) - 1))),
        "target": draw(st.floats(-1, 1)),
        "target_side": draw(st.floats(-1, 1)),
        "forward_by": float(VARIABLES.index(draw(st.sampled_from(variables)))),
        "side_by": float(VARIABLES.index(draw(st.sampled_from(variables)))),
        "sample_deg": draw(st.floats(0.01, 90)),
        "sample_side_deg": draw(st.floats(0.01, 90)),
        "most_deg": draw(st.floats(0, 360)),
        "most_side_deg": draw(st.floats(0, 360)),
        "tolerance": draw(st.floats(0, 10)),
        "tolerance_side": draw(st.floats(0, 10)),
    }
    if servo:
        values |= {"servo": 1.0, "servo_rad": draw(st.floats(-1, 1))}
    ground = PenaltyGround(draw(st.floats(0, 1e6)), draw(st.floats(0, 1e4)), draw(st.floats(0, 2)), slip="text")
    spec = GraphSpec(base, tuple(changes), values, Start(draw(poses)))
    name = draw(st.sampled_from(["", "a.out", "walk_Q=[.1,0].out"]))
    return Trial(draw(st.integers(1, 100)), spec, ground, draw(st.floats(1e-5, 0.005)), name)


def assert_same(one: Trial, other: Trial, character: Character) -> None:
    names = ("strides", "ground", "timestep_s", "name")
    assert [getattr(one, n) for n in names] == [getattr(other, n) for n in names]
    # Angles go through degrees, which costs the last digit of some.
    a, b = (t.spec.build(character) for t in (one, other))
    np.testing.assert_allclose(a.params, b.params, rtol=0, atol=1e-14)
    for axis in character.axis_names:
        rest = character.rest_pose_rad.get(axis, 0.0)
        angles = [t.spec.start.joint_q_rad.get(axis, rest) for t in (one, other)]
        assert angles[0] == pytest.approx(angles[1], abs=1e-14)


@settings(max_examples=30)
@given(st.lists(trials(), min_size=1, max_size=3))
def test_what_is_written_reads_back_the_same(wanted: list[Trial]) -> None:
    script = write_and_read(*wanted)
    for one, other in zip(wanted, script.trials, strict=True):
        assert_same(one, other, script.character)


@settings(max_examples=15)
@given(st.lists(st.integers(-9000, 9000), min_size=19, max_size=19))
def test_angles_in_hundredths_of_a_degree_are_kept_to_the_last_bit(hundredths: list[int]) -> None:
    axes = load("laszlo_human")[1].axis_names
    start = {axis: math.radians(v / 100) for axis, v in zip(axes, hundredths, strict=True)}
    trial = Trial(1, replace(load_walk(), start=Start(start)))
    assert write_and_read(trial).trials[0].spec.start.joint_q_rad == start


def test_the_shipped_script_survives_being_written(tmp_path: Path) -> None:
    script = load_script(SHIPPED)
    save_script(script, tmp_path / "again.script")
    again = load_script(tmp_path / "again.script")
    assert again.trials == script.trials
    text = (tmp_path / "again.script").read_text()
    # What stays is said once, and what is taken for granted not at all.
    assert (text.count("posecycle poses 0"), text.count("set sddt"), text.count("set friction")) == (1, 1, 0)
    assert " -50 " in text


def test_a_pose_graph_controller_becomes_a_script() -> None:
    spec = load_walk()
    trial = Trial(5, replace(spec, changes=spec.changes[:2]))
    script = write_and_read(trial)
    assert_same(trial, script.trials[0], script.character)


def test_variations_that_are_on_are_added_to_the_poses() -> None:
    spec = load_walk()
    spec = replace(spec, values={**spec.values, "bent_knee": 0.5})
    text = format_script(Script(*load("laszlo_human"), (Trial(5, spec),)))
    assert "posecycle poses 0    # with 0.5 bent_knee\n" in text
    bent = next(c.graph for c in spec.changes if c.name == "bent_knee")
    base = parse_script(text, "bent.script").trials[0].spec.base
    wanted = (spec.base + 0.5 * bent).pack(load("laszlo_human")[1].axis_names)
    np.testing.assert_allclose(base.pack(load("laszlo_human")[1].axis_names), wanted, rtol=0, atol=1e-14)


def refusal(trial: Trial) -> str:
    with pytest.raises(InputError) as caught:
        format_script(Script(*load("laszlo_human"), (trial,)))
    return str(caught.value)


def test_what_a_script_cannot_say_is_refused() -> None:
    trial = load_script(SHIPPED).trials[0]
    spec = trial.spec

    def states(k: int, **more) -> Trial:
        changed = [replace(s, **more) if j == k else s for j, s in enumerate(spec.base.states)]
        return replace(trial, spec=replace(spec, base=PoseGraph(tuple(changed))))

    def values(**more: float) -> Trial:
        return replace(trial, spec=replace(spec, values={**spec.values, **more}))

    where = "script: trial 1"
    assert refusal(values(speed_gain=1.5)) == f"{where}: speed_gain: a script cannot express this setting, got 1.5."
    assert refusal(values(forward_by=1.0)) == (
        f"{where}: forward_by: a script regulates the pelvis if the torso servo is on, and the torso otherwise, "
        "got 'pelvis'."
    )
    assert refusal(states(1, next=0)) == (
        f"{where}: state S2: the states of a script must follow each other in a cycle, got 0."
    )
    assert refusal(states(0, hold_s=0.1)) == (
        f"{where}: state S1: a state of a script holds or waits for a foot, not both, got 0.1."
    )
    assert refusal(states(1, ends_step=True)) == (
        f"{where}: state S2: in a script, a step begins with the state that waits for its foot, or where its "
        "perturbations begin."
    )
    assert (
        refusal(states(1, stance="")) == f"{where}: forward: changes a state that belongs to no leg's step, got 'S2'."
    )
    leaning = replace(trial, spec=replace(spec, start=Start(root_pitch_rad=0.1)))
    assert refusal(leaning) == f"{where}: start: a script must start upright and at rest."
    guided = replace(trial, spec=replace(spec, path_m=((1.0, 2.0),)))
    assert refusal(guided) == f"{where}: path_m: a script cannot express a path."
    assert refusal(replace(trial, ground=replace(SCRIPT_GROUND, slip="cone"))) == (
        f"{where}: ground: the ground of a script must be level, with the slip of the text."
    )
    assert refusal(replace(trial, name="a b")) == f"{where}: name: not a file name, got 'a b'."
    with pytest.raises(InputError) as caught:
        format_script(Script(*load("laszlo_human"), ()))
    assert str(caught.value) == "script: no trials to write."
