"""The walker as a whole: its bank of styles, mirror images, snapshots and the contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.checking import check_controller
from poise.checking.mirror import mirror_axes, mirror_state
from poise.checking.subject import find_difference
from poise.controllers.catalog import load_controller
from poise.controllers.walker import layout, spec
from poise.controllers.walker.memory import mirror_memory
from poise.controllers.walker.styles import OWN, PLAIN, find_partner, read_curve, shipped_styles, write_curve
from poise.rollout.scene import Scene
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.world import World

WALK = "walker/walk"
BODIES = ("humanoid", "beast1", "beast2", "robot")


def open_walk(speed_mps: float = 0.6, **values: float) -> World:
    physics = PhysicsSettings(timestep_s=0.001)
    return Scene(WALK, values={"speed_mps": speed_mps, **values}, physics=physics).open()


def record_of(controller: Controller) -> Any:
    return controller.params.view(layout.PARAMS)[0]


def test_the_bank_holds_every_style_and_a_slot_to_edit() -> None:
    controller = load_controller(WALK, load_character("humanoid"))
    names = controller.parameter("style").choices
    assert names[0] == PLAIN and OWN in names and set(shipped_styles()) <= set(names)
    record = record_of(controller)
    for k, name in enumerate(names):
        style = shipped_styles().get(name, shipped_styles()[PLAIN])
        assert np.array_equal(record.styles[k], style.curves) and record.tempo[k] == style.tempo
    assert controller.with_values({"style": "zombie"}).value("style") == names.index("zombie")


def test_a_file_may_bring_styles_of_its_own() -> None:
    table = {"values": {"style": "mine"}, "styles": {"mine": {"tempo": 1.2, "curves": {"back_pitch_rad": 0.3}}}}
    controller = spec.build(load_character("humanoid"), "mine", table=table)
    at = int(controller.value("style"))
    assert controller.parameter("style").choices[at] == "mine"
    assert read_curve(controller.params, at, "back_pitch") == (0.3,) * layout.KEYS
    assert record_of(controller).tempo[at] == 1.2
    assert controller.memory.view(layout.MEMORY)[0].style == at


def test_partners_are_mutual_and_joined_curves_go_on() -> None:
    for channel in layout.CHANNELS:
        partner = find_partner(channel)
        assert partner is None or find_partner(partner[0]) == (channel, partner[1])
    params = load_controller(WALK, load_character("humanoid")).params.copy()
    write_curve(params, 0, "stance_elbow", [0.1, 0.2, 0.3, 0.4, 0.5], joined=True)
    swing = read_curve(params, 0, "swing_elbow")
    assert (swing[0], swing[-1]) == (0.5, 0.1)


def test_mirroring_a_memory_twice_changes_nothing() -> None:
    world = open_walk()
    world.step(2500)
    memory = world.memories[0].copy()
    mirrored = mirror_memory(memory)
    assert not np.array_equal(mirrored, memory)
    assert np.array_equal(mirror_memory(mirrored), memory)


def test_the_mirror_image_of_a_walk_is_the_walk_of_the_mirror_image() -> None:
    world, image = open_walk(), open_walk()
    for one in (world, image):
        one.step(2000)
    mirror_state(world, image)
    steps = int(world.memories[0].view(layout.MEMORY)[0].steps)
    for one in (world, image):
        one.step(700)
    assert int(world.memories[0].view(layout.MEMORY)[0].steps) > steps, "a strike lies in between"
    partner, sign = mirror_axes(world.characters[0])
    here, there = sign * world.percepts[0].joint_q[partner], image.percepts[0].joint_q
    assert there == pytest.approx(here, abs=1e-4)
    assert image.data.qpos[:3] == pytest.approx(world.data.qpos[:3] * np.array([1.0, -1.0, 1.0]), abs=1e-4)


def test_a_snapshot_in_the_middle_of_everything_goes_on_to_the_same_bits() -> None:
    world = open_walk(idle=1.0)
    world.step(1500)
    world.set_parameter("heading_deg", 60.0)
    world.set_parameter("style", "zombie")
    world.step(200)
    kept = world.snapshot()
    world.step(1000)
    first = world.snapshot()
    world.restore(kept)
    world.step(1000)
    assert find_difference(first, world.snapshot()) == ""


@pytest.mark.parametrize("name", ["walker/walk", "walker/text"])
def test_it_keeps_the_contract(name: str) -> None:
    wrong = [f"{r.name}: {r.detail}" for r in check_controller(name) if not r.passed]
    assert wrong == []


@pytest.mark.parametrize("name", BODIES)
def test_every_body_gets_a_controller_that_answers_finitely(name: str) -> None:
    world = Scene(WALK, name, values={"speed_mps": 0.5}, physics=PhysicsSettings(timestep_s=0.001)).open()
    world.step(300)
    assert np.isfinite(world.data.qpos).all() and np.isfinite(world.memories[0]).all()
