"""Where: the point on which the swing foot should come down."""

from __future__ import annotations

import math

from poise.characters.model import ROLES
from poise.controllers.walker.timing import natural_step_time, pendulum_rate, press_ahead
from poise.kernels.jit import inlined

_FEET = (ROLES.index("left_foot"), ROLES.index("right_foot"))

#: Seconds for which a fall is extrapolated: in a longer time the ankle can do something about it.
AHEAD_S = 0.4
#: In what time idling would be back where it came to rest, and how fast at most.
HOMING_S, HOMING_MPS = 0.7, 0.3
#: Backward speed at which `retreat` counts in full.
RETREAT_MPS = 0.2
#: Time of a long step, in 1/ω.
LONG = 1.5
#: How much sooner a longer step is hastened, by 1/ω.
LONG_HASTE = 2.5
#: From which part of a fall that is met in haste on a step catches one, and over which part more it does so wholly.
CATCH, CATCH_WHOLE = 0.7, 0.3
#: Longest step from foot to foot, in leg lengths.
STRIDE = 0.95
#: Shortest and longest step to a given point, in usual times of a step.
TOLD_TIMES = (0.7, 1.4)
#: Seconds in which such a step comes to its time, and how much faster or slower its clock runs meanwhile.
TOLD_S, TOLD_PACE = 0.05, 0.7


@inlined
def _support(p, m, stance, c, s):
    """Where the stance sole is thought to press: the pendulum's foot."""
    ahead = press_ahead(p, m, stance)
    return m.ankle[stance, 0] + ahead * c, m.ankle[stance, 1] + ahead * s


@inlined
def _fall(p, m, stance, rate, c, s):
    """How far the COM is ahead and aside of the support, and its velocity over ω: their sum is the capture point."""
    px, py = _support(p, m, stance, c, s)
    rx, ry = m.com[0] - px, m.com[1] - py
    return (
        c * rx + s * ry,
        c * ry - s * rx,
        (c * m.vel[0] + s * m.vel[1]) / rate,
        (c * m.vel[1] - s * m.vel[0]) / rate,
    )


@inlined
def _pendulum_gain(p, m, fall, c, s):
    """A foot reaches further ahead of its ankle than behind, so a fall ahead is met by less of a step."""
    if fall < 0.0:
        back = -(c * m.want[0] + s * m.want[1]) / RETREAT_MPS
        return p.pendulum_back + p.retreat * min(max(back, 0.0), 1.0)
    return p.pendulum


@inlined
def place_by_text(percept, p, m):
    """[Coros10 §5.3.2]: d' = d − α·V_d from the COM, in the sagittal plane and again in the coronal one.

    Deviation: the energy balance that is printed gives d = v·√(h/g + v²/4g²), not v·√(h/g); we use what it gives.
    """
    g = percept.gravity_mps2
    h = max(m.com[2] - m.ground, 0.1)
    c, s = percept.heading_w[0], percept.heading_w[1]
    vx, vy = c * m.vel[0] + s * m.vel[1], c * m.vel[1] - s * m.vel[0]
    wx, wy = c * m.want[0] + s * m.want[1], c * m.want[1] - s * m.want[0]
    full = 0.0 if p.printed > 0.0 else 1.0 / (4.0 * g * g)
    dx = p.pendulum * vx * math.sqrt(h / g + full * vx * vx) - p.alpha * (wx + m.bias[0])
    dy = p.pendulum_side * vy * math.sqrt(h / g + full * vy * vy) - p.alpha * (wy + m.bias[1])
    most = p.reach * p.leg
    dx, dy = min(max(dx, -most), most), min(max(dy, -most), most)
    m.target[0] = m.com[0] + c * dx - s * dy
    m.target[1] = m.com[1] + s * dx + c * dy


