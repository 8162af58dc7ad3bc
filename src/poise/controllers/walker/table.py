"""A walker's TOML table: reading it into a spec, and writing changed parameters back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from poise.controllers.walker import layout
from poise.controllers.walker.fields import EARLIER_NAMES, FIELDS, GAINS, PARAMETERS
from poise.controllers.walker.styles import OWN, Style, read_style, shipped_styles
from poise.errors import InputError, out_of_range, unknown_name

METHOD: Final = "walker"


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
    for key in table:
        if key not in ("values", "gains", "styles"):
            raise unknown_name(where, "key", key, ["values", "gains", "styles"])
    own = _subtable(table, "styles", where)
    styles = {n: read_style(n, _subtable(own, n, f"{where}: styles"), f"{where}: style {n}") for n in own}
    return WalkerSpec(_read_values(table, styles, where), _read_gains(table, where), styles)


def _read_values(table: Mapping[str, Any], styles: Mapping[str, Style], where: str) -> dict[str, float]:
    values: dict[str, float] = {}
    for given, value in _subtable(table, "values", where).items():
        name = EARLIER_NAMES.get(given, given)
        if name not in FIELDS:
            raise unknown_name(f"{where}: values", "value", name, list(FIELDS))
        if name in values:
            raise InputError(f"{where}: values: {given} is the earlier name of {name}, which is given too.")
        if name == "style":
            names = list(WalkerSpec({}, {}, styles).all_styles())
            if value not in names:
                raise unknown_name(f"{where}: values", "style", str(value), names)
            values[name] = float(names.index(value))
            continue
        values[name] = _number(value, f"{where}: {given}")
        if not FIELDS[name].low <= values[name] <= FIELDS[name].high:
            raise out_of_range(where, given, values[name], FIELDS[name].low, FIELDS[name].high)
    return values


def _read_gains(table: Mapping[str, Any], where: str) -> dict[str, tuple[float, float]]:
    gains: dict[str, tuple[float, float]] = {}
    for joint, pair in _subtable(table, "gains", where).items():
        if joint not in GAINS:
            raise unknown_name(f"{where}: gains", "joint", joint, list(GAINS))
        if not isinstance(pair, list) or len(pair) != 2:
            raise InputError(f"{where}: {joint} must be a pair [kp, kd], got {pair!r}.")
        gains[joint] = (_number(pair[0], f"{where}: {joint}"), _number(pair[1], f"{where}: {joint}"))
        if min(gains[joint]) < 0.0 or max(gains[joint]) > 1e5:
            raise out_of_range(where, joint, min(gains[joint]), 0.0, 1e5)
    return gains


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where} must be a number, got {value!r}.")
    return float(value)


def _subtable(table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise InputError(f"{where}: {key} must be a table, got {type(value).__name__}.")
    return value


def revise_values(table: Mapping[str, Any], values: Mapping[str, float], scales: Mapping[str, float]) -> dict[str, Any]:
    """The table with changed parameters, whose values are for a body with these scales."""
    spec = read_spec(table, METHOD)
    revised = {EARLIER_NAMES.get(name, name): value for name, value in table.get("values", {}).items()}
    for name, value in values.items():
        if name not in PARAMETERS:
            raise unknown_name(METHOD, "parameter", name, list(PARAMETERS))
        unscaled = value / scales[FIELDS[name].scale]
        revised[name] = list(spec.all_styles())[int(unscaled)] if name == "style" else unscaled
    return {**table, "values": revised}
