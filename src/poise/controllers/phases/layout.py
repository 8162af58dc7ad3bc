"""Where the numbers of a list of phases stand in `params` and `memory`.

A linear form is a block of 1 + n numbers for n parameters: a constant and a factor for each. Everything that may depend
on parameters (targets, durations, gains, forces) is one.
"""

from __future__ import annotations

#: params: counts and the places of the blocks.
COUNT, PHASES, VALUES_AT, SKILL_AT, GAINS_AT, POSES_AT, PHASES_AT, FEEDBACK_AT, FORCES_AT, HEADER = range(10)

#: The skill: place of the command among the values (-1 where there is none), its range, and the degree.
COMMAND, LOW, HIGH, DEGREE, SKILL_HEADER = range(5)
MAX_DEGREE = 5
#: Then a row for each parameter: whether the command decides it, its range, and the weights of 1, w, w² …
GOVERNED, LEAST, MOST, WEIGHTS = range(4)
SKILL_ROW = WEIGHTS + MAX_DEGREE + 1

#: A row of gains for each axis.
KP, KD, GAIN_ROW = range(3)

#: A phase: how it ends, which feet count for that, the time before which only its duration can end it, how long its
#: target and its forces take to come, the phase after it, its rows of feedback and forces, and its duration as a
#: linear form.
UNTIL, FEET, AFTER, RAMP, NEXT, FEEDBACK_FIRST, FEEDBACK_COUNT, FORCE_FIRST, FORCE_COUNT, DURATION = range(10)
UNTIL_TIME, UNTIL_LIFT_OFF, UNTIL_CONTACT = range(3)
LEFT_FOOT, RIGHT_FOOT = 1, 2

#: Feedback: what is measured, the axis, and the gain as a linear form.
MEASURE, AXIS, GAIN = range(3)
MEASURES = ("com_x_m", "com_y_m", "com_vel_x_mps", "com_vel_y_mps", "trunk_pitch_rad")
#: Measures whose sign the mirror image changes.
SIDEWAYS = ("com_y_m", "com_vel_y_mps")

#: A force: where (a segment, or `AT_COM`), whether torque limits hold for it, and three linear forms.
SEGMENT, LIMITED, FORCE = range(3)
AT_COM = -1

#: memory: phase, time in it, the phase before (the number of phases stands for the start), then the parameters' values.
PHASE, ELAPSED, BEFORE, VALUES = range(4)


def phase_row(count: int) -> int:
    """Length of a phase's row for so many parameters."""
    return DURATION + 1 + count


def feedback_row(count: int) -> int:
    return GAIN + 1 + count


def force_row(count: int) -> int:
    return FORCE + 3 * (1 + count)
