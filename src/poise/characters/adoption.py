"""The adoption table of an MJCF or URDF model: which body has which role, which joint is which axis.

This module owns only the table; `poise.world.adopt` opens the model, since only that package knows MuJoCo.

    mjcf = "robot.xml"                          or urdf = "robot.urdf"; "package:NAME/..." looks into a Python package
    forward = "x"                               direction that the model faces: x, -x, y or -y
    [roles]      left_foot = "foot_left"        role = the model's body
    [axes]       left_hip_pitch = "-hip_y_l"    our axis = the model's joint; "-" if its sign is opposite
    [gains]      hip_pitch = [300, 30]          kp in Nm/rad and kd in Nms/rad; a name without a side means both sides
    [landmarks]  and [rest_pose_rad]            as for any character, with the model's bodies as segments
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from poise.characters.model import ROLES, SIDES
from poise.errors import InputError, describe_unknown_name
from poise.tables import Table
from poise.trust import check_kind, check_readable, reading_below

PACKAGE_PREFIX: Final = "package:"
MODEL_SUFFIXES: Final = (".xml", ".mjcf", ".urdf")
#: Sine and cosine of the rotation about z from each direction to our forward.
FORWARD: Final = {"x": (0.0, 1.0), "y": (-1.0, 0.0), "-x": (0.0, -1.0), "-y": (1.0, 0.0)}


@dataclass(frozen=True)
class AdoptedAxis:
    """Our name for a joint of the model; our angle = sign × its angle."""

    name: str
    sign: float


@dataclass(frozen=True)
class AdoptionTable:
    """An adoption table, read but not yet checked against its model."""

    table: Table
    name: str
    source: str
    forward: str
    #: role -> body of the model.
    roles: dict[str, str]
    #: joint of the model -> axis.
    axes: dict[str, AdoptedAxis]
    #: axis (or its name without a side) -> kp and kd.
    gains: dict[str, tuple[float, float]]

    def check_roles(self, bodies: Sequence[str]) -> None:
        """Raise if a role names a body that the model lacks."""
        table = self.table.table("roles")
        for role, body in self.roles.items():
            if body not in bodies:
                table.fail(describe_unknown_name("body", body, bodies), role)

    def check_axes(self, joints: Sequence[str], axes: Sequence[str]) -> None:
        """Raise if an axis names an unknown joint, or gains name an unknown axis."""
        table = self.table.table("axes")
        for joint, axis in self.axes.items():
            if joint not in joints:
                table.fail(describe_unknown_name("joint", joint, joints), axis.name)
        known = [*axes, *(a.partition("_")[2] for a in axes if a.partition("_")[0] in SIDES)]
        for name in self.gains:
            if name not in known:
                self.table.table("gains").fail(describe_unknown_name("axis", name, axes), name)

    def find_gains(self, axis: str) -> tuple[float, float] | None:
        """Gains of an axis: its own, or those for both sides."""
        return self.gains.get(axis, self.gains.get(axis.partition("_")[2]))


def read_adoption(table: Table) -> AdoptionTable:
    """Read the table except for `landmarks` and `rest_pose_rad`, which need the segments."""
    table.only(
        "name", "mjcf", "urdf", "extra", "source", "forward", "roles", "axes", "gains", "landmarks", "rest_pose_rad"
    )
    roles_table = table.table("roles", required=True)
    roles = {}
    for key in roles_table.data:
        if key not in ROLES:
            roles_table.fail(describe_unknown_name("role", key, ROLES), key)
        roles[key] = roles_table.string(key)
    return AdoptionTable(
        table,
        table.name("name", Path(table.path).stem),
        table.string("source", ""),
        table.choice("forward", "direction", tuple(FORWARD), "x"),
        roles,
        _read_axes(table.table("axes")),
        _read_gains(table.table("gains")),
    )


def _read_axes(table: Table) -> dict[str, AdoptedAxis]:
    axes: dict[str, AdoptedAxis] = {}
    for key in table.data:
        table.check_name(key)
        joint = table.string(key)
        sign = -1.0 if joint.startswith("-") else 1.0
        joint = joint.removeprefix("-")
        if joint in axes:
            table.fail(f"joint {joint!r} is already axis {axes[joint].name!r}", key)
        axes[joint] = AdoptedAxis(key, sign)
    return axes


def _read_gains(table: Table) -> dict[str, tuple[float, float]]:
    gains = {}
    for key in table.data:
        kp, kd = table.vector(key, (2,), -1e7, 1e7)
        if kp < 0 or kd < 0:
            table.fail("gains must be zero or positive", key, got=[kp, kd])
        gains[key] = (kp, kd)
    return gains


def find_model_file(table: Table) -> Path:
    """Path of the MJCF or URDF file that a table names."""
    key = "mjcf" if "mjcf" in table else "urdf"
    name = table.string(key)
    folder = find_model_folder(table)
    path = folder / (name.partition("/")[2] if name.startswith(PACKAGE_PREFIX) else name)
    try:
        check_kind(path, "a model", MODEL_SUFFIXES)
        # A data file may name any installed package, but nothing around it.
        with reading_below(folder):
            check_readable(path)
    except InputError as error:
        table.fail(str(error), key, cause=error)
    return path


def find_model_folder(table: Table) -> Path:
    """The folder to which a table's model path is relative: its own, or that of the package."""
    name = table.string("mjcf" if "mjcf" in table else "urdf")
    if not name.startswith(PACKAGE_PREFIX):
        return Path(table.path).parent
    package = name.removeprefix(PACKAGE_PREFIX).partition("/")[0]
    try:
        # For a name without dots, find_spec imports nothing.
        spec = importlib.util.find_spec(package) if package.isidentifier() else None
    except (ImportError, ValueError):
        spec = None
    # Any folder on the path would count as a namespace package, which has no origin.
    if spec is None or spec.origin is None or not spec.submodule_search_locations:
        extra = table.string("extra", "")
        advice = f"Install it with: pip install 'poise[{extra}]'" if extra else "Install it first"
        raise InputError(
            f"needs the Python package {package!r}, which is not installed", where=table.path, allowed=advice
        )
    return Path(next(iter(spec.submodule_search_locations)))
