"""Errors in controller files name the file, the line and the field."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.characters.catalog import load_character
from poise.controllers.catalog import LIBRARY, load_controller
from poise.errors import FileFormatError, InputError, PoiseError
from refusals import find_line, refusal, write_in

WALK = (LIBRARY / "simbicon/planar-walk.toml").read_text()
BODY = load_character("biped7")


@pytest.mark.parametrize(
    ("old", "new", "place", "what"),
    [
        ('until = "contact"', 'until = "contct"', 'until = "contct"', "Did you mean 'contact'?"),
        (
            "duration_s = 0.3",
            "duration_s = nan",
            "duration_s = nan",
            "states[0].duration_s: out of range, got nan.",
        ),
        ("swing_hip_rad = -0.7", "swng_hip_rad = -0.7", "swng_hip_rad", "no key named 'swng_hip_rad'"),
        ("mass_kg = 90.0", 'mass_kg = "heavy"', "mass_kg", "mass_kg: must be a number, got 'heavy'."),
        ('method = "simbicon-planar"', 'method = "simbicn"', "method", "no method named 'simbicn'"),
    ],
)
def test_the_line_is_found(tmp_path: Path, old: str, new: str, place: str, what: str) -> None:
    text = WALK.replace(old, new, 1)
    path = write_in(tmp_path, "gait.toml", text)
    message = refusal(lambda name: load_controller(name, load_character("biped7")), str(path))
    assert message.startswith(f"{path}:{find_line(text, place)}:1: ")
    assert what in message


def test_what_is_missing_is_named_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "gait.toml"
    path.write_text(WALK.replace('method = "simbicon-planar"\n', ""))
    with pytest.raises(FileFormatError) as caught:
        load_controller(str(path), load_character("biped7"))
    assert str(caught.value) == f"{path}: method is missing. It must be a string."


def test_a_body_without_the_joints_is_not_the_files_fault() -> None:
    with pytest.raises(InputError) as caught:
        load_controller("simbicon/planar-walk", load_character("robo_bird"))
    assert str(caught.value).startswith("character robo_bird: no axis named ")


junk = st.text(alphabet='[]{}="\n#.,-+0123456789enaifulst_ ', max_size=8)


@settings(max_examples=1000)
@given(st.integers(0, len(WALK)), st.integers(0, 40), junk)
def test_damaged_files_give_a_sound_controller_or_a_poise_error(
    tmp_path_factory: pytest.TempPathFactory, at: int, cut: int, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.toml"
    path.write_text(WALK[:at] + text + WALK[at + cut :])
    try:
        controller = load_controller(str(path), BODY)
    except PoiseError:
        return
    assert np.isfinite(controller.params).all()
    for parameter in controller.parameters:
        assert parameter.low <= controller.params[parameter.index] <= parameter.high
