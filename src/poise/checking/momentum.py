"""Internal torques only: nothing holds the body from outside, and in flight its momentum is gravity's alone."""

from __future__ import annotations

import numpy as np

from poise.checking.postures import spin
from poise.checking.subject import CheckResult, FloatArray, Subject
from poise.constants import GRAVITY_MPS2
from poise.world.senses import sense
from poise.world.world import World

NAME = "internal torques"
#: Ticks on the ground for which the outside forces on the root are looked at.
GROUND_TICKS = 600
FLIGHT_S = 0.08
#: Two time steps in flight, the second half the first. The integrator's error falls with the first power of the step,
#: so 2·fine − coarse is what would remain at a step of zero.
COARSE_S, FINE_S = 0.00025, 0.000125
#: Part of the integrator's own error that may remain then; a force from outside remains whole.
REMAINDER = 0.05
#: Sums of the same forces in another order differ by less.
ROUNDING_N = 1e-6
#: Part of what gravity does meanwhile below which an error is rounding.
FLOOR = 1e-6


def _sum_springs(world: World) -> FloatArray:
    """Force and moment on each body of a ground of springs, from the table of contacts; nothing on other grounds."""
    total = np.zeros_like(world.state.body_force_w)
    if world.ground is None:
        return total
    for k in range(world.ledger.counts.contacts):
        body, row = int(world.ledger.contact_bodies[k, 0]), world.ledger.contact_rows[k]
        total[body, :3] += row[3:]
        total[body, 3:] += np.cross(row[:3] - world.state.body_com_w_m[body], row[3:])
    return total


def _find_outside_force(world: World) -> str:
    """Runs on the ground and reports the first force from outside that is neither contact nor gravity."""
    root = slice(0, world.characters[0].root_dofs)
    for _ in range(GROUND_TICKS):
        world.step(1)
        if np.any(world.state.drive[root]):
            return f"at {world.time_s:.4g} s a force acts on the root from outside: {world.state.drive[root]}."
        if np.abs(world.state.body_force_w - _sum_springs(world)).max() > ROUNDING_N:
            return f"at {world.time_s:.4g} s a force that nobody declared acts on a segment."
    return ""


def _flight_error(subject: Subject, timestep_s: float) -> tuple[FloatArray, FloatArray]:
    """How far linear momentum is from p0 + m·g·t after a flight, and angular momentum about the COM from L0."""
    # What a pilot decides depends on the time step; it decides about parameters, and the law is what acts.
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
        # The plane itself holds the body against tilting: only what lies in it is free.
        linear[1], angular[0], angular[2] = 0.0, 0.0, 0.0
    return linear, angular


def check_internal(subject: Subject) -> CheckResult:
    """Contact, gravity and declared pushes are all that acts on the body as a whole."""
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
            return CheckResult(NAME, False, detail=f"{text} nor the time step explains: the body is held from outside.")
    return CheckResult(NAME, True, detail=f"{FLIGHT_S:g} s of flight leave {' and '.join(left)} unexplained")
