"""Environment files become ground, objects and names, as in the released code."""

import math
from pathlib import Path

import pytest

from poise.controllers.script.build import build_controller
from poise.errors import FileFormatError
from poise.language.environment_file import read_environment
from poise.world.environment import Environment
from poise.world.world import World
from script_worlds import PLANAR17, one_phase, open_world


def read(folder: Path, text: str) -> Environment:
    (folder / "base.env").write_text(text)
    return read_environment(folder / "base.env")


EVERYTHING = """
# Things to fall over.
DEFINE Chair { Box(3, .4, .05, .4, 0, .45, -10); # the seat
 Box(2, .05, .5, .4, -.2, .7, -10).friction(.5); }
DEFINE Post{Box(1,.1,3,.05,-10.);}
ENTITIES
{
  GROUND = 2DPlane(-200, 0, 200, 0);
  CUBE = Box(5, .3, 2, .15, -10);
  SLAB = Box(2000, 1, .2, 2, 4, .1, -10);
  BALL = Sphere(1.5, .1, 3, .1, -9.5).friction(1);
  STEPS = Stairs(.2, .28, .18, 4);
  SEAT = Chair(6, 0, 0);
  POST = Post(0, 0, 0);
}
"""


def test_every_kind_of_thing_is_built(tmp_path: Path) -> None:
    made = read(tmp_path, EVERYTHING)
    assert list(made.entities) == ["GROUND", "CUBE", "SLAB", "BALL", "STEPS", "SEAT", "POST"]
    props = {p.name: p for p in made.props}
    assert props["CUBE"].shapes[0].size_m == (0.3, 0.3, 0.3)
    assert props["CUBE"].position_m == (2.0, 0.0, 0.15)
    assert props["CUBE"].free and props["CUBE"].mass_kg == 5.0
    # Along x, up and out of the page there; along x, left and up here. What weighs a ton does not move.
    assert props["SLAB"].shapes[0].size_m == (1.0, 2.0, 0.2)
    assert not props["SLAB"].free
    assert props["BALL"].position_m == (3.0, -0.5, 0.1)
    assert made.entities["STEPS"].props == ("STEPS.1", "STEPS.2", "STEPS.3", "STEPS.4")
    last = props["STEPS.4"]
    assert last.position_m == pytest.approx((0.2 + 3.5 * 0.28, 0.0, 0.36))
    assert last.shapes[0].size_m == pytest.approx((0.28, 5.0, 0.72))
    assert made.entities["SEAT"].props == ("SEAT.1", "SEAT.2")
    assert props["SEAT.2"].position_m == pytest.approx((5.8, 0.0, 0.7))
    assert made.entities["GROUND"].geoms == ("ground",)
    assert made.terrain is not None and made.terrain.plane and made.terrain.height_m(3.0, 0.0) == 0.0
    World([PLANAR17], props=made.props, terrain=made.terrain).step(5)


@pytest.mark.parametrize("angle_deg", [-7.5, 8.0])
def test_a_tilted_plane_is_a_slope(tmp_path: Path, angle_deg: float) -> None:
    rise = math.tan(math.radians(angle_deg))
    made = read(tmp_path, f"ENTITIES {{ HILL = 2DPlane(-10, {-10 * rise:.6f}, 10, {10 * rise:.6f}); }}")
    assert made.terrain is not None and not made.terrain.plane
    for x in (-30.0, 0.0, 12.0):
        assert made.terrain.height_m(x, 0.0) == pytest.approx(rise * x, abs=1e-4)
    assert made.entities["HILL"].geoms == ("solid0",)


