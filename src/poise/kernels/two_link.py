"""Legs and arms as two links: triangles, and inverse kinematics in a plane."""

from __future__ import annotations

import math

from poise.kernels.jit import law


@law
def angle_between(a, b, opposite):
    """Return the angle between sides a and b of a triangle with the given third side, by the law of cosines."""
    return math.acos(min(max((a * a + b * b - opposite * opposite) / (2.0 * a * b), -1.0), 1.0))


@law
def flexion_for(upper, lower, reach):
    """Return the flexion of the middle joint at which the links' ends are `reach` apart; 0 is straight."""
    return math.pi - angle_between(upper, lower, reach)


@law
def reach_at(upper, lower, flexion):
    """Return the distance between the ends of the links at a flexion."""
    return math.sqrt(max(upper * upper + lower * lower + 2.0 * upper * lower * math.cos(flexion), 1e-6))


@law
def solve_upper_link(upper, lower, reach, dx, dy, dz, nx, ny, nz):
    """Return the directions of the upper link and of the plane's normal, (bx, by, bz, nx, ny, nz), all unit vectors.

    d points from one end of the links to the other, `reach` apart; n approximates the normal of their plane, and the
    middle joint lies on the side of d × n.
    """
    along = nx * dx + ny * dy + nz * dz
    nx, ny, nz = nx - along * dx, ny - along * dy, nz - along * dz
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / size, ny / size, nz / size
    # The line between the ends, rotated about −n.
    opening = angle_between(upper, reach, lower)
    co, si = math.cos(opening), -math.sin(opening)
    bx = dx * co + (ny * dz - nz * dy) * si
    by = dy * co + (nz * dx - nx * dz) * si
    bz = dz * co + (nx * dy - ny * dx) * si
    return bx, by, bz, nx, ny, nz
