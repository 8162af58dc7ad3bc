"""The parameter panel: a walker's commands on top, all other parameters in searchable groups."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from nicegui import ui

from poise.studio.engine import Engine
from poise.studio.knobs import BALANCE, COMMANDS, FOOTHOLDS, Knob, make_knobs
from poise.studio.published import Stage, View
from poise.studio.rows import Row, add_row

#: With more parameters than this, groups start closed.
FEW = 12


class _Rows:
    """Rows that set an engine's parameters and follow changes made elsewhere."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.rows: list[Row] = []
        self._shown: Mapping[str, float] | None = None

    def clear(self) -> None:
        self.rows.clear()
        self._shown = None

    def add(self, knob: Knob, *, compact: bool) -> None:
        self.rows.append(add_row(knob, self.engine.set_parameter, compact=compact))

    def follow(self, view: View) -> None:
        """Show values set by a key, by the arrow or by looking back; a row that the user is moving has priority."""
        if view.values is self._shown:
            return
        settled = True
        for row in self.rows:
            if row.knob.name in view.values:
                settled &= row.follow(view.values[row.knob.name])
        if settled:
            self._shown = view.values


class Commands(_Rows):
    """A walker's commands in one-line rows."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        with ui.element("section") as self.section:
            with ui.row().classes("w-full items-center justify-between no-wrap"):
                ui.label("Commands").classes("poise-title")
                ui.button("reset", on_click=engine.reset_parameters).props(
                    "flat dense no-caps size=sm color=primary data-testid=reset-commands"
                )
            self.list = ui.column().classes("w-full poise-knobs poise-compact")

    def show(self, stage: Stage) -> None:
        self.list.clear()
        self.clear()
        knobs = [knob for knob in make_knobs(stage.controller) if knob.group == COMMANDS]
        self.section.set_visibility(bool(knobs))
        # The style comes first: users look for it.
        with self.list:
            for knob in sorted(knobs, key=lambda knob: not knob.choices):
                self.add(knob, compact=True)


class Sliders(_Rows):
    """All other parameters of the controller on stage; `show` lays them out for a new one."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._groups: list[tuple[str, ui.expansion]] = []
        with ui.row().classes("w-full items-center justify-between no-wrap"):
            ui.label("Parameters").classes("poise-title")
            ui.button("reset all", on_click=engine.reset_parameters).props(
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
        self.clear()
        self._groups.clear()
        knobs = [knob for knob in make_knobs(stage.controller) if knob.group != COMMANDS]
        self.search.set_visibility(len(knobs) > FEW)
        self.search.set_value("")
        with self.list:
            if not knobs:
                ui.label("This controller has no parameters.").classes("poise-hint")
            for number, (group, members) in enumerate(groupby(knobs, key=lambda knob: knob.group)):
                opened = group not in (BALANCE, FOOTHOLDS) and (number == 0 or len(knobs) <= FEW)
                title = group.capitalize() if group in (BALANCE, FOOTHOLDS) else group
                with ui.expansion(title, value=opened).props("dense").classes("w-full poise-group") as expansion:
                    expansion.props(f'data-testid="group-{group}"')
                    for knob in members:
                        self.add(knob, compact=False)
                self._groups.append((group, expansion))

    def _filter(self, text: str) -> None:
        """Show the knobs whose names contain all the words, and open their groups."""
        words = text.casefold().split()
        found = {group: False for group, _ in self._groups}
        for row in self.rows:
            name = f"{row.knob.group} {row.knob.label} {row.knob.name}".casefold()
            fits = all(word in name for word in words)
            row.box.set_visibility(fits)
            found[row.knob.group] |= fits
        for group, expansion in self._groups:
            expansion.set_visibility(found[group])
            if words and found[group]:
                expansion.open()
