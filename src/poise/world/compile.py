"""Compiles characters, terrain and props into one MuJoCo model. Geoms and joints are created only here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from poise.characters.model import SIDES, Character, Segment, Shape
from poise.constants import ARENA_BYTES
from poise.errors import InputError
from poise.kernels.fixed import add_up
from poise.world.props import Prop
from poise.world.settings import Ground
from poise.world.settings import PhysicsSettings as PhysicsSettings
from poise.world.terrain import HeightField, Terrain
from poise.world.terrain_model import solid_geom_name

_GEOMS = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
}
_CONES = {"pyramidal": mujoco.mjtCone.mjCONE_PYRAMIDAL, "elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC}

#: Collision groups: one bit for the terrain, one for the props, one for each character. If legs collide, the last bit
#: is shared: it is in the contype of every left leg and in the conaffinity of every right one.
TERRAIN_BIT, PROP_BIT, FIRST_CHARACTER_BIT = 1, 2, 4
MAX_CHARACTERS = 28
LEFT_LEG_BIT = FIRST_CHARACTER_BIT << MAX_CHARACTERS

LEFT_RGBA, RIGHT_RGBA, MIDDLE_RGBA = (0.85, 0.45, 0.25, 1.0), (0.25, 0.5, 0.8, 1.0), (0.75, 0.75, 0.72, 1.0)


def rebound(ratio: float) -> float:
    """Speed ratio after to before an impact on a spring-damper of damping ratio `ratio` that can only push.

    x = e^(−ζτ)·sin(√(1−ζ²)·τ) leaves the ground when the force 2ζẋ + x reaches zero, before x does.
    """
    root = math.sqrt(max(1.0 - ratio * ratio, 1e-12))
    turn = math.atan2(2.0 * ratio * root, 2.0 * ratio * ratio - 1.0)
    time = turn / root
    return -math.exp(-ratio * time) * (math.cos(turn) - ratio / root * math.sin(turn))


def contact_solref(time_s: float, elasticity: float) -> tuple[float, float]:
    """MuJoCo's time constant and damping ratio for a coefficient of restitution, at constant stiffness.

    MuJoCo's time constant is that of the damping alone, so it grows as the damping shrinks. The smallest possible
    restitution is the rebound at critical damping, 0.14.
    """
    if elasticity <= rebound(1.0):
        return time_s, 1.0
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rebound(middle) > elasticity else (low, middle)
    ratio = max(0.5 * (low + high), 1e-3)
    return time_s / ratio, ratio


def segment_body_name(characters: Sequence[Character], index: int, segment: str) -> str:
    """The body's name in the model: plain for a single character, numbered by character for several."""
    return segment if len(characters) == 1 else f"{characters[index].name}{index}/{segment}"


def add_shape(body: Any, shape: Shape, rgba: Sequence[float], contype: int, conaffinity: int) -> None:
    """Adds a massless geom to a body."""
    size = [0.0, 0.0, 0.0]
    if shape.kind == "box":
        size = [0.5 * s for s in shape.size_m]
    elif shape.kind in ("capsule", "cylinder"):
        size[0], size[1] = shape.size_m[0], 0.5 * shape.size_m[1]
    else:
        size[: len(shape.size_m)] = shape.size_m
    body.add_geom(
        type=_GEOMS[shape.kind],
        size=size,
        pos=list(shape.center_m),
        quat=list(shape.quat_wxyz),
        rgba=list(rgba),
        contype=contype if shape.collides else 0,
        conaffinity=conaffinity if shape.collides else 0,
        density=0.0,
    )


def _side_color(name: str) -> tuple[float, float, float, float]:
    if name.startswith("left_"):
        return LEFT_RGBA
    return RIGHT_RGBA if name.startswith("right_") else MIDDLE_RGBA


def _add_joints(body: Any, segment: Segment, prefix: str) -> None:
    assert segment.joint is not None
    for axis in segment.joint.axes:
        limited = math.isfinite(axis.low_rad) or math.isfinite(axis.high_rad)
        body.add_joint(
            name=prefix + axis.name,
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=list(axis.direction),
            limited=limited,
            range=[max(axis.low_rad, -1e3), min(axis.high_rad, 1e3)] if limited else [0.0, 0.0],
            armature=axis.armature_kgm2,
            stiffness=[axis.stiffness_nm_per_rad, 0.0, 0.0],
            damping=[axis.damping_nms_per_rad, 0.0, 0.0],
        )


