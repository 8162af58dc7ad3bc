"""The page of one tab: assembles its parts and passes them what the engine publishes."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nicegui import Client, events, ui

from poise.characters.catalog import character_names
from poise.controllers.catalog import controller_names
from poise.errors import PoiseError
from poise.studio.body import Body
from poise.studio.chart import LivePlot
from poise.studio.curves import Curves
from poise.studio.desk import Desk
from poise.studio.disturb import Disturb
from poise.studio.ghosts import Ghosts
from poise.studio.hud import Hud
from poise.studio.looks import Looks
from poise.studio.page_texts import HELP, HELP_ELSEWHERE, KEEP_ADDRESS, RELEASE_FOCUS
from poise.studio.published import Notice, View
from poise.studio.scenario import Scenario, make_scenario
from poise.studio.script_panel import ScriptPanel
from poise.studio.sliders import Commands, Sliders
from poise.studio.steering import can_steer, describe_command, find_key, read_arrow
from poise.studio.tabs import Session, Tabs
from poise.studio.transport import Transport
from poise.studio.view import CharacterView
from poise.studio.workspace import Workspace

#: Poses are sent this often, texts and plots less often.
POSE_EVERY_S = 1.0 / 30.0
WORDS_EVERY_S = 1.0 / 8.0
PLOT_EVERY_S = 1.0 / 6.0

#: Part of the address that names the world of a tab.
WORLD = "world"
STYLE = (Path(__file__).parent / "web" / "style.css").read_text(encoding="utf-8")

#: Shortest time between repeats of a held key.
REPEAT_EVERY_S = 0.12

#: Key -> change of speed and of heading (left positive), in steps.
DRIVE = {
    "w": (1, 0), "arrowup": (1, 0), "s": (-1, 0), "arrowdown": (-1, 0),
    "a": (0, 1), "arrowleft": (0, 1), "d": (0, -1), "arrowright": (0, -1),
}  # fmt: skip
#: Direction in which an arrow key pushes.
PUSH_DEG = {"arrowup": 0.0, "arrowdown": 180.0, "arrowleft": 90.0, "arrowright": -90.0}


@dataclass(frozen=True)
class Choices:
    """The controllers and characters offered in the header."""

    controllers: tuple[str, ...]
    characters: tuple[str, ...]


def list_choices(scenario: Scenario) -> Choices:
    """Everything Poise ships, and the scenario that the studio was opened with."""
    controllers = dict.fromkeys([*controller_names(), scenario.controller])
    characters = dict.fromkeys([*character_names(), scenario.character])
    return Choices(tuple(controllers), tuple(characters))


async def open_page(tabs: Tabs, scenario: Scenario, workspace: Workspace) -> None:
    """Build the page of a tab once the browser has connected; a client that only fetches it gets no world."""
    client = ui.context.client
    ui.colors(primary="#2f6db0")
    ui.add_css(STYLE)
    ui.query(".nicegui-content").classes("p-0 gap-0")
    with ui.element("div").classes("poise-wait") as wait:
        ui.spinner("tail", size="2.4em")
    await client.connected()
    if client.is_deleted:
        return
    session = tabs.enter(client.request.query_params.get(WORLD, ""), client.tab_id or "")
    wait.delete()
    if session is None:
        _build_full_house(tabs.limit)
        return
    if session.page is not None:
        # Connected or not, the page before must not take what is meant for this one.
        session.page.retire()
    page = session.page = StudioPage(session, list_choices(scenario), client, workspace)

    def report() -> None:
        if session.page is page:
            tabs.set_present(session, client.has_socket_connection)

    def leave() -> None:
        if session.page is page:
            tabs.set_present(session, False)
            session.page = None

    client.on_disconnect(report)
    client.on_connect(report)
    client.on_delete(leave)
    # The browser may have gone while the page was built.
    report()
    ui.run_javascript(KEEP_ADDRESS % {"key": WORLD, "name": session.name})


def _build_full_house(limit: int) -> None:
    with ui.column().classes("poise-wait").props("data-testid=full"):
        ui.icon("groups", size="3em", color="blue-grey-6")
        ui.label("Too many tabs.").classes("text-h6")
        ui.label(f"{limit} tabs are already open, and each runs its own world. Close one and try again.")
        ui.button("Try again", on_click=ui.navigate.reload).props("no-caps unelevated")


def _notify(notice: Notice) -> None:
    # At the top, where it covers no controls.
    ui.notify(notice.text, type=notice.kind, position="top", multi_line=True, close_button=True, timeout=8000)


class StudioPage:
    """One tab's page over the engine of its session."""

    def __init__(self, session: Session, choices: Choices, client: Client, workspace: Workspace) -> None:
        engine = self.engine = session.engine
        looks: Looks = session.store.setdefault("looks", Looks())
        #: Controllers that were saved in this tab.
        self._offered: list[str] = session.store.setdefault("offered", [])
        self.client = client
        self._stage_shown = 0
        self._pose_shown = -1
        self._plot_shown = -1
        self._key_at = 0.0
        self._command_shown: dict[str, float] | None = None
        #: Another controller or character was requested and is not on stage yet.
        self._waiting = False
        with ui.element("div").classes("poise-studio") as root:
            self._build_header(choices)
            desks: dict[str, Desk] = session.store.setdefault("desks", {})
            self.script = ScriptPanel(engine, workspace, _notify, self._open, root, desks, looks)
            with ui.element("div").classes("poise-house"):
                self.view = CharacterView(
                    on_ready=self._show_stage, on_pull=engine.pull, on_release=engine.let_go, on_steer=self._steer
                ).props("data-testid=view")
                self.ghosts = Ghosts(self.view)
                self.hud = Hud(engine)
            with ui.element("div").classes("poise-panel"):
                self.commands = Commands(engine)
                with ui.element("section").classes("poise-folds"):
                    self.curves = Curves(engine, workspace, _notify, self._offer, looks)
                    self.body = Body(self._load, looks)
                with ui.element("section"):
                    self.disturb = Disturb(engine, looks)
                with ui.element("section"):
                    self.plot = LivePlot(looks)
                with ui.element("section"):
                    self.sliders = Sliders(engine)
            self.transport = Transport(engine)
        ui.keyboard(on_key=self._key)
        ui.run_javascript(RELEASE_FOCUS)
        self._timers = [
            ui.timer(POSE_EVERY_S, self._show_pose),
            ui.timer(WORDS_EVERY_S, self._show_words),
            ui.timer(PLOT_EVERY_S, self._show_plot),
            self.script.timer,
        ]

    def retire(self) -> None:
        """Stop: another page shows the world now."""
        for timer in self._timers:
            timer.cancel()

    def _build_header(self, choices: Choices) -> None:
        with ui.row().classes("poise-header no-wrap items-center"):
            ui.html("<b>poise</b> studio", sanitize=False).classes("poise-name")
            controllers = tuple(dict.fromkeys([*choices.controllers, *self._offered]))
            self.controller = self._choice("controller", controllers, self._choose_controller)
            self.character = self._choice("character", choices.characters, self._choose_character)
            self.about = ui.label("").classes("poise-about grow").props("data-testid=about")
            with ui.button(icon="code", on_click=lambda: self.script.toggle()) as self.code:
                self.code.props("flat round color=white data-testid=code")
                ui.tooltip("Show or hide the script")
            with ui.button(icon="videocam", on_click=lambda: self.view.reset_camera()) as camera:
                camera.props("flat round color=white data-testid=camera")
                ui.tooltip("Reset the camera")
            with ui.button(icon="help_outline").props("flat round color=white data-testid=help"), ui.menu():
                self.help = ui.markdown(HELP).classes("poise-help")

    @staticmethod
    def _choice(label: str, options: tuple[str, ...], choose: object) -> ui.select:
        select = ui.select(list(options), label=label, on_change=choose)  # type: ignore[arg-type]
        # Draw even long lists as a whole: the browser's search then finds every entry.
        long = "virtual-scroll-slice-size=500"
        return select.props(f"dense dark borderless options-dense {long} data-testid={label}").classes("poise-choice")

    # -- user actions -----------------------------------------------------------------------------------------------

    def _choose_controller(self, event: events.ValueChangeEventArguments[Any]) -> None:
        """Load another controller with its own character."""
        stage = self.engine.stage
        if stage is None or event.value not in self.controller.options or event.value == stage.scenario.controller:
            return
        try:
            old = stage.scenario
            self._load(make_scenario(event.value, None, old.terrain, old.timestep_s, old.ground))
        except PoiseError as error:
            _notify(Notice("negative", str(error)))
            self._show_choice()

    def _choose_character(self, event: events.ValueChangeEventArguments[Any]) -> None:
        stage = self.engine.stage
        offered = event.value in self.character.options
        if stage is not None and offered and event.value != stage.scenario.character:
            self._load(replace(stage.scenario, character=event.value, scale=(), random_body=None))

    def _offer(self, controller: str) -> None:
        """Add a saved style to the choice of controllers."""
        if controller not in self.controller.options:
            self._offered.append(controller)
            self.controller.set_options([*self.controller.options, controller])

    def _open(self, controller: str) -> None:
        """Load a file that was just written."""
        self._offer(controller)
        stage = self.engine.stage
        if stage is not None:
            self._load(replace(stage.scenario, controller=controller, drafts=()))

    def _steer(self, arrow: dict[str, float]) -> None:
        stage = self.engine.stage
        if stage is not None and can_steer(stage.controller):
            self.engine.steer(read_arrow(stage.controller, arrow))

    def _load(self, scenario: Scenario) -> None:
        self._waiting = True
        self.engine.load(scenario)

    def _key(self, event: events.KeyEventArguments) -> None:
        if self._press_for_script(event):
            return
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.meta or event.modifiers.alt:
            return
        name, now = event.key.name.casefold(), time.monotonic()
        if event.action.repeat and now - self._key_at < REPEAT_EVERY_S:
            return
        self._key_at = now
        stage = self.engine.stage
        steerable = stage is not None and can_steer(stage.controller)
        if steerable and not event.modifiers.shift and self._drive(name):
            return
        engine = self.engine
        if name in (" ", "p") and not event.action.repeat:
            engine.toggle()
        elif name == ".":
            engine.step()
        elif name == "r":
            engine.restart()
        elif name == "b":
            engine.throw_ball(self.disturb.speed.value, 180.0)
        elif name in PUSH_DEG and not event.action.repeat:
            self._push(name, steerable)

    def _press_for_script(self, event: events.KeyEventArguments) -> bool:
        """Report a key to a script that reads it; such a key has no other function."""
        stage = self.engine.stage
        parameter = None if stage is None else find_key(stage.controller, event.key.name)
        if parameter is None:
            return False
        if not event.action.repeat:
            self.engine.set_parameter(parameter, float(event.action.keydown))
        return True

    def _drive(self, name: str) -> bool:
        """Apply a steering key; False if the key is not one."""
        if name == " ":
            self.engine.stop()
        elif name in DRIVE:
            self.engine.nudge(*DRIVE[name])
        else:
            return False
        return True

    def _push(self, name: str, steerable: bool) -> None:
        """Push with an arrow key. Planar characters are pushed as the keys point on the screen: left is back."""
        direction_deg = PUSH_DEG[name] if steerable else {"arrowleft": 180.0, "arrowright": 0.0}.get(name)
        if direction_deg is not None:
            self.engine.push(self.disturb.force.value, direction_deg)

    # -- what the engine publishes ----------------------------------------------------------------------------------

    def _show_stage(self) -> None:
        """Show a new stage, or the current one in a view that has just (re)connected."""
        stage, number = self.engine.stage, self.engine.view.stage_number
        if stage is None or not self.view.ready:
            return
        # A view that has reconnected, or is new, has no camera to keep.
        self.view.show_scene(stage, keep=stage.continues and 0 < self._stage_shown != number)
        self._pose_shown = -1
        self._command_shown = None
        self.ghosts.forget()
        if number != self._stage_shown:
            self._stage_shown = number
            self._waiting = False
            self.disturb.show(stage)
            self.hud.show_stage(stage)
            self.body.show(stage)
            self.curves.show(stage)
            self.commands.show(stage)
            self.sliders.show(stage)
            self.script.show(stage, self.engine.view.reading)
            self.code.set_visibility(self.script.is_open)
            self.help.set_content(HELP if can_steer(stage.controller) else HELP_ELSEWHERE)
            if not can_steer(stage.controller):
                self.view.show_command(None)
            self.about.set_text(stage.controller.description)
            self._show_choice()

    def _show_choice(self) -> None:
        stage = self.engine.stage
        if stage is not None and not self._waiting:
            self.controller.set_value(stage.scenario.controller)
            self.character.set_value(stage.scenario.character)

    def _show_pose(self) -> None:
        view = self.engine.view
        if view.stage_number != self._stage_shown:
            self._show_stage()
        fresh = view.moment is not None and self._stage_shown and self._pose_shown != view.number
        if fresh and self.view.ready and self.view.keeps_up:
            self._pose_shown = view.number
            self.view.show_pose(view)
            self._show_command(view)
            self.ghosts.show(view, self.engine.stage, self.script.shows_ghosts)
            self.script.mark(view.moment.stack if view.moment else ())

    def _show_command(self, view: View) -> None:
        stage = self.engine.stage
        command = None if stage is None else describe_command(stage.controller, view.values)
        if command is not None and command != self._command_shown:
            self._command_shown = command
            self.view.show_command(command)

    def _show_words(self) -> None:
        for notice in self.engine.take_notices():
            _notify(notice)
            self._waiting = False
            self._show_choice()
        if self.engine.closed:
            ui.navigate.reload()
            return
        view: View = self.engine.view
        self.hud.show(view, self.view.frames_hz)
        self.transport.show(view)
        self.commands.follow(view)
        self.sliders.follow(view)
        self.curves.follow(view)
        self.script.follow(view)

    def _show_plot(self) -> None:
        view = self.engine.view
        if view.number != self._plot_shown and self.view.keeps_up:
            self._plot_shown = view.number
            self.plot.show(view)