@inlined
def place_by_prediction(percept, p, m):
    """The pendulum carried on to the strike, and a foot such that the next step is the wanted one.

    Of x'' = ω²·x only the growing part ξ = x + v/ω matters for balance; it grows by e^(ωt) until the strike. A step of
    time T that goes on with velocity V and width W starts with ξ ahead of the foot by V·T/(e^(ωT) − 1), and inside of
    it by W/(e^(ωT) + 1). This is [Coros10 §5.3.2] with the α that a steady gait needs at each step time.
    """
    stance = int(m.stance)
    sign = 1.0 if stance == 1 else -1.0
    rate = pendulum_rate(percept, p, m)
    c, s = percept.heading_w[0], percept.heading_w[1]
    px, py = _support(p, m, stance, c, s)
    ahead, aside, forth, across = _fall(p, m, stance, rate, c, s)
    left = min(max(m.left, 0.0), p.foresight)
    time = m.elapsed + m.left
    grow = math.exp(rate * left)
    vx, vy = m.want[0], m.want[1]
    if p.idle > 0.0:
        # Small steps of idling lead back to where it came to rest.
        vx += min(max((m.home[0] - m.com[0]) / HOMING_S, -HOMING_MPS), HOMING_MPS)
        vy += min(max((m.home[1] - m.com[1]) / HOMING_S, -HOMING_MPS), HOMING_MPS)
    wx, wy = p.drive * (c * vx + s * vy) + m.bias[0], p.drive * (c * vy - s * vx) + m.bias[1]
    cycle = math.exp(rate * time)
    x = _pendulum_gain(p, m, ahead + forth, c, s) * (ahead + forth) * grow - wx * time / (cycle - 1.0)
    y = p.pendulum_side * (aside + across) * grow - wy * time / (cycle - 1.0)
    y += sign * (p.step_width / (cycle + 1.0) + m.width)
    # No further from where the COM will be than the legs reach.
    cosh, sinh = 0.5 * (grow + 1.0 / grow), 0.5 * (grow - 1.0 / grow)
    mx, my = ahead * cosh + forth * sinh, aside * cosh + across * sinh
    # A body that comes down is thrown back along the leg that it comes down on; a long step makes much of that.
    blow = p.knock * max(rate * time - LONG, 0.0) * max(-m.vel[2], 0.0) * rate / percept.gravity_mps2
    y = (y + blow * my) / (1.0 + blow)
    most = p.reach * p.leg
    x, y = mx + min(max(x - mx, -most), most), my + min(max(y - my, -most), most)
    # Nor further from the other foot than the legs open.
    wide = STRIDE * p.leg
    x, y = min(max(x, -wide), wide), min(max(y, -wide), wide)
    if p.pass_legs == 0.0:
        # The foot comes down on its own side, unless it does so well ahead of or behind the other.
        gap = _least_gap(p, stance, foot_room(percept, p, m), x)
        m.clamped = 1.0 if sign * y < gap else 0.0
        y = sign * max(sign * y, gap)
    middle = press_ahead(p, m, 1 - stance)
    m.target[0] = px + c * (x - middle) - s * y
    m.target[1] = py + s * (x - middle) + c * y


