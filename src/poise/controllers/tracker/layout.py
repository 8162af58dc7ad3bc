"""Layout of the tracker's params and memory."""

from __future__ import annotations

from typing import Final

#: Segments of the largest body that the tracker drives.
MAX_SEGMENTS: Final = 24

# -- params: numbers that users may set -------------------------------------------------------------------------------

(
    TRACK_KP, TRACK_KV, STANCE_HIP, SWING_SPEED_SAGITTAL, SWING_SPEED_CORONAL, SWING_PLACE_BEHIND, SWING_PLACE_AHEAD,
    SWING_PLACE_CORONAL, ANKLE_SPEED, ANKLE_PLACE, FOOT_HEIGHT, FOOT_RISE, LIFT_M, CLEARANCE_M, LANDING_AFTER,
    STANCE_RISE, FOOT_RISE_PART, SYNCHRONISE, STAND_HIP, STAND_SPEED, STAND_PLACE, SPEED_LEARNING, STOP_REACH_M,
    SWING_HEADING, SWING_WORLD, STANCE_LEVEL, SPEED_FORGETTING, BODY_PLANES, OVER_STANCE,
) = range(29)  # fmt: skip
SETTINGS: Final = 29

# -- params: the body and the tables ----------------------------------------------------------------------------------

SEGMENTS = SETTINGS
FRAME_S = SETTINGS + 1
FRAGMENTS = SETTINGS + 2  # number of fragments
FRAGMENT_TABLE = SETTINGS + 3  # start of the table
FRAME_TABLE = SETTINGS + 4
SOLE_M = SETTINGS + 5  # height of an ankle over a level sole
ANKLE_FREE = SETTINGS + 6  # frames at the beginning of a fragment without feedback on the stance ankle
LEGS = SETTINGS + 7  # thigh, shank, foot of the left and the right leg
OFFSETS = LEGS + 6  # (MAX_SEGMENTS, 3) positions of the segments in their parents' frames
HEADER = OFFSETS + 3 * MAX_SEGMENTS

# A fragment: first frame, frames after it, stance, the next fragment (-1: none), height of the ground, index of its
# gains in params (0: those that users set), the next fragment if the body cannot stop yet (-1: none), and its retouch
# (`retouch`): rotations of the pelvis, the swing thigh and the stance feet, as vectors in the heading of the reference,
# how much lower the body is, how much higher the swing foot, and the relative changes of the gains of the swing hip (on
# velocity, on position) and of the stance ankle.
FIRST, LENGTH, STANCE, FOLLOWING, GROUND_M, GAINS, AGAIN = range(7)
LEAN, REACH, TREAD, CROUCH, RAISE, SWING_SPEED_MORE, SWING_PLACE_MORE, ANKLE_MORE = 7, 10, 13, 16, 17, 18, 19, 20
FRAGMENT_ROW: Final = 21
RETOUCH: Final = FRAGMENT_ROW - LEAN  # numbers of a retouch
#: Stance: the left foot, the right foot, both, none.
LEFT, RIGHT, BOTH, NONE = range(4)
STANCES: Final = ("left", "right", "both", "none")

# A frame: the root's height and velocity, vectors from both ankles to the root (x, y), rotations of all segments.
HEIGHT, VELOCITY, WAY, TURNS = 0, 1, 4, 8


def frame_row(segments: int) -> int:
    """Size of a frame."""
    return TURNS + 4 * segments


# -- memory -----------------------------------------------------------------------------------------------------------

(NEXT_S, BEGUN, FRAGMENT, FRAME, DONE) = range(5)
PELVIS = 5  # (3,) position of the root at the last control
SPEED = 8  # (3,) its mean velocity since then
CORRECTION = 11  # (3,) last rotation of the swing thigh
ANKLES = 14  # (2,) heights of the ankles in the last target, left and right
ANKLES_BEFORE = 16  # (2,) in the target before that
ROOT_M = 18  # height of the root in the target
LEARNED = 19  # rotation of the swing thigh learned from the steps so far
SPEED_SUM, SPEED_COUNT = 20, 21  # speed errors in this fragment
ERROR_SUM, ERROR_COUNT = 22, 23  # angle between joints and reference, mean over joints, summed over frames; frames
SPARE = 24  # (8, 4) scratch areas
_VECTORS = SPARE + 32
SHIFT = _VECTORS  # rotation from the fragment's first pose to the target at its start
RATE = SHIFT + 3 * MAX_SEGMENTS
ASKED = RATE + 3 * MAX_SEGMENTS  # requested angular accelerations, each in the frame of its segment
PLACES = ASKED + 3 * MAX_SEGMENTS  # of the target, in the world
_TURNS = PLACES + 3 * MAX_SEGMENTS
TARGET = _TURNS  # rotations relative to the parents; the first is the root's in the world
LAST = TARGET + 4 * MAX_SEGMENTS
BEFORE = LAST + 4 * MAX_SEGMENTS
ACTUAL = BEFORE + 4 * MAX_SEGMENTS
BEFORE_END = ACTUAL + 4 * MAX_SEGMENTS  # two frames before a fragment's end
WORLD = BEFORE_END + 4 * MAX_SEGMENTS  # world rotations of the target
KEPT = WORLD + 4 * MAX_SEGMENTS  # (2, 3, 4) world rotations of the legs, to be restored
MEMORY: Final = KEPT + 24
