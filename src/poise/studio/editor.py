"""The script editor as a page element: CodeMirror, which NiceGUI ships, driven by `web`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

# The import registers CodeMirror in the browser under the name that `web` imports.
import nicegui.elements.codemirror  # noqa: F401
from nicegui import ui

from poise.studio.desk import Sheet
from poise.studio.reading import Remark


class Editor(ui.element, component="web/editor.js", esm={"poise-script": "web/script"}):
    """Texts with line numbers, remarks under their lines, and marks beside the running phases."""

    def __init__(
        self,
        *,
        on_ready: Callable[[], None],
        on_edit: Callable[[Path, str, int], None],
        on_save: Callable[[], None],
    ) -> None:
        super().__init__()
        self.on("ready", on_ready)
        self.on("edit", lambda e: on_edit(Path(e.args["key"]), str(e.args["text"]), int(e.args["generation"])))
        self.on("save", on_save)

    def show_sheet(self, key: Path, sheet: Sheet) -> None:
        """Bring a file into view; its text is used only the first time."""
        self.run_method("show_sheet", str(key), sheet.text, sheet.generation, sheet.read_only)

    def set_text(self, key: Path, sheet: Sheet) -> None:
        """Replace the text in the page; the user can undo this."""
        self.run_method("set_text", str(key), sheet.text, sheet.generation)

    def show_dirty(self, keys: Sequence[Path]) -> None:
        """Name the files with unsaved changes; the browser keeps these too and asks before leaving the page."""
        self.run_method("show_dirty", [str(key) for key in keys])

    def show_remarks(self, key: Path, remarks: Sequence[Remark]) -> None:
        rows = [{"line": r.line, "column": r.column, "severity": r.severity, "text": r.text} for r in remarks]
        self.run_method("show_remarks", str(key), rows)

    def show_phases(self, key: Path, lines: Sequence[tuple[int, int]]) -> None:
        """Set the lines of each phase in the running version."""
        self.run_method("show_phases", str(key), [list(pair) for pair in lines])

    def mark_phases(self, marks: Mapping[Path, list[dict[str, Any]]]) -> None:
        """Mark the running phases of each file: their position, and whether each is the one that acts."""
        self.run_method("mark", {str(key): rows for key, rows in marks.items()})

    def reveal(self, line: int) -> None:
        self.run_method("reveal", line)
