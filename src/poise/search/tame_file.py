"""Files of tamed clips: a controller of the method `tracker` with its gains and how they were found."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from os.path import exists
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise import __version__
from poise.controllers.catalog import find_controller, read_controller_file
from poise.controllers.tracker.retouch import write_retouch
from poise.controllers.tracker.spec import MAX_CYCLES, METHOD, read_gains
from poise.documents import save_toml
from poise.errors import FileFormatError, InputError
from poise.files import load_bytes
from poise.motion.shipped import FOLDER as CLIPS
from poise.motion.shipped import find_clip
from poise.search.tame import Closing, Plan, Tamed
from poise.search.tame_trial import Subject, make_subject
from poise.tables import Table, load_table
from poise.trust import reading, reading_below
from poise.world.adopt import load_any_character

LIBRARY: Final = CLIPS.parent
#: Behind the name of a tracker: the gains with which its own search began.
OWN_START: Final = ":start"
OBJECTIVE: Final = "time not survived, joint error, error of speed or of way and heading: poise.search.tame"
#: A walk is tracked whose speed is within this part of the recorded one.
SPEED_PART: Final = 0.15
#: What a run is taken to have been given where nothing else is said.
_PLAIN: Final = Plan()


@dataclass(frozen=True)
class Order:
    """Which clip is tamed, and how: what a search is called by and what its file says."""

    clip: Path
    character: str
    out: Path
    once: bool = False
    cycle: int | None = None
    friction: float = 1.0
    #: The controller whose gains it begins with.
    start: Path | None = None

    def notes(self, plan: Plan) -> dict[str, Any]:
        """What must be the same where a search goes on."""
        return {
            **plan.notes(),
            "clip": hash_clip(self.clip),
            "character": self.character,
            "once": self.once,
            "cycle": self.cycle,
            "friction": self.friction,
            "start": None if self.start is None else self.start.name,
        }

    def command(self, plan: Plan) -> str:
        """What to type to find the same again; files by their names alone."""
        shipped = self.clip.parent == CLIPS
        words = ["poise clip tame", self.clip.stem if shipped else self.clip.name, f"--character {self.character}"]
        words += ["--once"] if self.once else []
        words += [f"--cycle {self.cycle}"] if self.cycle is not None else []
        words += [f"--friction {self.friction:g}"] if self.friction != 1.0 else []
        if self.start is not None:
            words += [f"--start {self.start.name if self.start.exists() else self.start}"]
        words += [f"--evaluations {plan.evaluations} --seeds {plan.seeds} --seed {plan.seed}"]
        words += [f"--seconds {plan.seconds:g}"] if plan.seconds != _PLAIN.seconds else []
        words += [f"--push {plan.push_n:g}"] if plan.push_n != _PLAIN.push_n else []
        return " ".join(words)

    def check_free(self) -> None:
        """Raises if the file to write is there already."""
        if self.out.exists():
            raise InputError(f"{self.out}: is there already. Give another file with --out.")


def hash_clip(path: Path) -> str:
    """SHA-256 of a motion file."""
    return hashlib.sha256(load_bytes(path)).hexdigest()


def find_start(start: Path) -> tuple[Path, bool]:
    """File of a tracker that is given by its path or its name, and whether `:start` asks for its own start."""
    name = str(start).removesuffix(OWN_START)
    shipped = LIBRARY / f"{name}.toml"
    path = shipped if shipped.exists() and not exists(name) else find_controller(name)
    return path, name != str(start)


def read_start(start: Path) -> dict[str, float]:
    """The gains of a tracker; with `:start` behind its name, those with which its own search began."""
    path, at_start = find_start(start)
    file = read_controller_file(path)
    if file.method != METHOD:
        raise FileFormatError(f"its method is {file.method}. Gains to begin with are those of a {METHOD}", path=path)
    if at_start:
        start_gains = file.provenance.get("start")
        if not isinstance(start_gains, dict):
            raise FileFormatError("its provenance has no gains with which its search began", path=path)
        read_gains(start_gains, str(path))
        return {name: float(value) for name, value in start_gains.items()}
    return _read_given_gains(file.table)


def _read_given_gains(table: Table) -> dict[str, float]:
    """The gains that a tracker's file gives, checked; the others keep their defaults."""
    given = table.table("gains")
    read_gains(given, table.path)
    return {name: float(value) for name, value in given.items()}


