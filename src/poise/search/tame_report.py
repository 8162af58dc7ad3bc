"""What `poise clip tame` says about a result: where starts fall, and what to try next."""

from __future__ import annotations

from collections import Counter
from typing import Final

from poise.search.tame import BUDGET, Tamed
from poise.search.tame_trial import Subject, Trial

#: Friction at and above which more of it is no longer advised.
ENOUGH_FRICTION: Final = 2.0


def describe_motion(subject: Subject) -> str:
    """The part of the clip that is tracked."""
    track = subject.track
    if not track.is_endless:
        return "played once"
    lead_in = "after its lead-in" if subject.lead_in else "without its lead-in"
    cycle = "" if track.cycle is None else f" {track.cycle}"
    return f"cycle{cycle} repeated {lead_in}" + (", retouched" if track.retouch is not None else "")


def explain_failure(tamed: Tamed) -> str:
    """Reason why the result is of no use: all of its closing runs fell."""
    assert tamed.closing is not None
    trials = tamed.closing.trials
    times = sorted(t.failed_at_s for t in trials if t.failed_at_s is not None)
    span = f"{times[0]:.1f} s" if times[0] == times[-1] else f"{times[0]:.1f} to {times[-1]:.1f} s"
    place, count = Counter(name_place(tamed.subject, t) for t in trials).most_common(1)[0]
    return f"no start stays on its feet: all {len(trials)} fall after {span}, {count} of them {place}"


def name_place(subject: Subject, trial: Trial) -> str:
    """The fragment in which a trial ended."""
    fragments, done = subject.track.fragments, trial.fragments
    if not subject.track.is_endless:
        done = min(done, len(fragments) - 1)
        return f"in fragment {done} of 0 to {len(fragments) - 1}, {_name_stance(subject, done)}"
    if done < subject.lead_in:
        return f"in fragment {done} of the lead-in, {_name_stance(subject, done)}"
    size = len(fragments) - subject.lead_in
    step = (done - subject.lead_in) % size
    return f"in step {step + 1} of {size} of the cycle, {_name_stance(subject, subject.lead_in + step)}"


def _name_stance(subject: Subject, fragment: int) -> str:
    stance = subject.track.fragments[fragment].stance
    return {"both": "on both feet", "none": "in the air"}.get(stance, f"on the {stance} foot")


def advise(tamed: Tamed, friction: float) -> str:
    """What may help if starts fall."""
    ways = []
    if tamed.stopped_by == BUDGET:
        ways.append("a larger --budget")
    ways.append("another --seed")
    if friction < ENOUGH_FRICTION:
        ways.append("--friction 2")
    if tamed.subject.track.is_endless:
        ways.append("another --cycle")
    return "Try " + ", ".join(ways[:-1]) + f" or {ways[-1]}"
