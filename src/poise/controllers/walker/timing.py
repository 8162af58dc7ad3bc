"""When: commands that ramp, phases, strikes, and the changes between standing and walking."""

from __future__ import annotations

import math

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.walker.layout import CHANNEL, MAX_STYLES, STAND, WALK
from poise.kernels.jit import inlined
from poise.kernels.random import next_uniform
from poise.kernels.rotation import wrap_rad

_FEET = (ROLES.index("left_foot"), ROLES.index("right_foot"))
_KNEES = (KNOWN_AXES.index("left_knee_pitch"), KNOWN_AXES.index("right_knee_pitch"))
_TOES = (ROLES.index("left_toes"), ROLES.index("right_toes"))

_STANCE_ANKLE = CHANNEL["stance_ankle"]
#: A style that points the stance foot this far stands on the ball of the foot, which lies so far along the sole.
TIPTOE_RAD, BALL = 0.3, 0.7
#: A foot has struck when it carries this part of the weight.
STRIKE_SHARE = 0.05
#: A step that finds no ground ends after this many of its times all the same.
LATE = 1.3
#: Walking begins when the capture point is this near to the stance foot, in units of where a steady walk has it.
#: Deviation: [Coros10 §5.5.1] begins when the COM has moved 40 % of the way, whatever its speed.
START_MARGIN = 1.3
#: A start with less speed than this leans less far ahead.
BRISK_MPS = 0.3
#: Seconds for which a foot that should stand may carry nothing.
UNLOADED_S = 0.3
#: Seconds between two shifts of weight, and how often one ends in a small step.
IDLE_S = (2.0, 5.0)
IDLE_STEP = 0.3
#: How fast idling moves the weight, and how fast it does so before a foot is set anew.
SHIFT_MPS = 0.1
UNHURRIED_MPS = 0.05
#: Seconds over which the hold of the feet is averaged: loads chatter after a strike.
HOLD_S = 0.03
#: Part of the step after which the foot that struck lies flat.
FLAT = 0.3
#: Slope that is believed at most.
STEEPEST = 0.3
#: Seconds by which a step that ends too soon is made longer at most.
SOON_S = 0.03
#: None is made longer than this: every hundredth of a second counts there.
LONGEST_S = 0.9
#: Seconds over which one style fades into another.
FADE_S = 0.6


@inlined
def see(percept, p, m):
    """Copies what the rest of the law looks at into this tick's memory."""
    for j in range(3):
        m.com[j] = percept.com_w[j]
        m.vel[j] = percept.com_vel_w[j]
    for side in range(2):
        foot, toes = percept.roles[_FEET[side]], percept.roles[_TOES[side]]
        for j in range(3):
            m.ankle[side, j] = percept.pos_w[foot, j]
        m.load[side] = percept.touch_load[foot]
        fx, fy = percept.touch_force_w[foot, 0], percept.touch_force_w[foot, 1]
        if toes >= 0:
            m.load[side] += percept.touch_load[toes]
            fx, fy = fx + percept.touch_force_w[toes, 0], fy + percept.touch_force_w[toes, 1]
        m.shear[side] = math.hypot(fx, fy)
    weight = percept.subtree_mass[0] * percept.gravity_mps2
    firm = min((m.load[0] + m.load[1]) / (p.firm * weight), 1.0)
    m.hold += (firm - m.hold) * min(percept.timestep_s / HOLD_S, 1.0)


@inlined
def pendulum_rate(percept, p, m):
    """ω = √(g/h) of the pendulum from the stance foot to the COM."""
    h = max(m.com[2] - m.ground, 0.2 * p.leg)
    return math.sqrt(percept.gravity_mps2 / h)


@inlined
def on_tiptoe(m):
    """How far the style raises the heels it walks on: 0 not at all, 1 for the ball of the foot to carry."""
    return min(max(m.pose[_STANCE_ANKLE], 0.0) / TIPTOE_RAD, 1.0) if int(m.mode) == WALK else 0.0


