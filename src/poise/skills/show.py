"""Recording of a transition: a run of the source, the phases between, and the target."""

from __future__ import annotations

from collections.abc import Sequence

from poise.recordings.recording import Recording
from poise.rollout.export import check_export_path, export
from poise.rollout.simulate import make_recording
from poise.skills.compare import TIMESTEP_S
from poise.skills.course import Stage
from poise.skills.make import Made
from poise.skills.starts import Leaving, go_to_leave
from poise.skills.way import make_way

#: How long the source runs before it is left, and the target afterwards.
BEFORE_S, AFTER_S = 3.0, 5.0


def check_exports(paths: Sequence[str]) -> None:
    """Refuse formats that cannot be written, before the search rather than after it."""
    if ".mp4" in {check_export_path(path) for path in paths}:
        from poise.world.video import check_video

        check_video()


def record_transition(made: Made) -> tuple[Stage, Recording]:
    """The undisturbed run; of the naive transition if none was learned."""
    stage = Stage(made.source.character, [made.source.controller], TIMESTEP_S)
    go_to_leave(stage, made.source, made.plan.leaving if made.plan else Leaving(), BEFORE_S)
    stage.switch(make_way(made.found.script if made.found else made.naive, made.target).controller)
    between_s = made.comparison.learned.seconds if made.comparison.learned else 0.0
    stage.advance((between_s or 0.0) + AFTER_S)
    return stage, make_recording(stage.world, stage.log, (), {"source": made.source.name, "target": made.target.name})


def export_transition(made: Made, path: str) -> None:
    """Write the run in the format that the path's suffix names."""
    stage, recording = record_transition(made)
    export(recording, path, stage.world.compiled_scene)
