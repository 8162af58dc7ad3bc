"""Learning the graph: every skill is tried from where the others are left, and from where they have failed.

Results stay valid while the scripts of both skills are unchanged: a new skill is tried with all others, and nothing
else is tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from poise.batches.batch import Batch, open_batch
from poise.batches.threads import heartbeat
from poise.documents import make_plain
from poise.errors import DivergedError, PoiseError
from poise.search.session import Session
from poise.skills.compare import TIMESTEP_S
from poise.skills.course import DIVERGED, ENDED, FloatArray, Stage, open_stage
from poise.skills.graph import CORRECTIVE, LEARNED, LEAST_SHARE, NAIVE, Edge, SkillGraph
from poise.skills.manner import Manner, learn_manner
from poise.skills.moment import PITCH, Moment, X, disturb, take_moment
from poise.skills.script_file import library_transitions, read_transition
from poise.skills.skill import Skill, fingerprint, load_skill, skill_names
from poise.skills.trial import make_limp
from poise.world.controller import Controller

#: Moments per skill from which all skills are tried: where it is left, and after it was made to fall.
LEAVES, FAILURES = 3, 1
#: Noise (rad, rad/s) on the joints of a skill's own start: calm for the moments of leaving, wild for its basin.
CALM: Final = (0.02, 0.05)
WILD: Final = ((0.05, 0.2), (0.1, 0.5), (0.2, 1.0), (0.3, 2.0))
WILD_TRIES: Final = 3
#: Standard deviations of the forward speed and pitch rate added before a fall, and the duration of the fall.
FALL_MPS, FALL_RADPS, FALL_S = 1.0, 1.5, 1.5
#: Moments after falls are stored under the skill's name with the first mark, its own disturbed starts with the second.
FALLEN_MARK, OWN_MARK = "!", "~"
#: Lessons of tours about a pair are stored with this mark between the two (`tours`): `walk@run`, `walk!@stand`.
TOUR_MARK: Final = "@"

Say = Callable[[str], None]
Progress = Callable[[float], None]
Pair = tuple[str, str]


def attempt(
    stage: Stage, skill: Skill, manner: Manner, moment: Moment | None, controller: Controller | None = None
) -> bool:
    """Whether a skill arrives from a moment or from its own start; `controller`, if given, leads into it."""
    stage.begin(controller or skill.controller, moment)
    return finish(stage, skill, manner, manner.watch_s)


def finish(stage: Stage, skill: Skill, manner: Manner, at_least_s: float, tolerance: float = 1.0) -> bool:
    """Run the active skill until it may be left; return whether it matches its manner.

    The stage's log must begin with the skill.
    """
    how = stage.perform(skill, 0.0 if skill.ends else at_least_s, max(4.0, 1.5 * manner.seconds))
    if how == DIVERGED or (how == ENDED and not skill.ends):
        return False
    return manner.matches(stage.track(), tolerance)


def let_fall(stage: Stage, limp: Controller, seconds: float = FALL_S) -> Moment | None:
    """The moment after the joints have been limp for a while; None if the simulation diverged."""
    stage.switch(limp)
    try:
        stage.advance(seconds)
    except DivergedError:
        return None
    return take_moment(stage.world)


@dataclass(frozen=True, eq=False)
class Known:
    """One skill and its moments by key: `walk`, `walk!`, `walk~`."""

    skill: Skill
    manner: Manner
    moments: Mapping[str, tuple[Moment, ...]]


def get_to_know(skill: Skill, manner: Manner | None, timestep_s: float = TIMESTEP_S) -> Known | None:
    """A skill with its manner and moments; None if it fails even from its own start."""
    heartbeat()
    stage = open_stage(skill.character, skill.controller, timestep_s)
    manner = manner or learn_manner(stage, skill)
    if manner is None:
        return None
    random = np.random.default_rng(list(skill.name.encode()))
    stage.begin(skill.controller)
    start = take_moment(stage.world)
    leaves, falls = [], []
    for k in range(LEAVES):
        begun = start if k == 0 else disturb(stage.world, start, random, *CALM)
        if attempt(stage, skill, manner, begun):
            leaves.append(take_moment(stage.world))
    for leave in leaves[:FAILURES]:
        thrown = _throw(leave, random)
        stage.begin(skill.controller, thrown)
        fallen = let_fall(stage, make_limp(skill))
        if fallen is not None:
            falls.append(fallen)
    own = [disturb(stage.world, start, random, *noise) for noise in WILD for _ in range(WILD_TRIES)]
    moments = {skill.name: leaves, skill.name + FALLEN_MARK: falls, skill.name + OWN_MARK: own}
    return Known(skill, manner, {key: tuple(rows) for key, rows in moments.items()}) if leaves else None


def _throw(moment: Moment, random: np.random.Generator) -> Moment:
    root_v = moment.root_v.copy()
    root_v[X] += FALL_MPS * random.standard_normal()
    root_v[PITCH] += FALL_RADPS * random.standard_normal()
    return replace(moment, root_v=root_v)


def _try_pair(known: Mapping[str, Known], timestep_s: float, item: tuple[str, Moment]) -> bool:
    heartbeat()
    name, moment = item
    target = known[name]
    stage = open_stage(target.skill.character, target.skill.controller, timestep_s)
    return attempt(stage, target.skill, target.manner, moment)


def explore(
    past: SkillGraph | None = None,
    *,
    names: Sequence[str] | None = None,
    timestep_s: float = TIMESTEP_S,
    session: Session | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    say: Say | None = None,
) -> SkillGraph:
    """Try all skills, reusing results of `past` for scripts that have not changed.

    A session stores every trial; resumed with the same past and the same scripts, it gives the same graph.
    """
    session = session or Session()
    tell = say or (lambda _text: None)
    skills = _load_skills(names or skill_names(), tell)
    prints = {name: fingerprint(skill.program) for name, skill in skills.items()}
    same = {n for n, mark in prints.items() if past is not None and past.fingerprints.get(n) == mark}
    with open_batch("threads", workers=workers) as batch:
        jobs = [(skills[n], past.manners[n] if past is not None and n in same else None) for n in skills]
        met = batch.run(partial(_meet, session, timestep_s), jobs)
        known = {k.skill.name: k for k in met if k is not None}
        for name in skills:
            if name not in known:
                tell(f"{name}: left out, since it fails from its own start.")
        moments = {key: rows for k in known.values() for key, rows in k.moments.items() if rows}
        features = {key: np.array([m.features() for m in rows]) for key, rows in moments.items()}
        manners, marks = {name: k.manner for name, k in known.items()}, {n: prints[n] for n in known}
        outcomes: dict[Pair, FloatArray] = {}
        if past is not None:
            lessons = [pair for pair in past.outcomes if is_lesson(pair) and name_skills(pair) <= same & set(known)]
            features |= {key: past.moments[key] for key, _ in lessons}
            outcomes |= {pair: past.outcomes[pair] for pair in lessons}
        learned = _try_transitions(known, batch, session, timestep_s, tell)
        new = _take_known(known, moments, past, same, outcomes)
        items = [(s, t, k) for s, t in new for k in range(len(moments[s]))]
        found = iter(batch.run(partial(_recall_try, session, known, moments, timestep_s), items, progress))
        outcomes |= {(s, t): np.array([float(next(found)) for _ in moments[s]]) for s, t in new}
    return SkillGraph(manners, (*find_edges(outcomes), *learned), marks, features, outcomes)


def _recall_try(
    session: Session,
    known: Mapping[str, Known],
    moments: Mapping[str, tuple[Moment, ...]],
    timestep_s: float,
    item: tuple[str, str, int],
) -> bool:
    source, target, k = item
    job = partial(_try_pair, known, timestep_s, (target, moments[source][k]))
    return session.recall(f"{source} {k} to {target}", job, read=bool)


def _load_skills(names: Sequence[str], tell: Say) -> dict[str, Skill]:
    found = {}
    for name in names:
        try:
            skill = load_skill(name)
        except PoiseError as error:
            tell(f"{name}: left out: {error}")
            continue
        if skill.program.environment is None:
            found[skill.name] = skill
        else:
            tell(f"{name}: left out, since it needs objects that the graph's level ground does not have.")
    return found


def _meet(session: Session, timestep_s: float, item: tuple[Skill, Manner | None]) -> Known | None:
    skill, manner = item
    job = partial(get_to_know, skill, manner, timestep_s)
    return session.recall(f"meet {skill.name}", job, read=partial(_read_known, skill), write=_write_known)


def _write_known(known: Known | None) -> Any:
    if known is None:
        return None
    moments = {key: [vars(m) for m in rows] for key, rows in known.moments.items()}
    return make_plain({"manner": known.manner, "moments": moments})


def _read_moment(row: dict[str, Any]) -> Moment:
    arrays = {name: np.array(value, dtype=float) for name, value in row.items() if name != "limit_nm"}
    return Moment(**arrays, limit_nm=float(row["limit_nm"]))


def _read_known(skill: Skill, row: Any) -> Known | None:
    if row is None:
        return None
    moments = {key: tuple(map(_read_moment, rows)) for key, rows in row["moments"].items()}
    return Known(skill, Manner(**row["manner"]), moments)


def _take_known(
    known: Mapping[str, Known],
    moments: Mapping[str, tuple[Moment, ...]],
    past: SkillGraph | None,
    same: set[str],
    outcomes: dict[Pair, FloatArray],
) -> list[Pair]:
    """Copy the known outcomes of the past into `outcomes`; return the pairs still to be tried.

    Every skill is tried from every moment of the others, and from its own disturbed starts.
    """
    pairs = [(s, t) for s in moments for t in known if not s.endswith(OWN_MARK) or s == t + OWN_MARK]
    new = []
    for pair in pairs:
        old = None if past is None else past.outcomes.get(pair)
        if old is not None and name_skills(pair) <= same and len(old) == len(moments[pair[0]]):
            outcomes[pair] = old
        else:
            new.append(pair)
    return new


def is_lesson(pair: Pair) -> bool:
    """Whether an outcome comes from a tour."""
    return pair[0].endswith(TOUR_MARK + pair[1])


def name_skills(pair: Pair) -> set[str]:
    """The skills whose scripts an outcome depends on."""
    return {pair[0].partition(TOUR_MARK)[0].rstrip(FALLEN_MARK + OWN_MARK), pair[1]}


def find_edges(outcomes: Mapping[Pair, FloatArray]) -> list[Edge]:
    """The edges supported by all outcomes of each pair, from trials and tours."""
    edges = []
    for (source, target), tried in outcomes.items():
        kind = CORRECTIVE if source.endswith(FALLEN_MARK) else NAIVE
        name = source.removesuffix(FALLEN_MARK)
        if source.endswith(OWN_MARK) or is_lesson((source, target)) or (name == target and kind == NAIVE):
            continue
        arrived = np.append(tried, outcomes.get((f"{source}{TOUR_MARK}{target}", target), ()))
        edge = Edge(name, target, kind, int(arrived.sum()), len(arrived))
        if edge.share >= LEAST_SHARE[kind]:
            edges.append(edge)
    return edges


def _try_transitions(
    known: Mapping[str, Known], batch: Batch, session: Session, timestep_s: float, tell: Say
) -> list[Edge]:
    """The learned transitions of the library as edges, each tried from all moments at which its source is left."""
    edges = []
    for path in library_transitions():
        file = read_transition(path)
        if file.leave_phase is not None:
            tell(f"{path.name}: left out, since the graph never leaves a skill in the middle.")
            continue
        if file.repairs:
            tell(f"{path.name}: left out, since it repairs individual states.")
            continue
        if file.source not in known or file.target not in known:
            tell(f"{path.name}: left out, since the graph lacks {file.source} or {file.target}.")
            continue
        moments = known[file.source].moments[file.source]
        script = load_skill(str(path))
        job = partial(_recall_transition, session, path.name, known[file.target], script, timestep_s)
        found = batch.run(job, list(enumerate(moments)))
        edge = Edge(file.source, file.target, LEARNED, sum(found), len(found))
        if edge.share >= LEAST_SHARE[LEARNED]:
            edges.append(edge)
        else:
            tell(f"{path.name}: arrives from {edge.arrived} of {edge.tries} moments, too few for an edge.")
    return edges


def _recall_transition(
    session: Session, name: str, target: Known, script: Skill, timestep_s: float, item: tuple[int, Moment]
) -> bool:
    k, moment = item
    return session.recall(f"{name} {k}", partial(_try_transition, target, script, timestep_s, moment), read=bool)


def _try_transition(target: Known, script: Skill, timestep_s: float, moment: Moment) -> bool:
    heartbeat()
    stage = open_stage(target.skill.character, target.skill.controller, timestep_s)
    stage.begin(script.controller, moment)
    return finish(stage, script, target.manner, target.manner.watch_s)