@inlined
def press_ahead(p, m, side):
    """How far ahead of its ankle a sole presses: on tiptoe, at the ball of the foot."""
    return max(p.pressure, BALL * on_tiptoe(m)) * p.sole[side, 1]


@inlined
def natural_step_time(percept, p, m):
    """Seconds of a step: as commanded, or by one rule of speed and size for every body."""
    tempo = p.tempo[int(m.style)]
    if p.step_time > 0.0:
        return p.step_time + m.soon
    size = math.sqrt(p.leg / percept.gravity_mps2)
    froude = math.hypot(m.want[0], m.want[1]) * size / p.leg
    return tempo * size * (p.pace - p.pace_slope * min(froude, 1.2))


@inlined
def follow_commands(percept, p, m):
    """Heading and velocity go to what is commanded at limited rates.

    [Coros10 §5.3.5]: the heading turns at ω_max, and the wanted velocity is interpolated between its values before and
    after the turn by the part of it that is done; a limit on its change serves starts, stops and reversals.
    """
    dt = percept.timestep_s
    m.goal = math.radians(p.heading)
    error = wrap_rad(m.goal - m.heading)
    told = math.hypot(p.speed, p.side_speed)
    # Not faster than the feet can push aside at the speed it goes.
    rate = min(p.turn_rate, p.swerve / max(told, 1e-3))
    m.heading += min(max(error, -rate * dt), rate * dt)
    # In the air nothing turns the pelvis but the limbs, which must then not be turned against it.
    ahead = wrap_rad(m.heading - percept.heading_rad[0])
    m.yaw = percept.heading_rad[0] + m.hold * min(max(ahead, -p.ahead), p.ahead)
    c, s = math.cos(m.goal), math.sin(m.goal)
    # No faster than legs of this length keep up with.
    scale = min(p.fastest * math.sqrt(percept.gravity_mps2 * p.leg) / max(told, 1e-3), 1.0)
    dx = scale * (p.speed * c - p.side_speed * s) - m.want[0]
    dy = scale * (p.speed * s + p.side_speed * c) - m.want[1]
    most, size = p.acceleration * dt, math.hypot(dx, dy)
    if abs(error) > 2.0 * rate * dt:
        most = max(most, size * rate * dt / abs(error))
    if size > most:
        dx, dy = dx * most / size, dy * most / size
    m.want[0] += dx
    m.want[1] += dy
    if math.hypot(m.want[0], m.want[1]) > 0.02 or m.settled == 0.0:
        m.home[0], m.home[1], m.settled = m.com[0], m.com[1], 1.0
    if p.foothold_order != m.order:
        m.order, m.aims = p.foothold_order, p.footholds
        for k in range(2):
            m.aim[k, 0], m.aim[k, 1] = p.foothold[k, 0], p.foothold[k, 1]
    # A script may ask for any number, and only these are rows of the table.
    if p.style != m.style and 0.0 <= p.style < MAX_STYLES and p.style == math.floor(p.style):
        m.old_style, m.style, m.fade = m.style, p.style, 0.0
    m.fade = min(m.fade + dt / FADE_S, 1.0)


@inlined
def begin_step(percept, p, m, stance):
    """A strike: the legs change roles, and what is latched over a step is latched."""
    swing = 1 - stance
    m.stance = stance
    m.trod[0], m.trod[1], m.trod[2] = m.plant[0], m.plant[1], m.footing
    m.knee0 = max(percept.joint_q[percept.axes[_KNEES[stance]]], 0.0)
    m.steps += 1
    m.elapsed = m.felt = 0.0
    m.left = natural_step_time(percept, p, m)
    for j in range(3):
        m.lift[j] = m.ankle[swing, j]
    for j in range(2):
        m.foot[j] = m.ankle[swing, j]
        m.foot_vel[j] = 0.0
        m.plant[j] = m.ankle[stance, j]
    m.ground = m.ankle[stance, 2] - p.sole_depth[stance]
    c, s = percept.heading_w[0], percept.heading_w[1]
    m.side0 = -s * (m.com[0] - m.ankle[stance, 0]) + c * (m.com[1] - m.ankle[stance, 1])


