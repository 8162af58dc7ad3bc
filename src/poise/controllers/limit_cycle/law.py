"""The law of a pose control graph: PD control to the pose of the state it is in, and the state machine [Laszlo96 §2.3].

`layout` defines the contents of params and memory.
"""

from __future__ import annotations

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.limit_cycle.layout import MEMORY, PARAMS, POSE, SCALINGS_AT, STATE
from poise.kernels.jit import law
from poise.kernels.rotation import lean_rad
from poise.kernels.servo import add_servo

_TRUNK = ROLES.index("trunk")
_WAIST = KNOWN_AXES.index("back_pitch")


@law
def graph_law(percept, params, memory, torque, damping):
    """τ = kp·(θ_d − θ) − kd·θ̇ with θ_d of base + Σ k·ΔP, then the transition for the next tick.

    The transition happens at the end of a tick: a pilot that waits for the end of a step sees the world before the next
    one begins. A sensor that is already on ends its state at once.
    """
    axes = torque.shape[0]
    p, m = params[:SCALINGS_AT].view(PARAMS)[0], memory.view(MEMORY)[0]
    states, changes = int(p.states), int(p.changes)
    first = SCALINGS_AT + 3 * changes
    width = POSE + axes
    block = states * width
    row = first + int(m.state) * width
    waist = percept.axes[_WAIST]
    for k in range(axes):
        target = params[row + POSE + k]
        for j in range(changes):
            target += params[SCALINGS_AT + j] * params[row + (j + 1) * block + POSE + k]
        add_servo(percept, k, target, percept.gains[k, 0], percept.gains[k, 1], torque, damping)
    if p.servo > 0.0 and waist >= 0:
        # [§3.8]: the waist holds the torso's angle in the world. Deviation: the printed terms have opposite signs.
        trunk = percept.roles[_TRUNK]
        c, s = percept.heading_w[0], percept.heading_w[1]
        spin, lean = percept.spatial_vel[trunk], lean_rad(percept.rot_w[trunk], percept.heading_w)
        rate = c * spin[1] - s * spin[0]
        torque[waist] = p.servo_kp_nm_per_rad * (p.servo_rad - lean) - p.servo_kd_nms_per_rad * rate
        damping[waist] = 0.0
    m.elapsed += percept.timestep_s
    for _ in range(states):
        row = first + int(m.state) * width
        state = params[row : row + POSE].view(STATE)[0]
        hold = state.hold
        for j in range(changes):
            change = row + (j + 1) * block
            hold += params[SCALINGS_AT + j] * params[change : change + POSE].view(STATE)[0].hold
        sensor = int(state.sensor)
        # Half a tick of slack: sums of ticks are not exact.
        over = m.elapsed >= hold - 0.5 * percept.timestep_s
        if over and sensor >= 0:
            over = percept.touch_load[percept.feet[sensor, 0]] > 0.0 or m.elapsed >= hold + state.timeout
        if not over or state.next < 0.0:
            break
        m.state, m.elapsed = state.next, 0.0
        if state.ends_step > 0.0:
            m.steps += 1.0
            percept.cue[0] = 1
            break
