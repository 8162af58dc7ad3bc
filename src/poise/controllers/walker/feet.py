"""Ankles and toes: the sole flat under load, level before the strike, and as much virtual force as the sole allows."""

from __future__ import annotations

import math

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.walker import layout
from poise.controllers.walker.constants import PLANTED_RADPS, ROLL_DAMPING
from poise.controllers.walker.frames import clamp
from poise.controllers.walker.senses import on_tiptoe, step_phase
from poise.kernels.jacobian import com_force
from poise.kernels.jit import inlined
from poise.kernels.servo import add_servo

_FEET = (ROLES.index("left_foot"), ROLES.index("right_foot"))
_ANKLES = (KNOWN_AXES.index("left_ankle_pitch"), KNOWN_AXES.index("right_ankle_pitch"))
_ANKLE_ROLLS = (KNOWN_AXES.index("left_ankle_roll"), KNOWN_AXES.index("right_ankle_roll"))
_TOE_AXES = (KNOWN_AXES.index("left_toe_pitch"), KNOWN_AXES.index("right_toe_pitch"))
_ANKLE, _TOE = (layout.JOINTS.index(j) for j in ("ankle", "toe"))
_STANCE_ANKLE, _SWING_ANKLE = (layout.CHANNEL[k] for k in ("stance_ankle", "swing_ankle"))


@inlined
def plant_ankle(percept, p, m, side, share, torque, damping):
    """Add the torques of a supporting leg's ankle: the sole flat, and its share of the virtual force.

    The torque is limited to keep the centre of pressure inside the sole; a foot that pitches is not planted and takes
    no virtual force [Coros10 §5.3.3].
    """
    pitch, foot = percept.axes[_ANKLES[side]], percept.roles[_FEET[side]]
    c, s = percept.heading_w[0], percept.heading_w[1]
    spin = percept.spatial_vel[foot]
    load, tiptoe = m.load[side], on_tiptoe(p, m)
    goal = _ground_pitch(m, c, s) - m.pose[_STANCE_ANKLE] - p.toe_off * _late_speed(percept, p, m, p.toe_off_phase)
    stiffness = p.stiffness * (1.0 + p.tiptoe_stiffening * tiptoe)
    flat = stiffness * p.gain[_ANKLE, 0] * (goal - _toe_up(percept.rot_w[foot])) * p.sign[side, _ANKLE, 0] * -1.0
    force = _virtual_force_torque(percept, m, pitch, share)
    if abs(c * spin[1] - s * spin[0]) > PLANTED_RADPS:
        force = 0.0
    # A torque on the foot that presses the toes down is limited by the sole ahead of the ankle, toe-up by the heel.
    down = -p.sign[side, _ANKLE, 0]
    least, most = p.sole_use * load * p.sole[side, 0], p.sole_use * load * p.sole[side, 1]
    total = down * (-(flat + force))
    # On tiptoe the ball of the foot carries: a spring alone would not lift the heel.
    total += load * p.ball_position * tiptoe * p.sole[side, 1]
    torque[pitch] += -down * clamp(total, least, most)
    damping[pitch] += stiffness * p.gain[_ANKLE, 1]
    roll = percept.axes[_ANKLE_ROLLS[side]]
    if roll >= 0:
        flat = -p.stiffness * p.gain[_ANKLE, 0] * _tilt(percept.rot_w[foot]) * p.sign[side, _ANKLE, 1]
        most = p.sole_use * load * min(p.sole[side, 3], -p.sole[side, 2])
        torque[roll] += clamp(flat + _virtual_force_torque(percept, m, roll, share), -most, most)
        damping[roll] += ROLL_DAMPING * p.stiffness * p.gain[_ANKLE, 1]


@inlined
def swing_ankle(percept, p, m, side, torque, damping):
    """Add the torques of the swing ankle: the sole level with the ground ahead, plus the style's angle."""
    pitch, roll = percept.axes[_ANKLES[side]], percept.axes[_ANKLE_ROLLS[side]]
    rot = percept.rot_w[percept.roles[_FEET[side]]]
    slope = _ground_pitch(m, percept.heading_w[0], percept.heading_w[1])
    k = p.stiffness
    goal = slope - m.pose[_SWING_ANKLE] + p.heel_strike * _late_speed(percept, p, m, p.heel_strike_phase)
    # Toe-up is a rotation about −y.
    torque[pitch] -= k * p.gain[_ANKLE, 0] * (goal - _toe_up(rot)) * p.sign[side, _ANKLE, 0]
    damping[pitch] += k * p.gain[_ANKLE, 1]
    if roll >= 0:
        torque[roll] -= k * p.gain[_ANKLE, 0] * _tilt(rot) * p.sign[side, _ANKLE, 1]
        damping[roll] += ROLL_DAMPING * k * p.gain[_ANKLE, 1]


@inlined
def hold_toes(percept, p, side, torque, damping):
    """Add the torque of the toes: PD control to the rest pose."""
    toe = percept.axes[_TOE_AXES[side]]
    if toe >= 0:
        add_servo(percept, toe, 0.0, p.stiffness * p.gain[_TOE, 0], p.stiffness * p.gain[_TOE, 1], torque, damping)


@inlined
def _toe_up(rot):
    """Toe-up angle of a sole from the horizontal."""
    return math.atan2(rot[6], math.hypot(rot[0], rot[3]))


@inlined
def _tilt(rot):
    """Angle by which the left side of a sole is up."""
    return math.atan2(rot[7], rot[8])


@inlined
def _ground_pitch(m, c, s):
    """Angle of the ground ahead, positive uphill."""
    return math.atan(c * m.slope[0] + s * m.slope[1])


@inlined
def _virtual_force_torque(percept, m, axis, share):
    """Torque of an ankle's hinge for its share of the horizontal virtual force."""
    return -share * com_force(percept, axis, m.virtual_force[0], m.virtual_force[1], 0.0)


@inlined
def _late_speed(percept, p, m, after):
    """Forward Froude number of the target velocity, from 0 to 1, fading in over the part of the step after a phase."""
    if int(m.mode) != layout.WALK:
        return 0.0
    ahead = percept.heading_w[0] * m.target_vel[0] + percept.heading_w[1] * m.target_vel[1]
    speed = ahead / math.sqrt(percept.gravity_mps2 * p.leg)
    return clamp(speed, 0.0, 1.0) * clamp((step_phase(m) - after) / (1.0 - after), 0.0, 1.0)
