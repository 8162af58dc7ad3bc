"""Builds the loop's arrays over a compiled model: the stage, the ledger, and one percept per character."""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np

from poise.characters.model import KNOWN_AXES, ROLES, Character
from poise.constants import FALL_HEIGHT_RATIO, FALL_ROLES, FALL_TILT_RAD, MAX_PUSHES, MAX_SPRINGS
from poise.kernels.fixed import dot, norm, turn
from poise.kernels.ground import GroundTable
from poise.kernels.percept import Percept, PropTable
from poise.world.abi import contact_offsets
from poise.world.compile import segment_body_name
from poise.world.forces import PUSH_COLUMNS, SPRING_COLUMNS
from poise.world.ground import PenaltyGround
from poise.world.layout import CHARACTER, CLOCK, FALL_RULE, UNWATCHED
from poise.world.physics import addresses
from poise.world.props import Prop
from poise.world.stage import Drive, Ledger, Scratch, Stage, count_contact_rows


def body_ids(model: mujoco.MjModel, characters: Sequence[Character], index: int) -> list[int]:
    """Model body of each segment of a character; the numbers are consecutive."""
    names = [segment_body_name(characters, index, s) for s in characters[index].segment_names]
    ids = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, n) for n in names]
    if ids != list(range(ids[0], ids[0] + len(ids))):
        # MuJoCo numbers bodies depth first; our lists are parents first, which may differ.
        raise AssertionError("segments of a character are not contiguous in the model")
    return ids


def _character_rows(model: mujoco.MjModel, characters: Sequence[Character]) -> np.ndarray:
    rows = []
    for index, character in enumerate(characters):
        bodies = body_ids(model, characters, index)
        root = int(model.body_dofadr[bodies[0]])
        count = character.root_dofs
        rows.append((bodies[0], len(bodies), root, count, root + count, len(character.axes)))
    return np.array(rows, dtype=CHARACTER)


def _ground_points(characters: Sequence[Character], rows: np.ndarray) -> np.ndarray:
    points = []
    for c, character in enumerate(characters):
        names = character.segment_names
        first = rows[c].first_body
        points += [[first + names.index(m.segment), *m.position_m] for m in character.landmarks if m.ground]
        points += [[first + k, *point] for k, s in enumerate(character.segments) for point in s.ground_m]
    return np.array(points, dtype=float).reshape(-1, 4)


def standing_height_m(character: Character, name: str) -> float:
    """Height of a segment's origin above the lower foot's origin in the reference pose."""
    at = character.reference_positions_m()
    feet = [at[character.roles[f"{side}_foot"]][2] for side in ("left", "right")]
    return at[name][2] - min(feet)


def _fall_rules(characters: Sequence[Character], rows: np.ndarray, bodies: int) -> tuple[np.ndarray, np.ndarray]:
    forbidden = np.zeros(bodies, dtype=np.int64)
    rules = np.zeros(len(characters), dtype=FALL_RULE)
    for c, character in enumerate(characters):
        names = character.segment_names
        watched = character.roles.get("head", character.roles["pelvis"])
        height = FALL_HEIGHT_RATIO * standing_height_m(character, watched)
        rules[c] = (FALL_TILT_RAD, height, rows[c].first_body + names.index(watched))
        for role in FALL_ROLES:
            if role in character.roles:
                forbidden[rows[c].first_body + names.index(character.roles[role])] = 1
    return rules, forbidden


def _feet(characters: Sequence[Character], rows: np.ndarray) -> np.ndarray:
    feet = np.full((len(characters), 2, 2), -1, dtype=np.int64)
    for c, character in enumerate(characters):
        for s, side in enumerate(("left", "right")):
            for k, part in enumerate(("foot", "toes")):
                role = f"{side}_{part}"
                if role in character.roles:
                    feet[c, s, k] = rows[c].first_body + character.segment_names.index(character.roles[role])
    return feet


