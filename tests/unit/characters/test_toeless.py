"""Without toe joints: two degrees of freedom fewer, the same masses in the same places."""

import pytest

from poise.characters.catalog import load_character
from poise.characters.kinematics import compute_center_of_mass_m, compute_frames
from poise.characters.read_toml import load_character_toml
from poise.characters.toeless import without_toes
from poise.characters.write_toml import save_character_toml
from poise.errors import InputError
from poise.world.world import World

HUMANOID = load_character("humanoid")
TOELESS = without_toes(HUMANOID)


def test_two_degrees_of_freedom_fewer_and_the_same_mass() -> None:
    assert TOELESS.name == "humanoid-toeless"
    assert TOELESS.root_dofs + len(TOELESS.axes) == 35
    assert TOELESS.mass_kg == pytest.approx(HUMANOID.mass_kg)
    assert compute_center_of_mass_m(TOELESS) == pytest.approx(compute_center_of_mass_m(HUMANOID))
    assert "left_toes" not in TOELESS.roles
    assert set(HUMANOID.axis_names) - set(TOELESS.axis_names) == {"left_toe_pitch", "right_toe_pitch"}


def test_the_foot_reaches_to_the_tips_of_the_toes() -> None:
    (box,) = TOELESS.segment("left_foot").shapes
    before = HUMANOID.segment("left_foot").shapes[0]
    assert box.size_m == pytest.approx((0.21, 0.10, 0.045))
    assert box.center_m[0] - box.size_m[0] / 2 == pytest.approx(before.center_m[0] - before.size_m[0] / 2)
    assert box.center_m[0] + box.size_m[0] / 2 == pytest.approx(0.15)


def test_landmarks_stay_where_they_were() -> None:
    here, there = compute_frames(HUMANOID), compute_frames(TOELESS)
    for m, n in zip(HUMANOID.landmarks, TOELESS.landmarks, strict=True):
        assert there[n.segment].place(n.position_m) == pytest.approx(here[m.segment].place(m.position_m))


def test_it_is_a_character_like_any_other(tmp_path) -> None:
    save_character_toml(TOELESS, tmp_path / "toeless.toml")
    assert load_character_toml(tmp_path / "toeless.toml") == TOELESS
    assert World([TOELESS]).model.nv == 35


def test_bodies_without_toes_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        without_toes(load_character("biped7"))
    assert str(caught.value) == "character biped7: it has no toes attached to its feet."
