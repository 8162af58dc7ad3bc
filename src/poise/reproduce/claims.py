"""Every claim of the sources by id, and its standing: measured or not, holding or not, and why.

The list is data, `library/claims.csv`: the claim in our own words, its place in the source and the source's figure.
Experiments refer to its ids; our own requirements (`poise-…`) are not in it. Reasons why claims were not measured are
in `library/claims-reasons.toml`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from poise.errors import FileFormatError, unknown_name
from poise.files import load_text
from poise.reproduce.experiment import Result, Row, load_results
from poise.reproduce.pictures import Plot
from poise.tables import load_table

LIBRARY: Final = Path(__file__).resolve().parent.parent / "library"
CLAIMS: Final = LIBRARY / "claims.csv"
REASONS: Final = LIBRARY / "claims-reasons.toml"
COLUMNS: Final = ["id", "system", "source", "says", "figure"]
#: The system of our own requirements.
OWN: Final = "poise"


@dataclass(frozen=True)
class Claim:
    """A statement of a source, in our words."""

    id: str
    #: The part of Poise that it concerns.
    system: str
    #: Place in the source, such as `Coros10 §2.4`.
    source: str
    says: str
    figure: str


@dataclass(frozen=True)
class Standing:
    """A claim and its result; without an experiment, it was not measured."""

    claim: Claim
    experiment: str | None = None
    version: str = ""
    seed: int = 0
    measured: str | None = None
    holds: bool | None = None
    exceeded: bool = False
    reason: str = ""
    #: How the criterion was changed after a result was known; empty if it was not.
    revised: str = ""
    plots: tuple[Plot, ...] = ()

    @property
    def command(self) -> str | None:
        """The command that measures it again."""
        return None if self.experiment is None else f"poise reproduce {self.experiment}"

    @property
    def verdict(self) -> str:
        if self.holds is None:
            return "not measured"
        plain = "exceeded" if self.exceeded and self.holds else "holds" if self.holds else "does not hold"
        return f"{plain} (revised)" if self.revised else plain

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `source` is the place with the figure."""
        return {
            "id": self.claim.id,
            "system": self.claim.system,
            "source": f"{self.claim.source}: {self.claim.figure}",
            "measured": self.measured,
            "holds": self.holds,
            "command": self.command,
            "reason": self.reason or ("not measured yet" if self.holds is None else None),
            "says": self.claim.says,
            "figure": self.claim.figure,
            "exceeded": self.exceeded,
            "revised": self.revised or None,
            "seed": self.seed if self.experiment is not None else None,
            "version": self.version or None,
        }


@lru_cache(maxsize=1)
def load_claims(path: Path = CLAIMS) -> Mapping[str, Claim]:
    """The claims of the sources by id, in the order of the file."""
    (_, head), *rows = _read_csv(path)
    if head != COLUMNS:
        raise FileFormatError(f"the columns must be {', '.join(COLUMNS)}, got {', '.join(head)}", path=path, line=1)
    claims: dict[str, Claim] = {}
    for line, cells in rows:
        if len(cells) != len(COLUMNS) or not all(cells):
            raise FileFormatError("every claim needs an id, a system, a source, words and a figure", path=path,
                                  line=line)  # fmt: skip
        if cells[0] in claims:
            raise FileFormatError(f"two claims have the id {cells[0]}", path=path, line=line)
        claims[cells[0]] = Claim(*cells)
    return claims


def _read_csv(path: Path) -> list[tuple[int, list[str]]]:
    """The rows of a CSV file with their line numbers; an empty file gives one empty row."""
    reader = csv.reader(io.StringIO(load_text(path), newline=""))
    try:
        return [(reader.line_num, cells) for cells in reader] or [(1, [])]
    except csv.Error as error:
        raise FileFormatError(f"malformed CSV, {error}", path=path, line=reader.line_num) from error


def load_reasons(path: Path = REASONS) -> Mapping[str, str]:
    """Reasons why claims were not measured, by id."""
    table = load_table(path)
    for key in table:
        table.check_known("claim", key, load_claims(), key)
    return {key: table.string(key) for key in table}


def find_claim(claim_id: str) -> Claim:
    """The claim with an id."""
    claims = load_claims()
    if claim_id not in claims:
        raise unknown_name("poise claims", "claim", claim_id, claims)
    return claims[claim_id]


def list_systems() -> list[str]:
    """The systems of the claims in the order of the file, then our own."""
    return [*dict.fromkeys(c.system for c in load_claims().values()), OWN]


def make_row(
    claim_id: str,
    measured: str,
    holds: bool,
    *,
    figure: str = "",
    exceeded: bool = False,
    note: str = "",
    plot: Plot | None = None,
) -> Row:
    """A row about a listed claim; words, place and figure come from the list unless `figure` is given."""
    claim = find_claim(claim_id)
    return Row(
        claim_id, claim.source, claim.says, figure or claim.figure, measured, holds, exceeded=exceeded, note=note,
        plot=plot,
    )  # fmt: skip


def find_standings(system: str | None = None, results: Iterable[Result] | None = None) -> list[Standing]:
    """Standing of every claim, or of those of one system, by default from the stored results."""
    if system is not None and system not in list_systems():
        raise unknown_name("poise claims", "system", system, list_systems())
    rows: dict[str, list[tuple[Result, Row]]] = {}
    for result in load_results() if results is None else results:
        for row in result.rows:
            rows.setdefault(row.claim, []).append((result, row))
    reasons = load_reasons()
    standings = [
        _judge(claim, rows[claim.id]) if claim.id in rows else Standing(claim, reason=reasons.get(claim.id, ""))
        for claim in load_claims().values()
    ]
    for claim_id, found in rows.items():
        if claim_id not in load_claims():
            row = found[0][1]
            standings.append(_judge(Claim(claim_id, OWN, row.source, row.says, row.figure), found))
    return [s for s in standings if system in (None, s.claim.system)]


def count_standings(standings: Iterable[Standing]) -> str:
    """Text with the numbers of claims, measured claims and claims that hold; revised ones are counted separately."""
    listed = list(standings)
    measured = [s for s in listed if s.holds is not None]
    revised = [s for s in measured if s.revised]
    told = f"{len(listed)} claims, {len(measured)} measured, {sum(bool(s.holds) for s in measured)} hold"
    if not revised:
        return told
    held = sum(bool(s.holds) for s in revised)
    return f"{told}; the criterion of {len(revised)} was revised after a result had been seen, {held} of them hold"


def _judge(claim: Claim, found: list[tuple[Result, Row]]) -> Standing:
    """Standing of one claim from all rows about it: it holds if every row holds."""
    first = found[0][0]
    return Standing(
        claim,
        experiment=" ".join(dict.fromkeys(result.experiment for result, _ in found)),
        version=first.version,
        seed=first.seed,
        measured="; ".join(row.measured for _, row in found),
        holds=all(row.holds for _, row in found),
        exceeded=all(row.exceeded for _, row in found),
        reason=" ".join(row.note for _, row in found if row.note),
        revised=" ".join(dict.fromkeys(row.revised for _, row in found if row.revised)),
        plots=tuple(row.plot for _, row in found if row.plot is not None),
    )
