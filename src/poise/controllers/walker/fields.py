"""The walker's parameters: name, default, range, meaning, and how each scales with the body.

Defaults are for the reference body, the humanoid; `library/controllers/walker` holds the values found by search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from poise.controllers.walker import layout
from poise.world.controller import strip_unit


@dataclass(frozen=True)
class Field:
    """One scalar of the spec."""

    name: str
    default: float
    low: float
    high: float
    help: str
    #: What it is proportional to: `mass`, `length` (of the legs), `hips` (their width) or nothing.
    scale: str = ""

    @property
    def place(self) -> str:
        """Its field in the record `layout.PARAMS`."""
        return strip_unit(self.name)


COMMANDS: Final = (
    Field("speed_mps", 0.0, -3.0, 5.0, "forward velocity, along the heading"),
    Field("side_speed_mps", 0.0, -1.0, 1.0, "velocity to the left of the heading"),
    Field("heading_deg", 0.0, -3600.0, 3600.0, "direction to face, counter-clockwise from +x"),
    Field("step_time_s", 0.0, 0.0, 2.0, "duration of a step; 0 derives it from the speed"),
    Field("step_height_m", 0.09, 0.0, 0.6, "height of the swing foot in mid-step", "length"),
    Field("step_width_m", 0.14, 0.0, 0.6, "lateral distance of the feet; 0 is a catwalk", "hips"),
    Field("crouch_rad", 0.0, 0.0, 1.6, "extra flexion of the stance knee"),
    Field("lean_rad", 0.0, -0.4, 0.4, "forward lean of the trunk, increasing from pelvis to head"),
    Field("twist_rad", 0.0, -0.8, 0.8, "rotation of the leg's plane: bow-legged or knock-kneed"),
    Field("style", 0.0, 0.0, layout.MAX_STYLES - 1, "style of walking"),
    Field("idle", 0.0, 0.0, 1.0, "1 shifts weight and feet while standing"),
    Field("stand", 1.0, 0.0, 1.0, "0 keeps stepping in place at zero speed"),
    Field("footholds", 0.0, 0.0, 2.0, "number of next steps that go to given points"),
    Field("foothold_order", 0.0, 0.0, 1e9, "a new value here applies the footholds again"),
)
BALANCE: Final = (
    Field("predict_placement", 1.0, 0.0, 1.0, "0 places the foot by the source's pendulum, "
          "1 by the pendulum predicted to the strike"),
    Field("replan_path", 1.0, 0.0, 1.0, "0 moves the foot on the source's straight line, "
          "1 replans its path at every tick"),
    Field("velocity_feedforward", 1.0, 0.0, 1.0, "feed-forward of the target speeds of swing leg and arms"),
    Field("support_feedforward", 1.0, 0.0, 1.0,
          "feed-forward of the torques with which a leg carries the body"),
    Field("height_control", 1.0, 0.0, 1.0, "how far a leg stretches to keep the hips at one height"),
    Field("pressure_offset", 0.0, -0.5, 0.9,
          "assumed centre of pressure of the stance foot, in sole lengths "
          "ahead of the ankle"),
    Field("long_step_drop", 0.7, 0.0, 2.0, "how far long steps lower the hips"),
    Field("foot_twist_limit", 0.35, 0.0, 10.0, "limit of the torque that twists a loaded foot, in sole length "
          "times load"),
    Field("full_support_load", 0.5, 0.01, 2.0,
          "load below which the hips hold the pelvis less, in body weights"),
    Field("foot_spin_damping_nms_per_rad", 0.0, 0.0, 1e3, "damping of a loaded foot that spins on the spot", "mass"),
    Field("foot_gap_m", 0.015, 0.0, 0.2, "clearance between feet that pass each other", "length"),
    Field("side_speed_profile", 1.0, 0.0, 1.0, "how much of the pendulum's lateral speed over a step the "
          "virtual force follows"),
    Field("prediction_horizon_s", 0.05, 0.0, 2.0, "how far ahead the pendulum is predicted at most"),
    Field("toe_off_rad", 0.0, 0.0, 3.0,
          "flexion of the stance ankle at the end of a step, at Froude number 1"),
    Field("heel_strike_rad", 0.0, 0.0, 1.5,
          "extension of the swing ankle before the strike, at Froude number 1"),
    Field("placement_speed_gain", 1.6, 0.0, 4.0, "gain of the target velocity in the foot placement: strikes "
          "cost speed"),
    Field("gravity_compensation", 1.0, 0.0, 1.0, "gravity compensation"),
    Field("velocity_tuning", 1.0, 0.0, 1.0, "velocity tuning by the virtual force"),
    Field("pendulum_gain", 1.0, 0.0, 2.0, "gain of the pendulum when the body falls forward"),
    Field("pendulum_gain_back", 1.0, 0.0, 2.0, "gain of the pendulum when the body falls backward"),
    Field("pendulum_gain_reverse", 0.0, 0.0, 1.0, "what walking backward adds to pendulum_gain_back"),
    Field("pendulum_gain_side", 1.0, 0.0, 2.0, "gain of the pendulum in the lateral direction"),
    Field("rest_step_time", 1.75, 0.5, 4.0, "duration of a step at zero speed, in √(leg/g)"),
    Field("step_time_slope", 0.55, 0.0, 2.0,
          "how much shorter a step is at Froude number 1, in √(leg/g)"),
    Field("knee_settle_phase", 0.6, 0.05, 1.0,
          "part of the step over which a stance knee reaches its target"),
    Field("integral_gain", 0.3, 0.0, 1.0, "part of the mean error of a stride that corrects the next one"),
    Field("pass_legs", 0.0, 0.0, 1.0, "1 lets the legs pass through each other"),
    Field("step_shortening_gain", 2.0, 0.0, 10.0,
          "how strongly a step that would come too late is shortened"),
    Field("alpha_s", 0.05, 0.0, 1.0, "speed offset of the source's pendulum"),
    Field("printed_pendulum", 0.0, 0.0, 1.0, "1 uses the source's pendulum as printed, d = v·√(h/g)"),
    Field("speed_gain_nspm", 300.0, 0.0, 1e4, "sagittal gain of the virtual force", "mass"),
    Field("speed_force_n", 80.0, 0.0, 1e4, "sagittal limit of the virtual force", "mass"),
    Field("side_kp_npm", 300.0, 0.0, 1e4, "lateral stiffness of the virtual force", "mass"),
    Field("side_kd_nspm", 100.0, 0.0, 1e4, "lateral damping of the virtual force", "mass"),
    Field("side_force_n", 60.0, 0.0, 1e4, "lateral limit of the virtual force", "mass"),
    Field("stand_kp_npm", 2500.0, 0.0, 1e4, "stiffness of the virtual force while standing", "mass"),
    Field("stand_kd_nspm", 700.0, 0.0, 1e4, "damping of the virtual force while standing", "mass"),
    Field("max_yaw_ahead_rad", 0.15, 0.0, 3.2,
          "how far trunk and swing leg may be turned ahead of the pelvis"),
    Field("far_gap_ratio", 0.0, -3.0, 1.0, "part of the lateral foot clearance that is kept by a foot well "
          "ahead of the other"),
    Field("max_froude", 0.565, 0.1, 100.0, "limit of the speed, as a Froude number"),
    Field("turn_acceleration_mps2", 1.0, 0.1, 100.0, "limit of the lateral acceleration in a turn"),
    Field("turn_rate_radps", 2.0, 0.1, 10.0, "limit of the turning rate"),
    Field("acceleration_mps2", 1.5, 0.1, 20.0, "limit of the change of the target velocity"),
    Field("reach", 0.6, 0.1, 1.0, "longest step from under the COM, in leg lengths"),
    Field("hip_share", 1.0, 0.0, 1.0, "part of the virtual force's torque that the hips take"),
    Field("stiffness", 1.0, 0.1, 5.0, "factor of all PD gains"),
    Field("touchdown_depth_m", 0.02, 0.0, 0.1,
          "depth below the ground at which a step aims", "length"),
    Field("strike_load", 0.05, 0.0, 1.0, "load on the swing foot that counts as a strike, in body weights"),
    Field("strike_filter_s", 0.0, 0.0, 0.2, "time over which that load is averaged"),
    Field("impact_gain", 0.0, 0.0, 10.0, "how far long steps allow for the impact of a descending body"),
    Field("speed_profile", 0.0, 0.0, 1.0, "how much of the pendulum's forward speed over a step the virtual "
          "force follows"),
    Field("arm_swing_gain", 0.0, 0.0, 10.0, "how much further the style's arms swing at Froude number 1"),
)  # fmt: skip
#: Gains found by trial that a file may set but that are not offered as live parameters.
DETAILS: Final = (
    Field("late_step_ratio", 1.3, 1.0, 3.0, "duration of a step that finds no ground, relative to the planned one"),
    Field("late_step_depth_m", 0.15, 0.0, 0.6, "depth below the ground at which a late step aims in the end"),
    Field("start_margin", 1.3, 0.0, 5.0, "distance of the capture point from the stance foot at which walking begins, "
          "relative to that of a steady walk"),
    Field("start_lean_speed_mps", 0.3, 0.01, 3.0, "a start slower than this leans less far ahead"),
    Field("max_unloaded_s", 0.3, 0.0, 5.0, "how long a standing foot may carry nothing"),
    Field("idle_min_s", 2.0, 0.1, 100.0, "shortest time between two shifts of weight"),
    Field("idle_max_s", 5.0, 0.1, 100.0, "longest time between two shifts of weight"),
    Field("idle_shift_ahead", 0.25, 0.0, 1.0, "longest shift backward and forward, in soles ahead of the ankle"),
    Field("idle_shift_side", 0.45, 0.0, 1.0, "longest shift to a side, in half distances of the feet"),
    Field("idle_shift_speed_mps", 0.1, 0.0, 1.0, "speed of the shift: a sudden one would unload a foot"),
    Field("idle_step_chance", 0.3, 0.0, 1.0, "part of the shifts that end in a small step"),
    Field("idle_step_shift_speed_mps", 0.05, 0.0, 1.0,
          "speed of the shift before such a step: a heavy body would overshoot"),
    Field("homing_time_s", 0.7, 0.1, 10.0, "time in which idling would return to where the walker came to rest"),
    Field("homing_speed_mps", 0.3, 0.0, 3.0, "limit of the speed of that return"),
    Field("style_fade_s", 0.6, 0.001, 10.0, "duration of the transition between two styles"),
    Field("load_filter_s", 0.03, 0.001, 1.0, "time over which the load is averaged: it chatters after a strike"),
    Field("flat_phase", 0.3, 0.0, 1.0, "phase of a step at which the stance foot lies flat"),
    Field("max_slope", 0.3, 0.0, 1.0, "limit of the estimated gradient of the ground"),
    Field("max_time_bias_s", 0.03, 0.0, 0.5, "limit of the correction of a commanded step time"),
    Field("max_biased_time_s", 0.9, 0.0, 2.0,
          "longest step time that is corrected upward: every hundredth counts there"),
    Field("full_reverse_speed_mps", 0.2, 0.01, 3.0, "backward speed at which pendulum_gain_reverse applies in full"),
    Field("long_step_time", 1.5, 0.0, 10.0, "duration of a long step, in 1/ω of the pendulum"),
    Field("long_step_shortening", 2.5, 0.0, 10.0, "how much more a long step is shortened, per 1/ω"),
    Field("fall_horizon_s", 0.4, 0.0, 2.0, "how far ahead a fall is predicted: the ankle can act on a later one"),
    Field("catch_threshold", 0.7, 0.0, 2.0, "part of the fall that shortens a step at which it begins to be caught"),
    Field("catch_range", 0.3, 0.01, 2.0, "by how much more it is caught in full"),
    Field("catch_depth_gain", 2.0, 0.0, 10.0, "how much deeper a step aims that catches a fall"),
    Field("max_stride", 0.95, 0.1, 2.0, "longest distance from foot to foot, in leg lengths"),
    Field("min_foothold_time", 0.7, 0.1, 1.0, "shortest step to a given point, in natural step times"),
    Field("max_foothold_time", 1.4, 1.0, 3.0, "longest step to a given point, in natural step times"),
    Field("foothold_time_filter_s", 0.05, 0.001, 1.0, "time in which such a step reaches its duration"),
    Field("foothold_clock_range", 0.7, 0.0, 0.95, "how much faster or slower its clock runs meanwhile"),
    Field("min_replan_time_s", 0.06, 0.01, 1.0, "least time in which the planned foot moves to a new target"),
    Field("max_look_rad", 0.5, 0.0, 1.5, "limit of the rotation of head and trunk into a turn"),
    Field("sole_use", 0.85, 0.1, 1.0, "part of the sole in which the ankle keeps the centre of pressure"),
    Field("stand_side_use", 0.6, 0.1, 1.0,
          "part of the distance to a foot in which standing keeps the centre of pressure"),
    Field("tiptoe_pitch_rad", 0.3, 0.01, 1.5,
          "flexion of the stance ankle at which a style walks on the ball of the foot"),
    Field("tiptoe_stiffening", 3.0, 0.0, 10.0, "how much stiffer the ankle is then"),
    Field("ball_position", 0.7, 0.0, 1.0,
          "distance of the ball of the foot from the ankle, relative to that of the toes"),
    Field("strut_compensation", 1.1, 0.0, 2.0, "part of the push between spread feet that is removed: just over 1, for "
          "feet creep"),
    Field("assumed_friction", 0.8, 0.1, 10.0, "friction that the law assumes of the ground"),
    Field("swing_hip_yield", 0.5, 0.0, 1.0,
          "part of the twist that the foot cannot hold to which the swing hip yields"),
    Field("foot_alignment", 0.2, 0.0, 1.0, "stiffness that keeps standing feet from turning, relative to the hip's"),
    Field("toe_off_phase", 0.5, 0.0, 0.95, "phase of a step at which toe-off begins"),
    Field("heel_strike_phase", 0.4, 0.0, 0.95, "phase of a step at which the swing foot begins to lift its toes"),
    Field("support_ramp_s", 0.03, 0.001, 1.0, "time after the strike in which a leg takes the weight"),
)  # fmt: skip
PARAMETERS: Final[Mapping[str, Field]] = {f.name: f for f in (*COMMANDS, *BALANCE)}
FIELDS: Final[Mapping[str, Field]] = {**PARAMETERS, **{f.name: f for f in DETAILS}}

#: Shares of lower back, upper back and head in the lean [Coros10 §5.3.1] and in looking into a turn [Coros10 §5.3.5].
LEAN_SHARES: Final = (1.5, 2.0, 2.2)
LOOK_SHARES: Final = (0.25, 0.45, 1.0)

#: kp and kd at the reference mass.
GAINS: Final[Mapping[str, tuple[float, float]]] = {
    "back": (300.0, 30.0),
    "chest": (200.0, 20.0),
    "neck": (20.0, 3.0),
    "shoulder": (30.0, 5.0),
    "elbow": (15.0, 2.0),
    "hip": (300.0, 35.0),
    "knee": (600.0, 35.0),
    "ankle": (75.0, 8.0),
    "toe": (10.0, 0.5),
    "pelvis": (1500.0, 150.0),
    "pelvis_yaw": (300.0, 40.0),
    "swing_hip": (600.0, 60.0),
    "swing_knee": (500.0, 30.0),
}

#: Names in controller files written by earlier versions, which are still read.
EARLIER_NAMES: Final[Mapping[str, str]] = {
    "placement": "predict_placement",
    "path": "replan_path",
    "lead": "velocity_feedforward",
    "lift": "support_feedforward",
    "level": "height_control",
    "pressure": "pressure_offset",
    "sink": "long_step_drop",
    "grip": "foot_twist_limit",
    "firm": "full_support_load",
    "spin_nmspr": "foot_spin_damping_nms_per_rad",
    "gap_m": "foot_gap_m",
    "sway": "side_speed_profile",
    "foresight_s": "prediction_horizon_s",
    "heel_rad": "heel_strike_rad",
    "drive": "placement_speed_gain",
    "gravity": "gravity_compensation",
    "tuning": "velocity_tuning",
    "pendulum": "pendulum_gain",
    "pendulum_back": "pendulum_gain_back",
    "retreat": "pendulum_gain_reverse",
    "pendulum_side": "pendulum_gain_side",
    "pace": "rest_step_time",
    "pace_slope": "step_time_slope",
    "settle": "knee_settle_phase",
    "integrate": "integral_gain",
    "hasten": "step_shortening_gain",
    "printed": "printed_pendulum",
    "ahead_rad": "max_yaw_ahead_rad",
    "cross": "far_gap_ratio",
    "fastest": "max_froude",
    "swerve_mps2": "turn_acceleration_mps2",
    "strike": "strike_load",
    "strike_time_s": "strike_filter_s",
    "knock": "impact_gain",
    "surge": "speed_profile",
    "arms": "arm_swing_gain",
}