@inlined
def learn_slope(p, m):
    """The slope from the foot that carried before to the one that carries, once it lies flat.

    Feet that stand too close tell nothing.
    """
    stance = int(m.stance)
    m.footing = m.ankle[stance, 2] - p.sole_depth[stance]
    dx, dy = m.ankle[stance, 0] - m.trod[0], m.ankle[stance, 1] - m.trod[1]
    distance = math.hypot(dx, dy)
    if distance > 0.1:
        # Steps to the left and to the right tell about different directions.
        error = m.footing - m.trod[2] - m.slope[0] * dx - m.slope[1] * dy
        for j in range(2):
            part = 0.5 * error * (dx if j == 0 else dy) / (distance * distance)
            m.slope[j] = min(max(m.slope[j] + part, -STEEPEST), STEEPEST)


@inlined
def learn_miss(percept, m, side):
    """How far from its plan the foot came down, ahead and outward, of the last steps."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    dx, dy = m.ankle[side, 0] - m.foot[0], m.ankle[side, 1] - m.foot[1]
    outward = 1.0 if side == 0 else -1.0
    m.miss[0] += 0.5 * (c * dx + s * dy - m.miss[0])
    m.miss[1] += 0.5 * (outward * (c * dy - s * dx) - m.miss[1])


@inlined
def tune_speed(percept, p, m):
    """A once-a-step integrator: the mean velocity over the last two steps against what was wanted, heading frame."""
    time = percept.time_s[0] - m.mark[2]
    if m.steps % 2 == 0:
        if m.mark[2] >= 0.0 and time > 0.05:
            c, s = math.cos(m.heading), math.sin(m.heading)
            gx, gy = (m.com[0] - m.mark[0]) - m.wanted[0], (m.com[1] - m.mark[1]) - m.wanted[1]
            ahead, aside = (c * gx + s * gy) / time, (c * gy - s * gx) / time
            # What a shove did is no error of the gait.
            speed = math.hypot(m.want[0], m.want[1])
            if abs(ahead) < 0.4 + 0.5 * speed and abs(aside) < 0.4 + 0.2 * speed:
                most = 0.4 + 0.6 * speed
                m.bias[0] = min(max(m.bias[0] - p.integrate * ahead, -most), most)
                m.bias[1] = min(max(m.bias[1] - p.integrate * aside, -0.3), 0.3)
        m.mark[0], m.mark[1], m.mark[2] = m.com[0], m.com[1], percept.time_s[0]
        m.wanted[0] = m.wanted[1] = 0.0


@inlined
def tune_time(p, m):
    """The same for the time of a step that is commanded: strikes come a little before they are due."""
    if p.step_time > 0.0 and p.integrate > 0.0:
        most = min(SOON_S, max(LONGEST_S - p.step_time, 0.0))
        m.soon = min(max(m.soon + p.integrate * (p.step_time - m.elapsed), -most), most)


@inlined
def tune_width(percept, p, m):
    """The same for the distance of the feet across."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    wide = c * (m.ankle[0, 1] - m.ankle[1, 1]) - s * (m.ankle[0, 0] - m.ankle[1, 0])
    error = p.step_width - wide
    if abs(error) < 0.5 * p.leg and m.clamped == 0.0:
        # In a long step the ankle has its say as well, so that its width follows the placement less than it might.
        cycle = math.exp(pendulum_rate(percept, p, m) * min(m.elapsed + m.left, 0.5))
        most = 0.04 * p.leg
        m.width = min(max(m.width + p.integrate * 0.5 * error / (cycle + 1.0), -most), most)


