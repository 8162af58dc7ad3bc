"""The target pose P̂: the reference, changed to keep the body balanced [Lee10 §4.1]."""

from __future__ import annotations

import math

from poise.controllers.tracker import layout
from poise.controllers.tracker.law_flow import ease, find_floor_m, find_phase, fragment_value, frame_at, gain
from poise.controllers.tracker.law_pose import (
    copy_block,
    leg_part,
    place_target,
    quat_at,
    raise_ankle,
    spare,
    turn_by,
    turn_in_world,
    turn_towards,
    vector_at,
)
from poise.kernels.jit import inlined
from poise.kernels.turns import write_between, write_product

#: Largest rotation of a swing leg back into the heading.
MOST_YAW_RAD = 0.4


@inlined
def stands(stance, side):
    """Whether the foot of a side is a stance foot."""
    return stance == side or stance == layout.BOTH


@inlined
def level_stance_feet(percept, params, memory, part):
    """Rotate the stance feet by a fraction of the angle to their reference against the ground [Lee10 §4.2].

    What counts is the foot's angle to the ground, not that of the ankle.
    """
    stance = int(fragment_value(params, memory, layout.STANCE))
    row = frame_at(params, memory, memory[layout.FRAME])
    goal = spare(1)
    for side in range(2):
        if not stands(stance, side):
            continue
        for j in range(4):
            memory[goal + j] = params[row + layout.TURNS + j]
        for k in range(3):
            turn = row + layout.TURNS + 4 * leg_part(params, side, k)
            write_product(memory, goal, params, turn, memory, goal)
        turn_towards(percept, memory, leg_part(params, side, 2), goal, part)


@inlined
def level_again(percept, params, memory, weight):
    """Rotate the stance feet to their reference against the ground again, now below the actual thighs.

    With the thigh as in the target, q_foot ← q_foot·(q_foot⁻¹·q_foot,r)^(c·w): w as for the stance hip.
    Deviation: in the source the hip that rights the pelvis rotates the whole leg of the target, foot included. If the
    leg is off, its foot then stands on an edge and twists on the ground.
    """
    part = gain(params, memory, layout.STANCE_LEVEL)
    if part > 0.0:
        level_stance_feet(percept, params, memory, part * weight)
        place_target(percept, params, memory)


@inlined
def write_retouch(params, memory, column, sign, out):
    """Write a rotation that retouches this fragment, in the world; it is given in the heading of the reference."""
    row = frame_at(params, memory, memory[layout.FRAME]) + layout.TURNS
    x, y, z = (
        fragment_value(params, memory, column),
        fragment_value(params, memory, column + 1),
        fragment_value(params, memory, column + 2),
    )
    yaw = 2.0 * math.atan2(params[row + 3], params[row])
    c, s = math.cos(yaw), math.sin(yaw)
    memory[out], memory[out + 1], memory[out + 2] = sign * (c * x - s * y), sign * (s * x + c * y), sign * z


@inlined
def right_pelvis(percept, params, memory, weight):
    """Rotate the stance thigh to its actual orientation: the hip then brings the pelvis to its reference [Lee10 Eq. 2].

    Deviation: if both feet stand, both thighs are rotated, with a separate gain, which the source does not have. A
    retouched pelvis is rotated by rotating the thighs below it the opposite way.
    """
    stance = int(fragment_value(params, memory, layout.STANCE))
    part = gain(params, memory, layout.STAND_HIP if stance == layout.BOTH else layout.STANCE_HIP)
    goal, lean = spare(1), spare(2)
    write_retouch(params, memory, layout.LEAN, -1.0, lean)
    leans = memory[lean] != 0.0 or memory[lean + 1] != 0.0 or memory[lean + 2] != 0.0
    for side in range(2):
        if stands(stance, side):
            thigh = leg_part(params, side, 0)
            for j in range(4):
                memory[goal + j] = percept.quat_w[thigh, j]
            turn_towards(percept, memory, thigh, goal, part * weight)
            if leans:
                turn_by(percept, memory, thigh, lean, weight)
    place_target(percept, params, memory)


@inlined
def find_errors(percept, params, memory, errors):
    """Write velocity and position of the pelvis over the stance foot, simulated minus reference: x, y, x, y.

    The reference is the previous frame, which the body should have reached by now.
    """
    stance = int(fragment_value(params, memory, layout.STANCE))
    row = frame_at(params, memory, memory[layout.FRAME] - 1.0)
    feet = 2.0 if stance == layout.BOTH else 1.0
    for j in range(2):
        memory[errors + j] = memory[layout.SPEED + j] - params[row + layout.VELOCITY + j]
        memory[errors + 2 + j] = 0.0
        for side in range(2):
            if stands(stance, side):
                foot = leg_part(params, side, 2)
                way = percept.root_q[j] - percept.pos_w[foot, j]
                memory[errors + 2 + j] += (way - params[row + layout.WAY + 2 * side + j]) / feet


