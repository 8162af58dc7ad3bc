import sys

import mujoco
import numpy as np
import pytest

from poise.errors import InputError, NotFoundError
from poise.world import video
from poise.world.video import VideoUnavailable, check_video, render_video

XML = """
<mujoco>
  <worldbody>
    <geom name="ground" type="plane" size="0 0 1"/>
    <body name="ball" pos="0 0 0.5"><freejoint/><geom size="0.3" rgba="0.9 0.2 0.1 1"/></body>
  </worldbody>
</mujoco>
"""
SIZE = (160, 120)


@pytest.fixture(scope="module")
def ball():
    """A spec, and two seconds in which the ball flies ten metres along x."""
    time = np.arange(0.0, 2.0 + 1e-9, 0.01)
    qpos = np.zeros((len(time), 7))
    qpos[:, 0], qpos[:, 2], qpos[:, 3] = 5.0 * time, 0.5, 1.0
    return mujoco.MjSpec.from_string(XML), qpos, time


@pytest.fixture(scope="module")
def frames(ball, tmp_path_factory):
    """The pictures of the video of the ball at 10 frames a second."""
    path = tmp_path_factory.mktemp("video") / "ball.mp4"
    try:
        render_video(*ball, path, fps=10.0, size=SIZE, follow_body="ball")
    except VideoUnavailable as reason:
        pytest.skip(str(reason))
    import av

    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264" and float(stream.average_rate) == 10.0
        return [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0)]


def red_pixels(picture):
    return np.argwhere((picture[..., 0] > 120) & (picture[..., 1] < 100))


def test_two_seconds_at_ten_a_second_are_21_pictures(frames):
    assert len(frames) == 21 and frames[0].shape == (120, 160, 3)


def test_the_camera_follows(frames):
    for picture in frames:
        red = red_pixels(picture)
        assert len(red) > 200
        assert abs(red[:, 1].mean() - 80) < 40


def test_the_floor_is_checkered_and_the_sky_is_bright(frames):
    floor = frames[0][100:118, :, 0]
    assert floor.std() > 5.0
    assert frames[0][:10].mean() > 180


def test_a_compiled_model_is_drawn_as_it_is(ball, frames, tmp_path):
    spec, qpos, time = ball
    model = spec.compile()
    before = model.vis.global_.offwidth
    render_video(model, qpos[:30], time[:30], tmp_path / "x.mp4", size=SIZE)
    assert (tmp_path / "x.mp4").stat().st_size > 500
    assert model.vis.global_.offwidth == before


def test_progress_is_reported(ball, frames, tmp_path):
    done: list[float] = []
    render_video(*ball, tmp_path / "x.mp4", fps=2.0, size=SIZE, progress=done.append)
    assert done == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])


def test_the_environment_is_left_alone(frames, monkeypatch):
    import os

    assert "MUJOCO_GL" not in os.environ and "PYOPENGL_PLATFORM" not in os.environ


def test_without_opengl_the_line_says_what_to_install(ball, tmp_path, monkeypatch):
    monkeypatch.setattr(video, "_can_load", lambda file: False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    with pytest.raises(VideoUnavailable) as error:
        render_video(*ball, tmp_path / "x.mp4")
    assert str(error.value) == (
        "no OpenGL library for video could be loaded. On Debian: apt install libegl1 libgl1, or libosmesa6."
    )
    assert list(tmp_path.iterdir()) == []


def test_without_the_encoder_the_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(VideoUnavailable) as error:
        check_video()
    assert str(error.value) == (
        "PyAV, which encodes video, is not installed. Install it with: pip install 'poise[video]'."
    )


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"fps": 0.0}, "video: fps is out of range, got 0.0. Allowed: 1 to 240."),
        ({"size": (641, 480)}, "video: size must be two even numbers from 16 to 4096, got (641, 480)."),
        ({"follow_body": 9}, "video: follow_body is out of range, got 9. Allowed: 0 to 1."),
    ],
)
def test_bad_requests_are_refused(ball, tmp_path, settings, text):
    with pytest.raises(InputError) as error:
        render_video(*ball, tmp_path / "x.mp4", **settings)
    assert str(error.value) == text


def test_an_unknown_body_is_named(ball, tmp_path):
    with pytest.raises(NotFoundError) as error:
        render_video(*ball, tmp_path / "x.mp4", follow_body="bal")
    assert str(error.value) == "video: no body named 'bal'. Known here: world, ball. Did you mean 'ball'?"


def test_states_of_another_model_are_refused(ball, tmp_path):
    spec, qpos, time = ball
    with pytest.raises(InputError) as error:
        render_video(spec, qpos[:, :3], time, tmp_path / "x.mp4")
    assert str(error.value) == "video: qpos must have the shape (201, 7), got (201, 3)."
