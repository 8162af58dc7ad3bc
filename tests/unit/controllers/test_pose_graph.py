"""Pose graphs as data: their algebra, mirror images, files and errors."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller, read_controller_file
from poise.controllers.limit_cycle.graph import PoseGraph, State, interpolate, read_graph, write_states
from poise.controllers.limit_cycle.layout import POSE, STATE
from poise.controllers.limit_cycle.spec import read_spec
from poise.errors import InputError
from poise.tables import as_table

WALK = "limit-cycle/human-walk"
AXES = ("left_hip_pitch", "right_hip_pitch", "left_knee_pitch", "right_knee_pitch")
angles = st.floats(-3.0, 3.0, allow_nan=False)


@st.composite
def graphs(draw: st.DrawFn, count: int = 3) -> PoseGraph:
    states = []
    for k in range(count):
        pose = {axis: draw(angles) for axis in draw(st.sets(st.sampled_from(AXES)))}
        states.append(State(f"S{k + 1}", pose, draw(st.floats(0.0, 1.0)), next=(k + 1) % count))
    return PoseGraph(tuple(states))


def walk_graph() -> PoseGraph:
    return read_spec(read_controller_file(WALK).table, WALK).base


@given(graphs(), graphs(), st.floats(-2.0, 2.0))
def test_what_is_added_can_be_taken_away(base: PoseGraph, change: PoseGraph, factor: float) -> None:
    again = base + factor * change - factor * change
    for one, other in zip(base.states, again.states, strict=True):
        assert other.hold_s == pytest.approx(one.hold_s, abs=1e-12)
        for axis, angle in other.pose_rad.items():
            assert angle == pytest.approx(one.pose_rad.get(axis, 0.0), abs=1e-12)


@given(graphs(), graphs())
def test_halfway_between_two_graphs_lies_their_mean(one: PoseGraph, other: PoseGraph) -> None:
    middle = interpolate(one, other, 0.5).pack(AXES)
    assert middle[:, POSE:] == pytest.approx(0.5 * (one.pack(AXES) + other.pack(AXES))[:, POSE:])


def test_a_sensor_stays_when_a_graph_is_scaled() -> None:
    graph = PoseGraph((State("S1", {}, sensor="left"),))
    assert (3.0 * graph).states[0].sensor == "left"


def test_graphs_of_different_lengths_are_not_added() -> None:
    one, two = PoseGraph((State("A", {}),)), PoseGraph((State("A", {}, next=1), State("B", {}, next=0)))
    with pytest.raises(InputError, match="graphs of 1 and 2 states cannot be added"):
        one + two


@pytest.mark.parametrize(
    ("follow", "kind"), [((1, 2, 0), "periodic"), ((1, 2, -1), "aperiodic"), ((1, 2, 1), "composite")]
)
def test_where_the_last_state_leads_makes_the_kind(follow: tuple[int, ...], kind: str) -> None:
    assert PoseGraph(tuple(State(f"S{k}", {}, next=n) for k, n in enumerate(follow))).kind == kind


def test_the_second_half_is_the_mirror_image_of_the_first() -> None:
    graph = walk_graph()
    for state, other in zip(graph.states[:3], graph.states[3:], strict=True):
        assert other == state.mirrored().__class__(**{**vars(state.mirrored()), "name": other.name, "next": other.next})
    assert [s.next for s in graph.states] == [1, 2, 3, 4, 5, 0]
    assert [s.stance for s in graph.states] == ["right"] * 3 + ["left"] * 3


def test_a_graph_is_written_and_read_again() -> None:
    graph = walk_graph()
    again = read_graph(as_table({"states": write_states(graph)}, "again"), mirrored=False)
    for one, other in zip(graph.states, again.states, strict=True):
        assert (one.name, one.hold_s, one.sensor, one.stance, one.ends_step, one.next) == (
            other.name, other.hold_s, other.sensor, other.stance, other.ends_step, other.next,
        )  # fmt: skip
        assert dict(one.pose_rad) == pytest.approx(dict(other.pose_rad))


def test_a_packed_state_holds_all_that_the_law_needs() -> None:
    body = load_character("laszlo_human")
    row = walk_graph().pack(body.axis_names)[0]
    state = row[:POSE].view(STATE)[0]
    assert (state.hold, state.sensor, state.next) == (0.0, 1.0, 1.0)
    assert [row[POSE + body.axis_index(a)] for a in AXES] == pytest.approx([math.radians(v) for v in (50, 10, 60, 0)])


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ([], "t: states: must have at least one state."),
        ([{"hold": 1}], "t: states[0].hold: no key named 'hold'. Known here: name, pose_deg, hold_s, until_foot, "
                        "timeout_s, stance, ends_step, next. Did you mean 'hold_s'?"),
        ([{"hold_s": -1}], "t: states[0].hold_s: out of range, got -1. Allowed: 0 to 10000."),
        ([{"next": "S9"}], "t: states[0].next: no state named 'S9'. Known here: stay, S1."),
        ([{"stance": "lef"}], "t: states[0].stance: no stance named 'lef'. Known here: left, right. "
                             "Did you mean 'left'?"),
        ([{"pose_deg": 3}], "t: states[0].pose_deg: must be a table, got 3."),
    ],
)  # fmt: skip
def test_errors_say_where_and_what(states: list[dict[str, object]], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_graph(as_table({"states": states}, "t"), mirrored=False)
    assert str(caught.value) == message


def test_a_graph_asks_for_the_joints_that_it_moves() -> None:
    with pytest.raises(InputError, match="character biped7: no axis named 'back_pitch'"):
        load_controller(WALK, load_character("biped7"))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"start": 3}, "t: start: must be a table, got 3."),
        ({"start": {"pitch_deg": "x"}}, "t: start.pitch_deg: must be a number, got 'x'."),
        ({"changes": 3}, "t: changes: must be a table, got 3."),
        ({"changes": {"x": {"low": "a"}}}, "t: changes.x.low: must be a number, got 'a'."),
        ({"path_m": [1]}, "t: path_m: must be a list of points, each a list of 2 numbers, got [1]."),
        ({"values": {"target": 5}}, "t: values.target: target is out of range, got 5. Allowed: -1 to 1."),
    ],
)
def test_errors_of_a_file_say_where_and_what(table: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_spec({"states": [{"hold_s": 0.2}], **table}, "t")
    assert str(caught.value) == message
