"""Pictures read as ground."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from poise.errors import FileFormatError, InputError, PoiseError
from poise.world.terrain import parse_terrain


@pytest.mark.parametrize(("mode", "white"), [("L", 255), ("I;16", 65535)])
def test_a_picture_rises_from_black_to_white(tmp_path: Path, mode: str, white: int) -> None:
    path = tmp_path / "hills.png"
    pixels = np.array([[0, 0, white], [white, 0, 0]], dtype=np.uint8 if mode == "L" else np.uint16)
    Image.fromarray(pixels).save(path)
    terrain = parse_terrain(f"heightfield:{path},amplitude=0.5,length=4,width=2,start=1")
    # The picture's top is to the left (+y), its right edge is ahead.
    assert terrain.height_m(5.0, 1.0) == pytest.approx(0.5)
    assert terrain.height_m(1.0, -1.0) == pytest.approx(0.5)
    assert terrain.height_m(5.0, -1.0) == pytest.approx(0.0)
    assert terrain.height_m(0.5, 0.0) == 0.0
    assert parse_terrain(terrain.spec) == terrain


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_picture_is_a_clear_error(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.png"
    Image.fromarray(np.arange(64, dtype=np.uint8).reshape(8, 8)).save(path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    try:
        parse_terrain(f"heightfield:{path}")
    except PoiseError as error:
        assert str(path) in str(error)


def test_wrong_pictures_are_named(tmp_path: Path) -> None:
    text, tiny, huge = tmp_path / "note.png", tmp_path / "tiny.png", tmp_path / "huge.png"
    text.write_text("not a picture")
    Image.new("L", (5, 1)).save(tiny)
    Image.new("1", (2000, 1000)).save(huge)
    messages = {
        text: f"{text}: not a picture in a known format. Allowed: PNG, JPEG, TIFF, BMP, PPM.",
        tiny: f"{tiny}: the picture is too small, got 5 x 1 pixels.",
        huge: f"{huge}: too many points, got 1000 x 2000. Allowed: at most 1000000 in all.",
    }
    for path, message in messages.items():
        with pytest.raises(InputError) as caught:
            parse_terrain(f"heightfield:{path}")
        assert str(caught.value) == message
    with pytest.raises(FileFormatError):
        parse_terrain(f"heightfield:{tmp_path}")
