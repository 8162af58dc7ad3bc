"""Short texts of objects for `repr`: what a person needs to recognize one, on one line.

Generated texts of dataclasses would print whole arrays and bodies. Small data keep their generated text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, Final

#: Most characters of one value, and of the whole text.
MAX_VALUE: Final = 40
MAX_TEXT: Final = 200


def count(number: int, noun: str) -> str:
    """`1 step`, `2 steps`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def spell_fields(thing: Any) -> str:
    """The text of a dataclass with the fields that differ from their defaults, long values shortened."""
    shown = []
    for field in fields(thing):
        value = getattr(thing, field.name)
        if field.repr and not _is_default(field, value):
            shown.append(f"{field.name}={spell(value)}")
    text = f"{type(thing).__name__}({', '.join(shown)})"
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 2]}…)"


def spell(value: Any) -> str:
    """A value, or what it is if it is long."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return _spell_array(value, shape)
    if isinstance(value, Mapping | tuple | list) and len(value) > 3:
        return f"<{count(len(value), 'item')}>"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple | list):
        items = ", ".join(spell(item) for item in value)
        text = f"[{items}]" if isinstance(value, list) else f"({items}{',' if len(value) == 1 else ''})"
    else:
        text = repr(value)
    # A text in angle brackets has been shortened by its own class.
    return text if len(text) <= MAX_VALUE or text.startswith("<") else f"<{type(value).__name__}>"


def _spell_array(value: Any, shape: tuple[int, ...]) -> str:
    if len(shape) == 1 and shape[0] <= 4:
        return f"({', '.join(f'{x:.3g}' for x in value)})"
    return f"<{' x '.join(map(str, shape))} numbers>"


def _is_default(field: Field[Any], value: Any) -> bool:
    if field.default is not MISSING:
        default = field.default
    elif field.default_factory is not MISSING:
        default = field.default_factory()
    else:
        return False
    try:
        return value is default or bool(value == default)
    except ValueError:
        # Arrays have no truth value.
        return False
