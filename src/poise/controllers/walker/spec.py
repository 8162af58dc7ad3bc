"""The walker's spec: commands, balance parameters and gains from a table, the body's measures, packed for the law."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES, Character
from poise.controllers.walker import layout
from poise.controllers.walker.law import walker_law
from poise.controllers.walker.styles import OWN, Style, read_style, shipped_styles
from poise.errors import InputError, out_of_range, unknown_name
from poise.kernels.fixed import norm, turn
from poise.world.controller import Controller, Parameter, Start
from poise.world.guard import Whole, make_guard

METHOD: Final = "walker"
#: The body whose gains and forces the table gives [Coros10 §5.4]; others' follow the mass.
REFERENCE_MASS_KG: Final = 70.4
REFERENCE_LEG_M: Final = 0.86
REFERENCE_HIPS_M: Final = 0.16


@dataclass(frozen=True)
class Field:
    """One number of the spec: name, place in the record, what is allowed, how it follows the body."""

    name: str
    place: str
    default: float
    low: float
    high: float
    help: str
    #: `mass`, `length`, `hips` (their width) or nothing.
    scale: str = ""


COMMANDS: Final = (
    Field("speed_mps", "speed", 0.0, -3.0, 5.0, "forward velocity, along the heading"),
    Field("side_speed_mps", "side_speed", 0.0, -1.0, 1.0, "velocity to the left of the heading"),
    Field("heading_deg", "heading", 0.0, -3600.0, 3600.0, "direction to face, counter-clockwise from +x"),
    Field("step_time_s", "step_time", 0.0, 0.0, 2.0, "seconds of a step; 0 follows the speed"),
    Field("step_height_m", "step_height", 0.09, 0.0, 0.6, "how high the swing foot goes", "length"),
    Field("step_width_m", "step_width", 0.14, 0.0, 0.6, "lateral distance of the feet; 0 is a catwalk", "hips"),
    Field("crouch_rad", "crouch", 0.0, 0.0, 1.6, "bend of the knee that carries"),
    Field("lean_rad", "lean", 0.0, -0.4, 0.4, "forward lean of the trunk, growing from pelvis to head"),
    Field("twist_rad", "twist", 0.0, -0.8, 0.8, "turn of the leg's plane: bow-legged or knock-kneed"),
    Field("style", "style", 0.0, 0.0, layout.MAX_STYLES - 1, "how it walks"),
    Field("idle", "idle", 0.0, 0.0, 1.0, "1 shifts weight and feet while standing"),
    Field("stand", "stand", 1.0, 0.0, 1.0, "0 keeps stepping in place at no speed"),
    Field("footholds", "footholds", 0.0, 0.0, 2.0, "how many of the next steps go to given points"),
    Field("foothold_order", "foothold_order", 0.0, 0.0, 1e9, "another number here takes the footholds anew"),
)
BALANCE: Final = (
    Field("placement", "placement", 1.0, 0.0, 1.0, "0 the text's pendulum, 1 the pendulum carried on to the strike"),
    Field("path", "path", 1.0, 0.0, 1.0, "0 the text's straight path of the foot, 1 planned anew at every tick"),
    Field("lead", "lead", 1.0, 0.0, 1.0, "feed-forward of the target speeds of swing leg and arms"),
    Field("lift", "lift", 1.0, 0.0, 1.0, "feed-forward of the torque with which a hip carries the body"),
    Field("level", "level", 1.0, 0.0, 1.0, "how far a leg stretches to keep the body from sinking"),
    Field(
        "pressure",
        "pressure",
        0.0,
        -0.5,
        0.9,
        "where the stance foot is thought to press, in lengths of the sole ahead",
    ),
    Field("sink", "sink", 0.7, 0.0, 2.0, "how far long steps lower the hips"),
    Field("grip", "grip", 0.35, 0.0, 10.0, "twist that a loaded foot is trusted with, in soles times the load"),
    Field("firm", "firm", 0.5, 0.01, 2.0, "load below which the hips hold the pelvis less, in weights"),
    Field("spin_nmspr", "spin", 0.0, 0.0, 1e3, "damping of a loaded foot that spins on the spot", "mass"),
    Field("gap_m", "gap", 0.015, 0.0, 0.2, "room that is kept between feet that pass each other", "length"),
    Field("sway", "sway", 1.0, 0.0, 1.0, "part of the pendulum's lateral speed that the virtual force wants"),
    Field("foresight_s", "foresight", 0.05, 0.0, 2.0, "how far ahead the pendulum is carried on"),
    Field(
        "toe_off_rad",
        "toe_off",
        0.0,
        0.0,
        3.0,
        "how far the stance foot points at the end of a step at unit Froude number",
    ),
    Field("heel_rad", "heel", 0.0, 0.0, 1.5, "how far the swing foot lifts its toes before the strike, likewise"),
    Field("drive", "drive", 1.6, 0.0, 4.0, "gain of the wanted velocity in the foot placement: strikes cost speed"),
    Field("gravity", "gravity", 1.0, 0.0, 1.0, "gravity compensation"),
    Field("tuning", "tuning", 1.0, 0.0, 1.0, "velocity tuning by the virtual force"),
    Field("pendulum", "pendulum", 1.0, 0.0, 2.0, "gain of the pendulum for a fall ahead"),
    Field("pendulum_back", "pendulum_back", 1.0, 0.0, 2.0, "the same for a fall back"),
    Field("retreat", "retreat", 0.0, 0.0, 1.0, "what is added to it in walking backward"),
    Field("pendulum_side", "pendulum_side", 1.0, 0.0, 2.0, "the same across"),
    Field("pace", "pace", 1.75, 0.5, 4.0, "time of a step at rest, in √(leg/g)"),
    Field("pace_slope", "pace_slope", 0.55, 0.0, 2.0, "how much shorter a step is at unit Froude number"),
    Field("settle", "settle", 0.6, 0.05, 1.0, "part of the step over which a knee comes to its own bend"),
    Field("integrate", "integrate", 0.3, 0.0, 1.0, "part of the speed error that each stride adds to the command"),
    Field("pass_legs", "pass_legs", 0.0, 0.0, 1.0, "1 lets the legs pass through each other"),
    Field("hasten", "hasten", 2.0, 0.0, 10.0, "how strongly a step that would come too late is shortened"),
    Field("alpha_s", "alpha", 0.05, 0.0, 1.0, "speed offset of the text's pendulum"),
    Field("printed", "printed", 0.0, 0.0, 1.0, "1 uses the text's pendulum as printed, d = v·√(h/g)"),
    Field("speed_gain_nspm", "speed_gain", 300.0, 0.0, 1e4, "sagittal gain of the virtual force", "mass"),
    Field("speed_force_n", "speed_force", 80.0, 0.0, 1e4, "its limit", "mass"),
    Field("side_kp_npm", "side_kp", 300.0, 0.0, 1e4, "lateral stiffness of the virtual force", "mass"),
    Field("side_kd_nspm", "side_kd", 100.0, 0.0, 1e4, "its damping", "mass"),
    Field("side_force_n", "side_force", 60.0, 0.0, 1e4, "its limit", "mass"),
    Field("stand_kp_npm", "stand_kp", 2500.0, 0.0, 1e4, "stiffness that holds the COM while standing", "mass"),
    Field("stand_kd_nspm", "stand_kd", 700.0, 0.0, 1e4, "its damping", "mass"),
    Field("ahead_rad", "ahead", 0.15, 0.0, 3.2, "how far trunk and swing leg may turn ahead of the pelvis"),
    Field("cross", "cross", 0.0, -3.0, 1.0, "how near the other foot's line one comes down well ahead of it, in soles"),
    Field("fastest", "fastest", 0.565, 0.1, 100.0, "speed above which it does not go, as a Froude number"),
    Field("swerve_mps2", "swerve", 1.0, 0.1, 100.0, "acceleration across that a turn may take"),
    Field("turn_rate_radps", "turn_rate", 2.0, 0.1, 10.0, "how fast it turns"),
    Field("acceleration_mps2", "acceleration", 1.5, 0.1, 20.0, "how fast the wanted velocity changes"),
    Field("reach", "reach", 0.6, 0.1, 1.0, "longest step from under the COM, in leg lengths"),
    Field("hip_share", "hip_share", 1.0, 0.0, 1.0, "part of the virtual force's torque that the hips take"),
    Field("stiffness", "stiffness", 1.0, 0.1, 5.0, "multiplies all PD gains"),
    Field("touchdown_depth_m", "touchdown_depth", 0.02, 0.0, 0.1, "how far below the ground a step aims", "length"),
    Field("strike", "strike", 0.05, 0.0, 1.0, "load at which the swing foot has struck, in weights"),
    Field("strike_time_s", "strike_time", 0.0, 0.0, 0.2, "time over which that load is averaged"),
    Field("knock", "knock", 0.0, 0.0, 10.0, "how far long steps allow for the blow of a body that comes down"),
    Field("surge", "surge", 0.0, 0.0, 1.0, "part of the pendulum's forward speed that the virtual force wants"),
    Field("arms", "arms", 0.0, 0.0, 10.0, "how much further the style's arms swing at unit Froude number"),
)
FIELDS: Final = COMMANDS + BALANCE
#: kp and kd at the reference mass.
GAINS: Final[Mapping[str, tuple[float, float]]] = {
    "back": (300.0, 30.0),
    "chest": (200.0, 20.0),
    "neck": (20.0, 3.0),
    "shoulder": (30.0, 5.0),
    "elbow": (15.0, 2.0),
    "hip": (300.0, 35.0),
    "knee": (600.0, 35.0),
    "ankle": (75.0, 8.0),
    "toe": (10.0, 0.5),
    "pelvis": (1500.0, 150.0),
    "pelvis_yaw": (300.0, 40.0),
    "swing_hip": (600.0, 60.0),
    "swing_knee": (500.0, 30.0),
}
_AXES: Final = {
    "back": ("back_pitch", "back_roll", "back_yaw"),
    "chest": ("chest_pitch", "chest_roll", "chest_yaw"),
    "neck": ("neck_pitch", "neck_roll", "neck_yaw"),
    "shoulder": ("shoulder_pitch", "shoulder_roll", "shoulder_yaw"),
    "elbow": ("elbow_pitch",),
    "hip": ("hip_pitch", "hip_roll", "hip_yaw"),
    "knee": ("knee_pitch",),
    "ankle": ("ankle_pitch", "ankle_roll"),
    "toe": ("toe_pitch",),
}
_MIDLINE: Final = ("back", "chest", "neck")
_PLANE_AXIS: Final = (1, 0, 2)
NEEDED: Final = tuple(f"{s}_{a}" for s in SIDES for a in (*_AXES["hip"], "knee_pitch", "ankle_pitch"))


def _write_signs(record: Any, character: Character) -> None:
    """+1 where an axis turns about +y, +x or +z, −1 where it turns the other way."""
    names = character.axis_names
    for k, joint in enumerate(layout.JOINTS):
        for side in range(2):
            for j, axis in enumerate(_AXES[joint]):
                name = axis if joint in _MIDLINE else f"{SIDES[side]}_{axis}"
                if name not in names:
                    record.sign[side, k, j] = 1.0
                    continue
                direction = character.axes[names.index(name)].direction
                along = direction[_PLANE_AXIS[j]]
                if abs(abs(along) - 1.0) > 1e-6:
                    raise InputError(
                        f"character {character.name}: the walker needs {name} to turn about a main axis, "
                        f"got {direction}."
                    )
                record.sign[side, k, j] = along


def sole_of(character: Character, side: str) -> tuple[float, float, float, float, float]:
    """Heel, toe, inner and outer edge of the sole from the ankle, outward positive, and its depth."""
    at = character.reference_positions_m()
    foot = character.roles[f"{side}_foot"]
    ankle = np.array(at[foot])
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for name in character.below(foot):
        segment = character.segment(name)
        for shape in segment.shapes:
            if not shape.collides:
                continue
            half = _half_extent(shape)
            center = np.array(at[name]) + np.array(shape.center_m) - ankle
            low, high = np.minimum(low, center - half), np.maximum(high, center + half)
    if not np.isfinite(low).all():
        raise InputError(f"character {character.name}: the walker needs a {side} foot with a shape.")
    inner, outer = (low[1], high[1]) if side == "left" else (-high[1], -low[1])
    return float(low[0]), float(high[0]), float(inner), float(outer), float(-low[2])


def _half_extent(shape: Any) -> NDArray[np.float64]:
    size = shape.size_m
    if shape.kind == "box":
        half = 0.5 * np.array(size)
    elif shape.kind in ("capsule", "cylinder"):
        half = np.array([size[0], size[0], 0.5 * size[1] + (size[0] if shape.kind == "capsule" else 0.0)])
    else:
        half = np.array(size * 3 if len(size) == 1 else size)
    w, x, y, z = shape.quat_wxyz
    rot = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return turn(np.abs(rot), half)


def _write_body(record: Any, character: Character) -> None:
    at = character.reference_positions_m()
    for k, side in enumerate(SIDES):
        hip, knee, ankle = (np.array(at[character.roles[f"{side}_{r}"]]) for r in ("thigh", "shank", "foot"))
        record.thigh[k] = norm(knee - hip)
        record.shank[k] = norm(ankle - knee)
        heel, toe, inner, outer, depth = sole_of(character, side)
        record.sole[k] = [heel, toe, inner, outer]
        record.sole_depth[k] = depth
    record.leg = 0.5 * float(np.sum(record.thigh) + np.sum(record.shank))
    record.foot[:] = record.sole.mean(axis=0)
    hips = [at[character.roles[f"{side}_thigh"]] for side in SIDES]
    record.hip_width = hips[0][1] - hips[1][1]


def _scales(character: Character, record: Any) -> dict[str, float]:
    """What a field's value is multiplied by for a body."""
    by_length = float(min(record.thigh[k] + record.shank[k] for k in range(2))) / REFERENCE_LEG_M
    by_hips = float(record.hip_width) / REFERENCE_HIPS_M
    return {"mass": character.mass_kg / REFERENCE_MASS_KG, "length": by_length, "hips": by_hips, "": 1.0}


