"""Compares two robustness tests or sweeps: which settings differ, and which results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from poise.errors import InputError
from poise.rollout.compare import ComparisonRow, Value, make_row


@dataclass(frozen=True)
class ReportComparison:
    """The differing settings, and all results that at least one report has."""

    kind: str
    settings: tuple[ComparisonRow, ...]
    figures: tuple[ComparisonRow, ...]

    @property
    def differing(self) -> tuple[ComparisonRow, ...]:
        return tuple(row for row in self.figures if row.a != row.b)

    def describe(self) -> str:
        """The differences, in one line."""
        names = ", ".join(row.name for row in self.settings) or "none"
        return f"differing settings: {names}; differing results: {len(self.differing)} of {len(self.figures)}"


def compare_reports(a: Mapping[str, Any], b: Mapping[str, Any]) -> ReportComparison:
    """Compares two reports from `load_report`, row by row."""
    if a["kind"] != b["kind"]:
        raise InputError(f"compare: A is a {a['kind']} and B a {b['kind']}. Give two of the same kind.")
    list_figures = {
        "push-matrix": _list_matrix,
        "push-limits": _list_limits,
        "push-random": _list_random,
        "push-train": _list_train,
        "sweep": _list_sweep,
    }[a["kind"]]
    try:
        heads = [_flatten({"poise": r.get("poise"), "seed": r.get("seed"), **r["settings"]}) for r in (a, b)]
        settings = [row for row in _join(*heads) if row.a != row.b]
        figures = _join(list_figures(a), list_figures(b))
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"compare: one of the files is incomplete, {error} is missing or wrong.") from error
    return ReportComparison(a["kind"], tuple(settings), tuple(figures))


def _join(a: Mapping[str, Value], b: Mapping[str, Value]) -> list[ComparisonRow]:
    return [make_row(name, a.get(name), b.get(name)) for name in dict.fromkeys([*a, *b])]


def _flatten(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Value]:
    flat: dict[str, Value] = {}
    for name, value in settings.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{key}.")
        else:
            flat[key] = _show_list(value) if isinstance(value, list) else value
    return flat


def _show_list(values: list[Any]) -> str:
    return ", ".join(f"{v:.4g}" if isinstance(v, int | float) else str(v) for v in values)


def _list_matrix(report: Mapping[str, Any]) -> dict[str, Value]:
    groups: dict[str, list[bool]] = {"all pushes": []}
    for o in report["outcomes"]:
        name = f"{o['force_n']:g} N at {o['direction_deg']:g}°"
        for group in ("all pushes", name):
            groups.setdefault(group, []).append(o["fell_after_s"] is None)
    return {f"survived part, {name}": sum(g) / len(g) if g else None for name, g in groups.items()}


def _list_limits(report: Mapping[str, Any]) -> dict[str, Value]:
    return {f"limit_n at {row['direction_deg']:g}°": float(row["limit_n"]) for row in report["limits"]}


def _list_random(report: Mapping[str, Any]) -> dict[str, Value]:
    figures: dict[str, Value] = {f"survived part, {row['force_n']:g} N": row["share"] for row in report["shares"]}
    for o in report["outcomes"]:
        where = f"{o['force_n']:g} N at {o['direction_deg']:g}° and {o['start_s']:g} s"
        figures[f"fell_after_s, {where}"] = o["fell_after_s"]
    return figures


def _list_train(report: Mapping[str, Any]) -> dict[str, Value]:
    return {
        f"survived pushes, {o['force_n']:g} N at {o['direction_deg']:g}°": int(o["survived_pushes"])
        for o in report["outcomes"]
    }


def _list_sweep(report: Mapping[str, Any]) -> dict[str, Value]:
    figures: dict[str, Value] = {"falls": sum(row["fell_at_s"] is not None for row in report["rows"])}
    for row in report["rows"]:
        where = f"{report['parameter']}={row['label']}"
        figures[f"{where}, fell_at_s"] = row["fell_at_s"]
        if row["measured"] is not None:
            figures[f"{where}, measured"] = row["measured"]
        else:
            figures[f"{where}, speed_mps"] = row["speed_mps"]
            figures[f"{where}, mean_step_time_s"] = row["mean_step_time_s"]
    return figures
