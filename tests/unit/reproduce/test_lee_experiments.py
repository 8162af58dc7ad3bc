"""Parts of the tracker's experiments that can be checked without running them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.tracker import layout
from poise.controllers.tracker.spec import RANGES
from poise.motion.rotations import quat_rotate
from poise.reproduce.claims import find_claim
from poise.reproduce.experiment import Experiment
from poise.reproduce.lee import ablations, model, pushes, robustness, steering
from poise.reproduce.lee.runs import BODY, OURS_OFF, Place, Run, load_walk, open_walk, run_walk

MODULES = (ablations, model, pushes, robustness, steering)


@pytest.mark.parametrize("experiment", [m.EXPERIMENT for m in MODULES], ids=lambda e: e.name)
def test_every_claim_is_one_of_the_list(experiment: Experiment) -> None:
    assert experiment.claims
    for claim in experiment.claims:
        assert find_claim(claim).system == "tracker"


def test_what_is_removed_are_gains() -> None:
    for changes in (*ablations.REMOVED.values(), OURS_OFF, pushes.HEAVY_CHANGES):
        assert set(changes) <= set(RANGES)


@pytest.mark.parametrize("condition", robustness.CONDITIONS, ids=lambda c: c.claim)
def test_what_is_asked_for_is_one_of_the_values_that_are_tried(condition: robustness.Condition) -> None:
    assert condition.asked in condition.values
    assert robustness.reached(condition, condition.asked) == (True, False)
    assert robustness.reached(condition, None) == (False, False)
    assert robustness.reached(condition, condition.values[-1])[0]


def test_longer_legs_keep_the_masses() -> None:
    body, longer = load_character(BODY), robustness.make_body(legs=1.5)
    assert [s.mass_kg for s in longer.segments] == pytest.approx([s.mass_kg for s in body.segments])
    assert longer.segment("left_shin").origin_m[2] == pytest.approx(1.5 * body.segment("left_shin").origin_m[2])


def test_feet_that_stand_are_made_level() -> None:
    track = load_walk("normal").track
    flat = pushes.flatten_feet(track).reference
    turns = flat.skeleton.compute_globals(flat.root_pos_m, flat.turns)[1]
    before = track.reference.skeleton.compute_globals(track.reference.root_pos_m, track.reference.turns)[1]
    for f in track.fragments:
        for k, side in enumerate(("left", "right")):
            foot = flat.feet()[k]
            if f.stance in (side, "both"):
                up = quat_rotate(turns[f.first : f.last, foot], np.array([0.0, 0.0, 1.0]))
                assert np.all(up[:, 2] > 1.0 - 1e-9)
    others = [s for s in range(turns.shape[1]) if s not in flat.feet()]
    assert np.allclose(turns[:, others], before[:, others])


def test_turns_by_an_angle_come_back() -> None:
    commands = steering.turn_by(90.0, 6.0, 4)
    assert [c.heading_deg for c in commands] == [0.0, 90.0, 180.0, 90.0, 0.0]
    assert steering.draw_commands(1, 60.0, 4.0, all_kinds=True) == steering.draw_commands(1, 60.0, 4.0, all_kinds=True)


def _ask_on_slope(over_stance: float, way_m: float) -> np.ndarray:
    """Accelerations that are asked for soon after a start so far down a slope."""
    run = Run(changes={"over_stance": over_stance}, place=Place(slope_deg=-2.0))
    world = open_walk(load_walk("march", lead_in=False), run)
    world.percepts[0].root_q[0] += way_m
    world.percepts[0].root_q[2] -= way_m * math.tan(math.radians(2.0))
    world.advance(9 * 30 + 1)
    return world.memories[0][layout.ASKED : layout.ASKED + 39].copy()


def test_heights_over_the_stance_foot_are_the_same_everywhere_on_a_slope() -> None:
    assert np.allclose(_ask_on_slope(1.0, 0.0), _ask_on_slope(1.0, 40.0), atol=1e-4)
    assert not np.allclose(_ask_on_slope(0.0, 0.0), _ask_on_slope(0.0, 40.0), atol=1.0)


def test_planes_of_the_body_change_what_a_turn_does() -> None:
    walk = load_walk("left-90")
    ends = []
    for planes in (0.0, 1.0):
        world = open_walk(walk, Run(changes={"body_planes": planes}))
        world.advance(900 * 4)
        ends.append(world.data.qpos[:2].copy())
    assert not np.allclose(*ends, atol=1e-6)


def test_a_run_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    walk = load_walk("march")
    one, same, other = (run_walk(walk, Run(4.0, seed=s)) for s in (1, 1, 2))
    assert one == same
    assert one != other
