"""The end of a script: from then on the body is limp, and its collapse is not part of the motion."""

from __future__ import annotations

from poise.recordings.crop import crop_limp
from poise.recordings.phases import read_script_ends
from poise.recordings.recording import Recording


def find_end_s(recording: Recording, character: int = 0) -> float | None:
    """The time at which a character's script ended; None if it did not, or if there is none."""
    ends = read_script_ends(recording.meta)
    return next((end.ended_at_s for end in ends if end.character == character), None)


def crop_to_end(recording: Recording, character: int = 0) -> Recording:
    """The part of a recording in which a character was controlled; all of it unless its script ended."""
    end_s = find_end_s(recording, character)
    return recording if end_s is None else crop_limp(recording, end_s)
