"""Options with which the commands of `poise clip` read and edit motion files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import typer

from poise.cli.values import parse_number, split_assignments
from poise.errors import unknown_name

if TYPE_CHECKING:
    from poise.motion.clip import Clip
    from poise.motion.mapping import Mapping
    from poise.motion.read_settings import ReadSettings

Option = typer.Option
Text = str | None


@dataclass(frozen=True)
class ReadOptions:
    """How to read a motion file, as typed."""

    unit: Annotated[Text, Option(metavar="U", help="Length of a unit: m, cm, mm, inch, cmu, or metres.")] = None
    up: Annotated[Text, Option(metavar="AXIS", help="Axis of the file that points up: y, z, x, -y, -z, -x.")] = None
    fps: Annotated[Text, Option(metavar="HZ", help="Frame rate of the file, if it is missing or wrong.")] = None
    roles: Annotated[
        list[str] | None, Option("--map", metavar="ROLE=JOINT", help="Joint that has a role of the body.")
    ] = None
    keep_start: Annotated[bool, Option("--keep-start", help="Keep T-poses at the start and the end.")] = False
    skeleton: Annotated[
        Text, Option(metavar="F", help="The ASF file of an AMC file; by default the one beside it.")
    ] = None

    def settings(self) -> ReadSettings:
        """The options, checked."""
        from poise.motion.clip import MAX_RATE_HZ, MIN_RATE_HZ
        from poise.motion.conventions import AXES, parse_unit_m
        from poise.motion.read_settings import ReadSettings

        # Checked here because a clip file has its own unit and axes, and only notes that both have no effect.
        if self.unit is not None:
            parse_unit_m("--unit", self.unit)
        if self.up is not None and self.up not in AXES:
            raise unknown_name("--up", "axis", self.up, list(AXES))
        return ReadSettings(
            unit=self.unit,
            up=self.up,
            rate_hz=None if self.fps is None else parse_number("--fps", self.fps, MIN_RATE_HZ, MAX_RATE_HZ, "Hz"),
            roles=split_assignments("--map", self.roles or []),
            keep_start=self.keep_start,
            skeleton=self.skeleton,
        )

    def load(self, file: str) -> tuple[Clip, Mapping]:
        """The clip in a file, and the mapping of body roles to its joints."""
        from poise.motion.mapping import guess_mapping
        from poise.motion.shipped import find_clip

        clip = self.settings().load(find_clip(file))
        return clip, guess_mapping(clip.skeleton)


@dataclass(frozen=True)
class EditOptions:
    """The part of a clip to use, its smoothing and its frame rate, as typed."""

    rate: Annotated[Text, Option(metavar="HZ", help="Frame rate of the result.")] = None
    smooth: Annotated[Text, Option(metavar="HZ", help="Cutoff of the low-pass filter.")] = None
    start: Annotated[Text, Option("--from", metavar="S", help="Start of the part to use, in seconds.")] = None
    end: Annotated[Text, Option("--to", metavar="S", help="End of the part to use, in seconds.")] = None

    def edit(self, clip: Clip) -> Clip:
        """The requested part of a clip, smoothed and resampled."""
        from poise.motion.clip import MAX_RATE_HZ, MIN_RATE_HZ
        from poise.motion.resample import resample, smooth

        if self.smooth is not None:
            clip = smooth(clip, parse_number("--smooth", self.smooth, 0.0, None, "Hz"))
        if self.start is not None or self.end is not None:
            first = 0.0 if self.start is None else parse_number("--from", self.start, 0.0, clip.duration_s, "s")
            last = clip.duration_s if self.end is None else parse_number("--to", self.end, first, None, "s")
            clip = clip.cut(round(first * clip.rate_hz), min(round(last * clip.rate_hz), clip.frames - 1))
        if self.rate is not None:
            clip = resample(clip, parse_number("--rate", self.rate, MIN_RATE_HZ, MAX_RATE_HZ, "Hz"))
        return clip


#: Defaults of commands' parameters that `with_groups` replaces by the options.
READ: Final = ReadOptions()
EDIT: Final = EditOptions()
