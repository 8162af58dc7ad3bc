"""The sensed state of a character between two ticks, for pilots, planners and people.

Laws get the same through their percept at every tick; this module is for occasional queries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from poise.brief import spell_fields
from poise.errors import unknown_name
from poise.kernels.fixed import contract
from poise.kernels.ground import probe_ground
from poise.kernels.rotation import heading_rad
from poise.world.hull import compute_convex_hull
from poise.world.world import World

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Touch:
    """One contact: the segment, what it touches (a segment, a prop, or `ground`), where, and the force on it."""

    segment: str
    other: str
    position_w_m: FloatArray
    force_w_n: FloatArray


@dataclass(frozen=True)
class GroundPoint:
    """The ground under a point: its height (-inf over a void) and unit normal."""

    height_m: float
    normal_w: FloatArray


@dataclass(frozen=True)
class PropSenses:
    """The state of a prop, with the positions of its handles by name."""

    position_w_m: FloatArray
    quat_wxyz: FloatArray
    com_w_m: FloatArray
    com_vel_w_mps: FloatArray
    angular_vel_w_radps: FloatArray
    handles_w_m: Mapping[str, FloatArray]


@dataclass(frozen=True)
class Senses:
    """The state of a character. Contacts are those of the last step."""

    com_w_m: FloatArray
    com_vel_w_mps: FloatArray
    linear_momentum_w_kgmps: FloatArray
    #: About the centre of mass.
    angular_momentum_w_kgm2ps: FloatArray
    #: Yaw of the root: the heading frame is the world frame rotated by it.
    heading_rad: float
    touches: tuple[Touch, ...]
    #: Mean position of the ground contacts, weighted by vertical force; None in flight.
    center_of_pressure_w_m: FloatArray | None
    #: Corners of the hull of the ground contacts, counter-clockwise, (N, 2).
    support_polygon_w_m: FloatArray

    def __repr__(self) -> str:
        return spell_fields(self)

    def to_heading(self, vector_w: FloatArray) -> FloatArray:
        """A world vector in the heading frame: forward, left, up."""
        c, s = math.cos(self.heading_rad), math.sin(self.heading_rad)
        return np.array([c * vector_w[0] + s * vector_w[1], -s * vector_w[0] + c * vector_w[1], vector_w[2]])


def _touches(world: World, character: int) -> tuple[Touch, ...]:
    segments, props = world.body_names()
    names = ["ground", *segments, *props]
    first = world.body(world.characters[character].segment_names[0], character)
    mine = range(first, first + len(world.characters[character].segments))
    touches = []
    for k in range(world.ledger.counts.contacts):
        a, b = (int(i) for i in world.ledger.contact_bodies[k])
        row = world.ledger.contact_rows[k]
        if a in mine:
            touches.append(Touch(names[a], names[b], row[:3].copy(), row[3:].copy()))
        elif b in mine:
            touches.append(Touch(names[b], names[a], row[:3].copy(), -row[3:]))
    return tuple(touches)


def sense(world: World, character: int = 0) -> Senses:
    """Returns the current state of a character; does not affect the simulation."""
    model, data = world.model, world.data
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    mujoco.mj_subtreeVel(model, data)
    root = world.body(world.characters[character].segment_names[0], character)
    touches = _touches(world, character)
    ground = [t for t in touches if t.other == "ground" and t.force_w_n[2] > 0.0]
    load = np.array([t.force_w_n[2] for t in ground])
    points = np.array([t.position_w_m for t in ground]).reshape(-1, 3)
    velocity = data.subtree_linvel[root].copy()
    return Senses(
        com_w_m=data.subtree_com[root].copy(),
        com_vel_w_mps=velocity,
        linear_momentum_w_kgmps=velocity * float(model.body_subtreemass[root]),
        angular_momentum_w_kgm2ps=data.subtree_angmom[root].copy(),
        heading_rad=0.0 if world.characters[character].root == "planar" else float(heading_rad(data.xquat[root])),
        touches=touches,
        center_of_pressure_w_m=contract(load[None], points)[0] / load.sum() if len(ground) else None,
        support_polygon_w_m=compute_convex_hull(points[:, :2]),
    )


def sense_ground(world: World, x_m: float, y_m: float) -> GroundPoint:
    """Return height and normal of the ground at a point; props do not count as ground."""
    height_m, *normal = probe_ground(world.percepts[0].ground, float(x_m), float(y_m))
    return GroundPoint(float(height_m), np.array(normal))


def sense_prop(world: World, name: str) -> PropSenses:
    """Return the pose and velocity of a prop; does not affect the simulation."""
    names = [prop.name for prop in world.props]
    if name not in names:
        raise unknown_name("world", "prop", name, names)
    mujoco.mj_kinematics(world.model, world.data)
    mujoco.mj_comPos(world.model, world.data)
    mujoco.mj_comVel(world.model, world.data)
    k, table = names.index(name), world.percepts[0].props
    places = table.handle_pos_w[table.handle_prop == k]
    return PropSenses(
        position_w_m=table.pos_w[k].copy(),
        quat_wxyz=table.quat_w[k].copy(),
        com_w_m=table.com_w[k].copy(),
        com_vel_w_mps=table.spatial_vel[k, 3:].copy(),
        angular_vel_w_radps=table.spatial_vel[k, :3].copy(),
        handles_w_m={h.name: place for h, place in zip(world.props[k].handles, places, strict=True)},
    )
