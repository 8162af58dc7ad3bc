"""Planar gaits as data: what is read is what is packed, and nonsense is refused with its place."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller, read_controller_file
from poise.controllers.simbicon import planar, planar_law
from poise.errors import InputError, PoiseError
from refusals import ANYTHING, replace_inside

WALK = "simbicon/planar-walk"


def walk_table() -> dict[str, Any]:
    return copy.deepcopy(dict(read_controller_file(WALK).table))


def test_reading_and_writing_give_the_same_gait() -> None:
    gait = planar.read_gait(walk_table(), WALK)
    assert planar.read_gait(planar.write_gait(gait), WALK) == gait


def test_every_parameter_stands_where_its_name_says() -> None:
    character = load_character("biped7")
    controller = load_controller(WALK, character)
    assert controller.value("lift_swing_hip_rad") == 0.4
    assert controller.value("strike_cd") == 2.2
    changed = controller.with_values({"strike_swing_knee": 0.3})
    assert changed.value("strike_swing_knee_rad") == 0.3
    assert controller.value("strike_swing_knee_rad") == 0.05
    assert np.count_nonzero(changed.params != controller.params) == 1


def test_a_heavier_body_gets_a_stronger_trunk() -> None:
    from poise.characters.proportions import scaled

    character = load_character("biped7")
    heavy = scaled(character, mass=2.0)
    ratio = load_controller(WALK, heavy).value("torso_kp") / load_controller(WALK, character).value("torso_kp")
    assert ratio == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("torso_kp_nm_per_rad",), "stiff", "gait: torso_kp_nm_per_rad: must be a number, got 'stiff'."),
        (("mass_kg",), -1.0, "gait: mass_kg: out of range, got -1.0. Allowed: 0.1 to 10000."),
        (("states", 0, "until"), "contct", "Did you mean 'contact'?"),
        (("states", 0, "duration_s"), 0.0, "gait: states[0].duration_s: out of range, got 0.0. Allowed: 0.02 to 2."),
        (
            ("states", 1, "swing_hip_rad"),
            [],
            "gait: states[1].swing_hip_rad: wrong number of values, got 0. Allowed: 1 to 6.",
        ),
        (
            ("states", 1, "swing_hip_rad"),
            40.0,
            "gait: states[1].swing_hip_rad: out of range, got 40.0. Allowed: -3.2 to 3.2.",
        ),
        (("states", 1, "swing_hipp_rad"), 0.1, "Did you mean 'swing_hip_rad'?"),
        (("states",), {}, "gait: states: must be a list of tables, got {}."),
        (("start",), 3, "gait: start: must be a table, got 3."),
    ],
)
def test_nonsense_is_refused_with_its_place(path: tuple[Any, ...], value: Any, message: str) -> None:
    table: Any = walk_table()
    replace_inside(table, path, value)
    with pytest.raises(InputError) as caught:
        planar.read_gait(table, "gait")
    assert message in str(caught.value)


def test_a_missing_channel_is_named() -> None:
    table = walk_table()
    del table["states"][0]["swing_knee_rad"]
    with pytest.raises(InputError) as caught:
        planar.read_gait(table, "gait")
    assert "state lift: no target for swing_knee." in str(caught.value)


@given(st.sampled_from([*walk_table(), "start"]), st.sampled_from(["", *walk_table()["states"][0]]), ANYTHING)
def test_fuzzed_tables_give_a_gait_or_a_poise_error(key: str, inner: str, value: Any) -> None:
    table = walk_table()
    replace_inside(table, ("states", 0, inner) if inner else (key,), value)
    try:
        gait = planar.read_gait(table, "gait")
        controller = planar.build(gait, load_character("biped7"), "gait")
    except PoiseError:
        return
    assert np.isfinite(controller.params).all()


def test_the_mirror_image_of_the_memory_stands_on_the_other_leg() -> None:
    memory = np.array([1.0, 0.0, 0.2, 5.0])
    assert planar_law.read_memory(planar.mirror_memory(memory)).stance == 1.0
    assert planar.mirror_memory(planar.mirror_memory(memory)).tolist() == memory.tolist()


@pytest.mark.parametrize("scale", [{"left_leg": 1.02}, {"right_leg": 1.02}, {"left_leg": 0.99}])
def test_slightly_uneven_legs_walk_from_rest(scale: dict[str, float]) -> None:
    import poise

    assert not poise.run("simbicon/planar-walk", scale=scale, seconds=10.0).metrics.fallen
