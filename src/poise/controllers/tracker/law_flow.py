"""The current frame and fragment: early and late landings, and the transition between two fragments."""

from __future__ import annotations

import math

from poise.constants import GRAVITY_MPS2
from poise.controllers.tracker import layout
from poise.controllers.tracker.law_pose import (
    copy_block,
    leg_part,
    place_target,
    quat_at,
    spare,
    turn_in_world,
    vector_at,
)
from poise.kernels.jit import inlined
from poise.kernels.pendulum import capture_point, pendulum_rate
from poise.kernels.turns import write_between, write_exp, write_log, write_product

#: Largest correction that the swing thighs may learn.
MOST_LEARNED_RAD = 0.4


@inlined
def fragment_value(params, memory, column):
    """A number of the tracked fragment."""
    row = int(params[layout.FRAGMENT_TABLE]) + layout.FRAGMENT_ROW * int(memory[layout.FRAGMENT])
    return params[row + column]


@inlined
def gain(params, memory, which):
    """One of the gains of the tracked fragment."""
    return params[int(fragment_value(params, memory, layout.GAINS)) + which]


@inlined
def frame_at(params, memory, frame):
    """Index of a frame of this fragment in params; frames past its end are its last."""
    first, length = fragment_value(params, memory, layout.FIRST), fragment_value(params, memory, layout.LENGTH)
    row = layout.TURNS + 4 * int(params[layout.SEGMENTS])
    return int(params[layout.FRAME_TABLE]) + row * int(first + min(frame, length))