def make_stage(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    characters: Sequence[Character],
    ground: PenaltyGround | None,
    casts: np.ndarray,
) -> Stage:
    """Views of model and data for the loop."""
    rows = _character_rows(model, characters)
    rules, forbidden = _fall_rules(characters, rows, model.nbody)
    owner = np.full(model.nbody, -1, dtype=np.int64)
    for c, row in enumerate(rows):
        owner[row.first_body : row.first_body + row.bodies] = c
    trunks = [rows[c].first_body + ch.segment_names.index(ch.roles["trunk"]) for c, ch in enumerate(characters)]
    points = _ground_points(characters, rows) if ground else np.zeros((0, 4))
    return Stage(
        at=addresses(model, data),
        offsets=np.array(contact_offsets(), dtype=np.int64),
        qpos=data.qpos,
        qvel=data.qvel,
        qacc_warmstart=data.qacc_warmstart,
        qfrc_applied=data.qfrc_applied,
        xfrc_applied=data.xfrc_applied,
        dof_damping=model.dof_damping,
        base_damping=np.array(model.dof_damping, dtype=float),
        xpos=data.xpos,
        xquat=data.xquat,
        xmat=data.xmat,
        xipos=data.xipos,
        cvel=data.cvel,
        subtree_com=data.subtree_com,
        body_root=model.body_rootid,
        geom_body=model.geom_bodyid,
        body_character=owner,
        characters=rows,
        casts=casts,
        fall_bodies=forbidden,
        fall_rules=rules,
        feet=_feet(characters, rows),
        trunks=np.array(trunks, dtype=np.int64),
        ground_points=points,
        ground_law=(ground or PenaltyGround()).pack(),
        mass_matrix=data.M,
        mass_rows=np.stack([model.M_rowadr, model.M_rownnz], axis=1),
        mass_columns=model.M_colind,
        qfrc_bias=data.qfrc_bias,
        qfrc_passive=data.qfrc_passive,
        cdof=data.cdof,
        dof_body=model.dof_bodyid,
        body_parent=model.body_parentid,
    )


def make_ledger(stage: Stage, timestep_s: float, gravity_mps2: float, seed: int, active: Sequence[int]) -> Ledger:
    """A fresh ledger: tick 0, no contacts, no falls."""
    count, bodies, contacts = stage.characters.shape[0], stage.xpos.shape[0], count_contact_rows(stage)
    return Ledger(
        counters=np.zeros(4, dtype=np.int64),
        clock=np.array([0.0, timestep_s, gravity_mps2]),
        touch_force=np.zeros((bodies, 3)),
        touch_load=np.zeros(bodies),
        grounded=np.zeros(bodies, dtype=np.int64),
        foot_latch=np.full((count, 2, 2), -1.0),
        touch_latch=np.tile([UNWATCHED, -1.0], (bodies, 1)),
        watching=np.zeros(count, dtype=np.int64),
        last_step=np.full(count, -1, dtype=np.int64),
        posture=np.tile([0.0, -1.0], (count, 1)),
        fallen=np.zeros((count, 2)),
        anchors=np.zeros((stage.ground_points.shape[0], 4)),
        pushes=np.zeros((MAX_PUSHES, PUSH_COLUMNS)),
        springs=np.zeros((MAX_SPRINGS, SPRING_COLUMNS)),
        tally=np.zeros((count, 5)),
        random_state=np.array([seed], dtype=np.uint64),
        active=np.array(active, dtype=np.int64),
        cues=np.zeros(count, dtype=np.int64),
        contact_bodies=np.zeros((contacts, 2), dtype=np.int64),
        contact_rows=np.zeros((contacts, 6)),
    )


def make_drive(character: Character) -> Drive:
    axes = len(character.axes)
    limit = np.array([a.torque_limit_nm for a in character.axes], dtype=float)
    return Drive(np.zeros(axes), np.zeros(axes), np.zeros(axes), limit, np.zeros(1, dtype=np.int64))


def make_scratch(stage: Stage) -> Scratch:
    return Scratch(
        qpos=np.zeros_like(stage.qpos),
        qvel=np.zeros_like(stage.qvel),
        qacc=np.zeros_like(stage.qvel),
        points=np.zeros((3, 6)),
        geoms=np.zeros(2, dtype=np.int64),
        contact=np.zeros(18),
        headings=np.zeros(stage.characters.shape[0]),
        com=np.zeros((stage.characters.shape[0], 6)),
        acceleration=np.zeros_like(stage.qvel),
        needed=np.zeros_like(stage.qvel),
        wrench=np.zeros_like(stage.xfrc_applied),
        root=np.zeros((6, 7)),
    )


def _parents(character: Character) -> np.ndarray:
    names = character.segment_names
    return np.array([-1 if s.parent is None else names.index(s.parent) for s in character.segments], dtype=np.int64)


def _axis_tables(character: Character) -> tuple[np.ndarray, np.ndarray]:
    axis_segment: list[int] = []
    segment_axes = np.zeros((len(character.segments), 2), dtype=np.int64)
    for i, segment in enumerate(character.segments):
        count = len(segment.joint.axes) if segment.joint else 0
        segment_axes[i] = len(axis_segment), count
        axis_segment += [i] * count
    return np.array(axis_segment, dtype=np.int64), segment_axes


def view_props(model: mujoco.MjModel, data: mujoco.MjData, props: Sequence[Prop]) -> PropTable:
    """Poses and velocities of props and handles, as views of the world's arrays."""
    # Props are the last bodies of the model, and their handles the last sites.
    handles = [k for k, prop in enumerate(props) for _ in prop.handles]
    first, first_site = model.nbody - len(props), model.nsite - len(handles)
    if [model.body(first + k).name for k in range(len(props))] != [prop.name for prop in props]:
        raise AssertionError("props are not the last bodies of the model")
    return PropTable(
        pos_w=data.xpos[first:],
        quat_w=data.xquat[first:],
        rot_w=data.xmat[first:],
        com_w=data.xipos[first:],
        spatial_vel=data.cvel[first:],
        handle_pos_w=data.site_xpos[first_site:],
        handle_prop=np.array(handles, dtype=np.int64),
    )


