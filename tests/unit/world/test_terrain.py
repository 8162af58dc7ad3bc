"""The ground as data: its height everywhere, and its named kinds."""

import math
import pickle

import mujoco
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from poise.controllers.catalog import load_controller
from poise.errors import InputError
from poise.rollout.scene import Scene
from poise.world import terrain as ground
from poise.world.adopt import load_any_character
from poise.world.terrain import HeightField, Solid, Terrain, flat, parse_terrain, terrain_from_array
from poise.world.world import World

# Every kind that needs no file, in a form that shows all of its parts.
SPECS = (
    "flat",
    "slope:5",
    "slope:-12,length=8,start=0.7",
    "slope:45,length=3,width=2",
    "steps",
    "steps:rise=-0.12,run=0.25,count=7",
    "gaps:0.4,spacing=0.8,count=4,depth=0.3",
    "stones:jitter=0.1,seed=5",
    "walls:0.2,count=3",
    "rough:0.05,length=6,width=3,seed=2",
    "hills:8,length=30,wave=4,seed=2",
)
numbers = st.floats(-3.0, 3.0)
points = st.tuples(st.floats(-2.0, 12.0), st.floats(-3.0, 3.0))


def is_inside(solid: Solid, points_m: np.ndarray, margin_m: float) -> np.ndarray:
    """Whether points lie in a box, by turning each of them back with the quaternion: q* p q."""
    w, *xyz = solid.quat_wxyz
    axis, p = -np.array(xyz), points_m - np.array(solid.center_m)
    turned = p + 2.0 * np.cross(axis, np.cross(axis, p) + w * p)
    return np.all(np.abs(turned) <= 0.5 * np.array(solid.size_m) + margin_m, axis=-1)


@st.composite
def solids(draw: st.DrawFn) -> Solid:
    quat = np.array(draw(st.tuples(numbers, numbers, numbers, numbers)))
    assume(np.linalg.norm(quat) > 0.1)
    quat /= np.linalg.norm(quat)
    size = draw(st.tuples(*[st.floats(0.05, 4.0)] * 3))
    return Solid(size, draw(st.tuples(numbers, numbers, numbers)), tuple(quat.tolist()))


@given(solids(), numbers, numbers)
def test_height_of_a_tilted_box_agrees_with_sampling_it(solid: Solid, x: float, y: float) -> None:
    height = solid.height_m(x, y)
    z = np.linspace(-8.0, 8.0, 1601)
    samples = np.stack([np.full_like(z, x), np.full_like(z, y), z], axis=1)
    inside = z[is_inside(solid, samples, -1e-7)]
    if height == -math.inf:
        assert inside.size == 0
    else:
        assert is_inside(solid, np.array([x, y, height]), 1e-6)
        assert not is_inside(solid, np.array([x, y, height + 1e-4]), -1e-7)
        assert inside.size == 0 or inside.max() <= height


@given(st.lists(solids(), max_size=4), points, st.floats(-1.0, 1.0))
def test_terrain_is_as_high_as_its_highest_part(parts: list[Solid], at: tuple[float, float], z: float) -> None:
    terrain = Terrain("test", "test", solids=tuple(parts), plane_height_m=z)
    assert terrain.height_m(*at) == max([z, *(s.height_m(*at) for s in parts)])


def build_model(terrain: Terrain) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    world = spec.worldbody
    if terrain.plane:
        world.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], pos=[0, 0, terrain.plane_height_m])
    for s in terrain.solids:
        half = [0.5 * v for v in s.size_m]
        world.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=half, pos=s.center_m, quat=s.quat_wxyz)
    if (field := terrain.height_field) is not None:
        low, span = field.heights_m.min(), np.ptp(field.heights_m)
        rows, columns = field.heights_m.shape
        size = [0.5 * field.length_x_m, 0.5 * field.length_y_m, span, 1.0]
        data = ((field.heights_m - low) / span).ravel().tolist()
        spec.add_hfield(name="field", nrow=rows, ncol=columns, size=size, userdata=data)
        x, y, z = field.center_m
        world.add_geom(type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="field", pos=[x, y, z + low])
    return spec.compile()


@pytest.mark.parametrize("spec", SPECS)
def test_height_is_where_a_ray_from_above_meets_the_ground(spec: str) -> None:
    terrain = parse_terrain(spec)
    model = build_model(terrain)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rng, hit = np.random.default_rng(0), np.zeros(1, dtype=np.int32)
    for x, y in rng.uniform((-3.0, -2.0), (14.0, 2.0), (300, 2)).tolist():
        distance = mujoco.mj_ray(model, data, [x, y, 50.0], [0, 0, -1], None, 1, -1, hit, None)
        assert terrain.height_m(x, y) == pytest.approx(50.0 - distance, abs=1e-6)


@pytest.mark.parametrize("spec", SPECS)
def test_ground_is_flat_at_the_start(spec: str) -> None:
    terrain = parse_terrain(spec)
    for x in np.linspace(-0.5, 0.5, 21):
        for y in (-0.5, 0.0, 0.5):
            assert terrain.height_m(float(x), y) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("spec", SPECS)
def test_level_is_left_and_reached_without_a_crack(spec: str) -> None:
    """Samples on and around every edge: no neighbouring boxes leave a hole between them."""
    terrain = parse_terrain(spec)
    lowest = terrain.plane_height_m
    edges = [s.center_m[0] + side * s.size_m[0] for s in terrain.solids for side in (-0.5, 0.5)]
    for x in [e for e in edges if 0.0 < e < 100.0]:
        around = [terrain.height_m(x + d, 0.0) for d in (-1e-6, 0.0, 1e-6)]
        assert around[1] > lowest or max(around[0], around[2]) <= lowest + 1e-3


