"""Errors in controller files name the file, the line and the field."""

from __future__ import annotations

from pathlib import Path

import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import LIBRARY, load_controller
from poise.errors import FileFormatError, InputError

WALK = (LIBRARY / "simbicon/planar-walk.toml").read_text()


@pytest.mark.parametrize(
    ("old", "new", "place", "what"),
    [
        ('until = "contact"', 'until = "contct"', 'until = "contct"', "Did you mean 'contact'?"),
        ("duration_s = 0.3", "duration_s = nan", "duration_s = nan", "duration_s is out of range, got nan s"),
        ("swing_hip_rad = -0.7", "swng_hip_rad = -0.7", "swng_hip_rad", "no key named 'swng_hip_rad'"),
        ("mass_kg = 90.0", 'mass_kg = "heavy"', "mass_kg", "mass_kg: it must be a number"),
        ('method = "simbicon-planar"', 'method = "simbicon"', "method", "no method named 'simbicon'"),
    ],
)
def test_the_line_is_found(tmp_path: Path, old: str, new: str, place: str, what: str) -> None:
    path = tmp_path / "gait.toml"
    text = WALK.replace(old, new, 1)
    path.write_text(text)
    line = next(k for k, row in enumerate(text.splitlines(), 1) if place in row)
    with pytest.raises(FileFormatError) as caught:
        load_controller(str(path), load_character("biped7"))
    assert str(caught.value).startswith(f"{path}:{line}:1: ")
    assert what in str(caught.value)


def test_what_is_missing_is_named_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "gait.toml"
    path.write_text(WALK.replace('method = "simbicon-planar"\n', ""))
    with pytest.raises(FileFormatError) as caught:
        load_controller(str(path), load_character("biped7"))
    assert str(caught.value) == f"{path}: method is missing."


def test_a_body_without_the_joints_is_not_the_files_fault() -> None:
    with pytest.raises(InputError) as caught:
        load_controller("simbicon/planar-walk", load_character("robo_bird"))
    assert str(caught.value).startswith("character robo_bird: no axis named ")
