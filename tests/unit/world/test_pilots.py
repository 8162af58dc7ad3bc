"""Pilots: asked at events, timers and parameter changes, in order; what they remember is part of every snapshot."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.checking.subject import find_difference
from poise.controllers.catalog import default_character, load_controller
from poise.controllers.script.build import build_controller
from poise.errors import InputError
from poise.rollout.simulate import simulate
from poise.world.adopt import load_any_character
from poise.world.snapshots import load_snapshot, pack_snapshot, save_snapshot
from poise.world.world import World
from script_worlds import PLANAR17

WALK = "simbicon/planar-walk"


class Recorder:
    """Notes when and why it is asked."""

    def __init__(self, *events: str, period_s: float = 0.0, name: str = "recorder") -> None:
        self.events, self.period_s, self.name = events, period_s, name
        self.calls: list[tuple[int, tuple[str, ...]]] = []

    def decide(self, world: World, causes: Collection[str]) -> None:
        self.calls.append((world.tick, tuple(causes)))

    def state(self) -> Mapping[str, Any]:
        return {"calls": tuple(self.calls)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.calls = [(int(tick), tuple(causes)) for tick, causes in state["calls"]]


class Leaner(Recorder):
    """Leans the trunk forward at the third foot strike."""

    def decide(self, world: World, causes: Collection[str]) -> None:
        super().decide(world, causes)
        if sum("strike" in causes for _, causes in self.calls) == 3:
            world.set_parameter("strike_torso", 0.1)


def open_walk(*pilots: Any) -> World:
    body = load_character("biped7")
    world = World([body], [load_controller(WALK, body)])
    for pilot in pilots:
        world.add_pilot(pilot)
    return world


# -- when they are asked -----------------------------------------------------------------------------------------------


def test_every_pilot_is_asked_before_the_first_tick() -> None:
    pilot = Recorder()
    world = open_walk(pilot)
    world.step(10)
    world.step(10)
    assert pilot.calls == [(0, ("start",))]


def test_a_pilot_is_asked_at_every_foot_strike_and_what_it_sets_holds() -> None:
    pilot = Leaner("strike")
    world = open_walk(pilot)
    recording = simulate(world, 3.0)
    strikes = [round(e.time_s / recording.timestep_s) for e in recording.events if e.kind == "strike"]
    # The tick in which the foot struck has been taken.
    assert [tick - 1 for tick, causes in pilot.calls if causes == ("strike",)] == strikes and len(strikes) > 4
    assert world.params[0][world.controllers[0].parameter("strike_torso").index] == 0.1


@pytest.mark.parametrize("own", [True, False])
def test_a_timer_of_a_tenth_of_a_second_asks_ten_times_a_second(own: bool) -> None:
    """The pilots of controllers, too."""
    from dataclasses import replace

    pilot = Recorder(period_s=0.1)
    body = load_character("biped7")
    controller = load_controller(WALK, body)
    world = World([body], [replace(controller, pilot=lambda _: pilot) if own else controller])
    if not own:
        world.add_pilot(pilot)
    recording = simulate(world, 1.0)
    ticks = round(0.1 / world.settings.timestep_s)
    assert pilot.calls == [(0, ("start",)), *((k * ticks, ("timer",)) for k in range(1, 11))]
    assert [e.time_s for e in recording.events if e.kind == "timer"] == pytest.approx(np.arange(1, 11) / 10)


def test_how_a_run_is_cut_into_calls_makes_no_difference() -> None:
    whole, parts = Recorder("strike", period_s=0.013), Recorder("strike", period_s=0.013)
    one, other = open_walk(whole), open_walk(parts)
    one.step(900)
    for ticks in (1, 6, 13, 13, 200, 1, 666):
        other.step(ticks)
    assert one.tick == other.tick == 900
    assert whole.calls == parts.calls
    assert not find_difference(one.snapshot(), other.snapshot())


def test_an_event_and_a_timer_in_the_same_tick_are_one_question() -> None:
    pilot = Recorder("strike", period_s=1e-9)
    simulate(open_walk(pilot), 1.0)
    assert [tick for tick, _ in pilot.calls] == list(range(len(pilot.calls)))
    assert ("strike", "timer") in {causes for _, causes in pilot.calls}


def test_pilots_are_asked_from_the_top_of_the_stack_to_the_bottom() -> None:
    order: list[str] = []

    class Named(Recorder):
        def decide(self, world: World, causes: Collection[str]) -> None:
            order.append(self.name)

    open_walk(Named(name="low"), Named(name="high")).step(1)
    assert order == ["high", "low"]


def test_a_command_reaches_the_pilots_below_at_once_and_not_the_one_that_gave_it() -> None:
    class Commander(Recorder):
        def decide(self, world: World, causes: Collection[str]) -> None:
            super().decide(world, causes)
            world.set_parameter("strike_torso", 0.05)

    below, commander = Recorder("parameter", name="below"), Commander("parameter", name="commander")
    open_walk(below, commander).step(1)
    assert commander.calls == [(0, ("start",))]
    assert below.calls == [(0, ("parameter",)), (0, ("start",))]


def test_parameters_of_another_character_are_no_news() -> None:
    body = load_character("biped7")
    walk = load_controller(WALK, body)
    world = World([body, body], [walk, walk])
    pilots = [Recorder("parameter", name=f"{k}") for k in range(2)]
    for k, pilot in enumerate(pilots):
        world.add_pilot(pilot, k)
    world.set_parameter("strike_torso", 0.05, character=1)
    assert [pilot.calls for pilot in pilots] == [[], [(0, ("parameter",))]]


def test_watching_does_not_change_the_motion() -> None:
    plain, watched = open_walk(), open_walk(Recorder("strike", "lift", period_s=0.01))
    plain.step(2000)
    watched.step(2000)
    assert find_difference(plain.snapshot(), watched.snapshot()) == "a pilot's state"


def test_a_pilot_is_added_once_and_can_be_removed() -> None:
    pilot = Recorder(period_s=0.01)
    world = open_walk(pilot)
    with pytest.raises(InputError, match=r"^world: the pilot recorder is already in this world\.$"):
        world.add_pilot(pilot)
    world.remove_pilot(pilot)
    world.step(100)
    assert world.pilots == () and pilot.calls == []
    with pytest.raises(InputError, match=r"^world: the pilot recorder was not added\.$"):
        world.remove_pilot(pilot)


@pytest.mark.parametrize(
    ("pilot", "reason"),
    [
        (Recorder("strik"), "subscribes to an unknown event, got 'strik'. Known here: step, strike,"),
        (Recorder(period_s=-1.0), "the period of the pilot recorder must be finite and at least 0, got -1.0."),
        (Recorder(period_s=float("nan")), "the period of the pilot recorder must be finite and at least 0, got nan."),
    ],
)
def test_what_cannot_be_waited_for_is_refused(pilot: Recorder, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        open_walk(pilot)
    assert reason in str(caught.value)
    with pytest.raises(InputError, match=r"^world: a pilot lacks name, events, .*, restore, got 3\."):
        open_walk(3)
    with pytest.raises(InputError, match=r"^world: a pilot must be an object, not its class, got "):
        open_walk(type("Lazy", (Recorder,), {"name": "lazy", "events": (), "period_s": 0.0}))
    with pytest.raises(InputError, match="character is out of range, got 3"):
        open_walk().add_pilot(Recorder(), 3)


# -- what they remember ------------------------------------------------------------------------------------------------


def test_reset_takes_pilots_back_to_how_they_were_added() -> None:
    pilot = Recorder(period_s=0.01)
    world = open_walk(pilot)
    world.step(100)
    world.reset()
    assert pilot.calls == []


def test_pilots_that_were_added_are_in_snapshots_and_in_their_files(tmp_path) -> None:
    world = open_walk(Leaner("strike", period_s=0.3))
    world.step(1500)
    before = world.snapshot()
    save_snapshot(before, tmp_path / "s.npz")
    world.step(1500)
    after, calls = world.snapshot(), list(world.pilots[0].calls)  # type: ignore[attr-defined]
    world.restore(before)
    world.step(1500)
    assert world.pilots[0].calls == calls and not find_difference(world.snapshot(), after)  # type: ignore[attr-defined]
    other = open_walk(Leaner("strike", period_s=0.3))
    other.restore(load_snapshot(tmp_path / "s.npz"))
    other.step(1500)
    assert other.pilots[0].calls == calls and not find_difference(other.snapshot(), after)  # type: ignore[attr-defined]


REQUESTS = """ENVIRONMENT base.env;
BEGINSCRIPT a(void)
PHASE 0
ACTIONS
EF uTorso (10, 0, 0);
ENDACTIONS
TRANSITION to(1).after(time .2);
ENDPHASE
PHASE 1
TRANSITION to(0).after(time .1);
ENDPHASE
ENDSCRIPT
"""


def open_piloted(name: str, folder) -> World:
    if name == "requests":
        (folder / "base.env").write_text("ENTITIES { GROUND = 2DPlane(-200, 0, 200, 0); }")
        (folder / "push.ctl").write_text(REQUESTS)
        return World([PLANAR17], [build_controller(folder / "push.ctl", PLANAR17, "push")])
    body = load_any_character(default_character(name))
    return World([body], [load_controller(name, body)])


@pytest.mark.parametrize(
    "name", ["tracker/steer", "tracker/route", "limit-cycle/human-walk", "limit-cycle/bird-run", "requests"]
)
def test_controllers_with_a_pilot_go_on_from_a_file_with_the_same_bits(tmp_path, name: str) -> None:
    world = open_piloted(name, tmp_path)
    assert len(world.pilots) == 1
    if name == "tracker/steer":
        world.set_parameter("speed", 0.6)
    world.run_until(1.3)
    save_snapshot(world.snapshot(), tmp_path / "s.npz")
    if name == "tracker/steer":
        world.set_parameter("heading", 60.0)
    world.run_until(2.6)
    other = open_piloted(name, tmp_path)
    other.restore(load_snapshot(tmp_path / "s.npz"))
    if name == "tracker/steer":
        other.set_parameter("heading", 60.0)
    other.run_until(2.6)
    assert not find_difference(other.snapshot(), world.snapshot())
    packed = [pack_snapshot(w.snapshot())["pilots"] for w in (other, world)]
    assert packed[0] == packed[1] != "[]"


def test_a_snapshot_of_other_pilots_is_refused_and_nothing_changes(tmp_path) -> None:
    plain, piloted = open_walk(), open_walk(Recorder())
    for world in (plain, piloted):
        world.step(10)
    with pytest.raises(InputError) as caught:
        plain.restore(piloted.snapshot())
    assert str(caught.value) == (
        "world: the snapshot cannot be restored, it was taken with the pilots recorder of character 0, "
        "and this world has no pilot."
    )
    save_snapshot(plain.snapshot(), tmp_path / "s.npz")
    piloted.step(10)
    before = piloted.snapshot()
    with pytest.raises(InputError, match="with no pilot, and this world has the pilots recorder of character 0"):
        piloted.restore(load_snapshot(tmp_path / "s.npz"))
    assert not find_difference(before, piloted.snapshot())


@pytest.mark.parametrize("state", [{}, {"calls": 3}, {"calls": [["x", ["start"]]]}, {"calls": [None]}])
def test_a_damaged_state_is_refused_and_nothing_changes(state: dict[str, Any]) -> None:
    from dataclasses import replace

    world = open_walk(Recorder(period_s=0.01, name="first"), Recorder(period_s=0.01, name="second"))
    world.step(50)
    snapshot = world.snapshot()
    world.step(50)
    before, calls = world.snapshot(), [list(p.calls) for p in world.pilots]  # type: ignore[attr-defined]
    assert snapshot.pilots is not None
    damaged = (snapshot.pilots[0], replace(snapshot.pilots[1], state=state))
    with pytest.raises(InputError, match="cannot be restored, the state of the pilot first is damaged"):
        world.restore(replace(snapshot, pilots=damaged))
    assert not find_difference(before, world.snapshot())
    assert [p.calls for p in world.pilots] == calls  # type: ignore[attr-defined]


def test_what_is_no_plain_data_cannot_be_saved(tmp_path) -> None:
    class Secretive(Recorder):
        def state(self) -> Mapping[str, Any]:
            return {"self": self}

    with pytest.raises(InputError, match=r"a pilot's state must be plain data, got 'Secretive'"):
        save_snapshot(open_walk(Secretive()).snapshot(), tmp_path / "s.npz")
