"""The small robot reaches the commanded heights, distances and speeds, and stays on its feet."""

from __future__ import annotations

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.reproduce.ha.skills_find import COMMANDS
from poise.reproduce.ha.skills_motions import MOTIONS, Outcome, compute_costs, try_out
from poise.world.world import World

#: Part of the range by which the result may be off: what was measured over 21 values, and some room.
ROOM = {"jump": 0.06, "kick": 0.11, "walk": 0.08}


@pytest.mark.parametrize("task", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("name", list(MOTIONS))
def test_a_skill_reaches_what_is_asked_for_without_a_fall(name: str, task: float) -> None:
    motion = MOTIONS[name]
    wished = float(motion.wish(task))
    outcome = try_out(motion, {COMMANDS[name]: wished}, timestep_s=0.0005, skilled=True)
    assert not outcome.fell
    assert outcome.reached == pytest.approx(wished, abs=ROOM[name] * (motion.high - motion.low))


def test_a_jump_leaves_the_ground_and_comes_back() -> None:
    body = load_character("bioloid")
    world = World([body], [load_controller("bioloid/jump", body).with_values({"height": 0.06})])
    feet = [world.body(f"{side}_foot") for side in ("left", "right")]
    rest = [float(world.data.xpos[foot][2]) for foot in feet]
    lifts, loads = [], []
    for _ in range(240):
        world.step(10)
        lifts.append(min(float(world.data.xpos[foot][2]) - z for foot, z in zip(feet, rest, strict=True)))
        loads.append(
            sum(float(world.percepts[0].touch_load[body.segment_names.index(f"{s}_foot")]) for s in ("left", "right"))
        )
    flying = np.array(loads) == 0.0
    # Both feet at least 2 cm over the ground, for longer than a tenth of a second; and then down again.
    assert max(lifts) > 0.02
    assert 0.1 < np.count_nonzero(flying) * 10 * world.settings.timestep_s < 0.4
    assert loads[-1] == pytest.approx(body.mass_kg * 9.81, rel=0.3)


def test_only_the_thrust_of_a_jump_goes_past_the_limits() -> None:
    body = load_character("bioloid")
    world = World([body], [load_controller("bioloid/jump", body)])
    world.step(round(0.69 / world.settings.timestep_s))
    before = float(world.ledger.tallies[0].peak_torque_nm)
    world.step(round(0.05 / world.settings.timestep_s))
    # The law limits what it asks for; the damper acts with the speed at the end of the step, which may differ a little.
    assert before <= 1.05 * 0.6
    assert float(world.ledger.tallies[0].peak_torque_nm) > 0.9


@pytest.mark.parametrize("name", ["kick", "walk"])
def test_kick_and_walk_keep_the_limits(name: str) -> None:
    motion = MOTIONS[name]
    body = load_character("bioloid")
    world = World([body], [load_controller(motion.controller, body)])
    world.step(round(1.0 / world.settings.timestep_s))
    assert float(world.ledger.tallies[0].peak_torque_nm) <= 0.6 + 1e-9


@pytest.mark.parametrize("timestep_s", [0.0005, 0.001])
def test_a_walk_goes_on(timestep_s: float) -> None:
    # Judged over a few seconds only, skills were found that fell after seven.
    outcome = try_out(MOTIONS["walk"], {"speed_mps": 0.1}, timestep_s=timestep_s, seconds=20.0, skilled=True)
    assert not outcome.fell
    assert outcome.reached == pytest.approx(0.1, abs=0.006)
    assert abs(outcome.sideways_m) < 0.3


def test_the_manual_walk_goes_at_a_medium_speed() -> None:
    outcome = try_out(MOTIONS["walk"], {}, timestep_s=0.0005)
    assert not outcome.fell
    assert 0.075 < outcome.reached < 0.095


def test_a_cost_is_least_where_the_task_is_met_and_a_fall_is_worse_than_any_miss_within_the_range() -> None:
    motion = MOTIONS["jump"]
    tasks = np.linspace(0.0, 1.0, 6)
    good, fallen = (Outcome(0.05, fell, 1.0, 0.0, 0.0) for fell in (False, True))
    costs = compute_costs(motion, [good, fallen], tasks)
    assert costs[0].argmin() == 2
    assert costs[0, 2] == pytest.approx(0.0)
    assert costs[1].min() > costs[0].max()
