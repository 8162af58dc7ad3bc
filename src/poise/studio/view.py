"""The 3-D view as a page element. The drawing code is in `web`; three.js ships with NiceGUI."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

# The import registers three.js in the browser under the name that `web` imports.
import nicegui.elements.scene  # noqa: F401
from nicegui import events, ui

from poise.studio.published import Stage, View

#: Most poses that may be in flight; the browser acknowledges every third.
MAX_UNSEEN = 12
#: A browser silent for this long gets another pose, in case an acknowledgement was lost.
STALLED_S = 2.0
#: 0.1 mm is fine enough to draw and short to send.
DECIMALS = 4


def pack_pose(view: View) -> list[float]:
    """The pose as one flat list of numbers.

    Time, rate, leap, centre of mass (3), height of the ground, step phase (-1 for none), number of pushes, 6 numbers
    per push, 7 numbers per body.
    """
    moment = view.moment
    assert moment is not None
    rate = view.realtime_factor if view.running else 0.0
    return [
        round(moment.time_s, 5),
        round(rate, 3),
        float(view.leap),
        *(round(c, DECIMALS) for c in moment.com_w_m),
        round(moment.floor_m, DECIMALS),
        -1.0 if moment.phase is None else round(moment.phase, DECIMALS),
        float(len(moment.pushes)),
        *moment.pushes.round(DECIMALS).ravel().tolist(),
        *moment.pose.round(DECIMALS).ravel().tolist(),
    ]


class CharacterView(ui.element, component="web/view.js", esm={"poise-view": "web"}):
    """The character on its ground. The mouse orbits the camera and pulls the body."""

    def __init__(
        self,
        *,
        on_ready: Callable[[], None],
        on_pull: Callable[[int, list[float], list[float]], None],
        on_release: Callable[[], None],
        on_steer: Callable[[dict[str, float]], None],
    ) -> None:
        super().__init__()
        self.ready = False
        #: Frames that the browser drew in its last second of drawing.
        self.frames_hz = 0
        #: Poses sent, and the number acknowledged by the browser.
        self._sent = self._seen = 0
        self._sent_at = 0.0

        def become_ready() -> None:
            self.ready = True
            self._sent = self._seen = 0
            on_ready()

        def see(event: events.GenericEventArguments) -> None:
            self._seen = int(event.args)

        def pull(event: events.GenericEventArguments) -> None:
            grip: dict[str, Any] = event.args
            on_pull(int(grip["segment"]), _read_vector(grip["point"]), _read_vector(grip["target"]))

        self.on("ready", become_ready)
        self.on("seen", see)
        self.on("pull", pull)
        self.on("release", on_release)
        self.on("steer", lambda e: on_steer({name: float(value) for name, value in e.args.items()}))
        self.on("rate", self._count)

    def _count(self, event: events.GenericEventArguments) -> None:
        self.frames_hz = int(event.args)

    def show_scene(self, stage: Stage, *, keep: bool) -> None:
        """Show another stage; with `keep`, the camera stays where it is."""
        self.run_method("show_scene", stage.scene, keep)

    def show_command(self, command: dict[str, float] | None) -> None:
        """Show the arrow on the ground with its limits; None hides it."""
        self.run_method("show_command", command)

    def show_tracks(self, tracks: dict[str, Any] | None) -> None:
        """Show a script's motion around the present, and that of the previous version; None hides both."""
        self.run_method("show_tracks", tracks)

    @property
    def keeps_up(self) -> bool:
        """False while the browser lags behind in drawing; poses are then skipped rather than queued."""
        return self._sent - self._seen < MAX_UNSEEN or time.monotonic() - self._sent_at > STALLED_S

    def show_pose(self, view: View) -> None:
        self._sent += 1
        self._sent_at = time.monotonic()
        self.run_method("show_pose", self._sent, pack_pose(view))

    def reset_camera(self) -> None:
        self.run_method("reset_camera")


def _read_vector(values: Any) -> list[float]:
    x, y, z = values
    return [float(x), float(y), float(z)]
