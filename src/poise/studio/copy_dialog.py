"""The dialog that saves a copy of a script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from nicegui import ui

from poise.errors import PoiseError
from poise.studio.desk import Sheet, save_copies
from poise.studio.workspace import Workspace


def ask_for_copy(
    sheets: Sequence[Sheet], suggested: Path, workspace: Workspace, done: Callable[[list[Path]], None]
) -> None:
    """Open the dialog; `done` gets the paths of the written files. It stays open while an error prevents saving."""
    with ui.dialog() as dialog, ui.card().classes("poise-copy"):
        others = ", ".join(sheet.path.name for sheet in sheets[1:])
        ui.label(f"Save a copy of {sheets[0].name}" + (f", with {others} beside it" if others else ""))
        path = ui.input("file", value=str(suggested)).classes("w-full").props("dense outlined data-testid=copy-path")
        trouble = ui.label("").classes("text-negative poise-hint").props("data-testid=copy-trouble")
        overwrite = ui.checkbox("overwrite").props("dense data-testid=copy-overwrite")

        def write() -> None:
            target = Path(str(path.value or "").strip())
            try:
                paths = save_copies(sheets, target, workspace, overwrite=bool(overwrite.value))
            except PoiseError as error:
                trouble.set_text(str(error))
                return
            dialog.close()
            done(paths)

        with ui.row().classes("w-full justify-end"):
            ui.button("cancel", on_click=dialog.close).props("flat no-caps")
            ui.button("save", on_click=write).props("no-caps unelevated color=primary data-testid=copy-yes")
    dialog.open()
