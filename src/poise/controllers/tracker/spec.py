"""The tracker as data: gains and the tracked motion, packed into a `Controller`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np

from poise.characters.model import SIDES, Character
from poise.controllers.tracker import layout
from poise.controllers.tracker.cycle import Track, make_endless, make_track
from poise.controllers.tracker.guard import GUARD
from poise.controllers.tracker.law import tracker_law
from poise.controllers.tracker.reference import RATE_HZ, Reference, make_reference
from poise.controllers.tracker.retouch import read_retouch
from poise.errors import InputError, out_of_range
from poise.motion.clip import Clip
from poise.motion.fragments import Fragment
from poise.motion.joint_angles import fit_joint
from poise.motion.read_settings import read_settings
from poise.motion.repeat import lengthen
from poise.motion.rotations import FloatArray, quat_conjugate, quat_multiply, quat_to_rotation_vector
from poise.tables import as_table
from poise.world.controller import Controller, Parameter, Start

METHOD: Final = "tracker"
MAX_CYCLES: Final = 100_000
ANKLE_FREE_FRAMES: Final = 5
"""A foot that has just landed is not used for balance in its first frames [Lee10 code]."""


@dataclass(frozen=True)
class Gains:
    """Gains that are tuned for a motion [Lee10 Fig. 5], in the order of the law's parameters."""

    track_kp: float = 20.0
    #: Default: critical damping, 2·√kp.
    track_kv: float = math.nan
    stance_hip: float = 1.0
    swing_speed_sagittal: float = 0.05
    swing_speed_coronal: float = 0.2
    swing_place_behind: float = 0.2
    swing_place_ahead: float = 0.05
    swing_place_coronal: float = 0.2
    ankle_speed: float = 0.1
    ankle_place: float = 0.1
    foot_height: float = 0.5
    foot_rise: float = 0.02
    lift_m: float = 0.0
    clearance_m: float = 0.01
    landing_after: float = 0.7
    stance_rise: float = 1.0
    foot_rise_part: float = 0.2
    synchronise: float = 1.0
    stand_hip: float = 0.0
    stand_speed: float = 0.1
    stand_place: float = 0.1
    speed_learning: float = 0.0
    stop_reach_m: float = 10.0
    swing_heading: float = 0.0
    swing_world: float = 0.0
    stance_level: float = 0.0
    speed_forgetting: float = 0.0
    body_planes: float = 0.0
    over_stance: float = 0.0

    def __post_init__(self) -> None:
        if math.isnan(self.track_kv):
            object.__setattr__(self, "track_kv", 2.0 * math.sqrt(self.track_kp))
        for name, (low, high, _) in RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise out_of_range(METHOD, name, value, low, high)

    def pack(self) -> list[float]:
        return [float(getattr(self, f.name)) for f in fields(self)]


#: Lowest and highest value, and a description.
RANGES: Final[Mapping[str, tuple[float, float, str]]] = {
    "track_kp": (0.0, 400.0, "stiffness of the tracking (1/s²) [Lee10 Eq. 1]"),
    "track_kv": (0.0, 100.0, "damping of the tracking (1/s)"),
    "stance_hip": (0.0, 1.0, "c0: how strongly the stance hip keeps the pelvis upright"),
    "swing_speed_sagittal": (0.0, 5.0, "c1: swing hip against velocity errors along the direction of motion (rad·s/m)"),
    "swing_speed_coronal": (0.0, 5.0, "c1: across the direction of motion"),
    "swing_place_behind": (0.0, 5.0, "c2: swing hip against position errors if the body lags (rad/m)"),
    "swing_place_ahead": (0.0, 5.0, "c2: if the body is ahead"),
    "swing_place_coronal": (0.0, 5.0, "c2: across the direction of motion"),
    "ankle_speed": (0.0, 5.0, "c3: stance ankle against velocity errors (rad·s/m)"),
    "ankle_place": (0.0, 5.0, "c4: stance ankle against position errors (rad/m)"),
    "foot_height": (0.0, 2.0, "c5: height of the swing foot"),
    "foot_rise": (0.0, 1.0, "c6: rate of that height (s)"),
    "lift_m": (0.0, 0.3, "additional height of the swing foot in mid-swing"),
    "clearance_m": (-0.1, 0.1, "height below which a sole counts as on the ground"),
    "landing_after": (0.0, 1.0, "fraction of a fragment before which a touch does not count as a landing"),
    "stance_rise": (0.05, 1.0, "fraction of a fragment over which stance hip and ankle fade in"),
    "foot_rise_part": (0.05, 1.0, "fraction of a fragment over which the stance foot reaches its angle"),
    "synchronise": (0.0, 1.0, "1: a landing starts the next fragment, 0: time does"),
    "stand_hip": (0.0, 1.0, "how strongly both hips keep the pelvis upright while both feet stand"),
    "stand_speed": (0.0, 10.0, "both ankles against velocity errors while both feet stand (rad·s/m)"),
    "stand_place": (0.0, 10.0, "both ankles against position errors while both feet stand (rad/m)"),
    "speed_learning": (0.0, 1.0, "how strongly a step's velocity error corrects the next swing thighs (rad·s/m)"),
    "stop_reach_m": (0.0, 10.0, "a stop that would end farther from the middle of the feet is delayed by two steps"),
    "swing_heading": (0.0, 2.0, "how strongly the swing leg rotates back into the heading"),
    "swing_world": (0.0, 1.0, "how strongly the swing thigh is held relative to the world instead of the pelvis"),
    "stance_level": (0.0, 1.0, "how strongly stance feet keep their angle to the ground if the leg is off"),
    "speed_forgetting": (0.0, 1.0, "fraction of the learned correction of speed that each step forgets"),
    "body_planes": (0.0, 1.0, "1: errors are split in the planes of the body, 0: along and across the motion"),
    "over_stance": (0.0, 1.0, "1: heights are above the ground under the stance foot, for slopes; 0: above the floor"),
}


