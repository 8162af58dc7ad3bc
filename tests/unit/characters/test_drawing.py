"""Pictures of characters."""

import pytest
from PIL import Image

from poise.characters.catalog import load_character
from poise.characters.drawing import draw_character
from poise.errors import ExportError


def test_a_picture_is_drawn(tmp_path) -> None:
    draw_character(load_character("humanoid"), tmp_path / "humanoid.png")
    with Image.open(tmp_path / "humanoid.png") as picture:
        assert picture.size == (1540, 836)
        colors = picture.convert("RGB").getcolors(maxcolors=100_000)
    assert colors is not None and len(colors) > 50


def test_a_place_that_cannot_be_written_is_an_error(tmp_path) -> None:
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(ExportError):
        draw_character(load_character("biped7"), tmp_path / "folder.png")
