"""The parts of a list of phases as data; neighbours read it from a table and pack it for the law."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from poise.characters.model import Character, swap_side
from poise.characters.sides import flips_when_mirrored
from poise.controllers.phases import layout
from poise.controllers.phases.linear import Linear
from poise.world.props import Prop

UNTIL = {"time": layout.UNTIL_TIME, "lift_off": layout.UNTIL_LIFT_OFF, "contact": layout.UNTIL_CONTACT}
#: Default duration of a phase that waits for its feet: it ends then at the latest.
LONGEST_S = 1000.0


@dataclass(frozen=True)
class Tunable:
    """A parameter: its value, the range in which it may be set and searched, and a description."""

    name: str
    value: float
    low: float
    high: float
    about: str = ""


@dataclass(frozen=True)
class Skill:
    """Parameters as polynomials of one command: Σ weights[k]·wᵏ with w = (command − low) / (high − low)."""

    command: str
    low: float
    high: float
    degree: int
    weights: Mapping[str, tuple[float, ...]]
    value: float


@dataclass(frozen=True)
class Feedback:
    """An addition to an axis's target: gain times a measure of balance."""

    measure: str
    axis: str
    gain: Linear


@dataclass(frozen=True)
class Force:
    """A virtual force in the heading frame, at a segment or, if `at` is `com`, at the centre of mass."""

    at: str
    force_n: tuple[Linear, Linear, Linear]
    limited: bool


@dataclass(frozen=True)
class Phase:
    """One phase: a whole pose, how it ends, and what acts in it."""

    name: str
    pose_rad: Mapping[str, Linear]
    duration_s: Linear
    until: str = "time"
    feet: tuple[str, ...] = ("left", "right")
    after_s: float = 0.0
    ramp_s: float = 0.0
    #: The next phase; None to stay in this one.
    following: str | None = None
    feedback: tuple[Feedback, ...] = ()
    forces: tuple[Force, ...] = ()


@dataclass(frozen=True)
class PhaseList:
    """A whole controller before it is packed."""

    tunables: tuple[Tunable, ...]
    skill: Skill | None
    pose_rad: Mapping[str, Linear]
    phases: tuple[Phase, ...]
    #: axis -> kp, kd.
    gains: Mapping[str, tuple[float, float]]
    start_rad: Mapping[str, float] = field(default_factory=dict)
    #: What the motion acts on.
    props: tuple[Prop, ...] = ()


def mirror_phase(phase: Phase, character: Character) -> Phase:
    """The phase with left and right exchanged; its name and its successor are kept."""
    flips = {a.name for a in character.axes if flips_when_mirrored(a)}

    def turned(axis: str, form: Linear) -> Linear:
        return form.negated() if axis in flips else form

    feedback = []
    for f in phase.feedback:
        gain = turned(f.axis, f.gain)
        gain = gain.negated() if f.measure in layout.SIDEWAYS else gain
        feedback.append(Feedback(f.measure, swap_side(f.axis), gain))
    forces = []
    for force in phase.forces:
        x, y, z = force.force_n
        forces.append(replace(force, at=swap_side(force.at), force_n=(x, y.negated(), z)))
    return replace(
        phase,
        pose_rad={swap_side(axis): turned(axis, form) for axis, form in phase.pose_rad.items()},
        feet=tuple(sorted({"left": "right", "right": "left"}[foot] for foot in phase.feet)),
        feedback=tuple(feedback),
        forces=tuple(forces),
    )
