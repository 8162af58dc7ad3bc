"""The penalty ground: springs and dampers at named points, with a friction cone that slips.

[Laszlo96 §2.4.1]: F = kp·(P − M) − kd·Ṁ at a point M that has penetrated the ground, with P where it first touched.
The vertical component never pulls. If the tangential component leaves the friction cone, P moves and the point slips.
The text moves P directly above M, which leaves only the damper: `slip="text"`. By default P moves just far enough for
the force to lie on the cone: a sliding point feels exactly the full friction force, and a block on a slope slips at
atan(friction).

[Lee10 §5] has only vertical springs and dampers, N = kp·depth − kd·ż. Friction μ·N opposes the tangential velocity;
below a few centimetres per second it fades in proportion to the speed: `slip="fade"`. Such a point creeps under load,
but needs no stored anchor.
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
    """The ground points of one body."""

    def __init__(self, rows: NDArray[np.float64], body: int) -> None:
        self._rows, self._mine = rows, rows[:, 0] == body

    @property
    def heights_b_m(self) -> NDArray[np.float64]:
        """Their heights in the body's frame. For raised points the ground is effectively lower."""
        return self._rows[self._mine, 3].copy()

    @heights_b_m.setter
    def heights_b_m(self, heights: NDArray[np.float64]) -> None:
        self._rows[self._mine, 3] = heights


@dataclass(frozen=True)
class PenaltyGround:
    """Stiffness/damping of each point: 25000/1500 in [Laszlo96], 100000/6000 in [Coros10], 2000/89.4 in [Lee10]."""

    stiffness_npm: float = 25000.0
    damping_nspm: float = 1500.0
    friction: float = 1.0
    #: Tilt of the plane about the world's y axis; positive climbs forward.
    slope_rad: float = 0.0
    #: Friction model: "cone", "text" or "fade".
    slip: str = "cone"
    #: Below this speed, "fade" reduces friction.
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
    """Applies the ground's forces at all points; writes contacts to the ledger and returns how many there are."""
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
        # In the frame of the plane: t along the slope, y sideways, n outward.
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
    """Writes the tangential force of an anchored point to tangent[4:6] and moves the anchor if it slips."""
    kp, kd = law[0], law[1]
    t, side, vt, vs = tangent[0], tangent[1], tangent[2], tangent[3]
    if anchor[0] == 0.0:
        anchor[0], anchor[1], anchor[2] = 1.0, t, side
    if normal <= 0.0:
        # Without grip, the anchor follows the point.
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
    """Writes friction against a point's velocity to tangent[4:6]: proportional below the lock speed, full above."""
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