def pack_header(character: Character, gains: FloatArray, fragments: int, table: int, frames: int) -> FloatArray:
    """The numbers before the tables: gains, the body, and the starts of the tables."""
    header = np.zeros(layout.HEADER)
    header[: layout.SETTINGS] = gains
    names = character.segment_names
    legs = [names.index(character.roles[f"{s}_{p}"]) for s in SIDES for p in ("thigh", "shank", "foot")]
    header[layout.SEGMENTS : layout.LEGS] = [
        len(character.segments), 1.0 / RATE_HZ, fragments, table, frames, find_sole_m(character), ANKLE_FREE_FRAMES,
    ]  # fmt: skip
    header[layout.LEGS : layout.OFFSETS] = legs
    offsets = np.array([s.origin_m for s in character.segments]).ravel()
    header[layout.OFFSETS : layout.OFFSETS + len(offsets)] = offsets
    return header


def pack(track: Track, gains: Gains) -> FloatArray:
    """All numbers of the law, laid out as in `layout`."""
    table, count = layout.HEADER, len(track.fragments)
    frames = table + layout.FRAGMENT_ROW * count
    header = pack_header(track.reference.character, np.array(gains.pack()), count, table, frames)
    return np.concatenate([header, _pack_fragments(track), pack_frames(track.reference)])


def _pack_fragments(track: Track) -> FloatArray:
    heights = track.reference.places_w_m()[:, track.reference.feet(), 2]
    retouch = np.zeros((len(track.fragments), layout.RETOUCH)) if track.retouch is None else track.retouch
    rows = []
    for k, f in enumerate(track.fragments):
        following = k + 1 if k + 1 < len(track.fragments) else track.back_to
        stance = layout.STANCES.index(f.stance)
        ground = heights[f.first : f.last + 1].min()
        rows.append([f.first, f.last - f.first, stance, following, ground, 0, _find_again(track.fragments, k)])
    return np.concatenate([np.array(rows, dtype=float), retouch], axis=1).ravel()


def _find_again(fragments: Sequence[Fragment], k: int) -> int:
    """The fragment that a step before a stop may go back to: the other leg's step before it, or -1."""
    if k < 1 or k + 1 >= len(fragments) or fragments[k + 1].stance != "both":
        return -1
    return k - 1 if {fragments[k - 1].stance, fragments[k].stance} == set(SIDES) else -1


def pack_frames(reference: Reference) -> FloatArray:
    """Rows of the table of frames, concatenated."""
    places = reference.places_w_m()
    ways = places[:, :1, :2] - places[:, reference.feet(), :2]
    rows = [
        reference.root_pos_m[:, 2:],
        reference.velocities_mps(),
        ways.reshape(reference.frames, 4),
        reference.turns.reshape(reference.frames, -1),
    ]
    return np.concatenate(rows, axis=1).ravel()


