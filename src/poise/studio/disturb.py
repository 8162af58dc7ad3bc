"""Buttons that push the character and throw balls at it."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from poise.studio.engine import Engine
from poise.studio.published import Stage

#: Icon, word, direction in degrees of the heading frame, and whether it leaves the plane.
PUSHES = (
    ("arrow_back", "back", 180.0, False),
    ("arrow_forward", "forward", 0.0, False),
    ("arrow_upward", "left", 90.0, True),
    ("arrow_downward", "right", -90.0, True),
)
THROWS = (
    ("arrow_back", "ahead", 180.0, False),
    ("arrow_forward", "behind", 0.0, False),
    ("arrow_downward", "left", -90.0, True),
    ("arrow_upward", "right", 90.0, True),
)


class Disturb:
    """Pushes and balls; `show` hides the sideways ones for a planar character."""

    def __init__(self, engine: Engine) -> None:
        self._sideways: list[ui.button] = []
        ui.label("Push and throw").classes("poise-title")
        self.force = self._strength("Push", 20.0, 1000.0, 20.0, 300.0, "N", "force")
        self._pad(PUSHES, "push", lambda deg: engine.push(self.force.value, deg))
        self.speed = self._strength("Ball from", 2.0, 16.0, 1.0, 8.0, "m/s", "ball-speed")
        self._pad(THROWS, "ball", lambda deg: engine.throw_ball(self.speed.value, deg))
        with ui.row().classes("poise-hint items-center no-wrap"):
            ui.icon("back_hand")
            ui.label("Or drag any part of the body to pull it for as long as you hold it.")

    @staticmethod
    def _strength(text: str, low: float, high: float, step: float, value: float, unit: str, test_id: str) -> ui.slider:
        with ui.row().classes("w-full items-center no-wrap poise-strength"):
            ui.label(text).classes("poise-strength-name")
            slider = ui.slider(min=low, max=high, step=step, value=value)
            slider.props(f"color=blue-grey-7 data-testid={test_id}").classes("grow")
            shown = ui.label().bind_text_from(slider, "value", lambda v: f"{v:g} {unit}")
            shown.classes("poise-strength-value").props(f"data-testid={test_id}-value")
        return slider

    def _pad(self, buttons: tuple[tuple[str, str, float, bool], ...], kind: str, act: Callable[[float], None]) -> None:
        with ui.row().classes("poise-pad w-full"):
            for icon, word, direction_deg, sideways in buttons:
                button = ui.button(word, icon=icon, on_click=lambda deg=direction_deg: act(deg))
                button.props(f"outline no-caps dense color=blue-grey-7 data-testid={kind}-{word}")
                if sideways:
                    self._sideways.append(button)

    def show(self, stage: Stage) -> None:
        for button in self._sideways:
            button.set_visibility(not stage.scene["planar"])