def _add_root(body: Any, character: Character, prefix: str) -> None:
    if character.root == "free":
        body.add_freejoint(name=prefix + "root")
        return
    slide, hinge = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE
    body.add_joint(name=prefix + "root_x", type=slide, axis=[1.0, 0.0, 0.0])
    body.add_joint(name=prefix + "root_z", type=slide, axis=[0.0, 0.0, 1.0])
    body.add_joint(name=prefix + "root_pitch", type=hinge, axis=[0.0, 1.0, 0.0])


def find_leg(character: Character, side: str) -> tuple[str, ...]:
    """Segments of a leg: the thigh and everything below it."""
    return tuple(character.below(character.roles[f"{side}_thigh"]))


def _add_character(spec: Any, characters: Sequence[Character], index: int, settings: PhysicsSettings) -> None:
    character, self_collision = characters[index], settings.self_collision
    bit = FIRST_CHARACTER_BIT << index
    others = sum(FIRST_CHARACTER_BIT << k for k in range(len(characters)) if k != index)
    affinity = TERRAIN_BIT | PROP_BIT | others | (bit if self_collision == "all" else 0)
    left, right = (find_leg(character, side) if self_collision == "legs" else () for side in SIDES)
    prefix = segment_body_name(characters, index, "")
    bodies: dict[str, Any] = {}
    for segment in character.segments:
        parent = spec.worldbody if segment.parent is None else bodies[segment.parent]
        body = parent.add_body(name=prefix + segment.name, pos=list(segment.origin_m))
        body.explicitinertial = True
        body.mass = segment.mass_kg
        body.ipos = list(segment.com_m)
        body.fullinertia = list(segment.inertia_kgm2)
        if segment.parent is None:
            _add_root(body, character, prefix)
        else:
            _add_joints(body, segment, prefix)
        for shape in segment.shapes:
            mine = bit | (LEFT_LEG_BIT if segment.name in left else 0)
            felt = affinity | (LEFT_LEG_BIT if segment.name in right else 0)
            add_shape(body, shape, _side_color(segment.name), mine, felt)
            if segment.name in (*left, *right):
                # As firm as the ground: a swinging leg penetrates the other by 2 mm, 13 mm with MuJoCo's default.
                body.geoms[-1].solref = [settings.feel.contact_time_s, 1.0]
        bodies[segment.name] = body
    for mark in character.landmarks:
        bodies[mark.segment].add_site(name=prefix + mark.name, pos=list(mark.position_m), size=[0.01] * 3)


def _surface(terrain: Terrain, feel: Ground) -> dict[str, Any]:
    return {
        "friction": [terrain.friction, 0.005, 0.0001],
        "solref": list(contact_solref(feel.contact_time_s, terrain.elasticity)),
        "contype": TERRAIN_BIT,
        "conaffinity": -1 & 0x7FFFFFFF,
        # The ground sets the properties of its contacts, whatever touches it.
        "priority": 1,
        "rgba": [0.55, 0.58, 0.55, 1.0],
    }


def _add_height_field(spec: Any, field: HeightField, surface: dict[str, Any]) -> None:
    heights = np.asarray(field.heights_m, dtype=float)
    low, high = float(heights.min()), float(heights.max())
    span = max(high - low, 1e-6)
    spec.add_hfield(
        name="terrain",
        nrow=heights.shape[0],
        ncol=heights.shape[1],
        size=[0.5 * field.length_x_m, 0.5 * field.length_y_m, span, 1.0],
        userdata=((heights - low) / span).ravel().tolist(),
    )
    center = field.center_m
    spec.worldbody.add_geom(
        name="height_field",
        type=mujoco.mjtGeom.mjGEOM_HFIELD,
        hfieldname="terrain",
        pos=[center[0], center[1], center[2] + low],
        **surface,
    )


