"""`poise demo`: a walking character in the browser, or ten seconds of it in files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from poise.cli.screen import make_console, note, note_if_cold, show_progress
from poise.cli.studio import DEFAULT_CONTROLLER, DEFAULT_PORT, studio
from poise.cli.summary import make_summary

SECONDS = 10.0
OUT = Path("out")


def demo(
    headless: Annotated[bool, typer.Option("--headless", help="Without a browser: write out/demo.png.")] = False,
    port: Annotated[str, typer.Option(metavar="N", help="Port on this machine.")] = DEFAULT_PORT,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Show a walking character that you can push. Ctrl-C ends it."""
    if headless:
        _run_headless()
    else:
        studio(DEFAULT_CONTROLLER, port=port, no_browser=no_browser)


def _run_headless() -> None:
    from poise.api import Scene, run_scene
    from poise.rollout.export import export
    from poise.world.video import VideoUnavailable
    from poise.world.world import Push

    push = Push(force_n=300.0, direction_deg=0.0, start_s=SECONDS / 2, duration_s=0.1)
    scene = Scene(DEFAULT_CONTROLLER, "biped7", pushes=[push])
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
