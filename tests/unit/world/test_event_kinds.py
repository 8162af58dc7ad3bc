"""One list of events for worlds, pilots and recordings: falls re-arm, segments can be watched, every walker steps."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.archives import save_archive
from poise.characters.catalog import load_character
from poise.checking.subject import find_difference
from poise.controllers.catalog import load_controller
from poise.errors import InputError, PoiseError
from poise.measures.steps import find_steps
from poise.recordings.recording import Event, Recording
from poise.recordings.recording_file import load_recording, save_recording
from poise.rollout.simulate import make_recording, simulate
from poise.world.controller import Start
from poise.world.event_kinds import EVENT_KINDS, EventKind
from poise.world.snapshots import load_snapshot, pack_snapshot, save_snapshot
from poise.world.tape import TapeLog
from poise.world.world import Spawn, World

HUMANOID, PLANAR = load_character("humanoid"), load_character("planar17")
WALKS = (
    ("biped7", "simbicon/planar-walk"),
    ("humanoid", "simbicon/humanoid-walk"),
    ("humanoid", "walker/walk"),
    ("lee13", "tracker/normal"),
    ("laszlo_human", "limit-cycle/human-walk"),
)


class Listener:
    """A pilot that notes when and why it is asked."""

    name, period_s = "listener", 0.0

    def __init__(self, *events: str) -> None:
        self.events = events
        self.calls: list[tuple[int, tuple[str, ...]]] = []

    def decide(self, world: World, causes: Collection[str]) -> None:
        if "start" not in causes:
            self.calls.append((world.tick, tuple(causes)))

    def state(self) -> Mapping[str, Any]:
        return {"calls": tuple(self.calls)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.calls = [(int(tick), tuple(causes)) for tick, causes in state["calls"]]


def refuse(call: Any, *arguments: Any) -> str:
    with pytest.raises(PoiseError) as error:
        call(*arguments)
    return str(error.value)


def open_walk() -> World:
    body = load_character("biped7")
    return World([body], [load_controller("simbicon/planar-walk", body)])


def test_the_names_of_events_are_those_of_the_enumeration() -> None:
    assert EVENT_KINDS == (
        "strike", "lift", "down", "timer", "push", "parameter", "phase", "request", "switch", "step", "touch", "up",
    )  # fmt: skip
    assert [EventKind[name.upper()] for name in EVENT_KINDS] == list(range(len(EVENT_KINDS)))


# -- down and up -------------------------------------------------------------------------------------------------------


def lie_down(world: World) -> None:
    world.place(0, Start(root_pitch_rad=1.57), Spawn())


def stand_up(world: World) -> None:
    world.place(0, world.controllers[0].start, Spawn())


def test_down_fires_again_after_getting_up() -> None:
    world = World([HUMANOID], [load_controller("pose/hold", HUMANOID)])
    log = TapeLog()
    found = []
    for act in (lie_down, stand_up, lie_down, stand_up):
        act(world)
        world.advance(round(0.6 / world.settings.timestep_s), log=log, record_every=100)
        found.append(world.is_down())
    recording = make_recording(world, log, (), {})
    kinds = [(e.kind, round(e.time_s, 1)) for e in recording.events if e.kind in ("down", "up")]
    assert found == [True, False, True, False]
    assert [kind for kind, _ in kinds] == ["down", "up", "down", "up"]
    assert kinds[0] == ("down", 0.0) and kinds[1][1] == pytest.approx(0.9, abs=0.11) and kinds[2] == ("down", 1.2)
    assert world.fell_at_s() == 0.0 and world.is_down() is False


def test_a_run_stops_at_every_fall_and_at_getting_up() -> None:
    world = World([HUMANOID], [load_controller("pose/hold", HUMANOID)])
    lie_down(world)
    assert world.advance(1000, stop_on=["down"]) == (1, True)
    assert world.advance(300, stop_on=["down"]) == (300, False)
    stand_up(world)
    assert world.run_until("up", timeout_s=1.0)
    lie_down(world)
    assert world.advance(1000, stop_on=["down"]) == (1, True)


def test_standing_up_for_a_moment_is_not_enough() -> None:
    world = World([HUMANOID], [load_controller("pose/hold", HUMANOID)])
    lie_down(world)
    world.step(10)
    for _ in range(3):
        stand_up(world)
        assert not world.run_until("up", timeout_s=0.2)
        lie_down(world)
        world.step(10)


# -- touch and lift ----------------------------------------------------------------------------------------------------


def fall_on_hands(*pilots: Listener) -> World:
    world = World([PLANAR])
    for pilot in pilots:
        world.add_pilot(pilot)
    world.place(0, Start({"left_shoulder_pitch": 1.5, "right_shoulder_pitch": 1.5}, root_pitch_rad=0.9), Spawn())
    return world


def test_a_pilot_is_asked_when_a_hand_touches() -> None:
    pilot = Listener("touch:left_hand")
    world = fall_on_hands(pilot)
    recording = simulate(world, 1.5)
    touches = [e for e in recording.events if e.kind == "touch"]
    assert touches and {e.segment for e in touches} == {PLANAR.roles["left_hand"]}
    assert [causes for _, causes in pilot.calls] == [("touch:left_hand",)] * len(touches)
    ticks = [round(e.time_s / recording.timestep_s) + 1 for e in touches]
    assert [tick for tick, _ in pilot.calls] == ticks
    loads = simulate(fall_on_hands(), 1.5)
    assert not [e for e in loads.events if e.kind == "touch"], "nobody watches"


def test_every_touch_is_heard_by_who_names_no_segment() -> None:
    pilot = Listener("touch")
    recording = simulate(fall_on_hands(pilot), 1.5)
    touched = {e.segment for e in recording.events if e.kind == "touch"}
    assert PLANAR.roles["left_hand"] in touched and len(touched) > 2
    assert not touched & {PLANAR.roles["left_foot"], PLANAR.roles["right_foot"]}
    assert {causes for _, causes in pilot.calls} == {("touch",)}


def test_a_run_stops_when_a_segment_touches_or_lifts() -> None:
    world = fall_on_hands()
    assert world.run_until("touch:right_hand", timeout_s=2.0)
    hand = world.percepts[0].touch_load[PLANAR.segment_names.index(PLANAR.roles["right_hand"])]
    assert hand > 20.0
    world.place(0, Start(), Spawn())
    assert world.run_until("lift:right_hand", timeout_s=0.5)


def test_feet_strike_and_a_touch_of_a_foot_is_a_strike() -> None:
    left, right, both = Listener("strike:left_foot"), Listener("touch:right_foot"), Listener("strike")
    world = open_walk()
    for pilot in (left, right, both):
        world.add_pilot(pilot)
    recording = simulate(world, 3.0)
    for pilot, foot in ((left, "left_foot"), (right, "right_foot")):
        times = [e.time_s for e in recording.events if e.kind == "strike" and e.segment == foot]
        assert [(tick - 1) * recording.timestep_s for tick, _ in pilot.calls] == pytest.approx(times)
    assert len(both.calls) == len(left.calls) + len(right.calls) > 4


def test_watching_changes_nothing_but_its_own_latches_and_survives_snapshot_files(tmp_path: Path) -> None:
    plain, watched, other = fall_on_hands(), *(fall_on_hands(Listener("touch", "lift:left_hand")) for _ in range(2))
    for world in (plain, watched):
        world.step(700)
    assert np.array_equal(plain.state.positions, watched.state.positions)
    save_snapshot(watched.snapshot(), tmp_path / "s.npz")
    other.restore(load_snapshot(tmp_path / "s.npz"))
    for _ in range(10):
        watched.step(50)
    other.step(500)
    assert find_difference(watched.snapshot(), other.snapshot()) == ""
    assert watched.ledger.watching.tolist() != [0] == plain.ledger.watching.tolist()


def test_wrong_subscriptions_are_refused() -> None:
    world = World([PLANAR])
    assert refuse(world.add_pilot, Listener("foot_strike")).startswith(
        "world: the pilot listener subscribes to an unknown event, got 'foot_strike'. Known here: step, strike, "
    )
    assert refuse(world.run_until, "dwn") == (
        "world: no event named 'dwn'. Known here: step, strike, touch, lift, down, up, phase, request. "
        "Did you mean 'down'?"
    )
    assert "no segment named 'left_hnd'" in refuse(world.run_until, "touch:left_hnd")
    assert refuse(world.run_until, "down:head") == (
        "world: this kind of event has no segment, got 'down:head'. Kinds that do: step, strike, touch, lift."
    )
    assert (
        refuse(world.run_until, "strike:head") == "world: only feet have strike events, got 'strike:head'. Use touch."
    )


# -- steps -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("character", "controller"), WALKS)
def test_every_walking_controller_has_steps(character: str, controller: str) -> None:
    body = load_character(character)
    loaded = load_controller(controller, body)
    if controller == "walker/walk":
        loaded = loaded.with_values({"speed": 1.0})
    pilot = Listener("step")
    world = World([body], [loaded])
    world.add_pilot(pilot)
    recording = simulate(world, 3.0)
    steps = [e for e in recording.events if e.kind == "step"]
    assert len(steps) >= 4 and len(pilot.calls) == len(steps)
    assert [(e.time_s, e.segment) for e in steps] == [(e.time_s, e.segment) for e in find_steps(recording)]


# -- files -------------------------------------------------------------------------------------------------------------


def test_recordings_of_earlier_versions_load_with_the_names_of_now(tmp_path: Path) -> None:
    recording = simulate(open_walk(), 0.5)
    events = tuple(Event(0.1 * k, kind) for k, kind in enumerate(("foot_strike", "lift_off", "fall", "phase")))
    save_recording(replace(recording, events=events), tmp_path / "r.npz")
    loaded = load_recording(tmp_path / "r.npz")
    assert [e.kind for e in loaded.events] == ["strike", "lift", "down", "phase"]


def test_asking_a_recording_for_an_unknown_kind_is_an_error() -> None:
    recording: Recording = simulate(open_walk(), 0.1)
    with pytest.raises(InputError, match="no kind of event named 'fall'"):
        recording.events_of(0, "fall")


def test_snapshot_files_of_earlier_versions_still_load(tmp_path: Path) -> None:
    world = open_walk()
    world.step(400)
    entries = pack_snapshot(world.snapshot())
    for name in ("members", "ledger_active", "ledger_touch_latch", "ledger_watching", "ledger_last_step"):
        del entries[name]
    del entries["ledger_posture"]
    save_archive(tmp_path / "s.npz", entries)
    other = open_walk()
    other.restore(load_snapshot(tmp_path / "s.npz"))
    for each in (world, other):
        each.step(200)
    assert np.array_equal(world.state.positions, other.state.positions)
