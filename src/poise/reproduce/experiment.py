"""Experiments: functions with settings, a seed and a quick form that measure claims, and the storage of their results.

Every claim has an id, under which `poise.reproduce.claims` lists its words, its figure and its place in the source.
`holds` is true if the source's figure or limit is met or exceeded; if not, the row's note says why.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from poise import __version__
from poise.documents import load_json, save_json
from poise.errors import FileFormatError, InputError, unknown_name
from poise.reproduce.pictures import Plot, load_plot
from poise.tables import load_table

LIBRARY: Final = Path(__file__).resolve().parent.parent / "library"
RESULTS: Final = LIBRARY / "results"
REVISIONS: Final = LIBRARY / "claims-revised.toml"


@dataclass(frozen=True)
class Row:
    """One claim, measured."""

    claim: str
    #: Place in the source, such as `Coros10 §2.4`; `Poise` for our own requirements.
    source: str
    says: str
    figure: str
    measured: str
    holds: bool
    #: True if the figure is not only met but exceeded.
    exceeded: bool = False
    note: str = ""
    #: How its criterion was changed after the result was known; empty if it was not.
    revised: str = ""
    #: Data of a plot for the report.
    plot: Plot | None = None


def find_nothing_missing() -> str:
    """Default of `Experiment.missing`: most experiments need only Poise."""
    return ""


@dataclass(frozen=True)
class Experiment:
    """A named experiment; `measure(quick, seed)` returns its rows.

    If `measure` has a parameter `progress`, it receives a callback for the fraction done.
    """

    name: str
    about: str
    measure: Callable[..., Sequence[Row]]
    #: What the rows depend on besides the seed, as plain data stored with the result.
    settings: Mapping[str, Any] = field(default_factory=dict)
    #: Ids of the claims it measures; those of its stored result need not be listed.
    claims: tuple[str, ...] = ()
    #: Returns why it cannot be measured here, such as data that Poise does not ship; empty if it can.
    missing: Callable[[], str] = find_nothing_missing


@dataclass(frozen=True)
class Result:
    """Result of an experiment, with everything needed to run it again."""

    experiment: str
    quick: bool
    seed: int
    version: str
    rows: tuple[Row, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


def run_experiment(
    experiment: Experiment, *, quick: bool = False, seed: int = 0, progress: Callable[[float], None] | None = None
) -> Result:
    """Measure all claims of an experiment."""
    if reason := experiment.missing():
        raise InputError(f"{experiment.name}: {reason}.")
    takes_progress = "progress" in inspect.signature(experiment.measure).parameters
    more = {"progress": progress} if takes_progress else {}
    revisions = load_revisions()
    rows = tuple(replace(row, revised=revisions.get(row.claim, "")) for row in experiment.measure(quick, seed, **more))
    return Result(experiment.name, quick, seed, __version__, rows, dict(experiment.settings))


def load_revisions(path: Path = REVISIONS) -> Mapping[str, str]:
    """Claim id -> how its criterion was changed after the result was known."""
    table = load_table(path)
    for claim in table:
        if not table.string(claim):
            table.fail("must be a sentence that says what was changed", claim, got="")
    return {claim: table.string(claim) for claim in table}


def save_result(result: Result, folder: Path = RESULTS) -> Path:
    """Store a result where `poise claims` looks for it."""
    path = folder / f"{result.experiment}.json"
    save_json(path, describe_result(result))
    return path


def describe_result(result: Result) -> dict[str, Any]:
    """Plain data for JSON, without empty entries."""
    data = asdict(result)
    for row in data["rows"]:
        if row["plot"] is None:
            del row["plot"]
        if not row["revised"]:
            del row["revised"]
    if not data["settings"]:
        del data["settings"]
    rows = data.pop("rows")
    return {**data, "rows": rows}


def load_results(folder: Path = RESULTS) -> list[Result]:
    """All stored results, sorted by path."""
    return [_load_result(path) for path in sorted(folder.rglob("*.json"))]


def _load_result(path: Path) -> Result:
    try:
        table: dict[str, Any] = load_json(path)
        rows = tuple(Row(**{**row, "plot": load_plot(row.get("plot"))}) for row in table.pop("rows"))
        return Result(**table, rows=rows)
    except FileFormatError:
        raise
    except (ValueError, OverflowError, TypeError, KeyError, AttributeError) as error:
        raise FileFormatError(f"not a result: {error}", path=path) from error


def find_experiment(name: str, experiments: Sequence[Experiment]) -> Experiment:
    """The experiment with a name, or the one that measures the claim with that id."""
    for experiment in experiments:
        if name == experiment.name or name in experiment.claims:
            return experiment
    measured = {row.claim: result.experiment for result in load_results() for row in result.rows}
    for experiment in experiments:
        if measured.get(name) == experiment.name:
            return experiment
    raise unknown_name("poise reproduce", "experiment", name, [*(e.name for e in experiments), *measured])
