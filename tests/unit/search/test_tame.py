"""Taming a clip: costs, a search that resumes where it ended, and the file that it writes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.tracker.spec import Gains
from poise.errors import FileFormatError, InputError
from poise.search import tame_cost, tame_search
from poise.search.session import open_session
from poise.search.tame import DONE, News, Tamed, tame
from poise.search.tame_cost import Closing, compute_cost, weigh
from poise.search.tame_file import (
    Order,
    StartMotion,
    make_tamed_subject,
    name_fault,
    read_start,
    read_start_motion,
    save_tamed,
)
from poise.search.tame_gains import make_space, round_gains
from poise.search.tame_plan import Plan
from poise.search.tame_trial import Subject, Trial, make_subject, run_trial
from poise.tables import load_table
from unit.search.small_clip import write_stand, write_walk

SMALL = Plan(evaluations=24, seeds=1, seconds=2.0, check_seeds=2, check_s=2.0, retouch=False)
GOOD = Trial(None, 16.0, 30, None, 0.1, 0.0, 0.0)


@pytest.fixture
def walk(tmp_path: Path) -> Subject:
    return make_subject(write_walk(tmp_path / "walk.npz"), load_character("lee13"))


@pytest.fixture
def stand(tmp_path: Path) -> Subject:
    return make_subject(write_stand(tmp_path / "stand.npz"), load_character("lee13"), once=True)


def test_a_start_pays_for_time_joints_and_speed(walk: Subject) -> None:
    speed = float(np.linalg.norm(walk.cycle_velocity_mps()))
    assert compute_cost(walk, replace(GOOD, speed_mps=speed), 16.0) == pytest.approx(0.2)
    assert compute_cost(walk, replace(GOOD, speed_mps=0.87 * speed), 16.0) == pytest.approx(0.2 + 5.0 * 0.1)
    assert compute_cost(walk, replace(GOOD, failed_at_s=4.0), 16.0) == pytest.approx(0.2 + 6.0)
    assert weigh([1.0, 2.0, 3.0]) == pytest.approx(3.5)


def test_a_motion_that_ends_pays_for_its_way_and_heading(stand: Subject) -> None:
    off = replace(GOOD, way_error_m=0.05, yaw_error_rad=-0.3)
    assert compute_cost(stand, off, 16.0) == pytest.approx(0.2 + 0.1 + 0.2)
    late = replace(GOOD, failed_at_s=100.0)
    assert compute_cost(stand, late, 16.0) == pytest.approx(0.2 + 1.0), "it stayed up, but never came to its end"


def test_standing_still_comes_to_its_end(stand: Subject) -> None:
    trial = run_trial(stand, Gains().__dict__, 0, seconds=1.0)
    assert trial.holds
    assert trial.seconds == pytest.approx(stand.recorded_s + 2.0, abs=0.1)
    assert trial.speed_mps is None
    assert trial.joint_error_rad < 0.1


def test_starts_of_a_seed_are_the_same_and_those_of_others_are_not(walk: Subject) -> None:
    runs = [run_trial(walk, {}, seed, seconds=2.0, push_n=20.0) for seed in (3, 3, 4)]
    assert runs[0] == runs[1] != runs[2]


def test_only_motions_that_end_search_for_gains_of_standing(walk: Subject, stand: Subject) -> None:
    names = [{v.name for v in make_space(s, {}).variables} for s in (walk, stand)]
    assert names[1] - names[0] == {"stand_hip", "stand_speed", "stand_place", "stop_reach_m"}
    begun = make_space(walk, {"swing_world": 0.3, "lift_m": 9.0})
    values = begun.decode(np.zeros(len(begun)))
    assert (values["swing_world"], values["lift_m"]) == (0.3, 0.1)
    assert round_gains({"lift_m": 0.0123456}) == {"lift_m": 0.0123}


def test_a_search_that_was_ended_goes_on_as_if_it_had_not_been(
    walk: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends it with the best so far; the rest is the same search."""
    monkeypatch.setattr(tame_search, "FINALISTS", 1)
    whole = tame(walk, SMALL)
    out, notes = tmp_path / "x.toml", SMALL.notes()

    def end(news: News) -> None:
        if news.generations == 1:
            raise KeyboardInterrupt

    with open_session(out, "tame", notes) as session:
        ended = tame(walk, SMALL, session=session, follow=end)
    assert (ended.interrupted, ended.evaluations, ended.closing) == (True, 12, None)
    assert set(ended.gains) == set(whole.gains)
    with open_session(out, "tame", notes, resume=True) as session:
        rest = tame(walk, SMALL, session=session)
    assert (rest.gains, rest.cost, rest.evaluations) == (whole.gains, whole.cost, 24)
    assert rest.closing is not None and len(rest.closing.trials) == 2
    other = open_session(out, "tame", replace(SMALL, seeds=2).notes(), resume=True)
    with pytest.raises(FileFormatError) as error, other:
        pass
    assert str(error.value) == f"{tmp_path / 'x.tame.journal'}: that search has seeds = 1 and cannot continue with 2."


