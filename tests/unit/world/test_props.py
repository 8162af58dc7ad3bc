"""Things in the world: where they stand, what they weigh, where hands can hold them."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.characters.model import Shape
from poise.characters.solids import rotation_matrix
from poise.errors import InputError, PoiseError
from poise.world.props import Handle, Prop, ball, box, crate, rail, steps_rail
from poise.world.terrain import steps


def test_without_a_position_things_stand_on_level_ground() -> None:
    assert box((0.2, 0.3, 0.5)).position_m == (1.0, 0.0, 0.25)
    assert ball(0.12).position_m == (1.0, 0.0, 0.12)
    assert ball(0.12, position_m=(0.0, 0.0, 0.0)).position_m == (0.0, 0.0, 0.0)
    assert box().free and ball().free and crate().free
    assert hash(box()) == hash(box())


def test_a_crate_has_a_handle_on_each_side() -> None:
    thing = crate((0.4, 0.6, 0.3), mass_kg=10.0)
    assert thing.handle("left").position_m == (0.0, 0.3, 0.0)
    assert thing.handle("right").position_m == (0.0, -0.3, 0.0)
    with pytest.raises(InputError) as caught:
        thing.handle("lef")
    assert str(caught.value) == "prop crate: no handle named 'lef'. Known here: left, right. Did you mean 'left'?"


coordinates = st.tuples(*[st.floats(-5.0, 5.0)] * 3)


@given(st.lists(coordinates, min_size=2, max_size=6), st.floats(0.005, 0.1))
def test_a_rail_runs_from_point_to_point(path: list, radius_m: float) -> None:
    try:
        thing = rail(path, radius_m=radius_m, post_m=0.0)
    except PoiseError:
        assert min(math.dist(a, b) for a, b in pairwise(path)) < 0.01
        return
    assert not thing.free
    assert [h.position_m for h in thing.handles] == path
    for bar, start, end in zip(thing.shapes, path[:-1], path[1:]):
        half = rotation_matrix(bar.quat_wxyz)[:, 2] * 0.5 * bar.size_m[1]
        np.testing.assert_allclose(np.array(bar.center_m) - half, start, atol=1e-5)
        np.testing.assert_allclose(np.array(bar.center_m) + half, end, atol=1e-5)


@pytest.mark.parametrize("rise_m", [0.15, -0.15])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_rail_follows_the_stairs_beside_it(rise_m: float, side: str) -> None:
    stairs = steps(rise_m=rise_m, run_m=0.3, count=6)
    thing = steps_rail(side, rise_m=rise_m, run_m=0.3, count=6, offset_m=0.4, height_m=0.9)
    path = np.array([h.position_m for h in thing.handles])
    assert set(path[:, 1].tolist()) == {0.4 if side == "left" else -0.4}
    assert path[0, 2] == pytest.approx(0.9)
    assert path[-1, 2] == pytest.approx(0.9 + 6 * rise_m)
    for x in np.linspace(path[0, 0] + 0.01, path[-1, 0] - 0.01, 60):
        above = np.interp(x, path[:, 0], path[:, 2]) - stairs.height_m(float(x), 0.0)
        assert 0.9 - 1e-9 <= above <= 0.9 + abs(rise_m) + 1e-9
    posts = [s for s in thing.shapes if s.size_m[1] == pytest.approx(0.9)]
    assert len(posts) == len(path)


def test_level_stairs_have_a_level_rail() -> None:
    assert {h.position_m[2] for h in steps_rail(rise_m=0.0).handles} == {0.9}


SPHERE = (Shape("sphere", (0.1,)),)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ball(mass_kg=-1.0), "prop ball: mass_kg is out of range, got -1.0 kg. Allowed: 0 to 100000 kg."),
        (lambda: ball(mass_kg=0.0), "prop ball: mass_kg must be positive for a free prop, got 0.0."),
        (lambda: ball(math.nan), "prop ball: radius_m must be a positive length in metres, got nan."),
        (lambda: box(0.3), "prop box: size_m must be 3 positive lengths in metres, got 0.3."),
        (
            lambda: box(position_m=(0.0, 0.0)),
            "prop box: position_m must be three coordinates within 100000 m, got (0.0, 0.0).",
        ),
        (
            lambda: crate(quat_wxyz=(0.0, 0.0, 0.0, 0.0)),
            "prop crate: quat_wxyz must be a unit quaternion, got (0.0, 0.0, 0.0, 0.0).",
        ),
        (lambda: rail([(0.0, 0.0, 1.0)]), "prop rail: path_m is out of range, got 1 points. Allowed: 2 to 200."),
        (
            lambda: rail([(0.0, 0.0, 1.0), (0.0, 0.0, 1.0)]),
            "prop rail: consecutive points must be at least 0.01 m apart, got [0.0, 0.0, 1.0] and [0.0, 0.0, 1.0].",
        ),
        (
            lambda: steps_rail("lefft"),
            "prop rail: no side named 'lefft'. Known here: left, right. Did you mean 'left'?",
        ),
        (lambda: steps_rail(rise_m=3.0), "prop rail: rise_m is out of range, got 3.0 m. Allowed: -1 to 1 m."),
        (lambda: Prop("", "thing", SPHERE, 1.0), "prop: a prop needs a name."),
        (lambda: Prop("thing", "thing", (), 1.0), "prop thing: a prop needs at least one shape."),
        (
            lambda: Prop("pot", "pot", SPHERE, 1.0, handles=(Handle("ear", (0.1, 0.0, 0.0)),) * 2),
            "prop pot: two handles are named 'ear'.",
        ),
    ],
)
def test_wrong_props_are_told_what_is_allowed(make, message: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value) == message
