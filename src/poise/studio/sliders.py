"""A slider and a number for each parameter that a controller declares, in groups that can be searched."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from nicegui import events, ui

from poise.studio.engine import Engine
from poise.studio.knobs import Knob, make_knobs
from poise.studio.published import Stage

#: More than this, and the groups begin closed.
FEW = 12


@dataclass
class _Row:
    knob: Knob
    box: ui.element
    slider: ui.slider
    number: ui.number
    reset: ui.button

    def set_value(self, value: float) -> None:
        self.number.set_value(float(f"{value:.6g}"))
        self.slider.set_value(min(max(value, self.knob.slider_low), self.knob.slider_high))
        self.reset.set_visibility(value != self.knob.default)


class Sliders:
    """All parameters of the controller on stage; `show` lays them out anew for another one."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._rows: list[_Row] = []
        self._groups: list[tuple[str, ui.expansion]] = []
        with ui.row().classes("w-full items-center justify-between no-wrap"):
            ui.label("Parameters").classes("poise-title")
            ui.button("reset all", on_click=self._reset_all).props(
                "flat dense no-caps size=sm color=primary data-testid=reset-all"
            )
        self.search = (
            ui.input(placeholder="search", on_change=lambda e: self._filter(e.value or ""))
            .props("dense outlined clearable data-testid=search")
            .classes("w-full")
        )
        with self.search.add_slot("prepend"):
            ui.icon("search").props("size=xs")
        self.list = ui.column().classes("w-full poise-knobs")

    def show(self, stage: Stage) -> None:
        self.list.clear()
        self._rows.clear()
        self._groups.clear()
        knobs = make_knobs(stage.controller)
        self.search.set_visibility(len(knobs) > FEW)
        self.search.set_value("")
        with self.list:
            if not knobs:
                ui.label("This controller declares none.").classes("poise-hint")
            for number, (group, members) in enumerate(groupby(knobs, key=lambda knob: knob.group)):
                opened = number == 0 or len(knobs) <= FEW
                with ui.expansion(group, value=opened).props("dense").classes("w-full poise-group") as expansion:
                    expansion.props(f'data-testid="group-{group}"')
                    self._rows += [self._add(knob) for knob in members]
                self._groups.append((group, expansion))

    def _add(self, knob: Knob) -> _Row:
        with ui.element("div").classes("poise-knob") as box:
            box.props(f'data-testid="knob-{knob.name}"')
            with ui.row().classes("w-full items-center no-wrap poise-knob-head"):
                name = ui.label(knob.label).classes("grow")
                reset = ui.button(icon="undo").props("flat round dense size=xs color=primary")
                reset.set_visibility(False)
                number = ui.number(value=float(f"{knob.default:.6g}"), step=knob.step, suffix=knob.unit)
                number.props("dense borderless hide-bottom-space input-class=text-right").classes("poise-number")
            slider = ui.slider(min=knob.slider_low, max=knob.slider_high, step=knob.step, value=knob.default)
            slider.props("color=primary track-size=3px thumb-size=14px")
        with name:
            ui.tooltip(f"{knob.help or knob.name} ({knob.low:g} to {knob.high:g} {knob.unit})".replace(" )", ")"))
        row = _Row(knob, box, slider, number, reset)
        reset.on_click(lambda: self._set(row, knob.default))
        slider.on("update:model-value", lambda e: self._slide(row, e), throttle=0.05)
        number.on("change", lambda: self._type(row))
        return row

    def _set(self, row: _Row, value: float) -> None:
        self.engine.set_parameter(row.knob.name, value)
        row.set_value(value)

    def _slide(self, row: _Row, event: events.GenericEventArguments) -> None:
        value = float(event.args)
        self.engine.set_parameter(row.knob.name, value)
        row.number.set_value(float(f"{value:.6g}"))
        row.reset.set_visibility(value != row.knob.default)

    def _type(self, row: _Row) -> None:
        """What was typed counts if it is allowed; otherwise the nearest value that is."""
        typed = row.knob.default if row.number.value is None else float(row.number.value)
        self._set(row, min(max(typed, row.knob.low), row.knob.high))

    def _reset_all(self) -> None:
        self.engine.reset_parameters()
        for row in self._rows:
            row.set_value(row.knob.default)

    def _filter(self, text: str) -> None:
        """Shows the knobs in whose names all the words occur, and opens their groups."""
        words = text.casefold().split()
        found = {group: False for group, _ in self._groups}
        for row in self._rows:
            name = f"{row.knob.group} {row.knob.label} {row.knob.name}".casefold()
            fits = all(word in name for word in words)
            row.box.set_visibility(fits)
            found[row.knob.group] |= fits
        for group, expansion in self._groups:
            expansion.set_visibility(found[group])
            if words and found[group]:
                expansion.open()
