"""Videos: MuJoCo renders the recorded states, PyAV encodes them as H.264.

OpenGL is loaded only here, when a video is requested: EGL first, then OSMesa. This module never sets `MUJOCO_GL`,
since a wrong value makes `import mujoco` itself fail; if the user has set it, their choice is used.
"""

from __future__ import annotations

import ctypes
import io
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, PoiseError, out_of_range, unknown_name
from poise.files import save_bytes

FloatArray = NDArray[np.float64]

NO_OPENGL: Final = "no OpenGL library for video could be loaded. On Debian: apt install libegl1 libgl1, or libosmesa6."
NO_ENCODER: Final = "PyAV, which encodes video, is not installed. Install it with: pip install 'poise[video]'."

_LIBRARIES: Final = {"egl": ("libEGL.so.1",), "osmesa": ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so")}

#: The camera looks from the right and a little from ahead, slightly down.
_AZIMUTH_DEG: Final = 108.0
_ELEVATION_DEG: Final = -9.0
#: Standard deviation of the camera path's smoothing along x, y and z.
_FOLLOW_S: Final = (0.25, 0.25, 0.6)


class VideoUnavailable(PoiseError, RuntimeError):  # noqa: N818 - it names a state of the machine, not a fault
    """This machine cannot make videos; the message is one line that says what to install."""


def check_video() -> None:
    """Raises VideoUnavailable, saying what to install, unless this machine can make videos."""
    _import_av()
    with _open_renderer(mujoco.MjModel.from_xml_string("<mujoco/>"), (16, 16), 0):
        pass


def render_video(
    model: mujoco.MjModel | mujoco.MjSpec,
    qpos_frames: FloatArray,
    times_s: FloatArray,
    path: str | os.PathLike[str],
    fps: float = 30.0,
    size: tuple[int, int] = (640, 480),
    follow_body: int | str | None = None,
    *,
    samples: int = 0,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Writes an MP4 of states qpos (F, nq) at increasing times (F,), atomically.

    The camera follows a body, by name or index; None for the first. A spec, unlike a model, gets a checkered floor, a
    sky and a light that follows. `samples` is for antialiasing: 4 look better and take twice the time. `progress` is
    called with the fraction completed.
    """
    frames, times = np.asarray(qpos_frames, dtype=np.float64), np.asarray(times_s, dtype=np.float64)
    _check_request(times, fps, size)
    av = _import_av()
    compiled = dress(model) if isinstance(model, mujoco.MjSpec) else model
    if frames.shape != (len(times), compiled.nq):
        wanted = (len(times), compiled.nq)
        raise InputError(f"qpos must have the shape {wanted}", where="video", got=frames.shape)
    body = _find_body(compiled, follow_body)
    moments = times[0] + np.arange(math.floor((times[-1] - times[0]) * fps + 1e-6) + 1) / fps
    chosen = frames[np.searchsorted(0.5 * (times[1:] + times[:-1]), moments)]
    buffer = io.BytesIO()
    with _open_renderer(compiled, size, samples) as renderer, av.open(buffer, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": "20", "preset": "veryfast"}
        for k, pixels in enumerate(_draw(renderer, compiled, chosen, body, fps)):
            for packet in stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")):
                container.mux(packet)
            if progress is not None:
                progress((k + 1) / len(chosen))
        for packet in stream.encode():
            container.mux(packet)
    save_bytes(path, buffer.getvalue())


def dress(spec: mujoco.MjSpec) -> mujoco.MjModel:
    """A model for rendering, from a copy of the spec: checkered floor, bright sky, a light that follows."""
    dressed = spec.copy()
    dressed.add_texture(
        name="poise_sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX, builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.72, 0.80, 0.90], rgb2=[0.97, 0.97, 0.96], width=256, height=1536,
    )  # fmt: skip
    dressed.add_texture(
        name="poise_floor", type=mujoco.mjtTexture.mjTEXTURE_2D, builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        mark=mujoco.mjtMark.mjMARK_EDGE, markrgb=[0.95, 0.94, 0.92], rgb1=[0.86, 0.85, 0.82], rgb2=[0.76, 0.75, 0.72],
        width=512, height=512,
    )  # fmt: skip
    # A texture holds two squares of half a metre each.
    floor = dressed.add_material(name="poise_floor", texrepeat=[1.0, 1.0], texuniform=True, reflectance=0.0)
    floor.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "poise_floor"
    for geom in dressed.worldbody.geoms:
        if not geom.material:
            geom.material = "poise_floor"
            if geom.type == mujoco.mjtGeom.mjGEOM_PLANE:
                geom.rgba = [1.0, 1.0, 1.0, 1.0]
    dressed.visual.headlight.ambient = [0.38, 0.38, 0.38]
    dressed.visual.headlight.diffuse = [0.35, 0.35, 0.35]
    dressed.visual.headlight.specular = [0.05, 0.05, 0.05]
    dressed.visual.rgba.haze = [0.97, 0.97, 0.96, 1.0]
    dressed.visual.quality.shadowsize = 1024
    dressed.worldbody.add_light(
        name="poise_light", type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL, pos=[-0.5, -1.0, 4.0], dir=[0.15, 0.3, -1.0],
        diffuse=[0.5, 0.5, 0.48], specular=[0.15, 0.15, 0.15], castshadow=True,
    )  # fmt: skip
    return dressed.compile()


def _check_request(times: FloatArray, fps: float, size: tuple[int, int]) -> None:
    if times.ndim != 1 or not len(times) or not np.all(np.isfinite(times)) or np.any(np.diff(times) <= 0):
        raise InputError("a video needs at least one frame, and increasing times", where="video")
    if not 1.0 <= fps <= 240.0:
        raise out_of_range("video", "fps", fps, 1.0, 240.0)
    if any(int(s) != s or s % 2 or not 16 <= s <= 4096 for s in size):
        raise InputError("size must be two even numbers from 16 to 4096", where="video", got=size)


def _find_body(model: mujoco.MjModel, follow_body: int | str | None) -> int:
    names = [model.body(k).name for k in range(model.nbody)]
    if isinstance(follow_body, str):
        if follow_body not in names:
            raise unknown_name("video", "body", follow_body, names)
        return names.index(follow_body)
    if follow_body is not None and not 0 <= follow_body < model.nbody:
        raise out_of_range("video", "follow_body", follow_body, 0, model.nbody - 1)
    return min(1, model.nbody - 1) if follow_body is None else follow_body


def _draw(
    renderer: mujoco.Renderer, model: mujoco.MjModel, frames: FloatArray, body: int, fps: float
) -> Iterator[NDArray[np.uint8]]:
    data = mujoco.MjData(model)
    path = np.array([_pose(model, data, qpos).xpos[body].copy() for qpos in frames])
    center, radius = _measure(model, _pose(model, data, frames[0]), body)
    lookat = _smooth(path, fps) + (center - path[0])
    option = mujoco.MjvOption()
    option.sitegroup[:] = 0  # hide landmarks
    sun = model.light_type == mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    camera = mujoco.MjvCamera()
    camera.azimuth, camera.elevation = _AZIMUTH_DEG, _ELEVATION_DEG
    camera.distance = 1.15 * radius / math.sin(0.5 * math.radians(model.vis.global_.fovy))
    # Reflections are not worth their cost, and haze hides the edge of the floor.
    renderer.scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False
    renderer.scene.flags[mujoco.mjtRndFlag.mjRND_HAZE] = True
    for qpos, at in zip(frames, lookat):
        camera.lookat[:] = at
        _pose(model, data, qpos)
        # A directional light's position does not affect its light, but shadows are drawn only near it.
        data.light_xpos[sun, :2] = model.light_pos[sun, :2] + at[:2]
        renderer.update_scene(data, camera, option)
        yield renderer.render()


def _pose(model: mujoco.MjModel, data: mujoco.MjData, qpos: FloatArray) -> mujoco.MjData:
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_camlight(model, data)
    return data


def _measure(model: mujoco.MjModel, data: mujoco.MjData, body: int) -> tuple[FloatArray, float]:
    """Centre and radius of a sphere around everything with the same root as a body."""
    geoms = np.flatnonzero(model.body_rootid[model.geom_bodyid] == model.body_rootid[body])
    geoms = geoms[model.geom_type[geoms] != mujoco.mjtGeom.mjGEOM_PLANE]
    if not len(geoms):
        return data.xpos[body].copy(), 1.0
    reach = model.geom_rbound[geoms, None]
    low, high = (data.geom_xpos[geoms] - reach).min(axis=0), (data.geom_xpos[geoms] + reach).max(axis=0)
    return 0.5 * (low + high), max(0.5 * float(np.max(high - low)), 0.05)


def _smooth(path: FloatArray, fps: float) -> FloatArray:
    """A smoothed path, (F, 3); reflected at its ends to keep a steady speed steady there."""
    from scipy.ndimage import gaussian_filter1d

    margin = min(len(path) - 1, math.ceil(4.0 * max(_FOLLOW_S) * fps))
    padded = np.pad(path, ((margin, margin), (0, 0)), mode="reflect", reflect_type="odd")
    columns = [gaussian_filter1d(padded[:, k], _FOLLOW_S[k] * fps, mode="nearest") for k in range(3)]
    return np.stack(columns, axis=-1)[margin : margin + len(path)]


def _import_av() -> Any:
    try:
        import av
    except ImportError as error:
        raise VideoUnavailable(NO_ENCODER) from error
    return av


@contextmanager
def _open_renderer(model: mujoco.MjModel, size: tuple[int, int], samples: int) -> Iterator[mujoco.Renderer]:
    """MuJoCo's renderer on the first OpenGL that works; restores the model's own picture settings."""
    screen, quality = model.vis.global_, model.vis.quality
    before = (screen.offwidth, screen.offheight, quality.offsamples)
    screen.offwidth, screen.offheight, quality.offsamples = (*size, samples)
    try:
        renderer = _make_renderer(model, size)
    finally:
        screen.offwidth, screen.offheight, quality.offsamples = before
    try:
        yield renderer
    finally:
        renderer.close()


def _make_renderer(model: mujoco.MjModel, size: tuple[int, int]) -> mujoco.Renderer:
    from mujoco.rendering.classic import gl_context

    chosen = getattr(gl_context, "GLContext", None)
    if sys.platform != "linux" or os.environ.get("MUJOCO_GL"):
        backends: list[Callable[[], Any]] = [lambda: chosen]
    else:
        present = [name for name, files in _LIBRARIES.items() if any(_can_load(file) for file in files)]
        backends = [lambda name=name: _import_backend(name) for name in present]  # type: ignore[misc]
    reason: Exception | None = None
    for backend in backends:
        try:
            # The renderer looks up the class in this module when it is created, not on import.
            gl_context.GLContext = backend()
            return mujoco.Renderer(model, height=size[1], width=size[0])
        except Exception as error:  # drivers fail in many ways, and the next backend may work
            reason = error
        finally:
            gl_context.GLContext = chosen
    raise VideoUnavailable(NO_OPENGL) from reason


def _can_load(file: str) -> bool:
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True


def _import_backend(name: str) -> Any:
    """MuJoCo's context class for EGL or OSMesa."""
    loaded = sys.modules.get(f"mujoco.{name}")
    if loaded is not None:
        return loaded.GLContext
    # PyOpenGL chooses its platform on import, for good: unload one that failed before.
    for module in [
        m for m in sys.modules if m.split(".")[0] == "OpenGL" or m.startswith(("mujoco.egl", "mujoco.osmesa"))
    ]:
        del sys.modules[module]
    before = os.environ.pop("PYOPENGL_PLATFORM", None)
    try:
        if name == "egl":
            from mujoco.egl import GLContext
        else:
            from mujoco.osmesa import GLContext
        return GLContext
    finally:
        os.environ.pop("PYOPENGL_PLATFORM", None)
        if before is not None:
            os.environ["PYOPENGL_PLATFORM"] = before
