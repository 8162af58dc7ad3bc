"""Named start poses of skills, and random starts drawn around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.characters.model import Character
from poise.language.names import Body
from poise.world.controller import Start


@dataclass(frozen=True)
class Change:
    """Half-ranges of the uniform noise around a stated pose, for each joint and for the whole body's pitch."""

    angle_rad: float
    rate_radps: float


STEADY, ACROBATIC = Change(0.05, 0.2), Change(0.02, 0.05)
#: Start poses with the language's names and signs; joints not listed are at zero. `pitch` is the whole body's.
POSES: Final[Mapping[str, Mapping[str, float]]] = {
    "standing": {},
    "hands and knees": {
        "pitch": 1.4, "Shoulder": -1.4, "Elbow": -0.1, "Wrist": -1.4, "Hip": -1.4, "Knee": 1.5, "Ankle": 1.0
    },
    "on the belly": {"pitch": 1.57, "Shoulder": 0.6, "Elbow": -2.3, "Wrist": -1.0, "Ankle": 1.0},
    "on the back": {"pitch": -1.57, "Ankle": 0.3},
    "handstand": {"pitch": 3.19, "Shoulder": -3.05, "Elbow": -0.05, "Wrist": -1.5, "Ankle": 0.6},
}  # fmt: skip


def change_start(character: Character, pose: str, change: Change, seed: int) -> Start:
    """A pose with random joint angles and rates and a random pitch around it, within the joints' ranges."""
    body, random = Body(character), np.random.default_rng(seed)
    wanted, angles, rates = POSES[pose], {}, {}
    stated = {
        character.axes[body.joints[side + joint]].name: body.sign(body.joints[side + joint]) * angle
        for joint, angle in wanted.items()
        if joint != "pitch"
        for side in "lr"
    }
    for axis in character.axes:
        if axis.high_rad - axis.low_rad < change.angle_rad:
            continue
        drawn = stated.get(axis.name, 0.0) + random.uniform(-change.angle_rad, change.angle_rad)
        angles[axis.name] = float(np.clip(drawn, axis.low_rad, axis.high_rad))
        rates[axis.name] = float(random.uniform(-change.rate_radps, change.rate_radps))
    pitch = wanted.get("pitch", 0.0) + float(random.uniform(-change.angle_rad, change.angle_rad))
    return Start(joint_q_rad=angles, joint_v_radps=rates, root_pitch_rad=pitch)
