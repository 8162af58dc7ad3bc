"""The figures of one run, as JSON and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from poise.cli.screen import make_facts

if TYPE_CHECKING:
    from rich.table import Table

    from poise.api import Run


def summarize(done: Run) -> dict[str, Any]:
    """What `--json` writes: the metrics, then how the run was made."""
    meta = done.recording.meta
    return {
        **done.metrics.as_dict(),
        "seconds": meta["seconds"],
        "realtime_factor": meta["realtime_factor"],
        "interrupted": bool(meta.get("interrupted", False)),
        **{
            name: meta.get(name)
            for name in ("terrain", "friction", "seed", "timestep_s", "scale", "parameters", "pushes", "poise")
        },
        "ground": meta.get("physics", {}).get("ground"),
    }


def make_summary(done: Run) -> Table:
    """The figures that people look for first."""
    m, meta = done.metrics, done.recording.meta
    outcome = f"fell at {m.fell_at_s:.2f} s" if m.fell_at_s is not None else "still on its feet"
    steps = f"{m.steps}"
    if m.mean_step_length_m is not None and m.mean_step_time_s is not None:
        steps += f", on average {m.mean_step_length_m:.2f} m and {m.mean_step_time_s:.2f} s"
    cost = "" if m.cost_of_transport is None else f", cost of transport {m.cost_of_transport:.2f}"
    ground = meta.get("physics", {}).get("ground", "default")
    return make_facts(
        f"{m.controller} on {m.character}, {meta['terrain']}{'' if ground == 'default' else f', {ground} ground'}",
        [
            ("outcome", outcome),
            ("simulated", f"{meta['seconds']:.4g} s at {meta['realtime_factor']:.1f} times real time"),
            # Adding zero turns -0.00 into 0.00.
            ("distance", f"{round(m.distance_m, 2) + 0.0:.2f} m"),
            ("mean speed", f"{round(m.mean_speed_mps, 2) + 0.0:.2f} m/s"),
            ("steps", steps),
            ("peak torque", f"{m.max_torque_nm:.0f} N·m"),
            ("work", f"{m.work_j:.0f} J{cost}"),
        ],
    )
