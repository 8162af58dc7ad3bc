"""Robustness tests and sweeps to JSON and back, with settings, seed and version to repeat them."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, Final

from poise.documents import load_json, make_plain
from poise.errors import FileFormatError
from poise.trials.outcomes import PushLimits, PushMatrix, PushTrains, RandomPushes
from poise.trials.shares import compute_share_interval
from poise.trials.sweep import Sweep

#: kind -> keys that every file of that kind has.
KINDS: Final = {
    "push-matrix": ("forces_n", "directions_deg", "phases", "outcomes"),
    "push-limits": ("limits", "phases"),
    "push-random": ("forces_n", "count", "step_times_s", "outcomes"),
    "push-train": ("repeat", "every_s", "outcomes"),
    "sweep": ("parameter", "rows"),
}

Report = PushMatrix | PushLimits | PushTrains | RandomPushes | Sweep


def summarize(report: Report) -> dict[str, Any]:
    """Plain data for JSON."""
    settings = dict(report.settings)
    head = {"kind": kind_of(report), "poise": settings.pop("poise", None), "seed": settings.pop("seed", None)}
    plain: dict[str, Any] = make_plain({**head, **_describe(report), "settings": settings}, finite=True)
    return plain


def kind_of(report: Report) -> str:
    """The name of a report's kind in files."""
    names = {
        PushMatrix: "push-matrix",
        PushLimits: "push-limits",
        PushTrains: "push-train",
        RandomPushes: "push-random",
        Sweep: "sweep",
    }
    return names[type(report)]


def _describe(report: Report) -> dict[str, Any]:
    fields = {name: value for name, value in vars(report).items() if name != "settings"}
    if isinstance(report, PushMatrix | PushTrains | RandomPushes):
        fields["survived"], fields["tried"] = report.survived, len(report.outcomes)
    if isinstance(report, RandomPushes):
        fields["shares"] = [_describe_share(report, force) for force in report.forces_n]
    if isinstance(report, Sweep):
        fields["falls"], fields["worst_error"] = report.falls, report.worst_error
        fields["rows"] = [
            {"value": r.value, "label": r.label, "measured": r.measured, **r.gait.as_dict()} for r in report.rows
        ]
    return fields


def _describe_share(report: RandomPushes, force_n: float) -> dict[str, Any]:
    outcomes = report.of_force(force_n)
    survived = sum(o.survived for o in outcomes)
    low, high = compute_share_interval(survived, len(outcomes))
    share = survived / len(outcomes) if outcomes else None
    return {
        "force_n": force_n, "survived": survived, "tried": len(outcomes), "share": share, "low_95": low, "high_95": high
    }  # fmt: skip


def load_report(path: str | PathLike[str]) -> dict[str, Any]:
    """The result of `summarize`, read from a JSON file."""
    data = load_json(path)
    kind = data.get("kind") if isinstance(data, Mapping) else None
    if kind not in KINDS:
        raise FileFormatError(
            "not written by `poise robustness` or `poise sweep`", path=path, allowed=f"Known kinds: {', '.join(KINDS)}"
        )
    missing = [key for key in (*KINDS[kind], "settings") if key not in data]
    if missing:
        raise FileFormatError(f"a {kind} needs {', '.join(missing)}", path=path)
    return dict(data)
