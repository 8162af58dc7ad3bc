"""What a search writes: found values go back into the controller's file as they were run."""

import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller, read_controller_file, revise_table
from poise.controllers.simbicon import planar
from poise.errors import NotFoundError
from poise.search.problem import round_values


@pytest.mark.parametrize("body", ["biped7", "bigbird2d"])
@pytest.mark.parametrize("name", ["simbicon/planar-walk", "simbicon/planar-run"])
def test_a_revised_table_makes_the_controller_that_was_run(name, body):
    character = load_character(body)
    controller = load_controller(name, character)
    values = {p.name: 0.5 * (controller.value(p.name) + 0.1) for p in controller.parameters}
    table = revise_table(planar.METHOD, read_controller_file(name).table, values, character)
    revised = planar.build_from_table(table, character, name, "")
    assert revised.params == pytest.approx(controller.with_values(values).params)
    assert revised.start == controller.start


def test_a_limit_cycle_is_written_back_by_its_values():
    file = read_controller_file("limit-cycle/human12-run")
    table = revise_table(file.method, file.table, {"speed_gain": 0.7}, load_character("biped7"))
    assert table["values"] == {**file.table["values"], "speed_gain": 0.7} and table["like"] == file.table["like"]


def test_an_unknown_parameter_or_method_is_refused():
    character, table = load_character("biped7"), read_controller_file("simbicon/planar-walk").table
    with pytest.raises(NotFoundError, match="no parameter named 'lift_hip_rad'"):
        revise_table(planar.METHOD, table, {"lift_hip_rad": 0.1}, character)
    with pytest.raises(NotFoundError, match="no method that can be written back named 'pose-hold'"):
        revise_table("pose-hold", {}, {}, character)


def test_values_are_rounded_to_what_is_written():
    assert round_values({"a": 0.123456789, "b": -1234.5678, "c": 0.0}) == {"a": 0.12346, "b": -1234.6, "c": 0.0}