def find_sole_m(character: Character) -> float:
    """Height of an ankle over the sole of a level foot."""
    foot = character.role("left_foot")
    marks = [m.position_m[2] for m in character.landmarks if m.segment == foot.name]
    return -min([p[2] for p in foot.ground_m] or marks or [foot.com_m[2]])


def make_start(track: Track) -> Start:
    """Pose and velocities of the first frame."""
    reference, first = track.reference, track.fragments[0].first
    character, step = reference.character, 1.0 / RATE_HZ
    turns = reference.turns[[first, first + 1]]
    angles: dict[str, float] = {}
    speeds: dict[str, float] = {}
    for k, segment in enumerate(character.segments):
        if segment.joint is None:
            continue
        fitted = fit_joint(segment.joint, turns[:, k]).angles_rad
        for axis, (now, then) in zip(segment.joint.axes, fitted.T):
            angles[axis.name], speeds[axis.name] = float(now), float(then - now) / step
    vx, vy, vz = reference.velocities_mps()[first]
    wx, wy, wz = quat_to_rotation_vector(quat_multiply(quat_conjugate(turns[0, 0]), turns[1, 0])) / step
    w, x, y, z = (float(c) for c in turns[0, 0])
    return Start(
        angles,
        speeds,
        root_vel_mps=(float(vx), float(vy), float(vz)),
        root_quat_wxyz=(w, x, y, z),
        root_turn_b_radps=(float(wx), float(wy), float(wz)),
    )


def check_body(character: Character) -> None:
    """Raise unless the tracker can drive a body. Ball joints can follow any motion, hinges only in part."""
    if character.root != "free" or len(character.segments) > layout.MAX_SEGMENTS:
        what = f"the tracker drives bodies in space with at most {layout.MAX_SEGMENTS} segments"
        raise InputError(what, where=f"character {character.name}")


def build(clip: Clip, character: Character, name: str, gains: Gains | None = None, **options: Any) -> Controller:
    """A controller that tracks a clip; options are those of `make_endless`, or `endless=False` to play it once."""
    check_body(character)
    endless = options.pop("endless", True)
    reference = make_reference(lengthen(clip) if endless else clip, character)
    track = make_endless(reference, **options) if endless else make_track(reference)
    return build_from_track(track, name, gains or Gains())


def build_from_track(track: Track, name: str, gains: Gains, description: str = "") -> Controller:
    """A controller that tracks a motion cut into fragments."""
    return Controller(
        name=name,
        law=tracker_law,
        params=pack(track, gains),
        memory=np.zeros(layout.MEMORY),
        parameters=tuple(Parameter(n, k, *RANGES[n]) for k, n in enumerate(f.name for f in fields(Gains))),
        start=make_start(track),
        description=description,
        limits_itself=True,
        drives="acceleration",
        ground="springs",
        guard=GUARD,
    )


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    """The controller of a file: `clip`, `endless`, `cycle`, `lead_in`, and tables of `read`, `gains` and `retouch`."""
    table = as_table(table, name)
    table.only("clip", "endless", "cycle", "lead_in", "read", "gains", "retouch")
    named, endless = table.string("clip"), table.flag("endless", True)
    gains = read_gains(table.table("gains"), name)
    check_body(character)
    reading = read_settings(table.table("read"))
    with table.errors_at("clip"):
        clip = reading.load(named)
        reference = make_reference(lengthen(clip) if endless else clip, character)
    if endless:
        cycle, lead_in = table.integer("cycle", 0, MAX_CYCLES, None), table.flag("lead_in", True)
        with table.errors_at("clip" if cycle is None else "cycle"):
            track = make_endless(reference, cycle=cycle, lead_in=lead_in)
    else:
        track = make_track(reference)
    track = retouch_track(track, table.table("retouch") if "retouch" in table else None, name)
    return build_from_track(track, name, gains, description)


def retouch_track(track: Track, table: Mapping[str, Any] | None, name: str) -> Track:
    """The track with the retouches of a table; unchanged without one."""
    if table is None:
        return track
    return replace(track, retouch=read_retouch(table, len(track.fragments), name))


def read_gains(table: Mapping[str, Any], name: str) -> Gains:
    """Read gains from a table; the defaults are those of [Lee10 Fig. 5] for the normal walk."""
    table = as_table(table, name, "gains")
    for key in table:
        table.check_known("gain", key, RANGES, key)
    return Gains(**{key: table.number(key, *RANGES[key][:2]) for key in table})
