"""A long path through the skill graph [Firmin15 Fig. 6]: every reachable skill in one motion."""

from __future__ import annotations

from itertools import pairwise

from poise.errors import InputError
from poise.skills.graph import LEARNED, Edge, SkillGraph
from poise.skills.skill import Skill
from poise.skills.wander import Wanderer


def find_reachable(graph: SkillGraph, start: str) -> set[str]:
    """The skills that can be reached from a start skill and from which it can be reached again."""

    def reach(ways: dict[str, set[str]]) -> set[str]:
        found, waiting = {start}, [start]
        while waiting:
            new = ways.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    ahead: dict[str, set[str]] = {}
    back: dict[str, set[str]] = {}
    for edge in (e for name in graph.skills for e in graph.edges_from(name)):
        ahead.setdefault(edge.source, set()).add(edge.target)
        back.setdefault(edge.target, set()).add(edge.source)
    return reach(ahead) & reach(back)


class Guided(Wanderer):
    """Heads for the nearest skill not shown yet, along the path most likely to succeed, until all were shown.

    A learned transition is preferred to an immediate switch; those not used on the way are taken last.
    """

    def __init__(self, graph: SkillGraph, seed: int, start: str = "stand") -> None:
        super().__init__(graph, seed, start)
        self.wanted = find_reachable(graph, self._here)
        self._learned = [
            e for n in sorted(self.wanted) for e in graph.edges_from(n, [LEARNED]) if e.target in self.wanted
        ]
        self._way: list[Edge] = []

    @property
    def shown(self) -> set[str]:
        """Skills completed so far."""
        return {v.skill for v in self.tour.visits if v.arrived} & self.wanted

    @property
    def left_over(self) -> list[Edge]:
        """Learned transitions not used yet."""
        visits = self.tour.visits
        gone = {(a.skill, b.skill) for a, b in pairwise(visits) if b.by == LEARNED and b.arrived}
        return [edge for edge in self._learned if (edge.source, edge.target) not in gone]

    def has_shown_all(self) -> bool:
        return not self.wanted - self.shown and not self.left_over

    def _choose_next(self) -> tuple[str, Skill]:
        if not self._way or self._way[0].source != self._here:
            self._way = self._find_transition()
        if not self._way:
            return super()._choose_next()
        edge = self._way.pop(0)
        same = [e for e in self._learned if (e.source, e.target) == (edge.source, edge.target)]
        return self._enter(same[0] if same else edge)

    def _find_transition(self) -> list[Edge]:
        """The shortest path to a missing skill, or else through an unused transition; among equals, the first."""
        missing = sorted(self.wanted - self.shown - {self._here})
        ways = [self._lead_to(target) for target in missing]
        if not missing:
            ways = [[*self._lead_to(edge.source), edge] for edge in self.left_over]
        # After a fall there may be no way onward: then it wanders.
        return min((way for way in ways if way and way[0].source == self._here), key=len, default=[])

    def _lead_to(self, target: str) -> list[Edge]:
        try:
            return self.graph.find_path(self._here, target)
        except InputError:
            return []
