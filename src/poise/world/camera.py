"""Single pictures of a running scene; `poise.world.video` renders recordings."""

from __future__ import annotations

import math
from contextlib import ExitStack

import mujoco
import numpy as np
from numpy.typing import NDArray

from poise.world.video import _AZIMUTH_DEG, _ELEVATION_DEG, _find_body, _measure, _open_renderer, _pose, dress


class Camera:
    """Draws states of one scene, following a body. Raises `VideoUnavailable` if there is no OpenGL."""

    def __init__(
        self, spec: mujoco.MjSpec, size: tuple[int, int] = (640, 480), follow_body: int | str | None = None
    ) -> None:
        self._model = dress(spec)
        self._data = mujoco.MjData(self._model)
        self._body = _find_body(self._model, follow_body)
        self._open = ExitStack()
        self._renderer = self._open.enter_context(_open_renderer(self._model, size, 0))
        self._renderer.scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False
        self._option = mujoco.MjvOption()
        self._option.sitegroup[:] = 0
        self._camera = mujoco.MjvCamera()
        self._camera.azimuth, self._camera.elevation = _AZIMUTH_DEG, _ELEVATION_DEG
        self._center: NDArray[np.float64] | None = None

    def draw(self, qpos: NDArray[np.float64]) -> NDArray[np.uint8]:
        """The picture of a state, (height, width, 3). The first call sets the camera's distance."""
        data = _pose(self._model, self._data, qpos)
        if self._center is None:
            self._center, radius = _measure(self._model, data, self._body)
            self._camera.distance = 1.15 * radius / math.sin(0.5 * math.radians(self._model.vis.global_.fovy))
        self._camera.lookat[:] = [*data.xpos[self._body, :2], self._center[2]]
        sun = self._model.light_type == mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
        # Shadows are drawn only near the light's position.
        data.light_xpos[sun, :2] = self._model.light_pos[sun, :2] + self._camera.lookat[:2]
        self._renderer.update_scene(data, self._camera, self._option)
        return np.array(self._renderer.render())

    def close(self) -> None:
        """Releases the OpenGL context."""
        self._open.close()
