"""The log of a script's phases: complete, timed, and the same whatever the length of a call and after a restore."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.controllers.script import layout as lay
from poise.errors import InputError
from poise.measures.metrics import compute_metrics
from poise.measures.upright import describe_outcome
from poise.recordings.phases import ScriptEnd, read_passages, read_script_ends
from poise.recordings.recording import Recording
from poise.recordings.recording_file import load_recording, save_recording
from poise.rollout.simulate import simulate
from poise.world.passages import MOST_PASSAGES, Passage, Passages
from poise.world.snapshots import copy_through_file
from poise.world.world import World
from script_worlds import open_world

POSE = "ACTIONS\nPOSE lHip(0);\nENDACTIONS\n"
CRAWL = (
    "SCRIPTS once.t;\nBEGINSCRIPT crawl(void)\n"
    "PHASE 0\nTRANSITION to(1).after(complete);\nENDPHASE\n"
    "PHASE 1\n> once.t(.02);\nTRANSITION to(2).after(iterations 1);\nENDPHASE\n"
    f"PHASE 2\n{POSE}TRANSITION to(0).after(contact head);\nTRANSITION to(-1).after(fallen > 3);\nENDPHASE\nENDSCRIPT"
)
ONCE = (
    f"BEGINSCRIPT once(dt)\nPHASE 0\n{POSE}TRANSITION to(1).after(time dt);\nENDPHASE\n"
    f"PHASE 1\n{POSE}TRANSITION to(-1).after(time .01);\nENDPHASE\nENDSCRIPT"
)
FLICKER = (
    f"BEGINSCRIPT a(void)\nPHASE 0\n{POSE}TRANSITION to(1).after(complete);\nENDPHASE\n"
    f"PHASE 1\n{POSE}TRANSITION to(0).after(complete);\nENDPHASE\nENDSCRIPT"
)
ENDS = f"BEGINSCRIPT a(void)\nPHASE 0\n{POSE}TRANSITION to(-1).after(time .05);\nENDPHASE\nENDSCRIPT"


@pytest.fixture
def crawl(tmp_path: Path) -> World:
    return open_world(tmp_path, CRAWL, once_t=ONCE)


def test_the_log_names_every_phase_with_its_callers_its_time_and_the_condition_that_held(crawl: World) -> None:
    crawl.advance(100)
    main, once = "main.ctl:1", "once.t"
    assert list(crawl.notebook.passages) == [
        Passage(0.0, 0, ("main.ctl:0",)),
        Passage(0.0, 0, (main,), "main.ctl:0", "complete"),
        Passage(0.0, 0, (main, f"{once}:0")),
        Passage(pytest.approx(0.021), 0, (main, f"{once}:1"), f"{once}:0", "time dt"),
        Passage(pytest.approx(0.032), 0, (main,), f"{once}:1", "time .01"),
        Passage(pytest.approx(0.032), 0, (main, f"{once}:0")),
        Passage(pytest.approx(0.053), 0, (main, f"{once}:1"), f"{once}:0", "time dt"),
        Passage(pytest.approx(0.064), 0, (main,), f"{once}:1", "time .01"),
        Passage(pytest.approx(0.064), 0, ("main.ctl:2",), main, "iterations 1"),
    ]


def test_the_log_does_not_depend_on_the_length_of_calls(crawl: World) -> None:
    crawl.advance(100)
    whole = list(crawl.notebook.passages)
    crawl.reset()
    assert list(crawl.notebook.passages) == []
    for _ in range(100):
        crawl.advance(1)
    assert list(crawl.notebook.passages) == whole


@pytest.mark.parametrize("through_file", [False, True])
def test_a_restored_world_continues_its_log(crawl: World, through_file: bool) -> None:
    crawl.advance(40)
    snapshot = copy_through_file(crawl.snapshot()) if through_file else crawl.snapshot()
    early = list(crawl.notebook.passages)
    crawl.advance(60)
    whole = list(crawl.notebook.passages)
    crawl.restore(snapshot)
    assert list(crawl.notebook.passages) == early
    crawl.advance(60)
    assert list(crawl.notebook.passages) == whole
    assert len(early) < len(whole)


def test_a_script_that_changes_its_phase_at_every_tick_is_logged_completely(tmp_path: Path) -> None:
    world = open_world(tmp_path, FLICKER)
    world.advance(1000)
    rows = list(world.notebook.passages)
    assert [row.time_s for row in rows] == [pytest.approx(0.001 * k) for k in range(1000)]
    assert [row.stack for row in rows[:3]] == [("main.ctl:0",), ("main.ctl:1",), ("main.ctl:0",)]


def test_a_snapshot_with_unread_changes_of_phase_is_refused(crawl: World) -> None:
    crawl.advance(10)
    snapshot = crawl.snapshot()
    memory = snapshot.memories[0].copy()
    memory[int(crawl.params[0][lay.H_M_JOURNAL])] = 3.0
    with pytest.raises(InputError) as caught:
        crawl.restore(replace(snapshot, memories=(memory,)))
    assert "changes of phase in the journal must be a whole number from 0 to 0, got 3" in str(caught.value)


def test_a_recording_holds_the_log_the_events_and_what_the_script_waits_for(crawl: World, tmp_path: Path) -> None:
    recording = simulate(crawl, 0.1, record_hz=1000.0)
    save_recording(recording, tmp_path / "a.npz")
    for each in (recording, load_recording(tmp_path / "a.npz")):
        assert read_passages(each.meta) == list(crawl.notebook.passages)
        (end,) = read_script_ends(each.meta)
        assert end == ScriptEnd(0, ("main.ctl:2",), pytest.approx(0.064), ("contact head", "fallen > 3"), None)
        phases = [(round(e.time_s, 6), e.detail) for e in each.events_of(0, "phase")]
        assert phases == [
            (0.0, "once.t:0 after complete"),
            (0.021, "once.t:1 after time dt"),
            (0.032, "once.t:0 after time .01"),
            (0.053, "once.t:1 after time dt"),
            (0.064, "main.ctl:2 after iterations 1"),
        ]


def test_a_recording_that_continues_a_run_still_holds_the_whole_log(crawl: World) -> None:
    crawl.advance(40)
    recording = simulate(crawl, 0.06, record_hz=1000.0)
    assert len(read_passages(recording.meta)) == 9
    assert [e.detail for e in recording.events_of(0, "phase")] == [
        "once.t:1 after time dt",
        "main.ctl:2 after iterations 1",
    ]


@pytest.fixture
def ended(tmp_path: Path) -> Recording:
    return simulate(open_world(tmp_path, ENDS), 3.0, meta={"script": "a"})


def test_the_collapse_after_the_end_of_a_script_is_not_a_fall(ended: Recording) -> None:
    (down,) = ended.events_of(0, "down")
    assert down.time_s > 0.3
    metrics = compute_metrics(ended)
    assert metrics.ended_at_s == pytest.approx(0.051)
    assert (metrics.fallen, metrics.fell_at_s, metrics.up_at_end, metrics.seconds) == (False, None, True, 3.0)
    assert abs(metrics.distance_m) < 0.01
    assert describe_outcome(ended) == "on its feet when its script ended at 0.05 s"


def test_mean_torque_counts_the_time_before_the_end_only(ended: Recording, tmp_path: Path) -> None:
    short = simulate(open_world(tmp_path, ENDS), 0.051)
    assert compute_metrics(ended).mean_torque_nm == pytest.approx(compute_metrics(short).mean_torque_nm)
    assert compute_metrics(ended).work_j == pytest.approx(compute_metrics(short).work_j)


def test_a_script_that_ends_with_the_body_down_says_both(ended: Recording) -> None:
    late = {**ended.meta, "scripts": [{**ended.meta["scripts"][0], "ended_at_s": 2.5}]}
    (down,) = ended.events_of(0, "down")
    assert describe_outcome(replace(ended, meta=late)) == (
        f"down since {down.time_s:.2f} s, and its script ended at 2.50 s"
    )


@pytest.mark.parametrize(
    "scripts", [3, [3], [{}], [{"character": 0, "stack": 3, "since_s": 1, "waits_for": [], "ended_at_s": 1}]]
)
def test_a_recording_with_a_malformed_log_is_read_without_it(ended: Recording, scripts: object) -> None:
    odd = replace(ended, meta={**ended.meta, "scripts": scripts, "phase_log": [{"time_s": "now"}]})
    assert (compute_metrics(odd).ended_at_s, read_passages(odd.meta)) == (None, [])


def test_copies_of_a_log_share_entries_until_they_differ() -> None:
    log = Passages()
    log.append(Passage(0.0, 0, ("a:0",)))
    early = log.copy()
    log.append(Passage(1.0, 0, ("a:1",)))
    early.append(Passage(2.0, 0, ("a:2",)))
    assert [row.time_s for row in log] == [0.0, 1.0]
    assert [row.time_s for row in early] == [0.0, 2.0]
    assert log != early


def test_a_log_has_a_limit() -> None:
    log = Passages([Passage(0.0, 0, ("a:0",))] * MOST_PASSAGES)
    log.append(Passage(1.0, 0, ("a:1",)))
    assert len(log) == MOST_PASSAGES
    with pytest.raises(ValueError, match="malformed passages"):
        Passages.from_table([*log.to_table(), {"time_s": 1.0, "character": 0, "stack": []}])


def test_the_same_bits_with_and_without_stops_for_the_journal(tmp_path: Path) -> None:
    world = open_world(tmp_path, FLICKER)
    world.advance(300)
    whole = world.snapshot()
    world.reset()
    for _ in range(300):
        world.advance(1)
    assert np.array_equal(world.snapshot().physics, whole.physics)
    assert all(np.array_equal(a, b) for a, b in zip(world.snapshot().memories, whole.memories, strict=True))