@dataclass(frozen=True)
class WalkerSpec:
    """What a walker's file says, at the reference body: values by name, gains by joint, styles of its own."""

    values: Mapping[str, float]
    gains: Mapping[str, tuple[float, float]]
    styles: Mapping[str, Style]

    def all_styles(self) -> dict[str, Style]:
        """The shipped styles, the file's own, and a slot to edit, which begins as the first."""
        styles = {**shipped_styles(), **self.styles}
        styles.setdefault(OWN, replace(next(iter(styles.values())), name=OWN))
        if len(styles) > layout.MAX_STYLES:
            raise out_of_range(METHOD, "number of styles", len(styles), 1, layout.MAX_STYLES)
        return styles


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where} must be a number, got {value!r}.")
    return float(value)


def _subtable(table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise InputError(f"{where}: {key} must be a table, got {type(value).__name__}.")
    return value


def read_spec(table: Mapping[str, Any], where: str) -> WalkerSpec:
    """A walker from its TOML table."""
    for key in table:
        if key not in ("values", "gains", "styles"):
            raise unknown_name(where, "key", key, ["values", "gains", "styles"])
    own = _subtable(table, "styles", where)
    styles = {n: read_style(n, _subtable(own, n, f"{where}: styles"), f"{where}: style {n}") for n in own}
    fields = {f.name: f for f in FIELDS}
    values: dict[str, float] = {}
    for name, value in _subtable(table, "values", where).items():
        if name not in fields:
            raise unknown_name(f"{where}: values", "value", name, list(fields))
        if name == "style":
            names = list(WalkerSpec({}, {}, styles).all_styles())
            if value not in names:
                raise unknown_name(f"{where}: values", "style", str(value), names)
            values[name] = float(names.index(value))
            continue
        values[name] = _number(value, f"{where}: {name}")
        if not fields[name].low <= values[name] <= fields[name].high:
            raise out_of_range(where, name, values[name], fields[name].low, fields[name].high)
    gains: dict[str, tuple[float, float]] = {}
    for joint, pair in _subtable(table, "gains", where).items():
        if joint not in GAINS:
            raise unknown_name(f"{where}: gains", "joint", joint, list(GAINS))
        if not isinstance(pair, list) or len(pair) != 2:
            raise InputError(f"{where}: {joint} must be a pair [kp, kd], got {pair!r}.")
        gains[joint] = (_number(pair[0], f"{where}: {joint}"), _number(pair[1], f"{where}: {joint}"))
        if min(gains[joint]) < 0.0 or max(gains[joint]) > 1e5:
            raise out_of_range(where, joint, min(gains[joint]), 0.0, 1e5)
    return WalkerSpec(values, gains, styles)


def pack(character: Character, spec: WalkerSpec) -> NDArray[np.float64]:
    """The parameters of the law for a body."""
    params = np.zeros(layout.PARAMS_SIZE)
    record = params.view(layout.PARAMS)[0]
    _write_signs(record, character)
    _write_body(record, character)
    scale = _scales(character, record)
    for f in FIELDS:
        setattr(record, f.place, spec.values.get(f.name, f.default) * scale[f.scale])
    pair = {k: np.array(v) * scale["mass"] for k, v in {**GAINS, **spec.gains}.items()}
    for k, joint in enumerate(layout.JOINTS):
        record.gain[k] = pair[joint]
    record.pelvis_gain[0], record.pelvis_gain[1] = pair["pelvis"], pair["pelvis_yaw"]
    record.swing_hip_gain[:] = pair["swing_hip"]
    record.swing_knee_gain[:] = pair["swing_knee"]
    for k, style in enumerate(spec.all_styles().values()):
        record.styles[k] = style.curves
        record.tempo[k] = style.tempo
    return params


def _parameters(spec: WalkerSpec) -> tuple[Parameter, ...]:
    fields = layout.PARAMS.fields
    assert fields is not None
    names = tuple(spec.all_styles())
    parameters = []
    for f in FIELDS:
        index = fields[f.place][1] // 8
        if f.name == "style":
            parameters.append(Parameter(f.name, index, 0.0, len(names) - 1.0, f.help, choices=names))
        else:
            # A range is that of the reference body; others' may be larger.
            wide = 1.0 if not f.scale else 20.0
            parameters.append(Parameter(f.name, index, f.low * wide, f.high * wide, f.help))
    first = fields["foothold"][1] // 8
    for k in range(2):
        for j, axis in enumerate("xy"):
            name = f"foothold_{k + 1}_{axis}_m"
            parameters.append(
                Parameter(name, first + 2 * k + j, -1e6, 1e6, "a given point for the ankle, in the world")
            )
    return tuple(parameters)


def start_pose(record: Any, bend_rad: float) -> Start:
    """Standing on both feet: knees bent as the style has them, the longer leg more, soles flat under the hips."""
    upper, lower = np.array(record.thigh), np.array(record.shank)
    depth = np.array(record.sole_depth)
    height = float(np.min(np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * math.cos(bend_rad)) + depth))
    pose: dict[str, float] = {}
    for k, side in enumerate(SIDES):
        a, b, reach = float(upper[k]), float(lower[k]), height - float(depth[k])
        knee = math.pi - math.acos(min(max((a * a + b * b - reach * reach) / (2.0 * a * b), -1.0), 1.0))
        hip = math.acos(min(max((a * a + reach * reach - b * b) / (2.0 * a * reach), -1.0), 1.0))
        pose |= {f"{side}_hip_pitch": hip, f"{side}_knee_pitch": knee, f"{side}_ankle_pitch": knee - hip}
    return Start(joint_q_rad=pose)


