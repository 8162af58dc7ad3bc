"""Moves: fragments that are blended, mirrored and strung together."""

import math

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.characters.model import swap_side
from poise.controllers.tracker.moves import Move, blend, cut_pair, find_headings_rad
from poise.controllers.tracker.reference import Reference
from poise.controllers.tracker.spec import Gains
from poise.controllers.tracker.steer_spec import arrange, load_reference, make_pace
from poise.errors import InputError
from poise.motion.rotations import compute_heading_rad, quat_multiply

LEE = load_character("lee13")


@pytest.fixture(scope="module")
def straight() -> Reference:
    return load_reference("pace-0.9", LEE)


@pytest.fixture(scope="module")
def turning() -> Reference:
    return load_reference("pace-0.45-left-45", LEE)


def test_steps_go_ahead_and_turn_as_recorded(straight: Reference, turning: Reference) -> None:
    for side, move in cut_pair(straight).items():
        assert move.stance == side and move.root_pos_m[0, :2] == pytest.approx([0.0, 0.0])
        assert move.speed_mps == pytest.approx(0.9, abs=0.05) and abs(move.turn_rad) < 0.03
    turns = [np.degrees(m.turn_rad) for m in cut_pair(turning).values()]
    assert np.mean(turns) == pytest.approx(45.0 * 0.46, abs=3.0)


def test_a_mirrored_move_is_the_mirror_image_on_the_other_foot(turning: Reference) -> None:
    move = cut_pair(turning)["left"]
    image = move.mirrored(LEE)
    other = [LEE.segment_names.index(swap_side(name)) for name in LEE.segment_names]
    places = move.on(LEE).places_w_m()[:, other] * np.array([1.0, -1.0, 1.0])
    assert image.stance == "right" and image.turn_rad == -move.turn_rad
    assert np.abs(image.on(LEE).places_w_m() - places).max() < 2e-3
    again = image.mirrored(LEE)
    assert again.stance == "left" and np.abs(again.turns - move.turns).max() < 1e-12


def test_a_turned_move_keeps_its_shape(straight: Reference) -> None:
    move = cut_pair(straight)["left"]
    turned = move.turned(1.0)
    off = compute_heading_rad(turned.turns[:, 0]) - compute_heading_rad(move.turns[:, 0])
    assert np.exp(1j * off) == pytest.approx(np.full(len(off), np.exp(1j)))
    assert np.linalg.norm(turned.root_pos_m, axis=1) == pytest.approx(np.linalg.norm(move.root_pos_m, axis=1))


def test_a_blend_lies_between(straight: Reference, turning: Reference) -> None:
    a, b = cut_pair(straight)["left"], cut_pair(turning)["left"]
    assert blend([a, b], [1.0, 0.0]) is a
    half = blend([a, b], [0.5, 0.5])
    assert min(a.length, b.length) <= half.length <= max(a.length, b.length)
    assert half.turn_rad == pytest.approx(0.5 * (a.turn_rad + b.turn_rad))
    assert min(a.speed_mps, b.speed_mps) < half.speed_mps < max(a.speed_mps, b.speed_mps)
    assert np.linalg.norm(half.turns, axis=-1) == pytest.approx(np.ones(half.turns.shape[:2]))


def test_only_moves_on_one_foot_are_blended(straight: Reference) -> None:
    steps = cut_pair(straight)
    with pytest.raises(InputError, match="moves: only moves on the same foot can be blended"):
        blend([steps["left"], steps["right"]], [0.5, 0.5])


def test_the_direction_of_motion_is_that_of_the_pelvis_without_its_sway(straight: Reference) -> None:
    sway = np.ptp(compute_heading_rad(straight.turns[:, 0]))
    smooth = find_headings_rad(straight, 27)
    assert len(smooth) == straight.frames and np.ptp(smooth[15:-15]) < 0.3 * sway


def test_paces_stand_in_rows_of_one_speed_with_their_mirror_images(straight: Reference, turning: Reference) -> None:
    slow = load_reference("pace-0.45", LEE)
    rows = arrange([make_pace(r, Gains(speed_learning=0.1)) for r in (turning, straight, slow)], LEE)
    assert [len(row) for row in rows] == [3, 1]
    turns = [p.turn_rad for p in rows[0]]
    assert turns[0] == -turns[2] < turns[1] < turns[2]
    for row in rows:
        for pace in row:
            assert {side: m.stance for side, m in pace.steps.items()} == {"left": "left", "right": "right"}
    # Turns teach nothing about the speed of walking straight on.
    learning = [k for k, (a, b) in enumerate(zip(rows[0][0].gains, rows[0][1].gains)) if a != b]
    assert len(learning) == 1


def test_a_move_of_one_frame_has_a_speed() -> None:
    turns = np.zeros((2, 13, 4))
    turns[..., 0] = 1.0
    assert Move(np.array([[0.0, 0.0, 1.0], [0.03, 0.0, 1.0]]), turns, "left").speed_mps == pytest.approx(0.9)


def test_a_twisted_step_turns_farther_over_a_leg_that_stays_planted(straight: Reference) -> None:
    step = cut_pair(straight)["left"]
    more = step.twisted(0.7, LEE)
    assert more.turn_rad == pytest.approx(step.turn_rad + 0.7)
    turned = compute_heading_rad(more.turns[:, 0]) - compute_heading_rad(step.turns[:, 0])
    assert turned[[0, -1]] == pytest.approx([0.0, 0.7], abs=1e-3)
    left, right = (LEE.segment_names.index(f"{side}_shin") for side in ("left", "right"))
    before, after = (turns_in_world(m.on(LEE)) for m in (step, more))
    apart = np.abs(np.sum(before * after, axis=-1))
    assert apart[:, left] == pytest.approx(1.0, abs=1e-9)
    assert apart[-1, right] == pytest.approx(math.cos(0.35), abs=1e-6)


def turns_in_world(reference: Reference) -> np.ndarray:
    """Turns of all segments (N, S, 4) in the world."""
    found = reference.turns.copy()
    for k, segment in enumerate(LEE.segments):
        if segment.parent is not None:
            parent = LEE.segment_names.index(segment.parent)
            found[:, k] = quat_multiply(found[:, parent], reference.turns[:, k])
    return found
