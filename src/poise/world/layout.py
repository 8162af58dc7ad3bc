"""Column names of the loop's arrays, as record types.

The ledger's arrays hold plain numbers, which snapshots save and check. `row.view(TALLY)[0]` gives access by name, in
Python and in compiled code.
"""

from __future__ import annotations

from typing import Final

import numpy as np

COUNTERS: Final = np.dtype(
    (
        np.record,
        [
            ("tick", "i8"),
            ("contacts", "i8"),  # rows in use in the contact table
            ("pushes", "i8"),  # waiting or acting
            ("springs", "i8"),  # active
        ],
    )
)

CLOCK: Final = np.dtype((np.record, [("time_s", "f8"), ("timestep_s", "f8"), ("gravity_mps2", "f8")]))

TALLY: Final = np.dtype(
    (
        np.record,
        [
            ("positive_work_j", "f8"),
            ("absolute_work_j", "f8"),
            ("peak_torque_nm", "f8"),
            ("torque_sum_nm", "f8"),  # of |torque|, over axes and ticks
            ("samples", "f8"),  # number of torques in the sum
        ],
    )
)

#: States of a latch: not yet known; segment not watched.
UNKNOWN: Final = -1.0
UNWATCHED: Final = -2.0

#: Whether a foot or a segment touches something.
LATCH: Final = np.dtype(
    (
        np.record,
        [
            ("state", "f8"),  # 1 down, 0 up, UNKNOWN, UNWATCHED
            ("unloaded_since_s", "f8"),  # -1 while loaded
        ],
    )
)

POSTURE: Final = np.dtype(
    (
        np.record,
        [
            ("down", "f8"),  # 1 after a fall, 0 once the character is back on its feet
            ("upright_since_s", "f8"),  # -1 while it is not upright
        ],
    )
)

#: Where a character's bodies, degrees of freedom and joint axes are in the model.
CHARACTER: Final = np.dtype(
    (
        np.record,
        [
            ("first_body", "i8"),
            ("bodies", "i8"),
            ("root_dof", "i8"),
            ("root_dofs", "i8"),
            ("joint_dof", "i8"),  # first of the joints
            ("axes", "i8"),
        ],
    )
)

FALL_RULE: Final = np.dtype(
    (
        np.record,
        [
            ("tilt_rad", "f8"),
            ("height_m", "f8"),  # least height of the body above the lower foot
            ("body", "i8"),
        ],
    )
)

#: Number of rows that one call of the loop has written to the tape.
WRITTEN: Final = np.dtype((np.record, [("frames", "i8"), ("contacts", "i8"), ("events", "i8")]))
