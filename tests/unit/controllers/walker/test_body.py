"""The body's measures: soles, bones, proportions."""

from __future__ import annotations

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.characters.model import SIDES
from poise.characters.random_bodies import random_body
from poise.characters.toeless import without_toes
from poise.controllers.catalog import load_controller
from poise.controllers.walker import layout
from poise.controllers.walker.body import sole_of

WALK = "walker/walk"
BODIES = ("humanoid", "beast1", "beast2", "robot")


@pytest.mark.parametrize("name", BODIES)
def test_a_sole_lies_around_its_ankle(name: str) -> None:
    body = load_character(name)
    for side in SIDES:
        heel, toe, inner, outer, depth = sole_of(body, side)
        assert heel < 0.0 < toe and inner < 0.0 < outer and depth > 0.0
        assert toe - heel > outer - inner


def test_soles_are_the_same_on_both_sides_and_with_fixed_toes() -> None:
    body = load_character("humanoid")
    assert sole_of(body, "left") == pytest.approx(sole_of(body, "right"))
    assert sole_of(without_toes(body), "left") == pytest.approx(sole_of(body, "left"))


def test_a_random_body_is_measured() -> None:
    body = random_body(load_character("humanoid"), 5)
    record = load_controller(WALK, body).params.view(layout.PARAMS)[0]
    at = body.reference_positions_m()
    for k, side in enumerate(SIDES):
        hip, knee = (np.array(at[body.roles[f"{side}_{part}"]]) for part in ("thigh", "shank"))
        assert record.thigh[k] == pytest.approx(np.linalg.norm(hip - knee))
    assert record.thigh[0] != pytest.approx(record.thigh[1])
