import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from poise.characters.model import Shape
from poise.rollout.outlines import compute_outlines, compute_shape_outline_m, side_view

ANGLES = st.tuples(*[st.floats(-3.0, 3.0)] * 3)
SHAPES = {
    "box": Shape("box", (0.4, 0.2, 0.1)),
    "capsule": Shape("capsule", (0.1, 0.4), (0.1, 0.0, -0.2)),
    "cylinder": Shape("cylinder", (0.1, 0.4)),
    "sphere": Shape("sphere", (0.2,)),
    "ellipsoid": Shape("ellipsoid", (0.3, 0.2, 0.1)),
}


def surface_points(shape):
    """Points on the shape's surface in its own axes."""
    turn = Rotation.random(400, random_state=1).apply([0.0, 0.0, 1.0])
    size = np.array(shape.size_m)
    if shape.kind == "box":
        return np.sign(turn) * size / 2
    if shape.kind in ("sphere", "ellipsoid"):
        return turn * size
    if shape.kind == "capsule":
        return turn * size[0] + np.sign(turn[:, 2:]) * [0, 0, size[1] / 2]
    flat = turn[:, :2] / np.linalg.norm(turn[:, :2], axis=1, keepdims=True) * size[0]
    return np.column_stack([flat, np.sign(turn[:, 2]) * size[1] / 2])


@pytest.mark.parametrize("kind", SHAPES)
@given(turn=ANGLES, heading=st.floats(-3.0, 3.0))
def test_an_outline_reaches_as_far_as_the_solid(kind, turn, heading):
    shape, view = SHAPES[kind], side_view(heading)
    rotation = Rotation.from_rotvec(turn)
    at = np.array([1.0, -2.0, 0.5])
    corners = compute_shape_outline_m(shape, at, rotation.as_quat(scalar_first=True), view)
    points = at + rotation.apply(surface_points(shape) + shape.center_m)
    flat = np.stack([points @ view.across_w, points @ view.up_w], axis=-1)
    for angle in np.linspace(0.0, 2.0 * np.pi, 9):
        direction = np.array([np.cos(angle), np.sin(angle)])
        # A polygon of 32 corners and 400 random points both fall a little short of the round solid.
        assert (corners @ direction).max() == pytest.approx((flat @ direction).max(), abs=0.03)


def test_corners_run_counter_clockwise(walk):
    for _, corners in compute_outlines(walk, 20, side_view(0.0)):
        x, y = corners.T
        assert 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0.0


def test_the_view_from_the_side_looks_from_the_right():
    view = side_view(0.0)
    assert view.toward_w == pytest.approx([0.0, -1.0, 0.0])
