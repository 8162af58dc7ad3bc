"""The penalty ground: springs and dampers at named points, with a friction cone that slips.

[Laszlo96 §2.4.1]: F = kp·(P − M) − kd·Ṁ at a point M that has sunk into the ground, P where it first touched; the
vertical part never pulls; where the tangential part leaves the friction cone, P is moved so that the point slips.
The text moves P to stand directly above M, which leaves the damper alone: `slip="text"`. Otherwise P is moved just far
enough for the force to lie on the cone, so that a sliding point feels the full friction force and no more, and a block
on a slope slips at atan(friction).

[Lee10 §5] has springs and dampers in the vertical alone, N = kp·depth − kd·ż; friction μ·N acts against the tangential
velocity, and below a speed of a few centimetres a second it fades in proportion to it: `slip="fade"`. Such a point
creeps under a load, but nothing has to be remembered.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import out_of_range, unknown_name
from poise.kernels.jit import inlined
from poise.world.forces import add_force_at, move_point, place_point

SLIPS = ("cone", "text", "fade")
FADE = float(SLIPS.index("fade"))


class GroundPoints:
    """The points of one body that feel a ground of springs."""

    def __init__(self, rows: NDArray[np.float64], body: int) -> None:
        self._rows, self._mine = rows, rows[:, 0] == body

    @property
    def heights_b_m(self) -> NDArray[np.float64]:
        """Their heights in the frame of the body. Raised points find the ground lower, lowered points higher."""
        return self._rows[self._mine, 3].copy()

    @heights_b_m.setter
    def heights_b_m(self, heights: NDArray[np.float64]) -> None:
        self._rows[self._mine, 3] = heights


@dataclass(frozen=True)
class PenaltyGround:
    """Stiffness and damping at each point: 25000/1500 in [Laszlo96], 100000/6000 in [Coros10], 2000/89.4 in [Lee10]."""

    stiffness_npm: float = 25000.0
    damping_nspm: float = 1500.0
    friction: float = 1.0
    #: Tilt of the plane about the world's y axis; positive climbs forward.
    slope_rad: float = 0.0
    #: How a point grips and slips: "cone", "text" or "fade".
    slip: str = "cone"
    #: Below this speed the friction of "fade" is not full.
    lock_speed_mps: float = 0.05

    def __post_init__(self) -> None:
        if self.slip not in SLIPS:
            raise unknown_name("penalty ground", "slip", self.slip, SLIPS)
        for name, high in (("stiffness_npm", 1e8), ("damping_nspm", 1e6), ("friction", 1e3), ("lock_speed_mps", 10.0)):
            value = getattr(self, name)
            if not 0.0 <= value <= high:
                raise out_of_range("penalty ground", name, value, 0.0, high)
        if not abs(self.slope_rad) < 1.5:
            raise out_of_range("penalty ground", "slope_rad", self.slope_rad, -1.5, 1.5, "rad")

    def pack(self) -> np.ndarray:
        slip = float(SLIPS.index(self.slip))
        return np.array(
            [self.stiffness_npm, self.damping_nspm, self.friction, self.slope_rad, slip, self.lock_speed_mps]
        )


@inlined
def apply_ground(stage, ledger, scratch):
    """Applies the ground's forces at all points; returns how many touch. Contacts go into the ledger's arrays."""
    law, points = stage.ground_law, stage.ground_points
    kp, kd = law[0], law[1]
    # Unit normal and tangents (forward, sideways) of the plane through the origin.
    nx, nz = -math.sin(law[3]), math.cos(law[3])
    count = 0
    motion, tangent = scratch[0], scratch[1]
    for k in range(points.shape[0]):
        body = int(points[k, 0])
        place_point(stage, body, points[k, 1], points[k, 2], points[k, 3], motion)
        depth = -(nx * motion[0] + nz * motion[2])
        if depth <= 0.0:
            ledger.anchors[k, 0] = 0.0
            continue
        move_point(stage, body, motion)
        # In the frame of the plane: t along the slope, y sideways, n out of it.
        tangent[0], tangent[1] = nz * motion[0] - nx * motion[2], motion[1]
        tangent[2], tangent[3] = nz * motion[3] - nx * motion[5], motion[4]
        normal = kp * depth - kd * (nx * motion[3] + nz * motion[5])
        if law[4] == FADE:
            grip_by_speed(law, normal, tangent)
        else:
            grip_by_anchor(law, normal, tangent, ledger.anchors[k])
        if normal <= 0.0:
            # The damper may not hold a rising foot down.
            continue
        ft, fs = tangent[4], tangent[5]
        fx, fy, fz = nz * ft + nx * normal, fs, -nx * ft + nz * normal
        add_force_at(stage, body, motion[0], motion[1], motion[2], fx, fy, fz)
        _note(ledger, body, motion, fx, fy, fz, normal, count)
        count += 1
    return count


@inlined
def grip_by_anchor(law, normal, tangent, anchor):
    """Writes the tangential force of a point that is held where it first touched, tangent[4:6], and moves the hold."""
    kp, kd = law[0], law[1]
    t, side, vt, vs = tangent[0], tangent[1], tangent[2], tangent[3]
    if anchor[0] == 0.0:
        anchor[0], anchor[1], anchor[2] = 1.0, t, side
    if normal <= 0.0:
        # Nothing grips, so the hold follows.
        anchor[1], anchor[2] = t, side
        return
    ft = kp * (anchor[1] - t) - kd * vt
    fs = kp * (anchor[2] - side) - kd * vs
    grip, pull = law[2] * normal, math.sqrt(ft * ft + fs * fs)
    if pull > grip and law[4] > 0.0:
        anchor[1], anchor[2] = t, side
        ft, fs = -kd * vt, -kd * vs
    elif pull > grip:
        ft, fs = ft * grip / pull, fs * grip / pull
        if kp > 0.0:
            anchor[1], anchor[2] = t + (ft + kd * vt) / kp, side + (fs + kd * vs) / kp
    tangent[4], tangent[5] = ft, fs


@inlined
def grip_by_speed(law, normal, tangent):
    """Writes friction against the speed of a point, tangent[4:6]: full from the lock speed on, in proportion below."""
    vt, vs = tangent[2], tangent[3]
    speed = math.sqrt(vt * vt + vs * vs)
    grip = law[2] * max(normal, 0.0) / max(speed, law[5])
    tangent[4], tangent[5] = -grip * vt, -grip * vs


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