@inlined
def find_yaw_error(percept, params, memory):
    """Yaw of the pelvis relative to the reference, positive to the left."""
    row = frame_at(params, memory, memory[layout.FRAME] - 1.0) + layout.TURNS
    w, x, y, z = percept.quat_w[0, 0], percept.quat_w[0, 1], percept.quat_w[0, 2], percept.quat_w[0, 3]
    a, b, c, d = params[row], params[row + 1], params[row + 2], params[row + 3]
    # The twist about z of q·q_r⁻¹.
    off = 2.0 * math.atan2(-w * d - x * c + y * b + z * a, w * a + x * b + y * c + z * d)
    return off - 2.0 * math.pi * round(off / (2.0 * math.pi))


@inlined
def place_swing_foot(percept, params, memory, errors, weight):
    """Rotate the swing thigh against the errors of the pelvis, in two vertical planes [Lee10 Eq. 3].

    The planes are along and across the velocity of the reference, or (`body_planes`, for comparison) those of the
    pelvis. While a fragment waits for its landing, the last correction is kept.
    Deviation: the thigh also rotates about the vertical, and a body that has yawed walks back into its heading; stance
    feet creep on springs, and hips alone do not hold the heading for long.
    """
    stance = int(fragment_value(params, memory, layout.STANCE))
    if stance != layout.LEFT and stance != layout.RIGHT:
        return
    if memory[layout.FRAME] <= fragment_value(params, memory, layout.LENGTH):
        row = frame_at(params, memory, memory[layout.FRAME] - 1.0)
        vx, vy = params[row + layout.VELOCITY], params[row + layout.VELOCITY + 1]
        size = math.sqrt(vx * vx + vy * vy)
        ux, uy = (vx / size, vy / size) if size > 0.0 else (1.0, 0.0)
        if gain(params, memory, layout.BODY_PLANES) > 0.0:
            ux, uy = percept.heading_w[0], percept.heading_w[1]
        speed, place = (
            ux * memory[errors + 0] + uy * memory[errors + 1],
            ux * memory[errors + 2] + uy * memory[errors + 3],
        )
        memory[layout.SPEED_SUM] += speed
        memory[layout.SPEED_COUNT] += 1.0
        behind, ahead = layout.SWING_PLACE_BEHIND, layout.SWING_PLACE_AHEAD
        more_speed = 1.0 + fragment_value(params, memory, layout.SWING_SPEED_MORE)
        more_place = 1.0 + fragment_value(params, memory, layout.SWING_PLACE_MORE)
        along = memory[layout.LEARNED] + more_speed * gain(params, memory, layout.SWING_SPEED_SAGITTAL) * speed
        along += more_place * gain(params, memory, behind if place < 0.0 else ahead) * place
        by_speed = more_speed * gain(params, memory, layout.SWING_SPEED_CORONAL)
        by_place = more_place * gain(params, memory, layout.SWING_PLACE_CORONAL)
        cx = by_speed * (memory[errors + 0] - speed * ux) + by_place * (memory[errors + 2] - place * ux)
        cy = by_speed * (memory[errors + 1] - speed * uy) + by_place * (memory[errors + 3] - place * uy)
        # −(up × error): a rotation that moves the foot in the direction of the error.
        memory[layout.CORRECTION] = along * uy + cy
        memory[layout.CORRECTION + 1] = -(along * ux + cx)
        off = gain(params, memory, layout.SWING_HEADING) * find_yaw_error(percept, params, memory)
        memory[layout.CORRECTION + 2] = -min(max(off, -MOST_YAW_RAD), MOST_YAW_RAD)
    swing = layout.RIGHT if stance == layout.LEFT else layout.LEFT
    reach = spare(2)
    write_retouch(params, memory, layout.REACH, 1.0, reach)
    for j in range(3):
        memory[reach + j] += memory[layout.CORRECTION + j]
    turn_by(percept, memory, leg_part(params, swing, 0), reach, weight)
    place_target(percept, params, memory)


@inlined
def hold_swing_thigh(percept, params, memory, weight):
    """Rotate the swing thigh to keep its orientation in the world under the actual pelvis, not under the target's.

    Deviation: in the source an error of the pelvis is also an error of the swing leg, and the foot misses its place;
    holding the swing hip in the world is SIMBICON's method [Coros10 §2.4].
    """
    stance = int(fragment_value(params, memory, layout.STANCE))
    if stance != layout.LEFT and stance != layout.RIGHT:
        return
    thigh = leg_part(params, layout.RIGHT if stance == layout.LEFT else layout.LEFT, 0)
    goal, root = spare(1), spare(2)
    for j in range(4):
        memory[root + j] = percept.quat_w[0, j]
    write_between(memory, root, memory, quat_at(layout.WORLD, thigh), memory, goal)
    write_product(memory, layout.WORLD, memory, goal, memory, goal)
    turn_towards(percept, memory, thigh, goal, gain(params, memory, layout.SWING_WORLD) * weight)
    place_target(percept, params, memory)


