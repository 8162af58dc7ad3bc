"""Requests of controllers to a world between ticks: part of its state, so restoring a snapshot undoes them."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from poise.errors import InputError
from poise.world.passages import Passages


@dataclass(frozen=True)
class Request:
    """A controller's request that the world has carried out; `helps` if it acts on the body from outside.

    `shift_m` is the displacement of the centre of mass by it, in the world.
    """

    start_s: float
    end_s: float
    character: int
    what: str
    helps: bool = False
    shift_m: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass
class Notebook:
    """Requests so far, saved texts by name, entities that are hidden or passable, and changes of phase."""

    requests: list[Request] = field(default_factory=list)
    saved: dict[str, str] = field(default_factory=dict)
    #: entity -> (drawn, collides), for entities that are not both.
    toggled: dict[str, tuple[bool, bool]] = field(default_factory=dict)
    passages: Passages = field(default_factory=Passages)

    def copy(self) -> Notebook:
        return Notebook(list(self.requests), dict(self.saved), dict(self.toggled), self.passages.copy())

    def to_json(self) -> str:
        table = {
            "requests": [asdict(request) for request in self.requests],
            "saved": self.saved,
            "toggled": self.toggled,
            "passages": self.passages.to_table(),
        }
        return json.dumps(table)

    @classmethod
    def from_table(cls, table: Any) -> Notebook:
        """The notebook that `to_json` wrote; raises InputError if it is malformed."""
        try:
            requests = [
                Request(**{**row, "shift_m": tuple(row.get("shift_m", (0.0,) * 3))}) for row in table["requests"]
            ]
            saved = dict(table["saved"])
            toggled = {name: (drawn, collides) for name, (drawn, collides) in table["toggled"].items()}
            # Files of earlier versions have none.
            passages = Passages.from_table(table.get("passages", ()))
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise InputError("its notebook is malformed") from error
        if (
            not all(_is_request(r) for r in requests)
            or not all(isinstance(text, str) for text in saved.values())
            or not all(isinstance(flag, bool) for flags in toggled.values() for flag in flags)
        ):
            raise InputError("its notebook is malformed")
        return cls(requests, saved, toggled, passages)

    def note(self, request: Request, gap_s: float) -> None:
        """Adds a request, or extends the last one of its kind if it continues within `gap_s`."""
        for k in range(len(self.requests) - 1, -1, -1):
            last = self.requests[k]
            if last.end_s < request.start_s - gap_s:
                break
            if (last.what, last.character) == (request.what, request.character):
                x, y, z = (a + b for a, b in zip(last.shift_m, request.shift_m, strict=True))
                self.requests[k] = replace(last, end_s=request.end_s, shift_m=(x, y, z))
                return
        self.requests.append(request)

    def end(self, character: int, what: str, end_s: float) -> None:
        """Sets the end time of the last request of a kind."""
        for k in range(len(self.requests) - 1, -1, -1):
            if (self.requests[k].character, self.requests[k].what) == (character, what):
                self.requests[k] = replace(self.requests[k], end_s=end_s)
                return

    @property
    def assisted(self) -> bool:
        """Whether any external help has acted on a body at its controller's request."""
        return any(r.helps for r in self.requests)


def _is_request(request: Request) -> bool:
    numbers = (request.start_s, request.end_s, *request.shift_m)
    return (
        all(isinstance(t, int | float) and not isinstance(t, bool) and math.isfinite(t) for t in numbers)
        and len(request.shift_m) == len(Request.shift_m)
        and isinstance(request.character, int)
        and isinstance(request.what, str)
        and isinstance(request.helps, bool)
    )
