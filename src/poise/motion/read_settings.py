"""How to read a motion file that omits facts or has them wrong: as options, and as a table of a TOML file."""

from __future__ import annotations

import os
from collections.abc import Mapping as Roles
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final

from poise.motion.clip import MAX_RATE_HZ, MIN_RATE_HZ, Clip
from poise.motion.conventions import AXES, parse_unit_m
from poise.motion.load import load_clip
from poise.tables import Table

KEYS: Final = ("unit", "up", "fps", "skeleton", "keep_start", "map")


@dataclass(frozen=True)
class ReadSettings:
    """The options of `load_clip`; by default nothing is overridden."""

    unit: str | None = None
    up: str | None = None
    rate_hz: float | None = None
    roles: Roles[str, str] = field(default_factory=dict)
    keep_start: bool = False
    skeleton: str | None = None

    def load(self, path: str | PathLike[str]) -> Clip:
        """Load the clip in a motion file."""
        return load_clip(
            path,
            unit=self.unit,
            up=self.up,
            rate_hz=self.rate_hz,
            roles=self.roles,
            keep_start=self.keep_start,
            skeleton=self.skeleton,
        )

    def beside(self, path: str | PathLike[str]) -> ReadSettings:
        """The same settings with the ASF file named relative to a controller file."""
        if self.skeleton is None:
            return self
        return replace(self, skeleton=Path(os.path.relpath(self.skeleton, Path(path).parent)).as_posix())

    def as_table(self) -> dict[str, Any]:
        """The settings that differ from the defaults, as the table `read` of a controller file."""
        values = (self.unit, self.up, self.rate_hz, self.skeleton, self.keep_start, dict(self.roles))
        return {key: value for key, value in zip(KEYS, values) if value not in (None, False, {})}

    def as_options(self) -> list[str]:
        """The same settings as options of a command."""
        words = [f"--{key} {value}" for key, value in self.as_table().items() if key in ("unit", "up", "skeleton")]
        words += [] if self.rate_hz is None else [f"--fps {self.rate_hz:g}"]
        words += ["--keep-start"] if self.keep_start else []
        return words + [f"--map {role}={joint}" for role, joint in self.roles.items()]


PLAIN_READING: Final = ReadSettings()


def read_settings(table: Table) -> ReadSettings:
    """Read the table `read` of a controller file; an ASF file is named relative to it."""
    table.only(*KEYS)
    unit, skeleton = table.string("unit", None), table.string("skeleton", None)
    if unit is not None:
        with table.errors_at("unit"):
            parse_unit_m("", unit)
    roles = table.table("map")
    return ReadSettings(
        unit=unit,
        up=table.choice("up", "axis", AXES, None),
        rate_hz=table.number("fps", MIN_RATE_HZ, MAX_RATE_HZ, None),
        roles={role: roles.string(role) for role in roles},
        keep_start=table.flag("keep_start", False),
        skeleton=None if skeleton is None else str(Path(table.path).parent / skeleton),
    )
