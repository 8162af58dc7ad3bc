"""Reports as JSON and back, drawn, and set side by side."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from poise.documents import save_json
from poise.errors import FileFormatError, InputError
from poise.trials.compare import compare_reports
from poise.trials.draw import export_report
from poise.trials.trial_file import KINDS, Report, load_report, summarize
from unit.trials.reports import make_limits, make_matrix, make_random, make_sweep, make_trains

REPORTS = [make_matrix(), make_limits(), make_trains(), make_random(), make_sweep(), make_sweep(commanded=False)]


def keep(report: Report, path: Path) -> Path:
    save_json(path, summarize(report))
    return path


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_comes_back_from_its_file(report: Report, tmp_path: Path) -> None:
    data = load_report(keep(report, tmp_path / "a.json"))
    assert data == summarize(report)
    assert data["kind"] in KINDS
    assert (data["poise"], data["seed"], data["settings"]["controller"]) == ("1", 7, "walk")


@pytest.mark.parametrize("suffix", ["png", "svg"])
@pytest.mark.parametrize("report", REPORTS)
def test_every_report_can_be_drawn(report: Report, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{suffix}"
    export_report(report, path)
    assert path.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


def test_counts_stand_beside_the_outcomes() -> None:
    data = summarize(make_matrix())
    assert (data["survived"], data["tried"]) == (14, 16)
    data = summarize(make_sweep())
    assert (data["falls"], data["worst_error"]) == (1, pytest.approx(0.1))
    assert data["rows"][0]["mean_step_time_s"] == 0.5


def test_matrices_are_compared_by_force_and_direction() -> None:
    result = compare_reports(summarize(make_matrix()), summarize(make_matrix(weak_n=700.0)))
    assert result.describe() == "differing settings: none; differing results: 2 of 9"
    assert [(row.name, row.a, row.b) for row in result.differing] == [
        ("survived part, all pushes", 14 / 16, 1.0),
        ("survived part, 600 N at 180°", 0.0, 1.0),
    ]


def test_limits_trains_and_sweeps_are_compared() -> None:
    limits = compare_reports(summarize(make_limits()), summarize(make_limits(scale=2.0)))
    assert [row.ratio for row in limits.figures] == [2.0, 2.0, 2.0, 1.0]
    trains = compare_reports(summarize(make_trains()), summarize(make_trains()))
    assert (len(trains.figures), trains.differing) == (2, ())
    sweeps = compare_reports(summarize(make_sweep()), summarize(make_sweep(error=0.2)))
    assert [row.name for row in sweeps.differing] == [f"speed_mps={v}, measured" for v in ("0", "0.5", "1")]
    other = compare_reports(summarize(make_sweep(commanded=False)), summarize(make_sweep(commanded=False)))
    assert "speed_mps=0, mean_step_time_s" in [row.name for row in other.figures]


def test_random_pushes_are_compared_draw_by_draw() -> None:
    a, b = make_random(), replace(make_random(), outcomes=make_random().outcomes[:4])
    result = compare_reports(summarize(a), summarize(b))
    assert result.describe() == "differing settings: none; differing results: 3 of 10"
    assert [(row.name, row.a, row.b) for row in result.differing] == [
        ("survived part, 600 N", 0.5, None),
        ("fell_after_s, 600 N at 95° and 3.6 s", 0.8, None),
        ("fell_after_s, 600 N at 181° and 3.3 s", 0.8, None),
    ]


def test_shares_of_random_pushes_have_an_interval() -> None:
    first, second = summarize(make_random())["shares"]
    assert (first["force_n"], first["survived"], first["tried"], first["share"]) == (400.0, 3, 4, 0.75)
    assert 0.0 < first["low_95"] < 0.75 < first["high_95"] < 1.0
    assert second["share"] == 0.5


def test_settings_that_differ_are_named() -> None:
    a, b = summarize(make_matrix()), summarize(make_matrix())
    b["settings"]["physics"]["timestep_s"] = 0.002
    b["settings"]["phases"] = [0.0]
    b["seed"] = 8
    result = compare_reports(a, b)
    assert [(row.name, row.a, row.b) for row in result.settings] == [
        ("seed", 7, 8),
        ("physics.timestep_s", 0.001, 0.002),
        ("phases", "0, 0.5", "0"),
    ]


def test_what_is_not_of_a_kind_is_not_compared() -> None:
    with pytest.raises(InputError) as caught:
        compare_reports(summarize(make_matrix()), summarize(make_sweep()))
    assert str(caught.value) == "compare: A is a push-matrix and B a sweep. Give two of the same kind."
    broken = summarize(make_sweep())
    del broken["rows"][0]["label"]
    with pytest.raises(InputError, match="one of the files is incomplete, 'label' is missing or wrong"):
        compare_reports(broken, summarize(make_sweep()))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "malformed JSON, expecting property name enclosed in double quotes"),
        ("[]", "not written by `poise robustness` or `poise sweep`. Known kinds: push-matrix, push-limits, "),
        (json.dumps({"kind": "sweep", "rows": []}), "a sweep needs parameter, settings."),
        ("[" * 100_000, "nested too deeply. Allowed: at most 64 levels."),
    ],
)
def test_a_damaged_file_is_told(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(FileFormatError) as caught:
        load_report(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
