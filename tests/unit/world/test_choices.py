"""Parameters that are choices: set by name or number, before and while it runs, and refused with the allowed names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.errors import InputError, NotFoundError
from poise.rollout.simulate import Change, simulate
from poise.world.controller import Controller, Parameter
from poise.world.linking import limp
from poise.world.world import World

STYLES = ("walk", "march", "sneak")
PARAMETERS = (Parameter("style", 0, 0, 2, "how it goes", choices=STYLES), Parameter("speed_mps", 1, -1.0, 2.0))


def make_controller() -> Controller:
    return Controller("stroll", limp, np.zeros(2), np.zeros(1), PARAMETERS)


@pytest.mark.parametrize("value", ["march", "March", 1, 1.0])
def test_a_choice_goes_by_name_or_number(value: float | str) -> None:
    assert make_controller().with_values({"style": value}).value("style") == 1.0


def test_a_world_takes_the_name_too() -> None:
    world = World([load_character("biped7")], [make_controller()])
    world.set_parameter("style", "sneak")
    assert world.params[0][0] == 2.0
    recording = simulate(world, 0.01, changes=[Change(0.005, "style", "march"), Change(0.006, "speed", 0.5)])
    assert world.params[0].tolist() == [1.0, 0.5]
    assert [e.detail for e in recording.events if e.kind == "parameter"] == ["style=march", "speed=0.5"]


@pytest.mark.parametrize(
    ("name", "value", "kind", "text"),
    [
        (
            "style",
            "marsh",
            NotFoundError,
            "controller stroll, style: no choice named 'marsh'. Known here: walk, march, sneak. Did you mean 'march'?",
        ),
        (
            "style",
            1.5,
            InputError,
            "controller stroll: style: not a valid choice, got 1.5. Allowed: walk (0), march (1), sneak (2).",
        ),
        (
            "style",
            float("nan"),
            InputError,
            "controller stroll: style: not a valid choice, got nan. Allowed: walk (0), march (1), sneak (2).",
        ),
        ("speed", "fast", InputError, "controller stroll: speed_mps must be a number, got 'fast'. Allowed: -1 to 2."),
        ("speed", 3.0, InputError, "controller stroll: speed_mps is out of range, got 3.0. Allowed: -1 to 2."),
    ],
)
def test_what_is_no_value_is_refused(name: str, value: float | str, kind: type[Exception], text: str) -> None:
    checks: list[Callable[[], object]] = [
        lambda: make_controller().with_values({name: value}),
        lambda: World([load_character("biped7")], [make_controller()]).set_parameter(name, value),
    ]
    for check in checks:
        with pytest.raises(kind) as caught:
            check()
        assert str(caught.value) == text


def test_the_range_of_a_choice_is_that_of_its_names() -> None:
    with pytest.raises(InputError) as caught:
        Parameter("style", 0, 0, 5, choices=STYLES)
    assert str(caught.value) == "parameter style: it has 3 choices, so it runs from 0 to 2, not from 0 to 5."


def test_values_are_shown_as_people_write_them() -> None:
    style, speed = PARAMETERS
    assert (style.show(2.0), speed.show(0.25)) == ("sneak", "0.25")
