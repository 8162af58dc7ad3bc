"""Which targets a limit cycle walks: few and short ones here."""

import pytest

from poise.controllers.catalog import load_controller
from poise.errors import InputError
from poise.reproduce.laszlo.range import _choose_targets, measure_range
from poise.rollout.scene import Scene
from poise.trials.step_plots import RangePlot
from poise.world.adopt import load_any_character

WALK = Scene("limit-cycle/human-walk")


def test_every_target_is_tried_in_each_way() -> None:
    seen: list[float] = []
    picture = measure_range(WALK, [0.3, 0.9], 2, workers=2, progress=seen.append)
    assert isinstance(picture.plotted, RangePlot)
    assert list(picture.plotted.steps) == ["FL", "LF", "SP"]
    # No walk continues with such a lean.
    assert all(steps[0] == 2 and steps[1] is not None and steps[1] < 2 for steps in picture.plotted.steps.values())
    assert picture.outcome == "3 of 6 trials do 2 steps"
    assert (picture.controller, picture.character, picture.interrupted) == (WALK.controller, "laszlo_human", False)
    assert seen[-1] == 1.0


@pytest.mark.parametrize(("name", "first", "last"), [("human-walk", 0.1, 0.5), ("bird-run", -0.23, 0.17)])
def test_targets_lie_around_the_controllers_own(name: str, first: float, last: float) -> None:
    body = load_any_character({"human-walk": "laszlo_human", "bird-run": "robo_bird"}[name])
    targets = _choose_targets(load_controller(f"limit-cycle/{name}", body))
    assert (len(targets), targets[0], targets[-1]) == (9, first, last)


def test_targets_stay_in_their_range() -> None:
    body = load_any_character("laszlo_human")
    controller = load_controller("limit-cycle/human-walk", body).with_values({"target": 0.95})
    assert _choose_targets(controller)[-1] == 1.0


@pytest.mark.parametrize(
    ("scene", "targets", "text"),
    [
        (Scene("simbicon/planar-walk"), None, "controller simbicon/planar-walk: it does not regulate a variable"),
        (
            Scene("limit-cycle/human-walk", values={"target": 0.2}),
            None,
            "plot range: target is varied by the plot itself. Leave out --set target.",
        ),
        (WALK, [0.3, 2.0], "controller limit-cycle/human-walk: target is out of range, got 2.0. Allowed: -1 to 1."),
    ],
)
def test_what_makes_no_sense_is_refused(scene: Scene, targets: list[float] | None, text: str) -> None:
    with pytest.raises(InputError) as caught:
        measure_range(scene, targets, 2)
    assert str(caught.value).startswith(text)
