import numpy as np
import pytest
from PIL import Image

from poise.errors import NotFoundError
from poise.rollout.plots import PLOTS, draw_plot, export_plot


@pytest.mark.parametrize("kind", PLOTS)
@pytest.mark.parametrize("name", ["walk", "turn"])
def test_every_plot_can_be_drawn(tmp_path, request, kind, name):
    export_plot(request.getfixturevalue(name), tmp_path / "x.png", kind)
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.format == "PNG" and picture.width > 1000


def test_joint_angles_are_in_degrees_both_sides_in_one_panel(walk):
    figure = draw_plot(walk, "joints")
    panel = next(a for a in figure.axes if a.get_title(loc="left") == "knee pitch")
    for side, line in zip(("left", "right"), panel.lines):
        angle = walk.joint_q_rad[:, walk.characters[0].axis_index(f"{side}_knee_pitch")]
        assert line.get_ydata() == pytest.approx(np.rad2deg(angle))


def test_a_curve_that_stands_still_has_a_panel_of_sensible_height(walk):
    figure = draw_plot(walk, "joints")
    panel = next(a for a in figure.axes if a.get_title(loc="left") == "neck pitch")
    assert np.ptp(panel.get_ylim()) > 3.0


def test_the_second_character_has_curves_of_its_own(pair):
    figure = draw_plot(pair, "com", 1)
    assert figure.axes[0].lines[0].get_ydata()[-1] == pytest.approx(0.8, abs=0.01)


def test_an_unknown_plot_is_refused(walk):
    with pytest.raises(NotFoundError) as error:
        draw_plot(walk, "joint")
    assert str(error.value) == "plot: no plot named 'joint'. Known here: joints, com, contacts. Did you mean 'joints'?"