def test_stairs_go_down_as_they_go_up() -> None:
    up, down = ground.steps(rise_m=0.2, run_m=0.5, count=4), ground.steps(rise_m=-0.2, run_m=0.5, count=4)
    for x in np.linspace(0.01, 6.0, 100).tolist():
        assert down.height_m(x, 0.0) == pytest.approx(-up.height_m(x, 0.0))
    assert up.height_m(6.0, 0.0) == pytest.approx(0.8)


def test_gaps_are_as_wide_and_as_deep_as_asked() -> None:
    terrain = ground.gaps(width_m=0.4, spacing_m=1.0, count=3, start_m=2.0, depth_m=0.7)
    x = np.linspace(0.0, 10.0, 10_001)
    open_m = sum(terrain.height_m(v, 0.0) == -0.7 for v in x.tolist()) * 0.001
    assert open_m == pytest.approx(3 * 0.4, abs=0.01)
    assert terrain.height_m(2.2, 0.0) == -0.7
    assert terrain.height_m(3.6, 0.0) == -0.7
    assert terrain.height_m(3.0, 0.0) == 0.0


def test_seeds_pick_the_ground_and_nothing_else_does() -> None:
    assert ground.rough(seed=3) == ground.rough(seed=3) != ground.rough(seed=4)
    field = ground.rough(amplitude_m=0.05, seed=3).height_field
    assert field is not None
    assert 0.04 < np.abs(field.heights_m).max() <= 0.05


@pytest.mark.parametrize("angle_deg", [0.0, 5.0, 12.0])
def test_hills_are_nowhere_steeper_than_asked_and_end_level(angle_deg: float) -> None:
    field = ground.hills(angle_deg=angle_deg, length_m=60.0, seed=4).height_field
    assert field is not None
    slopes = np.diff(field.heights_m[0]) / (60.0 / (field.heights_m.shape[1] - 1))
    assert np.degrees(np.arctan(np.abs(slopes).max())) == pytest.approx(angle_deg, abs=1e-6)
    assert np.all(field.heights_m[:, [0, -1]] == 0.0)
    assert np.array_equal(field.heights_m[0], field.heights_m[1])
    assert ground.hills(seed=3) == ground.hills(seed=3) != ground.hills(seed=4)


def test_a_table_of_heights_begins_where_it_is_told_to() -> None:
    heights = [[0.0, 0.1, 0.2], [0.3, 0.4, 0.5]]
    terrain = terrain_from_array(heights, length_m=4.0, width_m=2.0, start_m=1.5)
    corners = {(1.5, -1.0): 0.0, (3.5, -1.0): 0.1, (5.5, -1.0): 0.2, (1.5, 1.0): 0.3, (5.5, 1.0): 0.5}
    for (x, y), height in corners.items():
        assert terrain.height_m(x, y) == pytest.approx(height)
    assert terrain.height_m(0.0, 0.0) == 0.0
    assert terrain.height_m(6.0, 0.0) == terrain.plane_height_m == pytest.approx(-0.1)


def test_height_field_is_frozen_equal_and_survives_pickling() -> None:
    heights = np.arange(6.0).reshape(2, 3)
    field = HeightField(heights, 1.0, 1.0, (0.0, 0.0, 0.0))
    heights[:] = 9.0
    assert field.heights_m[0, 1] == 1.0
    copy = pickle.loads(pickle.dumps(field))
    assert copy == field and hash(copy) == hash(field)
    for each in (field, copy):
        with pytest.raises(ValueError, match="read-only"):
            each.heights_m[0, 0] = 1.0
    assert field != HeightField(heights, 1.0, 1.0, (0.0, 0.0, 0.0))
    assert field.height_m(0.6, 0.0) == -math.inf


@pytest.mark.parametrize(
    ("heights", "message"),
    [
        ([1.0, 2.0], "terrain array: heights_m must have at least two rows and two columns, got the shape (2,)."),
        ([[0.0, math.nan], [0.0, 0.0]], "terrain array: heights_m must lie within 100000 m of zero."),
        ([["a"]], "terrain array: heights_m must be a table of numbers, got [['a']]."),
    ],
)
def test_wrong_tables_are_refused(heights: list, message: str) -> None:
    with pytest.raises(InputError) as caught:
        terrain_from_array(heights, length_m=1.0, width_m=1.0)
    assert str(caught.value) == message


def test_wrong_solids_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        Solid((1.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    assert str(caught.value) == "solid: size_m must be 3 positive lengths in metres, got (1.0, 0.0, 1.0)."
    with pytest.raises(InputError) as caught:
        Solid((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0))
    assert str(caught.value) == "solid: quat_wxyz must be a unit quaternion, got (1.0, 1.0, 0.0, 0.0)."
    with pytest.raises(InputError) as caught:
        Terrain("hole", "hole", plane=False)
    assert str(caught.value) == "terrain hole: no ground at all. A plane, a solid or a height field is needed."


def test_a_ground_that_is_asked_for_replaces_that_of_the_controller() -> None:
    body = load_any_character("planar17")
    climb = load_controller("script/stair-climb", body)
    assert World([body], [climb]).terrain.spec == Scene("script/stair-climb").open().terrain.spec == "environment"
    assert World([body], [climb], terrain=flat()).terrain.spec == "flat"
    assert Scene("script/stair-climb", terrain="flat").open().terrain.spec == "flat"


def test_friction_alone_keeps_the_ground_of_the_controller() -> None:
    ground = Scene("script/stair-climb", friction=0.3).open().terrain
    assert ground.name == "environment" and ground.friction == 0.3