@inlined
def advance_walk(percept, p, m):
    """The phase, and the strike that ends the step [Coros10 §5.3.1]; past that, the change to standing."""
    dt = percept.timestep_s
    stance = int(m.stance)
    swing = 1 - stance
    m.wanted[0] += m.want[0] * dt
    m.wanted[1] += m.want[1] * dt
    m.elapsed += dt
    m.left -= dt
    time = m.elapsed + m.left
    weight = percept.subtree_mass[0] * percept.gravity_mps2
    phase = m.elapsed / time
    # A toe that touches does not carry yet: the load is felt for a moment.
    m.felt += (m.load[swing] - m.felt) * min(dt / max(p.strike_time, dt), 1.0)
    struck = phase > 0.5 and m.felt > p.strike * weight
    if phase >= FLAT > (m.elapsed - dt) / time:
        learn_slope(p, m)
    late = m.left <= -(LATE - 1.0) * time if p.path > 0.0 else m.left <= 0.0
    if struck or late:
        learn_miss(percept, m, swing)
        if m.aims > 0.0:
            m.aims -= 1.0
            m.aim[0, 0], m.aim[0, 1] = m.aim[1, 0], m.aim[1, 1]
        tune_time(p, m)
        begin_step(percept, p, m, swing)
        tune_speed(percept, p, m)
        tune_width(percept, p, m)
        if p.stand > 0.0 and may_stand(percept, p, m):
            m.mode = STAND
            m.elapsed = 0.0
            m.start_shift = 0.0
            m.idle_until = 2.0
            m.weight[0] = m.weight[1] = m.shift[0] = m.shift[1] = 0.0


@inlined
def capture_offset(percept, p, m, j):
    """Distance of the capture point (COM + v/ω) from the middle of the feet, along a world axis."""
    return (
        m.com[j] + m.vel[j] / pendulum_rate(percept, p, m)
        - 0.5 * (m.ankle[0, j] + m.ankle[1, j])
    )  # fmt: skip


@inlined
def may_stand(percept, p, m):
    """Whether the walk has come to rest: no speed wanted, none left, and the feet side by side under the COM."""
    if math.hypot(m.want[0], m.want[1]) > 0.02 or m.aims > 0.0:
        return False
    c, s = percept.heading_w[0], percept.heading_w[1]
    ex, ey = capture_offset(percept, p, m, 0), capture_offset(percept, p, m, 1)
    ahead, aside = c * ex + s * ey, c * ey - s * ex
    dx, dy = m.ankle[0, 0] - m.ankle[1, 0], m.ankle[0, 1] - m.ankle[1, 1]
    apart, half = c * dx + s * dy, 0.5 * abs(c * dy - s * dx)
    inside = 0.7 * p.foot[0] < ahead < 0.7 * p.foot[1] and abs(aside) < half
    turned = abs(wrap_rad(m.heading - percept.heading_rad[0])) < 0.15 and abs(wrap_rad(m.goal - m.heading)) < 0.02
    return inside and turned and abs(apart) < 0.15 * p.leg


@inlined
def shift_weight(percept, p, m, half):
    """Idling [Coros10 §5.5.1]: every few seconds the weight goes elsewhere, and now and then a foot is set anew."""
    # At once it would take the load off a foot.
    most = SHIFT_MPS * percept.timestep_s
    for j in range(2):
        m.weight[j] += min(max(m.shift[j] - m.weight[j], -most), most)
    if m.elapsed < m.idle_until:
        return
    m.idle_until = m.elapsed + IDLE_S[0] + (IDLE_S[1] - IDLE_S[0]) * next_uniform(percept.random_state)
    # Rather back than forward: toes give way.
    m.shift[0] = 0.25 * p.foot[1] * (next_uniform(percept.random_state) - 0.8)
    m.shift[1] = 0.45 * half * (2.0 * next_uniform(percept.random_state) - 1.0)
    if next_uniform(percept.random_state) < IDLE_STEP:
        m.idle_foot = 1.0 if m.shift[1] > 0.0 else -1.0


