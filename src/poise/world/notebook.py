"""Requests of controllers to a world between ticks: part of its state, so restoring a snapshot undoes them."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from poise.errors import InputError


@dataclass(frozen=True)
class Request:
    """A controller's request that the world has carried out; `helps` if it acts on the body from outside."""

    start_s: float
    end_s: float
    character: int
    what: str
    helps: bool = False


@dataclass
class Notebook:
    """Requests so far, saved texts by name, and the entities that are hidden or passable."""

    requests: list[Request] = field(default_factory=list)
    saved: dict[str, str] = field(default_factory=dict)
    #: entity -> (drawn, collides), for entities that are not both.
    toggled: dict[str, tuple[bool, bool]] = field(default_factory=dict)

    def copy(self) -> Notebook:
        return Notebook(list(self.requests), dict(self.saved), dict(self.toggled))

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_table(cls, table: Any) -> Notebook:
        """The notebook that `to_json` wrote; raises InputError if it is malformed."""
        try:
            requests = [Request(**row) for row in table["requests"]]
            saved = dict(table["saved"])
            toggled = {name: (drawn, collides) for name, (drawn, collides) in table["toggled"].items()}
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise InputError("its notebook is malformed") from error
        if (
            not all(_is_request(r) for r in requests)
            or not all(isinstance(text, str) for text in saved.values())
            or not all(isinstance(flag, bool) for flags in toggled.values() for flag in flags)
        ):
            raise InputError("its notebook is malformed")
        return cls(requests, saved, toggled)

    def note(self, request: Request, gap_s: float) -> None:
        """Adds a request, or extends the last one of its kind if it continues within `gap_s`."""
        for k in range(len(self.requests) - 1, -1, -1):
            last = self.requests[k]
            if last.end_s < request.start_s - gap_s:
                break
            if (last.what, last.character) == (request.what, request.character):
                self.requests[k] = replace(last, end_s=request.end_s)
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
    times = (request.start_s, request.end_s)
    return (
        all(isinstance(t, int | float) and not isinstance(t, bool) and math.isfinite(t) for t in times)
        and isinstance(request.character, int)
        and isinstance(request.what, str)
        and isinstance(request.helps, bool)
    )
