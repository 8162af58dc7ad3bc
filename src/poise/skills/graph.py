"""The skill graph: edges between skills, their success rates, and paths through the graph.

Skills are the scripts of the library and learned transitions the files beside them. Results of trials are stored in
`graph.toml`, moments and outcomes in `graph.npz`. Nothing here names a skill.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import tomli_w

from poise.archives import Field, load_archive, pack_archive
from poise.documents import make_plain
from poise.errors import FileFormatError, InputError, unknown_name
from poise.files import digest, load_bytes, load_partner, save_pair, settle_pair
from poise.skills.basin import Basin, compute_scales
from poise.skills.course import FloatArray
from poise.skills.manner import Manner, read_manner
from poise.skills.skill import skill_names
from poise.tables import Table, load_table

LIBRARY: Final = Path(__file__).resolve().parent.parent / "library"
TABLE, SAMPLES = "graph.toml", "graph.npz"
#: Table key of the digest of the samples it was written with.
SAMPLES_DIGEST: Final = "samples_sha256"
MAX_SAMPLES_BYTES: Final = 200_000_000
#: Attempts to read the pair of files while another process may be replacing it.
ATTEMPTS: Final = 3
#: An immediate switch; a learned script; a rescue after the first skill has failed.
NAIVE, LEARNED, CORRECTIVE = "naive", "learned", "corrective"
KINDS: Final = (NAIVE, LEARNED, CORRECTIVE)
#: Minimum success rate of an edge; lower after a failure, where the alternatives are few.
LEAST_SHARE: Final[Mapping[str, float]] = {NAIVE: 0.75, LEARNED: 0.75, CORRECTIVE: 0.5}

_SAMPLE_FIELDS: Final = {
    "moments/*": Field(shape=(None, "features"), required=False),
    "arrived/*": Field("int", shape=(None,), low=0, high=1, required=False),
}


@dataclass(frozen=True)
class Edge:
    """A switch from one skill to another, and how many trials of it arrived."""

    source: str
    target: str
    kind: str
    arrived: int
    tries: int

    @property
    def share(self) -> float:
        return self.arrived / self.tries if self.tries else 0.0


@dataclass(frozen=True, eq=False)
class SkillGraph:
    """Skills by name with their manners, the edges between them, and the trials behind their basins."""

    manners: Mapping[str, Manner]
    edges: tuple[Edge, ...]
    #: Fingerprint of each skill's script when it was tried.
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    #: Moments by the skill that was left there, (N, n) each; those after a fall are under `SKILL!`.
    moments: Mapping[str, FloatArray] = field(default_factory=dict)
    #: Outcome of a skill from moments: (source, target) -> (N,) of 0 and 1.
    outcomes: Mapping[tuple[str, str], FloatArray] = field(default_factory=dict)

    @property
    def skills(self) -> list[str]:
        return list(self.manners)

    def check(self, name: str) -> str:
        """The short name of a skill, which must be in the graph."""
        short = name.removeprefix("script/")
        if short not in self.manners:
            raise unknown_name("graph", "skill", name, self.skills)
        return short

    def edges_from(self, source: str, kinds: Iterable[str] = (NAIVE, LEARNED)) -> list[Edge]:
        """The edges of some kinds that leave a skill."""
        wanted = tuple(kinds)
        return [e for e in self.edges if e.source == source and e.kind in wanted]

    def find_endless(self) -> set[str]:
        """Skills from which a tour can continue indefinitely; every path from the others reaches a dead end."""
        left = set(self.manners)
        while True:
            stuck = {name for name in left if not any(edge.target in left for edge in self.edges_from(name))}
            if not stuck:
                return left
            left -= stuck

    def find_path(self, source: str, target: str) -> list[Edge]:
        """The path most likely to succeed."""
        source, target = self.check(source), self.check(target)
        # An edge costs the negative log of its success rate, plus a tiny amount by its position.
        # Edges cannot be compared: among equal costs, the first one pushed comes first.
        queue: list[tuple[float, int, str, list[Edge]]] = [(0.0, 0, source, [])]
        pushed = 0
        done: set[str] = set()
        while queue:
            cost, _, here, way = heapq.heappop(queue)
            if here == target:
                return way
            if here in done:
                continue
            done.add(here)
            for k, edge in enumerate(self.edges_from(here)):
                if edge.target not in done:
                    # Laplace's rule: three of three does not mean certainty.
                    price = -math.log((edge.arrived + 1.0) / (edge.tries + 2.0)) + 1e-6 * k
                    pushed += 1
                    heapq.heappush(queue, (cost + price, pushed, edge.target, [*way, edge]))
        raise InputError(f"graph: no path from {source} to {target}.")

    def make_basins(self) -> dict[str, Basin]:
        """The basin of every skill, from all trials of it."""
        if not self.moments:
            return {}
        scales = compute_scales(np.concatenate(list(self.moments.values())))
        basins = {}
        for skill in self.manners:
            rows = [(self.moments[s], o) for (s, t), o in self.outcomes.items() if t == skill and s in self.moments]
            if rows:
                features, arrived = (np.concatenate(parts) for parts in zip(*rows, strict=True))
                basins[skill] = Basin(skill, features, arrived > 0.5, scales)
        return basins


def save_graph(graph: SkillGraph, folder: Path = LIBRARY) -> None:
    """Write the graph: both files or, if the process dies, neither."""
    table, samples = format_graph(graph)
    save_pair(folder / TABLE, table, folder / SAMPLES, samples)


def settle_graph(folder: Path) -> None:
    """Complete a `save_graph` whose process died."""
    if (folder / TABLE).is_file():
        settle_pair(folder / SAMPLES, str(load_table(folder / TABLE).get(SAMPLES_DIGEST)))


def format_graph(graph: SkillGraph) -> tuple[bytes, bytes]:
    """The table and the samples of a graph as file contents."""
    arrays: dict[str, Any] = {
        f"moments/{name}": rows.astype(np.float32) for name, rows in sorted(graph.moments.items())
    }
    arrays |= {f"arrived/{s}/{t}": rows.astype(np.uint8) for (s, t), rows in sorted(graph.outcomes.items())}
    samples = pack_archive(arrays)
    table: dict[str, Any] = {
        "about": "Measured by `poise graph learn` from the skills in scripts and transitions; do not edit by hand.",
        SAMPLES_DIGEST: digest(samples),
        "skills": {
            name: {"fingerprint": graph.fingerprints.get(name, ""), **_round(vars(manner))}
            for name, manner in graph.manners.items()
        },
        "edges": [[e.source, e.target, e.kind, e.arrived, e.tries] for e in graph.edges],
    }
    return tomli_w.dumps(make_plain(table)).encode(), samples


def _round(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in values.items()}


def load_graph(folder: Path = LIBRARY, names: Collection[str] | None = None) -> SkillGraph:
    """Load the graph of all skills, or of those named.

    In the library only shipped skills are loaded: one whose script was removed is no longer in the graph.
    """
    if names is None and folder == LIBRARY:
        names = skill_names()
    path = folder / TABLE
    if not path.is_file():
        raise InputError(f"graph: not measured yet: {path.name} is missing. Try 'poise graph learn'.")
    table, samples = _load_pair(folder)
    skills = table.table("skills", required=True)
    rows = {name: skills.table(name) for name in skills if names is None or name in names}
    manners = {name: read_manner(row) for name, row in rows.items()}
    prints = {name: row.string("fingerprint") for name, row in rows.items()}
    edges = _read_edges(table)
    moments: dict[str, FloatArray] = {}
    outcomes: dict[tuple[str, str], FloatArray] = {}
    if samples is not None:
        moments, outcomes = load_samples(folder / SAMPLES, samples)
    known = tuple(e for e in edges if e.source in manners and e.target in manners)
    return SkillGraph(manners, known, prints, moments, outcomes)


def _read_edges(table: Table) -> list[Edge]:
    """The rows [source, target, kind, arrived, tries] of a graph's table."""
    edges = []
    for k, row in enumerate(table.entries("edges")):
        with table.errors_at("edges", k):
            match row:
                case [str(source), str(target), str(kind), int(arrived), int(tries)]:
                    edges.append(Edge(source, target, kind, arrived, tries))
                case _:
                    raise InputError("must be [source, target, kind, arrived, tries]", got=row)
    return edges


