"""What lies over the view: how the run is going, and what is being prepared."""

from __future__ import annotations

from nicegui import ui

from poise.studio.published import View


class Hud:
    """The status card and the curtain that is drawn while something is prepared."""

    def __init__(self) -> None:
        with ui.element("div").classes("poise-hud").props("data-testid=status"):
            self.state = ui.label("").classes("poise-state").props("data-testid=state")
            self.speed = self._figure("speed", "speed")
            self.steps = self._figure("steps", "steps")
            self.distance = self._figure("distance", "distance")
            self.pace = self._figure("real time", "pace")
        with ui.element("div").classes("poise-curtain").props("data-testid=curtain") as self.curtain:
            ui.spinner("tail", size="2.4em", color="primary")
            self.preparing = ui.label("Setting the stage …").props("data-testid=preparing")

    @staticmethod
    def _figure(name: str, test_id: str) -> ui.label:
        with ui.element("div").classes("poise-figure"):
            ui.label(name).classes("poise-figure-name")
            return ui.label("–").classes("poise-figure-value").props(f"data-testid={test_id}")

    def show(self, view: View) -> None:
        self.curtain.set_visibility(bool(view.preparing))
        self.preparing.set_text(view.preparing)
        moment = view.moment
        if moment is None:
            return
        word, tone = describe_state(view)
        self.state.set_text(word)
        self.state.classes(replace=f"poise-state poise-{tone}")
        self.speed.set_text(f"{_plain(moment.speed_mps, 2)} m/s")
        self.steps.set_text(str(moment.steps))
        self.distance.set_text(f"{_plain(moment.com_w_m[0], 1)} m")
        self.pace.set_text(f"{view.realtime_factor:.2f}×" if view.running else "–")


def _plain(value: float, decimals: int) -> str:
    """A rounded number that is never -0."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def describe_state(view: View) -> tuple[str, str]:
    """How it goes in a few words, and the tone in which to say it."""
    moment = view.moment
    assert moment is not None
    fallen = f"fallen at {moment.fell_at_s:.2f} s" if moment.fell_at_s is not None else ""
    if view.behind_s > 0.0:
        return f"{view.behind_s:.2f} s ago" + (f", {fallen}" if fallen else ""), "past"
    if not view.running:
        return "paused" + (f", {fallen}" if fallen else ""), "past"
    return (fallen, "fallen") if fallen else ("on its feet", "up")
