"""The contact table shared by all readers, filled from MuJoCo's contacts after each step."""

from __future__ import annotations

from poise.kernels.jit import inlined
from poise.world.physics import contact_count, read_contact


@inlined
def clear_touch(ledger):
    """Clears the contacts of the previous step."""
    for b in range(ledger.touch_load.shape[0]):
        ledger.touch_load[b] = 0.0
        ledger.grounded[b] = 0
        for j in range(3):
            ledger.touch_force[b, j] = 0.0


@inlined
def read_contacts(stage, ledger, start, geoms, row):
    """Adds MuJoCo's contacts that carry a force to the table, from row `start`; returns the total number of rows."""
    count = start
    # Contacts of a body with itself do not exist; a contact of two bodies of one character is internal.
    for k in range(contact_count(stage.at, stage.offsets)):
        read_contact(stage.at, stage.offsets, k, geoms, row)
        normal = row[12]
        if normal <= 0.0 or geoms[0] < 0 or geoms[1] < 0:
            continue
        a, b = stage.geom_body[geoms[0]], stage.geom_body[geoms[1]]
        if count < ledger.contact_rows.shape[0]:
            # MuJoCo's force acts on the second geom; the table's acts on the first body, which is never the ground.
            first, second, sign = (b, a, 1.0) if b > 0 else (a, b, -1.0)
            ledger.contact_bodies[count, 0], ledger.contact_bodies[count, 1] = first, second
            out = ledger.contact_rows[count]
            for j in range(3):
                out[j] = row[j]
                out[3 + j] = sign * (row[3 + j] * row[12] + row[6 + j] * row[13] + row[9 + j] * row[14])
            count += 1
        if b > 0:
            _touch(ledger, row, b, 1.0)
            if a == 0:
                ledger.grounded[b] = 1
        if a > 0:
            _touch(ledger, row, a, -1.0)
            if b == 0:
                ledger.grounded[a] = 1
    return count


@inlined
def _touch(ledger, row, body, sign):
    for j in range(3):
        force = row[3 + j] * row[12] + row[6 + j] * row[13] + row[9 + j] * row[14]
        ledger.touch_force[body, j] += sign * force
    ledger.touch_load[body] += row[12]
