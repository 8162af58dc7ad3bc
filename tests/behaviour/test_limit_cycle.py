"""Pose graphs that are balanced step by step."""

from __future__ import annotations

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.checking.bits import find_difference
from poise.controllers.catalog import load_controller, read_controller_file
from poise.controllers.limit_cycle.balance import Balancer
from poise.controllers.limit_cycle.record import record_graph, save_recording
from poise.controllers.limit_cycle.spec import GraphSpec, read_spec
from poise.rollout.scene import Scene
from poise.world.compile import PhysicsSettings
from poise.world.world import Push, World

WALK, STROLL = "limit-cycle/human-walk", "limit-cycle/human-stroll"
FAST = PhysicsSettings(timestep_s=0.001)


def start(controller: str = WALK, **values: float | str) -> tuple[World, Balancer]:
    world = Scene(controller, values=values, physics=FAST).open()
    return world, world.pilots[0]


def take(world: World, steps: int) -> int:
    """Walk until a number of steps is done or it falls; return the number done."""
    balancer = world.pilots[0]
    while len(balancer.steps) < steps and world.fell_at_s() is None:
        world.advance(3000, stop_on=["phase", "down"])
    return len(balancer.steps)


@pytest.mark.parametrize("strategy", ["FL", "LF", "SP", "jacobian"])
def test_every_way_of_sampling_walks(strategy: str) -> None:
    world, balancer = start(strategy=strategy)
    assert take(world, 20) == 20
    assert world.percepts[0].com_w[0] > 5.0
    assert all(step.samples == 4 for step in balancer.steps)
    late = balancer.steps[10:]
    assert max(abs(s.reached[0] - s.target[0]) for s in late) < 0.03


def test_without_balance_it_falls_after_a_few_steps() -> None:
    world, balancer = start(strategy="open")
    assert 2 <= take(world, 20) <= 9
    assert all(step.samples == 0 for step in balancer.steps)


def test_a_balanced_walk_is_recorded_and_replayed_without_feedback(tmp_path) -> None:  # type: ignore[no-untyped-def]
    world, balancer = start()
    take(world, 8)
    graph, end_s = record_graph(balancer), balancer.steps[-1].time_s
    assert (graph.kind, len(graph.states)) == ("aperiodic", 24)
    replay = GraphSpec(graph, (), {"strategy": 0.0}, world.controllers[0].start).build(world.characters[0])
    blind = World(world.characters, [replay], settings=FAST)
    again, _ = start()
    blind.run_until(end_s)
    again.run_until(end_s)
    assert np.array_equal(blind.data.qpos, again.data.qpos)
    save_recording(world, tmp_path / "replay.toml")
    loaded = load_controller(tmp_path / "replay.toml", world.characters[0])
    assert loaded.params == pytest.approx(replay.params, abs=1e-9)


def test_a_snapshot_holds_what_the_balancer_remembers() -> None:
    world, balancer = start()
    take(world, 3)
    kept = world.snapshot()
    world.advance(1500)
    first, steps = world.snapshot(), list(balancer.steps)
    world.restore(kept)
    assert len(balancer.steps) == 3
    world.advance(1500)
    assert find_difference(first, world.snapshot()) == ""
    assert balancer.steps == steps


def test_models_are_looked_up_once_enough_are_known() -> None:
    world, balancer = start(strategy="jacobian", models="reuse")
    assert take(world, 60) == 60
    assert sum(step.samples > 0 for step in balancer.steps[40:]) <= 4


def test_the_torso_servo_holds_the_torso() -> None:
    def nod(**values: float | str) -> float:
        world, _ = start(strategy="FL", **values)
        take(world, 8)
        leans = []
        for _ in range(80):
            world.advance(10)
            leans.append(world.percepts[0].rot_w[1][2])
        return float(np.ptp(leans))

    assert nod(servo="on", forward_by="pelvis", side_by="pelvis") < nod() / 3.0


def test_changes_of_the_graph_come_over_several_steps() -> None:
    world, balancer = start(bent_over=0.0)
    take(world, 6)
    world.set_parameter("bent_over", 1.0)
    assert take(world, 11) == 11
    over = list(balancer.changes).index("bent_over")
    scalings = [step.applied[over] for step in balancer.steps]
    assert scalings[6:11] == [0.0, 0.5, 1.0, 1.0, 1.0]


def test_two_balanced_walkers_share_a_world() -> None:
    one, _ = start()
    body, controller = one.characters[0], one.controllers[0]
    world = World([body, body], [controller, controller], settings=FAST)
    world.run_until(2.5)
    assert [len(p.steps) for p in world.pilots] == [len(world.pilots[0].steps)] * 2
    assert len(world.pilots[0].steps) >= 5
    assert world.fell_at_s(0) is None and world.fell_at_s(1) is None


def test_a_push_that_is_to_come_is_not_foreseen() -> None:
    def scaling(*pushes: Push) -> tuple[float, float]:
        world, balancer = start()
        for push in pushes:
            world.push(push)
        world.run_until("phase")
        return balancer.steps[0].scaling

    assert scaling() == scaling(Push(300.0, 90.0, 0.2, 0.1))


def test_points_of_a_path_that_lie_close_together_are_passed() -> None:
    table = {**read_controller_file(WALK).table, "path_m": [[0.1, 0.0], [0.2, 0.0]]}
    body = load_character("laszlo_human")
    controller = read_spec(table, WALK).build(body).with_values({"follow": "yes"})
    world = World([body], [controller], settings=FAST)
    assert take(world, 2) == 2
