"""A walker's TOML table: reading it into a spec, and writing changed parameters back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from poise.controllers.walker import layout
from poise.controllers.walker.fields import load_fields
from poise.controllers.walker.styles import OWN, Style, read_style, shipped_styles
from poise.errors import out_of_range, unknown_name
from poise.tables import Table, as_table

METHOD: Final = "walker"
GAIN_RANGE: Final = (0.0, 1e5)


@dataclass(frozen=True)
class WalkerSpec:
    """The contents of a walker's file, for the reference body: values by name, gains by joint, its own styles."""

    values: Mapping[str, float]
    gains: Mapping[str, tuple[float, float]]
    styles: Mapping[str, Style]

    def all_styles(self) -> dict[str, Style]:
        """The shipped styles, the file's own, and a slot for editing that starts as a copy of the first."""
        styles = {**shipped_styles(), **self.styles}
        styles.setdefault(OWN, replace(next(iter(styles.values())), name=OWN))
        if len(styles) > layout.MAX_STYLES:
            raise out_of_range(METHOD, "number of styles", len(styles), 1, layout.MAX_STYLES)
        return styles


def read_spec(table: Mapping[str, Any], where: str) -> WalkerSpec:
    """Read a walker from its TOML table."""
    table = as_table(table, where)
    table.only("values", "gains", "styles")
    styles = {name: read_style(name, own, name) for name, own in table.table("styles").children()}
    return WalkerSpec(_read_values(table.table("values"), styles), _read_gains(table.table("gains")), styles)


def _read_values(table: Table, styles: Mapping[str, Style]) -> dict[str, float]:
    values: dict[str, float] = {}
    fields, earlier = load_fields().all, load_fields().earlier_names
    for given in table:
        name = earlier.get(given, given)
        table.check_known("value", name, fields, given)
        if name in values:
            table.fail(f"is the earlier name of {name}, which is also given", given)
        if name == "style":
            names = list(WalkerSpec({}, {}, styles).all_styles())
            values[name] = float(names.index(table.choice(given, "style", names)))
        else:
            values[name] = table.number(given, fields[name].low, fields[name].high)
    return values


def _read_gains(table: Table) -> dict[str, tuple[float, float]]:
    gains: dict[str, tuple[float, float]] = {}
    for joint in table:
        table.check_known("joint", joint, load_fields().gains, joint)
        kp, kd = table.vector(joint, (2,), *GAIN_RANGE)
        gains[joint] = (kp, kd)
    return gains


def revise_values(table: Mapping[str, Any], values: Mapping[str, float], scales: Mapping[str, float]) -> dict[str, Any]:
    """The table with changed parameters, whose values are given for a body with these scales."""
    spec, parameters = read_spec(table, METHOD), load_fields().parameters
    revised = {load_fields().earlier_names.get(name, name): value for name, value in table.get("values", {}).items()}
    for name, value in values.items():
        if name not in parameters:
            raise unknown_name(METHOD, "parameter", name, list(parameters))
        unscaled = value / scales[parameters[name].scale]
        revised[name] = list(spec.all_styles())[int(unscaled)] if name == "style" else unscaled
    return {**table, "values": revised}
