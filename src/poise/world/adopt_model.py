"""Segments from a compiled MuJoCo model: geometry and mass properties for `poise.world.adopt`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import mujoco
import numpy as np

from poise.characters.adoption import FORWARD, AdoptionTable
from poise.characters.model import Axis, Joint, JointKind, RootKind, Segment, Shape, ShapeKind
from poise.characters.solids import MassProperties, Matrix, combine, to_inertia, to_quat, to_vec3
from poise.errors import FileFormatError, InputError
from poise.kernels.fixed import multiply, norm
from poise.kernels.fixed import turn as transform

_HINGE, _SLIDE = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
_FREE, _BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
_KINDS: Final[tuple[JointKind, ...]] = ("hinge", "universal", "ball")
_SHAPES: Final[dict[int, ShapeKind]] = {
    int(mujoco.mjtGeom.mjGEOM_SPHERE): "sphere",
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): "capsule",
    int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): "ellipsoid",
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): "cylinder",
    int(mujoco.mjtGeom.mjGEOM_BOX): "box",
}
_MESH: Final = int(mujoco.mjtGeom.mjGEOM_MESH)


@dataclass(frozen=True)
class _Hinge:
    """One hinge of the model, in our axes."""

    joint: int
    name: str
    anchor: Matrix
    direction: Matrix


class ModelSource:
    """A model in its reference pose, rotated into our axes."""

    def __init__(self, model: mujoco.MjModel, forward: str, path: str) -> None:
        self.model, self.path = model, path
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        sine, cosine = FORWARD[forward]
        turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        self.body_at = multiply(data.xpos, turn.T)
        self.com_at = multiply(data.xipos, turn.T)
        self.com_turn = np.array([multiply(turn, m) for m in data.ximat.reshape(-1, 3, 3)])
        self.geom_at = multiply(data.geom_xpos, turn.T)
        self.geom_turn = np.array([multiply(turn, m) for m in data.geom_xmat.reshape(-1, 3, 3)])
        self.anchor = multiply(data.xanchor, turn.T)
        self.axis = multiply(data.xaxis, turn.T)
        self.turn = turn
        self.body_names = [self._name(mujoco.mjtObj.mjOBJ_BODY, i, "body") for i in range(model.nbody)]
        self.joint_names = [self._name(mujoco.mjtObj.mjOBJ_JOINT, i, "joint") for i in range(model.njnt)]

    def _name(self, kind: Any, index: int, word: str) -> str:
        name = mujoco.mj_id2name(self.model, int(kind), index) or f"{word}_{index}"
        return re.sub(r"[^A-Za-z0-9_.\-]", "_", name)

    def fail(self, what: str, **more: Any) -> NoReturn:
        raise FileFormatError(what, path=self.path, **more)

    def joints(self, body: int) -> list[int]:
        start = int(self.model.body_jntadr[body])
        return list(range(start, start + int(self.model.body_jntnum[body]))) if start >= 0 else []

    def root_of(self, body: int) -> int:
        return int(self.model.body_rootid[body])


def find_hosts(source: ModelSource, root: int) -> dict[int, int]:
    """Every body of the tree, parents first, mapped to the body it is fixed to (itself if it has joints)."""
    hosts = {root: root}
    for body in range(root + 1, source.model.nbody):
        parent = int(source.model.body_parentid[body])
        if parent in hosts:
            hosts[body] = body if source.joints(body) else hosts[parent]
    return hosts


def find_root_kind(source: ModelSource, root: int) -> RootKind:
    joints = source.joints(root)
    kinds = [int(source.model.jnt_type[j]) for j in joints]
    if not kinds or kinds == [_FREE]:
        return "free"
    upright = {_SLIDE: 1, _HINGE: 0}
    in_plane = all(abs(source.axis[j][1]) < 1e-6 if upright.get(k) else abs(source.axis[j][1]) > 1 - 1e-6
                   for j, k in zip(joints, kinds, strict=True))  # fmt: skip
    if sorted(kinds) == sorted([_SLIDE, _SLIDE, _HINGE]) and in_plane:
        return "planar"
    source.fail(
        f"body {source.body_names[root]!r}: the root must move freely (a free joint or none) or in a plane "
        "(two slides along x and z and a hinge about y)"
    )


def find_hinges(source: ModelSource, body: int) -> list[_Hinge]:
    """The hinges of a body; a ball joint counts as three, named joint:y, joint:x and joint:z."""
    found = []
    for j in source.joints(body):
        kind, name, anchor = int(source.model.jnt_type[j]), source.joint_names[j], source.anchor[j]
        if kind == _HINGE:
            found.append(_Hinge(j, name, anchor, source.axis[j]))
        elif kind == _BALL:
            found += [_Hinge(j, f"{name}:{'xyz'[i]}", anchor, np.eye(3)[i]) for i in (1, 0, 2)]
        else:
            word = "sliding" if kind == _SLIDE else "free"
            source.fail(f"joint {name!r} of body {source.body_names[body]!r} is {word}",
                        allowed="Below the root, only hinge and ball joints can be adopted")  # fmt: skip
    return found


def make_segment(source: ModelSource, body: int, hosts: dict[int, int], adoption: AdoptionTable) -> Segment:
    name, parent_name, joint = source.body_names[body], None, None
    origin = at = source.body_at[body]
    if hosts[body] == body and int(source.model.body_parentid[body]) in hosts:
        hinges = _check_hinges(source, body)
        host = hosts[int(source.model.body_parentid[body])]
        at = hinges[0].anchor
        parent_name, origin = source.body_names[host], at - _segment_at(source, host, hosts)
        joint = _make_joint(source, name, hinges, adoption)
    else:
        origin = np.zeros(3)
    parts = [b for b, host in hosts.items() if host == body]
    mass = _mass(source, name, parts, at)
    shapes = tuple(s for b in parts for s in _shapes(source, b, at))
    try:
        return Segment(name, parent_name, joint, to_vec3(np.round(origin, 12)), mass.mass_kg, mass.com_m,
                       mass.inertia_kgm2, shapes)  # fmt: skip
    except InputError as error:
        source.fail(str(error))


def _segment_at(source: ModelSource, host: int, hosts: dict[int, int]) -> Matrix:
    """Origin of a segment's frame: the hinges' anchor, or the root body's own origin."""
    is_root = int(source.model.body_parentid[host]) not in hosts
    return np.asarray(source.body_at[host] if is_root else find_hinges(source, host)[0].anchor)


