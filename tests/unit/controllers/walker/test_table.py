"""The walker's table: parameters, gains, earlier names, and what is wrong with one."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller, read_controller_file, revise_table
from poise.controllers.walker import layout, spec
from poise.controllers.walker.fields import load_fields
from poise.controllers.walker.table import read_spec
from poise.errors import FileFormatError, InputError, PoiseError
from poise.world.controller import Controller

WALK = "walker/walk"


def walk_table() -> dict[str, Any]:
    return copy.deepcopy(dict(read_controller_file(WALK).table))


def record_of(controller: Controller) -> Any:
    return controller.params.view(layout.PARAMS)[0]


def test_every_parameter_stands_where_its_name_says() -> None:
    controller = load_controller(WALK, load_character("humanoid"))
    for parameter in controller.parameters:
        value = parameter.high if parameter.choices else 0.5 * (parameter.low + parameter.high) + 0.01
        changed = controller.with_values({parameter.name: value})
        assert np.flatnonzero(changed.params != controller.params).tolist() in ([parameter.index], [])
        assert changed.value(parameter.name) == pytest.approx(value)
    places = [p.index for p in controller.parameters]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"vales": {}}, "no key named 'vales'"),
        ({"values": {"sped_mps": 1.0}}, "no value named 'sped_mps'"),
        ({"values": {"speed_mps": "fast"}}, "values.speed_mps: must be a number, got 'fast'"),
        ({"values": {"speed_mps": True}}, "values.speed_mps: must be a number, got True"),
        ({"values": {"reach": 7.0}}, "reach"),
        ({"values": {"style": "moonwalk"}}, "no style named 'moonwalk'"),
        ({"values": 3}, "values: must be a table, got 3"),
        ({"gains": {"tail": [1.0, 1.0]}}, "no joint named 'tail'"),
        ({"gains": {"knee": 5.0}}, "gains.knee: must be a list of 2 numbers, got 5.0"),
        ({"gains": {"knee": [5.0, -1.0]}}, "knee"),
        ({"styles": {"mine": {"speed": 1.0}}}, "no key named 'speed'"),
        ({"styles": {"mine": {"curves": {"tail_rad": 1.0}}}}, "no channel named 'tail_rad'"),
        ({"styles": {"mine": {"curves": {"back_pitch_rad": [1.0, 2.0]}}}}, "a list of 5 numbers"),
        ({"styles": {"mine": {"curves": {"back_pitch_rad": 9.0}}}}, "back_pitch_rad"),
        ({"styles": {"mine": {"tempo": "slow"}}}, "styles.mine.tempo: must be a number"),
    ],
)
def test_what_is_wrong_with_a_spec_is_said(table: dict[str, Any], said: str) -> None:
    with pytest.raises(PoiseError) as caught:
        read_spec(table, "mine")
    assert said in str(caught.value) and str(caught.value).startswith("mine")


def test_a_misspelt_name_is_guessed() -> None:
    with pytest.raises(InputError, match=r"Did you mean 'speed_mps'\?"):
        read_spec({"values": {"speed_mp": 1.0}}, "mine")


def test_a_file_with_the_earlier_names_gives_the_same_spec() -> None:
    names, fields = load_fields().earlier_names, load_fields().all
    assert not set(names) & set(fields) and set(names.values()) <= set(fields)
    earlier = {name: fields[new].low for name, new in names.items()}
    current = {names[name]: value for name, value in earlier.items()}
    assert read_spec({"values": earlier}, "mine") == read_spec({"values": current}, "mine")
    revised = revise_table(spec.METHOD, {"values": {"knock": 2.0}}, {"impact_gain": 3.0}, load_character("humanoid"))
    assert revised == {"values": {"impact_gain": 3.0}}


def test_details_are_set_in_a_file_only() -> None:
    assert set(load_fields().details) <= set(load_fields().all)
    character = load_character("humanoid")
    late = spec.build(character, "mine", table={"values": {"late_step_ratio": 2.0}})
    assert record_of(late).late_step_ratio == 2.0
    assert record_of(spec.build(character, "mine", table={})).late_step_ratio == 1.3
    with pytest.raises(InputError, match="controller mine: no parameter named 'late_step_ratio'"):
        late.with_values({"late_step_ratio": 2.0})


def test_every_default_is_in_its_range() -> None:
    for field in load_fields().all.values():
        assert field.low <= field.default <= field.high and field.scale in ("", "mass", "length", "hips")
    assert load_fields().commands["style"].high == layout.MAX_STYLES - 1


def test_a_value_under_both_its_names_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        read_spec({"values": {"impact_gain": 1.0, "knock": 2.0}}, "mine")
    assert str(caught.value) == "mine: values.knock: is the earlier name of impact_gain, which is also given."


def test_a_body_in_the_plane_is_refused() -> None:
    with pytest.raises(InputError, match="character biped7: the walker needs a free root, but this body is planar"):
        load_controller(WALK, load_character("biped7"))


def test_a_bad_file_says_where(tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('method = "walker"\ncharacter = "humanoid"\ndescription = "x"\n[values]\nreech = 0.5\n')
    with pytest.raises(FileFormatError, match=r"mine\.toml:5:1: values\.reech: .*Did you mean 'reach'\?"):
        load_controller(str(path), load_character("humanoid"))


def test_gains_and_forces_follow_the_mass_and_lengths_the_leg() -> None:
    table = walk_table()
    heavy, usual = (record_of(load_controller(WALK, load_character(b))) for b in ("beast1", "humanoid"))
    ratio = load_character("beast1").mass_kg / load_character("humanoid").mass_kg
    assert np.allclose(heavy.gain, ratio * usual.gain)
    assert heavy.stand_kp == pytest.approx(ratio * usual.stand_kp)
    legs = [min(r.thigh[k] + r.shank[k] for k in range(2)) for r in (heavy, usual)]
    assert heavy.step_height == pytest.approx(usual.step_height * legs[0] / legs[1])
    assert usual.placement_speed_gain == table["values"].get("placement_speed_gain", usual.placement_speed_gain)


def test_what_was_searched_is_written_back() -> None:
    character = load_character("beast2")
    values = {"placement_speed_gain": 1.41, "step_height_m": 0.2, "stand_kp_npm": 3000.0}
    table = revise_table(spec.METHOD, walk_table(), values, character)
    again = spec.build(character, WALK, table=table)
    assert again.values() == pytest.approx(load_controller(WALK, character).with_values(values).values())
