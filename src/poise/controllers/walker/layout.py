"""What the walker's law reads and remembers, as records over the flat arrays `params` and `memory`.

Angles are radians, lengths metres, forces newtons. Sides are 0 (left) and 1 (right), planes sagittal, coronal and
transverse (pitch, roll, yaw). Gains and forces are those of the character that runs: the builder scales them by mass.
"""

from __future__ import annotations

from typing import Final

import numpy as np

#: What a style draws over a step, as five control points each [Coros10 §5.3.1]. Planes of the midline are given for a
#: step on the left leg: roll and yaw change sign on the right one. `foot_*` move the swing ankle.
CHANNELS: Final = (
    "pelvis_pitch", "pelvis_roll", "pelvis_yaw",
    "back_pitch", "back_roll", "back_yaw",
    "chest_pitch", "chest_roll", "chest_yaw",
    "neck_pitch", "neck_roll", "neck_yaw",
    "stance_shoulder_pitch", "stance_shoulder_roll", "stance_shoulder_yaw", "stance_elbow",
    "swing_shoulder_pitch", "swing_shoulder_roll", "swing_shoulder_yaw", "swing_elbow",
    "stance_knee", "stance_ankle", "swing_ankle",
    "foot_forward", "foot_outward", "foot_up",
)  # fmt: skip
CHANNEL: Final = {name: k for k, name in enumerate(CHANNELS)}
KEYS: Final = 5
MAX_STYLES: Final = 24

#: Joints that are tracked by PD control, and the number of axes for which each has signs.
JOINTS: Final = ("back", "chest", "neck", "shoulder", "elbow", "hip", "knee", "ankle", "toe")

PARAMS: Final = np.dtype(
    (
        np.record,
        [
            # Commands.
            ("speed", "f8"),
            ("side_speed", "f8"),
            ("heading", "f8"),
            ("step_time", "f8"),
            ("step_height", "f8"),
            ("step_width", "f8"),
            ("crouch", "f8"),
            ("lean", "f8"),
            ("twist", "f8"),
            ("style", "f8"),
            ("idle", "f8"),
            ("stand", "f8"),
            ("footholds", "f8"),
            ("foothold_order", "f8"),
            ("foothold", "f8", (2, 2)),
            # Which controller: the one of the text, or ours.
            ("placement", "f8"),
            ("path", "f8"),
            ("lead", "f8"),
            ("gravity", "f8"),
            ("tuning", "f8"),
            ("pendulum", "f8"),
            ("pendulum_back", "f8"),
            ("retreat", "f8"),
            ("pendulum_side", "f8"),
            ("pace", "f8"),
            ("pace_slope", "f8"),
            ("settle", "f8"),
            ("integrate", "f8"),
            ("pass_legs", "f8"),
            ("hasten", "f8"),
            # Balance.
            ("alpha", "f8"),
            ("printed", "f8"),
            ("speed_gain", "f8"),
            ("speed_force", "f8"),
            ("side_kp", "f8"),
            ("side_kd", "f8"),
            ("side_force", "f8"),
            ("stand_kp", "f8"),
            ("stand_kd", "f8"),
            ("turn_rate", "f8"),
            ("acceleration", "f8"),
            ("reach", "f8"),
            ("hip_share", "f8"),
            ("lift", "f8"),
            ("level", "f8"),
            ("toe_off", "f8"),
            ("heel", "f8"),
            ("foresight", "f8"),
            ("grip", "f8"),
            ("firm", "f8"),
            ("spin", "f8"),
            ("swerve", "f8"),
            ("fastest", "f8"),
            ("cross", "f8"),
            ("ahead", "f8"),
            ("sway", "f8"),
            ("gap", "f8"),
            ("sink", "f8"),
            ("drive", "f8"),
            ("pressure", "f8"),
            ("stiffness", "f8"),
            ("touchdown_depth", "f8"),
            ("strike", "f8"),
            ("strike_time", "f8"),
            ("knock", "f8"),
            ("surge", "f8"),
            ("arms", "f8"),
            # PD gains: kp and kd by joint; the pelvis' tilt and yaw; the swing leg's own.
            ("gain", "f8", (len(JOINTS), 2)),
            ("pelvis_gain", "f8", (2, 2)),
            ("swing_hip_gain", "f8", (2,)),
            ("swing_knee_gain", "f8", (2,)),
            # The body: bone lengths, the sole around the ankle (heel, toe, inner, outer), its depth, signs of axes.
            ("thigh", "f8", (2,)),
            ("shank", "f8", (2,)),
            ("sole", "f8", (2, 4)),
            ("sole_depth", "f8", (2,)),
            ("leg", "f8"),  # mean length from hip to ankle
            ("foot", "f8", (4,)),  # mean of the two soles
            ("hip_width", "f8"),
            ("sign", "f8", (2, len(JOINTS), 3)),
            ("styles", "f8", (MAX_STYLES, len(CHANNELS), KEYS)),
            ("tempo", "f8", (MAX_STYLES,)),
        ],
    )
)