@inlined
def find_rise_m(percept, params, memory, swing, weight):
    """How much higher the swing ankle should be [Lee10 Eq. 5], including a lift in mid-swing."""
    foot = leg_part(params, swing, 2)
    before, now = memory[layout.ANKLES_BEFORE + swing], memory[layout.ANKLES + swing]
    wanted = now - fragment_value(params, memory, layout.GROUND_M)
    floor = find_floor_m(percept, params, memory) + params[layout.SOLE_M]
    height = percept.pos_w[foot, 2] - floor - gain(params, memory, layout.CLEARANCE_M)
    c, v = percept.subtree_com_w[0], percept.spatial_vel[foot]
    speed = v[5] + v[0] * (percept.pos_w[foot, 1] - c[1]) - v[1] * (percept.pos_w[foot, 0] - c[0])
    rise = gain(params, memory, layout.FOOT_HEIGHT) * (wanted - height)
    rise += gain(params, memory, layout.FOOT_RISE) * ((now - before) / params[layout.FRAME_S] - speed)
    phase = find_phase(params, memory)
    lift = gain(params, memory, layout.LIFT_M) + fragment_value(params, memory, layout.RAISE)
    return rise * weight + lift * 0.5 * (1.0 - math.cos(2.0 * math.pi * phase))


@inlined
def adjust_foot_height(percept, params, memory, weight):
    """Raise the swing ankle or, if that is too high, the stance ankle, which lowers the body.

    Legs are moved in the pose with the simulated pelvis; afterwards the feet's orientations are restored [Lee10 code].
    """
    stance = int(fragment_value(params, memory, layout.STANCE))
    if stance != layout.LEFT and stance != layout.RIGHT:
        return
    swing = layout.RIGHT if stance == layout.LEFT else layout.LEFT
    rise = find_rise_m(percept, params, memory, swing, weight)
    root = spare(2)
    copy_block(memory, layout.TARGET, root, 4)
    for side in range(2):
        copy_block(memory, quat_at(layout.WORLD, leg_part(params, side, 2)), layout.KEPT + 4 * side, 4)
    for j in range(4):
        memory[layout.TARGET + j] = percept.quat_w[0, j]
    place_target(percept, params, memory)
    raise_ankle(percept, params, memory, swing if rise > 0.0 else stance, abs(rise))
    crouch = fragment_value(params, memory, layout.CROUCH)
    if crouch != 0.0:
        raise_ankle(percept, params, memory, stance, crouch * weight)
    copy_block(memory, root, layout.TARGET, 4)
    place_target(percept, params, memory)
    for side in range(2):
        turn_in_world(percept, memory, leg_part(params, side, 2), layout.KEPT + 4 * side)
    place_target(percept, params, memory)


@inlined
def push_with_ankles(percept, params, memory, errors, weight):
    """Rotate the stance feet with the errors of the pelvis [Lee10 Eq. 4], except in the first frames.

    Deviation: standing on both feet has separate gains, because no next step can correct an error.
    """
    if memory[layout.FRAME] <= params[layout.ANKLE_FREE]:
        return
    stance = int(fragment_value(params, memory, layout.STANCE))
    both = stance == layout.BOTH
    more = 1.0 + fragment_value(params, memory, layout.ANKLE_MORE)
    by_speed = more * gain(params, memory, layout.STAND_SPEED if both else layout.ANKLE_SPEED)
    by_place = more * gain(params, memory, layout.STAND_PLACE if both else layout.ANKLE_PLACE)
    turn = spare(2)
    x = by_speed * memory[errors + 0] + by_place * memory[errors + 2]
    y = by_speed * memory[errors + 1] + by_place * memory[errors + 3]
    write_retouch(params, memory, layout.TREAD, 1.0, turn)
    # up × error
    memory[turn] -= y
    memory[turn + 1] += x
    for side in range(2):
        if stands(stance, side):
            turn_by(percept, memory, leg_part(params, side, 2), turn, weight)


@inlined
def write_target(percept, params, memory):
    """Change the reference in TARGET into the target; the order matters."""
    phase = find_phase(params, memory)
    weight, risen = ease(phase), ease(phase / gain(params, memory, layout.STANCE_RISE))
    errors = spare(3)
    # By default, over the first fifth of a fragment.
    level_stance_feet(percept, params, memory, ease(phase / gain(params, memory, layout.FOOT_RISE_PART)))
    right_pelvis(percept, params, memory, risen)
    level_again(percept, params, memory, risen)
    find_errors(percept, params, memory, errors)
    place_swing_foot(percept, params, memory, errors, weight)
    hold_swing_thigh(percept, params, memory, weight)
    adjust_foot_height(percept, params, memory, weight)
    push_with_ankles(percept, params, memory, errors, risen)
    place_target(percept, params, memory)
    for side in range(2):
        memory[layout.ANKLES_BEFORE + side] = memory[layout.ANKLES + side]
        memory[layout.ANKLES + side] = memory[vector_at(layout.PLACES, leg_part(params, side, 2)) + 2]