def load_samples(
    path: Path, data: bytes | None = None
) -> tuple[dict[str, FloatArray], dict[tuple[str, str], FloatArray]]:
    """Moments by skill, and outcomes by source and target, from a file that `save_graph` wrote, or from its bytes."""
    whole = path if data is None else data
    arrays = load_archive(whole, _SAMPLE_FIELDS, kind="graph of skills", max_bytes=MAX_SAMPLES_BYTES, name=path)
    moments: dict[str, FloatArray] = {}
    outcomes: dict[tuple[str, str], FloatArray] = {}
    for name, array in arrays.items():
        kind, *skills = name.split("/")
        if len(skills) != (1 if kind == "moments" else 2):
            raise FileFormatError(f"not a graph of skills, holds an entry {name!r}", path=path)
        if kind == "moments":
            moments[skills[0]] = array
        else:
            outcomes[skills[0], skills[1]] = array.astype(float)
    for (source, target), arrived in outcomes.items():
        if source in moments and len(moments[source]) != len(arrived):
            what = f"has {len(arrived)} outcomes of {target} for {len(moments[source])} moments of {source}"
            raise FileFormatError(f"is damaged, {what}", path=path)
    return moments, outcomes


def _load_pair(folder: Path) -> tuple[Table, bytes | None]:
    """The table of a graph and the bytes of its samples; files of earlier versions have no digest to match."""
    for attempt in range(ATTEMPTS):
        table = load_table(folder / TABLE)
        wanted = table.get(SAMPLES_DIGEST)
        if wanted is None:
            path = folder / SAMPLES
            return table, load_bytes(path, MAX_SAMPLES_BYTES) if path.is_file() else None
        samples = load_partner(folder / SAMPLES, str(wanted), MAX_SAMPLES_BYTES)
        if samples is not None:
            return table, samples
        # Another process may have replaced both files between the two reads.
        time.sleep(0.05 * attempt)
    raise FileFormatError(
        f"does not belong to the {TABLE} beside it, whose {SAMPLES_DIGEST} differs. Restore both files from the "
        "same place, or run 'poise graph learn --afresh'",
        path=folder / SAMPLES,
    )
