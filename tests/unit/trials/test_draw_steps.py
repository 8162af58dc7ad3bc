"""Pictures of walks, step by step: what can be seen in them, and how they are written."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from poise.errors import InputError
from poise.trials.draw_steps import check_picture_path, draw_picture, export_picture
from poise.trials.step_plots import HipPlot, PhaseDiagram, Picture, Plotted, RangePlot, StepPlot, VariablePlot

ENDS = (0.5, 1.0, 1.5)


def make_phase(ends_s: tuple[float, ...] = ENDS) -> PhaseDiagram:
    time = np.linspace(0.0, 2.0, 201)
    return PhaseDiagram("left_knee_pitch", time, 30.0 * np.sin(4.0 * time), 120.0 * np.cos(4.0 * time), ends_s)


def make_hips() -> HipPlot:
    x = np.linspace(0.0, 8.0, 50)
    ends = np.stack([np.stack([x, 0.5 + 0 * x], axis=-1), np.stack([x, -0.5 + 0 * x], axis=-1)], axis=1)
    return HipPlot(np.stack([x, 0.1 * np.sin(x)], axis=-1), 0.16 * np.arange(50), ends)


PLOTTED: dict[str, Plotted] = {
    "phase": make_phase(),
    "hips": make_hips(),
    "steps": StepPlot(("left", "right", "left"), (0.4, 0.5, 0.45), (0.4, 0.41, 0.4)),
    "variable": VariablePlot(("up", "swing"), np.array([[0.3, 0.0]] * 3), np.array([[0.31, 0.1], [0.3, 0], [0.29, 0]])),
    "range": RangePlot((0.2, 0.25), 20, {"FL": (20, 3), "LF": (20, None), "SP": (4, 2)}),
}


def picture(plotted: Plotted, fell_at_s: float | None = None, controller: str = "a/walk") -> Picture:
    return Picture(plotted, controller, "somebody", "3 steps in 2 s", {}, fell_at_s)


def texts(figure: Any) -> list[str]:
    every = [t.get_text() for t in figure.texts]
    for axes in figure.axes:
        every += [t.get_text() for t in axes.texts]
    return every


@pytest.mark.parametrize("kind", PLOTTED)
@pytest.mark.parametrize("fell_at_s", [None, 2.0])
def test_every_kind_can_be_written(tmp_path: Path, kind: str, fell_at_s: float | None) -> None:
    export_picture(picture(PLOTTED[kind], fell_at_s), tmp_path / "deep" / "a.png")
    with Image.open(tmp_path / "deep" / "a.png") as image:
        assert image.format == "PNG" and image.width > 800
    figure = draw_picture(picture(PLOTTED[kind], fell_at_s))
    assert "a/walk on somebody" in texts(figure)
    assert any("3 steps in 2 s" in text for text in texts(figure))
    assert ("falls" in texts(figure)) == (fell_at_s is not None and kind != "range")


@pytest.mark.parametrize("kind", PLOTTED)
def test_the_same_numbers_give_the_same_svg(tmp_path: Path, kind: str) -> None:
    for name in ("a.svg", "b.svg"):
        export_picture(picture(PLOTTED[kind]), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert b"a/walk on somebody" in (tmp_path / "a.svg").read_bytes()


def test_steps_of_a_phase_diagram_grow_darker() -> None:
    figure = draw_picture(picture(make_phase()))
    curve, marks = figure.axes[0].collections[:2]
    curve.update_scalarmappable()
    light: Any = np.asarray(curve.get_colors())[:, :3].sum(axis=1)
    assert len(light) == 4 and light[0] > light[1] > light[2] == light[3]
    # A step begins where the one before it ends.
    pieces = curve.get_segments()
    assert all(np.array_equal(a[-1], b[0]) for a, b in pairwise(pieces))
    assert np.asarray(marks.get_offsets())[:, 0] == pytest.approx([30.0 * np.sin(4.0 * t) for t in ENDS], abs=1e-2)
    assert figure.axes[0].get_xlabel() == "left knee pitch (degrees)"


def test_who_stands_has_one_curve_and_no_scale_of_steps() -> None:
    assert len(draw_picture(picture(make_phase())).axes) == 2
    assert len(draw_picture(picture(make_phase(ends_s=()))).axes) == 1


def test_both_axes_of_a_hip_plot_have_one_scale() -> None:
    figure = draw_picture(picture(make_hips()))
    panel = figure.axes[0]
    box = panel.get_window_extent()
    scales = box.width / np.ptp(panel.get_xlim()), box.height / np.ptp(panel.get_ylim())
    assert scales[0] == pytest.approx(scales[1])
    assert panel.get_aspect() == 1.0
    assert panel.get_xlim()[0] < 0.0 and panel.get_xlim()[1] > 8.0


def test_lengths_begin_at_zero_and_steps_are_counted_from_the_second() -> None:
    length, duration = draw_picture(picture(PLOTTED["steps"])).axes
    assert length.get_ylim()[0] == duration.get_ylim()[0] == 0.0
    assert list(length.lines[0].get_xdata()) == [2, 3, 4]
    assert list(duration.lines[0].get_ydata()) == [0.4, 0.41, 0.4]


def test_targets_that_were_not_tried_have_no_bar() -> None:
    panels = draw_picture(picture(PLOTTED["range"])).axes
    assert [[bar.get_height() for bar in panel.patches] for panel in panels] == [[20, 3], [20], [4, 2]]
    assert panels[0].get_title(loc="left") == "FL: forward, then lateral"
    # Bars of walks that fell are paler.
    assert [bar.get_alpha() for bar in panels[0].patches] == [1.0, 0.35]


def test_a_single_target_is_drawn() -> None:
    panels = draw_picture(picture(RangePlot((0.3,), 20, {"FL": (20,)}))).axes
    assert len(panels) == 1 and panels[0].get_xlim()[0] < 0.3 < panels[0].get_xlim()[1]


def test_names_that_are_too_long_keep_their_end() -> None:
    shown = draw_picture(picture(PLOTTED["steps"], controller="long/" * 40 + "walk.toml")).texts[0].get_text()
    assert shown.startswith("…") and shown.endswith("/walk.toml on somebody")
    assert len(shown) < 90


@pytest.mark.parametrize("path", ["a.jpg", "a", ".png", "deep/.svg", "png", ""])
def test_other_endings_are_refused(path: str) -> None:
    with pytest.raises(InputError) as caught:
        check_picture_path(path)
    assert str(caught.value).endswith("cannot write a picture to a file with this suffix. Allowed: .png, .svg.")
    check_picture_path("deep/A.PNG")