@inlined
def place_as_told(percept, m):
    """A given point, less what feet miss their points by."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    outward = m.miss[1] if int(m.stance) == 1 else -m.miss[1]
    m.target[0] = m.aim[0, 0] - c * m.miss[0] + s * outward
    m.target[1] = m.aim[0, 1] - s * m.miss[0] - c * outward


@inlined
def time_as_told(percept, p, m):
    """Has the step end when the pendulum itself would put the foot on the given point.

    The placement k·ξ·e^(ωt) − b solved for the time t that is left: on a point further away the body must have come
    further too, or it would stop short of the next one. Where the planes differ, when the pendulum's point is nearest.
    """
    stance = int(m.stance)
    sign = 1.0 if stance == 1 else -1.0
    rate = pendulum_rate(percept, p, m)
    c, s = percept.heading_w[0], percept.heading_w[1]
    px, py = _support(p, m, stance, c, s)
    ahead, aside, forth, across = _fall(p, m, stance, rate, c, s)
    time = natural_step_time(percept, p, m)
    cycle = math.exp(rate * time)
    wx = p.drive * (c * m.want[0] + s * m.want[1]) + m.bias[0]
    wy = p.drive * (c * m.want[1] - s * m.want[0]) + m.bias[1]
    dx, dy = m.aim[0, 0] - px, m.aim[0, 1] - py
    x = c * dx + s * dy + press_ahead(p, m, 1 - stance) + wx * time / (cycle - 1.0)
    y = c * dy - s * dx + wy * time / (cycle - 1.0) - sign * (p.step_width / (cycle + 1.0) + m.width)
    fx, fy = _pendulum_gain(p, m, ahead + forth, c, s) * (ahead + forth), p.pendulum_side * (aside + across)
    grow = (fx * x + fy * y) / max(fx * fx + fy * fy, 1e-6 * p.leg * p.leg)
    left = TOLD_TIMES[1] * time if grow <= 0.0 else math.log(grow) / rate
    left = min(max(left, TOLD_TIMES[0] * time - m.elapsed), TOLD_TIMES[1] * time - m.elapsed)
    # Not at once: the height of the foot goes by the same clock.
    m.left += percept.timestep_s * min(max((left - m.left) / TOLD_S, -TOLD_PACE), TOLD_PACE)


@inlined
def foot_room(percept, p, m):
    """Least lateral distance between the ankles of feet side by side: more where the stance foot is turned inward."""
    stance = int(m.stance)
    rot = percept.rot_w[percept.roles[_FEET[stance]]]
    inward = (percept.heading_w[0] * rot[3] - percept.heading_w[1] * rot[0]) * (1.0 if stance == 1 else -1.0)
    toe, heel = p.sole[stance, 1], p.sole[stance, 0]
    return p.sole[stance, 3] - p.sole[stance, 2] + p.gap + max(inward * toe, inward * heel)


@inlined
def _least_gap(p, stance, width, ahead):
    """Least lateral distance between the ankles so that the feet do not touch, by how far one is ahead."""
    length = p.sole[stance, 1] - p.sole[stance, 0]
    far = abs(ahead) / length - 1.0
    return width if far < 0.0 else width * max(1.0 - 4.0 * far, p.cross)


@inlined
def hasten(percept, p, m):
    """Shortens a step that would come too late: a fall that outgrows the legs is met sooner.

    Notes how far the step has a fall to catch.
    """
    stance = int(m.stance)
    sign = 1.0 if stance == 1 else -1.0
    rate = pendulum_rate(percept, p, m)
    c, s = percept.heading_w[0], percept.heading_w[1]
    ahead, aside, forth, across = _fall(p, m, stance, rate, c, s)
    ahead, aside = ahead + forth, sign * (aside + across)
    time = m.elapsed + m.left
    grow, cycle = math.exp(rate * min(max(m.left, 0.0), AHEAD_S)), math.exp(rate * time)
    # Where a steady walk would have the capture point at the strike, and half a leg more.
    usual = math.hypot(m.want[0], m.want[1]) * time * cycle / (cycle - 1.0) + 0.5 * p.leg
    usual_side = p.step_width * cycle / (cycle + 1.0) + 0.4 * p.leg
    haste = max(abs(ahead) * grow / usual, aside * grow / usual_side)
    if p.pass_legs == 0.0:
        # Falling over the stance leg: only the step after this one can help, so this one must be quick.
        haste = max(haste, 1.0 - (aside + 0.5 * p.sole[stance, 3]) / (0.05 * p.leg))
    else:
        # Legs that pass each other catch a fall to either side.
        fall = max(haste, -aside * grow / usual_side)
        m.catch = min(max((fall - CATCH) / CATCH_WHOLE, 0.0), 1.0)
    if haste > 1.0:
        # Time runs up to three times as fast, the sooner in a long step, in which a fall has time to grow.
        quick = p.hasten * (1.0 + LONG_HASTE * max(rate * time - LONG, 0.0))
        m.left -= percept.timestep_s * min(quick * (haste - 1.0), 2.0)
