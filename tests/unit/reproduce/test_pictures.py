"""Pictures of claims: made from reports, kept as numbers, drawn as SVG."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from poise.errors import InputError, NotFoundError
from poise.reproduce.experiment import Experiment, Row, load_results, run_experiment, save_result
from poise.reproduce.pictures import Plot, draw_svg, make_plot
from unit.trials.reports import make_limits, make_matrix, make_sweep, make_trains

PLOTS = [
    make_plot(make_sweep()),
    make_plot(make_sweep(commanded=False)),
    make_plot(make_matrix()),
    make_plot(make_limits()),
    make_plot(make_trains()),
    Plot("bars", ["walk", "march"], {"a": [1.0, None], "b": [0.5, 0.1]}),
]


@pytest.mark.parametrize("plot", PLOTS)
def test_every_plot_is_drawn_alike_each_time(plot: Plot) -> None:
    picture = draw_svg(plot)
    assert picture.startswith(b"<?xml") and len(picture) < 100_000
    assert picture == draw_svg(plot)


def test_a_sweep_shows_what_stayed_on_its_feet() -> None:
    plot = make_plot(make_sweep())
    assert (plot.kind, plot.diagonal, list(plot.x)) == ("line", True, [0.0, 0.5, 1.0, 1.5])
    assert plot.series["measured"] == [-0.1, 0.4, 0.9, None]


def test_choices_become_bars() -> None:
    sweep = make_sweep(commanded=False)
    named = replace(sweep, rows=tuple(replace(r, label=f"style {k}") for k, r in enumerate(sweep.rows)))
    assert make_plot(named).kind == "bars"


def test_pushes_go_round() -> None:
    plot = make_plot(make_matrix())
    assert (plot.kind, list(plot.x)) == ("polar", [0.0, 90.0, 180.0, 270.0])
    assert plot.series == {"400 N": [1.0, 1.0, 1.0, 1.0], "600 N": [1.0, 1.0, 0.0, 1.0]}


def test_a_plot_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(NotFoundError, match=r"no kind of plot named 'lines'.* Did you mean 'line'"):
        Plot("lines", [])
    with pytest.raises(InputError, match="'a' has 1 values for 2 positions"):
        Plot("line", [1.0, 2.0], {"a": [1.0]})


def test_settings_and_pictures_are_kept_with_the_result(tmp_path: Path) -> None:
    row = Row("poise-one", "Poise", "It walks.", "always", "always", True, plot=PLOTS[0])
    experiment = Experiment("one", "a test", lambda quick, seed: [row], settings={"seconds": 3.0})
    result = run_experiment(experiment, seed=5)
    save_result(result, tmp_path)
    (loaded,) = load_results(tmp_path)
    assert loaded.settings == {"seconds": 3.0}
    assert (loaded.seed, loaded.version) == (5, result.version)
    kept = loaded.rows[0].plot
    assert kept is not None and draw_svg(kept) == draw_svg(PLOTS[0])


def test_an_experiment_may_report_its_progress() -> None:
    parts: list[float] = []

    def measure(quick: bool, seed: int, progress) -> list[Row]:
        progress(0.5)
        return []

    run_experiment(Experiment("one", "a test", measure), progress=parts.append)
    assert parts == [0.5]
