"""The law's parameters and memory as records over the flat arrays `params` and `memory`.

Units are SI and radians. Sides are 0 (left) and 1 (right); planes are sagittal, coronal and transverse (pitch, roll,
yaw). Gains, forces and lengths are those of the actual character: the builder scales them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

#: Curves of a style over a step, with five control points each [Coros10 §5.3.1]. Those of the midline are given for a
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
#: Footholds that can be given at once [Coros10 §5.3.2].
MAX_FOOTHOLDS: Final = 2

#: Joints that are tracked by PD control.
JOINTS: Final = ("back", "chest", "neck", "shoulder", "elbow", "hip", "knee", "ankle", "toe")

#: Joints of the trunk, and the order in which they are tracked.
SPINE: Final = ("back", "chest", "neck")

STAND: Final = 0
WALK: Final = 1


def _scalars(names: str) -> list[tuple[str, str]]:
    return [(name, "f8") for name in names.split()]


#: Scalars are the fields of `library/walker.toml`, without their units.
PARAMS: Final = np.dtype(
    (
        np.record,
        [
            # Commands.
            *_scalars("speed side_speed heading step_time step_height step_width crouch lean twist style idle stand"),
            *_scalars("footholds foothold_order"),
            ("foothold", "f8", (MAX_FOOTHOLDS, 2)),
            # Balance.
            *_scalars("predict_placement replan_path velocity_feedforward support_feedforward height_control"),
            *_scalars("pressure_offset long_step_drop foot_twist_limit full_support_load foot_spin_damping foot_gap"),
            *_scalars(
                "side_speed_profile prediction_horizon toe_off heel_strike placement_speed_gain gravity_compensation"
            ),
            *_scalars("velocity_tuning pendulum_gain pendulum_gain_back pendulum_gain_reverse pendulum_gain_side"),
            *_scalars("rest_step_time step_time_slope knee_settle_phase integral_gain pass_legs step_shortening_gain"),
            *_scalars("alpha printed_pendulum speed_gain speed_force side_kp side_kd side_force stand_kp stand_kd"),
            *_scalars("max_yaw_ahead far_gap_ratio max_froude turn_acceleration turn_rate acceleration reach"),
            *_scalars("hip_share stiffness touchdown_depth strike_load strike_filter impact_gain speed_profile"),
            *_scalars("arm_swing_gain"),
            # Details.
            *_scalars("late_step_ratio late_step_depth start_margin start_lean_speed max_unloaded idle_min idle_max"),
            *_scalars("idle_shift_ahead idle_shift_side idle_shift_speed idle_step_chance idle_step_shift_speed"),
            *_scalars("homing_time homing_speed style_fade load_filter flat_phase max_slope max_time_bias"),
            *_scalars("max_biased_time full_reverse_speed long_step_time long_step_shortening fall_horizon"),
            *_scalars("catch_threshold catch_range catch_depth_gain max_stride min_foothold_time max_foothold_time"),
            *_scalars("foothold_time_filter foothold_clock_range min_replan_time max_look sole_use stand_side_use"),
            *_scalars("tiptoe_pitch tiptoe_stiffening ball_position strut_compensation assumed_friction"),
            *_scalars("swing_hip_yield foot_alignment toe_off_phase heel_strike_phase support_ramp"),
            # Shares of the lean, and of the remaining turn, by joint of the trunk.
            ("lean_share", "f8", (len(SPINE),)),
            ("look_share", "f8", (len(SPINE),)),
            # PD gains: kp and kd by joint; the pelvis' tilt and yaw; the swing leg's own.
            ("gain", "f8", (len(JOINTS), 2)),
            ("pelvis_gain", "f8", (2, 2)),
            ("swing_hip_gain", "f8", (2,)),
            ("swing_knee_gain", "f8", (2,)),
            # The body.
            ("thigh", "f8", (2,)),
            ("shank", "f8", (2,)),
            ("sole", "f8", (2, 4)),  # heel, toe, inner and outer edge from the ankle
            ("sole_depth", "f8", (2,)),  # of the sole below the ankle
            ("leg", "f8"),  # mean length from hip to ankle
            ("mean_sole", "f8", (4,)),
            ("hip_width", "f8"),
            ("sign", "f8", (2, len(JOINTS), 3)),  # of the hinges' axes
            ("styles", "f8", (MAX_STYLES, len(CHANNELS), KEYS)),
            ("tempo", "f8", (MAX_STYLES,)),
        ],
    )
)

MEMORY: Final = np.dtype(
    (
        np.record,
        [
            # The step.
            ("mode", "f8"),  # STAND or WALK
            ("stance", "f8"),  # side of the stance leg
            ("elapsed", "f8"),  # since the strike, or since standing began
            ("time_left", "f8"),  # until the next strike
            ("steps", "f8"),
            ("lift_off", "f8", (3,)),  # swing ankle at lift-off, world
            ("foot_target", "f8", (2,)),  # where the swing ankle should land, world
            ("planned_foot", "f8", (2,)),  # where the swing ankle should be now, world
            ("planned_foot_vel", "f8", (2,)),
            ("strike_ankle", "f8", (2,)),  # stance ankle at the strike, world
            ("strike_knee", "f8"),  # flexion of the stance knee at the strike
            ("strike_side", "f8"),  # lateral distance of the COM from the stance ankle at the strike
            ("swing_load", "f8"),  # load on the swing foot, filtered
            # Commands.
            ("heading", "f8"),  # current target of the pelvis
            ("goal_heading", "f8"),  # commanded
            ("target_vel", "f8", (2,)),  # current target velocity, world
            ("foothold", "f8", (MAX_FOOTHOLDS, 2)),  # of the next steps, world
            ("footholds_left", "f8"),
            ("foothold_order", "f8"),
            ("style", "f8"),
            ("old_style", "f8"),
            ("style_fade", "f8"),  # 0 for the old style, 1 for the current one
            # Once per step or stride.
            ("stride_start", "f8", (3,)),  # COM (x, y) at the start of the stride, and its time; before any, −1
            ("target_travel", "f8", (2,)),  # integral of `target_vel` over the stride
            ("vel_bias", "f8", (2,)),  # correction of the target velocity, heading frame
            ("width_bias", "f8"),  # correction of the step width
            ("time_bias", "f8"),  # correction of a commanded step time
            ("placement_error", "f8", (2,)),  # mean of the feet, ahead and outward
            ("placement_clamped", "f8"),  # 1 if the stance leg limited the last placement
            # The ground.
            ("slope", "f8", (2,)),  # gradient, world
            ("ground", "f8"),  # height below the stance foot at the strike
            ("flat_ground", "f8"),  # the same once the foot lies flat
            ("previous_ankle", "f8", (3,)),  # the previous step's stance ankle (x, y), and the ground below it
            # Standing.
            ("stand_shift", "f8", (2,)),  # target of the COM relative to the middle of the feet, heading frame
            ("idle_shift", "f8", (2,)),  # value that it approaches in idling
            ("idle_until", "f8"),
            ("idle_foot", "f8"),  # foot that idling steps with: −1 left, 1 right, 0 none
            ("start_side", "f8"),  # foot that takes the weight before the first step: 1 left, 2 right, 0 none
            ("unloaded_time", "f8"),  # for which a foot has been unloaded
            ("rest_position", "f8", (2,)),  # where it stopped, to which idling returns
            ("has_rest_position", "f8"),
            ("support", "f8"),  # how far the feet hold the body, 0 in the air, filtered
            # Of this tick only: cleared at its end, as it is not part of the state.
            ("pose", "f8", (len(CHANNELS),)),
            ("pose_vel", "f8", (len(CHANNELS),)),
            ("limb_yaw", "f8"),  # yaw at which trunk and swing leg are held
            ("com", "f8", (3,)),
            ("com_vel", "f8", (3,)),
            ("ankle", "f8", (2, 3)),
            ("load", "f8", (2,)),
            ("shear", "f8", (2,)),  # horizontal force of the ground
            ("catch", "f8"),  # how much of a fall the step has to catch, 0 to 1
            ("virtual_force", "f8", (3,)),
            ("knee_target", "f8", (2,)),
            ("rot", "f8", (9,)),
            ("rot2", "f8", (9,)),
            ("angles", "f8", (3,)),
            ("angles2", "f8", (3,)),
            ("vec", "f8", (3,)),
            ("vec2", "f8", (3,)),
            ("net", "f8", (3,)),
        ],
    )
)

PARAMS_SIZE: Final = PARAMS.itemsize // 8
MEMORY_SIZE: Final = MEMORY.itemsize // 8
#: First element that is valid for one tick only.
SCRATCH: Final = int(MEMORY.fields["pose"][1]) // 8  # type: ignore[index]
