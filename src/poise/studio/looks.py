"""What a page remembers of its own elements, so that the next page over the same world looks the same."""

from __future__ import annotations

from typing import Any, TypeVar

from nicegui.elements.mixins.value_element import ValueElement

E = TypeVar("E", bound=ValueElement[Any])


class Looks:
    """Values of elements by name. They belong to a session, not to a page."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def keep(self, name: str, element: E) -> E:
        """Give an element the value that it had on the page before, and remember the values that follow."""
        if name in self._values:
            element.set_value(self._values[name])
        element.on_value_change(lambda event: self._values.update({name: event.value}))
        return element

    def get(self, name: str, default: Any = None) -> Any:
        return self._values.get(name, default)

    def set(self, name: str, value: Any) -> None:
        self._values[name] = value