STAND: Final = 0
WALK: Final = 1

MEMORY: Final = np.dtype(
    (
        np.record,
        [
            ("mode", "f8"),
            ("stance", "f8"),
            ("elapsed", "f8"),
            ("left", "f8"),
            ("steps", "f8"),
            ("heading", "f8"),  # that the pelvis should have now
            ("goal", "f8"),  # that is commanded
            ("want", "f8", (2,)),  # velocity that is wanted now, world
            ("bias", "f8", (2,)),  # what the integrator adds to it, heading frame
            ("mark", "f8", (3,)),  # where and when the COM was at the last strike
            ("wanted", "f8", (2,)),  # sum of `want` over the step, heading frame
            ("foot", "f8", (2,)),  # planned swing ankle, world
            ("foot_vel", "f8", (2,)),
            ("lift", "f8", (3,)),  # ankle at lift-off, world
            ("width", "f8"),  # what the integrator adds to the step width
            ("plant", "f8", (2,)),  # where the stance ankle was at the strike
            ("knee0", "f8"),  # bend of the stance knee at the strike
            ("side0", "f8"),  # lateral distance of the COM from the stance ankle at the strike
            ("slope", "f8", (2,)),  # of the ground, world
            ("ground", "f8"),  # height under the stance foot
            ("footing", "f8"),  # the same once it lies flat
            ("trod", "f8", (3,)),  # where the foot stood that carried before, and the ground there
            ("felt", "f8"),  # load on the swing foot, smoothed
            ("soon", "f8"),  # how long before their time steps end
            ("aim", "f8", (2, 2)),
            ("aims", "f8"),
            ("order", "f8"),
            ("weight", "f8", (2,)),  # standing: where the weight is held, heading frame
            ("shift", "f8", (2,)),  # idling: where it goes
            ("idle_until", "f8"),
            ("idle_foot", "f8"),  # the foot that is being set anew: -1 left, 1 right, 0 none
            ("start_shift", "f8"),
            ("unloaded", "f8"),  # seconds for which a foot has carried nothing while standing
            ("style", "f8"),
            ("old_style", "f8"),
            ("fade", "f8"),
            ("hold", "f8"),  # how far the feet hold the body, 0 in the air, smoothed
            ("home", "f8", (2,)),  # where it came to rest: idling goes back there
            ("settled", "f8"),  # whether there is such a place yet
            ("miss", "f8", (2,)),  # where feet come down from where they should, ahead and outward
            ("clamped", "f8"),  # whether the stance leg was in the way of the last placement
            # Of this tick only: cleared at its end, so that what is kept is what is remembered.
            ("pose", "f8", (len(CHANNELS),)),
            ("pose_vel", "f8", (len(CHANNELS),)),
            ("yaw", "f8"),  # of the frame in which trunk and swing leg are held
            ("com", "f8", (3,)),
            ("vel", "f8", (3,)),
            ("ankle", "f8", (2, 3)),
            ("load", "f8", (2,)),
            ("shear", "f8", (2,)),  # of the ground's force along it
            ("target", "f8", (2,)),
            ("catch", "f8"),  # how far the step has a fall to catch, 0 to 1
            ("force", "f8", (3,)),
            ("rot", "f8", (9,)),
            ("rot2", "f8", (9,)),
            ("angles", "f8", (3,)),
            ("angles2", "f8", (3,)),
            ("knee", "f8", (2,)),
            ("vec", "f8", (3,)),
            ("vec2", "f8", (3,)),
            ("net", "f8", (3,)),
        ],
    )
)

PARAMS_SIZE: Final = PARAMS.itemsize // 8
MEMORY_SIZE: Final = MEMORY.itemsize // 8
#: First place of what holds for a tick only.
SCRATCH: Final = int(MEMORY.fields["pose"][1]) // 8  # type: ignore[index]
