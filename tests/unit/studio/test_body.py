"""The proportions that can be changed are those that the body has."""

import numpy as np
import pytest

pytest.importorskip("nicegui")

from poise.characters.catalog import load_character
from poise.characters.knees import compute_knee
from poise.characters.model import Character
from poise.characters.proportions import PARTS, scaled
from poise.studio.body import ORDER, list_bodies, list_parts, rescale
from poise.studio.scenario import Scenario, load_body

WALK = Scenario("walker/walk", "humanoid")


def test_every_part_has_its_slider() -> None:
    assert sorted(ORDER) == sorted(PARTS)
    parts = list_parts(WALK)
    assert list(parts) == list(ORDER)
    assert parts["legs"] == parts["mass"] == 1.0
    assert 0.3 < parts["knee"] == parts["left_knee"] < 0.7


def test_a_body_without_arms_has_no_sliders_for_them() -> None:
    parts = list_parts(Scenario("simbicon/planar-walk", "biped7"))
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


def measure(character: Character) -> np.ndarray:
    """Mass and length of every segment, by its place and shapes."""
    sizes = [sum(size for shape in s.shapes for size in shape.size_m) for s in character.segments]
    return np.array([*(s.mass_kg for s in character.segments), *sizes])


@pytest.mark.parametrize(("name", "seed"), [("humanoid", 7), ("humanoid", 41), ("planar17", 3), ("bird", 5)])
def test_the_dice_move_every_slider(name: str, seed: int) -> None:
    """What the sliders show are the proportions of the body, relative to the original."""
    controller = "simbicon/bird-walk" if name == "bird" else "pose/hold"
    rolled = Scenario(controller, name, random_body=seed)
    parts, before = list_parts(rolled), list_parts(Scenario(controller, name))
    assert list(parts) == list(before)
    assert all(parts[part] != before[part] for part in parts)
    drawn = load_body(rolled)
    assert np.allclose(measure(scaled(load_character(name), **parts)), measure(drawn), rtol=1e-6)


def test_a_slider_goes_on_from_what_the_dice_gave() -> None:
    rolled = Scenario("walker/walk", "humanoid", random_body=7)
    parts = list_parts(rolled)
    longer = rescale(rolled, "legs", 1.1 * parts["legs"], parts["legs"])
    assert longer.random_body == 7 and dict(longer.scale) == {"legs": pytest.approx(1.1)}
    thigh = load_body(rolled).roles["left_thigh"]
    one, other = (load_body(s).segment(thigh).shapes[0].size_m[1] for s in (rolled, longer))
    assert other == pytest.approx(1.1 * one)
    assert rescale(longer, "legs", parts["legs"], parts["legs"]) == rolled
    bent = rescale(rolled, "left_knee", 0.45, parts["left_knee"])
    assert compute_knee(load_body(bent), "left") == pytest.approx(0.45)