def _check_hinges(source: ModelSource, body: int) -> list[_Hinge]:
    hinges = find_hinges(source, body)
    where = f"body {source.body_names[body]!r}"
    if len(hinges) > 3:
        source.fail(f"{where} has {len(hinges)} hinges", allowed="Allowed: one to three")
    for hinge in hinges[1:]:
        if np.linalg.norm(hinge.anchor - hinges[0].anchor) > 1e-6:
            source.fail(f"{where}: hinges {hinges[0].name!r} and {hinge.name!r} lie at different points",
                        allowed="The hinges of one body must share their anchor")  # fmt: skip
    return hinges


def _make_joint(source: ModelSource, body: str, hinges: list[_Hinge], adoption: AdoptionTable) -> Joint:
    try:
        axes = tuple(_make_axis(source, h, adoption) for h in hinges)
        return Joint(f"{body}_joint", _KINDS[len(axes) - 1], axes)
    except FileFormatError:
        raise
    except InputError as error:
        source.fail(str(error))


def _make_axis(source: ModelSource, hinge: _Hinge, adoption: AdoptionTable) -> Axis:
    model, j = source.model, hinge.joint
    adopted = adoption.axes.get(hinge.name)
    name, sign = (adopted.name, adopted.sign) if adopted else (hinge.name.replace(":", "_"), 1.0)
    low, high = -math.inf, math.inf
    if model.jnt_limited[j]:
        low, high = _limits(model, j)
    kp, kd, limit = _drive(model, j)
    if gains := adoption.find_gains(name):
        kp, kd = gains
    stiffness, dof = float(np.ravel(model.jnt_stiffness[j])[0]), int(model.jnt_dofadr[j])
    at = int(model.jnt_qposadr[j])
    if int(model.jnt_type[j]) == _HINGE and stiffness > 0 and abs(model.qpos_spring[at] - model.qpos0[at]) > 1e-6:
        source.fail(f"joint {hinge.name!r}: its spring is not at rest in the reference pose",
                    allowed="Springs must be at rest in the reference pose")  # fmt: skip
    return Axis(
        name,
        to_vec3(np.asarray(np.round(sign * hinge.direction / norm(hinge.direction), 15), dtype=np.float64)),
        *((low, high) if sign > 0 else (-high + 0.0, -low + 0.0)),
        torque_limit_nm=limit,
        kp_nm_per_rad=kp,
        kd_nms_per_rad=kd,
        armature_kgm2=float(model.dof_armature[dof]),
        stiffness_nm_per_rad=stiffness,
        damping_nms_per_rad=float(np.ravel(model.dof_damping[dof])[0]),
    )


