"""The penalty ground: springs and dampers at named points, with a friction cone that slips.

[Laszlo96 §2.4.1]: F = kp·(P − M) − kd·Ṁ at a point M that has sunk into the ground, P where it first touched; the
vertical part never pulls; where the tangential part leaves the friction cone, P is moved so that the point slips.
The text moves P to stand directly above M, which leaves the damper alone: `slip="text"`. Otherwise P is moved just far
enough for the force to lie on the cone, so that a sliding point feels the full friction force and no more, and a block
on a slope slips at atan(friction).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.errors import out_of_range, unknown_name
from poise.kernels.jit import inlined
from poise.world.forces import add_force_at, point_motion

SLIPS = ("cone", "text")


@dataclass(frozen=True)
class PenaltyGround:
    """Stiffness and damping at each point, as the sources give them (Laszlo 25000/1500, Coros 100000/6000)."""

    stiffness_npm: float = 25000.0
    damping_nspm: float = 1500.0
    friction: float = 1.0
    #: Tilt of the plane about the world's y axis; positive climbs forward.
    slope_rad: float = 0.0
    #: What becomes of a point that slips: "cone" or "text".
    slip: str = "cone"

    def __post_init__(self) -> None:
        if self.slip not in SLIPS:
            raise unknown_name("penalty ground", "slip", self.slip, SLIPS)
        for name, high in (("stiffness_npm", 1e8), ("damping_nspm", 1e6), ("friction", 1e3)):
            value = getattr(self, name)
            if not 0.0 <= value <= high:
                raise out_of_range("penalty ground", name, value, 0.0, high)
        if not abs(self.slope_rad) < 1.5:
            raise out_of_range("penalty ground", "slope_rad", self.slope_rad, -1.5, 1.5, "rad")

    def pack(self) -> np.ndarray:
        slip = float(SLIPS.index(self.slip))
        return np.array([self.stiffness_npm, self.damping_nspm, self.friction, self.slope_rad, slip])


@inlined
def apply_ground(stage, ledger, scratch):
    """Forces of the penalty ground at every point; fills the contact table and the touch arrays."""
    law, points, anchors = stage.ground_law, stage.ground_points, ledger.anchors
    kp, kd, mu = law[0], law[1], law[2]
    # Unit normal and tangents (forward, sideways) of the plane through the origin.
    nx, nz = -math.sin(law[3]), math.cos(law[3])
    count = 0
    motion = scratch[0]
    for k in range(points.shape[0]):
        body = int(points[k, 0])
        point_motion(stage, body, points[k, 1], points[k, 2], points[k, 3], motion)
        depth = -(nx * motion[0] + nz * motion[2])
        if depth <= 0.0:
            anchors[k, 0] = 0.0
            continue
        # In the frame of the plane: t along the slope, y sideways, n out of it.
        t, side = nz * motion[0] - nx * motion[2], motion[1]
        vt, vs = nz * motion[3] - nx * motion[5], motion[4]
        vn = nx * motion[3] + nz * motion[5]
        if anchors[k, 0] == 0.0:
            anchors[k, 0], anchors[k, 1], anchors[k, 2] = 1.0, t, side
        normal = kp * depth - kd * vn
        if normal <= 0.0:
            # The damper may not hold a rising foot down; the anchor follows, since nothing grips.
            anchors[k, 1], anchors[k, 2] = t, side
            continue
        ft = kp * (anchors[k, 1] - t) - kd * vt
        fs = kp * (anchors[k, 2] - side) - kd * vs
        grip, pull = mu * normal, math.sqrt(ft * ft + fs * fs)
        if pull > grip and law[4] > 0.0:
            anchors[k, 1], anchors[k, 2] = t, side
            ft, fs = -kd * vt, -kd * vs
        elif pull > grip:
            ft, fs = ft * grip / pull, fs * grip / pull
            if kp > 0.0:
                anchors[k, 1], anchors[k, 2] = t + (ft + kd * vt) / kp, side + (fs + kd * vs) / kp
        fx, fy, fz = nz * ft + nx * normal, fs, -nx * ft + nz * normal
        add_force_at(stage, body, motion[0], motion[1], motion[2], fx, fy, fz)
        _note(ledger, body, motion, fx, fy, fz, normal, count)
        count += 1
    return count


@inlined
def _note(ledger, body, motion, fx, fy, fz, normal, count):
    ledger.touch_force[body, 0] += fx
    ledger.touch_force[body, 1] += fy
    ledger.touch_force[body, 2] += fz
    ledger.touch_load[body] += normal
    ledger.grounded[body] = 1
    if count < ledger.contact_rows.shape[0]:
        ledger.contact_bodies[count, 0], ledger.contact_bodies[count, 1] = body, 0
        row = ledger.contact_rows[count]
        row[0], row[1], row[2], row[3], row[4], row[5] = motion[0], motion[1], motion[2], fx, fy, fz
