"""One parameter on the page: a slider with a number, a drop-down, or a switch."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from nicegui import events, ui

from poise.studio.knobs import Knob

#: A row is not updated for this long after the user moved it: its own value has not come back yet.
HANDS_OFF_S = 0.6

Send = Callable[[str, float], None]


class Row(ABC):
    """A parameter's name and the element that sets it; `follow` updates it."""

    def __init__(self, knob: Knob, send: Send, *, compact: bool) -> None:
        self.knob = knob
        self.value = knob.default
        self._send = send
        self._touched_at = -HANDS_OFF_S
        with ui.element("div").classes("poise-knob poise-one-line" if compact else "poise-knob") as self.box:
            self.box.props(f'data-testid="knob-{knob.name}"')
            self.build(compact)

    @abstractmethod
    def build(self, compact: bool) -> None:
        """Add the elements to the page."""

    @abstractmethod
    def write(self, value: float) -> None:
        """Show a value."""

    def name(self) -> ui.label:
        label = ui.label(self.knob.label).classes("grow poise-knob-name")
        if text := self.describe():
            with label:
                ui.tooltip(text)
        return label

    def describe(self) -> str:
        return self.knob.help

    def set(self, value: float) -> None:
        """Send a value that the user has set, and show it everywhere in the row."""
        self.touch(value)
        self.write(value)

    def touch(self, value: float) -> None:
        """Send a value that the user has set."""
        self._touched_at = time.monotonic()
        self.value = value
        self._send(self.knob.name, value)

    def follow(self, value: float) -> bool:
        """Show a value that was set elsewhere; False while the user is still moving the row."""
        if value == self.value:
            return True
        if time.monotonic() - self._touched_at < HANDS_OFF_S:
            return False
        self.value = value
        self.write(value)
        return True


class Choice(Row):
    """A drop-down of names."""

    def build(self, compact: bool) -> None:
        with ui.row().classes("w-full items-center no-wrap poise-knob-head"):
            self.name()
            self.select = ui.select(
                dict(enumerate(self.knob.choices)), value=int(self.knob.default), on_change=self._choose
            )
            self.select.props("dense borderless options-dense hide-bottom-space").classes("poise-pick")

    def _choose(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value is not None and float(event.value) != self.value:
            self.set(float(event.value))

    def write(self, value: float) -> None:
        self.select.set_value(int(value))


class Switch(Row):
    """On or off."""

    def build(self, compact: bool) -> None:
        with ui.row().classes("w-full items-center no-wrap poise-knob-head"):
            self.name()
            self.switch = ui.switch(value=self.knob.default > 0.0, on_change=self._turn).props("dense size=sm")

    def _turn(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if float(bool(event.value)) != self.value:
            self.set(float(bool(event.value)))

    def write(self, value: float) -> None:
        self.switch.set_value(value > 0.0)


class Quantity(Row):
    """A slider over the practical part of the range, and a number field for all of it."""

    def build(self, compact: bool) -> None:
        knob = self.knob
        # A compact row has room for three digits.
        self._digits = 3 if compact else 6
        with ui.row().classes("w-full items-center no-wrap poise-knob-head"):
            self.name()
            if compact:
                self._add_slider()
            self.undo = ui.button(icon="undo", on_click=lambda: self.set(knob.default))
            self.undo.props("flat round dense size=xs color=primary tabindex=-1")
            self.number = ui.number(value=float(f"{knob.default:.{self._digits}g}"), step=knob.step, suffix=knob.unit)
            self.number.props("dense borderless hide-bottom-space input-class=text-right").classes("poise-number")
        if not compact:
            self._add_slider()
        self.number.on("change", self._type)
        self._mark(knob.default)

    def _add_slider(self) -> None:
        knob = self.knob
        self.slider = ui.slider(min=knob.slider_low, max=knob.slider_high, step=knob.step, value=knob.default)
        self.slider.props("color=primary track-size=3px thumb-size=14px")
        self.slider.on("update:model-value", self._slide, throttle=0.05)

    def describe(self) -> str:
        knob = self.knob
        return f"{knob.help or knob.name} ({knob.low:g} to {knob.high:g} {knob.unit})".replace(" )", ")")

    def write(self, value: float) -> None:
        self.number.set_value(float(f"{value:.{self._digits}g}"))
        self.slider.set_value(min(max(value, self.knob.slider_low), self.knob.slider_high))
        self._mark(value)

    def _mark(self, value: float) -> None:
        """Show the undo button only if the value differs from the default."""
        if value == self.knob.default:
            self.undo.classes(add="poise-hidden")
        else:
            self.undo.classes(remove="poise-hidden")

    def _slide(self, event: events.GenericEventArguments) -> None:
        # Do not set the slider itself: its thumb may already have moved on.
        value = float(event.args)
        self.touch(value)
        self.number.set_value(float(f"{value:.{self._digits}g}"))
        self._mark(value)

    def _type(self) -> None:
        """Set the typed value, clamped to the allowed range."""
        typed = self.knob.default if self.number.value is None else float(self.number.value)
        self.set(min(max(typed, self.knob.low), self.knob.high))


def add_row(knob: Knob, send: Send, *, compact: bool = False) -> Row:
    """Add a row of the kind that fits the parameter to the page."""
    kind = Choice if knob.choices else Switch if knob.switch else Quantity
    return kind(knob, send, compact=compact)
