"""`make_transition`: a transition from names to a file: prepared, searched, compared with the naive one, written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from poise import __version__
from poise.controllers.script.tree import Script
from poise.errors import InputError
from poise.files import save_text
from poise.transitions.compare import STARTS, TIMESTEP_S, Comparison, compare
from poise.transitions.goal import Weights
from poise.transitions.learn import Follow, Found, Plan, Task, learn, prepare
from poise.transitions.script_file import write_transition
from poise.transitions.skill import Skill, load_skill
from poise.transitions.trial import make_script

OUT: Final = Path("out") / "transitions"


@dataclass(frozen=True, eq=False)
class Made:
    """A transition that was searched for, or only the naive one."""

    source: Skill
    target: Skill
    comparison: Comparison
    found: Found | None = None
    plan: Plan | None = None
    path: Path | None = None

    def summarize(self) -> dict[str, Any]:
        """Plain data, as JSON wants it."""
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
    plan: Plan | None,
    *,
    via: str | None = None,
    tries: int = STARTS,
    output: str | None = None,
    workers: int | None = None,
    progress: Follow | None = None,
    compare_progress: Callable[[float], None] | None = None,
) -> Made:
    """Searches for a transition and writes it; without a plan the naive one is tried and nothing written."""
    one, other = load_skill(source), load_skill(target)
    if plan is None:
        naive = compare(one, other, None, starts=tries, workers=workers, progress=compare_progress)
        return Made(one, other, naive)
    count = len(other.program.script.phases)
    if plan.at_phase >= count:
        allowed = f"Allowed: 0 to {count - 1}"
        raise InputError("the target has no such phase", where="--at-phase", got=plan.at_phase, allowed=allowed)
    task = prepare(one, other, plan, load_skill(via) if via else None)
    found = learn(task, workers=workers, progress=progress)
    comparison = compare(
        one,
        other,
        found.script,
        at_phase_script=_naive_script(task),
        starts=tries,
        workers=workers,
        progress=compare_progress,
    )
    name = f"{one.name}-to-{other.name}"
    path = Path(output) if output is not None else OUT / f"{name}.ctl"
    notes = _tell(one, other, plan, via, found, comparison)
    script = Script(name.replace("-", "_"), (), found.script.phases, found.script.includes, found.script.settings)
    about = f"begins where {one.name} may be left, and ends in {other.name}."
    save_text(path, write_transition(one.name, other.name, script, task.steps, about, notes))
    return Made(one, other, comparison, found, plan, path)


def _naive_script(task: Task) -> Script | None:
    """Where the target is not entered at its beginning, the naive transition enters it there too."""
    if task.plan.at_phase == 0:
        return None
    return make_script("naive", (), task.target, task.plan.at_phase, task.moments[0].limit_nm)


def spell_command(source: str, target: str, plan: Plan, via: str | None) -> str:
    """The command that makes a transition; what is as usual is left out."""
    usual = Plan()
    words = ["poise transition", source, target]
    words += [f"--via {via}"] if via else []
    for name in ("phases", "algorithm", "generations", "population", "starts", "spread", "at_phase", "seed"):
        value = getattr(plan, name)
        if value != getattr(usual, name):
            shown = value if isinstance(value, str) else f"{value:g}"
            words.append(f"--{name.replace('_', '-')} {shown}")
    for name, value in asdict(plan.weights).items():
        if value != getattr(Weights(), name):
            words.append(f"--weight {name}={value:g}")
    if plan.goal is not None:
        words.append(f"--goal {plan.goal[0]:g}:{plan.goal[1]:g}")
    return " ".join(words)


def _tell(
    source: Skill, target: Skill, plan: Plan, via: str | None, found: Found, comparison: Comparison
) -> tuple[str, ...]:
    weights = ", ".join(f"{name} {value:g}" for name, value in asdict(plan.weights).items() if value)
    naive, learned = comparison.naive, comparison.learned
    assert learned is not None
    return (
        f"Found by `{spell_command(source.name, target.name, plan, via)}` (Poise {__version__}): "
        f"{found.generations} generations, {found.evaluations} candidates, each from {plan.starts} starts; "
        f"{found.unknowns} unknowns, all numbers of {len(found.script.phases) - 1} phases.",
        f"Objective [Firmin15 §4.2]: {weights}; cost {found.first_cost:.4g} before, {found.cost:.4g} after the search.",
        f"Of {learned.starts} disturbed starts at {TIMESTEP_S:g} s, {learned.arrived} arrive; {naive.arrived} do when "
        "it is switched at once.",
    )
