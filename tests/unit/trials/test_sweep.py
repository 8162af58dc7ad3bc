"""Sweeps: a gait for each value, and commanded against measured where the parameter commands something."""

from __future__ import annotations

from dataclasses import replace

import pytest

from poise.controllers.catalog import load_controller
from poise.errors import InputError, NotFoundError
from poise.rollout.scene import Scene
from poise.trials import sweep
from poise.world.adopt import load_any_character
from poise.world.controller import Controller

WALK = "simbicon/planar-walk"


def rename(name: str, new: str, choices: tuple[str, ...] = ()) -> Controller:
    """The planar walk with one parameter under another name, as if it commanded something."""
    walk = load_controller(WALK, load_any_character("biped7"))
    changed = []
    for p in walk.parameters:
        if p.name == name:
            p = replace(p, name=new, choices=choices, low=0 if choices else p.low, high=1 if choices else p.high)
        changed.append(p)
    return replace(walk, parameters=tuple(changed))


def test_any_parameter_may_be_swept() -> None:
    report = sweep(Scene(WALK), "lift_swing_hip", [0.2, 0.5], seconds=6.0)
    assert (report.parameter, report.commanded, report.falls, report.worst_error) == (
        "lift_swing_hip_rad",
        False,
        1,
        None,
    )
    fell, walks = report.rows
    assert (fell.gait.fell, fell.label, fell.measured) == (True, "0.2", None)
    assert walks.gait.speed_mps == pytest.approx(0.89, abs=0.05)
    assert report.settings["seconds"] == 6.0 and report.settings["settle_s"] == 3.0


def test_a_commanded_parameter_has_its_counterpart() -> None:
    scene = Scene(rename("lift_swing_hip_rad", "speed_mps"), "biped7")
    report = sweep(scene, "speed", [0.4, 0.5], seconds=6.0, workers=1)
    assert report.commanded
    for row in report.rows:
        assert row.measured == row.gait.speed_mps
        assert row.error == pytest.approx(row.value - row.gait.speed_mps)
    assert report.worst_error == pytest.approx(max(abs(row.error) for row in report.rows if row.error is not None))


def test_headings_are_compared_the_short_way_round() -> None:
    scene = Scene(rename("lift_swing_hip_rad", "heading_deg"), "biped7")
    (row,) = sweep(scene, "heading", [0.5], seconds=1.0).rows
    assert row.measured == pytest.approx(0.0)


def test_choices_are_swept_by_name() -> None:
    walk = rename("strike_cd_radpm", "style", choices=("calm", "wild"))
    report = sweep(Scene(walk.with_values({"style": "wild"}), "biped7"), "style", ["calm", "wild"], seconds=1.0)
    assert [(row.value, row.label) for row in report.rows] == [(0.0, "calm"), (1.0, "wild")]
    assert not report.commanded


def test_what_cannot_be_swept_is_refused_before_anything_runs() -> None:
    with pytest.raises(NotFoundError, match="no parameter named 'lift_swing_hop'"):
        sweep(Scene(WALK), "lift_swing_hop", [0.2])
    with pytest.raises(InputError, match="lift_swing_hip_rad is out of range, got 9"):
        sweep(Scene(WALK), "lift_swing_hip", [0.2, 9.0])
    with pytest.raises(InputError, match="no value of lift_swing_hip given"):
        sweep(Scene(WALK), "lift_swing_hip", [])
    with pytest.raises(InputError, match="settle_s is out of range"):
        sweep(Scene(WALK), "lift_swing_hip", [0.2], seconds=3.0, settle_s=3.0)
