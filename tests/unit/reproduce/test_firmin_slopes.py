"""Rows about slopes and hills say what was measured, and hold only where it is enough."""

import numpy as np

from poise.reproduce.firmin.slopes import SLOPES_DEG, _flip_rows, _gait_row, lower_by_ground
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate
from poise.world.disturbances import Spawn
from poise.world.terrain import parse_terrain


def flips(**bad: int) -> dict[float, list[str]]:
    """Five starts on each slope; some fail on the slopes that are named: `m4=3`."""
    fails = {float(name.replace("m", "-").replace("_", ".").lstrip("s")): count for name, count in bad.items()}
    return {slope: ["fell"] * fails.get(slope, 0) + [""] * (5 - fails.get(slope, 0)) for slope in SLOPES_DEG}


def test_a_flip_that_lands_where_the_source_fails_exceeds_it() -> None:
    rows = {row.claim: row for row in _flip_rows(flips(s9=5))}
    assert all(row.holds and row.exceeded for row in rows.values())
    assert rows["firmin-5-slope-backflip-8"].measured == "on 8° 5 of 5 land and stand"


def test_a_flip_that_fails_as_the_source_does_only_holds() -> None:
    rows = {row.claim: row for row in _flip_rows(flips(m4=4))}
    assert rows["firmin-5-slope-backflip-m4"].holds and not rows["firmin-5-slope-backflip-m4"].exceeded
    assert rows["firmin-5-slope-backflip"].holds and not rows["firmin-5-slope-backflip"].exceeded


def test_a_flip_that_fails_where_the_source_lands_does_not_hold() -> None:
    assert not _flip_rows(flips(s7_5=2))[0].holds


def test_a_gait_is_as_good_as_the_steepest_hills_up_to_which_none_failed() -> None:
    row = _gait_row("walk", {5.0: ["", ""], 7.0: ["", "fell at 3 s"], 9.0: ["", ""]})
    assert row.holds and not row.exceeded
    assert row.measured == "script/walk goes over hills of up to 5° on 2 grounds"
    assert row.note.endswith("First failure, 7°: fell at 3 s.")
    assert not _gait_row("run", {5.0: ["fell at 1 s"], 7.0: [""]}).holds


def test_heights_are_measured_from_the_slope() -> None:
    terrain = parse_terrain("slope:6,start=10,length=30")
    world = Scene("script/stand", terrain=terrain).open()
    world.place(0, world.controllers[0].start, Spawn(x_m=20.0))
    lowered = lower_by_ground(simulate(world, 0.01), terrain)
    pelvis = lowered.segment_pos_w_m[0, lowered.characters[0].segment_names.index("pelvis"), 2]
    assert np.isclose(pelvis, 0.95, atol=0.02)
