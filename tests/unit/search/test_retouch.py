"""Retouching a motion: windows, what they cost, and the file that is left."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import read_controller_file
from poise.controllers.tracker import layout
from poise.documents import save_toml
from poise.errors import FileFormatError, InputError
from poise.search import retouch as module
from poise.search import retouch_windows
from poise.search.retouch import retouch, retouch_cycle, with_rows
from poise.search.retouch_file import Order, describe_search, load_tracker, save_rows
from poise.search.retouch_trial import FALL, MOST, Bench, Case
from poise.search.retouch_windows import News, Plan, Windows, count_simulated_s, weigh_states
from poise.search.session import open_session
from poise.search.tame_cost import Closing
from poise.search.tame_trial import Subject, Trial, make_subject
from poise.tables import load_table
from poise.trust import allowing
from unit.search.small_clip import write_stand, write_walk

SMALL = Plan(generations=2, starts=2, draw=2, check_starts=1, check_s=2.0)
GOOD = Trial(None, 16.0, 30, None, 0.1, 0.0, 0.0)


#: With these it comes from standing into its walk.
GAINS = read_controller_file("tracker/normal").table["gains"]


@pytest.fixture
def walk() -> Subject:
    return make_subject("normal", load_character("lee13"))


@pytest.fixture
def steps() -> Subject:
    """The first fragments of a walk."""
    subject = make_subject("normal", load_character("lee13"), once=True)
    short = replace(subject, track=replace(subject.track, fragments=subject.track.fragments[:3]))
    return with_rows(short, _none(short))


@pytest.fixture
def once(tmp_path: Path) -> Subject:
    return make_subject(write_walk(tmp_path / "once.npz"), load_character("lee13"), once=True)


@pytest.fixture
def stand(tmp_path: Path) -> Subject:
    return make_subject(write_stand(tmp_path / "stand.npz"), load_character("lee13"), once=True)


def _none(subject: Subject) -> np.ndarray:
    return np.zeros((len(subject.track.fragments), layout.RETOUCH))


def test_standing_as_recorded_costs_next_to_nothing(stand: Subject) -> None:
    bench = Bench(stand, {})
    assert bench.try_rows(Case(bench.begin(1)), _none(stand), 1) < 0.05


def test_who_falls_pays_for_the_time_that_is_left(stand: Subject) -> None:
    bench = Bench(stand, {})
    pushed = np.zeros(bench.count_velocities())
    pushed[0] = 4.0
    cost = bench.try_rows(Case(bench.begin(1), pushed), _none(stand), 1)
    assert FALL + 0.2 * MOST < cost < FALL + MOST + 1.0
    assert bench.continue_from(Case(bench.begin(1), pushed), _none(stand)) == (cost, None)


def test_trials_of_a_state_are_the_same_whatever_was_tried_before(once: Subject) -> None:
    bench, rows = Bench(once, {}), _none(once)
    case = Case(bench.begin(1))
    first = bench.try_rows(case, rows, 2)
    other = bench.try_rows(case, rows + 0.02, 2)
    assert bench.try_rows(case, rows, 2) == first != other


def test_a_state_goes_on_to_where_the_next_fragment_begins(once: Subject) -> None:
    bench = Bench(once, {})
    case = Case(bench.begin(1))
    cost, state = bench.continue_from(case, _none(once))
    assert state is not None
    assert cost == bench.try_rows(case, _none(once), 1)
    assert (state.memories[0][layout.DONE], state.memories[0][layout.FRAGMENT]) == (1.0, 1.0)


def test_windows_go_over_all_fragments_and_make_them_cheaper(steps: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """What each began with is tried beside it in the end, so that none ends up dearer."""
    monkeypatch.setattr(module, "_close", lambda *_: Closing(1.0, (GOOD,)))
    monkeypatch.setattr(retouch_windows, "TRIED", 2)
    told: list[News] = []
    found = retouch(steps, GAINS, SMALL, follow=told.append)
    assert [n.fragment for n in told] == [0, 1, 2]
    assert all(n.through == 2 for n in told[:2])
    searched = [n.searched for n in told if n.searched is not None]
    assert any(after < before for before, after in searched) and all(after <= before for before, after in searched)
    assert found.rows.any() and not found.interrupted
    again = retouch(steps, GAINS, SMALL, workers=1)
    assert np.array_equal(found.rows, again.rows), "the number of workers does not change the result"


def test_a_cycle_is_one_window_that_is_searched_from_ever_later_states(
    walk: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retouch_windows, "CYCLES", 1)
    begun: list[list[float]] = []
    search = Windows._search

    def watch(
        run: Windows, first: int, end: int, fragments: int, cases: list[Case], part: float
    ) -> tuple[float, float]:
        begun.append([float(case.snapshot.memories[0][layout.DONE]) for case in cases])
        return search(run, first, end, fragments, cases, part)

    monkeypatch.setattr(Windows, "_search", watch)
    told: list[News] = []
    last = len(walk.track.fragments) - 1
    retouch(walk, GAINS, replace(SMALL, generations=1, first=last), follow=told.append)
    first, size = walk.track.back_to, len(walk.track.fragments) - walk.track.back_to
    assert [n.fragment for n in told] == [*range(first), *[last] * SMALL.rounds]
    assert begun[0] == [first, first]
    assert begun[1] == [first + size, first]
    assert begun[2][0] > first


def test_the_cycle_alone_is_retouched_as_a_stage_of_taming_and_resumed(
    walk: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retouch_windows, "CYCLES", 1)
    plan, told = replace(SMALL, generations=1, rounds=2), []
    with open_session(tmp_path / "x.toml", "tame", {}) as session:
        rows = retouch_cycle(walk, GAINS, plan, session=session, key="round 1, ", follow=told.append)
    assert rows[walk.lead_in :].any() and not rows[: walk.lead_in].any()
    assert [news.fragment for news in told] == [len(walk.track.fragments) - 1] * 2
    with open_session(tmp_path / "x.toml", "tame", {}, resume=True) as session:
        assert session.knows("round 1, window 1, generation 1") and session.knows("round 1, window 2, choice")
        again = retouch_cycle(walk, GAINS, plan, session=session, key="round 1, ")
    assert np.array_equal(rows, again)
    cycle_s = sum(f.last - f.first for f in walk.track.fragments[walk.lead_in :]) / 30.0
    assert count_simulated_s(walk, plan) == pytest.approx(2 * (14 * 2 + 3 * 2) * cycle_s)


def test_what_makes_it_worse_is_not_kept(stand: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    costs = iter([1.0, 2.0])
    monkeypatch.setattr(module, "_close", lambda *_: Closing(next(costs), (GOOD,)))
    found = retouch(stand, {}, SMALL)
    assert not found.rows.any() and not found.is_better
    assert found.closing is found.before


def test_ctrl_c_ends_it_with_what_was_found(once: Subject) -> None:
    def end(_news: News) -> None:
        raise KeyboardInterrupt

    found = retouch(once, {}, SMALL, follow=end)
    assert found.interrupted and found.closing is None
    assert found.rows[0].any()


def test_a_fragment_that_is_not_there_is_refused(stand: Subject, steps: Subject) -> None:
    for subject, wrong, text in (
        (stand, {"first": 9}, "got 9. Allowed: 0 to 0."),
        (steps, {"first": 1, "last": 0}, "got 0. Allowed: 1 to 2."),
        (steps, {"last": 3}, "got 3. Allowed: 0 to 2."),
    ):
        with pytest.raises(InputError) as error:
            retouch(subject, {}, replace(SMALL, **wrong))
        assert str(error.value) == f"retouch: no such fragment, {text}"


def test_fragments_outside_the_asked_ones_stay_as_they_are(steps: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_close", lambda *_: Closing(1.0, (GOOD,)))
    told: list[News] = []
    found = retouch(steps, GAINS, replace(SMALL, first=1, last=1), follow=told.append)
    assert [(n.fragment, n.searched is None) for n in told] == [(0, True), (1, False)]
    assert not found.found[[0, 2]].any()


def test_every_generation_is_tried_from_states_drawn_anew(steps: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many of the known ones, each with its own noise; all of them only where the search ends."""
    seen: list[list[Case]] = []

    def look(run: Windows, tables: list[np.ndarray], _fragments: int, cases: list[Case]) -> np.ndarray:
        seen.append(cases)
        return np.ones((len(tables), len(cases)))

    monkeypatch.setattr(Windows, "_try_all", look)
    retouch(steps, GAINS, replace(SMALL, generations=3, starts=5, last=0))
    assert [len(cases) for cases in seen] == [2, 2, 2, 5]
    noises = [case.noise for cases in seen for case in cases]
    assert all(noise is not None for noise in noises)
    assert len({tuple(noise) for noise in noises if noise is not None}) == len(noises)


