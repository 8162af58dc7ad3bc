"""Files of tamed clips: a controller of the method `tracker` with its gains and their provenance."""

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
from poise.motion.read_settings import PLAIN_READING, ReadSettings, read_settings
from poise.motion.shipped import FOLDER as CLIPS
from poise.motion.shipped import find_clip
from poise.search.tame import Tamed
from poise.search.tame_cost import Closing
from poise.search.tame_plan import Plan
from poise.search.tame_trial import Subject, make_subject
from poise.tables import Table, load_table
from poise.trust import reading, reading_below
from poise.world.adopt import load_any_character

LIBRARY: Final = CLIPS.parent
#: Suffix to the name of a tracker: selects the gains with which its own search began.
OWN_START: Final = ":start"
OBJECTIVE: Final = "time not survived, joint error, error of speed or of distance and heading: poise.search.tame"
#: Largest relative speed error with which a walk counts as tracked.
SPEED_PART: Final = 0.15
#: Fault of a result.
FALLS: Final = "some starts fall"
#: Default settings, which `Order.command` leaves out.
_PLAIN: Final = Plan()


@dataclass(frozen=True)
class Order:
    """The clip to tame, and how: the arguments of the command, which the output file records."""

    clip: Path
    character: str
    out: Path
    once: bool = False
    cycle: int | None = None
    friction: float = 1.0
    #: The controller with the initial gains.
    start: Path | None = None
    #: How to read the clip.
    read: ReadSettings = PLAIN_READING

    def notes(self, plan: Plan) -> dict[str, Any]:
        """Notes that must match for a search to be resumed."""
        return {
            **plan.notes(),
            "clip": hash_clip(self.clip),
            "character": self.character,
            "once": self.once,
            "cycle": self.cycle,
            "friction": self.friction,
            "start": None if self.start is None else self.start.name,
            "read": self.read.as_table(),
        }

    def command(self, plan: Plan) -> str:
        """Command that repeats the search; files appear without their folders."""
        shipped = self.clip.parent == CLIPS
        words = ["poise clip tame", self.clip.stem if shipped else self.clip.name, f"--character {self.character}"]
        words += [*self.read.as_options(), *(["--once"] if self.once else [])]
        words += [f"--cycle {self.cycle}"] if self.cycle is not None else []
        words += [f"--friction {self.friction:g}"] if self.friction != 1.0 else []
        if self.start is not None:
            words += [f"--start {self.start.name if self.start.exists() else self.start}"]
        words += [f"--evaluations {plan.evaluations}"] if plan.evaluations is not None else []
        words += [f"--seeds {plan.seeds} --seed {plan.seed}"]
        words += [f"--seconds {plan.seconds:g}"] if plan.seconds != _PLAIN.seconds else []
        words += [f"--push {plan.push_n:g}"] if plan.push_n != _PLAIN.push_n else []
        words += [f"--budget {plan.budget_s:g}"] if plan.budget_s != _PLAIN.budget_s else []
        words += ["--no-retouch"] if not plan.retouch else []
        return " ".join(words)

    def check_free(self) -> None:
        """Raise if the output file exists already."""
        if self.out.exists():
            raise InputError(f"{self.out}: already exists. Give another file with --out.")


def hash_clip(path: Path) -> str:
    """SHA-256 of a motion file."""
    return hashlib.sha256(load_bytes(path)).hexdigest()


def find_start(start: Path) -> tuple[Path, bool]:
    """File of a tracker given by path or name, and whether `:start` selects the start of its own search."""
    name = str(start).removesuffix(OWN_START)
    shipped = LIBRARY / f"{name}.toml"
    path = shipped if shipped.exists() and not exists(name) else find_controller(name)
    return path, name != str(start)


def read_start(start: Path) -> dict[str, float]:
    """The gains of a tracker; with the suffix `:start`, those with which its own search began."""
    path, at_start = find_start(start)
    file = read_controller_file(path)
    if file.method != METHOD:
        raise FileFormatError(f"its method is {file.method}. Initial gains must be those of a {METHOD}", path=path)
    if at_start:
        start_gains = file.provenance.get("start")
        if not isinstance(start_gains, dict):
            raise FileFormatError("its provenance lacks the gains with which its search began", path=path)
        read_gains(start_gains, str(path))
        return {name: float(value) for name, value in start_gains.items()}
    return _read_given_gains(file.table)


