"""The section in which the curves of a style are edited while the walker uses it, and saved to a file."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from nicegui import events, ui

from poise.controllers.walker.styles import (
    ANGLE_RANGE,
    GROUPS,
    OFFSET_RANGE,
    OWN,
    TEMPO_RANGE,
    UNITS,
    find_partner,
    read_curve,
    read_slot,
)
from poise.errors import PoiseError
from poise.studio import keep
from poise.studio.engine import Engine
from poise.studio.looks import Looks
from poise.studio.published import Notice, Stage, View
from poise.studio.steering import can_restyle
from poise.studio.workspace import Workspace

FIRST_CHANNEL = "stance_shoulder_pitch"
HINTS = {
    "back and head": "for left stance; roll and yaw are mirrored for right stance",
    "arms": "the arms on the stance side and on the swing side",
    "legs": "flexion of the stance knee, and pitch of the soles",
    "foot": "added to the path of the swing foot",
}


class CurveEditor(ui.element, component="web/curve.js"):
    """Five points that can be dragged, and the current step phase."""

    def __init__(self, on_edit: Callable[[list[float]], None]) -> None:
        super().__init__()
        self.show("rad", (0.0,) * 5, None, True)
        self.on("edit", lambda e: on_edit([float(v) for v in e.args]))

    def show(self, unit: str, points: tuple[float, ...], ghost: tuple[float, ...] | None, locked: bool) -> None:
        """Show a curve and, dotted, the one that continues it in the next step."""
        angle = unit == "rad"
        props = {
            "points": list(points),
            "ghost": None if ghost is None else list(ghost),
            "unit": "°" if angle else "cm",
            "factor": 180.0 / math.pi if angle else 100.0,
            "limit": (ANGLE_RANGE if angle else OFFSET_RANGE)[1],
            "locked": locked,
        }
        if any(self._props.get(name) != value for name, value in props.items()):
            self._props.update(props)
            self.update()


class Curves:
    """The collapsible section; `follow` shows the active style."""

    def __init__(
        self,
        engine: Engine,
        workspace: Workspace,
        notify: Callable[[Notice], None],
        on_saved: Callable[[str], None],
        looks: Looks,
    ) -> None:
        self._workspace = workspace
        self.engine = engine
        self._notify = notify
        self._on_saved = on_saved
        self._stage: Stage | None = None
        self._view: View | None = None
        self._looks = looks
        self.channel = str(looks.get("channel", FIRST_CHANNEL))
        self.fold = looks.keep("curves", ui.expansion("Style curves", icon="show_chart")).classes("w-full poise-fold")
        with self.fold:
            self.fold.props("data-testid=fold-curves")
            with ui.row().classes("w-full items-center justify-between no-wrap"):
                self.title = ui.label("").classes("poise-hint grow").props("data-testid=curve-style")
                self.edit = ui.button("edit a copy", icon="edit", on_click=self._edit)
                self.edit.props("dense no-caps unelevated size=sm color=primary data-testid=edit-style")
            with ui.row().classes("w-full items-center no-wrap poise-channels"):
                group = next(name for name, channels in GROUPS.items() if self.channel in channels)
                groups = ui.select(list(GROUPS), value=group, on_change=self._choose_group)
                self.group = groups.props("dense outlined options-dense data-testid=curve-group")
                self.pick = ui.select([], on_change=self._choose).classes("grow")
                self.pick.props("dense outlined options-dense data-testid=curve-channel")
            self.editor = CurveEditor(self._draw).props("data-testid=curve")
            self.hint = ui.label("").classes("poise-hint")
            with ui.row().classes("w-full items-center no-wrap poise-curve-foot"):
                self.joined = looks.keep("joined", ui.switch("continuous across the stance change", value=True))
                self.joined.props("dense size=sm data-testid=curve-joined")
            with ui.row().classes("w-full items-center no-wrap poise-strength"):
                ui.label("tempo").classes("poise-strength-name")
                self.tempo = ui.slider(min=TEMPO_RANGE[0], max=TEMPO_RANGE[1], step=0.02, value=1.0).classes("grow")
                self.tempo.props("color=primary track-size=3px thumb-size=14px data-testid=curve-tempo")
                self.tempo.on("update:model-value", lambda e: self.engine.edit_tempo(float(e.args)), throttle=0.1)
                ui.label().bind_text_from(self.tempo, "value", lambda v: f"{v:.2f}×").classes("poise-strength-value")
            with ui.row().classes("w-full items-center no-wrap poise-save"):
                self.name = ui.input(placeholder="name of the style").classes("grow")
                self.name.props("dense outlined hide-bottom-space data-testid=style-name")
                ui.button("save style", icon="save", on_click=lambda: self._save(False)).props(
                    "dense no-caps unelevated color=primary data-testid=save-style"
                )
        self._list_channels(group)

    # -- user actions -----------------------------------------------------------------------------------------------

    def _choose_group(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._list_channels(event.value)

    def _list_channels(self, group: str) -> None:
        channels = GROUPS[group]
        self.hint.set_text(HINTS[group])
        self.channel = self.channel if self.channel in channels else channels[0]
        self._looks.set("channel", self.channel)
        self.pick.set_options({c: c.replace("_", " ") for c in channels}, value=self.channel)
        self._show_curve()

    def _choose(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value:
            self.channel = event.value
            self._looks.set("channel", self.channel)
            self._show_curve()

    def _edit(self) -> None:
        if self._view is not None:
            self.engine.edit_style(int(self._view.values["style"]))

    def _draw(self, points: list[float]) -> None:
        self.engine.edit_curve(self.channel, points, bool(self.joined.value))

    def _save(self, overwrite: bool) -> None:
        """Save the style under its name; ask before replacing a file."""
        stage, view = self._stage, self._view
        if stage is None or view is None or view.params is None:
            return
        name = (self.name.value or "").strip()
        try:
            path = keep.find_style_file(name, self._workspace)
            if path.exists() and not overwrite:
                self._ask(str(path))
                return
            keep.save_style(
                stage.scenario,
                stage.controller,
                view.params,
                stage.character,
                name,
                self._workspace,
                overwrite=overwrite,
            )
        except PoiseError as error:
            self._notify(Notice("negative", str(error)))
            return
        self._notify(Notice("positive", f"Saved. Run it anywhere with: poise run {path}, or poise studio {path}"))
        self._on_saved(str(path))

    def _ask(self, path: str) -> None:
        with ui.dialog() as dialog, ui.card():
            ui.label(f"{path} exists. Overwrite it?")
            with ui.row().classes("w-full justify-end"):
                ui.button("keep it", on_click=dialog.close).props("flat no-caps data-testid=overwrite-no")
                overwrite = ui.button("overwrite", on_click=dialog.close).on_click(lambda: self._save(True))
                overwrite.props("no-caps unelevated color=negative data-testid=overwrite-yes")
        dialog.open()

    # -- what the engine publishes ----------------------------------------------------------------------------------

    def show(self, stage: Stage) -> None:
        self._stage = stage
        self._view = None
        self.fold.set_visibility(can_restyle(stage.controller))

    def follow(self, view: View) -> None:
        stage = self._stage
        if stage is None or view.params is None or not can_restyle(stage.controller):
            return
        if self._view is not None and view.params is self._view.params:
            return
        self._view = view
        style = stage.controller.parameter("style").choices[int(view.values["style"])]
        own = style == OWN
        self.title.set_text("Drag the points; edits apply at once." if own else f"active: {style}")
        self.edit.set_visibility(not own)
        if own:
            self.tempo.enable()
        else:
            self.tempo.disable()
        tempo = round(read_slot(view.params, int(view.values["style"]), style).tempo, 3)
        self.tempo.set_value(tempo)
        self._show_curve()

    def _show_curve(self) -> None:
        view, stage = self._view, self._stage
        if view is None or stage is None or view.params is None or view.params.size != stage.controller.params.size:
            return
        style = int(view.values["style"])
        locked = stage.controller.parameter("style").choices[style] != OWN
        partner = find_partner(self.channel)
        ghost = None
        if partner is not None and partner[0] != self.channel:
            ghost = read_curve(view.params, style, partner[0])
        self.editor.show(UNITS[self.channel], read_curve(view.params, style, self.channel), ghost, locked)
