"""Bounds the cost of an MJCF or URDF file before MuJoCo opens it: one line of XML can request gigabytes.

MuJoCo multiplies the content of `replicate`, `composite` and `flexcomp`, copies attached models, and allocates the
sizes that a model declares. All of that is counted here; `model_files` checks the files that a model names.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Final

from poise.errors import FileFormatError
from poise.world.model_files import find_model, strip_namespace

MAX_PARTS: Final = 5000
"""Elements after multiplication: ten times a detailed humanoid. MuJoCo takes seconds for this many bodies."""

MAX_DEPTH: Final = 90
"""Nesting depth of elements. MuJoCo's own limit is 100."""

MAX_CELLS: Final = 2**24
"""Total points of height fields and pixels of textures: 4096 by 4096."""

MAX_SIZE: Final = 10_000
"""Any other count that an element declares: numbers in a custom field, samples of a sensor."""

MAX_SUBDIVISIONS: Final = 100
"""For a mesh that MuJoCo generates: its points grow with the square, and its hull takes half a minute at 10,000."""

#: element -> attribute whose numbers multiply its content.
_MULTIPLIED: Final = {"replicate": "count", "composite": "count", "flexcomp": "count"}
#: element -> attributes whose product is the number of its cells.
_CELLS: Final = {"hfield": ("nrow", "ncol"), "texture": ("width", "height")}
#: (element, or "" for any; attribute) -> the largest number allowed.
_COUNTS: Final = {
    ("numeric", "size"): MAX_SIZE,
    ("mesh", "params"): MAX_SUBDIVISIONS,
    ("", "nsample"): MAX_SIZE,
    ("", "actdim"): MAX_SIZE,
}


@dataclass
class _Cost:
    """The count so far."""

    path: Path
    roots: Mapping[Path, ElementTree.Element]
    parts: float = 0.0
    cells: float = 0.0
    #: name -> the models that `attach` copies under it.
    models: dict[str, list[Path]] = field(default_factory=dict)
    #: Files being walked, from the first to the current one.
    open: list[Path] = field(default_factory=list)

    def fail(self, what: str, allowed: str) -> FileFormatError:
        return FileFormatError(what, path=self.path, allowed=allowed)

    def add(self, tag: str, count: float) -> None:
        """Counts the parts that an element makes. Every step of the walk comes here, which also bounds the walk."""
        self.parts += count
        if self.parts > MAX_PARTS:
            raise self.fail(f"<{tag}> makes too many parts", f"Allowed: at most {MAX_PARTS} in all")


def check_cost(path: str | PathLike[str], roots: Mapping[Path, ElementTree.Element]) -> None:
    """Raises for a model that would cost too much time or memory; `roots` holds it and its includes."""
    cost = _Cost(Path(path), roots)
    for here, root in roots.items():
        for element in root.iter():
            if strip_namespace(str(element.tag)) == "model":
                for place in _find_models(cost, here, element):
                    name = element.get("name", "") or roots[place].get("model", "")
                    cost.models.setdefault(name, []).append(place)
    _walk_file(cost, Path(path).resolve(), 1.0, 0)


def _find_models(cost: _Cost, here: Path, element: ElementTree.Element) -> list[Path]:
    """The files, among those read, that an element names."""
    places = find_model(here, cost.path.parent, element.get("file", ""))
    return [place for place in dict.fromkeys(place.resolve() for place in places) if place in cost.roots]


def _walk_file(cost: _Cost, place: Path, times: float, depth: int) -> None:
    if place in cost.open:
        raise cost.fail(f"files that include each other in a circle, at {place.name!r}", "A file may be included once")
    cost.open.append(place)
    _walk(cost, cost.roots[place], times, depth)
    cost.open.pop()


def _walk(cost: _Cost, element: ElementTree.Element, times: float, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise cost.fail("nested too deeply", f"Allowed: at most {MAX_DEPTH} levels")
    tag = strip_namespace(str(element.tag))
    cost.add(tag, times)
    _check_sizes(cost, element, tag)
    if tag == "include":
        for place in _find_models(cost, cost.open[-1], element):
            _walk_file(cost, place, times, depth + 1)
    if tag == "attach":
        for place in cost.models.get(element.get("model", ""), []):
            _walk_file(cost, place, times, depth + 1)
    if tag in _MULTIPLIED:
        times *= max(1.0, math.prod(_read_numbers(element.get(_MULTIPLIED[tag], ""))))
        cost.add(tag, times - 1.0)
    for inner in element:
        _walk(cost, inner, times, depth + 1)


def _check_sizes(cost: _Cost, element: ElementTree.Element, tag: str) -> None:
    if tag in _CELLS:
        cost.cells += math.prod(max([1.0, *_read_numbers(element.get(key, ""))]) for key in _CELLS[tag])
        if cost.cells > MAX_CELLS:
            what = f"<{tag}> makes too many points, got {cost.cells:.3g}"
            raise cost.fail(what, f"Allowed: at most {MAX_CELLS} in all")
    for (kind, key), limit in _COUNTS.items():
        if kind in ("", tag) and max(_read_numbers(element.get(key, "")), default=0.0) > limit:
            what = f"<{tag}> {key} is too large, got {element.get(key)!r}"
            raise cost.fail(what, f"Allowed: at most {limit}")


def _read_numbers(text: str) -> list[float]:
    """The numbers in an attribute; MuJoCo reports anything else itself."""
    numbers = []
    for word in text.split():
        try:
            numbers.append(abs(float(word)))
        except ValueError:
            continue
    return numbers
