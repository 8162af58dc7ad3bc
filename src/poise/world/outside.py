"""Adds and removes the ledger's rows for external forces, pushes and springs. `forces` applies them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from poise.errors import InputError
from poise.world.disturbances import Push
from poise.world.stage import Ledger

#: Limit of any spring's force, in place of infinity.
_MAX_FORCE_N = 1e12


def add_push(ledger: Ledger, body: int, push: Push) -> None:
    """Schedules a push on a body."""
    angle = np.deg2rad(push.direction_deg)
    force_h_n = (push.force_n * math.cos(angle), push.force_n * math.sin(angle), 0.0)
    add_force(ledger, body, force_h_n, push.start_s, push.start_s + push.duration_s)


def add_force(ledger: Ledger, body: int, force_h_n: Sequence[float], start_s: float, end_s: float) -> int:
    """Schedules a force on a body's centre of mass, in the heading frame; returns its number."""
    rows = ledger.pushes
    free = np.flatnonzero(rows[:, 0] == 0.0)
    if not len(free):
        raise InputError(f"world: at most {len(rows)} pushes may be pending or active at a time.")
    rows[free[0], :7] = [1.0, body, *force_h_n, start_s, end_s]
    ledger.counts.pushes += 1
    return int(free[0])


def remove_force(ledger: Ledger, number: int) -> None:
    """Removes a force, whether it is pending or active."""
    if ledger.pushes[number, 0]:
        ledger.pushes[number, 0] = 0.0
        ledger.counts.pushes -= 1


def forget_pushes(ledger: Ledger) -> None:
    """Removes the pushes that have not started."""
    waiting = ledger.pushes[:, 0] == 1.0
    ledger.pushes[waiting, 0] = 0.0
    ledger.counts.pushes -= int(waiting.sum())


def add_spring(
    ledger: Ledger,
    bodies: tuple[int, int],
    points_b_m: tuple[Sequence[float], Sequence[float]],
    *,
    stiffness_npm: float,
    damping_nspm: float,
    max_force_n: float,
) -> int:
    """Connects points of two bodies by a damped spring; returns its number."""
    rows = ledger.springs
    free = np.flatnonzero(rows[:, 0] == 0.0)
    if not len(free):
        raise InputError(f"world: at most {len(rows)} springs may be active at a time.")
    ends = (bodies[0], *points_b_m[0], bodies[1], *points_b_m[1])
    rows[free[0]] = [1.0, *ends, stiffness_npm, damping_nspm, min(max_force_n, _MAX_FORCE_N)]
    ledger.counts.springs += 1
    return int(free[0])


def remove_spring(ledger: Ledger, number: int) -> None:
    """Removes a spring."""
    if ledger.springs[number, 0]:
        ledger.springs[number, 0] = 0.0
        ledger.counts.springs -= 1