def make_percept(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    stage: Stage,
    ledger: Ledger,
    character: Character,
    index: int,
    ground: GroundTable,
    props: PropTable,
) -> Percept:
    """One character's percept, as views of the world's arrays."""
    body, bodies, root, root_dofs, first, axes = (int(v) for v in stage.characters[index].item())
    b, j, d = slice(body, body + bodies), slice(first, first + axes), slice(root, first + axes)
    q0 = int(model.jnt_qposadr[model.body_jntadr[body]])
    q1 = q0 + (7 if character.root == "free" else 3)
    names = character.segment_names
    axis_segment, segment_axes = _axis_tables(character)
    limits = [[a.low_rad, a.high_rad, a.torque_limit_nm] for a in character.axes]
    gains = [[a.kp_nm_per_rad, a.kd_nms_per_rad] for a in character.axes]
    clock, whole = ledger.clock.view(CLOCK)[0], np.zeros(9)
    return Percept(
        time_s=ledger.clock[:1],
        timestep_s=float(clock.timestep_s),
        gravity_mps2=float(clock.gravity_mps2),
        com_w=whole[:3],
        com_vel_w=whole[3:6],
        heading_rad=whole[6:7],
        heading_w=whole[7:],
        root_q=data.qpos[q0:q1],
        root_v=data.qvel[root : root + root_dofs],
        joint_q=data.qpos[q1 : q1 + axes],
        joint_v=data.qvel[j],
        pos_w=data.xpos[b],
        quat_w=data.xquat[b],
        rot_w=data.xmat[b],
        segment_com_w=data.xipos[b],
        spatial_vel=data.cvel[b],
        subtree_com_w=data.subtree_com[b],
        axis_motion=data.cdof[j],
        bias=data.qfrc_bias[d],
        touch_force_w=ledger.touch_force[b],
        touch_load=ledger.touch_load[b],
        mass=np.array(model.body_mass[b]),
        subtree_mass=np.array(model.body_subtreemass[b]),
        limits=np.array(limits, dtype=float).reshape(-1, 3),
        gains=np.array(gains, dtype=float).reshape(-1, 2),
        rest_q=np.array([character.rest_pose_rad.get(a, 0.0) for a in character.axis_names]),
        parent=_parents(character),
        axis_segment=axis_segment,
        segment_axes=segment_axes,
        roles=np.array([names.index(character.roles[r]) if r in character.roles else -1 for r in ROLES]),
        axes=np.array([character.axis_names.index(a) if a in character.axis_names else -1 for a in KNOWN_AXES]),
        feet=np.where(stage.feet[index] < 0, -1, stage.feet[index] - body),
        ground=ground,
        props=props,
        random_state=ledger.random_state,
        cue=ledger.cues[index : index + 1],
    )


def clear_senses(percept: Percept) -> None:
    """Resets the whole-body quantities to their values before the first tick."""
    for sensed in (percept.com_w, percept.com_vel_w, percept.heading_rad, percept.heading_w):
        sensed[:] = 0.0


def lowest_point_m(model: mujoco.MjModel, data: mujoco.MjData, stage: Stage, index: int) -> float:
    """Height of the lowest point of a character's solids, or of its ground points on a penalty ground."""
    row = stage.characters[index]
    inside = range(row.first_body, row.first_body + row.bodies)
    if len(stage.ground_points):
        rows = [r for r in stage.ground_points if int(r[0]) in inside]
        return min(float((data.xpos[int(r[0])] + turn(data.xmat[int(r[0])].reshape(3, 3), r[1:]))[2]) for r in rows)
    lows = []
    for g in range(model.ngeom):
        if model.geom_bodyid[g] in inside and model.geom_contype[g]:
            lows.append(float(data.geom_xpos[g, 2]) - _reach_down(model, data, g))
    return min(lows, default=math.inf)


def _reach_down(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> float:
    """How far a geom reaches below its centre."""
    down = data.geom_xmat[geom].reshape(3, 3)[2]
    size, kind = model.geom_size[geom], model.geom_type[geom]
    if kind == mujoco.mjtGeom.mjGEOM_BOX:
        return dot(np.abs(down), size)
    if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
        return float(size[0])
    if kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
        return float(size[0] + abs(down[2]) * size[1])
    if kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
        return norm(down * size)
    return float(abs(down[2]) * size[1] + math.hypot(down[0], down[1]) * size[0])
