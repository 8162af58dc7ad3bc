"""The metrics of one run, as JSON and as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from poise.cli.phases import describe_scripts
from poise.cli.screen import make_facts

if TYPE_CHECKING:
    from poise.api import Run
    from poise.cli.table import Table
    from poise.measures.metrics import Metrics


#: Most requests shown in the table; the recording has them all.
MOST_REQUESTS: Final = 4


def summarize(done: Run) -> dict[str, Any]:
    """The data of `--json`: the metrics, then the settings of the run."""
    meta = done.recording.meta
    return {
        **done.metrics.as_dict(),
        "realtime_factor": meta.get("realtime_factor"),
        "interrupted": bool(meta.get("interrupted", False)),
        **{
            name: meta.get(name)
            for name in (
                "terrain",
                "friction",
                "seed",
                "timestep_s",
                "scale",
                "parameters",
                "changes",
                "pushes",
                "poise",
            )
        },
        "noise": meta.get("noise", {}).get("spread", 0.0),
        "ground": meta.get("physics", {}).get("ground"),
        "assisted": bool(meta.get("assisted", False)),
        "requests": meta.get("requests", []),
        "unset": meta.get("unset", []),
        "warnings": meta.get("warnings", []),
        "scripts": meta.get("scripts", []),
        "phase_log": meta.get("phase_log", []),
    }


def describe_requests(meta: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Rows for external help that the controller requested from the world."""
    asked = [f"{r['what']} at {r['start_s']:.4g} s" for r in meta.get("requests", ()) if {"what", "start_s"} <= {*r}]
    shown = [
        *asked[:MOST_REQUESTS],
        *([f"and {len(asked) - MOST_REQUESTS} more"] if len(asked) > MOST_REQUESTS else []),
    ]
    rows = [("assisted", "yes, by external forces or a loaded state")] if meta.get("assisted") else []
    return [*rows, *([("requests", ", ".join(shown))] if shown else [])]


def make_summary(done: Run) -> Table:
    """A table of the most important metrics."""
    from poise.measures.upright import describe_outcome

    m, meta = done.metrics, done.recording.meta
    ground, noise = meta.get("physics", {}).get("ground", "default"), meta.get("noise")
    return make_facts(
        f"{m.controller} on {m.character}, {meta['terrain']}{'' if ground == 'default' else f', {ground} ground'}",
        [
            ("outcome", describe_outcome(done.recording)),
            *describe_scripts(meta),
            *describe_requests(meta),
            ("start noise", f"{noise['spread']:g} on all velocities, seed {noise['seed']}" if noise else ""),
            ("simulated", f"{meta['seconds']:.4g} s at {meta['realtime_factor']:.1f} times real time"),
            *describe_metrics(m),
        ],
    )


def describe_metrics(m: Metrics) -> list[tuple[str, str]]:
    """Rows for distance, speed, steps, torque and work."""
    steps = f"{m.steps}"
    if m.mean_step_length_m is not None and m.mean_step_time_s is not None:
        steps += f", on average {m.mean_step_length_m:.2f} m and {m.mean_step_time_s:.2f} s"
    cost = "" if m.cost_of_transport is None else f", cost of transport {m.cost_of_transport:.2f}"
    return [
        # Adding zero turns -0.00 into 0.00.
        ("distance", f"{round(m.distance_m, 2) + 0.0:.2f} m"),
        ("mean speed", f"{round(m.mean_speed_mps, 2) + 0.0:.2f} m/s"),
        ("steps", steps),
        ("peak torque", f"{m.max_torque_nm:.0f} N·m"),
        ("work", f"{m.work_j:.0f} J{cost}"),
    ]
