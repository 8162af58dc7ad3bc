"""The overlay of the view: state of the run, progress of compiling, and the actions after a fall."""

from __future__ import annotations

import math

from nicegui import ui

from poise.studio.engine import Engine
from poise.studio.moment import LIES_S, Moment
from poise.studio.published import Stage, View

#: Time before the fall to which the button after a fall goes back.
BACK_S = 2.0
KEYS = (
    "<b>↑ ↓</b> speed &nbsp;·&nbsp; <b>← →</b> turn &nbsp;·&nbsp; <b>space</b> stop &nbsp;·&nbsp; "
    "drag the <b>arrow</b> to steer, the <b>body</b> to shove"
)


class Hud:
    """The status card, the card after a fall, and the one shown while something is prepared."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        with ui.element("div").classes("poise-hud").props("data-testid=status"):
            self.state = ui.label("").classes("poise-state").props("data-testid=state")
            self.speed = self._figure("speed", "speed")
            self.steps = self._figure("steps", "steps")
            self.distance = self._figure("distance", "distance")
            self.heading = self._figure("heading", "heading")
            self.turns = self._figure("was down", "turns")
            self.pace = self._figure("real time", "pace")
            self.frames = self._figure("drawn", "frames")
        self.keys = ui.html(KEYS, sanitize=False).classes("poise-keys").props("data-testid=keys")
        self._build_fall()
        with ui.element("div").classes("poise-curtain").props("data-testid=curtain") as self.curtain:
            self.preparing = ui.label("Setting the stage …").props("data-testid=preparing")
            self.bar = ui.linear_progress(show_value=False, size="6px").props("rounded data-testid=progress")

    def _build_fall(self) -> None:
        with ui.element("div").classes("poise-fall").props("data-testid=fall") as self.fall:
            with ui.row().classes("items-center no-wrap"):
                ui.icon("personal_injury", size="1.6em", color="negative")
                self.fell = ui.label("").classes("poise-fell").props("data-testid=fell")
                ui.button("restart", icon="restart_alt", on_click=self.engine.restart).props(
                    "dense no-caps unelevated color=primary data-testid=start-again"
                )
                ui.button(f"back {BACK_S:g} s", icon="history", on_click=self._go_back).props(
                    "dense no-caps flat color=primary data-testid=go-back"
                )
            gets_up = ui.switch("restart automatically", on_change=lambda e: self.engine.set_gets_up(bool(e.value)))
            self.gets_up = gets_up.props("dense size=sm data-testid=gets-up")
        self.fall.set_visibility(False)

    def _go_back(self) -> None:
        """Go back to a time before the fall and run from there."""
        moment = self.engine.view.moment
        if moment is not None and moment.down_for_s > 0.0:
            self.engine.look_back(self.engine.view.behind_s + moment.down_for_s + BACK_S)
            self.engine.run()

    @staticmethod
    def _figure(name: str, test_id: str) -> ui.label:
        with ui.element("div").classes(f"poise-figure poise-figure-{test_id}"):
            ui.label(name).classes("poise-figure-name")
            return ui.label("–").classes("poise-figure-value").props(f"data-testid={test_id}")

    def show_stage(self, stage: Stage) -> None:
        """Hide the heading for planar characters, and the keys for controllers that cannot be steered."""
        self.keys.set_visibility(bool(stage.scene["steerable"]))
        self._show_row(self.heading, not stage.scene["planar"])

    @staticmethod
    def _show_row(figure: ui.label, visible: bool) -> None:
        row = figure.parent_slot
        if row is not None:
            row.parent.set_visibility(visible)

    def show(self, view: View, frames_hz: int) -> None:
        self.curtain.set_visibility(bool(view.preparing))
        words, part = describe_preparing(view)
        self.preparing.set_text(words)
        self.bar.set_visibility(part is not None)
        self.bar.set_value(part or 0.0)
        moment = view.moment
        if moment is None:
            return
        word, tone = describe_state(view)
        self.state.set_text(word)
        self.state.classes(replace=f"poise-state poise-{tone}")
        self.speed.set_text(f"{_plain(moment.speed_mps, 2)} m/s")
        self.steps.set_text(str(moment.steps))
        self.distance.set_text(f"{_plain(moment.distance_m, 1)} m")
        self.heading.set_text(f"{_plain(math.degrees(math.remainder(moment.heading_rad, 2.0 * math.pi)), 0)}°")
        turns = describe_turns(moment)
        self.turns.set_text(turns)
        self._show_row(self.turns, bool(turns))
        self.pace.set_text(f"{view.realtime_factor:.2f}×" if view.running else "–")
        self.frames.set_text(f"{frames_hz} Hz" if view.running and frames_hz else "–")
        words = describe_fall(moment)
        self.fall.set_visibility(bool(words))
        self.fell.set_text(words)
        self.gets_up.set_value(view.gets_up)


def _plain(value: float, decimals: int) -> str:
    """A rounded number that is never -0."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def describe_preparing(view: View) -> tuple[str, float | None]:
    """What is being prepared, and which part of it is done; None if nothing has to be compiled."""
    progress = view.progress
    if progress is None or not progress.compiles:
        return view.preparing, None
    done, needed = progress.done, progress.needed
    words = f"Compiling, only this once: {done} of {needed} functions."
    if done == needed - 1:
        words += " The last one, the control loop, takes longest."
    return words, done / needed


def describe_state(view: View) -> tuple[str, str]:
    """The state of the run in a few words, and the style class for it."""
    moment = view.moment
    assert moment is not None
    if view.preparing:
        return "getting ready", "past"
    since_s, fell_at_s = moment.posture.down_since_s, moment.fell_at_s
    lies = f"fallen at {fell_at_s:.2f} s" if fell_at_s is not None else ""
    if since_s is not None and fell_at_s is None:
        lies = f"down since {since_s:.2f} s"
    if view.behind_s > 0.0:
        return f"{view.behind_s:.2f} s ago" + (f", {lies}" if lies else ""), "past"
    if not view.running:
        return "paused" + (f", {lies}" if lies else ""), "past"
    if not lies:
        return "on its feet", "up"
    return lies, "past" if fell_at_s is None else "fallen"


def describe_fall(moment: Moment) -> str:
    """The words of the card after a fall; empty if there is none. Of a script, they say only that the body is down."""
    if moment.fell_at_s is not None:
        return f"It fell at {moment.fell_at_s:.1f} s."
    since_s = moment.posture.down_since_s
    return f"Down since {since_s:.1f} s." if since_s is not None and moment.down_for_s > LIES_S else ""


def describe_turns(moment: Moment) -> str:
    """When the body was down before, as the summary of `poise run` says it; empty if it never was."""
    over = [down for down in moment.posture.downs if down.over]
    if not over:
        return ""
    times = f"{over[-1].since_s:.2f} to {over[-1].until_s:.2f} s"
    return times if len(over) == 1 else f"{times} ({len(over)}×)"