def _limits(model: mujoco.MjModel, joint: int) -> tuple[float, float]:
    low, high = (float(v) for v in model.jnt_range[joint])
    if int(model.jnt_type[joint]) == _BALL:
        return -high, high
    # Limits are measured from the joint's own zero, our angles from the reference pose.
    rest = float(model.qpos0[model.jnt_qposadr[joint]])
    return low - rest, high - rest


def _drive(model: mujoco.MjModel, joint: int) -> tuple[float, float, float]:
    """kp, kd and torque limit from a joint's actuators; the limit is gear times control range, or the force range."""
    kp = kd = total = 0.0
    for a in range(model.nu):
        if int(model.actuator_trntype[a]) != int(mujoco.mjtTrn.mjTRN_JOINT) or int(model.actuator_trnid[a, 0]) != joint:
            continue
        gear, gain = abs(float(model.actuator_gear[a, 0])), float(model.actuator_gainprm[a, 0])
        is_servo = int(model.actuator_biastype[a]) == int(mujoco.mjtBias.mjBIAS_AFFINE)
        if is_servo:
            kp, kd = kp + gear**2 * abs(gain), kd + gear**2 * abs(float(model.actuator_biasprm[a, 2]))
        if model.actuator_forcelimited[a]:
            total += gear * float(np.abs(model.actuator_forcerange[a]).max())
        elif model.actuator_ctrllimited[a] and not is_servo:
            total += gear * abs(gain) * float(np.abs(model.actuator_ctrlrange[a]).max())
        else:
            total = math.inf
    limit = total if total > 0 else math.inf
    if model.jnt_actfrclimited[joint]:
        limit = min(limit, float(np.abs(model.jnt_actfrcrange[joint]).max()) or math.inf)
    return kp, kd, limit


def _mass(source: ModelSource, name: str, parts: list[int], at: Matrix) -> MassProperties:
    bodies = []
    for b in parts:
        mass = float(source.model.body_mass[b])
        if mass > 0:
            turn = source.com_turn[b]
            inertia = to_inertia(multiply(turn, np.diag(source.model.body_inertia[b]), turn.T))
            bodies.append(MassProperties(mass, to_vec3(source.com_at[b] - at), inertia))
    if not bodies:
        source.fail(f"body {name!r} has no mass")
    return combine(bodies)


def _shapes(source: ModelSource, body: int, at: Matrix) -> list[Shape]:
    model, shapes = source.model, []
    start = int(model.body_geomadr[body])
    for g in range(start, start + int(model.body_geomnum[body])):
        kind, center, turn = int(model.geom_type[g]), source.geom_at[g] - at, source.geom_turn[g]
        r, h, d = (float(v) for v in model.geom_size[g])
        if kind == _MESH:
            box = model.geom_aabb[g]
            center, (r, h, d) = center + transform(turn, box[:3]), (float(v) for v in box[3:])
        elif kind not in _SHAPES:
            continue
        shape = _SHAPES.get(kind, "box")
        size = {"sphere": (r,), "capsule": (r, 2 * h), "cylinder": (r, 2 * h), "ellipsoid": (r, h, d)}
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, np.ascontiguousarray(turn).ravel())
        collides = bool(model.geom_contype[g] or model.geom_conaffinity[g])
        shapes.append(
            Shape(shape, size.get(shape, (2 * r, 2 * h, 2 * d)), to_vec3(np.round(center, 12)), to_quat(quat), collides)
        )
    return shapes
