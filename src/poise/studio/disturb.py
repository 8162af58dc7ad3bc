"""Buttons that push the character and throw balls at it."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from poise.studio.body_scale import BodyScale, Strength, measure_scale, scale_strength
from poise.studio.engine import Engine
from poise.studio.looks import Looks
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
#: Force of a push and speed of a ball, for the humanoid.
FORCE_N = Strength(20.0, 1000.0, 20.0, 300.0)
SPEED_MPS = Strength(2.0, 16.0, 1.0, 8.0)


class Disturb:
    """Pushes and balls; `show` scales them to the body, and hides the sideways ones for a planar character."""

    def __init__(self, engine: Engine, looks: Looks) -> None:
        self._sideways: list[ui.button] = []
        #: The body for which the sliders are laid out.
        self._scale: BodyScale = looks.get("scale", BodyScale())
        self._looks = looks
        ui.label("Push and throw").classes("poise-title")
        self.force = looks.keep("force", self._strength("Push", FORCE_N, "N", "force"))
        self._pad(PUSHES, "push", lambda deg: engine.push(self.force.value, deg))
        self.speed = looks.keep("speed", self._strength("Ball from", SPEED_MPS, "m/s", "ball-speed"))
        self._pad(THROWS, "ball", lambda deg: engine.throw_ball(self.speed.value, deg))
        with ui.row().classes("poise-hint items-center no-wrap"):
            ui.icon("back_hand")
            ui.label("Or drag any part of the body to pull it for as long as you hold it.")

    @staticmethod
    def _strength(text: str, range_: Strength, unit: str, test_id: str) -> ui.slider:
        with ui.row().classes("w-full items-center no-wrap poise-strength"):
            ui.label(text).classes("poise-strength-name")
            slider = ui.slider(min=range_.low, max=range_.high, step=range_.step, value=range_.value)
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
        old, self._scale = self._scale, measure_scale(stage.character)
        self._looks.set("scale", self._scale)
        _rescale(self.force, scale_strength(FORCE_N, self._scale.mass), self._scale.mass / old.mass)
        _rescale(self.speed, scale_strength(SPEED_MPS, self._scale.speed), self._scale.speed / old.speed)
        for button in self._sideways:
            button.set_visibility(not stage.scene["planar"])


def _rescale(slider: ui.slider, strength: Strength, ratio: float) -> None:
    """Give a slider the range for another body; its value keeps its strength relative to the body."""
    slider.props.update(min=strength.low, max=strength.high, step=strength.step)
    slider.update()
    slider.set_value(strength.clamp(float(slider.value) * ratio))