def test_gains_that_were_brought_along_may_be_kept(walk: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are tried at the end beside the best that were found, and what is not searched stays as it was."""
    tried: list[dict[str, float]] = []

    def watch(subject: Subject, gains: dict[str, float], seed: int, **_: float) -> Trial:
        tried.append(gains)
        return replace(GOOD, joint_error_rad=gains["track_kv"] + abs(gains["lift_m"] - 0.05))

    for module in (tame_cost, tame_search):
        monkeypatch.setattr(module, "run_trial", watch)
    found = tame(walk, replace(SMALL, evaluations=12), starts={"mine": {"lift_m": 0.05, "track_kv": 7.0}})
    assert (found.begun_with, found.start) == ("mine", {"lift_m": 0.05, "track_kv": 7.0})
    assert found.gains["lift_m"] == 0.05
    assert {gains["track_kv"] for gains in tried} == {7.0}


def test_the_file_runs_and_says_how_it_was_found(walk: Subject, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    order = Order(tmp_path / "walk.npz", "lee13", tmp_path / "deep" / "w.toml", cycle=1, friction=2.0)
    found = Tamed(
        {"lift_m": 0.05}, walk, "x", {"lift_m": 0.04}, 1.23456, 24, 0, 9.0, 1.0, DONE, Closing(1.0, (GOOD,) * 2)
    )
    save_tamed(order, SMALL, found)
    table = load_table(order.out)
    assert (table["clip"], table["cycle"], table["friction"]) == ("../walk.npz", walk.track.cycle, 2.0)
    provenance = table["provenance"]
    assert provenance["command"] == (
        "poise clip tame walk.npz --character lee13 --cycle 1 --friction 2 "
        "--evaluations 24 --seeds 1 --seed 0 --seconds 2 --no-retouch"
    )
    assert (provenance["cost"], provenance["check"]["up"], len(provenance["clip_sha256"])) == (1.235, 2, 64)
    assert read_start(order.out) == {"lift_m": 0.05}
    assert (provenance["begun_with"], provenance["start"]) == ("x", {"lift_m": 0.04})
    assert (provenance["stopped_by"], provenance["rounds_of_retouching"], provenance["simulated_s"]) == ("done", 0, 9)
    assert "lead_in" not in table and "retouch" not in table
    order = replace(order, out=tmp_path / "v.toml", start=order.out)
    save_tamed(order, replace(SMALL, evaluations=None), replace(found, subject=walk.without_lead_in()))
    table = load_table(order.out)
    assert "--start w.toml --seeds 1" in table["provenance"]["command"]
    assert table["lead_in"] is False
    assert make_tamed_subject(table, order.clip)[0].lead_in == 0
    with pytest.raises(InputError) as error:
        order.check_free()
    assert str(error.value) == f"{order.out}: already exists. Give another file with --out."


def test_what_is_still_wrong_has_a_name() -> None:
    good = {"up": 8, "starts": 8, "recorded_mps": 1.0, "speed_mps": 0.9}
    assert name_fault(good) == ""
    assert name_fault({"up": 8, "starts": 8}) == "", "a motion that is played once has no speed"
    assert name_fault({**good, "up": 7}) == "some starts fall"
    assert name_fault({**good, "speed_mps": 0.84}) == "its speed differs from the recorded one"


def test_who_begins_with_a_retouched_file_of_the_same_clip_keeps_its_retouches(stand: Subject, tmp_path: Path) -> None:
    rows = {"crouch_m": [0.01]}
    subject = make_subject(tmp_path / "stand.npz", load_character("lee13"), once=True, retouch=rows)
    order = Order(tmp_path / "stand.npz", "lee13", tmp_path / "s.toml", once=True)
    save_tamed(order, SMALL, Tamed({"lift_m": 0.05}, subject, "x", {}, 1.0, 24, 0, 9.0, 1.0, DONE))
    kept = read_start_motion(order.out, order.clip)
    assert kept.lead_in and kept.retouch is not None and kept.retouch["crouch_m"] == [0.01]
    assert read_start_motion(order.out, write_walk(tmp_path / "walk.npz")) == StartMotion()
