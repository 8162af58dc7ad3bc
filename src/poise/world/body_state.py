"""State of one body, planar or free: copy it between worlds, mirror, perturb and measure it.

A body state holds positions and velocities only. A controller's state is in its memory, and everything that a world
needs to continue is in a snapshot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.characters.model import Character, swap_side
from poise.characters.sides import flips_when_mirrored
from poise.kernels.rotation import heading_rad
from poise.world.controller import Start
from poise.world.disturbances import Spawn

if TYPE_CHECKING:
    from poise.world.world import World

FloatArray = NDArray[np.float64]
#: Signs of the root's coordinates in the mirror image.
_MIRROR_POSITION = np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0])
_MIRROR_VELOCITY = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])


@dataclass(frozen=True, eq=False)
class BodyState:
    """Positions and velocities of a body, as its percept holds them."""

    #: Position and quaternion (7) of a free root; x, z and pitch (3) of a planar one.
    root_q: FloatArray
    joint_q: FloatArray
    #: Velocity in the world and angular velocity in its own frame (6); or velocities of x, z and pitch (3).
    root_v: FloatArray
    joint_v: FloatArray

    @property
    def is_free(self) -> bool:
        return len(self.root_q) == 7

    @property
    def height_at(self) -> int:
        """Index of the root's height in `root_q`."""
        return 2 if self.is_free else 1


State = TypeVar("State", bound=BodyState)


def take_body(world: World, character: int = 0) -> BodyState:
    """A copy of the state of a character's body."""
    percept = world.percepts[character]
    parts = (percept.root_q, percept.joint_q, percept.root_v, percept.joint_v)
    return BodyState(*(np.array(part) for part in parts))


class Motion(Protocol):
    """Anything with the fields of a body state, such as one read from a file."""

    @property
    def root_q(self) -> ArrayLike: ...
    @property
    def joint_q(self) -> ArrayLike: ...
    @property
    def root_v(self) -> ArrayLike: ...
    @property
    def joint_v(self) -> ArrayLike: ...


def put_body(world: World, state: Motion, character: int = 0, *, x_m: float | None = None) -> None:
    """Puts a character's body into a state; `x_m` overrides its position along x.

    Contacts and percepts are updated in the next tick.
    """
    percept = world.percepts[character]
    percept.root_q[:], percept.joint_q[:] = state.root_q, state.joint_q
    percept.root_v[:], percept.joint_v[:] = state.root_v, state.joint_v
    if x_m is not None:
        percept.root_q[0] = x_m


def mirror_axes(character: Character) -> tuple[NDArray[np.int64], FloatArray]:
    """(partner, sign): axis k of the mirror image is sign[k] times axis partner[k] of the original."""
    partner = np.array([character.axis_index(swap_side(a.name)) for a in character.axes], dtype=np.int64)
    sign = np.array([-1.0 if flips_when_mirrored(a) else 1.0 for a in character.axes])
    return partner, sign


def mirror_body(character: Character, state: State) -> State:
    """The mirror image of a state in the sagittal plane y = 0."""
    partner, sign = mirror_axes(character)
    free = state.is_free
    return replace(
        state,
        root_q=state.root_q * (_MIRROR_POSITION if free else 1.0),
        root_v=state.root_v * (_MIRROR_VELOCITY if free else 1.0),
        joint_q=sign * state.joint_q[partner],
        joint_v=sign * state.joint_v[partner],
    )


def perturb_body(
    world: World,
    state: State,
    random: np.random.Generator,
    *,
    angle_rad: float,
    rate_radps: float,
    character: int = 0,
) -> State:
    """A state with normal noise on all joints; its lowest point keeps its height above the ground.

    Joint angles stay within their limits, or no further beyond them than before. The world is used to find the lowest
    point, which moves its body.
    """
    axes = len(state.joint_q)
    joint_q = state.joint_q + angle_rad * random.standard_normal(axes)
    lows, highs = world.percepts[character].limits[:, :2].T
    joint_q = np.clip(joint_q, np.minimum(lows, state.joint_q), np.maximum(highs, state.joint_q))
    root_q, at = state.root_q.copy(), state.height_at
    lifted = root_q[at] - measure_grounded_height_m(world, state, character)
    root_q[at] = measure_grounded_height_m(world, replace(state, joint_q=joint_q), character) + lifted
    joint_v = state.joint_v + rate_radps * random.standard_normal(axes)
    return replace(state, root_q=root_q, joint_q=joint_q, joint_v=joint_v)


def perturb_velocities(world: World, spread: float, random: np.random.Generator) -> None:
    """Adds normal noise to all velocities of a world (m/s, rad/s)."""
    velocities = world.state.velocities
    velocities[:] += random.normal(0.0, spread, len(velocities))


def measure_grounded_height_m(world: World, state: BodyState, character: int = 0) -> float:
    """Height of the root with the lowest point of a pose on the ground at the origin; moves the body there."""
    angles = dict(zip(world.characters[character].axis_names, map(float, state.joint_q), strict=True))
    if state.is_free:
        w, x, y, z = (float(v) for v in state.root_q[3:])
        start = Start(joint_q_rad=angles, root_quat_wxyz=(w, x, y, z))
    else:
        start = Start(joint_q_rad=angles, root_pitch_rad=float(state.root_q[2]))
    world.place(character, start, Spawn())
    return float(world.percepts[character].root_q[state.height_at])


def measure_features(state: BodyState) -> FloatArray:
    """The state without its position along the ground: root height and orientation, joints, velocities.

    For a free body, orientation and velocity are relative to its heading.
    """
    if not state.is_free:
        return np.concatenate([state.root_q[1:], state.joint_q, state.root_v, state.joint_v])
    half = -0.5 * heading_rad(state.root_q[3:])
    cos, sin = np.cos(2.0 * half), np.sin(2.0 * half)
    quat = np.zeros(4)
    mujoco.mju_mulQuat(quat, np.array([np.cos(half), 0.0, 0.0, np.sin(half)]), state.root_q[3:])
    vx, vy, *rest = state.root_v
    velocity = [cos * vx - sin * vy, sin * vx + cos * vy, *rest]
    return np.concatenate([state.root_q[2:3], quat, state.joint_q, velocity, state.joint_v])
