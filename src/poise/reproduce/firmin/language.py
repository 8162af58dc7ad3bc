"""The controller language in simulation [Firmin15 §3]: primitives, feedback, conditions, calls, whole scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from poise.constants import DEFAULT_TIMESTEP_S
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.firmin import language_feedback as feedback
from poise.reproduce.firmin import language_flow as flow
from poise.reproduce.firmin import language_primitives as primitives
from poise.reproduce.firmin import language_scripts as scripts

Progress = Callable[[float], None]


def measure(quick: bool = False, seed: int = 0, progress: Progress | None = None) -> Sequence[Row]:
    """One row for each feature of the language; only the IK goals depend on the seed."""
    parts: tuple[Callable[[], Sequence[Row]], ...] = (
        lambda: primitives.measure_primitives(quick, seed),
        lambda: feedback.measure_feedback(quick),
        lambda: flow.measure_flow(quick),
        lambda: scripts.measure_scripts(quick),
    )
    rows: list[Row] = []
    for k, part in enumerate(parts):
        rows += part()
        if progress is not None:
            progress((k + 1) / len(parts))
    return rows


EXPERIMENT: Final = Experiment(
    "firmin/language",
    "features of the controller language: primitives, feedback, conditions, calls, the printed scripts",
    measure,
    {
        "timestep_s": DEFAULT_TIMESTEP_S,
        "walk_s": feedback.WALK_S,
        "starts": feedback.STARTS,
        "push_s": feedback.PUSH_S,
        "landing_pushes_n": list(flow.LANDING_N),
        "blocks_m": [list(scripts.MIDDLES_M), list(scripts.TOPS_M)],
    },
    (
        "firmin-5-model", "firmin-3-prim-pd", "firmin-3-prim-vpd", "firmin-3-prim-vf", "firmin-3-prim-ik",
        "firmin-3-prim-sym", "firmin-3-fb-simbicon", "firmin-3-walk-params", "firmin-3-fb-balance",
        "firmin-3-fb-velocity", "firmin-3-tr-time", "firmin-3-tr-contact", "firmin-3-tr-nocontact",
        "firmin-3-tr-stable", "firmin-3-tr-fallen", "firmin-3-tr-iter", "firmin-3-order", "firmin-3-hier",
        "firmin-3-branch", "firmin-3-stepup-script", "firmin-5-realtime",
    ),
)  # fmt: skip
