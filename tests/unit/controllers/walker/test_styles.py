"""The walker's styles: files that load, errors that help, curves that go on over the change of legs."""

from __future__ import annotations

import tomllib
from typing import Any

import numpy as np
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from poise.controllers.walker import layout
from poise.controllers.walker.styles import (
    ANGLE_RANGE,
    LIBRARY,
    OFFSET_RANGE,
    OWN,
    PLAIN,
    TEMPO_RANGE,
    UNITS,
    Style,
    read_style,
    shipped_styles,
    write_style,
)
from poise.controllers.walker.table import WalkerSpec
from poise.errors import InputError

NAMES = list(shipped_styles())
#: Role in which the curve of an arm or ankle continues when the legs change roles.
OTHER = {"stance": "swing", "swing": "stance"}
SPINE = ("pelvis", "back", "chest", "neck")


def read(**table: Any) -> Style:
    return read_style("mine", table, "mine.toml")


def message(**table: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(**table)
    return str(caught.value)


def test_there_are_fourteen_or_more_and_plain_is_the_first() -> None:
    assert len(NAMES) >= 14
    assert NAMES[0] == PLAIN and OWN not in NAMES
    assert sorted(NAMES) == sorted(path.stem for path in LIBRARY.glob("*.toml"))


def test_the_law_has_room_for_all_of_them_and_one_to_edit() -> None:
    assert list(WalkerSpec({}, {}, {}).all_styles()) == [*NAMES, OWN]


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_style_says_what_it_is(name: str) -> None:
    style = shipped_styles()[name]
    assert style.name == name
    assert 20 <= len(style.description) <= 100 and not style.description.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_spine_and_arms_go_on_over_the_change_of_legs(name: str) -> None:
    style = shipped_styles()[name]
    for segment in SPINE:
        pitch, roll, yaw = (style.curve(f"{segment}_{plane}") for plane in ("pitch", "roll", "yaw"))
        assert pitch[-1] == pitch[0], segment
        # They are given for the left leg and change sign on the right one.
        assert (roll[-1], yaw[-1]) == (-roll[0], -yaw[0]), segment
    for channel in layout.CHANNELS:
        role, _, joint = channel.partition("_")
        if role in OTHER and joint != "knee":
            assert style.curve(channel)[-1] == style.curve(f"{OTHER[role]}_{joint}")[0], channel
    assert style.curve("stance_knee")[-1] == style.curve("stance_knee")[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_step_begins_and_ends_where_the_balance_wants_it(name: str) -> None:
    for channel in ("foot_forward", "foot_outward", "foot_up"):
        points = shipped_styles()[name].curve(channel)
        assert points[0] == points[-1] == 0.0, channel


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_style_stays_within_what_walks(name: str) -> None:
    style = shipped_styles()[name]
    assert all(0.15 <= v <= 0.9 for v in style.curve("stance_knee"))
    assert all(0.0 <= v <= 0.2 for v in style.curve("foot_up"))
    for segment in SPINE[:3]:
        assert all(abs(v) <= 0.5 for v in style.curve(f"{segment}_pitch")), segment
    # Standing holds the middle of the curves, and a pelvis that is tilted on two legs tips the body over.
    assert style.curve("pelvis_roll")[2] == style.curve("pelvis_yaw")[2] == 0.0


def _curves() -> st.SearchStrategy[np.ndarray]:
    def points(channel: str) -> st.SearchStrategy[list[float]]:
        value = st.floats(*(ANGLE_RANGE if UNITS[channel] == "rad" else OFFSET_RANGE))
        return st.one_of(
            st.just([0.0] * layout.KEYS),
            value.map(lambda v: [v] * layout.KEYS),
            st.lists(value, min_size=layout.KEYS, max_size=layout.KEYS),
        )

    return st.tuples(*(points(c) for c in layout.CHANNELS)).map(np.array)


@given(_curves(), st.floats(*TEMPO_RANGE), st.sampled_from(["", "a walk of one's own"]))
def test_what_is_written_reads_back(curves: np.ndarray, tempo: float, description: str) -> None:
    style = Style("mine", description, tempo, curves)
    back = read_style("mine", tomllib.loads(tomli_w.dumps(write_style(style))), "mine.toml")
    assert (back.description, back.tempo) == (description, tempo)
    np.testing.assert_array_equal(back.curves, curves)


def test_channels_that_are_zero_are_not_written() -> None:
    assert write_style(read(curves={"neck_pitch_rad": 0.0})) == {"tempo": 1.0, "curves": {}}
    assert write_style(read(curves={"neck_pitch": 0.2}))["curves"] == {"neck_pitch_rad": 0.2}


def test_a_number_is_a_curve_that_stays() -> None:
    assert read(curves={"stance_knee_rad": 0.3}).curve("stance_knee") == (0.3,) * layout.KEYS


def test_an_unknown_channel_names_the_nearest() -> None:
    text = message(curves={"neck_pich_rad": 0.1})
    assert text.startswith("mine.toml: curves.neck_pich_rad: no channel named 'neck_pich_rad'. Known here: pelvis_")
    assert text.endswith("Did you mean 'neck_pitch_rad'?")


def test_an_unknown_key_names_what_is_known() -> None:
    assert message(tempi=1.0) == (
        "mine.toml: tempi: no key named 'tempi'. Known here: description, tempo, curves. Did you mean 'tempo'?"
    )


@pytest.mark.parametrize("value", [[0.1, 0.2], [0.1] * 6, "high", True, [0.1, 0.1, 0.1, 0.1, "x"]])
def test_a_curve_has_five_numbers_or_one(value: Any) -> None:
    want = f"mine.toml: curves.chest_roll_rad: chest_roll must be a number or a list of 5 numbers, got {value!r}."
    assert message(curves={"chest_roll_rad": value}) == want


@pytest.mark.parametrize(
    "table, text",
    [
        (
            {"curves": {"neck_yaw_rad": 4.0}},
            "mine.toml: curves.neck_yaw_rad: neck_yaw_rad is out of range, got 4.0 rad. Allowed: -3.2 to 3.2 rad.",
        ),
        (
            {"curves": {"foot_up_m": [0.0, 0.1, 0.7, 0.1, 0.0]}},
            "mine.toml: curves.foot_up_m: foot_up_m is out of range, got 0.7 m. Allowed: -0.6 to 0.6 m.",
        ),
        (
            {"curves": {"back_roll_rad": float("nan")}},
            "mine.toml: curves.back_roll_rad: back_roll_rad is out of range, got nan rad. Allowed: -3.2 to 3.2 rad.",
        ),
        ({"tempo": 3.0}, "mine.toml: tempo: out of range, got 3.0. Allowed: 0.4 to 2.5."),
        ({"tempo": "slow"}, "mine.toml: tempo: must be a number, got 'slow'."),
        ({"curves": [0.1]}, "mine.toml: curves: must be a table, got [0.1]."),
    ],
)
def test_a_value_that_is_wrong_is_named_with_what_is_allowed(table: dict[str, Any], text: str) -> None:
    assert message(**table) == text
