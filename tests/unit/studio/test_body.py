"""The proportions that can be changed are those that the body has."""

import pytest

pytest.importorskip("nicegui")

from poise.characters.catalog import load_character
from poise.characters.proportions import PARTS
from poise.studio.body import ORDER, list_bodies, list_parts, rescale
from poise.studio.scenario import Scenario, load_body

WALK = Scenario("walker/walk", "humanoid")


def test_every_part_has_its_slider() -> None:
    assert sorted(ORDER) == sorted(PARTS)
    parts = list_parts(load_character("humanoid"))
    assert list(parts) == list(ORDER)
    assert parts["legs"] == parts["mass"] == 1.0
    assert 0.3 < parts["knee"] == parts["left_knee"] < 0.7


def test_a_body_without_arms_has_no_sliders_for_them() -> None:
    parts = list_parts(load_character("biped7"))
    assert not {"arms", "left_arm", "head"} & set(parts)
    assert {"legs", "trunk", "mass", "knee"} <= set(parts)


def test_a_changed_proportion_is_kept_until_it_is_put_back() -> None:
    longer = rescale(WALK, "legs", 1.2, 1.0)
    assert longer.scale == (("legs", 1.2),)
    both = rescale(longer, "mass", 0.8, 1.0)
    assert dict(both.scale) == {"legs": 1.2, "mass": 0.8}
    assert rescale(rescale(both, "legs", 1.0, 1.0), "mass", 1.002, 1.0) == WALK
    assert load_body(longer).mass_kg > load_body(WALK).mass_kg


def test_the_list_holds_what_the_controller_can_run_on() -> None:
    bodies = list_bodies("walker/walk")
    assert {"humanoid", "beast1", "beast2", "robot"} <= set(bodies)
    assert "biped7" not in bodies
