"""The spec of a SIMBICON gait in space: its states, gains and start, checked at construction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from poise.characters.model import SIDES, swap_side
from poise.controllers.simbicon import spatial_law as law
from poise.errors import InputError, out_of_range, unknown_name
from poise.world.controller import Start

METHOD = "simbicon"
UNTIL = {"time": law.UNTIL_TIME, "contact": law.UNTIL_CONTACT, "either": law.UNTIL_EITHER}
HOLD = {"stance": law.HOLD_STANCE, "loaded": law.HOLD_LOADED}
STANCES = ("both", "left", "right")
#: Accepted input: an angle beyond half a turn is a mistake of units.
ANGLE_RANGE = (-3.2, 3.2)
DURATION_RANGE = (0.05, 3.0)
GAIN_RANGE = (-10.0, 10.0)
TURN_RANGE = (-1.6, 1.6)
STIFFNESS_RANGE = (0.0, 1e5)
SPEED_RANGE = (-20.0, 20.0)
JOINT_SPEED_RANGE = (-100.0, 100.0)
MASS_RANGE = (0.1, 1e4)
#: Axes that the law needs in every body.
NEEDED_AXES = tuple(f"{side}_hip_{turn}" for side in SIDES for turn in ("pitch", "roll", "yaw"))
PLANES = ("pitch", "roll", "yaw")
FEEDBACK_KEYS = tuple(f"{c}_{g}" for c in law.FED_CHANNELS for g in ("cd_radpm", "cv_radspm"))
STATE_KEYS = ("name", "stance", "duration_s", "turn_rad", *FEEDBACK_KEYS)


def channel_of(axis: str) -> str:
    """The channel of an axis when the left leg is the stance leg: `swing_knee_pitch` for `right_knee_pitch`."""
    for side, role in (("left_", "stance_"), ("right_", "swing_")):
        if axis.startswith(side):
            return role + axis[len(side) :]
    return axis


def _check_range(where: str, name: str, value: float, allowed: tuple[float, float], unit: str = "") -> None:
    if not allowed[0] <= value <= allowed[1]:
        raise out_of_range(where, name, value, *allowed, unit)


@dataclass(frozen=True)
class StepState:
    """The step on one leg, or on either: its duration, its change of heading, feedback gains, and every target.

    Angles have the body's own signs. Roll and yaw of parts without a side (root, back, neck, a tail) are written for
    the left stance leg and change sign on the right one; `turn_rad` does not: it is positive to the left.
    """

    name: str
    stance: str
    duration_s: float
    turn_rad: float = 0.0
    #: `swing_hip_pitch_cd_radpm` and so on; zero where not given.
    feedback: Mapping[str, float] = field(default_factory=dict)
    #: channel -> control points over the state's duration; other channels stay at the rest pose.
    targets_rad: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        where = f"state {self.name}"
        if self.stance not in STANCES:
            raise unknown_name(where, "stance", self.stance, STANCES)
        _check_range(where, "duration_s", self.duration_s, DURATION_RANGE, "s")
        _check_range(where, "turn_rad", self.turn_rad, TURN_RANGE, "rad")
        for key, gain in self.feedback.items():
            if key not in FEEDBACK_KEYS:
                raise unknown_name(where, "feedback gain", key, FEEDBACK_KEYS)
            _check_range(where, key, gain, GAIN_RANGE)
        for channel, points in self.targets_rad.items():
            if not 1 <= len(points) <= law.MAX_POINTS:
                raise out_of_range(where, f"number of points of {channel}_rad", len(points), 1, law.MAX_POINTS)
            for point in points:
                _check_range(where, f"{channel}_rad", point, ANGLE_RANGE, "rad")


@dataclass(frozen=True)
class SpatialGait:
    """A gait: its states, the root's gains at a reference mass, the joints that follow the heading, and the start."""

    #: One state for both stance legs, or one for each.
    states: tuple[StepState, ...]
    until: str
    #: Pitch, roll, yaw.
    root_kp_nm_per_rad: tuple[float, float, float]
    root_kd_nms_per_rad: tuple[float, float, float]
    #: Mass of the body that the gains were found for; they scale with the character's mass.
    mass_kg: float
    #: Which hips hold the root: the stance hip alone, or both in proportion to the load on their feet (none in flight).
    hold: str = "stance"
    #: Joints, without a side, whose targets are relative to the heading, not the parent. The swing hip's always are.
    heading_joints: tuple[str, ...] = ()
    #: Axis, without a side -> (kp, kd) that differ from the character's own.
    gains: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    start: Start = field(default_factory=Start)
    #: The first stance leg.
    first_stance: str = "left"

    def __post_init__(self) -> None:
        if self.until not in UNTIL:
            raise unknown_name(METHOD, "way to end a step (until)", self.until, list(UNTIL))
        if self.hold not in HOLD:
            raise unknown_name(METHOD, "way to hold the root (hold)", self.hold, list(HOLD))
        if self.first_stance not in SIDES:
            raise unknown_name(f"{METHOD}: start", "stance", self.first_stance, SIDES)
        stances = sorted(s.stance for s in self.states)
        if stances not in (["both"], ["left", "right"]):
            raise InputError(
                f"{METHOD}: states must be one with stance 'both', or one with 'left' and one with 'right', "
                f"got {', '.join(stances) or 'none'}."
            )
        names = [s.name for s in self.states]
        if len(set(names)) < len(names):
            raise InputError(f"{METHOD}: two states are named {names[0]!r}.")
        for key in ("root_kp_nm_per_rad", "root_kd_nms_per_rad"):
            for value in getattr(self, key):
                _check_range(METHOD, key, value, STIFFNESS_RANGE)
        for axis, pair in self.gains.items():
            for value in pair:
                _check_range(f"{METHOD}: gains", axis, value, STIFFNESS_RANGE)
        _check_range(METHOD, "mass_kg", self.mass_kg, MASS_RANGE, "kg")

    @property
    def symmetric(self) -> bool:
        return len(self.states) == 1


def mirror_gait(gait: SpatialGait) -> SpatialGait:
    """The mirror image of a gait: the legs are exchanged, and the turn and the start are mirrored."""
    sides = {"both": "both", "left": "right", "right": "left"}
    x, y, z = gait.start.root_vel_mps
    start = replace(
        gait.start,
        joint_q_rad={swap_side(k): v for k, v in gait.start.joint_q_rad.items()},
        joint_v_radps={swap_side(k): v for k, v in gait.start.joint_v_radps.items()},
        root_vel_mps=(x, 0.0 - y, z),
    )
    states = tuple(
        replace(s, name=swap_side(s.name), stance=sides[s.stance], turn_rad=0.0 - s.turn_rad)
        for s in sorted(gait.states, key=lambda s: sides[s.stance])
    )
    return replace(gait, states=states, start=start, first_stance=sides[gait.first_stance])


def split_gait(gait: SpatialGait) -> SpatialGait:
    """The same gait with separate states for the stance legs, `left` and `right`."""
    if not gait.symmetric:
        return gait
    return replace(gait, states=tuple(replace(gait.states[0], name=side, stance=side) for side in SIDES))
