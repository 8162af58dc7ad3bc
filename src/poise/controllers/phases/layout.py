"""Records over the flat arrays `params` and `memory` of a list of phases.

A linear form of n parameters is a block of 1 + n numbers: a constant and a factor for each. Everything that may depend
on parameters (targets, durations, gains, forces) is a linear form.
"""

from __future__ import annotations

from typing import Any, Final

from poise.kernels.records import make_record, size_of
from poise.world.controller import FloatArray

#: params: counts, and the start of each block.
PARAMS: Final = make_record(
    "count",  # of parameters
    "phases",
    "values_at",
    "skill_at",
    "gains_at",
    "poses_at",
    "phases_at",
    "feedback_at",
    "forces_at",
)
HEADER: Final = size_of(PARAMS)

#: The skill: index of the command among the values (-1 for none), its range, and the degree.
SKILL: Final = make_record("command", "low", "high", "degree")
SKILL_HEADER: Final = size_of(SKILL)
MAX_DEGREE: Final = 5
#: Then for each parameter: whether the command governs it, its range, and the weights of 1, w, w² …
SKILL_ROW_RECORD: Final = make_record("governed", "least", "most", ("weights", MAX_DEGREE + 1))
SKILL_ROW: Final = size_of(SKILL_ROW_RECORD)

#: A phase, followed by its duration as a linear form.
PHASE: Final = make_record(
    "until",  # how it ends
    "feet",  # mask of the feet that can end it
    "after",  # time before which only its duration can end it
    "ramp",  # time over which its target and its forces are blended in
    "next",  # index of the next phase, -1 if none
    "feedback_first",
    "feedback_count",
    "force_first",
    "force_count",
)
DURATION: Final = size_of(PHASE)
UNTIL_TIME, UNTIL_LIFT_OFF, UNTIL_CONTACT = range(3)
LEFT_FOOT, RIGHT_FOOT = 1, 2

#: Feedback, followed by the gain as a linear form.
FEEDBACK: Final = make_record("measure", "axis")
GAIN: Final = size_of(FEEDBACK)
MEASURES: Final = ("com_x_m", "com_y_m", "com_vel_x_mps", "com_vel_y_mps", "trunk_pitch_rad")
#: Measures whose sign flips in the mirror image.
SIDEWAYS: Final = ("com_y_m", "com_vel_y_mps")

#: A virtual force, followed by three linear forms: where it acts (a segment, or `AT_COM`), and whether torque limits
#: apply to it.
FORCE_RECORD: Final = make_record("segment", "limited")
FORCE: Final = size_of(FORCE_RECORD)
AT_COM: Final = -1

#: memory: followed by the values of the parameters.
MEMORY: Final = make_record(
    "phase",
    "elapsed",
    "before",  # the previous phase; the number of phases stands for the start
)
VALUES: Final = size_of(MEMORY)


def read_memory(memory: FloatArray) -> Any:
    """The header of a memory, by name."""
    return memory[:VALUES].view(MEMORY)[0]


def feedback_row(count: int) -> int:
    """Length of a row of feedback for `count` parameters."""
    return GAIN + 1 + count


def force_row(count: int) -> int:
    """Length of a force's row for `count` parameters."""
    return FORCE + 3 * (1 + count)
