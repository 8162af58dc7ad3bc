"""Numbers, assignments, pushes and changes as people type them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.cli.values import (
    parse_assignments,
    parse_change,
    parse_number,
    parse_push,
    parse_seed,
    parse_settings,
    parse_whole,
)
from poise.errors import InputError, PoiseError
from poise.rollout.simulate import Change
from poise.world.world import Push


def complaint(parse, *args: object) -> str:
    with pytest.raises(InputError) as caught:
        parse(*args)
    return str(caught.value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_comes_back(value: float) -> None:
    assert parse_number("--seconds", repr(value)) == value


@pytest.mark.parametrize("text", ["nan", "inf", "-Infinity", "1e999"])
def test_numbers_are_finite(text: str) -> None:
    assert complaint(parse_number, "--seconds", text) == (
        f"--seconds: not a finite number, got {text!r}. Write a number such as 0.5."
    )


@pytest.mark.parametrize(
    ("parse", "args", "text"),
    [
        (parse_number, ("--seconds", "soon"), "--seconds: not a number, got 'soon'. Write a number such as 0.5."),
        (parse_number, ("--seconds", ""), "--seconds: not a number, got ''. Write a number such as 0.5."),
        (
            parse_number,
            ("--seconds", "-1", 0.0, None, "s"),
            "--seconds: the number is out of range, got -1.0 s. Allowed: at least 0 s.",
        ),
        (
            parse_whole,
            ("--port", "8080.5", 0, 65535),
            "--port: not a whole number, got '8080.5'. Write a number such as 3.",
        ),
        (
            parse_whole,
            ("--port", "70000", 0, 65535),
            "--port: the number is out of range, got 70000. Allowed: 0 to 65535.",
        ),
        (parse_seed, ("-3",), "--seed: the number is out of range, got -3. Allowed: 0 to 4294967295."),
        (parse_settings, ("--set", ["speed"]), "--set: a name and a value are needed, got 'speed'. Write name=value."),
        (parse_settings, ("--set", ["=3"]), "--set: a name and a value are needed, got '=3'. Write name=value."),
        (
            parse_settings,
            ("--set", ["speed=1,5"]),
            "--set speed: not a number, got '1,5'. Write a number such as 0.5.",
        ),
        (
            parse_settings,
            ("--set", ["speed=inf"]),
            "--set speed: not a finite number, got 'inf'. Write a number such as 0.5.",
        ),
        (
            parse_assignments,
            ("--scale", ["legs=long"]),
            "--scale legs: not a number, got 'long'. Write a number such as 0.5.",
        ),
        (parse_assignments, ("--scale", ["legs=1", "legs=2"]), "--scale: legs is given twice, got 'legs=2'."),
        (
            parse_push,
            ("600,0",),
            "--push: four numbers and an optional segment are needed, got '600,0'. Write "
            "N,DEG,START,DURATION[,SEGMENT], such as 600,0,5,0.1 for 600 N forward at 5 s for 0.1 s.",
        ),
        (parse_push, ("600,0,x,1",), "--push start: not a number, got 'x'. Write a number such as 0.5."),
        (parse_push, ("600,0,-1,1",), "push: start_s is out of range, got -1.0. Allowed: 0 to 1e+06."),
        (
            parse_change,
            ("speed=3",),
            "--at: a time and a value are needed, got 'speed=3'. Write T:name=value, such as 3:lift_duration=0.25 for "
            "a new value from 3 s on.",
        ),
        (parse_change, ("-1:speed=3",), "--at time: the number is out of range, got -1.0 s. Allowed: at least 0 s."),
        (parse_change, ("3:speed",), "--at 3: a name and a value are needed, got 'speed'. Write name=value."),
    ],
)
def test_what_cannot_be_read_is_refused(parse, args: tuple[object, ...], text: str) -> None:
    assert complaint(parse, *args) == text


def test_assignments_become_names_and_numbers() -> None:
    assert parse_assignments("--scale", ["a=1", " b = -2e-3 "]) == {"a": 1.0, "b": -0.002}


def test_settings_may_be_words() -> None:
    assert parse_settings("--set", ["style=march", "speed=1e-1", "gait=slow-walk"]) == {
        "style": "march",
        "speed": 0.1,
        "gait": "slow-walk",
    }


def test_pushes_and_changes_become_objects() -> None:
    assert parse_push("600, 0,5,0.1") == Push(600.0, 0.0, 5.0, 0.1)
    assert parse_push("-600,90,5,0.1,head") == Push(-600.0, 90.0, 5.0, 0.1, "head")
    assert parse_change("3:speed=0.5") == Change(3.0, "speed", 0.5)
    assert parse_change("3:style=march") == Change(3.0, "style", "march")


@given(st.text(max_size=30))
def test_no_text_is_misread(text: str) -> None:
    for parse in (parse_push, parse_change, parse_seed, lambda t: parse_settings("--set", [t])):
        try:
            parsed = parse(text)
        except PoiseError:
            continue
        numbers = [v for v in (vars(parsed).values() if hasattr(parsed, "__dict__") else [parsed]) if v is not None]
        assert all(math.isfinite(v) for v in numbers if isinstance(v, float))


def test_keys_go_down_and_up_at_a_time() -> None:
    assert [(c.at_s, c.name, c.value) for c in map(parse_change, ("2:+w", "3.5:-7"))] == [
        (2.0, "key_W", 1.0),
        (3.5, "key_7", 0.0),
    ]
