"""Retouched fragments: what a file may say of them, and what the law makes of it."""

from dataclasses import replace

import numpy as np
import pytest

from poise.controllers.tracker import layout
from poise.controllers.tracker.cycle import Track, make_track
from poise.controllers.tracker.retouch import PARTS, limits, read_retouch, write_retouch
from poise.controllers.tracker.spec import Gains, build_from_track, retouch_track
from poise.errors import InputError
from poise.motion.rotations import quat_conjugate, quat_multiply, quat_to_rotation_vector
from poise.world.compile import PhysicsSettings
from poise.world.world import World
from unit.controllers.tracker.motions import LEE, make_walk

#: In the second fragment, the left foot standing, after the frames in which ankles are free.
LOOK_FRAMES = 10
COLUMN = {
    "lean": 0,
    "reach": 3,
    "tread": 6,
    "crouch": 9,
    "raise": 10,
    "swing_speed": 11,
    "swing_place": 12,
    "ankle": 13,
}


def _track(heading_rad: float = 0.0, **numbers: float) -> Track:
    """A walk of which every fragment is retouched alike: `lean_1` is the second number of `lean`."""
    track = make_track(make_walk(heading_rad=heading_rad))
    rows = np.zeros((len(track.fragments), layout.RETOUCH))
    for name, value in numbers.items():
        part, _, k = name.rpartition("_")
        column = COLUMN[part] + int(k) if k.isdigit() else COLUMN[name]
        rows[:, column] = value
    return replace(track, retouch=rows)


def _targets(track: Track) -> np.ndarray:
    """The target's turns against the parents (13, 4) after some frames, from the same state of the body."""
    world = World([LEE], [build_from_track(track, "test", Gains())], settings=PhysicsSettings(1.0 / 900.0))
    plain = World(
        [LEE],
        [build_from_track(replace(track, retouch=None), "test", Gains())],
        settings=PhysicsSettings(1.0 / 900.0),
    )
    plain.advance(30 * LOOK_FRAMES)
    before = plain.snapshot()
    world.restore(replace(before, params=(world.params[0].copy(),)))
    world.advance(30)
    return world.memories[0][layout.LAST : layout.LAST + 4 * 13].reshape(13, 4).copy()


def _turns(track: Track) -> dict[str, np.ndarray]:
    """By how much the targets of segments are turned by a retouch, as vectors; those that are not are left out."""
    plain, own = _targets(replace(track, retouch=None)), _targets(track)
    vectors = quat_to_rotation_vector(quat_multiply(quat_conjugate(plain), own))
    return {n: v for n, v in zip(LEE.segment_names, vectors, strict=True) if np.linalg.norm(v) > 1e-9}


def test_zeros_change_nothing_to_the_last_bit() -> None:
    track = _track()
    assert track.retouch is not None and not track.retouch.any()
    assert np.array_equal(_targets(track), _targets(replace(track, retouch=None)))


def test_a_lean_turns_the_stance_thigh_alone_and_the_other_way() -> None:
    turns = _turns(_track(lean_1=0.1))
    assert {name for name in turns if "thigh" in name} == {"left_thigh"}
    assert turns["left_thigh"][1] < -0.01


def test_a_reach_turns_the_swing_thigh_and_a_tread_the_stance_foot() -> None:
    assert {name for name in _turns(_track(reach_1=0.1)) if "thigh" in name} == {"right_thigh"}
    assert set(_turns(_track(tread_0=0.1))) == {"left_foot"}


def test_turns_go_with_the_heading() -> None:
    """The same retouch of the same walk in another direction changes its joints alike."""
    ahead, sideways = (_turns(_track(heading, reach_0=0.08, lean_2=0.05)) for heading in (0.0, 1.2))
    assert set(ahead) == set(sideways)
    for name, turn in ahead.items():
        assert sideways[name] == pytest.approx(turn, abs=1e-3)


def test_a_crouch_bends_the_stance_leg_and_a_raise_the_swing_leg() -> None:
    crouched, raised = _turns(_track(crouch=0.05)), _turns(_track(**{"raise": 0.1}))
    shins = [{n for n in turns if "shin" in n} for turns in (crouched, raised)]
    assert shins[0] == {"left_shin"}
    assert "right_shin" in shins[1]


@pytest.mark.parametrize(("part", "segment"), [("swing_speed", "thigh"), ("swing_place", "thigh"), ("ankle", "foot")])
def test_gains_may_differ_by_fragment(part: str, segment: str) -> None:
    turns = _turns(_track(**{part: 2.0}))
    assert any(segment in name for name in turns)


def test_what_is_written_is_read_again() -> None:
    low, high = limits()
    assert len(low) == layout.RETOUCH == sum(width for width, _, _ in PARTS.values())
    rows = np.round(np.random.default_rng(3).uniform(low, high, (5, layout.RETOUCH)), 4)
    assert np.array_equal(read_retouch(write_retouch(rows), 5, "x"), rows)
    only = read_retouch({"crouch_m": [0.01, 0.02]}, 2, "x")
    assert only[:, 9].tolist() == [0.01, 0.02] and only.any(axis=0).sum() == 1


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ({"leen_rad": []}, "x: retouch.leen_rad: no key named 'leen_rad'."),
        ({"crouch_m": [0.0]}, "x: retouch.crouch_m: must have a number for each of the 2 fragments, got 1 entries."),
        (
            {"lean_rad": [[0, 0], [0, 0]]},
            "x: retouch.lean_rad: must have a list of 3 numbers for each of the 2 fragments, got 2 entries.",
        ),
        ({"ankle": "much"}, "x: retouch.ankle: must have a number for each of the 2 fragments, got 'much'."),
        ({"raise_m": [0.0, 0.5]}, "x: retouch.raise_m: out of range, got 0.5. Allowed: -0.1 to 0.1."),
        (
            {"raise_m": [0.0, float("nan")]},
            "x: retouch.raise_m: out of range, got nan. Allowed: -0.1 to 0.1.",
        ),
    ],
)
def test_tables_that_make_no_sense_are_refused(table: dict[str, object], text: str) -> None:
    with pytest.raises(InputError) as error:
        read_retouch(table, 2, "x")
    assert str(error.value).startswith(text)


def test_a_retouch_that_is_no_table_is_refused() -> None:
    with pytest.raises(InputError) as error:
        retouch_track(make_track(make_walk()), 3, "x")  # type: ignore[arg-type]
    assert str(error.value) == "x: retouch: must be a table, got 3."