def _all_fall(run: Windows, cases: list[Case], k: int, *_: object) -> tuple[list[Case], News]:
    return [], News(k, run.count, 0, len(cases), 30.0, 30.0, None, run.rows)


def test_who_falls_in_the_last_fragment_is_still_judged_by_other_starts(
    stand: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Windows, "_pass", _all_fall)
    assert retouch(stand, {}, replace(SMALL, generations=1)).closing is not None


def test_it_ends_where_no_start_comes_through(steps: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Windows, "_pass", _all_fall)
    with pytest.raises(InputError) as error:
        retouch(steps, GAINS, replace(SMALL, first=1))
    assert str(error.value) == (
        "retouch: no start survives fragment 0 of 0 to 2. Tame the clip first, or use more generations."
    )


def test_the_worst_quarter_of_the_states_weighs_half_more() -> None:
    assert weigh_states(np.array([1.0, 1.0, 1.0, 5.0])) == pytest.approx(2.0 + 2.5)
    assert weigh_states(np.array([2.0, 4.0])) == pytest.approx(3.0 + 2.0)


def test_the_file_runs_and_says_how_it_was_found(once: Subject, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    table = {"method": "tracker", "character": "lee13", "clip": "once.npz", "endless": False, "description": "x"}
    save_toml(tmp_path / "once.toml", {**table, "gains": {"lift_m": 0.05}})
    order = Order(tmp_path / "once.toml", tmp_path / "deep" / "new.toml")
    tracker = load_tracker(order.source)
    rows = np.round(_none(once) + 0.01, 4)
    found = module.Retouched(rows, rows, False, Closing(2.0, (GOOD,)), Closing(1.0, (GOOD,)))
    save_rows(order, tracker, rows, describe_search(order, replace(SMALL, seed=4), tracker, found))
    written = load_table(order.out)
    assert (written["clip"], written["gains"]) == ("../once.npz", {"lift_m": 0.05})
    how = written["provenance"]["retouch"]
    assert how["command"] == "poise clip retouch once.toml --generations 2 --starts 2 --draw 2 --seed 4"
    assert (how["check"]["up"], how["before"]["up"]) == (1, 1)
    with pytest.raises(InputError, match="names a file outside its folder"):
        load_tracker(order.out)
    with allowing(outside=True):
        again = load_tracker(order.out)
    assert again.subject.track.retouch is not None
    assert np.array_equal(again.subject.track.retouch, rows)
    assert np.array_equal(with_rows(once, rows).controller.params, again.subject.controller.params)
    with pytest.raises(InputError) as error:
        Order(order.source, order.out).check_free()
    assert str(error.value) == f"{order.out}: already exists. Give another file with --out."


def test_files_of_other_methods_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    save_toml(path, {"method": "walker", "character": "humanoid", "description": "x"})
    with pytest.raises(FileFormatError) as error:
        load_tracker(path)
    assert str(error.value) == f"{path}: its method is not tracker. Only files of `poise clip tame` can be retouched."
