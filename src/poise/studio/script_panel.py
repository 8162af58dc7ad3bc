"""The script panel beside the character: the script's files, their errors, and the running phases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from nicegui import ui

from poise.controllers.script.whereabouts import Stack
from poise.errors import PoiseError
from poise.language.problems import ERROR
from poise.studio import desk as desks
from poise.studio.actor import find_script
from poise.studio.copy_dialog import ask_for_copy
from poise.studio.desk import Desk, Sheet
from poise.studio.editor import Editor
from poise.studio.engine import Engine
from poise.studio.looks import Looks
from poise.studio.published import Notice, Stage, View
from poise.studio.reading import Reading
from poise.studio.rerun import Since, Version
from poise.studio.script_words import describe_banner, describe_status, describe_where
from poise.studio.workspace import Workspace

#: How often the disk is checked for changed files.
LOOK_EVERY_S: Final = 0.5
CHOICES: Final[dict[str, str]] = {"start": "start", "phase": "phase in view"}


class _Tab(NamedTuple):
    """What a file's tab shows."""

    key: Path
    name: str
    path: str
    dirty: bool
    wrong: bool
    open: bool
    read_only: bool


class ScriptPanel:
    """The column with the text; `show` opens a script, `follow` updates it."""

    def __init__(
        self,
        engine: Engine,
        workspace: Workspace,
        notify: Callable[[Notice], None],
        on_open: Callable[[str], None],
        root: ui.element,
        desks: dict[str, Desk],
        looks: Looks,
    ) -> None:
        self._workspace = workspace
        self.engine, self._notify, self._on_open, self._root = engine, notify, on_open, root
        #: The desk of every script opened so far: returning to a script restores its unsaved texts.
        self._desks = desks
        self._looks = looks
        self.desk = Desk(workspace)
        self._controller = ""
        self._current: Path | None = None
        self._number = engine.newest
        self._reading: Reading | None = None
        self._phases_of = -1
        self._marks: dict[Path, list[dict[str, Any]]] | None = None
        self._ready = False
        self._tabs_shown: list[_Tab] = []
        self._banner_shown = ("", "")
        with ui.element("div").classes("poise-script").props("data-testid=script") as self.column:
            self._build_head()
            self.banner = ui.row().classes("poise-banner no-wrap items-center").props("data-testid=banner")
            self.editor = Editor(on_ready=self._become_ready, on_edit=self._edit, on_save=self._save)
            self.editor.props("data-testid=editor")
            with ui.row().classes("poise-script-foot no-wrap items-center"):
                self.status = ui.label("").classes("grow").props("data-testid=script-status")
                self.where = ui.label("").classes("poise-where").props("data-testid=script-where")
        self.banner.set_visibility(False)
        self.status.on("click", self._reveal_first)
        self.timer = ui.timer(LOOK_EVERY_S, self._look)
        self.hide()

    def _build_head(self) -> None:
        with ui.row().classes("poise-script-head no-wrap items-center"):
            self.tabs = ui.row().classes("poise-sheets no-wrap items-center grow")
            self.save = ui.button(icon="save", on_click=self._save).props("flat round dense size=sm color=primary")
            with self.save.props("data-testid=save-script"):
                ui.tooltip("Save (Ctrl+S)")
            self.copy = ui.button(icon="file_copy", on_click=self._copy).props("flat round dense size=sm color=primary")
            with self.copy.props("data-testid=copy-script"):
                ui.tooltip("Save a copy")
        with ui.row().classes("poise-since no-wrap items-center"):
            ui.label("An edit runs from the")
            self.since = self._looks.keep("since", ui.toggle(CHOICES, value="start"))
            self.since.props("dense no-caps unelevated size=sm")
            self.since.props("toggle-color=blue-grey-8 color=blue-grey-1 text-color=blue-grey-8 data-testid=since")
            ui.element("div").classes("grow")
            self.ghosts = self._looks.keep("ghosts", ui.switch("past and future", value=True))
            self.ghosts.props("dense size=xs data-testid=ghosts")

    def hide(self) -> None:
        self._root.classes(remove="poise-with-script")

    def toggle(self) -> None:
        """Hide or show the column."""
        if self._controller:
            self._root.classes(toggle="poise-with-script")

    # -- user actions -----------------------------------------------------------------------------------------------

    def _become_ready(self) -> None:
        """Send everything to an editor that has just (re)connected."""
        self._ready = True
        self._phases_of, self._marks = -1, None
        for key in [*self.desk.sheets, self._current]:
            if key is not None and key in self.desk.sheets:
                self.editor.show_sheet(key, self.desk.sheets[key])
        if self._reading is not None:
            self._show_remarks(self._reading)
        self._refresh()

    def _edit(self, key: Path, text: str, generation: int) -> None:
        if key in self.desk.sheets:
            self.desk.edit(key, text, generation)
            self._refresh()
            self._send()

    def _send(self) -> None:
        """Let the engine read and run the texts in the page."""
        self._number += 1
        since: Since = "phase" if self.since.value == "phase" else "start"
        sheet = self._sheet
        self.engine.edit(Version(self._number, self.desk.drafts, since, sheet.name if sheet else ""))

    def _save(self) -> None:
        if self._current is None:
            return
        try:
            path = self.desk.save(self._current)
        except PoiseError as error:
            self._notify(Notice("negative", str(error)))
        else:
            self._notify(Notice("positive", f"Saved: {path}"))
            self._send()
        self._refresh()

    def _copy(self) -> None:
        sheet, main = self._sheet, self._main
        if sheet is None or main is None:
            return
        # A copy of a called script is found only beside a copy of the shipped script that calls it.
        sheets = [main, sheet] if main.read_only and sheet is not main else [sheet]
        suggested = desks.suggest_copy(sheets[0], main, self._workspace)
        ask_for_copy(sheets, suggested, self._workspace, lambda paths: self._copied(sheets, paths))

    def _copied(self, sheets: list[Sheet], paths: list[Path]) -> None:
        self._notify(Notice("positive", f"Saved: {', '.join(map(str, paths))}"))
        if sheets[0] is self._main:
            self._on_open(str(paths[0]))
        else:
            self._send()

    def _choose(self, key: Path) -> None:
        self._current = key
        self.editor.show_sheet(key, self.desk.sheets[key])
        self._refresh()

    def _take_disk(self) -> None:
        if self._current is not None:
            self.desk.take_disk(self._current)
            self.editor.set_text(self._current, self.desk.sheets[self._current])
            self._refresh()
            self._send()

    def _keep_mine(self) -> None:
        if self._current is not None:
            self.desk.keep_mine(self._current)
            self._refresh()

    def _reveal_first(self) -> None:
        """Bring the first error into view, or the first warning."""
        remarks = sorted(self._reading.remarks, key=lambda r: r.severity != ERROR) if self._reading else []
        for remark in remarks:
            key = Path(remark.path).resolve()
            if key in self.desk.sheets and remark.line:
                if key != self._current:
                    self._choose(key)
                self.editor.reveal(remark.line)
                return

    def _look(self) -> None:
        """Take over files that were saved elsewhere."""
        changed, around = self.desk.look(), self.desk.look_around()
        for key in changed:
            self.editor.set_text(key, self.desk.sheets[key])
        if changed:
            self._refresh()
        if (changed or around) and self._controller:
            self._send()

    # -- display ----------------------------------------------------------------------------------------------------

    @property
    def _sheet(self) -> Sheet | None:
        return self.desk.sheets.get(self._current) if self._current else None

    @property
    def _main(self) -> Sheet | None:
        return next(iter(self.desk.sheets.values()), None)

    def show(self, stage: Stage, reading: Reading | None) -> None:
        """Open the script on stage; hide the column for other controllers."""
        script = find_script(stage.scenario.controller)
        if script is None or reading is None:
            self._controller = ""
            self.hide()
            return
        self._root.classes(add="poise-with-script")
        if stage.scenario.controller == self._controller:
            return
        self._controller, self._current = stage.scenario.controller, None
        self.desk = self._desks.setdefault(self._controller, Desk(self._workspace))
        self._reading, self._phases_of, self._marks = None, -1, None
        self._lay_out(reading)
        if self.desk.drafts != stage.scenario.drafts:
            self._send()

    def _lay_out(self, reading: Reading) -> None:
        # The includes of a main file that cannot be read are unknown: keep the sheets.
        if self.desk.sheets and not reading.pages[0].phases:
            return
        if not self.desk.lay_out(reading.pages) and self._current is not None:
            return
        if self._current not in self.desk.sheets:
            self._current = next(iter(self.desk.sheets))
        self._phases_of = -1
        if self._ready:
            for key in [*self.desk.sheets, self._current]:
                self.editor.show_sheet(key, self.desk.sheets[key])
        self._refresh()

    def _refresh(self) -> None:
        """Show the tabs and the banner."""
        tabs = [self._describe_tab(key, sheet) for key, sheet in self.desk.sheets.items()]
        if tabs != self._tabs_shown:
            # Otherwise they stay: a click on an element that is replaced under the pointer would be lost.
            self._tabs_shown = tabs
            self.tabs.clear()
            with self.tabs:
                for tab in tabs:
                    self._add_tab(tab)
        if self._ready:
            self.editor.show_dirty([key for d in self._desks.values() for key, s in d.sheets.items() if s.is_dirty])
        current = self._sheet
        self.save.set_enabled(current is not None and not current.read_only)
        self._show_banner(current)

    def _describe_tab(self, key: Path, sheet: Sheet) -> _Tab:
        wrong = self._reading is not None and any(
            r.severity == ERROR and Path(r.path).resolve() == key for r in self._reading.remarks
        )
        return _Tab(key, sheet.name, str(sheet.path), sheet.is_dirty, wrong, key == self._current, sheet.read_only)

    def _add_tab(self, tab: _Tab) -> None:
        button = ui.button(f"{tab.name}{' •' if tab.dirty else ''}", on_click=lambda: self._choose(tab.key))
        button.props("flat dense no-caps size=sm").classes("poise-sheet" + (" poise-sheet-current" if tab.open else ""))
        button.props(f'color={"negative" if tab.wrong else "blue-grey-8"} data-testid="sheet-{tab.name}"')
        if tab.read_only:
            button.props("icon=lock")
        with button:
            ui.tooltip(tab.path)

    def _show_banner(self, sheet: Sheet | None) -> None:
        text = describe_banner(sheet) if sheet else ""
        shown = (text, sheet.state if sheet else desks.SAME)
        if shown == self._banner_shown:
            return
        self._banner_shown = shown
        self.banner.clear()
        self.banner.set_visibility(bool(text))
        with self.banner:
            ui.label(text).classes("grow")
            if sheet is not None and sheet.state == desks.CHANGED:
                ui.button("use the file", on_click=self._take_disk).props(
                    "flat dense no-caps size=sm data-testid=take-disk"
                )
                ui.button("keep mine", on_click=self._keep_mine).props(
                    "flat dense no-caps size=sm data-testid=keep-mine"
                )

    def follow(self, view: View) -> None:
        """Show the engine's result for the last version."""
        reading = view.reading
        if reading is None or not self._controller:
            return
        if reading is not self._reading and reading.number in (0, self._number):
            self._reading = reading
            self._lay_out(reading)
            self._show_remarks(reading)
            self._refresh()
        self.status.set_text(describe_status(self._reading or reading, view.edited))
        self._show_phases(view)

    def _show_remarks(self, reading: Reading) -> None:
        for key in self.desk.sheets:
            self.editor.show_remarks(key, [r for r in reading.remarks if r.line and Path(r.path).resolve() == key])

    def _show_phases(self, view: View) -> None:
        """Set the lines of the running version's phases if the page shows that version."""
        reading = self._reading
        runs = view.edited.number if view.edited else 0
        if reading is None or not self._ready or not reading.is_sound or reading.number not in (0, runs):
            return
        if self._phases_of != reading.number:
            self._phases_of = reading.number
            for page in reading.pages:
                self.editor.show_phases(page.path.resolve(), page.phases)

    def mark(self, stack: Stack) -> None:
        """Mark the running phases and list them."""
        keys = {sheet.name: key for key, sheet in self.desk.sheets.items()}
        marks: dict[Path, list[dict[str, Any]]] = {}
        for k, place in enumerate(stack):
            if place.script in keys:
                row = {"phase": place.phase, "acting": k == len(stack) - 1}
                marks.setdefault(keys[place.script], []).append(row)
        if marks != self._marks and self._ready:
            self._marks = marks
            self.editor.mark_phases(marks)
            self.where.set_text(describe_where(stack))

    @property
    def is_open(self) -> bool:
        """Whether a script is on stage."""
        return bool(self._controller)

    @property
    def shows_ghosts(self) -> bool:
        return bool(self.ghosts.value) and bool(self._controller)
