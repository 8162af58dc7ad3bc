"""Curves are written into a walker's parameters, and joined where the legs change."""

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.controllers.walker import layout
from poise.controllers.walker.styles import (
    GROUPS,
    copy_style,
    find_partner,
    read_curve,
    read_slot,
    write_curve,
    write_tempo,
)
from poise.errors import InputError, NotFoundError

RAMP = [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.fixture
def params() -> NDArray[np.float64]:
    values = np.zeros(layout.PARAMS_SIZE)
    values.view(layout.PARAMS)[0].tempo[:] = 1.0
    return values


def test_the_groups_hold_every_channel_once() -> None:
    assert tuple(c for group in GROUPS.values() for c in group) == layout.CHANNELS


def test_a_curve_is_written_where_the_law_reads_it(params: NDArray[np.float64]) -> None:
    write_curve(params, 3, "neck_pitch", RAMP)
    assert params.view(layout.PARAMS)[0].styles[3, layout.CHANNEL["neck_pitch"]].tolist() == RAMP
    assert read_curve(params, 3, "neck_pitch_rad") == tuple(RAMP)
    assert np.count_nonzero(params.view(layout.PARAMS)[0].styles) == 5


def test_joined_arms_go_on_where_the_other_ends(params: NDArray[np.float64]) -> None:
    write_curve(params, 0, "stance_elbow", RAMP, joined=True)
    swing = read_curve(params, 0, "swing_elbow")
    assert (swing[0], swing[-1]) == (0.5, 0.1)
    assert swing[1:4] == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("channel", "sign"), [("back_pitch", 1.0), ("back_roll", -1.0), ("pelvis_yaw", -1.0)])
def test_the_end_of_the_midline_that_is_moved_takes_the_other_along(
    params: NDArray[np.float64], channel: str, sign: float
) -> None:
    write_curve(params, 0, channel, [0.2, 0.0, 0.0, 0.0, 0.0], joined=True)
    assert read_curve(params, 0, channel)[-1] == sign * 0.2
    write_curve(params, 0, channel, [0.2, 0.0, 0.0, 0.0, -0.1], joined=True)
    assert read_curve(params, 0, channel)[0] == -sign * 0.1


def test_what_has_no_partner_is_left_alone() -> None:
    assert find_partner("stance_knee") is None
    assert find_partner("foot_up") is None
    assert find_partner("swing_ankle") == ("stance_ankle", 1.0)


def test_a_style_is_copied_whole(params: NDArray[np.float64]) -> None:
    write_curve(params, 1, "foot_up", [0.0, 0.1, 0.2, 0.1, 0.0])
    write_tempo(params, 1, 1.5)
    copy_style(params, 1, 4)
    style = read_slot(params, 4, "mine")
    assert style.curve("foot_up") == (0.0, 0.1, 0.2, 0.1, 0.0)
    assert (style.name, style.tempo) == ("mine", 1.5)
    style.curves[:] = 9.0
    assert read_curve(params, 4, "foot_up")[2] == 0.2, "a slot that was read is a copy"


def test_wrong_curves_are_refused(params: NDArray[np.float64]) -> None:
    with pytest.raises(NotFoundError, match="no channel named 'nekc_pitch'"):
        write_curve(params, 0, "nekc_pitch", RAMP)
    with pytest.raises(InputError, match="must be a number or a list of 5 numbers"):
        write_curve(params, 0, "neck_pitch", [0.0, 1.0])
    with pytest.raises(InputError, match="out of range"):
        write_curve(params, 0, "foot_up", [0.0, 0.0, 0.7, 0.0, 0.0])
    with pytest.raises(InputError, match="tempo is out of range"):
        write_tempo(params, 0, 9.0)
    assert not np.any(params.view(layout.PARAMS)[0].styles)
