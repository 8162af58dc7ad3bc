"""What is tracked next: by commands, or at random over the graph of fragments."""

import math

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.controllers.tracker import layout
from poise.controllers.tracker.engine import MAX_LENGTH, SLOTS, Choice, Entry, commands_at, write_slot
from poise.controllers.tracker.moves import Move
from poise.controllers.tracker.route import compare
from poise.controllers.tracker.steer import FIRST_STEPS, Gait, Steering, wrap
from poise.controllers.tracker.steer_spec import build_from_table
from poise.errors import InputError, PoiseError
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.world import World

LEE = load_character("lee13")
RANDOM = np.random.default_rng(0)


@pytest.fixture(scope="module")
def steer() -> Controller:
    return load_controller("tracker/steer", LEE)


@pytest.fixture(scope="module")
def steering(steer: Controller) -> Steering:
    return steer.pilot(0)._chooser  # type: ignore[misc, union-attr]


def command(steer: Controller, speed: float, heading: float = 0.0, style: int = 0) -> np.ndarray:
    return steer.with_values({"speed": speed, "heading": heading, "style": style}).params


def walking(stance: str = "left", speed: float = 0.9, heading: float = 0.0, **gait: float) -> Entry:
    return Entry(heading, stance, Gait(speed, steps=FIRST_STEPS, **gait))  # type: ignore[arg-type]


def test_nothing_asked_for_it_stands_and_a_step_waits_should_it_fall(steer: Controller, steering: Steering) -> None:
    stand, step = steering.choose_next(command(steer, 0.0), Entry(0.02, "both", Gait()), RANDOM)
    assert stand.move.stance == "both" and stand.heading_rad == pytest.approx(0.02)
    assert step.move.stance == "left" and abs(step.move.speed_mps) < 0.05


def test_from_standing_the_weight_goes_to_one_foot_and_then_it_steps(steer: Controller, steering: Steering) -> None:
    params = command(steer, 0.9, 90.0)
    (leave,) = steering.choose_next(params, Entry(0.0, "both", Gait()), RANDOM)
    assert leave.move.stance == "both" and leave.move is steering.leave.move
    (step,) = steering.choose_next(params, leave.entry, RANDOM)
    assert step.move.stance == "left" and abs(math.degrees(step.move.turn_rad)) < 12.0
    assert step.note.speed_mps == pytest.approx(steering.accelerate_mps)


def test_steps_alternate_and_have_the_speed_that_is_asked_for(steer: Controller, steering: Steering) -> None:
    for speed in (-0.4, 0.2, 0.7, 1.0):
        (step,) = steering.choose_next(command(steer, speed), walking("left", speed), RANDOM)
        assert step.move.stance == "right" and step.move.speed_mps == pytest.approx(speed, abs=0.06)


def test_speed_changes_by_a_bounded_amount_a_step(steer: Controller, steering: Steering) -> None:
    (step,) = steering.choose_next(command(steer, -0.4), walking(speed=0.9), RANDOM)
    assert step.note.speed_mps == pytest.approx(0.9 - steering.accelerate_mps)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_turns_go_the_short_way_and_sharp_ones_are_slow(steer: Controller, steering: Steering, side: float) -> None:
    now, turned = walking(), 0.0
    for _ in range(8):
        (step,) = steering.choose_next(command(steer, 0.9, side * 170.0), now, RANDOM)
        turned, now = turned + step.move.turn_rad, step.entry
        if step.move.turn_rad * side > 0.6:
            assert step.note.speed_mps <= 0.7
    assert math.degrees(turned) == pytest.approx(side * 170.0, abs=2.0)


def test_a_step_turns_farther_where_the_swing_leg_opens_than_where_it_crosses(
    steer: Controller, steering: Steering
) -> None:
    params, turns = command(steer, 0.5, 170.0), {}
    for stance in ("left", "right"):
        (step,) = steering.choose_next(params, walking(stance, 0.5, turn_rad=math.radians(30.0)), RANDOM)
        turns[step.move.stance] = math.degrees(step.move.turn_rad)
    # To the left, the left leg opens: it swings over the right one.
    assert 30.0 < turns["left"] < 45.0 < turns["right"] < 90.0


def test_after_a_sharp_turn_it_goes_ahead_for_some_steps(steer: Controller, steering: Steering) -> None:
    now, speeds = walking("left", 0.5, turn_rad=math.radians(60.0)), []
    for _ in range(8):
        (step,) = steering.choose_next(command(steer, 0.2), now, RANDOM)
        now = step.entry
        speeds.append(step.note.speed_mps)
    assert max(speeds) == pytest.approx(steering.drift_mps) and speeds[-1] == pytest.approx(0.2)


