"""`poise tune stroll`: settings of `limit-cycle/human-stroll` that walk at every bias and settle soon.

Random settings are tried on the ground of the source, bias by bias until the character falls. Those that walk 60 steps
at all nine biases are described by the steps until the speed has settled (median), the neighbouring biases over which
the speeds lie on a straight line, and the speeds in metres per step.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from poise import __version__
from poise.batches.threads import run_trials
from poise.documents import save_json
from poise.errors import InputError
from poise.reproduce.laszlo.runs import STROLL, TRIAL_STEPS, Walk, walk
from poise.reproduce.laszlo.speed import BIASES, NOMINAL_MPSTEP, find_line, find_settled, find_speed
from poise.search.drive import ending_with_best
from poise.search.session import Say, open_session


@dataclass(frozen=True)
class Stroll:
    """Result of one setting."""

    trial: int
    values: Mapping[str, float]
    #: Bias at which it fell; None if it walks at all of them. Only then do the fields below have values.
    falls_at: float | None = None
    settles_in: float | None = None
    #: First and last bias of the straight line; None without one.
    line: tuple[float, float] | None = None
    speeds_mpstep: tuple[float, ...] = ()


def draw(rng: random.Random) -> dict[str, float]:
    """Draw settings that the source leaves open, near those of its other walks."""
    return {
        "target_most": round(rng.uniform(0.36, 0.42), 3),
        "sample_deg": rng.choice([6, 7, 8, 9, 10, 12]),
        "sample_side_deg": rng.choice([0.5, 0.7, 1, 1.4, 2]),
        "outward": rng.choice([0.025, 0.03, 0.035]),
        "servo_rad": round(rng.uniform(0.06, 0.11), 3),
    }


def walk_all_biases(values: Mapping[str, float]) -> list[Walk]:
    """Walk at each bias, fastest first, up to the first fall."""
    found: list[Walk] = []
    for bias in reversed(BIASES):
        found.append(walk({**values, "target": bias, "speed_mpstep": NOMINAL_MPSTEP}, controller=STROLL))
        if found[-1].done < TRIAL_STEPS:
            break
    return found[::-1]


def try_values(trial: int, values: Mapping[str, float]) -> Stroll:
    """Try one setting."""
    found = walk_all_biases(values)
    if len(found) < len(BIASES) or found[0].done < TRIAL_STEPS:
        return Stroll(trial, values, falls_at=BIASES[len(BIASES) - len(found)])
    speeds = [find_speed(made) for made in found]
    first, last = find_line(BIASES, speeds)
    settled = float(np.median([find_settled(made) for made in found]))
    line = (float(BIASES[first]), float(BIASES[last])) if last > first else None
    return Stroll(trial, values, None, settled, line, tuple(map(float, speeds)))


def tune_stroll(
    out: Path,
    command: str,
    *,
    seed: int = 3,
    trials: int = 60,
    resume: bool = False,
    workers: int | None = None,
    say: Say | None = None,
) -> tuple[list[Stroll], bool]:
    """Try random settings and write all results; also returns whether Ctrl-C ended the trials."""
    if out.suffix != ".json":
        raise InputError("the result is written to a .json file", where="poise tune stroll", got=str(out))
    rng = random.Random(seed)
    settings = [draw(rng) for _ in range(trials)]
    found: dict[int, Stroll] = {}
    with open_session(out, "tune", {"seed": seed}, resume=resume, option="OUT", say=say) as session:

        def work(trial: int, values: Mapping[str, float]) -> None:
            job = partial(try_values, trial, values)
            found[trial] = session.recall(f"trial {trial}", job, read=_read)
            if say is not None:
                say(describe(found[trial]))

        with ending_with_best(lambda: bool(found)) as end:
            run_trials([partial(work, k, values) for k, values in enumerate(settings)], workers=workers)
        rows = [found[k] for k in sorted(found)]
        save_json(out, {"command": command, "poise": __version__, "trials": [asdict(row) for row in rows]})
        if not end.interrupted:
            session.finish()
    return rows, end.interrupted


def describe(row: Stroll) -> str:
    """Describe the result of a setting in one line."""
    if row.falls_at is not None:
        return f"trial {row.trial}: falls at {row.falls_at:g}"
    values = ", ".join(f"{name} {value:g}" for name, value in row.values.items())
    line = "none" if row.line is None else "{:g} to {:g}".format(*row.line)
    return f"trial {row.trial}: {values}; settles in {row.settles_in:g} steps, line {line}"


def _read(kept: dict[str, Any]) -> Stroll:
    line = kept["line"]
    return Stroll(**{
        **kept, "line": None if line is None else (line[0], line[1]), "speeds_mpstep": tuple(kept["speeds_mpstep"])
    })  # fmt: skip
