"""The command that finds a transition, as stored in its file: formatting and parsing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from poise.skills.goal import Weights
from poise.skills.learn import Plan
from poise.skills.starts import Leaving

_NUMBERS = ("phases", "generations", "population", "starts", "at_phase", "seed")


def spell_command(source: str, target: str, plan: Plan, via: str | None) -> str:
    """The command that makes a transition, without options at their defaults."""
    usual = Plan()
    words = ["poise transition", source, target]
    words += [f"--via {via}"] if via else []
    for name in ("phases", "algorithm", "generations", "population", "starts", "spread", "at_phase", "seed"):
        value = getattr(plan, name)
        if value != getattr(usual, name):
            shown = value if isinstance(value, str) else f"{value:g}"
            words.append(f"--{name.replace('_', '-')} {shown}")
    words += _spell_leaving(plan.leaving)
    for name, value in asdict(plan.weights).items():
        if value != getattr(Weights(), name):
            words.append(f"--weight {name}={value:g}")
    if plan.goal is not None:
        words.append(f"--goal {plan.goal[0]:g}:{plan.goal[1]:g}")
    return " ".join(words)


def _spell_leaving(leaving: Leaving) -> list[str]:
    words = [f"--pose {leaving.pose}"] if leaving.pose else []
    words += [f"--leave {leaving.phase}"] if leaving.phase is not None else []
    words += [f"--after {leaving.after_s:g}"] if leaving.after_s else []
    words += [f"--noise {leaving.noise:g}"] if leaving.noise != 1.0 else []
    return words + (["--failing"] if leaving.failing else [])


def read_plan(words: Sequence[str]) -> Plan:
    """The plan of a command from `spell_command`, given its words."""
    given = _read_options(words)
    weights = dict(text.split("=") for text in given.pop("weight", ()))
    one = {name: texts[0] for name, texts in given.items()}
    start, _, end = one.get("goal", "").partition(":")
    return Plan(
        **{name: int(one[name]) for name in _NUMBERS if name in one},  # type: ignore[arg-type]
        algorithm=one.get("algorithm", Plan().algorithm),
        spread=float(one.get("spread", Plan().spread)),
        weights=Weights(**{name: float(text) for name, text in weights.items()}),
        goal=(float(start), float(end)) if end else None,
        leaving=Leaving(
            int(one["leave"]) if "leave" in one else None,
            float(one.get("after", 0.0)),
            one.get("pose", ""),
            float(one.get("noise", 1.0)),
            "failing" in one,
        ),
    )


def _read_options(words: Sequence[str]) -> dict[str, list[str]]:
    """Values of each option, in order; a flag has an empty text."""
    found: dict[str, list[str]] = {}
    for k, word in enumerate(words):
        if word.startswith("--"):
            value = words[k + 1] if k + 1 < len(words) and not words[k + 1].startswith("--") else ""
            found.setdefault(word.removeprefix("--").replace("-", "_"), []).append(value)
    return found
