"""Hybrid dynamics: torques that give the joints their commanded accelerations while the root moves freely.

[Lee10 §3] drives a body by accelerations: in M·a + h = τ + Jᵀf the joints' part a_a is given, the root's torque is
zero, and its acceleration follows:

    M_uu·a_u = −(M_ua·a_a + h_u − (Jᵀf)_u),    τ_a = M_au·a_u + M_aa·a_a + h_a − (Jᵀf)_a,

where h holds gravity, Coriolis and passive forces, and f the external forces of this tick: ground, pushes and springs.
Forces that the physics solves later (contacts of solids, joint limits) are not in f: a joint that meets them does not
reach its acceleration.
"""

from __future__ import annotations

import math

from poise.errors import unknown_name
from poise.kernels.jit import inlined
from poise.world.controller import Controller

#: Quantities that a law may write.
KINDS = ("torque", "acceleration")
TORQUE, ACCELERATION = 0, 1


def find_kind(controller: Controller) -> int:
    """Index in KINDS of the quantity that a controller's law writes."""
    if controller.drives not in KINDS:
        raise unknown_name(f"controller {controller.name}", "kind of drive", controller.drives, KINDS)
    return KINDS.index(controller.drives)


@inlined
def solve_torques(stage, scratch, drive, c):
    """Replaces the accelerations in drive.torque by the torques that give them."""
    own = stage.characters[c]
    root, count, first, axes = own.root_dof, own.root_dofs, own.joint_dof, own.axes
    needed, wanted = scratch.needed, scratch.acceleration
    for i in range(root, first):
        wanted[i] = 0.0
    for k in range(axes):
        wanted[first + k] = drive.torque[k]
    gather_wrenches(stage, scratch.wrench, c)
    multiply_mass(stage, wanted, needed, root, first + axes)
    for i in range(root, first + axes):
        outside = 0.0
        for j in range(6):
            outside += stage.cdof[i, j] * scratch.wrench[stage.dof_body[i], j]
        needed[i] += stage.qfrc_bias[i] - stage.qfrc_passive[i] - outside
    solve_root(stage, scratch.root, needed, wanted, root, count)
    for k in range(axes):
        drive.torque[k] = needed[first + k] + pull_of_root(stage, wanted, first + k, root, count)
        drive.damping[k] = 0.0


@inlined
def gather_wrenches(stage, wrench, c):
    """Writes the external torque and force on each body and its descendants, about the centre of mass."""
    body, bodies = stage.characters[c].first_body, stage.characters[c].bodies
    at, center, applied = stage.xipos, stage.subtree_com[stage.body_root[body]], stage.xfrc_applied
    for b in range(body, body + bodies):
        rx, ry, rz = at[b, 0] - center[0], at[b, 1] - center[1], at[b, 2] - center[2]
        fx, fy, fz = applied[b, 0], applied[b, 1], applied[b, 2]
        wrench[b, 0] = applied[b, 3] + ry * fz - rz * fy
        wrench[b, 1] = applied[b, 4] + rz * fx - rx * fz
        wrench[b, 2] = applied[b, 5] + rx * fy - ry * fx
        wrench[b, 3], wrench[b, 4], wrench[b, 5] = fx, fy, fz
    for b in range(body + bodies - 1, body, -1):
        for j in range(6):
            wrench[stage.body_parent[b], j] += wrench[b, j]


@inlined
def multiply_mass(stage, vector, out, first, end):
    """Writes the product of the mass matrix and a vector for dofs first to end."""
    for i in range(first, end):
        out[i] = 0.0
    for i in range(first, end):
        start, last = stage.mass_rows[i, 0], stage.mass_rows[i, 0] + stage.mass_rows[i, 1] - 1
        for k in range(start, last):
            j, value = stage.mass_columns[k], stage.mass_matrix[k]
            out[i] += value * vector[j]
            out[j] += value * vector[i]
        # The diagonal is the last entry of its row.
        out[i] += stage.mass_matrix[last] * vector[i]


@inlined
def solve_root(stage, table, needed, wanted, root, count):
    """Writes the acceleration at which the root needs no torque, by Cholesky factorization."""
    for i in range(count):
        start, last = stage.mass_rows[root + i, 0], stage.mass_rows[root + i, 0] + stage.mass_rows[root + i, 1]
        for j in range(6):
            table[i, j] = 0.0
        for k in range(start, last):
            table[i, stage.mass_columns[k] - root] = stage.mass_matrix[k]
    for i in range(count):
        for j in range(i + 1):
            total = table[i, j]
            for k in range(j):
                total -= table[i, k] * table[j, k]
            table[i, j] = math.sqrt(total) if i == j else total / table[j, j]
    for i in range(count):
        total = -needed[root + i]
        for k in range(i):
            total -= table[i, k] * table[k, 6]
        table[i, 6] = total / table[i, i]
    for i in range(count - 1, -1, -1):
        total = table[i, 6]
        for k in range(i + 1, count):
            total -= table[k, i] * wanted[root + k]
        wanted[root + i] = total / table[i, i]


@inlined
def pull_of_root(stage, acceleration, dof, root, count):
    """The generalized force on a joint due to the root's acceleration."""
    total = 0.0
    for k in range(stage.mass_rows[dof, 0], stage.mass_rows[dof, 0] + stage.mass_rows[dof, 1]):
        j = stage.mass_columns[k]
        if root <= j < root + count:
            total += stage.mass_matrix[k] * acceleration[j]
    return total
