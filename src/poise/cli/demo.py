"""`poise demo`: a walking character in the browser, or ten seconds of walking as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poise.cli.screen import make_console, note, note_if_cold, show_progress
from poise.cli.studio import DEFAULT_CONTROLLER, DEFAULT_PORT, parse_port, studio
from poise.cli.summary import make_summary

if TYPE_CHECKING:
    from poise.rollout.scene import Scene

SECONDS = 10.0
SPEED_MPS = 1.0
#: Time and heading of the turns: the effect of pressing a key four times.
TURNS = ((3.0, 15.0), (3.5, 30.0), (4.0, 45.0), (4.5, 60.0))
#: Push to its left.
SHOVE_S, SHOVE_N = 7.5, 150.0
OUT = Path("out")


def demo(
    headless: Annotated[bool, typer.Option("--headless", help="Write out/demo.png instead of using a browser")] = False,
    port: Annotated[str, typer.Option(metavar="N", help="Port on this machine")] = DEFAULT_PORT,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address")] = False,
) -> None:
    """Show a walking character that you can steer and push, until Ctrl-C"""
    parse_port(port)
    if headless:
        _run_headless()
    else:
        studio(DEFAULT_CONTROLLER, port=port, no_browser=no_browser)


def make_scene() -> Scene:
    """The demo scene: it walks off, turns, and is pushed."""
    from poise.rollout.scene import Scene
    from poise.rollout.simulate import Change
    from poise.world.world import Push

    return Scene(
        DEFAULT_CONTROLLER,
        values={"speed_mps": SPEED_MPS},
        changes=[Change(at_s, "heading_deg", heading_deg) for at_s, heading_deg in TURNS],
        pushes=[Push(force_n=SHOVE_N, direction_deg=90.0, start_s=SHOVE_S, duration_s=0.1)],
    )


def _run_headless() -> None:
    from poise.api import run_scene
    from poise.rollout.export import export
    from poise.world.video import VideoUnavailable

    scene = make_scene()
    note_if_cold()
    with show_progress("simulating") as progress:
        done = run_scene(scene, SECONDS, progress=progress)
    make_console().print(make_summary(done))
    strip, video = OUT / "demo.png", OUT / "demo.mp4"
    export(done.recording, strip)
    print(f"wrote {strip}")
    note("Rendering the video …")
    try:
        export(done.recording, video, lambda: scene.open().spec)
        print(f"wrote {video}")
    except VideoUnavailable as error:
        print(f"{video} was not made: {error}")
