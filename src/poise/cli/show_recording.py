"""`poise show recording`: the figures of a recorded run, and all changes of phase of its scripts."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.cli.options import JsonOption
from poise.cli.outputs import MakeFoldersOption
from poise.cli.screen import keep_stdout_for_json, make_console, make_facts, make_table, write_json


def show_recording(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A recording: .npz of poise run --export")],
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Show a recording: its figures, and the whole log of phases if it ran a script"""
    from poise.api import Run
    from poise.cli.phases import describe_end, list_passages
    from poise.cli.summary import describe_metrics, describe_requests, summarize
    from poise.measures.metrics import compute_metrics
    from poise.measures.upright import describe_outcome
    from poise.recordings.phases import read_script_ends
    from poise.recordings.recording_file import load_recording

    recording = load_recording(file)
    meta, ends = recording.meta, read_script_ends(recording.meta)
    done = Run(recording, compute_metrics(recording))
    with keep_stdout_for_json(json):
        if json != "-":
            console = make_console()
            facts = [
                ("outcome", describe_outcome(recording)),
                *(("script", describe_end(end)) for end in ends if end.character == 0),
                *describe_requests(meta),
                ("recorded", f"{done.metrics.seconds:.4g} s in {recording.frames} frames"),
                *describe_metrics(done.metrics),
            ]
            console.print(make_facts(f"{done.metrics.controller} on {done.metrics.character}", facts))
            for end in ends:
                title = "phases" if len(ends) == 1 else f"phases of character {end.character}"
                rows = list_passages(meta, end.character)
                if rows:
                    console.print(make_table(("time", "phase"), rows, title=title, right=("time",)))
    if json is not None:
        write_json(json, summarize(done))
