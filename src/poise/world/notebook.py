"""What controllers asked of a world between ticks: kept with its state, so that going back forgets it."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from poise.errors import InputError


@dataclass(frozen=True)
class Request:
    """One thing that a controller asked for and the world did; `helps` where it acts on the body from outside."""

    start_s: float
    end_s: float
    character: int
    what: str
    helps: bool = False


@dataclass
class Notebook:
    """Requests so far, texts that were saved by their names, and which entities are hidden or let all through."""

    requests: list[Request] = field(default_factory=list)
    saved: dict[str, str] = field(default_factory=dict)
    #: entity -> (drawn, collides), where it is not both.
    toggled: dict[str, tuple[bool, bool]] = field(default_factory=dict)

    def copy(self) -> Notebook:
        return Notebook(list(self.requests), dict(self.saved), dict(self.toggled))

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_table(cls, table: Any) -> Notebook:
        """The notebook of what `to_json` wrote; an InputError where it makes no sense."""
        try:
            requests = [Request(**row) for row in table["requests"]]
            saved = dict(table["saved"])
            toggled = {name: (drawn, collides) for name, (drawn, collides) in table["toggled"].items()}
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise InputError("its notebook makes no sense") from error
        if (
            not all(_is_request(r) for r in requests)
            or not all(isinstance(text, str) for text in saved.values())
            or not all(isinstance(flag, bool) for flags in toggled.values() for flag in flags)
        ):
            raise InputError("its notebook makes no sense")
        return cls(requests, saved, toggled)

    def note(self, request: Request, gap_s: float) -> None:
        """Adds a request; one that only goes on from the last tick is made longer instead."""
        for k in range(len(self.requests) - 1, -1, -1):
            last = self.requests[k]
            if last.end_s < request.start_s - gap_s:
                break
            if (last.what, last.character) == (request.what, request.character):
                self.requests[k] = replace(last, end_s=request.end_s)
                return
        self.requests.append(request)

    def end(self, character: int, what: str, end_s: float) -> None:
        """Notes when the last request of a kind was over."""
        for k in range(len(self.requests) - 1, -1, -1):
            if (self.requests[k].character, self.requests[k].what) == (character, what):
                self.requests[k] = replace(self.requests[k], end_s=end_s)
                return

    @property
    def assisted(self) -> bool:
        """Whether anything from outside has acted on a body because its controller wanted it."""
        return any(r.helps for r in self.requests)


def _is_request(request: Request) -> bool:
    times = (request.start_s, request.end_s)
    return (
        all(isinstance(t, int | float) and not isinstance(t, bool) and math.isfinite(t) for t in times)
        and isinstance(request.character, int)
        and isinstance(request.what, str)
        and isinstance(request.helps, bool)
    )