def _read_given_gains(table: Table) -> dict[str, float]:
    """The validated gains in a tracker's file; the others keep their defaults."""
    given = table.table("gains")
    read_gains(given, table.path)
    return {name: float(value) for name, value in given.items()}


@dataclass(frozen=True)
class StartMotion:
    """How a tracker's file changes its motion."""

    retouch: Mapping[str, Any] | None = None
    lead_in: bool = True


def read_start_motion(start: Path, clip: Path) -> StartMotion:
    """The changes of the motion in a tracker's file; none if they belong to another clip."""
    path, at_start = find_start(start)
    table = load_table(path)
    if at_start or "clip" not in table or not ("retouch" in table or "lead_in" in table):
        return StartMotion()
    own = find_clip(table.string("clip"), path.parent)
    # The user named the clip itself, so it is trusted.
    with reading(path), reading_below(clip):
        if not exists(own) or hash_clip(own) != hash_clip(clip):
            return StartMotion()
        return StartMotion(table.table("retouch") if "retouch" in table else None, table.flag("lead_in", True))


def make_tamed_subject(table: Table, clip: Path) -> tuple[Subject, dict[str, float]]:
    """The subject of a tamed clip's file, with the given clip, and its gains."""
    gains = _read_given_gains(table)
    with table.errors_at("character"):
        character = load_any_character(table.string("character"))
    read = read_settings(table.table("read"))
    try:
        subject = make_subject(
            clip,
            character,
            once=not table.flag("endless", True),
            cycle=table.integer("cycle", 0, MAX_CYCLES, None),
            lead_in=table.flag("lead_in", True),
            friction=table.number("friction", 0.0, math.inf, 1.0),
            retouch=table.table("retouch") if "retouch" in table else None,
            read=read,
        )
    except FileFormatError:
        raise
    except InputError as error:
        # A body without the joints that a tracker needs is not an error in the file.
        if str(error).startswith("character "):
            raise
        table.refuse(error)
    return subject, gains


def save_tamed(order: Order, plan: Plan, tamed: Tamed) -> None:
    """Write the controller that was found."""
    track, how = tamed.subject.track, "once" if order.once else "endlessly"
    table: dict[str, Any] = {
        "method": METHOD,
        "character": order.character,
        "description": f"{order.clip.stem} tracked {how}",
        "clip": Path(os.path.relpath(order.clip, order.out.parent)).as_posix(),
    }
    table |= {"endless": False} if order.once else {}
    table |= {"cycle": track.cycle} if track.cycle is not None else {}
    table |= {"lead_in": False} if track.is_endless and not tamed.subject.lead_in else {}
    table |= {"friction": order.friction} if order.friction != 1.0 else {}
    table |= {"read": read} if (read := order.read.beside(order.out).as_table()) else {}
    table["gains"] = tamed.gains
    table |= {"retouch": write_retouch(track.retouch)} if track.retouch is not None else {}
    save_toml(order.out, {**table, "provenance": _describe(order, plan, tamed)})


def _describe(order: Order, plan: Plan, tamed: Tamed) -> Mapping[str, Any]:
    """Provenance of the gains: anyone with the clip can find them again."""
    check = {} if tamed.closing is None else {"check": describe_closing(tamed.subject, plan, tamed.closing)}
    return {
        "source": "found by search",
        "command": order.command(plan),
        "objective": OBJECTIVE,
        "seed": plan.seed,
        "evaluations": tamed.evaluations,
        "rounds_of_retouching": tamed.rounds,
        "simulated_s": round(tamed.simulated_s),
        "stopped_by": tamed.stopped_by,
        "cost": float(f"{tamed.cost:.4g}"),
        "clip_sha256": hash_clip(order.clip),
        "poise": __version__,
        "mujoco": version("mujoco"),
        "cma": version("cma"),
        **check,
        "begun_with": tamed.begun_with,
        # The gains themselves: the file with the initial gains may no longer exist.
        "start": tamed.start,
    }


def name_fault(found: Mapping[str, Any]) -> str:
    """The remaining fault of a tamed clip, from its closing runs as in `describe_closing`; empty if it has none."""
    if found["up"] < found["starts"]:
        return FALLS
    if "speed_mps" in found and abs(found["speed_mps"] / found["recorded_mps"] - 1.0) > SPEED_PART:
        return "its speed differs from the recorded one"
    return ""


def describe_closing(subject: Subject, plan: Plan, closing: Closing) -> dict[str, Any]:
    """Summary of the closing runs."""
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
