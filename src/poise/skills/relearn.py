"""`learn_graph`: measure the graph by trials and tours, and write it; a killed run resumes to the same files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from poise import __version__
from poise.errors import FileFormatError
from poise.files import digest, load_bytes
from poise.language.load import library_scripts
from poise.search.session import Session, open_session
from poise.skills.compare import TIMESTEP_S
from poise.skills.explore import explore
from poise.skills.graph import TABLE, SkillGraph, format_graph, load_graph, save_graph, settle_graph
from poise.skills.script_file import library_transitions
from poise.skills.tours import teach

Bar = Callable[[str], AbstractContextManager[Callable[[float], None] | None]]


def learn_graph(
    folder: Path,
    *,
    afresh: bool = False,
    tours: int = 4,
    seconds: float = 300.0,
    resume: bool = False,
    timestep_s: float = TIMESTEP_S,
    workers: int | None = None,
    bar: Bar,
    say: Callable[[str], None] | None = None,
) -> SkillGraph:
    """Try all skills, refine the graph by tours of `seconds` each, and write it.

    `afresh` also retries unchanged skills. The folder keeps its old graph until the end; `resume` continues after
    Ctrl-C or a kill. `bar` shows the progress of each stage; `say` receives remarks for the user.
    """
    notes: dict[str, Any] = {
        "afresh": afresh,
        "tours": tours,
        "seconds": seconds,
        "timestep_s": timestep_s,
        "scripts": _digest_scripts(),
        "poise": __version__,
    }
    with open_session(folder, "graph", notes, folder=True, resume=resume, option="--folder", say=say) as session:
        settle_graph(folder)
        if _is_written(session, folder / TABLE):
            found = load_graph(folder)
        else:
            found = _learn(session, folder, afresh, tours, seconds, timestep_s, workers, bar, say)
        session.finish()
    return found


def _learn(
    session: Session,
    folder: Path,
    afresh: bool,
    tours: int,
    seconds: float,
    timestep_s: float,
    workers: int | None,
    bar: Bar,
    say: Callable[[str], None] | None,
) -> SkillGraph:
    past = load_graph(folder) if (folder / TABLE).is_file() and not afresh else None
    with bar("trying") as progress:
        found = explore(past, timestep_s=timestep_s, session=session, workers=workers, progress=progress, say=say)
    with bar("wandering") as progress:
        found = teach(found, tours, seconds, timestep_s=timestep_s, session=session, progress=progress, say=say)
    # If resumed after this, the search can tell its own graph from one that was put there meanwhile.
    session.recall("result", lambda: digest(format_graph(found)[0]))
    save_graph(found, folder)
    return found


def _digest_scripts() -> str:
    """Digest of all scripts and transitions; stored trials are valid only for the same ones."""
    paths = sorted({*library_scripts().values(), *library_transitions()})
    return digest("".join(f"{path.name} {digest(load_bytes(path))}\n" for path in paths).encode())[:16]


def _is_written(session: Session, path: Path) -> bool:
    """Whether a resumed session has already written its graph; a graph changed by anything else is refused."""
    now = digest(load_bytes(path)) if path.is_file() else ""
    before = session.remember("past", now)
    if now == before:
        return False
    if session.knows("result") and session.recall("result", str) == now:
        return True
    raise FileFormatError("it has changed since that search began. Start a new one", path=path)
