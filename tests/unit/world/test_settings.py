"""The ground that a controller is made for is the one on which it runs, unless someone says otherwise."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import poise.api as api
from poise.controllers.catalog import load_controller
from poise.errors import FileFormatError, InputError
from poise.recordings.recording_file import load_recording, save_recording
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.props import box
from poise.world.settings import GROUNDS
from poise.world.terrain import flat
from poise.world.world import World

PLANAR17 = load_any_character("planar17")


def friction(world: World) -> float:
    return float(world.model.geom("ground").friction[0])


def open_world(name: str = "script/stand", **settings: object) -> World:
    return World([PLANAR17], [load_controller(name, PLANAR17)], settings=PhysicsSettings(**settings))  # type: ignore[arg-type]


def test_a_script_stands_on_firm_ground() -> None:
    world = open_world()
    assert (world.settings.ground, world.settings.cone, world.settings.contact_time_s) == ("firm", "elliptic", 0.002)
    assert friction(world) == world.terrain.friction == 100.0
    assert world.model.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC


def test_other_controllers_stand_on_the_ground_that_they_always_had() -> None:
    world = open_world("pose/hold")
    assert (world.settings.ground, world.settings.cone, world.settings.contact_time_s) == (
        "default",
        "pyramidal",
        0.005,
    )
    assert friction(world) == 0.8


def test_what_people_say_of_the_ground_counts_more() -> None:
    ordinary = open_world(ground="default")
    assert (ordinary.settings.ground, ordinary.settings.cone, friction(ordinary)) == ("default", "pyramidal", 0.8)
    assert open_world("pose/hold", ground="firm").settings.contact_time_s == 0.002
    assert open_world(cone="pyramidal").settings.cone == "pyramidal"


@pytest.mark.parametrize("value", [0.8, 0.5])
def test_a_friction_that_was_chosen_stays(value: float) -> None:
    assert api.Scene("script/stand", friction=value).open().terrain.friction == value
    assert api.Scene("script/stand", terrain=f"flat:friction={value}").open().terrain.friction == value
    world = World([PLANAR17], terrain=flat().with_friction(value), settings=PhysicsSettings(ground="firm"))
    assert friction(world) == value


def test_characters_that_want_different_grounds_get_the_default() -> None:
    script = load_controller("script/stand", PLANAR17)
    other = replace(load_controller("pose/hold", PLANAR17), ground="default")
    assert World([PLANAR17] * 2, [script, None]).settings.ground == "firm"
    assert World([PLANAR17] * 2, [script, other]).settings.ground == "default"


def test_props_are_as_firm_as_the_ground() -> None:
    crate = box((0.2, 0.2, 0.2), 5.0, name="crate", position_m=(2.0, 0.0, 0.1))
    for name, (mu, time_s) in {"firm": (100.0, 0.002), "default": (1.0, 0.02)}.items():
        model = World([PLANAR17], props=[crate], settings=PhysicsSettings(ground=name)).model
        geom = model.body("crate").geomadr[0]
        assert (model.geom_friction[geom][0], model.geom_solref[geom][0]) == (mu, time_s)


def test_a_recording_keeps_the_ground(tmp_path) -> None:
    done = api.run("script/stand", seconds=0.05)
    save_recording(done.recording, tmp_path / "r.npz")
    meta = load_recording(tmp_path / "r.npz").meta
    assert (meta["physics"]["ground"], meta["friction"]) == ("firm", 100.0)
    assert api.run("script/stand", seconds=0.05, ground="default").recording.meta["friction"] == 0.8


def test_a_controller_file_may_ask_for_a_ground(tmp_path) -> None:
    from poise.controllers.catalog import find_controller

    text = find_controller("pose/hold").read_text()
    (tmp_path / "hold.toml").write_text('ground = "firm"\n' + text)
    assert load_controller(tmp_path / "hold.toml", PLANAR17).ground == "firm"
    (tmp_path / "hold.toml").write_text('ground = "frim"\n' + text)
    with pytest.raises(FileFormatError, match="no ground named 'frim'"):
        load_controller(tmp_path / "hold.toml", PLANAR17)


def test_an_unknown_ground_is_named() -> None:
    with pytest.raises(InputError) as caught:
        PhysicsSettings(ground="ice")
    assert str(caught.value).startswith("physics: no ground named 'ice'. ")
    assert sorted(GROUNDS) == ["default", "firm", "springs"]


def test_a_twin_stands_on_the_same_ground() -> None:
    world = open_world(timestep_s=0.001)
    world.step(20)
    twin = world.twin()
    assert (twin.settings, twin.terrain) == (world.settings, world.terrain)
    for each in (world, twin):
        each.step(50)
    assert np.array_equal(world.data.qpos, twin.data.qpos)
