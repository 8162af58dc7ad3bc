"""`learn_graph`: the graph in a folder, tried, walked through and written; killed, it resumes to the same files."""

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
    """Tries all skills, teaches the graph by tours of so many seconds, and writes it.

    `afresh` tries also what has not changed. Until the end the folder keeps the graph that it had; `resume` continues
    after Ctrl-C or a kill. `bar` shows the progress of a part of the work, `say` is told what a person may want to
    know.
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
    # Resumed after this, the search knows its own graph from one that somebody else has put there.
    session.recall("result", lambda: digest(format_graph(found)[0]))
    save_graph(found, folder)
    return found


def _digest_scripts() -> str:
    """What all scripts and transitions say: with others, trials that were kept mean nothing."""
    paths = sorted({*library_scripts().values(), *library_transitions()})
    return digest("".join(f"{path.name} {digest(load_bytes(path))}\n" for path in paths).encode())[:16]


def _is_written(session: Session, path: Path) -> bool:
    """Whether a session that is resumed has written its graph already; another graph than it began with is refused."""
    now = digest(load_bytes(path)) if path.is_file() else ""
    before = session.remember("past", now)
    if now == before:
        return False
    if session.knows("result") and session.recall("result", str) == now:
        return True
    raise FileFormatError("it has changed since that search began. Start a new one", path=path)
