"""Checks that a controller uses internal torques only: no external help, and momentum in flight obeys gravity."""

from __future__ import annotations

import numpy as np

from poise.checking.postures import spin
from poise.checking.subject import CheckResult, FloatArray, Subject
from poise.constants import GRAVITY_MPS2
from poise.world.senses import sense
from poise.world.world import World

NAME = "internal torques"
#: Ticks on the ground during which external forces on the root are checked.
GROUND_TICKS = 600
FLIGHT_S = 0.08
#: Two time steps in flight, the second half the first. The integrator's error is of first order in the step, so
#: 2·fine − coarse extrapolates to a step of zero.
COARSE_S, FINE_S = 0.00025, 0.000125
#: Fraction of the integrator's own error that may remain after extrapolation; an external force remains entirely.
REMAINDER = 0.05
#: Sums of the same forces in different orders differ by less.
ROUNDING_N = 1e-6
#: Errors below this fraction of gravity's effect are rounding.
FLOOR = 1e-6


def _sum_springs(world: World) -> FloatArray:
    """Force and moment of a penalty ground on each body, from the contact table; zero on other grounds."""
    total = np.zeros_like(world.state.body_force_w)
    if world.ground is None:
        return total
    for k in range(world.ledger.counts.contacts):
        body, row = int(world.ledger.contact_bodies[k, 0]), world.ledger.contact_rows[k]
        total[body, :3] += row[3:]
        total[body, 3:] += np.cross(row[:3] - world.state.body_com_w_m[body], row[3:])
    return total


def _find_outside_force(world: World) -> str:
    """Runs on the ground and describes the first external force that is neither contact nor gravity."""
    root = slice(0, world.characters[0].root_dofs)
    for _ in range(GROUND_TICKS):
        world.step(1)
        if np.any(world.state.drive[root]):
            return f"at {world.time_s:.4g} s an external force acts on the root: {world.state.drive[root]}."
        if np.abs(world.state.body_force_w - _sum_springs(world)).max() > ROUNDING_N:
            return f"at {world.time_s:.4g} s an undeclared force acts on a segment."
    return ""


def _flight_error(subject: Subject, timestep_s: float) -> tuple[FloatArray, FloatArray]:
    """Errors after a flight: of linear momentum from p0 + m·g·t, and of angular momentum about the COM from L0."""
    # A pilot's decisions depend on the time step. It only sets parameters; the law acts.
    world = subject.open(timestep_s=timestep_s, piloted=False)
    spin(world)
    before = sense(world)
    world.step(round(FLIGHT_S / timestep_s))
    after = sense(world)
    mass = float(world.percepts[0].subtree_mass[0])
    fall = np.array([0.0, 0.0, -mass * world.settings.gravity_mps2 * FLIGHT_S])
    linear = after.linear_momentum_w_kgmps - before.linear_momentum_w_kgmps - fall
    angular = after.angular_momentum_w_kgm2ps - before.angular_momentum_w_kgm2ps
    if world.characters[0].root == "planar":
        # The planar constraint prevents tilting: only in-plane components are free.
        linear[1], angular[0], angular[2] = 0.0, 0.0, 0.0
    return linear, angular


def check_internal(subject: Subject) -> CheckResult:
    """Only contact, gravity and declared pushes act on the body as a whole."""
    found = _find_outside_force(subject.open())
    if found:
        return CheckResult(NAME, False, detail=found)
    coarse, fine = _flight_error(subject, COARSE_S), _flight_error(subject, FINE_S)
    floor = FLOOR * subject.character.mass_kg * GRAVITY_MPS2 * FLIGHT_S
    left = []
    for what, unit, large, small in zip(("linear", "angular"), ("kg·m/s", "kg·m²/s"), coarse, fine, strict=True):
        remains = float(np.linalg.norm(2.0 * small - large))
        left.append(f"{remains:.2g} {unit}")
        if not remains <= REMAINDER * float(np.linalg.norm(large)) + floor:
            text = f"in {FLIGHT_S:g} s of flight, {what} momentum changes by {remains:.3g} {unit} that neither gravity"
            return CheckResult(NAME, False, detail=f"{text} nor the time step explains: an external force acts.")
    return CheckResult(NAME, True, detail=f"{FLIGHT_S:g} s of flight, {' and '.join(left)} unexplained")
