"""Snapshots that were damaged, edited or written by another world are refused, or run; nothing ever crashes."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damaged_snapshots
from poise.archives import save_archive
from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.controllers.script import layout as lay
from poise.controllers.tracker import layout
from poise.errors import FileFormatError, InputError
from poise.world.controller import Controller
from poise.world.snapshots import Snapshot, load_snapshot, pack_snapshot
from poise.world.world import World


def test_damaged_snapshots_are_refused_or_run() -> None:
    report = damaged_snapshots.run_damaged_snapshots(208, seed=5)
    assert (report.faults, report.crashes, report.count) == ([], [], 208)
    # Each way in which it may end is taken: the damage is neither too coarse nor too fine.
    assert min(report.outcomes[way] for way in ("not loaded", "not restored", "ran")) > 20


def test_no_law_reads_or_writes_outside_its_arrays() -> None:
    """Without the compiler numpy checks every index: of all families' runs, and of those from damaged snapshots."""
    report = damaged_snapshots.run_damaged_snapshots(52, seed=6, environment={"NUMBA_DISABLE_JIT": "1"})
    # Python's own math raises where compiled code continues with infinities: that is not an index error.
    outside = [f for f in report.faults if "IndexError" in f or "to integer" in f]
    assert (outside, report.crashes, report.count) == ([], [], 52)


@pytest.fixture(scope="module")
def world() -> World:
    character = load_character("biped7")
    made = World([character], [load_controller("simbicon/planar-walk", character)])
    made.step(50)
    return made


def change(snapshot: Snapshot, part: str, place: Any, value: float) -> Snapshot:
    """The snapshot with one number changed: of the physics, of a ledger, of params or memory."""
    if part == "physics":
        physics = snapshot.physics.copy()
        physics[place] = value
        return dataclasses.replace(snapshot, physics=physics)
    if part in ("params", "memories"):
        array = getattr(snapshot, part)[0].copy()
        array[place] = value
        return dataclasses.replace(snapshot, **{part: (array,)})
    array = snapshot.ledger[part].copy()
    array[place] = value
    return dataclasses.replace(snapshot, ledger={**snapshot.ledger, part: array})


STATE = "state of the controller simbicon/planar-walk of character 0: "


@pytest.mark.parametrize(
    ("part", "place", "value", "reason"),
    [
        ("physics", 3, np.nan, "physics must be finite."),
        ("physics", 3, 1e11, "positions and velocities must lie in -1e+10 to 1e+10."),
        ("counters", 0, -1, "the tick must be whole numbers from 0 to 9007199254740992."),
        ("counters", 1, 10**6, "the number of contacts must be whole numbers from 0 to 256."),
        ("clock", 1, 0.1, "its time step or gravity differs from this world's."),
        ("contact_bodies", (0, 0), 99, "ledger contact_bodies must be whole numbers from 0 to 7."),
        ("touch_load", 0, np.inf, "ledger touch_load must be finite."),
        ("pushes", (0, 1), 1e9, "bodies of ledger pushes must be whole numbers from 0 to 7."),
        ("pushes", (0, 0), 0.5, "states of ledger pushes must be whole numbers from 0 to 2."),
        ("pushes", (0, 6), np.nan, "ledger pushes must be finite."),
        ("springs", (0, 5), -1, "bodies of ledger springs must be whole numbers from 0 to 7."),
        ("cues", 0, 77, "ledger cues must be whole numbers from 0 to 7."),
        ("params", 0, 9.0, STATE + "its parameters are laid out for another controller."),
        ("params", 1, np.nan, STATE + "its parameters must be finite."),
        ("memories", 0, 5.0, STATE + "state must be a whole number from 0 to 1, got 5.0."),
        ("memories", 1, 0.5, STATE + "stance must be a whole number from 0 to 1, got 0.5."),
        ("memories", 2, np.inf, STATE + "its memory must be finite."),
    ],
)
def test_a_number_that_cannot_be_is_named_and_the_world_stays(
    world: World, part: str, place: Any, value: float, reason: str
) -> None:
    before = world.snapshot()
    with pytest.raises(InputError) as error:
        world.restore(change(before, part, place, value))
    assert str(error.value) == f"world: the snapshot cannot be restored, {reason}"
    assert pack(world.snapshot()) == pack(before)


def pack(snapshot: Snapshot) -> dict[str, bytes]:
    return {name: np.asarray(value).tobytes() for name, value in pack_snapshot(snapshot).items()}


def test_what_people_set_and_pushes_without_an_end_are_restored(world: World) -> None:
    before = world.snapshot()
    world.set_parameter("torso_kp_nm_per_rad", 321.0)
    world.begin_force("trunk", (10.0, 0.0, 0.0))
    pushed = world.snapshot()
    world.restore(before)
    world.restore(pushed)
    assert world.params[0][1] == 321.0 and np.isinf(world.ledger.pushes[0, 6])
    world.restore(before)


def test_a_world_takes_back_its_own_snapshot_but_checks_it_after_a_controller_was_replaced() -> None:
    character = load_character("biped7")
    walk, steps = (load_controller(f"simbicon/planar-{name}", character) for name in ("walk", "walk-2state"))
    one = World([character], [walk])
    kept = one.snapshot()
    assert kept.token and not dataclasses.replace(kept).token
    one.restore(kept)
    one.replace_controller(0, steps)
    with pytest.raises(InputError) as error:
        one.restore(kept)
    assert str(error.value) == (
        "world: the snapshot cannot be restored, it was taken before the controller simbicon/planar-walk "
        "of character 0 was replaced."
    )


