"""The stages of taming: gains to begin with, a dropped lead-in, a search that ends, and retouching."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.tracker import layout
from poise.search import tame as module
from poise.search import tame_cost, tame_search
from poise.search.session import open_session
from poise.search.tame import BUDGET, DONE, News, Tamed, tame
from poise.search.tame_cost import Closing
from poise.search.tame_plan import Plan
from poise.search.tame_report import advise, describe_motion, explain_failure
from poise.search.tame_starts import PLAIN, Tried, choose_start, load_shipped_gains
from poise.search.tame_trial import Subject, Trial, make_subject
from unit.search.small_clip import write_walk

PLAN = Plan(seeds=1, seconds=8.0, check_seeds=2, check_s=2.0)
Judge = Callable[[Subject, Mapping[str, float]], Trial]


@pytest.fixture
def walk(tmp_path: Path) -> Subject:
    return make_subject(write_walk(tmp_path / "walk.npz"), load_character("lee13"))


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, walk: Subject) -> Iterator[list[Judge]]:
    """Trials are not simulated: the function in the list judges them."""
    found: list[Judge] = []

    def fake(subject: Subject, gains: Mapping[str, float], _seed: int, **_: float) -> Trial:
        return found[0](subject, gains)

    for place in (tame_cost, tame_search):
        monkeypatch.setattr(place, "run_trial", fake)
    yield found


def end(subject: Subject, error_rad: float, fell_after: int | None = None, part: float = 1.0) -> Trial:
    """A trial that fell after some fragments, or walked at a part of the recorded speed."""
    speed = part * float(np.linalg.norm(subject.cycle_velocity_mps()))
    failed, done = (None, 99) if fell_after is None else (1.0, fell_after)
    return Trial(failed, failed or 2.0, done, speed, error_rad, 0.0, 0.0)


def test_all_shipped_trackers_lend_their_gains_once() -> None:
    found = load_shipped_gains()
    assert next(iter(found)) == PLAIN
    assert {"tamed/lee-normal", "tamed/cmu-07-01", "tracker/normal", "tracker/stroll"} <= set(found)
    assert "tracker/steer" not in found and "walker/walk" not in found
    assert found["tracker/normal"]["swing_world"] == 0.548, "inherited from another file"
    assert len({tuple(sorted(gains.items())) for gains in found.values()}) == len(found)


def test_the_search_begins_with_the_best_gains(walk: Subject, judge: list[Judge]) -> None:
    judge.append(lambda subject, gains: end(subject, abs(gains.get("lift_m", 9.0) - 0.07)))
    starts = {"a": {"lift_m": 0.02}, "b": {"lift_m": 0.06}, "c": {"lift_m": 0.09}}
    told: list[News] = []
    found = tame(walk, PLAN, starts=starts, follow=told.append)
    assert (found.begun_with, found.start) == ("b", {"lift_m": 0.06})
    assert abs(found.gains["lift_m"] - 0.07) < 0.01
    stages = list(dict.fromkeys(news.stage for news in told))
    assert stages == ["trying shipped gains", "searching gains", "final check"]
    parts = [news.part for news in told if news.stage == "final check"]
    assert parts[0] == 0.0 and parts[-1] == 1.0, "the check reports its progress"


def test_a_search_goes_on_while_the_cost_falls(walk: Subject, judge: list[Judge]) -> None:
    tried = 0

    def cheaper_for(count: int) -> Judge:
        def look(subject: Subject, _gains: Mapping[str, float]) -> Trial:
            nonlocal tried
            tried += 1
            return end(subject, 10.0 * 0.99 ** min(tried, count))

        return look

    lengths = []
    for count in (0, 120, 240):
        tried = 0
        judge[:] = [cheaper_for(count)]
        lengths.append(tame(walk, PLAN, workers=1).evaluations)
    assert lengths[0] == 12 * (tame_search.PATIENCE + 1)
    assert lengths[1] == pytest.approx(120 + lengths[0], abs=24)
    assert lengths[2] == pytest.approx(240 + lengths[0], abs=24)
    judge[:] = [cheaper_for(10**6)]
    assert tame(walk, replace(PLAN, evaluations=24)).evaluations == 24, "a number of candidates is kept"


def test_a_lead_in_in_which_it_falls_is_dropped(walk: Subject, judge: list[Judge]) -> None:
    judge.append(lambda subject, _: end(subject, 0.1, fell_after=1 if subject.lead_in else None))
    found = tame(walk, PLAN)
    assert walk.lead_in > 0 and found.subject.lead_in == 0
    assert found.closing is not None and found.closing.holds
    cycle = walk.track.fragments[walk.lead_in :]
    assert found.subject.track.fragments == cycle
    assert describe_motion(found.subject) == f"cycle {walk.track.cycle} repeated without its lead-in"
    judge[:] = [lambda subject, _: end(subject, 0.2 if subject.lead_in else 0.1)]
    kept = tame(walk, PLAN)
    assert kept.subject.lead_in == walk.lead_in, "a lead-in that works is kept even if it costs more"
    assert describe_motion(kept.subject) == f"cycle {walk.track.cycle} repeated after its lead-in"


def test_a_lead_in_of_half_a_run_is_left_out(walk: Subject, judge: list[Judge]) -> None:
    judge.append(lambda subject, _: end(subject, 0.1))
    assert 0.0 < walk.lead_in_s < 4.0
    for seconds, kept in ((2.1 * walk.lead_in_s, walk.lead_in), (1.9 * walk.lead_in_s, 0)):
        assert tame(walk, replace(PLAN, seconds=seconds)).subject.lead_in == kept


def test_who_falls_later_keeps_its_lead_in(walk: Subject) -> None:
    bare = walk.without_lead_in()

    def tried(subject: Subject, cost: float, fell_after: int | None) -> Tried:
        return Tried("x", {}, subject, Closing(cost, (end(subject, 0.1, fell_after),)))

    late, early = len(walk.track.fragments), len(walk.track.fragments) - 1
    assert choose_start([tried(walk, 9.0, late), tried(bare, 8.0, 1)]).subject is walk
    assert choose_start([tried(walk, 9.0, early), tried(bare, 10.0, 1)]).subject is bare
    assert choose_start([tried(walk, 2.0, late), tried(bare, 3.0, None)]).subject is bare
    assert choose_start([tried(bare, 8.0, 1), tried(bare, 7.0, 1)]).closing.cost == 7.0


@pytest.fixture
def retouched(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Calls of the search for retouches, which finds rows with as much crouch as there were calls."""
    calls: list[dict[str, Any]] = []

    def fake(subject: Subject, gains: Mapping[str, float], plan: Any, **options: Any) -> np.ndarray:
        calls.append({"subject": subject, "gains": gains, "plan": plan, **options})
        rows = np.zeros((len(subject.track.fragments), layout.RETOUCH))
        rows[:, layout.CROUCH - layout.LEAN] = 0.01 * len(calls)
        return rows

    monkeypatch.setattr(module, "retouch_cycle", fake)
    return calls


