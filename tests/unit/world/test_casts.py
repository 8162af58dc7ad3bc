"""Casts: several controllers loaded for one character, switched between ticks; the active one is part of the state."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.checking.subject import find_difference
from poise.controllers.catalog import load_controller
from poise.errors import InputError, PoiseError
from poise.rollout.simulate import simulate
from poise.world.cast import Cast
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.environment import Entity, Environment
from poise.world.props import box
from poise.world.snapshots import load_snapshot, save_snapshot
from poise.world.terrain import parse_terrain
from poise.world.world import World

BODY = load_character("biped7")
WALK = load_controller("simbicon/planar-walk", BODY)
TWO = load_controller("simbicon/planar-walk-2state", BODY)


def open_world(**options: Any) -> World:
    return World([BODY], [Cast({"walk": WALK, "two": TWO}, **options)])


class Clock:
    """A controller's pilot that counts why it is asked."""

    name, period_s = "clock", 0.1
    events = ("phase",)

    def __init__(self, character: int = 0) -> None:
        self.calls: list[str] = []

    def decide(self, world: World, causes: Collection[str]) -> None:
        self.calls.extend(causes)

    def state(self) -> Mapping[str, Any]:
        return {"calls": tuple(self.calls)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.calls = list(state["calls"])


def refuse(call: Any, *arguments: Any, **named: Any) -> str:
    with pytest.raises(PoiseError) as error:
        call(*arguments, **named)
    return str(error.value)


# -- switching ---------------------------------------------------------------------------------------------------------


def test_the_first_member_drives_until_another_is_made_active() -> None:
    world, alone = open_world(), World([BODY], [WALK])
    for each in (world, alone):
        each.step(300)
    assert world.active() == "walk" and world.controllers == (WALK,)
    assert np.array_equal(world.state.positions, alone.state.positions)
    world.switch("two")
    assert world.active() == "two" and world.controllers == (TWO,)
    assert np.array_equal(world.memories[0], TWO.memory)
    for each in (world, alone):
        each.step(300)
    assert not np.array_equal(world.state.positions, alone.state.positions)


def test_a_cast_starts_with_the_member_that_it_names() -> None:
    world, alone = open_world(start="two"), World([BODY], [TWO])
    for each in (world, alone):
        each.step(200)
    assert np.array_equal(world.state.positions, alone.state.positions)
    world.switch(0)
    world.reset()
    assert world.active() == "two"


def test_a_switch_leaves_the_body_as_it_is_and_the_other_law_takes_over_from_there() -> None:
    world, alone = open_world(), World([BODY], [TWO])
    world.step(400)
    world.switch("two")
    state = world.snapshot()
    ledger = {**state.ledger, "active": np.zeros(1, dtype=np.int64)}
    alone.restore(replace(alone.snapshot(), physics=state.physics, ledger=ledger))
    for each in (world, alone):
        each.step(400)
    assert np.array_equal(world.state.positions, alone.state.positions)


def test_switching_compiles_nothing() -> None:
    world = open_world()
    world.step(10)
    before = world._members.link(world.percepts)
    world.switch("two")
    world.step(10)
    assert world._members.link(world.percepts) is before


def test_a_member_starts_afresh_unless_its_memory_is_kept() -> None:
    world = open_world()
    world.step(400)
    memory = world.memories[0].copy()
    assert not np.array_equal(memory, WALK.memory)
    world.switch("two")
    world.switch("walk", keep_memory=True)
    assert np.array_equal(world.memories[0], memory)
    world.switch("walk")
    assert np.array_equal(world.memories[0], WALK.memory)


def test_each_member_has_its_own_parameters() -> None:
    world = open_world()
    world.set_parameter("torso_kp_nm_per_rad", 321.0)
    world.switch("two")
    assert world.params[0][1] == TWO.params[1]
    world.switch("walk")
    assert world.params[0][1] == 321.0


def test_a_switch_is_an_event_of_the_recording_and_pilots_may_make_it() -> None:
    class Switcher(Clock):
        name, period_s, events = "switcher", 0.0, ("phase",)

        def decide(self, world: World, causes: Collection[str]) -> None:
            super().decide(world, causes)
            if self.calls.count("strike") == 2:
                world.switch("two")

    world = open_world()
    switcher = Switcher()
    switcher.events = ("strike",)
    world.add_pilot(switcher)
    recording = simulate(world, 1.5)
    strikes = [e.time_s for e in recording.events if e.kind == "strike"]
    switches = [(e.detail, e.character) for e in recording.events if e.kind == "switch"]
    assert switches == [("two", 0)]
    assert [e.time_s for e in recording.events if e.kind == "switch"] == pytest.approx([strikes[1] + 0.0005], abs=1e-3)


def test_a_switch_before_the_run_is_in_the_recording() -> None:
    world = open_world()
    world.switch("two")
    assert [(e.time_s, e.detail) for e in simulate(world, 0.1).events if e.kind == "switch"] == [(0.0, "two")]


def test_only_pilots_of_active_members_are_asked_and_all_are_in_the_snapshot() -> None:
    cast = Cast({"walk": replace(WALK, pilot=Clock), "two": replace(TWO, pilot=Clock)})
    world = World([BODY], [cast])
    first, second = world.pilots
    assert isinstance(first, Clock) and isinstance(second, Clock)
    world.run_until(0.35)
    assert first.calls.count("timer") == 3 and second.calls == []
    kept = world.snapshot()
    assert [(p.name, p.state["calls"]) for p in kept.pilots or ()] == [("clock", tuple(first.calls)), ("clock", ())]
    world.switch("two")
    assert second.calls == ["start"]
    before = list(first.calls)
    world.run_until(0.55)
    assert first.calls == before and second.calls.count("timer") == 2
    world.restore(kept)
    assert world.active() == "walk" and second.calls == []


def test_pilots_can_subscribe_to_switches() -> None:
    world, pilot = open_world(), Clock()
    pilot.events = ("switch",)  # type: ignore[assignment]
    world.add_pilot(pilot)
    world.switch("two")
    assert pilot.calls == ["switch"]


def test_members_limit_their_torques_as_they_say() -> None:
    free = replace(TWO, limits_itself=True)
    world = World([BODY], [Cast({"walk": WALK, "free": free})])
    alone = World([BODY], [free])
    world.switch("free")
    for each in (world, alone):
        each.step(300)
    assert np.array_equal(world.state.positions, alone.state.positions)


# -- snapshots ---------------------------------------------------------------------------------------------------------


def test_a_snapshot_file_holds_the_active_member_and_replays_to_the_same_bits(tmp_path: Path) -> None:
    world = open_world()
    world.step(300)
    world.switch("two")
    world.step(100)
    save_snapshot(world.snapshot(), tmp_path / "s.npz")
    world.step(300)
    other = open_world()
    other.restore(load_snapshot(tmp_path / "s.npz"))
    assert other.active() == "two"
    other.step(300)
    assert find_difference(world.snapshot(), other.snapshot()) == ""


def test_a_snapshot_of_another_cast_is_refused() -> None:
    kept = open_world().snapshot()
    assert refuse(World([BODY], [Cast({"two": TWO, "walk": WALK})]).restore, kept) == (
        "world: the snapshot cannot be restored, it was taken with the controllers walk of character 0, "
        "two of character 0, and this world has the controllers two of character 0, walk of character 0."
    )
    assert refuse(World([BODY], [WALK]).restore, kept) == (
        "world: the snapshot cannot be restored, it was taken with the controllers walk of character 0, "
        "two of character 0, and this world has the controller simbicon/planar-walk of character 0."
    )


def test_a_snapshot_with_an_active_member_that_is_not_there_is_refused() -> None:
    world = open_world()
    kept = world.snapshot()
    damaged = replace(kept, ledger={**kept.ledger, "active": np.array([2])})
    assert refuse(world.restore, damaged) == (
        "world: the snapshot cannot be restored, ledger active must be whole numbers from 0 to 1."
    )


def test_snapshots_from_before_a_controller_was_replaced_are_refused(tmp_path: Path) -> None:
    world = open_world()
    kept = world.snapshot()
    save_snapshot(kept, tmp_path / "s.npz")
    world.replace_controller("two", TWO.with_values({"torso_kp_nm_per_rad": 200.0}))
    said = "world: the snapshot cannot be restored, it was taken before the controller two of character 0 was replaced."
    assert refuse(world.restore, kept) == said
    assert refuse(world.restore, load_snapshot(tmp_path / "s.npz")) == said
    again = world.snapshot()
    world.step(10)
    world.restore(again)
    assert refuse(open_world().restore, again) == (
        "world: the snapshot cannot be restored, it was taken after the controller two of character 0 was replaced."
    )
    world.switch("two")
    assert world.params[0][1] == 200.0
    twin = world.twin()
    assert twin.active() == "two" and twin.params[0][1] == 200.0
    twin.restore(again)


# -- what a cast may be ------------------------------------------------------------------------------------------------


def test_wrong_casts_are_refused() -> None:
    assert refuse(Cast, {}) == "cast: a cast needs at least one controller."
    assert refuse(Cast, {"walk": WALK}, start="wlk") == (
        "cast: no controller named 'wlk'. Known here: walk. Did you mean 'walk'?"
    )
    assert refuse(Cast.of, WALK, WALK) == "cast: two controllers are named 'simbicon/planar-walk'."
    assert Cast.of(WALK, TWO).names == ("simbicon/planar-walk", "simbicon/planar-walk-2state")
    world = open_world()
    assert refuse(world.switch, "tow") == "cast: no controller named 'tow'. Known here: walk, two. Did you mean 'two'?"
    assert refuse(world.switch, 2) == "cast: member is out of range, got 2. Allowed: 0 to 1."
    assert refuse(world.switch, "two", 1) == "world: character is out of range, got 1. Allowed: 0 to 0."


def cast_of(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Cast | Controller | None]:
    return [Cast({"one": replace(WALK, **one), "other": replace(TWO, **other)})]


def test_members_that_need_different_sites_are_refused_unless_the_world_chooses() -> None:
    def said(what: str) -> str:
        return f"world: controllers of one cast need different {what}: one and other. Choose one for the world."

    grounds = cast_of({"ground": "firm"}, {"ground": "springs"})
    assert refuse(World, [BODY], grounds) == said("grounds")
    assert World([BODY], grounds, settings=PhysicsSettings(ground="firm")).settings.ground == "firm"
    assert World([BODY], cast_of({"ground": "firm"}, {})).settings.ground == "firm"
    frictions = cast_of({"friction": 0.7}, {"friction": 0.9})
    assert refuse(World, [BODY], frictions) == said("frictions")
    assert World([BODY], frictions, terrain=parse_terrain("flat:friction=0.5")).terrain.friction == 0.5
    slope, stairs = (Environment(parse_terrain(t)) for t in ("slope:5", "steps"))
    terrains = cast_of({"environment": slope}, {"environment": stairs})
    assert refuse(World, [BODY], terrains) == said("terrains")
    assert World([BODY], terrains, terrain=parse_terrain("flat")).terrain.name == "flat"


def test_members_share_the_props_that_they_bring_along() -> None:
    crate, other = (box((0.3, 0.3, size), position_m=(2.0, 0.0, 0.2), name="crate") for size in (0.3, 0.4))
    alike = Environment(props=(crate,), entities={"crate": Entity(props=("crate",))})
    world = World([BODY], cast_of({"environment": alike}, {"environment": alike}))
    assert [p.name for p in world.props] == ["crate"] and world.surroundings.x_m("crate") == pytest.approx(2.0)
    different = replace(alike, props=(other,))
    assert refuse(World, [BODY], cast_of({"environment": alike}, {"environment": different})) == (
        "world: controllers of one cast bring different things with one name: the prop 'crate' of other."
    )


def test_two_characters_have_casts_of_their_own() -> None:
    world = World([BODY, BODY], [Cast({"walk": WALK, "two": TWO}), WALK])
    world.switch("two", 0)
    world.step(50)
    assert (world.active(0), world.active(1)) == ("two", "simbicon/planar-walk")
    with pytest.raises(InputError):
        world.switch("two", 1)


def test_a_world_can_be_reset_to_any_member() -> None:
    world, alone = open_world(), World([BODY], [TWO])
    world.step(100)
    world.reset(["two"])
    for each in (world, alone):
        each.step(200)
    assert world.active() == "two" and np.array_equal(world.state.positions, alone.state.positions)


def test_snapshots_share_the_arrays_of_inactive_members_and_no_others() -> None:
    world = open_world()
    one, other = world.snapshot(), world.snapshot()
    assert one.memories[1] is other.memories[1] and one.memories[0] is not other.memories[0]
    world.step(300)
    world.switch("two")
    world.step(300)
    later = world.snapshot()
    assert not np.array_equal(later.memories[1], other.memories[1])
    assert not np.array_equal(later.memories[0], other.memories[0])
    world.switch("walk", keep_memory=True)
    world.restore(other)
    assert find_difference(world.snapshot(), other) == ""
