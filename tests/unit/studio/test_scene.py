"""What is sent to the browser says where everything is, in the order of the poses."""

import json

import numpy as np
import pytest

from poise.characters.catalog import character_names
from poise.characters.model import SHAPE_SIZES
from poise.studio.scenario import Scenario, make_scenario
from poise.studio.scene import MAX_FIELD_POINTS, describe_scene, find_sides
from poise.studio.simulation import Simulation
from poise.world.adopt import load_any_character
from poise.world.props import ball
from poise.world.terrain import parse_terrain, terrain_from_array
from poise.world.world import World


@pytest.mark.parametrize("name", character_names())
def test_every_character_can_be_shown(name: str) -> None:
    character = load_any_character(name)
    scene = describe_scene(World([character], props=[ball(name="ball_1")]))
    assert [b["name"] for b in scene["bodies"]] == [*character.segment_names, "ball_1"]
    assert all(len(s["size"]) == len(SHAPE_SIZES[s["kind"]]) for b in scene["bodies"] for s in b["shapes"])
    assert scene["planar"] == (character.root == "planar")
    assert json.loads(json.dumps(scene)) == scene


def test_the_kick_has_its_ball() -> None:
    simulation = Simulation(make_scenario("bioloid/kick"))
    props = [body["name"] for body in simulation.scene["bodies"] if body["kind"] == "prop"]
    assert props == ["ball_1", "ball_2", "ball_3", "ball"]
    simulation.advance(3600)
    x_m, y_m, z_m = simulation.moment.pose[-1, :3]
    assert x_m > 0.3 and abs(y_m) < 0.05 and z_m == pytest.approx(0.04, abs=0.005)


@pytest.mark.parametrize("name", character_names())
def test_limbs_have_sides_and_the_trunk_has_none(name: str) -> None:
    character = load_any_character(name)
    sides = find_sides(character)
    for role, segment in character.roles.items():
        side = role.partition("_")[0]
        assert sides[segment] == (side if side in ("left", "right") else "middle")


def test_the_ground_has_its_blocks() -> None:
    terrain = parse_terrain("steps:rise=0.1,run=0.3")
    ground = describe_scene(World([load_any_character("biped7")], terrain=terrain))["ground"]
    assert len(ground["solids"]) == len(terrain.solids)
    assert ground["solids"][0]["size"] == list(terrain.solids[0].size_m)
    assert ground["field"] is None


def test_a_height_field_is_thinned_out_but_reaches_its_edges() -> None:
    heights = np.add.outer(np.linspace(0.0, 1.0, 400), np.linspace(0.0, 0.5, 30))
    terrain = terrain_from_array(heights, length_m=6.0, width_m=8.0)
    field = describe_scene(World([load_any_character("biped7")], terrain=terrain))["ground"]["field"]
    assert len(field["y"]) == MAX_FIELD_POINTS and len(field["x"]) == 30
    assert len(field["z"]) == MAX_FIELD_POINTS * 30
    assert field["x"][-1] - field["x"][0] == pytest.approx(6.0)
    assert field["y"][-1] - field["y"][0] == pytest.approx(8.0)
    assert field["z"][-1] - field["z"][0] == pytest.approx(1.5, abs=1e-3)


def test_over_a_hole_the_ground_is_where_the_feet_are() -> None:
    """The steering arrow lies on the stones, also while the centre of mass is between two of them."""
    simulation = Simulation(Scenario("walker/walk", "humanoid", terrain="stones"))
    surface = simulation.world.terrain.height_m
    floors, below = [], []
    for _ in range(100):
        simulation.advance(100)
        moment = simulation.moment
        floors.append(moment.floor_m)
        below.append(surface(*moment.com_w_m[:2]))
    assert min(below) < -0.5, "it walks over holes"
    assert moment.fell_at_s is None and np.abs(floors).max() < 0.15


def test_on_stairs_the_ground_is_the_step_below() -> None:
    simulation = Simulation(Scenario("walker/walk", "humanoid", terrain="steps:rise=0.05"))
    surface = simulation.world.terrain.height_m
    for _ in range(80):
        simulation.advance(100)
        assert simulation.moment.floor_m == surface(*simulation.moment.com_w_m[:2])
    assert simulation.moment.floor_m > 0.1
