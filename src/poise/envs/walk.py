"""`poise/Walk-v0`: learn to walk forward at a given speed by setting the targets of the joints' servos."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.controllers.catalog import load_controller
from poise.envs.observation import observation_bounds, observation_names, observe, to_heading
from poise.errors import out_of_range, unknown_name
from poise.kernels.fixed import add_up
from poise.kernels.rotation import heading_rad
from poise.rollout.run import Ticks, run
from poise.rollout.scene import Scene
from poise.world.adopt import load_any_character
from poise.world.camera import Camera
from poise.world.compile import PhysicsSettings
from poise.world.controller import Start
from poise.world.terrain import Terrain

FloatArray = NDArray[np.float64]

ACTION_HZ = 50.0
#: Servo target of an action of 1, relative to the joint's rest angle and within its limits.
ACTION_REACH_RAD = 1.0
#: A speed this far from the target earns 1/e of the reward.
SPEED_WIDTH_MPS = 0.5
ALIVE_REWARD = 0.5
#: Cost of one watt per newton of body weight.
EFFORT_WEIGHT = 0.1


class WalkEnv(gymnasium.Env[FloatArray, NDArray[np.float32]]):
    """A character that falls unless its servos receive good targets.

    An action holds a number from -1 to 1 for each joint axis. The servo's target is the rest angle plus this number
    times `ACTION_REACH_RAD`, within the joint's limits. The servos use the character's own gains with implicit damping;
    they run at the rate of the physics, the agent at 50 Hz. `observation_names` describes an observation. The reward is
    exp(-((speed - target) / 0.5 m/s)²) + 0.5 - 0.1·power / (weight · 1 m/s). A fall ends the episode.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": int(ACTION_HZ)}  # noqa: RUF012

    def __init__(
        self,
        character: str | Character = "biped7",
        *,
        target_speed_mps: float = 1.0,
        terrain: str | Terrain | None = None,
        timestep_s: float = 0.001,
        reset_noise: float = 0.02,
        render_mode: str | None = None,
        width: int = 640,
        height: int = 480,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise unknown_name("poise/Walk-v0", "render mode", render_mode, self.metadata["render_modes"])
        if not -10.0 <= target_speed_mps <= 10.0:
            raise out_of_range("poise/Walk-v0", "target_speed_mps", target_speed_mps, -10.0, 10.0, "m/s")
        if not 0.0 <= reset_noise <= 1.0:
            raise out_of_range("poise/Walk-v0", "reset_noise", reset_noise, 0.0, 1.0)
        self.character = load_any_character(character) if isinstance(character, str) else character
        self.target_speed_mps, self.reset_noise, self.render_mode = target_speed_mps, reset_noise, render_mode
        self._size = (width, height)
        self._camera: Camera | None = None
        servos = load_controller("pose/hold", self.character)
        self.world = Scene(
            servos, self.character, terrain=terrain, physics=PhysicsSettings(timestep_s=timestep_s)
        ).open()
        names = self.character.axis_names
        self._target_at = np.array([servos.parameter(f"{n}_rad").index for n in names], dtype=np.int64)
        self._rest = np.array([self.character.rest_pose_rad.get(n, 0.0) for n in names])
        self._low = np.array([a.low_rad for a in self.character.axes])
        self._high = np.array([a.high_rad for a in self.character.axes])
        self._ticks = max(1, round(1.0 / (ACTION_HZ * timestep_s)))
        self.observation_names = observation_names(self.character)
        self.action_space = spaces.Box(-1.0, 1.0, (len(names),), np.float32)
        self._bounds = observation_bounds(self.character)
        self.observation_space = spaces.Box(-self._bounds, self._bounds, dtype=np.float64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[FloatArray, dict[str, Any]]:
        """Reset to standing at rest, with noise of up to `reset_noise` on every joint angle and speed (rad, rad/s)."""
        super().reset(seed=seed)
        self.world.reset()
        names = self.character.axis_names
        angles, speeds = self.np_random.uniform(-self.reset_noise, self.reset_noise, (2, len(names)))
        angles = np.clip(self._rest + angles, self._low, self._high)
        start = Start(dict(zip(names, angles.tolist())), dict(zip(names, speeds.tolist())))
        self.world.place(0, start, self.world.spawns[0])
        return self._observe(), self._info(0.0)

    def step(self, action: NDArray[np.float32]) -> tuple[FloatArray, float, bool, bool, dict[str, Any]]:
        """Set the servos' targets and simulate a fiftieth of a second."""
        reach = ACTION_REACH_RAD * np.clip(np.asarray(action, dtype=float), -1.0, 1.0)
        self.world.params[0][self._target_at] = np.clip(self._rest + reach, self._low, self._high)
        place, work, before = self._place(), float(self.world.ledger.tallies[0].absolute_work_j), self.world.time_s
        ending = run(self.world, [Ticks(self._ticks), "down", "diverged"])
        diverged = ending.error is not None
        if ending.error is not None:
            self.world.restore(ending.error.snapshot)
        passed = max(self.world.time_s - before, self.world.settings.timestep_s)
        speed = float(to_heading(self._place() - place, self._heading())[0]) / passed
        power = (float(self.world.ledger.tallies[0].absolute_work_j) - work) / passed
        weight = self.character.mass_kg * self.world.settings.gravity_mps2
        fallen = diverged or self.world.fell_at_s() is not None
        rewards = {
            "reward_speed": math.exp(-(((speed - self.target_speed_mps) / SPEED_WIDTH_MPS) ** 2)),
            "reward_alive": 0.0 if fallen else ALIVE_REWARD,
            "reward_effort": -EFFORT_WEIGHT * power / max(weight, 1e-9),
        }
        info = {**self._info(speed), **rewards, "diverged": diverged}
        return self._observe(), add_up(rewards.values()), fallen, False, info

    def render(self) -> NDArray[np.uint8] | None:  # type: ignore[override]
        """An image of the character if `render_mode` is "rgb_array"."""
        if self.render_mode is None:
            return None
        if self._camera is None:
            self._camera = Camera(self.world.spec, self._size, self.character.segment_names[0])
        return self._camera.draw(self.world.state.positions)

    def close(self) -> None:
        """Release the resources of rendering."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _observe(self) -> FloatArray:
        return np.clip(observe(self.world), -self._bounds, self._bounds)

    def _place(self) -> FloatArray:
        q = self.world.percepts[0].root_q
        return np.array([q[0], q[1] if self.character.root == "free" else 0.0, 0.0])

    def _heading(self) -> float:
        return float(heading_rad(self.world.percepts[0].root_q[3:7])) if self.character.root == "free" else 0.0

    def _info(self, speed_mps: float) -> dict[str, Any]:
        x, y, _ = self._place()
        return {"time_s": self.world.time_s, "x_m": float(x), "y_m": float(y), "speed_mps": speed_mps}