def first_memory(style: float) -> NDArray[np.float64]:
    """Standing, with nothing learned yet."""
    memory = np.zeros(layout.MEMORY_SIZE)
    record = memory.view(layout.MEMORY)[0]
    record.style = record.old_style = style
    record.fade = 1.0
    record.mark[2] = -1.0
    record.left = 0.5
    return memory


def _whole(name: str, low: int, high: int) -> Whole:
    fields = layout.MEMORY.fields
    assert fields is not None
    return Whole(name, int(fields[name][1]) // 8, low, high)


_GUARD: Final = make_guard(
    whole=[
        _whole("mode", layout.STAND, layout.WALK),
        _whole("stance", 0, 1),
        _whole("style", 0, layout.MAX_STYLES - 1),
        _whole("old_style", 0, layout.MAX_STYLES - 1),
        _whole("start_shift", 0, 2),
    ]
)


def build(character: Character, name: str, description: str = "", table: Mapping[str, Any] | None = None) -> Controller:
    """The walker, ready to run on a character."""
    if character.root != "free":
        raise InputError(f"character {character.name}: the walker moves in three dimensions, this body in a plane.")
    for axis in NEEDED:
        character.axis_index(axis)
    spec = read_spec(table or {}, name)
    params = pack(character, spec)
    record = params.view(layout.PARAMS)[0]
    bend = record.styles[int(record.style), layout.CHANNEL["stance_knee"], layout.KEYS // 2] + record.crouch
    return Controller(
        name=name,
        law=walker_law,
        params=params,
        memory=first_memory(spec.values.get("style", 0.0)),
        parameters=_parameters(spec),
        start=start_pose(record, float(bend)),
        description=description,
        mirror_memory=mirror_memory,
        guard=_GUARD,
    )


def mirror_memory(memory: NDArray[np.float64]) -> NDArray[np.float64]:
    """The memory of the mirror image, in which left is right."""
    mirrored = memory.copy()
    m = mirrored.view(layout.MEMORY)[0]
    m.stance = 1.0 - m.stance
    for name in ("heading", "goal", "side0"):
        setattr(m, name, -getattr(m, name))
    for name in (
        "want",
        "bias",
        "mark",
        "wanted",
        "foot",
        "foot_vel",
        "lift",
        "plant",
        "slope",
        "trod",
        "shift",
        "weight",
        "home",
    ):
        getattr(m, name)[1] *= -1.0
    m.aim[:, 1] *= -1.0
    m.start_shift = {1.0: 2.0, 2.0: 1.0}.get(float(m.start_shift), 0.0)
    m.idle_foot = -m.idle_foot
    return mirrored


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    return build(character, name, description, table)


def revise_table(table: Mapping[str, Any], values: Mapping[str, float], character: Character) -> dict[str, Any]:
    """The table with other values of parameters, which are given as they are for a character."""
    spec = read_spec(table, METHOD)
    record = pack(character, spec).view(layout.PARAMS)[0]
    scale, fields = _scales(character, record), {f.name: f for f in FIELDS}
    revised = dict(table.get("values", {}))
    for name, value in values.items():
        if name not in fields:
            raise unknown_name(METHOD, "parameter", name, list(fields))
        plain = value / scale[fields[name].scale]
        revised[name] = list(spec.all_styles())[int(plain)] if name == "style" else plain
    return {**table, "values": revised}
