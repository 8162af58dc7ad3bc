"""Which part of the tracks a view gets: a window around the present, sent again when the present nears its edge."""

from __future__ import annotations

from poise.studio.published import Stage, View
from poise.studio.view import CharacterView

#: What a window holds before and after the present, and how far the present may move before a new one is sent.
PAST_S, FUTURE_S, SLACK_S = 2.6, 3.6, 0.9


class Ghosts:
    """Sends windows of the tracks to a view."""

    def __init__(self, view: CharacterView) -> None:
        self._view = view
        self._sent: tuple[int, int] | None = None
        self._center_s = 0.0

    def forget(self) -> None:
        """Reset for a new stage, on which nothing is drawn yet."""
        self._sent = None

    def show(self, view: View, stage: Stage | None, wanted: bool) -> None:
        tracks, moment = view.tracks, view.moment
        if tracks is None or moment is None or stage is None or not wanted:
            if self._sent is not None:
                self._sent = None
                self._view.show_tracks(None)
            return
        what = (tracks.number, tracks.cuts)
        if what == self._sent and abs(moment.time_s - self._center_s) < SLACK_S:
            return
        self._sent, self._center_s = what, moment.time_s
        first, last = moment.time_s - PAST_S, moment.time_s + FUTURE_S
        bodies = sum(body["kind"] == "segment" for body in stage.scene["bodies"])
        mine, before = (track.between(first, last).pack(bodies) for track in (tracks.mine, tracks.before))
        self._view.show_tracks({"mine": mine, "before": before})
