"""Experiments: functions with settings, a seed and a quick form that measure claims, and where their results live.

A claim's own words, its figure and its place in the source stand beside the code that checks it. `holds` is true where
the source's figure or limit is met or exceeded; a claim that does not hold says why in its note.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from poise import __version__
from poise.errors import FileFormatError, unknown_name
from poise.files import load_text, save_json

RESULTS: Final = Path(__file__).resolve().parent.parent / "library" / "results"


@dataclass(frozen=True)
class Row:
    """One claim, measured."""

    claim: str
    #: Where the source says so, such as `Coros10 §2.4`; `Poise` for what we ask of ourselves.
    source: str
    says: str
    figure: str
    measured: str
    holds: bool
    #: True where the figure is not only met but beaten.
    exceeded: bool = False
    note: str = ""


@dataclass(frozen=True)
class Experiment:
    """A named experiment; `measure(quick, seed)` gives its rows."""

    name: str
    about: str
    measure: Callable[[bool, int], Sequence[Row]]


@dataclass(frozen=True)
class Result:
    """What an experiment gave, with all that is needed to run it again."""

    experiment: str
    quick: bool
    seed: int
    version: str
    rows: tuple[Row, ...]


def run_experiment(experiment: Experiment, *, quick: bool = False, seed: int = 0) -> Result:
    """Measures all claims of an experiment."""
    rows = tuple(experiment.measure(quick, seed))
    return Result(experiment.name, quick, seed, __version__, rows)


def save_result(result: Result, folder: Path = RESULTS) -> Path:
    """Keeps a result where `poise claims` looks for it."""
    path = folder / f"{result.experiment}.json"
    save_json(path, asdict(result))
    return path


def load_results(folder: Path = RESULTS) -> list[Result]:
    """Every kept result, by name."""
    return [_load_result(path) for path in sorted(folder.glob("*.json"))]


def _load_result(path: Path) -> Result:
    try:
        table: dict[str, Any] = json.loads(load_text(path))
        rows = tuple(Row(**row) for row in table.pop("rows"))
        return Result(**table, rows=rows)
    except (ValueError, TypeError, KeyError) as error:
        raise FileFormatError(f"not a result: {error}", path=path) from error


def find_experiment(name: str, experiments: Sequence[Experiment]) -> Experiment:
    """The experiment of a name."""
    for experiment in experiments:
        if experiment.name == name:
            return experiment
    raise unknown_name("reproduce", "experiment", name, [e.name for e in experiments])
