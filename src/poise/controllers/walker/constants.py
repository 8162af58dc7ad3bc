"""Thresholds and numerical limits of the walker's law, each with its reason. Gains are fields of the spec."""

from __future__ import annotations

from typing import Final

# Commands.
#: A target velocity below this is standing: too little for a step to show.
STILL_MPS: Final = 0.02
#: Remaining rotation below which a turn counts as complete.
TURNED_RAD: Final = 0.02
#: A commanded heading this far away makes a standing walker step; a smaller turn waits for the next walk.
STEP_TO_TURN_RAD: Final = 0.3
#: Steps do not get shorter above this Froude number; a walk ends far below it.
MAX_STEP_FROUDE: Final = 1.2
#: Least divisor of a rate, for when no speed is commanded.
MIN_SPEED_MPS: Final = 1e-3

# Pendulum.
#: Shortest pendulum, in leg lengths: a body that low has fallen, and its rate would go to infinity.
MIN_PENDULUM: Final = 0.2
#: The same for the pendulum of the source.
MIN_PENDULUM_M: Final = 0.1

# Contact.
#: A foot is loaded when it carries this fraction of the weight; less may be a graze.
LOADED_SHARE: Final = 0.05
#: Load at which a stance leg gets its full torque, in body weights. Below it the leg would push off the ground.
FULL_LEG_LOAD: Final = 0.1
#: Total load below which its distribution over the feet is meaningless.
MIN_LOAD_N: Final = 1e-3
#: A foot that pitches faster than this is not planted [Coros10 §5.3.3].
PLANTED_RADPS: Final = 1.5
#: A strike in the first half of a step is the foot that has just left.
STRIKE_PHASE: Final = 0.5

# Correction from step to step.
#: Weight of the newest step in the mean placement error and in the gradient: two steps make most of the mean.
NEWEST_STEP: Final = 0.5
#: Feet closer together than this do not show a gradient.
MIN_SLOPE_DISTANCE_M: Final = 0.1
#: A stride shorter than this has no mean velocity.
MIN_STRIDE_S: Final = 0.05
#: A velocity error above this (at rest, and what each m/s of speed adds ahead and aside) comes from a push.
PUSHED_MPS: Final = 0.4
PUSHED_AHEAD, PUSHED_ASIDE = 0.5, 0.2
#: Limits of the correction ahead (at rest, and what each m/s of speed adds) and aside.
MAX_BIAS_MPS, MAX_BIAS_PER_SPEED, MAX_SIDE_BIAS_MPS = 0.4, 0.6, 0.3
#: An error of the step width above this, in leg lengths, comes from a push.
PUSHED_WIDTH: Final = 0.5
#: Limit of the correction of the step width, in leg lengths.
MAX_WIDTH_BIAS: Final = 0.04
#: Step time from which the gain of that correction no longer falls with the growth of the pendulum: in longer steps
#: the ankle takes part, and the width follows the placement less.
WIDTH_STEP_S: Final = 0.5

# From walking to standing and back.
#: At rest, the capture point lies within this fraction of the sole.
REST_SOLE: Final = 0.7
#: Yaw error of the pelvis, and distance of one foot ahead of the other (in leg lengths), below which standing begins.
REST_YAW_RAD, REST_STRIDE = 0.15, 0.15
#: Idling waits this long after a stop.
IDLE_AFTER_STOP_S: Final = 2.0
#: Standing is lost when the capture point leaves this fraction of the sole, or is this fraction of it outside the feet.
LOST_SOLE, LOST_SIDE = 0.8, 0.6
#: Least offset of a sideways fall, in half the distance of the feet: below it the less loaded foot takes the step.
FALL_TO_SIDE: Final = 0.5
#: A first step waits until the capture point is behind this fraction of the sole, if its slowness is above this.
START_SOLE, SLOW_START = 0.3, 0.9
#: Share of the idle shift that is backward: toes yield.
IDLE_BACKWARD: Final = 0.8
#: Limits of the share of the weight that a leg carries in standing: both feet stay on the ground.
MIN_SHARE, MAX_SHARE = 0.1, 0.9
#: Least lateral distance of the feet over which the weight can be divided, in leg lengths.
MIN_STAND_WIDTH: Final = 0.02

# Foot placement.
#: Reach beyond a steady gait, in leg lengths ahead and aside, above which a fall shortens the step.
SPARE_AHEAD, SPARE_ASIDE = 0.5, 0.4
#: A fall over the stance leg shortens the step from half the sole on, fully after this fraction of a leg length.
FALL_OVER_STANCE: Final = 0.05
#: The step's clock gains at most this many seconds per second: it runs up to three times as fast.
MAX_CLOCK_GAIN: Final = 2.0
#: How fast the lateral clearance shrinks when one foot is more than a sole ahead of the other.
GAP_SLOPE: Final = 4.0
#: A fall of less than this, in squared leg lengths, has no direction.
MIN_SQUARED_FALL: Final = 1e-6

# Legs.
#: Legs are not stretched further than these fractions of their length: a straight knee is singular.
STANCE_STRETCH: Final = 0.997
SWING_STRETCH: Final = 0.993
#: Least length of a bent leg: the difference of its bones, plus this fraction of the thigh.
MIN_REACH: Final = 0.05
#: Least squared height of the hips over the ankles, as a fraction of the squared leg length.
MIN_HIP_HEIGHT: Final = 0.2
#: Largest joint speed that inverse kinematics commands.
MAX_IK_RADPS: Final = 12.0
#: Step of the differences that give the joint speeds.
DELTA_S: Final = 0.001
#: A stance leg in the air reaches this much below the ground, in leg lengths.
SEARCH_DEPTH: Final = 0.03
#: Least height of a hip over the centre of pressure for the knee's feed-forward, in thigh lengths.
MIN_LEVER: Final = 0.2
#: Limit of the knee's feed-forward, in weight times leg length.
MAX_KNEE_TORQUE: Final = 0.3
#: Damping of the ankle's roll, as a fraction of that of its pitch: the foot is narrower than long.
ROLL_DAMPING: Final = 0.5
#: Volume of the hinges' axes below which they count as coplanar.
MIN_HINGE_VOLUME: Final = 0.05
