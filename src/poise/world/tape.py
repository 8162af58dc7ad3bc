"""The tape, which holds one call of the loop, and the log that gathers many calls into whole arrays."""

from __future__ import annotations

import numpy as np

from poise.constants import MAX_EVENTS
from poise.world.stage import Stage, Tape, count_contact_rows

_PER_FRAME = ("time", "qpos", "qvel", "torque", "pos", "quat", "com", "contact_start")
_PER_CONTACT = ("contact_bodies", "contact_rows")


def make_tape(stage: Stage, frames: int) -> Tape:
    """An empty tape with room for `frames` frames."""
    bodies, count, contacts = stage.xpos.shape[0], stage.characters.shape[0], frames * count_contact_rows(stage)
    return Tape(
        written=np.zeros(3, dtype=np.int64),
        time=np.zeros(frames),
        qpos=np.zeros((frames, stage.qpos.shape[0])),
        qvel=np.zeros((frames, stage.qvel.shape[0])),
        torque=np.zeros((frames, int(stage.characters["axes"].sum()))),
        pos=np.zeros((frames, bodies, 3)),
        quat=np.zeros((frames, bodies, 4)),
        com=np.zeros((frames, count, 6)),
        contact_start=np.zeros(frames, dtype=np.int64),
        contact_bodies=np.zeros((contacts, 2), dtype=np.int64),
        contact_rows=np.zeros((contacts, 6)),
        events=np.zeros((MAX_EVENTS, 4)),
    )


class TapeLog:
    """Everything taped so far. Adding to it copies only the new part."""

    def __init__(self) -> None:
        self._parts: dict[str, list[np.ndarray]] = {name: [] for name in (*_PER_FRAME, *_PER_CONTACT)}
        self._contacts = 0
        self._empty: Tape | None = None
        self.events: list[np.ndarray] = []
        self.frames = 0

    def take(self, tape: Tape) -> None:
        """Moves the content of the tape into the log and rewinds the tape."""
        frames, contacts, events = (int(n) for n in tape.written)
        if events:
            self.events.extend(tape.events[:events].copy())
        if frames:
            for name in _PER_FRAME:
                part = getattr(tape, name)[:frames].copy()
                self._parts[name].append(part + self._contacts if name == "contact_start" else part)
            for name in _PER_CONTACT:
                self._parts[name].append(getattr(tape, name)[:contacts].copy())
        self._contacts += contacts
        self.frames += frames
        self._empty = tape
        tape.written[:] = 0

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole log by field; `contact_start` has one entry more than the number of frames."""
        whole = {}
        for name, parts in self._parts.items():
            if parts:
                whole[name] = np.concatenate(parts)
            elif self._empty is not None:
                whole[name] = getattr(self._empty, name)[:0].copy()
        if "contact_start" in whole:
            whole["contact_start"] = np.append(whole["contact_start"], self._contacts)
        return whole