def test_hills_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "hills.hf").write_text("-5 10 5\n0 0 .2 .6 0\n")
    made = read(tmp_path, "ENTITIES { HILLS = Heightfield(hills.hf); }")
    assert made.terrain is not None
    heights = [made.terrain.height_m(x, 0.0) for x in (-5.0, 0.0, 1.25, 2.5)]
    assert heights == pytest.approx([0.0, 0.2, 0.4, 0.6])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ENTITIES { A = Bx(1, 1, 0, 0, 0); }", "1:16: no object named 'Bx'"),
        ("ENTITIES { A = Box(1, 1, 0, 0); }", "1:16: Box takes 5 or 7 values, got 4."),
        ("ENTITIES { Box(1, 1, 0, 0, 0); }", "1:12: an entity needs a name: NAME = object;."),
        ("ENTITIES { A = Box(1, x, 0, 0, 0); }", "1:20: a number is expected, got 'x'."),
        ("ENTITIES { A = Box(0, 1, 0, 0, 0); }", "1:16: prop A: mass_kg must be positive"),
        ("ENTITIES { A = Box(1, 1, 0, 0, 0) }", "1:12: this is not an object."),
        ("ENTITIES { A = Heightfield(no.hf); }", "1:28: no file named no.hf."),
        ("THINGS { }", "1:1: expected DEFINE Name"),
        ("ENTITIES { A = Box(1, 1, 0, 0, 0); A = Box(1, 1, 0, 0, 0); }", "1:36: two entities are named 'A'."),
    ],
)
def test_mistakes_are_shown_where_they_are(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'base.env'}:{says}")


def test_a_script_names_its_environment_or_has_the_one_beside_it(tmp_path: Path) -> None:
    (tmp_path / "base.env").write_text("ENTITIES { GROUND = 2DPlane(-1, -.5, 1, -.5); }")
    (tmp_path / "steps.env").write_text("ENTITIES { STEPS = Stairs(.5, .3, .2, 2); }")
    text = one_phase("POSE lHip(0);")
    assert open_world(tmp_path, text).terrain.plane_height_m == -0.5
    world = open_world(tmp_path, "ENVIRONMENT steps.env;\n" + text)
    assert [p.name for p in world.props] == ["STEPS.1", "STEPS.2"]
    assert world.terrain.plane_height_m == 0.0
    with pytest.raises(
        FileFormatError, match=r"main.ctl:1:13: no environment named 'stps.env'.*Did you mean 'steps.env'"
    ):
        open_world(tmp_path, "ENVIRONMENT stps.env;\n" + text)


def test_a_parameter_of_the_script_may_stand_for_a_number(tmp_path: Path) -> None:
    import poise.api as api

    (tmp_path / "base.env").write_text(
        "ENTITIES { BLOCK = Stairs(.5, .3, height, 1); BALL = Sphere(1, .1, 3, 1, -10); }"
    )
    (tmp_path / "main.ctl").write_text("SET height = .2\n" + one_phase("POSE lHip(height);", parameters="height"))
    for values, height in (({}, 0.2), ({"height": 0.3}, 0.3)):
        block, ball = api.Scene(str(tmp_path / "main.ctl"), "planar17", values).open().props
        assert block.shapes[0].size_m[2] == pytest.approx(height)
        assert ball.position_m[2] == 1.0


def test_what_depends_on_no_parameter_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "base.env").write_text("ENTITIES { BLOCK = Stairs(.5, .3, .1, 1); }")
    (tmp_path / "main.ctl").write_text("SET height = .2\n" + one_phase("POSE lHip(height);", parameters="height"))
    controller = build_controller(tmp_path / "main.ctl", PLANAR17, "main")
    assert controller.with_values({"height": 0.3}).environment is controller.environment


def test_a_name_that_is_no_parameter_is_shown_with_those_that_are(tmp_path: Path) -> None:
    (tmp_path / "base.env").write_text("ENTITIES { BLOCK = Stairs(.5, .3, hight, 1); }")
    (tmp_path / "main.ctl").write_text("SET height = .2\n" + one_phase("POSE lHip(height);", parameters="height"))
    with pytest.raises(
        FileFormatError, match=r"a number is expected, got 'hight'; parameters of the script .*: height"
    ):
        build_controller(tmp_path / "main.ctl", PLANAR17, "main")


def test_a_ground_that_people_ask_for_counts_more(tmp_path: Path) -> None:
    import poise.api as api

    (tmp_path / "base.env").write_text("ENTITIES { GROUND = 2DPlane(-1, -.5, 1, -.5); BOX = Box(2, .2, 3, .1, -10); }")
    (tmp_path / "main.ctl").write_text(one_phase("POSE lHip(0);"))
    world = api.Scene(str(tmp_path / "main.ctl"), terrain="slope:3").open()
    assert world.terrain.name == "slope"
    assert [p.name for p in world.props] == ["BOX"]
    assert [p.name for p in world.twin().props] == ["BOX"]
