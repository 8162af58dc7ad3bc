"""The penalty ground: how far it sinks, when it slips, that it never pulls."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.errors import InputError
from poise.reproduce.grounds import measure_sink_ratio, put_block, slips
from poise.world.ground import PenaltyGround
from poise.world.tape import TapeLog


def test_a_resting_block_sinks_by_its_weight_over_the_stiffness_of_its_points() -> None:
    assert measure_sink_ratio() == pytest.approx(1.0, rel=0.01)


@pytest.mark.parametrize("friction", [0.3, 0.8, 1.0])
def test_a_block_slips_at_the_angle_of_friction(friction: float) -> None:
    critical = math.degrees(math.atan(friction))
    assert not slips(friction, critical - 1.0)
    assert slips(friction, critical + 1.0)


def test_it_never_pulls() -> None:
    world = put_block(PenaltyGround(damping_nspm=5000.0))
    world.data.qvel[2] = -2.0
    lifted = False
    for _ in range(3000):
        world.step(1)
        lifted = lifted or world.data.qvel[2] > 0.0
        assert world.data.xfrc_applied[1, 2] >= 0.0
    assert lifted, "the block never rose, so nothing could have held it down"


def test_forces_stay_in_the_friction_cone_and_are_those_in_the_table() -> None:
    world = put_block(PenaltyGround(friction=0.5))
    world.data.qvel[:3] = [1.5, 0.7, -0.5]
    log = TapeLog()
    world.advance(3000, record_every=1, log=log)
    rows = log.arrays()["contact_rows"]
    assert (np.hypot(rows[:, 3], rows[:, 4]) <= 0.5 * rows[:, 5] + 1e-9).all()
    last = rows[-world.ledger.counts.contacts :, 3:].sum(axis=0)
    assert last == pytest.approx(world.data.xfrc_applied[1, :3])


def test_bad_figures_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        PenaltyGround(stiffness_npm=-1.0)
    assert str(caught.value) == "penalty ground: stiffness_npm is out of range, got -1.0. Allowed: 0 to 1e+08."


def test_fading_friction_is_full_from_the_lock_speed_on_and_in_proportion_below() -> None:
    for speed, part in ((0.02, 0.4), (0.05, 1.0), (0.5, 1.0)):
        world = put_block(PenaltyGround(friction=0.5, slip="fade", lock_speed_mps=0.05))
        world.advance(2000)
        world.data.qvel[:3] = [speed, 0.0, 0.0]
        world.step(1)
        force = world.data.xfrc_applied[1, :3]
        assert -force[0] == pytest.approx(0.5 * part * force[2], rel=1e-6)


def test_a_block_creeps_under_fading_friction_where_a_held_one_stays() -> None:
    ways = []
    for slip in ("fade", "cone"):
        world = put_block(PenaltyGround(friction=1.0, slope_rad=0.1, slip=slip))
        world.advance(4000)
        start = world.data.qpos[0]
        world.advance(4000)
        ways.append(abs(world.data.qpos[0] - start))
    assert ways[0] > 0.001 > 0.0001 > ways[1]
