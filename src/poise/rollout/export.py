"""One door for all exports: the ending of the file's name says what to write."""

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

#: What can be written, by ending, with a word for people. Longer endings come before those they end with.
ENDINGS: Final[dict[str, str]] = {
    ".npz": "recording",
    ".csv": "table",
    ".bvh": "motion",
    **{f".{kind}.png": f"plot of {kind}" for kind in PLOTS},
    ".png": "film strip",
    ".mp4": "video",
}


def check_export_path(path: str | PathLike[str]) -> str:
    """The ending of a name that `export` accepts, for callers who want to know before a long run."""
    name = fspath(path).lower()
    for ending in ENDINGS:
        if name.endswith(ending) and len(name.rpartition("/")[2]) > len(ending):
            return ending
    allowed = ", ".join(f"{ending} ({what})" for ending, what in ENDINGS.items())
    raise InputError(
        "nothing can be exported to a file with this ending", where=fspath(path), allowed=f"Allowed: {allowed}"
    )


def export(
    recording: Recording, path: str | PathLike[str], model: Any | Callable[[], Any] | None = None, *, character: int = 0
) -> None:
    """Writes a recording in the form that the path's ending names, whole or not at all.

    `.npz` and `.csv` hold every character, the rest one. A video needs the compiled model of the world that was
    recorded, or a function that makes it, which is called for a video only.
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
        raise InputError("a video needs the model of the world that was recorded", where=fspath(path))
    # MuJoCo takes a second to import and is needed for videos alone.
    from poise.world.video import render_video

    # Bodies follow the world's own body in the order of the recording's segments.
    body = 1 + recording.segments_of(character).start
    render_video(model() if callable(model) else model, recording.qpos, recording.time_s, path, follow_body=body)