def crouch(subject: Subject) -> float:
    return 0.0 if subject.track.retouch is None else float(subject.track.retouch[0, layout.CROUCH - layout.LEAN])


def test_a_walk_with_another_speed_is_retouched_until_it_has_it(
    walk: Subject, judge: list[Judge], retouched: list[dict[str, Any]]
) -> None:
    judge.append(lambda subject, _: end(subject, 0.1, part=0.72 + 10.0 * crouch(subject)))
    found = tame(walk, PLAN)
    assert (found.rounds, crouch(found.subject), found.stopped_by) == (2, 0.02, DONE)
    assert [call["key"] for call in retouched] == ["round 1, ", "round 2, "]
    assert [crouch(call["subject"]) for call in retouched] == [0.0, 0.01], "each begins with the best so far"
    assert retouched[0]["plan"].seed != retouched[1]["plan"].seed
    assert describe_motion(found.subject).endswith("after its lead-in, retouched")
    none = tame(walk, replace(PLAN, retouch=False))
    assert (none.rounds, crouch(none.subject)) == (0, 0.0)


def test_a_round_that_makes_it_worse_is_not_kept(
    walk: Subject, judge: list[Judge], retouched: list[dict[str, Any]]
) -> None:
    judge.append(lambda subject, _: end(subject, 0.1, part=0.7 - crouch(subject)))
    found = tame(walk, PLAN)
    assert (found.rounds, crouch(found.subject)) == (module.ROUNDS, 0.0)
    assert [crouch(call["subject"]) for call in retouched] == [0.0] * module.ROUNDS


