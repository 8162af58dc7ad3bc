"""`poise demo` and `poise studio`: what they start, and what the demo leaves without a browser."""

from pathlib import Path
from typing import Any

import pytest

from poise.kernels.jit import JIT_ENABLED
from poise.world.video import NO_OPENGL, VideoUnavailable


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What would have been served."""
    calls: list[dict[str, Any]] = []

    def serve(controller: str, character: str | None, **settings: Any) -> None:
        settings.pop("say")("http://127.0.0.1:8080")
        calls.append({"controller": controller, "character": character, **settings})

    monkeypatch.setattr("poise.studio.serve", serve)
    return calls


def test_demo_opens_the_studio_with_the_walker(poise, served: list[dict[str, Any]]) -> None:
    result = poise("demo")
    assert (result.exit_code, result.stdout) == (0, "http://127.0.0.1:8080\n")
    assert served == [
        {
            "controller": "walker/walk", "character": None, "terrain": None, "timestep_s": 0.0005,
            "ground": None, "folder": None, "port": 8080, "open_browser": True,
        }
    ]  # fmt: skip


def test_studio_takes_its_options(poise, served: list[dict[str, Any]]) -> None:
    command = (
        "studio pose/hold --character humanoid --terrain slope:3 --timestep 0.001 --ground firm --port 0 --folder ."
    )
    assert poise(*command.split(), "--no-browser").exit_code == 0
    assert served == [
        {
            "controller": "pose/hold", "character": "humanoid", "terrain": "slope:3", "timestep_s": 0.001,
            "ground": "firm", "folder": ".", "port": 0,
            "open_browser": False,
        }
    ]  # fmt: skip


def test_studio_refuses_a_wrong_port(poise, served: list[dict[str, Any]]) -> None:
    result = poise("studio", "--port", "70000")
    text = "error: --port: the number is out of range, got 70000. Allowed: 0 to 65535.\n"
    assert (result.exit_code, result.stderr, served) == (2, text, [])


def test_headless_demo_writes_a_film_strip_and_says_how_to_get_video(poise, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **settings: object) -> None:
        raise VideoUnavailable(NO_OPENGL)

    monkeypatch.setattr("poise.world.video.render_video", refuse)
    result = poise("demo", "--headless")
    assert result.exit_code == 0
    assert "still on its feet" in result.stdout
    assert "simulated" in result.stdout and " 10 s at " in result.stdout
    assert result.stdout.splitlines()[-2:] == ["wrote out/demo.png", f"out/demo.mp4 was not made: {NO_OPENGL}"]
    assert "apt install" in NO_OPENGL
    assert Path("out/demo.png").read_bytes().startswith(b"\x89PNG")
    assert not Path("out/demo.mp4").exists()


def test_headless_demo_makes_a_video_where_it_can(poise, monkeypatch: pytest.MonkeyPatch) -> None:
    def render(spec: object, qpos: Any, time_s: Any, path: Path, **settings: object) -> None:
        path.write_bytes(b"video")

    monkeypatch.setattr("poise.world.video.render_video", render)
    result = poise("demo", "--headless")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "wrote out/demo.mp4"


@pytest.mark.parametrize(("files", "said"), [([], True), (["index.nbi", "loop.nbc"], False)])
def test_compiling_is_announced_when_nothing_is_compiled_yet(
    poise, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: list[str], said: bool
) -> None:
    folder = tmp_path / "cache" / "deeper"
    folder.mkdir(parents=True)
    for name in files:
        (folder / name).touch()
    monkeypatch.setattr("poise.kernels.jit.cache_folder", lambda: tmp_path / "cache")
    result = poise("run", "simbicon/planar-walk", "--seconds", "0.1")
    text = "Compiling the control loop. This happens once and takes about half a minute …\n"
    assert result.stderr == (text if said and JIT_ENABLED else "")
