"""The walker's parameters: name, record field, default, range, meaning, and how each scales with the body.

Defaults are for the reference body, the humanoid; `library/controllers/walker` holds the values found by search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from poise.controllers.walker import layout


@dataclass(frozen=True)
class Field:
    """One scalar of the spec."""

    name: str
    #: Its field in the record `layout.PARAMS`.
    place: str
    default: float
    low: float
    high: float
    help: str
    #: What it is proportional to: `mass`, `length` (of the legs), `hips` (their width) or nothing.
    scale: str = ""


COMMANDS: Final = (
    Field("speed_mps", "speed", 0.0, -3.0, 5.0, "forward velocity, along the heading"),
    Field("side_speed_mps", "side_speed", 0.0, -1.0, 1.0, "velocity to the left of the heading"),
    Field("heading_deg", "heading", 0.0, -3600.0, 3600.0, "direction to face, counter-clockwise from +x"),
    Field("step_time_s", "step_time", 0.0, 0.0, 2.0, "duration of a step; 0 derives it from the speed"),
    Field("step_height_m", "step_height", 0.09, 0.0, 0.6, "height of the swing foot in mid-step", "length"),
    Field("step_width_m", "step_width", 0.14, 0.0, 0.6, "lateral distance of the feet; 0 is a catwalk", "hips"),
    Field("crouch_rad", "crouch", 0.0, 0.0, 1.6, "extra flexion of the stance knee"),
    Field("lean_rad", "lean", 0.0, -0.4, 0.4, "forward lean of the trunk, increasing from pelvis to head"),
    Field("twist_rad", "twist", 0.0, -0.8, 0.8, "rotation of the leg's plane: bow-legged or knock-kneed"),
    Field("style", "style", 0.0, 0.0, layout.MAX_STYLES - 1, "style of walking"),
    Field("idle", "idle", 0.0, 0.0, 1.0, "1 shifts weight and feet while standing"),
    Field("stand", "stand", 1.0, 0.0, 1.0, "0 keeps stepping in place at zero speed"),
    Field("footholds", "footholds", 0.0, 0.0, 2.0, "number of next steps that go to given points"),
    Field("foothold_order", "foothold_order", 0.0, 0.0, 1e9, "a new value here applies the footholds again"),
)
BALANCE: Final = (
    Field("predict_placement", "placement", 1.0, 0.0, 1.0, "0 places the foot by the source's pendulum, "
          "1 by the pendulum predicted to the strike"),
    Field("replan_path", "path", 1.0, 0.0, 1.0, "0 moves the foot on the source's straight line, "
          "1 replans its path at every tick"),
    Field("velocity_feedforward", "lead", 1.0, 0.0, 1.0, "feed-forward of the target speeds of swing leg and arms"),
    Field("support_feedforward", "lift", 1.0, 0.0, 1.0,
          "feed-forward of the torques with which a leg carries the body"),
    Field("height_control", "level", 1.0, 0.0, 1.0, "how far a leg stretches to keep the hips at one height"),
    Field("pressure_offset", "pressure", 0.0, -0.5, 0.9,
          "assumed centre of pressure of the stance foot, in sole lengths "
          "ahead of the ankle"),
    Field("long_step_drop", "sink", 0.7, 0.0, 2.0, "how far long steps lower the hips"),
    Field("foot_twist_limit", "grip", 0.35, 0.0, 10.0, "limit of the torque that twists a loaded foot, in sole length "
          "times load"),
    Field("full_support_load", "firm", 0.5, 0.01, 2.0,
          "load below which the hips hold the pelvis less, in body weights"),
    Field("foot_spin_damping_nmspr", "spin", 0.0, 0.0, 1e3, "damping of a loaded foot that spins on the spot", "mass"),
    Field("foot_gap_m", "gap", 0.015, 0.0, 0.2, "clearance between feet that pass each other", "length"),
    Field("side_speed_profile", "sway", 1.0, 0.0, 1.0, "how much of the pendulum's lateral speed over a step the "
          "virtual force follows"),
    Field("prediction_s", "foresight", 0.05, 0.0, 2.0, "how far ahead the pendulum is predicted at most"),
    Field("toe_off_rad", "toe_off", 0.0, 0.0, 3.0,
          "flexion of the stance ankle at the end of a step, at Froude number 1"),
    Field("heel_strike_rad", "heel", 0.0, 0.0, 1.5,
          "extension of the swing ankle before the strike, at Froude number 1"),
    Field("placement_speed_gain", "drive", 1.6, 0.0, 4.0, "gain of the target velocity in the foot placement: strikes "
          "cost speed"),
    Field("gravity_compensation", "gravity", 1.0, 0.0, 1.0, "gravity compensation"),
    Field("velocity_tuning", "tuning", 1.0, 0.0, 1.0, "velocity tuning by the virtual force"),
    Field("pendulum_gain", "pendulum", 1.0, 0.0, 2.0, "gain of the pendulum when the body falls forward"),
    Field("pendulum_gain_back", "pendulum_back", 1.0, 0.0, 2.0, "gain of the pendulum when the body falls backward"),
    Field("pendulum_gain_reverse", "retreat", 0.0, 0.0, 1.0, "what walking backward adds to pendulum_gain_back"),
    Field("pendulum_gain_side", "pendulum_side", 1.0, 0.0, 2.0, "gain of the pendulum in the lateral direction"),
    Field("rest_step_time", "pace", 1.75, 0.5, 4.0, "duration of a step at zero speed, in √(leg/g)"),
    Field("step_time_slope", "pace_slope", 0.55, 0.0, 2.0,
          "how much shorter a step is at Froude number 1, in √(leg/g)"),
    Field("knee_settle_phase", "settle", 0.6, 0.05, 1.0,
          "part of the step over which a stance knee reaches its target"),
    Field("integral_gain", "integrate", 0.3, 0.0, 1.0, "part of the mean error of a stride that corrects the next one"),
    Field("pass_legs", "pass_legs", 0.0, 0.0, 1.0, "1 lets the legs pass through each other"),
    Field("step_shortening_gain", "hasten", 2.0, 0.0, 10.0,
          "how strongly a step that would come too late is shortened"),
    Field("alpha_s", "alpha", 0.05, 0.0, 1.0, "speed offset of the source's pendulum"),
    Field("printed_pendulum", "printed", 0.0, 0.0, 1.0, "1 uses the source's pendulum as printed, d = v·√(h/g)"),
    Field("speed_gain_nspm", "speed_gain", 300.0, 0.0, 1e4, "sagittal gain of the virtual force", "mass"),
    Field("speed_force_n", "speed_force", 80.0, 0.0, 1e4, "sagittal limit of the virtual force", "mass"),
    Field("side_kp_npm", "side_kp", 300.0, 0.0, 1e4, "lateral stiffness of the virtual force", "mass"),
    Field("side_kd_nspm", "side_kd", 100.0, 0.0, 1e4, "lateral damping of the virtual force", "mass"),
    Field("side_force_n", "side_force", 60.0, 0.0, 1e4, "lateral limit of the virtual force", "mass"),
    Field("stand_kp_npm", "stand_kp", 2500.0, 0.0, 1e4, "stiffness of the virtual force while standing", "mass"),
    Field("stand_kd_nspm", "stand_kd", 700.0, 0.0, 1e4, "damping of the virtual force while standing", "mass"),
    Field("max_yaw_ahead_rad", "ahead", 0.15, 0.0, 3.2,
          "how far trunk and swing leg may be turned ahead of the pelvis"),
    Field("far_gap_ratio", "cross", 0.0, -3.0, 1.0, "part of the lateral foot clearance that is kept by a foot well "
          "ahead of the other"),
    Field("max_froude", "fastest", 0.565, 0.1, 100.0, "limit of the speed, as a Froude number"),
    Field("turn_acceleration_mps2", "swerve", 1.0, 0.1, 100.0, "limit of the lateral acceleration in a turn"),
    Field("turn_rate_radps", "turn_rate", 2.0, 0.1, 10.0, "limit of the turning rate"),
    Field("acceleration_mps2", "acceleration", 1.5, 0.1, 20.0, "limit of the change of the target velocity"),
    Field("reach", "reach", 0.6, 0.1, 1.0, "longest step from under the COM, in leg lengths"),
    Field("hip_share", "hip_share", 1.0, 0.0, 1.0, "part of the virtual force's torque that the hips take"),
    Field("stiffness", "stiffness", 1.0, 0.1, 5.0, "factor of all PD gains"),
    Field("touchdown_depth_m", "touchdown_depth", 0.02, 0.0, 0.1,
          "depth below the ground at which a step aims", "length"),
    Field("strike_load", "strike", 0.05, 0.0, 1.0, "load on the swing foot that counts as a strike, in body weights"),
    Field("strike_filter_s", "strike_time", 0.0, 0.0, 0.2, "time over which that load is averaged"),
    Field("impact_gain", "knock", 0.0, 0.0, 10.0, "how far long steps allow for the impact of a descending body"),
    Field("speed_profile", "surge", 0.0, 0.0, 1.0, "how much of the pendulum's forward speed over a step the virtual "
          "force follows"),
    Field("arm_swing_gain", "arms", 0.0, 0.0, 10.0, "how much further the style's arms swing at Froude number 1"),
)  # fmt: skip
FIELDS: Final[Mapping[str, Field]] = {f.name: f for f in (*COMMANDS, *BALANCE)}

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
    "spin_nmspr": "foot_spin_damping_nmspr",
    "gap_m": "foot_gap_m",
    "sway": "side_speed_profile",
    "foresight_s": "prediction_s",
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
