"""Trials of gaits: run a scene and measure its gait over a window of time."""

from __future__ import annotations

from poise.batches.threads import heartbeat
from poise.constants import DEFAULT_RECORD_HZ
from poise.errors import DivergedError
from poise.measures.walking import Gait, measure_gait
from poise.recordings.recording import Recording
from poise.rollout.pool import lend_world
from poise.rollout.scene import Scene
from poise.rollout.simulate import simulate


def run_trial(
    scene: Scene,
    seconds: float,
    *,
    settle_s: float = 0.0,
    record_hz: float = DEFAULT_RECORD_HZ,
    stop_on_fall: bool = True,
) -> Gait:
    """Runs a scene for `seconds` and measures its gait from `settle_s`; a diverged state counts as a fall."""
    recording, fell_at_s = record_trial(scene, seconds, record_hz=record_hz, stop_on_fall=stop_on_fall)
    return measure_gait(recording, start_s=settle_s, fell_at_s=fell_at_s)


def record_trial(
    scene: Scene, seconds: float, *, record_hz: float = DEFAULT_RECORD_HZ, stop_on_fall: bool = True
) -> tuple[Recording, float | None]:
    """The recording of a scene and the time of its fall, for jobs with their own measures."""
    with lend_world(scene) as world:
        try:
            recording = simulate(
                world,
                seconds,
                changes=scene.changes,
                record_hz=record_hz,
                stop_on_fall=stop_on_fall,
                progress=heartbeat,
            )
        except DivergedError as error:
            return error.recording, world.time_s
        return recording, world.fell_at_s()
