"""The plot shows the last seconds, and marks the time in view when looking back."""

import numpy as np
import pytest

pytest.importorskip("nicegui")

from poise.kernels.progress import Progress
from poise.studio.chart import PLOTS, make_update
from poise.studio.hud import describe_fall, describe_preparing, describe_state, describe_turns
from poise.studio.moment import Moment
from poise.studio.posture import Down, Posture
from poise.studio.published import View
from poise.studio.view import pack_pose

TRACE = np.array([[1.0, 1.1, 0.1, 300.0, 0.0], *([1.5, 0.0, 0.0, 0.0, 0.0],) * 4, [2.0, 1.2, 0.2, 0.0, 400.0]])


def make_moment(**changes: object) -> Moment:
    fields = {
        "time_s": 2.0,
        "pose": np.arange(14.0).reshape(2, 7),
        "pushes": np.ones((1, 6)),
        "com_w_m": (1.0, 2.0, 3.0),
        "speed_mps": 1.0,
    }
    return Moment(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", list(PLOTS))
def test_lines_end_now(kind: str) -> None:
    series = make_update(kind, TRACE, 2.0, 0.0)["series"]
    assert len(series) == 2
    assert [point[0] for point in series[0]["data"]][:: len(series[0]["data"]) - 1] == [-1.0, 0.0]
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


def test_every_impact_is_drawn_and_smooth_lines_are_thinned() -> None:
    trace = np.column_stack([np.arange(101) / 100.0, *(np.zeros(101) for _ in range(4))])
    loads, smooth = (
        make_update(kind, trace, 1.0, 0.0)["series"][0]["data"] for kind in ("foot loads", "speed and lean")
    )
    assert len(loads) == 101 and len(smooth) == 21
    assert loads[-1][0] == smooth[-1][0] == 0.0


def make_posture(*downs: Down) -> Posture:
    return Posture(downs, 3)


@pytest.mark.parametrize(
    ("changes", "moment", "words"),
    [
        ({"running": True}, {}, ("on its feet", "up")),
        ({"running": True}, {"posture": make_posture(Down(1.5, 2.0))}, ("fallen at 1.50 s", "fallen")),
        ({"running": True}, {"posture": make_posture(Down(1.8, 2.0))}, ("down since 1.80 s", "past")),
        ({"running": True}, {"posture": make_posture(Down(0.1, 2.0)), "scripted": True}, ("down since 0.10 s", "past")),
        ({"running": True}, {"posture": make_posture(Down(0.5, 1.1, over=True))}, ("on its feet", "up")),
        ({"running": False}, {}, ("paused", "past")),
        ({"running": False}, {"posture": make_posture(Down(1.5, 2.0))}, ("paused, fallen at 1.50 s", "past")),
        ({"running": False, "behind_s": 2.25}, {}, ("2.25 s ago", "past")),
        ({"preparing": "Getting ready …"}, {}, ("getting ready", "past")),
    ],
)
def test_the_state_is_said_in_words(
    changes: dict[str, object], moment: dict[str, object], words: tuple[str, str]
) -> None:
    assert describe_state(View(moment=make_moment(**moment), **changes)) == words  # type: ignore[arg-type]


def test_only_a_fall_is_called_one() -> None:
    """A body that turns over gets no card; one that a script leaves on the ground gets one that does not judge."""
    lies = make_posture(Down(0.4, 2.0))
    assert describe_fall(make_moment()) == ""
    assert describe_fall(make_moment(posture=make_posture(Down(1.8, 2.0)))) == ""
    assert describe_fall(make_moment(posture=make_posture(Down(0.5, 1.1, over=True)))) == ""
    assert describe_fall(make_moment(posture=lies)) == "It fell at 0.4 s."
    assert describe_fall(make_moment(posture=lies, scripted=True)) == "Down since 0.4 s."


def test_times_down_stay_in_view() -> None:
    once, again = Down(0.5, 1.12, over=True), Down(1.3, 1.4, over=True)
    assert describe_turns(make_moment()) == ""
    assert describe_turns(make_moment(posture=make_posture(once))) == "0.50 to 1.12 s"
    assert describe_turns(make_moment(posture=make_posture(once, again))) == "1.30 to 1.40 s (2×)"


class HalfWay(Progress):
    def __init__(self, done: int, compiles: bool) -> None:
        self._done, self._compiles, self.needed = done, compiles, 4

    done = property(lambda self: self._done)  # type: ignore[assignment]
    compiles = property(lambda self: self._compiles)  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("progress", "words", "part"),
    [
        (None, "Getting ready …", None),
        (HalfWay(1, False), "Getting ready …", None),
        (HalfWay(1, True), "Compiling, only this once: 1 of 4 functions.", 0.25),
        (
            HalfWay(3, True),
            "Compiling, only this once: 3 of 4 functions. The last one, the control loop, takes longest.",
            0.75,
        ),
    ],
)
def test_compiling_shows_how_far_it_is(progress: Progress | None, words: str, part: float | None) -> None:
    assert describe_preparing(View(preparing="Getting ready …", progress=progress)) == (words, part)