def read_start_retouch(start: Path, clip: Path) -> Mapping[str, Any] | None:
    """How a tracker's file retouches a clip; None if it does not, or if its clip is another one."""
    path, at_start = find_start(start)
    table = load_table(path)
    if at_start or "retouch" not in table or "clip" not in table:
        return None
    own = find_clip(table.string("clip"), path.parent)
    # The clip itself was named by the user.
    with reading(path), reading_below(clip):
        return table.table("retouch") if exists(own) and hash_clip(own) == hash_clip(clip) else None


def make_tamed_subject(table: Table, clip: Path) -> tuple[Subject, dict[str, float]]:
    """The contents of a tamed clip's file, ready for trials with a clip, and its gains."""
    gains = _read_given_gains(table)
    with table.errors_at("character"):
        character = load_any_character(table.string("character"))
    try:
        subject = make_subject(
            clip,
            character,
            once=not table.flag("endless", True),
            cycle=table.integer("cycle", 0, MAX_CYCLES, None),
            friction=table.number("friction", 0.0, math.inf, 1.0),
            retouch=table.table("retouch") if "retouch" in table else None,
        )
    except FileFormatError:
        raise
    except InputError as error:
        # A body without the joints that a tracker needs is not the file's fault.
        if str(error).startswith("character "):
            raise
        table.refuse(error)
    return subject, gains


def save_tamed(order: Order, plan: Plan, subject: Subject, tamed: Tamed) -> None:
    """Writes the controller that was found."""
    how = "once" if order.once else "for ever"
    table: dict[str, Any] = {
        "method": METHOD,
        "character": order.character,
        "description": f"{order.clip.stem} tracked {how}",
        "clip": Path(os.path.relpath(order.clip, order.out.parent)).as_posix(),
    }
    table |= {"endless": False} if order.once else {}
    table |= {"cycle": subject.track.cycle} if subject.track.cycle is not None else {}
    table |= {"friction": order.friction} if order.friction != 1.0 else {}
    table["gains"] = tamed.gains
    table |= {"retouch": write_retouch(subject.track.retouch)} if subject.track.retouch is not None else {}
    save_toml(order.out, {**table, "provenance": _describe(order, plan, subject, tamed)})


def _describe(order: Order, plan: Plan, subject: Subject, tamed: Tamed) -> Mapping[str, Any]:
    """How the gains were found, so that anyone who has the clip can find them again."""
    check = {} if tamed.closing is None else {"check": describe_closing(subject, plan, tamed.closing)}
    start = {} if order.start is None else {"start": read_start(order.start)}
    return {
        "source": "found by search",
        "command": order.command(plan),
        "objective": OBJECTIVE,
        "seed": plan.seed,
        "evaluations": tamed.evaluations,
        "stopped_by": "interrupted" if tamed.interrupted else "evaluations",
        "cost": float(f"{tamed.cost:.4g}"),
        "clip_sha256": hash_clip(order.clip),
        "poise": __version__,
        "mujoco": version("mujoco"),
        "cma": version("cma"),
        **check,
        # The file that it began with may be gone by then.
        **start,
    }


def name_fault(found: Mapping[str, Any]) -> str:
    """What is still wrong with a tamed clip, from its closing runs as `describe_closing` has them; or nothing."""
    if found["up"] < found["starts"]:
        return "some starts fall"
    if "speed_mps" in found and abs(found["speed_mps"] / found["recorded_mps"] - 1.0) > SPEED_PART:
        return "its speed is not the recorded one"
    return ""


def describe_closing(subject: Subject, plan: Plan, closing: Closing) -> dict[str, Any]:
    """The closing runs in a few numbers."""
    speeds = closing.speeds_mps()
    row: dict[str, Any] = {"up": closing.up, "starts": len(closing.trials)}
    if subject.track.is_endless:
        row["seconds"] = plan.check_s
        row["recorded_mps"] = round(float(np.linalg.norm(subject.cycle_velocity_mps())), 3)
    if speeds:
        row["speed_mps"] = round(float(np.mean(speeds)), 3)
    row["joint_error_rad"] = round(float(np.mean([t.joint_error_rad for t in closing.trials])), 3)
    row["way_error_m"] = round(float(np.mean([t.way_error_m for t in closing.trials])), 3)
    return row
