"""`make_transition`: prepare and search a transition, compare it with the naive one, and write it to a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from poise import __version__
from poise.errors import InputError
from poise.files import save_text
from poise.language.tree import Script
from poise.search.session import Session, open_session
from poise.skills.command import spell_command
from poise.skills.compare import STARTS, TIMESTEP_S, Comparison, compare
from poise.skills.learn import Follow, Found, Plan, learn, prepare
from poise.skills.script_file import LIBRARY, write_transition
from poise.skills.skill import Skill, begin_from, fingerprint, load_skill
from poise.world.controller import Start

OUT: Final = Path("out") / "transitions"


@dataclass(frozen=True, eq=False)
class Made:
    """A transition found by a search, or only the naive one."""

    source: Skill
    target: Skill
    comparison: Comparison
    found: Found | None = None
    plan: Plan | None = None
    path: Path | None = None
    #: Script of the immediate switch, if that is not simply the target from its beginning.
    naive: Script | None = None

    def summarize(self) -> dict[str, Any]:
        """Plain data for JSON."""
        found = None
        if self.found is not None:
            found = {k: v for k, v in vars(self.found).items() if k not in ("script", "course")}
        return {
            "source": self.source.name,
            "target": self.target.name,
            "poise": __version__,
            "plan": None if self.plan is None else asdict(self.plan),
            "found": found,
            "script": None if self.path is None else str(self.path),
            "comparison": asdict(self.comparison),
        }


def make_transition(
    source: str,
    target: str,
    plan: Plan,
    *,
    search: bool = True,
    via: str | None = None,
    start: Start | None = None,
    tries: int = STARTS,
    output: str | None = None,
    resume: bool = False,
    workers: int | None = None,
    progress: Follow | None = None,
    compare_progress: Callable[[float], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Made:
    """Search for a transition and write it; without a search, only the naive one is tried and nothing is written.

    `start` is the start pose of the source's own run if the plan names one. `resume` continues a search that was
    stopped or killed; `say` is called if its journal is damaged.
    """
    one, other = load_skill(source), load_skill(target)
    one = one if start is None else begin_from(one, start)
    _check_phase("--at-phase", "target", other, plan.at_phase)
    _check_phase("--leave", "source", one, plan.leaving.phase or 0)
    guess = load_skill(find_via(via)) if via else None
    make = partial(_make, one, other, plan, guess, via, tries, workers, progress, compare_progress)
    if not search:
        return make(Session(), None)
    path = Path(output) if output is not None else OUT / f"{one.name}-to-{other.name}.ctl"
    used = (one, other) if guess is None else (one, other, guess)
    notes = {"scripts": [fingerprint(skill.program) for skill in used], **asdict(plan)}
    with open_session(path, "transition", notes, resume=resume, option="--output", say=say) as session:
        made = make(session, path)
        if made.found is not None and not made.found.interrupted:
            session.finish()
    return made


def _make(
    one: Skill,
    other: Skill,
    plan: Plan,
    guess: Skill | None,
    via: str | None,
    tries: int,
    workers: int | None,
    progress: Follow | None,
    compare_progress: Callable[[float], None] | None,
    session: Session,
    path: Path | None,
) -> Made:
    """The transition, written to `path`; without a path there is no search."""
    task = prepare(one, other, plan, guess)
    found = None if path is None else learn(task, session=session, workers=workers, progress=progress)
    comparison = compare(
        one,
        other,
        found.script if found is not None else None,
        naive=task.naive,
        at_phase=plan.at_phase,
        leaving=plan.leaving,
        starts=tries,
        session=session,
        key="comparison" if found is None else f"comparison of generation {found.generations}, {tries} starts",
        workers=workers,
        progress=compare_progress,
    )
    if found is None or path is None:
        return Made(one, other, comparison, plan=plan, naive=task.naive)
    name = f"{one.name}-to-{other.name}"
    notes = _describe(one, other, plan, via, found, comparison)
    script = Script(name.replace("-", "_"), (), found.script.phases, found.script.includes, found.script.settings)
    left = "may be left" if plan.leaving.phase is None else f"enters phase {plan.leaving.phase}"
    about = f"begins where {one.name} {left}, and ends in {other.name}."
    save_text(path, write_transition(one.name, other.name, script, task.steps, about, notes))
    return Made(one, other, comparison, found, plan, path, task.naive)


def find_via(name: str) -> str:
    """The skill or file that phases are taken from: a shipped first guess is found by its file name."""
    guess = LIBRARY / name
    return str(guess) if guess.suffix and isfile(guess) and not isfile(name) else name


def _check_phase(where: str, whose: str, skill: Skill, phase: int) -> None:
    count = len(skill.program.script.phases)
    if phase >= count:
        raise InputError(f"the {whose} has no such phase", where=where, got=phase, allowed=f"Allowed: 0 to {count - 1}")


def _describe(
    source: Skill, target: Skill, plan: Plan, via: str | None, found: Found, comparison: Comparison
) -> tuple[str, ...]:
    weights = ", ".join(f"{name} {value:g}" for name, value in asdict(plan.weights).items() if value)
    naive, learned = comparison.naive, comparison.learned
    assert learned is not None
    starts = "disturbed starts" if plan.leaving.noise == 1.0 else f"starts with {plan.leaving.noise:g} times the noise"
    if comparison.drawn is not None:
        starts += f" from which an immediate switch fails ({comparison.drawn} were drawn)"
    return (
        f"Found by `{spell_command(source.name, target.name, plan, via)}` (Poise {__version__}): "
        f"{found.generations} generations, {found.evaluations} candidates, each from {plan.starts} starts; "
        f"{found.unknowns} unknowns, all numbers of {len(found.script.phases) - 1} phases.",
        f"Objective [Firmin15 §4.2]: {weights}; cost {found.first_cost:.4g} before, {found.cost:.4g} after the search.",
        f"Of {learned.starts} {starts} at {TIMESTEP_S:g} s, {learned.arrived} arrive; {naive.arrived} do with "
        "an immediate switch.",
    )
