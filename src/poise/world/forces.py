"""External forces: pushes on a segment, and springs between two points. Compiled; applied between the half steps.

A push row: state (0 free, 1 waiting, 2 acting), body, force in the heading frame (3), start_s, end_s, world force (3).
The direction is fixed in the heading frame when the push starts.
A spring row: on, body a, point in a (3), body b (0 is the world), point in b (3), stiffness_npm, damping_nspm,
max_force_n.
"""

from __future__ import annotations

import math

from poise.kernels.jacobian import point_velocity
from poise.kernels.jit import inlined
from poise.world.layout import CLOCK, COUNTERS

PUSH_COLUMNS = 10
SPRING_COLUMNS = 12


@inlined
def add_force_at(stage, body, px, py, pz, fx, fy, fz):
    """Adds a world force at a world point to a body's external force, which MuJoCo applies at the centre of mass."""
    x, c = stage.xfrc_applied, stage.xipos
    rx, ry, rz = px - c[body, 0], py - c[body, 1], pz - c[body, 2]
    x[body, 0] += fx
    x[body, 1] += fy
    x[body, 2] += fz
    x[body, 3] += ry * fz - rz * fy
    x[body, 4] += rz * fx - rx * fz
    x[body, 5] += rx * fy - ry * fx


@inlined
def point_motion(stage, body, lx, ly, lz, out):
    """Writes world position (3) and velocity (3) of a point given in a body's frame."""
    place_point(stage, body, lx, ly, lz, out)
    move_point(stage, body, out)


@inlined
def place_point(stage, body, lx, ly, lz, out):
    """Writes the world position (3) of a point given in a body's frame."""
    r, p = stage.xmat, stage.xpos
    for k in range(3):
        out[k] = p[body, k] + r[body, 3 * k] * lx + r[body, 3 * k + 1] * ly + r[body, 3 * k + 2] * lz


@inlined
def move_point(stage, body, out):
    """Writes the world velocity (out[3:6]) of the point of a body at world position out[:3]."""
    c, v = stage.subtree_com, stage.cvel
    root = stage.body_root[body]
    dx, dy, dz = out[0] - c[root, 0], out[1] - c[root, 1], out[2] - c[root, 2]
    out[3], out[4], out[5] = point_velocity(v[body], dx, dy, dz)


@inlined
def apply_pushes(stage, ledger, headings):
    """Applies every active push at the centre of mass of its segment; returns how many started."""
    pushes, clock = ledger.pushes, ledger.clock.view(CLOCK)[0]
    # Half a tick of slack: 0.1 s / 0.0005 s must be 200 ticks despite rounding.
    time, slack = clock.time_s, 0.5 * clock.timestep_s
    started = 0
    for k in range(pushes.shape[0]):
        if pushes[k, 0] == 0.0 or time < pushes[k, 5] - slack:
            continue
        if time >= pushes[k, 6] - slack:
            pushes[k, 0] = 0.0
            ledger.counters.view(COUNTERS)[0].pushes -= 1
            continue
        body = int(pushes[k, 1])
        if pushes[k, 0] == 1.0:
            character = stage.body_character[body]
            heading = headings[character] if character >= 0 else 0.0
            c, s = math.cos(heading), math.sin(heading)
            pushes[k, 7] = c * pushes[k, 2] - s * pushes[k, 3]
            pushes[k, 8] = s * pushes[k, 2] + c * pushes[k, 3]
            pushes[k, 9] = pushes[k, 4]
            pushes[k, 0] = 2.0
            started += 1
        for j in range(3):
            stage.xfrc_applied[body, j] += pushes[k, 7 + j]
    return started


@inlined
def apply_springs(stage, ledger, scratch):
    """Pulls the two ends of every active spring together: zero rest length, damped, force clamped."""
    rows = ledger.springs
    for k in range(rows.shape[0]):
        if rows[k, 0] == 0.0:
            continue
        a, b = int(rows[k, 1]), int(rows[k, 5])
        point_motion(stage, a, rows[k, 2], rows[k, 3], rows[k, 4], scratch[0])
        point_motion(stage, b, rows[k, 6], rows[k, 7], rows[k, 8], scratch[1])
        size = 0.0
        for j in range(3):
            pull = rows[k, 9] * (scratch[1, j] - scratch[0, j]) + rows[k, 10] * (scratch[1, 3 + j] - scratch[0, 3 + j])
            scratch[2, j] = pull
            size += pull * pull
        size = math.sqrt(size)
        scale = rows[k, 11] / size if size > rows[k, 11] else 1.0
        fx, fy, fz = scale * scratch[2, 0], scale * scratch[2, 1], scale * scratch[2, 2]
        add_force_at(stage, a, scratch[0, 0], scratch[0, 1], scratch[0, 2], fx, fy, fz)
        if b > 0:
            add_force_at(stage, b, scratch[1, 0], scratch[1, 1], scratch[1, 2], -fx, -fy, -fz)