def test_a_ledger_of_another_world_is_refused(world: World) -> None:
    before = world.snapshot()
    ledger = {**before.ledger, "grounded": before.ledger["grounded"][:-1]}
    with pytest.raises(InputError, match=r"snapshot is from another world: its ledger grounded has the shape \(7,\)"):
        world.restore(dataclasses.replace(before, ledger=ledger))
    ledger = {**before.ledger, "grounded": before.ledger["grounded"].astype(float)}
    with pytest.raises(InputError, match="ledger grounded must hold int64, got float64"):
        world.restore(dataclasses.replace(before, ledger=ledger))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"physics": None}, "not a snapshot, lacks physics."),
        ({"ledger_clock": None}, "not a snapshot, lacks ledger_clock."),
        ({"memory_0": None}, "not a snapshot, lacks memory_*."),
        ({"memory_1": np.zeros(1)}, "is damaged, parameters and memories of its controllers do not match."),
        ({"ledger_more": np.zeros(1)}, "not a snapshot, holds an entry 'ledger_more'."),
        ({"physics": np.zeros((2, 2))}, "physics must have the shape (any,), got (2, 2)."),
        ({"ledger_counters": np.zeros(4)}, "ledger_counters must hold int64, got float64."),
        ({"notebook": np.array("{")}, "is damaged, entry 'notebook' is not JSON."),
        ({"notebook": np.array("[" * 10**5)}, "is damaged, entry 'notebook' is not JSON."),
        ({"notebook": np.array("[]")}, "is damaged, its notebook is malformed."),
    ],
)
def test_a_file_that_is_no_snapshot_says_why(
    world: World, tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    entries = {**pack_snapshot(world.snapshot()), **changes}
    save_archive(tmp_path / "s.npz", {name: value for name, value in entries.items() if value is not None})
    with pytest.raises(FileFormatError) as error:
        load_snapshot(tmp_path / "s.npz")
    assert str(error.value) == f"{tmp_path / 's.npz'}: {reason}"


def test_a_snapshot_without_a_digest_still_loads(world: World, tmp_path: Path) -> None:
    snapshot = world.snapshot()
    np.savez_compressed(tmp_path / "s.npz", **pack_snapshot(snapshot))
    assert pack(load_snapshot(tmp_path / "s.npz")) == pack(snapshot)


def make(family: str) -> World:
    made = damaged_snapshots.make_world(family)
    assert isinstance(made, World)
    return made


@pytest.mark.parametrize(
    ("family", "place", "value", "reason"),
    [
        ("spatial", 0, 2.0, "stance must be a whole number from 0 to 1, got 2.0"),
        ("walker", 1, -1.0, "stance must be a whole number from 0 to 1, got -1.0"),
        ("tracker", layout.FRAGMENT, 99.0, "fragment must be a whole number from 0 to"),
        ("tracker", layout.FRAME, -1.0, "frame must be a whole number from 0 to"),
        ("graph", 0, 40.0, "state must be a whole number from 0 to"),
        ("phases", 0, 40.0, "phase must be a whole number from 0 to"),
        ("phases", 2, 40.0, "previous phase must be a whole number from 0 to"),
        ("script", lay.M_DEPTH, 40.0, "scripts on the stack must be a whole number from 0 to"),
        ("script", lay.MEMORY_HEADER + lay.F_PHASE, 40.0, "phase on the stack must be a whole number from 0 to"),
        ("script", lay.MEMORY_HEADER + lay.F_SCRIPT, 1.0, "script on the stack must be a whole number from 0 to 0"),
    ],
)
def test_every_method_guards_its_indices(family: str, place: int, value: float, reason: str) -> None:
    world = make(family)
    with pytest.raises(InputError, match=reason):
        world.restore(change(world.snapshot(), "memories", place, value))


def test_a_guest_is_guarded_within_its_script() -> None:
    world = make("guest")
    params, memory = world.params[0], world.memories[0]
    assert memory[lay.M_GUEST] > 0.0 and memory[lay.M_TICKS] > 0.0
    stance = int(params[int(memory[lay.M_GUEST]) + lay.G_M_MEMORY]) + 1
    with pytest.raises(InputError, match=r"stance must be a whole number from 0 to 1, got 300\.0"):
        world.restore(change(world.snapshot(), "memories", stance, 300.0))


def test_feedback_of_a_script_refers_to_a_part_that_is_there() -> None:
    world = make("script")
    slot = int(world.params[0][lay.H_M_SLOTS])
    kept = change(world.snapshot(), "memories", slot + lay.B_REF_KIND, float(lay.REF_PART))
    with pytest.raises(InputError, match="a servo's feedback refers to a part that does not exist"):
        world.restore(change(kept, "memories", slot + lay.B_REF, 1e9))


def test_every_controller_of_the_library_that_has_indices_has_a_guard() -> None:
    for family in damaged_snapshots.FAMILIES:
        if family not in ("pose", "pair"):
            controller: Controller = make(family).controllers[0]
            assert controller.guard is not None, family
