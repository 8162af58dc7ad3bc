"""Runs: changes act at their ticks, interruptions keep the recording, divergence is reported."""

from __future__ import annotations

import numpy as np
import pytest

from poise.api import run
from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.errors import DivergedError, InputError
from poise.install import describe_install, list_differences, read_versions
from poise.rollout.simulate import Change, simulate
from poise.world.world import World


def make_walker() -> World:
    character = load_character("biped7")
    return World([character], [load_controller("simbicon/planar-walk", character)])


def test_frames_come_at_the_asked_rate_and_match_the_state() -> None:
    recording = simulate(make_walker(), 2.0, record_hz=100.0)
    assert recording.time_s == pytest.approx(np.arange(200) * 0.01)
    assert recording.qpos.shape == (200, 9)
    assert recording.meta["seconds"] == pytest.approx(2.0)
    assert recording.meta["realtime_factor"] > 0
    # The recorded pose is that of the recorded state: the root's origin is where its sliders say.
    assert recording.segment_pos_w_m[:, 0, 0] == pytest.approx(recording.qpos[:, 0], abs=1e-12)


def test_a_change_happens_at_its_tick_and_is_an_event() -> None:
    world = make_walker()
    recording = simulate(world, 0.5, changes=[Change(0.25, "lift_duration", 0.2)])
    assert world.params[0][world.controllers[0].parameter("lift_duration").index] == 0.2
    changes = [e for e in recording.events if e.kind == "parameter"]
    assert [(e.time_s, e.detail) for e in changes] == [(0.25, "lift_duration=0.2")]


def test_a_change_that_is_not_allowed_is_refused_before_anything_runs() -> None:
    world = make_walker()
    with pytest.raises(InputError, match="lift_duration_s"):
        simulate(world, 1.0, changes=[Change(0.5, "lift_duration", 50.0)])
    assert world.tick == 0


def test_an_interruption_keeps_what_was_recorded() -> None:
    calls = 0

    def interrupt(done: float) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt

    recording = simulate(make_walker(), 60.0, progress=interrupt)
    assert recording.meta["interrupted"] is True
    assert 0 < recording.frames < 6000
    assert recording.meta["seconds"] == pytest.approx(recording.time_s[-1], abs=0.011)


def test_a_run_that_diverges_gives_the_recording_of_before() -> None:
    character = load_character("biped7")
    controller = load_controller("simbicon/planar-walk", character)
    world = World([character], [controller])
    simulate(world, 0.5)
    world.params[0][controller.parameter("torso_kp").index] = 1e300
    with pytest.raises(DivergedError) as caught:
        simulate(world, 1.0)
    assert "the state stopped being finite within" in str(caught.value)
    assert np.isfinite(caught.value.recording.qpos).all()


def test_stopping_at_a_fall() -> None:
    world = World([load_character("humanoid")])
    recording = simulate(world, 10.0, stop_on_fall=True)
    assert recording.meta["seconds"] < 3.0
    assert recording.events[-1].kind == "down"


def test_no_seconds_give_an_empty_recording() -> None:
    recording = simulate(make_walker(), 0.0)
    assert recording.frames == 0
    assert recording.contact_start.tolist() == [0]


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), 1e9])
def test_absurd_durations_are_refused(seconds: float) -> None:
    with pytest.raises(InputError, match="seconds"):
        simulate(make_walker(), seconds)


def test_the_settings_of_a_run_are_kept_with_it() -> None:
    import poise

    done = poise.run("simbicon/planar-walk", seconds=0.5, at=[poise.Change(0.2, "lift_duration", 0.25)])
    assert done.recording.meta["changes"] == [{"at_s": 0.2, "name": "lift_duration_s", "value": 0.25, "character": 0}]
    with pytest.raises(InputError) as caught:
        poise.run("simbicon/planar-walk", seconds="a")  # type: ignore[arg-type]
    assert str(caught.value) == "run: seconds has the wrong type, got 'a'. It must be int or float."
    assert "run" in dir(poise)


def test_a_recording_names_the_versions_its_bits_belong_to() -> None:
    recording = run("pose/hold", seconds=0.01).recording
    versions = read_versions(recording.meta)
    assert versions == dict(describe_install())
    assert set(versions) >= {"poise", "Python", "mujoco", "numba", "numpy", "C library", "processor"}


def test_what_differs_between_two_installs_is_listed() -> None:
    assert list_differences({"numpy": "2.2.6", "numba": "0.66"}, {"numpy": "2.4.6", "numba": "0.66", "x": "1"}) == [
        "numpy 2.2.6 and 2.4.6",
        "x unknown and 1",
    ]
    assert read_versions({}) == {}