@inlined
def ease(t):
    """3t² − 2t³, with t clamped to 0 … 1 [Lee10 App. B]."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@inlined
def find_phase(params, memory):
    """The fraction of its fragment that the target has reached, at most 1."""
    return min(memory[layout.FRAME] / fragment_value(params, memory, layout.LENGTH), 1.0)


@inlined
def find_floor_m(percept, params, memory):
    """Height of the ground: under the stance foot, if its ankle is as high above it as in the target, or 0.

    Deviation: heights over the stance foot are from older examples [Lee10 code], which use the floor on level ground.
    """
    part = gain(params, memory, layout.OVER_STANCE)
    if part == 0.0:
        return 0.0
    side = layout.RIGHT if int(fragment_value(params, memory, layout.STANCE)) == layout.RIGHT else layout.LEFT
    over = memory[layout.ANKLES + side] - fragment_value(params, memory, layout.GROUND_M)
    return part * (percept.pos_w[leg_part(params, side, 2), 2] - params[layout.SOLE_M] - over)


@inlined
def advance(percept, params, memory):
    """Advance by a frame: in this fragment, beyond its end, or into the next one if the swing foot has landed.

    [Lee10 §4.2] Early: the rest of the fragment is dropped. Late: the fragment is extended, frame by frame.
    """
    stance = int(fragment_value(params, memory, layout.STANCE))
    ended = memory[layout.FRAME] >= fragment_value(params, memory, layout.LENGTH)
    if (stance == layout.LEFT or stance == layout.RIGHT) and gain(params, memory, layout.SYNCHRONISE) > 0.0:
        swing = layout.RIGHT if stance == layout.LEFT else layout.LEFT
        foot = leg_part(params, swing, 2)
        ended = percept.touch_load[foot] > 0.0 and find_phase(params, memory) > gain(
            params, memory, layout.LANDING_AFTER
        )
    following = fragment_value(params, memory, layout.FOLLOWING)
    if ended and following >= 0.0:
        again = fragment_value(params, memory, layout.AGAIN)
        learn_speed(params, memory)
        memory[layout.FRAGMENT] = following
        if again >= 0.0 and is_too_fast(percept, params, memory):
            memory[layout.FRAGMENT] = again
        memory[layout.FRAME] = 0.0
        memory[layout.DONE] += 1.0
        percept.cue[0] |= 1
        join(params, memory)
    memory[layout.FRAME] += 1.0


@inlined
def learn_speed(params, memory):
    """Add the mean speed error of the fragment that ends to the learned rotation of the swing thighs.

    a ← (1 − λ)·a + c·ē, with λ the fraction that a step forgets: under a persistent error, a settles at c·ē/λ instead
    of growing until the body falls.
    Deviation: the source has no such memory, and its walks are up to a third slower than their recordings.
    """
    if memory[layout.SPEED_COUNT] > 0.0:
        error = memory[layout.SPEED_SUM] / memory[layout.SPEED_COUNT]
        kept = (1.0 - gain(params, memory, layout.SPEED_FORGETTING)) * memory[layout.LEARNED]
        learned = kept + gain(params, memory, layout.SPEED_LEARNING) * error
        memory[layout.LEARNED] = min(max(learned, -MOST_LEARNED_RAD), MOST_LEARNED_RAD)
    memory[layout.SPEED_SUM], memory[layout.SPEED_COUNT] = 0.0, 0.0


@inlined
def is_too_fast(percept, params, memory):
    """Whether the body, at the start of a standing fragment, would stop too far from the middle of its feet.

    A pendulum of height h stops over a point that is v·√(h/g) ahead; what counts is how much farther that point is from
    the middle of the feet than in the reference.
    Deviation: the source stops where the recording does, and falls if the body is faster than the recording.
    """
    row = frame_at(params, memory, 0.0)
    rate = pendulum_rate(GRAVITY_MPS2, memory[layout.ROOT_M])
    total = 0.0
    for j in range(2):
        speed = memory[layout.SPEED + j] - params[row + layout.VELOCITY + j]
        off = capture_point(percept.root_q[j], speed, rate)
        for side in range(2):
            foot = leg_part(params, side, 2)
            off -= 0.5 * (percept.pos_w[foot, j] + params[row + layout.WAY + 2 * side + j])
        total += off * off
    return math.sqrt(total) > gain(params, memory, layout.STOP_REACH_M)


@inlined
def join(params, memory):
    """Write the rotations from the first pose of the fragment to the last target, P̂ ⊘ M'(0) [Lee10 Eq. 6].

    The root's position is not warped: only its relative values are used.
    """
    row = frame_at(params, memory, 0.0)
    turn = spare(0)
    for s in range(int(params[layout.SEGMENTS])):
        write_between(params, row + layout.TURNS + 4 * s, memory, quat_at(layout.LAST, s), memory, turn)
        write_log(memory, turn, memory, vector_at(layout.SHIFT, s))
    for j in range(3):
        memory[layout.CORRECTION + j] = 0.0


@inlined
def write_stitched(params, memory, frame, block):
    """Write the warped pose of a frame, M'(t) ⊗ (P̂ ⊘ M'(0))^r(t) with r = 1 − ease, into a block of memory."""
    row = frame_at(params, memory, frame)
    left = 1.0 - ease(frame / fragment_value(params, memory, layout.LENGTH))
    turn = spare(0)
    for s in range(int(params[layout.SEGMENTS])):
        write_exp(memory, vector_at(layout.SHIFT, s), left, memory, turn)
        write_product(params, row + layout.TURNS + 4 * s, memory, turn, memory, quat_at(block, s))


@inlined
def write_reference(percept, params, memory):
    """Write the current pose, before any feedback, as the target, with its positions and rotations in the world."""
    frame, length = memory[layout.FRAME], fragment_value(params, memory, layout.LENGTH)
    write_stitched(params, memory, min(frame, length), layout.TARGET)
    memory[layout.ROOT_M] = params[frame_at(params, memory, frame) + layout.HEIGHT]
    place_target(percept, params, memory)
    # After the last fragment the pose is held.
    if frame > length and fragment_value(params, memory, layout.FOLLOWING) >= 0.0:
        extend(percept, params, memory, frame - length)


@inlined
def extend(percept, params, memory, beyond):
    """Extend the fragment beyond its end: joints at constant speed, the stance leg fixed in the world [Lee10 §4.2].

    The speed is that of the last three frames [Lee10 code].
    """
    length = fragment_value(params, memory, layout.LENGTH)
    stance = int(fragment_value(params, memory, layout.STANCE))
    back = min(2.0, length)
    write_stitched(params, memory, length - back, layout.BEFORE_END)
    turn = spare(0)
    for s in range(int(params[layout.SEGMENTS])):
        pose, rate = quat_at(layout.TARGET, s), vector_at(layout.RATE, s)
        write_between(memory, quat_at(layout.BEFORE_END, s), memory, pose, memory, turn)
        write_log(memory, turn, memory, rate)
        write_exp(memory, rate, beyond / back, memory, turn)
        write_product(memory, pose, memory, turn, memory, pose)
    end, before = frame_at(params, memory, length), frame_at(params, memory, length - back)
    memory[layout.ROOT_M] += (params[end + layout.HEIGHT] - params[before + layout.HEIGHT]) * beyond / back
    keep_stance_legs(percept, params, memory, stance)


@inlined
def keep_stance_legs(percept, params, memory, stance):
    """Restore the world orientations that the stance legs had before the pose was changed."""
    for side in range(2):
        for k in range(3):
            copy_block(memory, quat_at(layout.WORLD, leg_part(params, side, k)), layout.KEPT + 12 * side + 4 * k, 4)
    place_target(percept, params, memory)
    for side in range(2):
        if stance == side or stance == layout.BOTH:
            for k in range(3):
                turn_in_world(percept, memory, leg_part(params, side, k), layout.KEPT + 12 * side + 4 * k)
    place_target(percept, params, memory)