def test_no_round_begins_that_exceeds_the_budget(
    walk: Subject, judge: list[Judge], retouched: list[dict[str, Any]]
) -> None:
    judge.append(lambda subject, _: end(subject, 0.1, part=0.5))
    found = tame(walk, replace(PLAN, budget_s=found_s(walk, judge, retouched)))
    assert (found.rounds, found.stopped_by) == (0, BUDGET)
    assert advise(found, 1.0) == "Try a larger --budget, another --seed, --friction 2 or another --cycle"
    assert advise(replace(found, stopped_by=DONE), 2.0) == "Try another --seed or another --cycle"


def found_s(walk: Subject, judge: list[Judge], retouched: list[dict[str, Any]]) -> float:
    """Simulated time of the search without a round."""
    return tame(walk, replace(PLAN, retouch=False)).simulated_s


def test_falls_in_the_lead_in_drop_it_before_the_cycle_is_retouched(
    walk: Subject, judge: list[Judge], retouched: list[dict[str, Any]]
) -> None:
    """The gains that were tried first came through it; those that the search liked better do not."""
    seen = 0

    def look(subject: Subject, gains: Mapping[str, float]) -> Trial:
        nonlocal seen
        seen += 1
        return end(subject, 0.1, fell_after=None if seen < 3 or not subject.lead_in else 1)

    judge.append(look)
    found = tame(walk, PLAN, workers=1)
    assert retouched[0]["subject"].lead_in == 0
    assert (found.rounds, found.subject.lead_in) == (1, 0)


def test_a_search_with_rounds_resumes_as_if_it_had_not_stopped(
    walk: Subject, judge: list[Judge], retouched: list[dict[str, Any]], tmp_path: Path
) -> None:
    judge.append(lambda subject, gains: end(subject, gains.get("lift_m", 0.0), part=0.72 + 10.0 * crouch(subject)))
    whole = tame(walk, PLAN)

    def stop(news: News) -> None:
        if news.stage.startswith("searching gains for the retouched motion, round 2") and news.generations == 2:
            raise KeyboardInterrupt

    out = tmp_path / "x.toml"
    retouched.clear()
    with open_session(out, "tame", PLAN.notes()) as session:
        ended = tame(walk, PLAN, session=session, follow=stop)
    assert ended.interrupted and ended.rounds == 2
    retouched.clear()
    with open_session(out, "tame", PLAN.notes(), resume=True) as session:
        rest = tame(walk, PLAN, session=session)
    assert replace(rest, seconds=0.0, subject=walk) == replace(whole, seconds=0.0, subject=walk)
    assert np.array_equal(rest.subject.track.retouch, whole.subject.track.retouch)


def test_a_failure_says_where_it_falls(walk: Subject) -> None:
    lead, size = walk.lead_in, len(walk.track.fragments)

    def explain(*done: int) -> str:
        trials = tuple(replace(end(walk, 0.1, k), failed_at_s=1.0 + 0.25 * k) for k in done)
        return explain_failure(Tamed({}, walk, "x", {}, 1.0, 12, 0, 9.0, 1.0, DONE, Closing(9.0, trials)))

    feet = [
        f"on the {f.stance} foot" if f.stance in ("left", "right") else "on both feet" for f in walk.track.fragments
    ]
    assert explain(0, 0) == (
        f"no start stays on its feet: all 2 fall after 1.0 s, 2 of them in fragment 0 of the lead-in, {feet[0]}"
    )
    assert explain(lead, size, lead + 1) == (
        f"no start stays on its feet: all 3 fall after {1.0 + 0.25 * lead:.1f} to {1.0 + 0.25 * size:.1f} s, 2 of them "
        f"in step 1 of {size - lead} of the cycle, {feet[lead]}"
    )
