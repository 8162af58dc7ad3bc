"""A random tour of the graph [Firmin15 §5.2, Fig. 4]: one skill after another, with a rescue after each fall.

The next skill is drawn among the edges that leave the current one and whose basin accepts the moment; long skills are
drawn less often. After a failure, the skills that recovered from similar falls are tried; the tour ends if several in a
row fail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np

from poise.errors import InputError
from poise.recordings.recording import Recording
from poise.rollout.simulate import make_recording
from poise.skills.compare import TIMESTEP_S
from poise.skills.course import FloatArray, JoinedLog, Stage
from poise.skills.explore import FALLEN_MARK, finish, let_fall
from poise.skills.graph import CORRECTIVE, LEARNED, NAIVE, Edge, SkillGraph
from poise.skills.moment import has_ended, take_moment
from poise.skills.rescue import Rescue
from poise.skills.script_file import library_transitions, read_transition
from poise.skills.skill import Skill, load_skill
from poise.skills.trial import make_limp
from poise.world.controller import Controller
from poise.world.tape import TapeLog

#: How long a skill that does not end by itself continues once it has settled.
LEAST_S, MOST_S = 0.3, 1.3
#: A skill is left early only if it matches its manner within this fraction of a trial's tolerance.
SETTLED: Final = 0.4
#: A skill's chance of being drawn is ∝ 1 / (its duration + this)²: getting up takes half a minute.
SHORT_S: Final = 3.0
#: Number of skills tried after a failure before the tour ends.
RESCUES: Final = 6
#: Moments closer than this to a basin's boundary, in units of its margin, are avoided.
CERTAIN: Final = 0.3
START: Final = "start"
#: The skill with which a tour begins.
STAND: Final = "stand"


@dataclass(frozen=True)
class Visit:
    """One skill of a tour."""

    skill: str
    #: `start`, or the kind of the edge that led to it.
    by: str
    start_s: float
    seconds: float
    arrived: bool


@dataclass(frozen=True, eq=False)
class Lesson:
    """A moment at which a skill was entered, and whether it arrived."""

    #: The skill that was left there, marked if the body had been made to fall.
    source: str
    skill: str
    features: FloatArray
    arrived: bool


@dataclass
class Tour:
    """A random tour."""

    seed: int
    seconds: float = 0.0
    visits: list[Visit] = field(default_factory=list)
    #: Whether it ended early because no skill recovered from a fall.
    failed: bool = False

    @property
    def skills(self) -> int:
        """Number of skills completed."""
        return sum(v.arrived for v in self.visits)

    @property
    def falls(self) -> int:
        """Number of failures; failed rescue attempts are not counted again."""
        return sum(not v.arrived and v.by != CORRECTIVE for v in self.visits)

    @property
    def recoveries(self) -> int:
        return sum(v.arrived and v.by == CORRECTIVE for v in self.visits)

    def summarize(self) -> dict[str, Any]:
        """Plain data for JSON."""
        figures = {name: getattr(self, name) for name in ("seed", "seconds", "skills", "falls", "recoveries", "failed")}
        return {**figures, "visits": [asdict(v) for v in self.visits]}


class Wanderer:
    """A random walk through the graph, in one world with all skills in its cast; `keep` stores the whole recording."""

    def __init__(
        self,
        graph: SkillGraph,
        seed: int,
        start: str | None = None,
        *,
        keep: bool = False,
        timestep_s: float = TIMESTEP_S,
        skills: dict[str, Skill] | None = None,
    ) -> None:
        if not graph.manners:
            raise InputError("graph: has no skills. Try 'poise graph learn'.")
        self.graph, self.tour, self._keep = graph, Tour(seed), keep
        self._random = np.random.default_rng(seed)
        self._basins = graph.make_basins()
        # A skill with no way onward would end the tour.
        self._endless = graph.find_endless()
        self._rescue = Rescue(graph)
        #: Skills that have failed since the last success.
        self._failed: list[str] = []
        #: Loaded skills and transitions; wanderers can share them.
        self._skills = {} if skills is None else skills
        self._logs: list[TapeLog] = []
        #: Outcomes that the basins can learn from.
        self.lessons: list[Lesson] = []
        files = map(read_transition, library_transitions())
        self._transitions = {(f.source, f.target): f.path for f in files if f.leave_phase is None and not f.repairs}
        self._here = graph.check(start) if start is not None else self._find_start()
        self._left = self._here
        first = self._load(self._here)
        self._limp = make_limp(first)
        self.stage = Stage(first.character, [*self._load_all(), self._limp], timestep_s)
        self.stage.begin(first.controller)

    def _load_all(self) -> list[Controller]:
        """Controllers of all skills and learned transitions of the graph: the cast of the tour."""
        ways = [self._transitions.get((e.source, e.target)) for e in self.graph.edges if e.kind == LEARNED]
        names = [*self.graph.manners, *(str(path) for path in ways if path is not None)]
        return [self._load(name).controller for name in names]

    def _find_start(self) -> str:
        """The skill `stand`; if the graph has none, the skill with the most outgoing edges."""
        if STAND in self.graph.manners:
            return STAND
        return max(self.graph.manners, key=lambda name: len(self.graph.edges_from(name)))

    def _load(self, name: str) -> Skill:
        if name not in self._skills:
            self._skills[name] = load_skill(name)
        return self._skills[name]

    def wander(self, seconds: float, progress: Callable[[float], None] | None = None) -> Tour:
        """Tour until the time is up or no rescue succeeds."""
        by, script = START, self._load(self._here)
        while self.tour.seconds < seconds and not self.has_shown_all():
            arrived = self._visit(script, by)
            if progress is not None:
                progress(min(self.tour.seconds / seconds, 1.0))
            if arrived:
                self._failed.clear()
                by, script = self._choose_next()
                continue
            self._failed.append(self._here)
            if len(self._failed) > RESCUES:
                self.tour.failed = True
                break
            by, script = self._come_back()
        return self.tour

    def has_shown_all(self) -> bool:
        """Whether the tour is complete; a random one never is."""
        return False

    def _visit(self, script: Skill, by: str) -> bool:
        manner = self.graph.manners[self._here]
        before = take_moment(self.stage.world).features()
        begun = self.stage.world.time_s
        if self._keep:
            self._logs.append(self.stage.log)
        self.stage.log = TapeLog()
        stay = float(self._random.uniform(LEAST_S, MOST_S))
        arrived = finish(self.stage, script, manner, manner.seconds + stay, SETTLED)
        # It may still be settling: it gets as long as a trial, and then counts if it matches at the usual tolerance.
        while not arrived and not has_ended(self.stage.world) and self.stage.world.time_s - begun < manner.watch_s:
            arrived = finish(self.stage, script, manner, 0.0, SETTLED)
        arrived = arrived or manner.matches(self.stage.track())
        self.tour.seconds = self.stage.world.time_s
        self.tour.visits.append(Visit(self._here, by, begun, self.tour.seconds - begun, arrived))
        if by in (NAIVE, CORRECTIVE):
            mark = FALLEN_MARK if by == CORRECTIVE else ""
            self.lessons.append(Lesson(self._left + mark, self._here, before, arrived))
        return arrived

    def _choose_next(self) -> tuple[str, Skill]:
        """Draw the next skill among those that may be entered here."""
        features = take_moment(self.stage.world).features()
        ways = [edge for edge in self.graph.edges_from(self._here) if edge.target in self._endless]
        if not ways:
            # Reached after a fall: go limp again and try the skill most likely to lead out.
            return self._come_back()
        sure = [self._judge(edge, features) for edge in ways]
        open_ways = [edge for edge, margin in zip(ways, sure, strict=True) if margin > CERTAIN]
        chosen = open_ways or [ways[int(np.argmax(sure))]]
        # Long skills are drawn less often, to keep the tour varied.
        weights = np.array([(SHORT_S + self.graph.manners[edge.target].seconds) ** -2.0 for edge in chosen])
        return self._enter(chosen[int(self._random.choice(len(chosen), p=weights / weights.sum()))])

    def _judge(self, edge: Edge, features: FloatArray) -> float:
        """Confidence that an edge may be taken here; basins do not cover learned transitions."""
        basin = self._basins.get(edge.target)
        return 1.0 if edge.kind == LEARNED or basin is None else float(basin.judge(features)[0])

    def _enter(self, edge: Edge) -> tuple[str, Skill]:
        self._left, self._here = edge.source, edge.target
        path = self._transitions.get((edge.source, edge.target)) if edge.kind == LEARNED else None
        script = self._load(str(path)) if path is not None else self._load(edge.target)
        self.stage.switch(script.controller)
        return edge.kind, script

    def _come_back(self) -> tuple[str, Skill]:
        """Go limp for a while, then enter the skill most likely to recover from here."""
        let_fall(self.stage, self._limp)
        self.tour.seconds = self.stage.world.time_s
        features = take_moment(self.stage.world).features()
        # Skills with no way onward come last.
        helper = self._rescue.choose(features, self._failed, self._endless)
        return self._enter(Edge(self._here, helper, CORRECTIVE, 0, 0))

    def recording(self) -> Recording:
        """Recording of the whole tour."""
        names = [v.skill for v in self.tour.visits]
        whole = JoinedLog([*self._logs, self.stage.log])
        return make_recording(self.stage.world, whole, (), {"skills": names, "seed": self.tour.seed})
