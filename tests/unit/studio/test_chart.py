"""The plot shows the last seconds, and marks the time in view when looking back."""

import numpy as np
import pytest

pytest.importorskip("nicegui")

from poise.studio.chart import PLOTS, make_update
from poise.studio.hud import describe_state
from poise.studio.moment import Moment
from poise.studio.published import View
from poise.studio.view import pack_pose

TRACE = np.array([[1.0, 1.1, 0.1, 300.0, 0.0], [2.0, 1.2, 0.2, 0.0, 400.0]])


def make_moment(**changes: object) -> Moment:
    fields = {
        "time_s": 2.0,
        "pose": np.arange(14.0).reshape(2, 7),
        "pushes": np.ones((1, 6)),
        "com_w_m": (1.0, 2.0, 3.0),
        "speed_mps": 1.0,
        "lean_rad": 0.0,
        "loads_n": (1.0, 2.0),
        "steps": 3,
        "fell_at_s": None,
    }
    return Moment(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", list(PLOTS))
def test_lines_end_now(kind: str) -> None:
    series = make_update(kind, TRACE, 2.0, 0.0)["series"]
    assert len(series) == 2
    assert [point[0] for point in series[0]["data"]] == [-1.0, 0.0]
    assert series[0]["markLine"]["data"] == []


def test_the_lean_is_in_degrees_and_the_past_is_marked() -> None:
    series = make_update("speed and lean", TRACE, 1.5, 0.5)["series"]
    assert series[1]["data"][1] == pytest.approx([0.0, np.rad2deg(0.2)], abs=1e-3)
    assert series[0]["markLine"]["data"] == [{"xAxis": -0.5}]


def test_a_pose_is_one_flat_list() -> None:
    numbers = pack_pose(View(leap=4, running=True, realtime_factor=0.98, moment=make_moment()))
    assert numbers[:9] == [2.0, 0.98, 4.0, 1.0, 2.0, 3.0, 0.0, -1.0, 1.0]
    assert numbers[9:15] == [1.0] * 6
    assert numbers[15:] == list(range(14))
    assert pack_pose(View(moment=make_moment()))[1] == 0.0


@pytest.mark.parametrize(
    ("changes", "fell_at_s", "words"),
    [
        ({"running": True}, None, "on its feet"),
        ({"running": True}, 1.5, "fallen at 1.50 s"),
        ({"running": False}, None, "paused"),
        ({"running": False}, 1.5, "paused, fallen at 1.50 s"),
        ({"running": False, "behind_s": 2.25}, None, "2.25 s ago"),
    ],
)
def test_the_state_is_said_in_words(changes: dict[str, object], fell_at_s: float | None, words: str) -> None:
    view = View(moment=make_moment(fell_at_s=fell_at_s), **changes)  # type: ignore[arg-type]
    assert describe_state(view)[0] == words
