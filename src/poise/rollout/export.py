"""Exports recordings in the format that the suffix of the file name selects."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from typing import Any, Final

from poise.errors import InputError
from poise.recordings.recording import Recording
from poise.recordings.recording_file import save_recording
from poise.rollout.export_bvh import export_bvh
from poise.rollout.export_csv import export_csv
from poise.rollout.filmstrip import export_filmstrip
from poise.rollout.plots import PLOTS, export_plot

#: suffix -> name of the format. Longer suffixes come before those they end with.
ENDINGS: Final[dict[str, str]] = {
    ".npz": "recording",
    ".csv": "table",
    ".bvh": "motion",
    **{f".{kind}.png": f"plot of {kind}" for kind in PLOTS},
    ".png": "film strip",
    ".mp4": "video",
}


def check_export_path(path: str | PathLike[str]) -> str:
    """The suffix of a name that `export` accepts; lets callers check before a long run."""
    name = fspath(path).lower()
    for ending in ENDINGS:
        if name.endswith(ending) and len(name.rpartition("/")[2]) > len(ending):
            return ending
    allowed = ", ".join(f"{ending} ({what})" for ending, what in ENDINGS.items())
    raise InputError("cannot export to a file with this suffix", where=fspath(path), allowed=f"Allowed: {allowed}")


def export(
    recording: Recording, path: str | PathLike[str], model: Any | Callable[[], Any] | None = None, *, character: int = 0
) -> None:
    """Writes a recording in the format that the path's suffix selects, atomically.

    `.npz` and `.csv` hold every character, the rest one. A video needs the compiled model of the recorded world, or a
    function that makes it, which is called only for a video.
    """
    ending = check_export_path(path)
    if ending == ".npz":
        save_recording(recording, path)
    elif ending == ".csv":
        export_csv(recording, path)
    elif ending == ".bvh":
        export_bvh(recording, path, character)
    elif ending == ".mp4":
        _export_video(recording, path, model, character)
    elif ending == ".png":
        export_filmstrip(recording, path, character)
    else:
        export_plot(recording, path, ending.split(".")[1], character)


def _export_video(recording: Recording, path: str | PathLike[str], model: Any, character: int) -> None:
    if model is None:
        raise InputError("a video needs the model of the recorded world", where=fspath(path))
    # MuJoCo takes a second to import and is needed only for videos.
    from poise.world.video import render_video

    # Body 0 is the world; the others are in the order of the recording's segments.
    body = 1 + recording.segments_of(character).start
    render_video(model() if callable(model) else model, recording.qpos, recording.time_s, path, follow_body=body)