def _add_terrain(spec: Any, terrain: Terrain, settings: PhysicsSettings, collides: bool) -> None:
    surface = _surface(terrain, settings.feel)
    if not collides:
        # The springs carry only the characters; props still need contacts with the ground.
        surface["contype"], surface["conaffinity"] = 0, PROP_BIT
    if terrain.plane:
        spec.worldbody.add_geom(
            name="ground",
            type=mujoco.mjtGeom.mjGEOM_PLANE,
            size=[0.0, 0.0, 1.0],
            pos=[0.0, 0.0, terrain.plane_height_m],
            **surface,
        )
    for k, solid in enumerate(terrain.solids):
        spec.worldbody.add_geom(
            name=solid_geom_name(k),
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=[0.5 * s for s in solid.size_m],
            pos=list(solid.center_m),
            quat=list(solid.quat_wxyz),
            **{**surface, "rgba": list(solid.rgba or surface["rgba"])},
        )
    if terrain.height_field is not None:
        _add_height_field(spec, terrain.height_field, surface)


def _add_prop(spec: Any, prop: Prop, feel: Ground) -> None:
    body = spec.worldbody.add_body(name=prop.name, pos=list(prop.position_m), quat=list(prop.quat_wxyz))
    if prop.free:
        body.add_freejoint(name=f"{prop.name}_root")
    volume = add_up(_volume(s) for s in prop.shapes)
    for shape in prop.shapes:
        add_shape(body, shape, (0.8, 0.7, 0.35, 1.0), PROP_BIT, 0x7FFFFFFF)
        body.geoms[-1].density = prop.mass_kg / volume
        if feel.props:
            body.geoms[-1].friction = [feel.friction, 0.005, 0.0001]
            body.geoms[-1].solref = [feel.contact_time_s, 1.0]
            body.geoms[-1].priority = 1
    for handle in prop.handles:
        body.add_site(name=f"{prop.name}/{handle.name}", pos=list(handle.position_m), size=[0.02] * 3)


def _volume(shape: Shape) -> float:
    s = shape.size_m
    if shape.kind == "box":
        return s[0] * s[1] * s[2]
    if shape.kind == "cylinder":
        return math.pi * s[0] ** 2 * s[1]
    if shape.kind == "capsule":
        return math.pi * s[0] ** 2 * (s[1] + 4.0 / 3.0 * s[0])
    radii = s * 3 if shape.kind == "sphere" else s
    return 4.0 / 3.0 * math.pi * radii[0] * radii[1] * radii[2]


def build_spec(
    characters: Sequence[Character],
    terrain: Terrain,
    props: Sequence[Prop],
    settings: PhysicsSettings,
    *,
    ground_collides: bool = True,
) -> mujoco.MjSpec:
    """The scene as an `MjSpec`; `ground_collides` is false if a penalty ground carries the characters."""
    if not 1 <= len(characters) <= MAX_CHARACTERS:
        raise InputError(f"world: it takes 1 to {MAX_CHARACTERS} characters, got {len(characters)}.")
    spec = mujoco.MjSpec()
    spec.modelname = characters[0].name
    spec.memory = ARENA_BYTES
    # Scale the view to a character, however far the terrain extends.
    spec.stat.extent = 2.0
    spec.stat.center = [0.0, 0.0, 1.0]
    spec.compiler.degree = False
    spec.compiler.autolimits = False
    spec.option.timestep = settings.timestep_s
    spec.option.gravity = [0.0, 0.0, -settings.gravity_mps2]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = _CONES[settings.feel.cone]
    # MuJoCo would silently reset a diverged simulation to its upright start, and a fall would count as survival.
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    _add_terrain(spec, terrain, settings, ground_collides)
    for index in range(len(characters)):
        _add_character(spec, characters, index, settings)
    for prop in props:
        _add_prop(spec, prop, settings.feel)
    return spec


def add_motors(spec: mujoco.MjSpec, characters: Sequence[Character]) -> None:
    """Adds a motor for each joint axis: control is torque in N·m, limited if the axis is. Our own loop needs none."""
    for index, character in enumerate(characters):
        prefix = segment_body_name(characters, index, "")
        for axis in character.axes:
            limited = math.isfinite(axis.torque_limit_nm)
            motor = spec.add_actuator(name=prefix + axis.name, target=prefix + axis.name)
            motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
            motor.ctrllimited = limited
            if limited:
                motor.ctrlrange = [-axis.torque_limit_nm, axis.torque_limit_nm]


def compile_spec(spec: mujoco.MjSpec) -> mujoco.MjModel:
    """The compiled model; MuJoCo's errors become `InputError`s."""
    try:
        return spec.compile()
    except ValueError as error:
        raise InputError(f"world: MuJoCo rejects the model: {' '.join(str(error).split())}") from error
