"""Reads pictures as height maps; `terrain_kinds` makes terrain of them."""

from __future__ import annotations

import io
import warnings

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from poise.errors import FileFormatError, PoiseError
from poise.files import load_bytes
from poise.world.terrain_model import check_point_count

#: Pillow reads many more, some of which start other programs.
FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "PPM")
#: White level of pictures with more than eight bits per pixel.
_DEEP_WHITE = 65535.0


def load_height_image(path: str) -> NDArray[np.float64]:
    """Grey levels from 0 (black) to 1 (white), [row, column] from the top left corner.

    8-bit and 16-bit pictures are read at full depth; colours are converted to brightness.
    """
    data = load_bytes(path)
    try:
        with warnings.catch_warnings():
            # The size is checked below, before any pixel is decoded.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
        columns, rows = picture.size
        if min(columns, rows) < 2:
            raise FileFormatError(f"the picture is too small, got {columns} x {rows} pixels", path=path)
        check_point_count(path, rows, columns)
        if picture.mode.startswith("I"):
            return np.clip(np.asarray(picture, dtype=np.float64) / _DEEP_WHITE, 0.0, 1.0)
        return np.asarray(picture.convert("L"), dtype=np.float64) / 255.0
    except PoiseError:
        raise
    except UnidentifiedImageError:
        allowed = f"Allowed: {', '.join(FORMATS)}"
        raise FileFormatError("not a picture in a known format", path=path, allowed=allowed) from None
    except Exception as error:  # a damaged file can raise anything from the decoders
        raise FileFormatError(f"the picture cannot be read, {error}", path=path) from error
