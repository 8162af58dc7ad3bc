"""A problem that is searched in a second, and changed versions of it."""

PROBLEM = """\
description = "a small search"
controller = "simbicon/planar-walk"
seconds = 1.5
settle_s = 0.5
timestep_s = 0.002

[search]
generations = 4
population = 4
seed = 7

[check]
seconds = 2.0
timestep_s = 0.002

[vary]
lift_swing_hip = { plus_minus = 0.3 }
strike_cd = { low = 1.0, high = 3.0 }

[[objective]]
measure = "speed_mps"
near = 0.8
weight = 10.0

[[trials]]
name = "from rest"

[[trials]]
name = "disturbed"
speed_mps = 0.5
noise_radps = 0.2
pushes = [{ force_n = 100.0, direction_deg = 180.0, start_s = 0.7 }]
"""

#: The same for a family of walks.
TASK_PROBLEM = (
    PROBLEM.replace("near = 0.8", 'near = "task"').replace("generations = 4", "generations = 5")
    + """
[task]
name = "speed_mps"
low = 0.6
high = 0.9
count = 3
degree = 1
"""
)


def change(text, *pairs):
    """A text with some parts replaced, each of which must be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text
