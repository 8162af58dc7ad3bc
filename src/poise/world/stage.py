"""NamedTuples of the arrays that the compiled loop works on. `World` builds the tuples."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.constants import MAX_CONTACTS, MAX_CONTACTS_EACH
from poise.world.layout import COUNTERS, TALLY

F8 = NDArray[np.float64]
I8 = NDArray[np.int64]
I4 = NDArray[np.int32]


class Stage(NamedTuple):
    """Views of MuJoCo's model and data, and maps from its indices to ours. Holds no state of our own."""

    at: I8  # addresses of model and data
    offsets: I8  # of poise.world.abi
    qpos: F8
    qvel: F8
    qacc_warmstart: F8
    qfrc_applied: F8
    xfrc_applied: F8  # (bodies, 6)
    dof_damping: F8  # of this world's own model
    base_damping: F8  # the bodies' own passive damping
    xpos: F8  # (bodies, 3)
    xquat: F8  # (bodies, 4)
    xmat: F8  # (bodies, 9)
    xipos: F8  # (bodies, 3)
    cvel: F8  # (bodies, 6)
    subtree_com: F8  # (bodies, 3)
    body_root: I4  # the body whose subtree COM is cvel's reference point
    geom_body: I4
    body_character: I8  # (bodies,) -1 for ground and props
    characters: NDArray[Any]  # (C,) of layout.CHARACTER
    casts: I8  # (C,) index of the first member of each character's cast
    fall_bodies: I8  # (bodies,) 1 if touching the ground is a fall
    fall_rules: NDArray[Any]  # (C,) of layout.FALL_RULE
    feet: I8  # (C, 2, 2): foot body and toes body (-1) of the left and right foot
    trunks: I8  # (C,)
    ground_points: F8  # (P, 4) body, position in the body's frame
    ground_law: F8  # (6,) of poise.world.ground
    mass_matrix: F8  # MuJoCo's sparse rows, lower triangle
    mass_rows: I4  # (dofs, 2) start and number of entries of each row
    mass_columns: I4
    qfrc_bias: F8
    qfrc_passive: F8
    cdof: F8  # (dofs, 6)
    dof_body: I4
    body_parent: I4


def count_contact_rows(stage: Stage) -> int:
    """Rows of the contact table; grows with the number of characters."""
    return max(MAX_CONTACTS, MAX_CONTACTS_EACH * stage.characters.shape[0])


class Ledger(NamedTuple):
    """Everything that a run changes besides MuJoCo's state: copied whole into a snapshot."""

    counters: I8  # (4,) of layout.COUNTERS
    clock: F8  # (3,) of layout.CLOCK
    touch_force: F8  # (bodies, 3)
    touch_load: F8  # (bodies,)
    grounded: I8  # (bodies,) 1 if the body touched static ground in the last step
    foot_latch: F8  # (C, 2, 2) of layout.LATCH
    touch_latch: F8  # (bodies, 2) of layout.LATCH
    watching: I8  # (C,) number of watched segments of each character
    last_step: I8  # (C,) foot of the last step, 0 left, 1 right; -1 before the first
    posture: F8  # (C, 2) of layout.POSTURE
    fallen: F8  # (C, 2): 1 after the first fall, and its time
    anchors: F8  # (P, 4): in contact, anchor (3)
    pushes: F8  # (MAX_PUSHES, 10), see poise.world.forces
    springs: F8  # (MAX_SPRINGS, 12)
    tally: F8  # (C, 5) of layout.TALLY
    random_state: NDArray[np.uint64]
    active: I8  # (C,) the active member of each character's cast
    cues: I8  # (C,) bits: a law ended a phase (1), has requests to the world (2), or a full journal (4)
    contact_bodies: I8  # (count_contact_rows, 2)
    contact_rows: F8  # (count_contact_rows, 6): position, force on the first body

    @property
    def counts(self) -> Any:
        """The counters by name, a view."""
        return self.counters.view(COUNTERS)[0]

    @property
    def tallies(self) -> NDArray[Any]:
        """The tally of each character, (C,) of layout.TALLY."""
        return self.tally.view(TALLY)[:, 0].view(np.recarray)


class Drive(NamedTuple):
    """What a law wrote for its character, and what was applied. Valid within one tick."""

    torque: F8  # (u,)
    damping: F8  # (u,)
    applied: F8  # (u,) damping included, limited
    limit: F8  # (u,) N·m, infinite if there is none
    kind: I8  # (1,) what the law wrote: torques, or accelerations to be solved for torques (poise.world.hybrid)


class Scratch(NamedTuple):
    """Working arrays: a tick allocates nothing."""

    qpos: F8
    qvel: F8
    qacc: F8
    points: F8  # (3, 6)
    geoms: I8  # (2,)
    contact: F8  # (18,)
    headings: F8  # (C,)
    com: F8  # (C, 6) position and velocity
    acceleration: F8  # (dofs,)
    needed: F8  # (dofs,) forces
    wrench: F8  # (bodies, 6) about the character's centre of mass
    root: F8  # (6, 7) the root's equations, with their right-hand side


class Tape(NamedTuple):
    """Buffers for the frames and events of one call of the loop."""

    written: I8  # (3,) of layout.WRITTEN
    time: F8
    qpos: F8
    qvel: F8
    torque: F8
    pos: F8  # (F, bodies, 3)
    quat: F8  # (F, bodies, 4)
    com: F8  # (F, C, 6)
    contact_start: I8
    contact_bodies: I8  # (K, 2)
    contact_rows: F8  # (K, 6)
    events: F8  # (E, 4): time, kind, character, body