def test_a_command_is_heeded_by_the_next_step(steer: Controller) -> None:
    world = World([LEE], [steer], settings=PhysicsSettings(1.0 / 900.0, 9.8))
    world.set_parameter("speed", 0.7)
    while int(world.memories[0][layout.DONE]) < 8:
        world.advance(1)
    world.advance(90)
    (engine,) = world.pilots
    before = engine.state()["entries"]
    world.set_parameter("heading", 60.0)
    after = engine.state()["entries"]
    slot = int(world.memories[0][layout.FRAGMENT])
    following = (slot + 1) % SLOTS
    assert after[slot] == before[slot]
    assert before[following].heading_rad == pytest.approx(0.0, abs=0.1) and after[following].heading_rad > 0.4


def test_left_and_right_are_mirror_images(steer: Controller, steering: Steering) -> None:
    (left,) = steering.choose_next(command(steer, 0.5, 30.0), walking("left", 0.5), RANDOM)
    (right,) = steering.choose_next(command(steer, 0.5, -30.0), walking("right", 0.5), RANDOM)
    assert left.move.turn_rad == pytest.approx(-right.move.turn_rad, abs=0.03)
    assert left.move.length == pytest.approx(right.move.length, abs=1)


def test_a_stop_comes_with_the_step_that_is_taken_instead(steer: Controller, steering: Steering) -> None:
    choices = steering.choose_next(command(steer, 0.0), walking("left", 0.1), RANDOM)
    assert [c.move.stance for c in choices] == ["both", "right"]


def test_a_style_comes_and_goes_step_by_step(steer: Controller, steering: Steering) -> None:
    params, now, parts = command(steer, 0.9, style=1), walking(), []
    for _ in range(4):
        (step,) = steering.choose_next(params, now, RANDOM)
        now = step.entry
        parts.append((step.note.style, step.note.part))
    assert parts == [(1, 0.0), (1, 0.5), (1, 1.0), (1, 1.0)]
    (step,) = steering.choose_next(command(steer, 0.9, style=2), now, RANDOM)
    assert (step.note.style, step.note.part) == (1, 0.5)


def test_angles_are_wrapped() -> None:
    assert wrap(math.radians(350.0)) == pytest.approx(math.radians(-10.0))
    assert wrap(math.radians(-725.0)) == pytest.approx(math.radians(-5.0))


def test_a_move_that_is_too_long_is_refused(steer: Controller) -> None:
    turns = np.zeros((MAX_LENGTH + 2, 13, 4))
    turns[..., 0] = 1.0
    move = Move(np.ones((MAX_LENGTH + 2, 3)), turns, "both")
    with pytest.raises(InputError, match="a move has too many frames"):
        write_slot(steer.params.copy(), LEE, 0, Choice(move, 0.0, np.zeros(layout.SETTINGS)), 1, -1)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (
            {"pace": []},
            "x: pace: no key named 'pace'. Known here: paces, styles, stand, gains, clip_gains. Did you mean 'paces'?",
        ),
        ({"paces": []}, "x: paces: must name at least one clip."),
        ({"paces": 3}, "x: paces: must be a list of strings, got 3."),
    ],
)
def test_what_a_file_may_say(table: dict[str, object], text: str) -> None:
    with pytest.raises(PoiseError) as caught:
        build_from_table(table, LEE, "x", "")
    assert str(caught.value) == text


def open_world(controller: Controller) -> World:
    return World([LEE], [controller], settings=PhysicsSettings(1.0 / 900.0, 9.8))


def test_what_is_asked_for_while_it_walks_is_done() -> None:
    controller = load_controller("tracker/steer", LEE).with_values({"speed": 0.6})
    world = open_world(controller)
    world.advance(900 * 6, stop_on=["down"])
    straight = world.percepts[0].heading_rad[0]
    world.params[0][controller.parameter("heading").index] = 60.0
    world.advance(900 * 6, stop_on=["down"])
    assert world.fell_at_s() is None
    assert abs(straight) < 0.2 and math.degrees(world.percepts[0].heading_rad[0]) == pytest.approx(60.0, abs=12.0)


def test_a_snapshot_goes_on_with_the_same_bits() -> None:
    controller = load_controller("tracker/route", LEE).with_values({"seed": 3})
    world = open_world(controller)
    world.advance(900 * 4)
    snapshot = world.snapshot()
    world.advance(900 * 3)
    once = world.data.qpos.copy()
    world.restore(snapshot)
    world.advance(1000)
    world.advance(900 * 3 - 1000)
    assert (world.data.qpos == once).all()


def test_a_route_leads_over_steps_that_fit() -> None:
    graph = load_controller("tracker/route", LEE).pilot(0)._chooser.graph  # type: ignore[misc, union-attr]
    reached = [k for k, ways in enumerate(graph.edges) if ways]
    assert len(reached) > 100 and len({graph.nodes[k].clip for k in reached}) >= 8
    for k in reached:
        for n in graph.edges[k]:
            assert graph.nodes[n].move.stance != graph.nodes[k].move.stance
    worst = max(compare(graph.nodes[k].move, graph.nodes[n].move) for k in reached for n in graph.edges[k][1:])
    assert worst < 0.7
    assert SLOTS >= 3 and commands_at(LEE) > 0
