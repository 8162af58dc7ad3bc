"""A body in the middle of a motion, as one script hands it to the next: its state and its servos.

The only module of this package that knows the layout of a script's memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.controllers.script import layout as lay
from poise.world.body_state import BodyState, measure_features, perturb_body, put_body, take_body
from poise.world.world import World

FloatArray = NDArray[np.float64]
#: Indices of the root's three planar coordinates.
X, Z, PITCH = 0, 1, 2


class Place(NamedTuple):
    """A script on the stack (index into the program's callable scripts), its phase and its arguments."""

    script: int
    phase: int
    arguments: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Moment(BodyState):
    """State of a planar body, its joint servos (rows of `layout.SLOT_SIZE`) and the current torque limit."""

    servos: FloatArray
    touch: FloatArray
    limit_nm: float

    def features(self) -> FloatArray:
        """What a skill's success may depend on: the whole state except the distance travelled."""
        return measure_features(self)


def name_features(axes: tuple[str, ...]) -> tuple[str, ...]:
    """Names of `Moment.features`, in order."""
    return (
        *("height_m", "pitch_rad"),
        *(f"{axis}_rad" for axis in axes),
        *("speed_mps", "climb_mps", "pitch_radps"),
        *(f"{axis}_radps" for axis in axes),
    )


def find_places(world: World) -> tuple[Place, ...]:
    """All scripts on the stack, the main script first; empty once it has ended."""
    params, memory = world.params[0], world.memories[0]
    first, size = int(params[lay.H_M_STACK]), int(params[lay.H_FRAME])
    places = []
    for k in range(int(memory[lay.M_DEPTH])):
        frame = memory[first + k * size : first + (k + 1) * size]
        arguments = tuple(float(a) for a in frame[lay.F_ARGUMENTS :])
        places.append(Place(int(frame[lay.F_SCRIPT]), int(frame[lay.F_PHASE]), arguments))
    return tuple(places)


def has_ended(world: World) -> bool:
    """Whether a script has begun and ended."""
    memory = world.memories[0]
    return bool(memory[lay.M_STARTED] > 0.0 and memory[lay.M_DEPTH] == 0.0)


def take_moment(world: World) -> Moment:
    """The current moment of a world with one planar body, as a copy."""
    memory = world.memories[0]
    servos, touch = _find_servos(world)
    return Moment(
        **vars(take_body(world)),
        servos=memory[servos].copy().reshape(-1, lay.SLOT_SIZE),
        touch=memory[touch].copy(),
        limit_nm=float(memory[lay.M_LIMIT]),
    )


def put_moment(world: World, moment: Moment, member: str | None = None) -> None:
    """Restart a script, by default the active one, from a moment: time zero, x = 0, and the moment's servos."""
    world.reset([world.active() if member is None else member])
    put_body(world, moment, x_m=0.0)
    hand_over(world, moment)


def hand_over(world: World, moment: Moment) -> None:
    """Pass the previous script's servos to the one that begins now, as when one script calls another."""
    servos, touch = _find_servos(world)
    world.memories[0][servos] = moment.servos.ravel()
    world.memories[0][touch] = moment.touch


def _find_servos(world: World) -> tuple[slice, slice]:
    """Slices of a script's memory that hold the servos and the sensed contacts."""
    params, character = world.params[0], world.characters[0]
    servos, touch = int(params[lay.H_M_SLOTS]), int(params[lay.H_M_TOUCH])
    return (
        slice(servos, servos + len(character.axes) * lay.SLOT_SIZE),
        slice(touch, touch + len(character.segments)),
    )


#: Standard deviations of the noise on the joints of a start.
ANGLE_NOISE_RAD: Final = 0.05
RATE_NOISE_RADPS: Final = 0.2


def disturb(
    world: World,
    moment: Moment,
    random: np.random.Generator,
    angle_rad: float = ANGLE_NOISE_RAD,
    rate_radps: float = RATE_NOISE_RADPS,
) -> Moment:
    """The moment with noise on all joints; the height of its lowest point stays the same."""
    return perturb_body(world, moment, random, angle_rad=angle_rad, rate_radps=rate_radps)


class Servo(NamedTuple):
    """An active joint servo, with the scripts' signs; `law` is its feedback (kind, number, cd, cv), if any."""

    axis: int
    target_rad: float
    kp: float
    kd: float
    law: tuple[str, int, float, float] | None


def read_servos(moment: Moment) -> list[Servo]:
    """The active servos of a moment."""
    kinds = {lay.REF_JOINT: "joint", lay.REF_PART: "part"}
    found = []
    for axis, row in enumerate(moment.servos):
        if row[lay.B_ON] <= 0.0:
            continue
        kind = kinds.get(int(row[lay.B_REF_KIND]))
        law = (kind, int(row[lay.B_REF]), float(row[lay.B_CD]), float(row[lay.B_CV])) if kind else None
        found.append(Servo(axis, float(row[lay.B_TARGET]), float(row[lay.B_KP]), float(row[lay.B_KD]), law))
    return found


def default_limit_nm() -> float:
    """Torque limit of a script that sets none."""
    return lay.START_LIMIT_NM
