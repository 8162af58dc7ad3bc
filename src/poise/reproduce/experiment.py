"""Experiments: functions with settings, a seed and a quick form that measure claims, and where their results live.

Every claim has an id, under which `poise.reproduce.claims` knows its words, its figure and its place in the source.
`holds` is true where the source's figure or limit is met or exceeded; a claim that does not hold says why in its note.
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
    #: Where the source says so, such as `Coros10 §2.4`; `Poise` for what we ask of ourselves.
    source: str
    says: str
    figure: str
    measured: str
    holds: bool
    #: True where the figure is not only met but beaten.
    exceeded: bool = False
    note: str = ""
    #: How its criterion was changed after its result had been seen; empty if it never was.
    revised: str = ""
    #: A picture for the report, as numbers.
    plot: Plot | None = None


def find_nothing_missing() -> str:
    """Most experiments need nothing but Poise."""
    return ""


@dataclass(frozen=True)
class Experiment:
    """A named experiment; `measure(quick, seed)` gives its rows.

    If `measure` has a parameter `progress` it is given one, to be called with the part that is done.
    """

    name: str
    about: str
    measure: Callable[..., Sequence[Row]]
    #: What the rows depend on besides the seed, as plain data: it is kept with the result.
    settings: Mapping[str, Any] = field(default_factory=dict)
    #: Ids of the claims it measures; those of the kept result are known without.
    claims: tuple[str, ...] = ()
    #: Why it cannot be measured here, such as data that Poise does not ship; nothing where it can.
    missing: Callable[[], str] = find_nothing_missing


@dataclass(frozen=True)
class Result:
    """What an experiment gave, with all that is needed to run it again."""

    experiment: str
    quick: bool
    seed: int
    version: str
    rows: tuple[Row, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


def run_experiment(
    experiment: Experiment, *, quick: bool = False, seed: int = 0, progress: Callable[[float], None] | None = None
) -> Result:
    """Measures all claims of an experiment."""
    if reason := experiment.missing():
        raise InputError(f"{experiment.name}: {reason}.")
    takes_progress = "progress" in inspect.signature(experiment.measure).parameters
    more = {"progress": progress} if takes_progress else {}
    revisions = load_revisions()
    rows = tuple(replace(row, revised=revisions.get(row.claim, "")) for row in experiment.measure(quick, seed, **more))
    return Result(experiment.name, quick, seed, __version__, rows, dict(experiment.settings))


def load_revisions(path: Path = REVISIONS) -> Mapping[str, str]:
    """Claim id -> how its criterion was changed after its result had been seen."""
    table = load_table(path)
    for claim in table:
        if not table.string(claim):
            table.fail("must be a sentence that says what was changed", claim, got="")
    return {claim: table.string(claim) for claim in table}


def save_result(result: Result, folder: Path = RESULTS) -> Path:
    """Keeps a result where `poise claims` looks for it."""
    path = folder / f"{result.experiment}.json"
    save_json(path, describe_result(result))
    return path


def describe_result(result: Result) -> dict[str, Any]:
    """Plain data, as JSON wants it; what is empty is left out."""
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
    """Every kept result, by name."""
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
    """The experiment of a name, or the one that measures the claim of an id."""
    for experiment in experiments:
        if name == experiment.name or name in experiment.claims:
            return experiment
    measured = {row.claim: result.experiment for result in load_results() for row in result.rows}
    for experiment in experiments:
        if measured.get(name) == experiment.name:
            return experiment
    raise unknown_name("reproduce", "experiment", name, [*(e.name for e in experiments), *measured])
