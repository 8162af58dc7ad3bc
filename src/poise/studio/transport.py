"""The bar under the view: run and pause, step, restart, playback speed, and the slider that looks back."""

from __future__ import annotations

from nicegui import events, ui

from poise.studio.engine import Engine
from poise.studio.moment import HISTORY_S
from poise.studio.published import View

SPEEDS = {0.1: "0.1×", 0.25: "¼×", 0.5: "½×", 1.0: "1×", 2.0: "2×", 4.0: "4×"}


class Transport:
    """Buttons and sliders that control time; `show` updates them."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        with ui.element("div").classes("poise-transport"):
            self._button("restart_alt", "Restart (R)", "restart").on_click(engine.restart)
            self.run = ui.button(icon="pause", on_click=engine.toggle).props(
                "round unelevated color=primary data-testid=run aria-label=run"
            )
            with self.run:
                self.run_hint = ui.tooltip("Pause (P)")
            step = self._button("skip_next", "Step 0.01 s (.); with Shift, one tick", "step")
            step.on("click", self._step, ["shiftKey"])
            self.speed = (
                ui.toggle(SPEEDS, value=engine.view.speed, on_change=lambda e: engine.set_speed(e.value))
                .props("dense no-caps unelevated toggle-color=blue-grey-8 color=blue-grey-1 text-color=blue-grey-8")
                .props("data-testid=time-speed aria-label='playback speed'")
            )
            self.gets_up = self._button("autorenew", "Restart automatically after a fall", "auto-restart")
            self.gets_up.on_click(lambda: engine.set_gets_up(not engine.view.gets_up))
            self.time = ui.label("0.00 s").classes("poise-time").props("data-testid=time")
            self.back = (
                ui.slider(min=-HISTORY_S, max=0.0, step=0.05, value=-engine.view.behind_s)
                .props("data-testid=scrub aria-label='look back' color=primary track-size=6px thumb-size=18px")
                .on("update:model-value", self._look_back, throttle=0.04)
            )
            self.ago = ui.label("now").classes("poise-ago").props("data-testid=ago")

    @staticmethod
    def _button(icon: str, hint: str, test_id: str) -> ui.button:
        with ui.button(icon=icon).props(f"round flat color=blue-grey-8 data-testid={test_id}") as button:
            button.props(f'aria-label="{test_id}"')
            ui.tooltip(hint)
        return button

    def _step(self, event: events.GenericEventArguments) -> None:
        self.engine.step(1 if event.args.get("shiftKey") else None)

    def _look_back(self, event: events.GenericEventArguments) -> None:
        self.engine.look_back(max(-float(event.args), 0.0))

    def show(self, view: View) -> None:
        if view.moment is None:
            return
        self.run.props(f"icon={'pause' if view.running else 'play_arrow'}")
        self.run_hint.set_text("Pause (P)" if view.running else "Run (P)")
        self.gets_up.props(f"color={'primary' if view.gets_up else 'blue-grey-3'}")
        self.time.set_text(f"{view.moment.time_s:.2f} s")
        self.ago.set_text(f"−{view.behind_s:.2f} s" if view.behind_s > 0.0 else "now")
        # While the user looks back, the thumb stays where it is; running resets it to now.
        if view.behind_s == 0.0 and view.running and self.back.value != 0.0:
            self.back.set_value(0.0)
