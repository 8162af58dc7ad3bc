"""The methods of a world by which others act on it and query it: pushes, forces, springs, throws, names and falls."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.errors import InputError, unknown_name
from poise.world import outside
from poise.world.compile import PhysicsSettings, add_motors, build_spec, compile_spec, segment_body_name
from poise.world.disturbances import Push
from poise.world.ground import GroundPoints, PenaltyGround
from poise.world.props import Prop
from poise.world.stage import Ledger, Stage
from poise.world.terrain import Terrain

FloatArray = NDArray[np.float64]


class Interactions:
    """The part of a `World` that neither steps it nor holds its state."""

    characters: tuple[Character, ...]
    terrain: Terrain
    props: tuple[Prop, ...]
    settings: PhysicsSettings
    ground: PenaltyGround | None
    model: mujoco.MjModel
    data: mujoco.MjData
    ledger: Ledger
    _stage: Stage

    @property
    def time_s(self) -> float:
        return float(self.ledger.counts.tick * self.settings.timestep_s)

    def body(self, segment: str, character: int = 0) -> int:
        """The number of a character's segment, or of a prop, in the model."""
        names = self.characters[character].segment_names
        if segment in names:
            return int(self._stage.characters[character].first_body) + names.index(segment)
        for prop in self.props:
            if prop.name == segment:
                return int(mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, segment))
        raise unknown_name("segment", "segment", segment, [*names, *(p.name for p in self.props)])

    def push(self, push: Push) -> None:
        """Schedule a push; without a segment it acts on the trunk."""
        if push.segment in self.characters[push.character].roles:
            segment = self.characters[push.character].roles[push.segment]
        else:
            segment = push.segment or self.characters[push.character].roles["trunk"]
        outside.add_push(self.ledger, self.body(segment, push.character), push)

    def begin_force(self, segment: str, force_h_n: Sequence[float], character: int = 0) -> int:
        """Start a force (forward, left, up) on a segment's centre of mass, until `end_force`; return its number."""
        return outside.add_force(self.ledger, self.body(segment, character), force_h_n, self.time_s, np.inf)

    def end_force(self, number: int) -> None:
        """End a force that `begin_force` started."""
        outside.remove_force(self.ledger, number)

    def forget_pushes(self) -> None:
        """Remove the pushes that have not started, so that a trial rollout does not know of them."""
        outside.forget_pushes(self.ledger)

    def throw(self, prop: str, position_w_m: Sequence[float], velocity_w_mps: Sequence[float]) -> None:
        """Set the position and velocity of a free prop."""
        joint = int(self.model.body_jntadr[self.body(prop)])
        if joint < 0:
            raise InputError(f"world: prop {prop!r} is fixed and cannot be thrown. Make it with free=True.")
        q, v = int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])
        self.data.qpos[q : q + 7] = [*position_w_m, 1.0, 0.0, 0.0, 0.0]
        self.data.qvel[v : v + 6] = [*velocity_w_mps, 0.0, 0.0, 0.0]

    def attach(
        self,
        segment: str,
        point_b_m: Sequence[float],
        other: str,
        other_point_b_m: Sequence[float],
        *,
        stiffness_npm: float,
        damping_nspm: float,
        max_force_n: float = np.inf,
        character: int = 0,
    ) -> int:
        """Connect a point of a segment and a point of a prop (or of `world`) by a damped spring; return its number."""
        bodies = self.body(segment, character), 0 if other == "world" else self.body(other, character)
        points = point_b_m, other_point_b_m
        strength = {"stiffness_npm": stiffness_npm, "damping_nspm": damping_nspm, "max_force_n": max_force_n}
        return outside.add_spring(self.ledger, bodies, points, **strength)

    def detach(self, spring: int) -> None:
        """Remove a spring that `attach` added."""
        outside.remove_spring(self.ledger, spring)

    def compiled_scene(self) -> mujoco.MjModel:
        """The compiled scene, for `poise.world.video`."""
        return self.model

    def ground_points(self, segment: str, character: int = 0) -> GroundPoints:
        """The points of a segment that a ground of springs acts on."""
        return GroundPoints(self._stage.ground_points, self.body(segment, character))

    def fell_at_s(self, character: int = 0) -> float | None:
        """Time of the character's first fall; None if it has not fallen."""
        fallen = self.ledger.fallen[character]
        return float(fallen[1]) if fallen[0] else None

    def is_down(self, character: int = 0) -> bool:
        """Whether the character has fallen and is not yet back on its feet."""
        return bool(self.ledger.posture[character, 0])

    def body_names(self) -> tuple[list[str], list[str]]:
        """Names of all characters' segments in model order, and of the props."""
        bodies = self.characters
        segments = [segment_body_name(bodies, k, s) for k, c in enumerate(bodies) for s in c.segment_names]
        return segments, [p.name for p in self.props]

    def to_mjcf(self) -> str:
        """The scene as MJCF text, with a motor on every joint axis for use in other programs."""
        collides = self.ground is None
        spec = build_spec(self.characters, self.terrain, self.props, self.settings, ground_collides=collides)
        add_motors(spec, self.characters)
        compile_spec(spec)
        return str(spec.to_xml())
