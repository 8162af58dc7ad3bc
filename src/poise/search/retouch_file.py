"""Files of retouched clips: a tracker's file with a table of retouches and their provenance."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from os.path import exists
from pathlib import Path
from typing import Any, Final

from poise import __version__
from poise.controllers.catalog import read_controller_file
from poise.controllers.tracker.retouch import write_retouch
from poise.controllers.tracker.spec import METHOD
from poise.documents import save_toml
from poise.errors import FileFormatError, InputError
from poise.files import load_text
from poise.motion.rotations import FloatArray
from poise.motion.shipped import find_clip
from poise.search.retouch import Retouched, describe
from poise.search.retouch_windows import Plan
from poise.search.session import Session
from poise.search.tame_file import describe_closing, hash_clip, make_tamed_subject
from poise.search.tame_plan import Plan as TamePlan
from poise.search.tame_trial import Subject
from poise.tables import load_table, parse_table
from poise.trust import reading

OBJECTIVE: Final = (
    "velocity, position and orientation of the pelvis against the recording, and falls: poise.search.retouch"
)


@dataclass(frozen=True)
class Order:
    """The tracker to retouch, and where to write it."""

    source: Path
    out: Path

    def check_free(self) -> None:
        """Raise if the output file exists already and is not the one to retouch."""
        if self.out != self.source and self.out.exists():
            raise InputError(f"{self.out}: already exists. Give another file with --out.")

    def notes(self, plan: Plan) -> dict[str, Any]:
        """Notes that must match for a search to be resumed."""
        return {"source": self.source.name, **asdict(plan)}

    @property
    def beside(self) -> Path:
        """File beside the output for a result that was found but not kept."""
        return self.out.with_suffix(".found.toml")

    def command(self, plan: Plan) -> str:
        """Command that repeats the search; files appear without their folders."""
        return f"poise clip retouch {self.source.name} {describe(plan)}"


@dataclass(frozen=True)
class Tracker:
    """Contents of a tracker's file: its table, its clip, the subject made of both, and its gains."""

    table: Mapping[str, Any]
    clip: Path
    subject: Subject
    gains: Mapping[str, float]


def load_tracker(path: Path, session: Session | None = None) -> Tracker:
    """Read a file written by `poise clip tame`.

    The search may overwrite this file, so the session keeps its initial contents; a resumed search begins with these.
    """
    if read_controller_file(path).method != METHOD:
        raise FileFormatError(
            f"its method is not {METHOD}. Only files of `poise clip tame` can be retouched", path=path
        )
    table = load_table(path)
    if session is not None:
        before = parse_table(session.remember("tracker", load_text(path)), path)
        if _without_retouch(before) != _without_retouch(table):
            raise FileFormatError("it has changed since that search began. Start a new one", path=path)
        table = before
    with table.errors_at("clip"):
        clip = find_clip(table.string("clip"), path.parent)
    if session is not None and session.remember("clip", hash_clip(clip)) != hash_clip(clip):
        raise FileFormatError("it has changed since that search began. Start a new one", path=clip)
    with reading(path):
        subject, gains = make_tamed_subject(table, clip)
    return Tracker(table, clip, subject, gains)


def _without_retouch(table: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a tracker's file that a search does not change, without the clip, whose path may change."""
    provenance = {k: v for k, v in table.get("provenance", {}).items() if k != "retouch"}
    return {**{k: v for k, v in table.items() if k not in ("clip", "retouch")}, "provenance": provenance}


def save_rows(
    order: Order, tracker: Tracker, rows: FloatArray, how: Mapping[str, Any], out: Path | None = None
) -> None:
    """Write the tracker with its fragments retouched by `rows`; `out` overrides the output of the order."""
    provenance = {**tracker.table.get("provenance", {}), "retouch": how}
    _save(order, tracker, {"retouch": write_retouch(rows), "provenance": provenance}, out or order.out)


def save_found(order: Order, plan: Plan, tracker: Tracker, found: Retouched) -> None:
    """Write the result: the better tracker, or the initial one and beside it the one that was not kept."""
    how = describe_search(order, plan, tracker, found)
    if found.is_better:
        save_rows(order, tracker, found.rows, how)
    else:
        save_rows(order, tracker, found.found, how, out=order.beside)
        _save(order, tracker, {}, order.out)


def _save(order: Order, tracker: Tracker, changes: Mapping[str, Any], out: Path) -> None:
    name = tracker.table["clip"]
    if exists(order.source.parent / name):
        name = Path(os.path.relpath(tracker.clip, out.parent)).as_posix()
    save_toml(out, {**tracker.table, "clip": name, **changes})


def describe_search(
    order: Order, plan: Plan, tracker: Tracker, found: Retouched | None = None, until: int | None = None
) -> dict[str, Any]:
    """Provenance of the retouches; `until` is the last fragment searched if the search has not ended."""
    how: dict[str, Any] = {
        "command": order.command(plan),
        "objective": OBJECTIVE,
        "seed": plan.seed,
        "clip_sha256": hash_clip(tracker.clip),
        "poise": __version__,
    }
    if until is not None:
        how["until_fragment"] = until
    if found is not None and found.after is not None and found.before is not None:
        check = TamePlan(check_s=plan.check_s)
        how["before"] = describe_closing(tracker.subject, check, found.before)
        how["check"] = describe_closing(tracker.subject, check, found.after)
    # A second search begins with the result of the first.
    if "retouch" in tracker.table:
        how["start"] = tracker.table["retouch"]
    return how
