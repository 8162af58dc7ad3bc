"""SIMBICON in the plane as a compiled law [Coros10 §2.4]; the four-state original of Yin et al. (2007) is one case.

The machine describes half a stride in terms of stance and swing; at its end the legs exchange roles. Yin's walk has
two such states (lift, for a time; strike, until contact) with constant poses; Coros' has one with splines over it.
"""

from __future__ import annotations

from typing import Any, Final

from poise.characters.model import KNOWN_AXES, ROLES
from poise.constants import STRIKE_LOAD_N
from poise.kernels.feet import foot_load
from poise.kernels.jit import inlined, law
from poise.kernels.records import make_record, size_of
from poise.kernels.rotation import pitch_rad
from poise.kernels.servo import add_servo
from poise.kernels.splines import catmull_rom
from poise.world.controller import FloatArray

#: params: followed by a block for each state.
PARAMS: Final = make_record("states", "torso_kp", "torso_kd")
HEADER: Final = size_of(PARAMS)
#: A state's block: duration, how it ends, feedback gains, then for each channel a count and its control points.
STATE: Final = make_record("duration", "until", "cd", "cv")
FIRST_CHANNEL: Final = size_of(STATE)
UNTIL_TIME, UNTIL_CONTACT, UNTIL_EITHER = 0, 1, 2
CHANNELS = ("torso", "swing_hip", "stance_knee", "swing_knee", "stance_ankle", "swing_ankle")
TORSO, SWING_HIP, STANCE_KNEE, SWING_KNEE, STANCE_ANKLE, SWING_ANKLE = range(6)
#: [Coros10 §2.4] never needed more than six control points.
MAX_POINTS = 6
CHANNEL_SIZE = 1 + MAX_POINTS
STATE_SIZE = FIRST_CHANNEL + len(CHANNELS) * CHANNEL_SIZE

MEMORY: Final = make_record(
    "state",
    "stance",  # 0 left, 1 right
    "elapsed",  # in the state
    "steps",
)
MEMORY_SIZE: Final = size_of(MEMORY)

_TRUNK = ROLES.index("trunk")
_HIPS = (KNOWN_AXES.index("left_hip_pitch"), KNOWN_AXES.index("right_hip_pitch"))
_KNEES = (KNOWN_AXES.index("left_knee_pitch"), KNOWN_AXES.index("right_knee_pitch"))
_ANKLES = (KNOWN_AXES.index("left_ankle_pitch"), KNOWN_AXES.index("right_ankle_pitch"))


def read_memory(memory: FloatArray) -> Any:
    """The memory, by name."""
    return memory.view(MEMORY)[0]


def read_params(params: FloatArray) -> Any:
    """The header of the parameters, by name."""
    return params[:HEADER].view(PARAMS)[0]


@inlined
def advance_state(percept, params, memory):
    """End the state when its time is up or the swing foot has struck; after the last state the legs exchange roles."""
    m = memory.view(MEMORY)[0]
    stance, block = int(m.stance), HEADER + int(m.state) * STATE_SIZE
    state = params[block : block + FIRST_CHANNEL].view(STATE)[0]
    until, late = int(state.until), m.elapsed >= state.duration
    # A step begins with its swing foot on the ground: in the first half of its first state, contact is not a strike.
    leaving = m.state == 0.0 and m.elapsed < 0.5 * state.duration
    struck = not leaving and foot_load(percept, 1 - stance) > STRIKE_LOAD_N
    if (until != UNTIL_CONTACT and late) or (until != UNTIL_TIME and struck):
        m.elapsed = 0.0
        if m.state + 1.0 < params[:HEADER].view(PARAMS)[0].states:
            m.state += 1.0
        else:
            m.state, m.stance = 0.0, 1.0 - m.stance
            m.steps += 1.0
    m.elapsed += percept.timestep_s


@inlined
def _target(params, block, channel, phase):
    at = block + FIRST_CHANNEL + channel * CHANNEL_SIZE
    return catmull_rom(params[at + 1 : at + CHANNEL_SIZE], int(params[at]), phase)


@inlined
def _servo(percept, torque, damping, axis, target):
    """PD control of one joint with the character's own gains [Coros10 Eq. 2.2]."""
    add_servo(percept, axis, target, percept.gains[axis, 0], percept.gains[axis, 1], torque, damping)


@law
def planar_law(percept, params, memory, torque, damping):
    """One tick of planar SIMBICON.

    Swing hip, in world coordinates: θ_d = θ_d0 + c_d·d + c_v·v [Coros10 Eq. 2.1], d from the stance ankle to the COM.
    Torso: τ_stance = τ_torso − τ_swing, positive in flexion, makes the net torque on the torso its PD torque
    [Coros10 Eq. 2.3 with the signs of reaction torques written out]. Both hip torques are explicit for that reason.
    """
    advance_state(percept, params, memory)
    m, p = memory.view(MEMORY)[0], params[:HEADER].view(PARAMS)[0]
    stance = int(m.stance)
    swing = 1 - stance
    block = HEADER + int(m.state) * STATE_SIZE
    state = params[block : block + FIRST_CHANNEL].view(STATE)[0]
    phase = m.elapsed / state.duration

    trunk = percept.roles[_TRUNK]
    lean, lean_rate = pitch_rad(percept.rot_w[trunk]), percept.spatial_vel[trunk, 1]
    d = percept.com_w[0] - percept.pos_w[percept.feet[stance, 0], 0]
    v = percept.com_vel_w[0]

    hip = percept.axes[_HIPS[swing]]
    nominal = _target(params, block, SWING_HIP, phase)
    target = nominal + state.cd * d + state.cv * v
    # Flexion rotates the thigh forward; a forward lean of the trunk is subtracted, which gives the world angle.
    swing_torque = percept.gains[hip, 0] * (target - (percept.joint_q[hip] - lean))
    swing_torque -= percept.gains[hip, 1] * (percept.joint_v[hip] - lean_rate)
    torso_target = _target(params, block, TORSO, phase)
    torso_torque = p.torso_kp * (torso_target - lean) - p.torso_kd * lean_rate
    torque[hip] = swing_torque
    torque[percept.axes[_HIPS[stance]]] = torso_torque - swing_torque

    _servo(percept, torque, damping, percept.axes[_KNEES[stance]], _target(params, block, STANCE_KNEE, phase))
    _servo(percept, torque, damping, percept.axes[_KNEES[swing]], _target(params, block, SWING_KNEE, phase))
    _servo(percept, torque, damping, percept.axes[_ANKLES[stance]], _target(params, block, STANCE_ANKLE, phase))
    _servo(percept, torque, damping, percept.axes[_ANKLES[swing]], _target(params, block, SWING_ANKLE, phase))
