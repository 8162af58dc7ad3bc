"""`Recording`: the states, torques, contacts and events of a run, at a chosen rate.

Metrics, exports and plots are computed from it by neighbouring modules. Nothing here knows MuJoCo, or how the run was
simulated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.brief import count
from poise.characters.model import Character
from poise.errors import out_of_range, unknown_name
from poise.world.event_kinds import EVENT_KINDS

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Event:
    """Something that happened in a run.

    `kind` is one of `EVENT_KINDS`, `segment` the foot that struck or the segment that touched, and `detail` free text.
    Events of the whole world may have the character -1.
    """

    time_s: float
    kind: str
    character: int = 0
    segment: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Tally:
    """Sums over all ticks for one character, not only over the recorded frames."""

    positive_work_j: float = 0.0
    absolute_work_j: float = 0.0
    peak_torque_nm: float = 0.0
    mean_abs_torque_nm: float = 0.0


@dataclass(frozen=True)
class Recording:
    """F frames of C characters with a total of U joint axes and, including props, S segments.

    Segments are in the order of `characters`, followed by one body per prop.
    """

    characters: tuple[Character, ...]
    #: Name of each character's controller.
    controllers: tuple[str, ...]
    #: Names of the props' bodies.
    props: tuple[str, ...]
    timestep_s: float
    time_s: FloatArray  # (F,)
    qpos: FloatArray  # (F, nq) of the whole world, in the physics' order
    qvel: FloatArray  # (F, nv)
    joint_q_rad: FloatArray  # (F, U)
    joint_v_radps: FloatArray  # (F, U)
    torque_nm: FloatArray  # (F, U) applied by the integrator, including damping
    segment_pos_w_m: FloatArray  # (F, S, 3) origins of the segment frames
    segment_quat_wxyz: FloatArray  # (F, S, 4)
    com_w_m: FloatArray  # (F, C, 3)
    com_vel_w_mps: FloatArray  # (F, C, 3)
    #: Contacts of frame f are rows contact_start[f]:contact_start[f+1]; segment -1 is the ground.
    contact_start: IntArray  # (F+1,)
    contact_segment: IntArray  # (K,)
    contact_other: IntArray  # (K,)
    contact_pos_w_m: FloatArray  # (K, 3)
    contact_force_w_n: FloatArray  # (K, 3) on `contact_segment`
    events: tuple[Event, ...] = ()
    tallies: tuple[Tally, ...] = ()
    #: Settings of the run (seed, terrain, pushes, parameters …) and facts about it (realtime_factor …).
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        pairs = (f"{driver} on {body.name}" for driver, body in zip(self.controllers, self.characters, strict=False))
        seconds = self.meta.get("seconds", self.time_s[-1] - self.time_s[0] if self.frames else 0.0)
        facts = [f"{seconds:.4g} s", count(self.frames, "frame"), count(len(self.events), "event")]
        return f"<Recording of {', '.join(pairs)}: {', '.join(facts)}>"

    @property
    def frames(self) -> int:
        return len(self.time_s)

    def check_character(self, index: int) -> Character:
        """The character with an index, counted from 0; raises if there is none."""
        if not 0 <= index < len(self.characters):
            raise out_of_range("recording", "character", index, 0, len(self.characters) - 1)
        return self.characters[index]

    def segments_of(self, index: int) -> slice:
        """A character's slice of the axis S, in the order of `Character.segments`."""
        self.check_character(index)
        start = sum(len(c.segments) for c in self.characters[:index])
        return slice(start, start + len(self.characters[index].segments))

    def axes_of(self, index: int) -> slice:
        """A character's slice of the axis U, in the order of `Character.axes`."""
        self.check_character(index)
        start = sum(len(c.axes) for c in self.characters[:index])
        return slice(start, start + len(self.characters[index].axes))

    @cached_property
    def contact_frame(self) -> IntArray:
        """The frame of each contact row, (K,)."""
        return np.repeat(np.arange(self.frames, dtype=np.int64), np.diff(self.contact_start))

    def events_of(self, index: int, kind: str) -> tuple[Event, ...]:
        """A character's events of one kind of `EVENT_KINDS`, in order of time."""
        if kind not in EVENT_KINDS:
            raise unknown_name("recording", "kind of event", kind, EVENT_KINDS)
        found = (e for e in self.events if e.character == index and e.kind == kind)
        return tuple(sorted(found, key=lambda e: e.time_s))


def compute_expected_shapes(recording: Recording) -> dict[str, tuple[int | None, ...]]:
    """The required shape of each array; None for dimensions that depend on the physics."""
    frames = recording.frames
    segments = sum(len(c.segments) for c in recording.characters) + len(recording.props)
    axes = sum(len(c.axes) for c in recording.characters)
    count = len(recording.characters)
    contacts = len(recording.contact_segment)
    return {
        "time_s": (frames,),
        "qpos": (frames, None),
        "qvel": (frames, None),
        "joint_q_rad": (frames, axes),
        "joint_v_radps": (frames, axes),
        "torque_nm": (frames, axes),
        "segment_pos_w_m": (frames, segments, 3),
        "segment_quat_wxyz": (frames, segments, 4),
        "com_w_m": (frames, count, 3),
        "com_vel_w_mps": (frames, count, 3),
        "contact_start": (frames + 1,),
        "contact_segment": (contacts,),
        "contact_other": (contacts,),
        "contact_pos_w_m": (contacts, 3),
        "contact_force_w_n": (contacts, 3),
    }