@inlined
def advance_stand(percept, p, m):
    """Standing ends by a command, when the weight has moved over, or by a shove, at once [Coros10 §5.5.1]."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    m.elapsed += percept.timestep_s
    m.ground = 0.5 * (m.ankle[0, 2] - p.sole_depth[0] + m.ankle[1, 2] - p.sole_depth[1])
    ex, ey = capture_offset(percept, p, m, 0), capture_offset(percept, p, m, 1)
    ahead, aside = c * ex + s * ey, c * ey - s * ex
    half = 0.5 * abs(
        -s * (m.ankle[0, 0] - m.ankle[1, 0]) + c * (m.ankle[0, 1] - m.ankle[1, 1])
    )  # fmt: skip
    toe, heel = 0.8 * p.foot[1], 0.8 * p.foot[0]
    lost = ahead > toe or ahead < heel or abs(aside) > half + 0.6 * p.foot[3]
    going = (
        math.hypot(m.want[0], m.want[1]) > 0.02
        or abs(wrap_rad(m.goal - percept.heading_rad[0])) > 0.3
        or p.stand == 0.0
        or m.aims > 0.0
        or m.idle_foot != 0.0
    )  # fmt: skip
    stance = -1
    least = STRIKE_SHARE * percept.subtree_mass[0] * percept.gravity_mps2
    if m.elapsed > UNLOADED_S and (m.load[0] < least) != (m.load[1] < least):
        # One foot carries all: it may as well step.
        m.unloaded += percept.timestep_s
        if m.unloaded > UNLOADED_S:
            stance = 0 if m.load[1] < least else 1
    else:
        m.unloaded = 0.0
    if stance >= 0:
        m.unloaded = 0.0
    elif lost:
        # The leg on the side to which it falls steps out; forward and back, or where one is in the air, the one that
        # carries less.
        if abs(aside) > 0.5 * half and (m.load[0] < least) == (m.load[1] < least):
            stance = 1 if aside > 0.0 else 0
        else:
            stance = 0 if m.load[0] > m.load[1] else 1
    elif going:
        if m.start_shift == 0.0:
            m.start_shift = 1.0 if m.load[0] >= m.load[1] else 2.0
        foot = int(m.start_shift) - 1
        x = m.ankle[foot, 0] - 0.5 * (m.ankle[0, 0] + m.ankle[1, 0])
        y = m.ankle[foot, 1] - 0.5 * (m.ankle[0, 1] + m.ankle[1, 1])
        across = -s * x + c * y
        # Who steps on the spot begins over the ankles, for ahead of them it would have to step forward.
        slow = 1.0 - min(math.hypot(m.want[0], m.want[1]) / BRISK_MPS, 1.0)
        over, sideways = -0.5 * slow * (p.foot[0] + p.foot[1]), across
        if m.idle_foot != 0.0:
            # Nobody waits for a foot that is set anew: thrown over, a heavy body would fall past it.
            most = UNHURRIED_MPS * percept.timestep_s
            over = m.weight[0] + min(max(over - m.weight[0], -most), most)
            sideways = m.weight[1] + min(max(sideways - m.weight[1], -most), most)
        m.weight[0], m.weight[1] = over, sideways
        time = natural_step_time(percept, p, m)
        inside = p.step_width / (math.exp(pendulum_rate(percept, p, m) * time) + 1.0)
        if aside * math.copysign(1.0, across) >= abs(across) - START_MARGIN * inside and (
            slow < 0.9 or ahead < 0.3 * p.foot[1]
        ):
            stance = foot
    elif m.start_shift > 0.0:
        m.start_shift = 0.0
        m.weight[0] = m.weight[1] = 0.0
    elif p.idle > 0.0:
        shift_weight(percept, p, m, half)
    if stance >= 0:
        m.mode = WALK
        m.idle_foot = 0.0
        for j in range(2):
            m.plant[j] = m.ankle[1 - stance, j]
        m.footing = m.ground
        begin_step(percept, p, m, stance)
        m.mark[2] = -1.0
        m.bias[0] = m.bias[1] = 0.0
