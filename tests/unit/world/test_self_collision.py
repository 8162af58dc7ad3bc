"""Which parts of one body collide with each other: none, the two legs, or all."""

from __future__ import annotations

import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.errors import NotFoundError
from poise.world.compile import MAX_CHARACTERS, PhysicsSettings
from poise.world.controller import Start
from poise.world.leg_overlap import LegOverlap
from poise.world.world import Spawn, World

HUMANOID = load_character("humanoid")
#: Both legs swung inward until they cross; the left one a little forward, so that no axis meets another.
CROSSED = Start(joint_q_rad={"left_hip_roll": -0.15, "right_hip_roll": -0.15, "left_hip_pitch": 0.05})
LEGS = ("thigh", "shank", "foot", "toes")


def touching(world: World) -> set[tuple[str, str]]:
    """Pairs of bodies in contact, without the ground."""
    names = [world.model.body(int(b)).name for b in world.model.geom_bodyid]
    return {tuple(sorted((names[c.geom[0]], names[c.geom[1]]))) for c in world.data.contact if c.geom[0] > 0}


def make_world(self_collision: str | bool, start: Start = CROSSED) -> World:
    world = World([HUMANOID], settings=PhysicsSettings(self_collision=self_collision))  # type: ignore[arg-type]
    world.place(0, start, Spawn())
    return world


def test_by_default_legs_pass_through_each_other() -> None:
    assert PhysicsSettings().self_collision == "none"
    assert touching(make_world("none")) == set()


def test_legs_collide_with_each_other_and_with_nothing_else_of_the_body() -> None:
    pairs = touching(make_world("legs"))
    assert ("left_shank", "right_shank") in pairs
    for a, b in pairs:
        assert a.partition("_")[0] == "left" and b.partition("_")[0] == "right"
        assert a.partition("_")[2] in LEGS and b.partition("_")[2] in LEGS
    # The arms hang inside the thighs, which only "all" minds.
    assert touching(make_world("legs", Start())) == set()
    assert ("left_forearm", "left_thigh") in touching(make_world("all", Start()))


def test_legs_collide_in_worlds_of_many_characters_too() -> None:
    world = World([HUMANOID] * MAX_CHARACTERS, settings=PhysicsSettings(self_collision="legs"))
    for k in (0, MAX_CHARACTERS - 1):
        world.place(k, CROSSED, world.spawns[k])
        pairs = touching(world)
        assert any(a.startswith(f"humanoid{k}/left_") and b.startswith(f"humanoid{k}/right_") for a, b in pairs)
    owners = {(a.partition("/")[0], b.partition("/")[0]) for a, b in touching(world)}
    assert owners == {("humanoid0", "humanoid0"), (f"humanoid{MAX_CHARACTERS - 1}", f"humanoid{MAX_CHARACTERS - 1}")}


@pytest.mark.parametrize(("mode", "low_m", "high_m"), [("none", 0.09, 0.11), ("legs", 0.0, 0.005)])
def test_legs_that_swing_inward_stop_at_each_other(mode: str, low_m: float, high_m: float) -> None:
    """Both hips draw their leg inward, in the air: the legs cross, or rest against each other."""
    hold = load_controller("pose/hold", HUMANOID).with_values({"left_hip_roll": -0.3, "right_hip_roll": -0.3})
    settings = PhysicsSettings(timestep_s=0.001, gravity_mps2=0.0, self_collision=mode)
    world = World([HUMANOID], [hold], settings=settings)
    legs, percept, deepest = LegOverlap(HUMANOID), world.percepts[0], 0.0
    for _ in range(50):
        world.step(20)
        deepest = max(deepest, legs.depth_m(percept.pos_w, percept.quat_w))
    assert low_m <= deepest <= high_m


def test_true_and_false_of_older_settings_are_all_and_none() -> None:
    assert PhysicsSettings(self_collision=True) == PhysicsSettings(self_collision="all")  # type: ignore[arg-type]
    assert PhysicsSettings(self_collision=False) == PhysicsSettings(self_collision="none")  # type: ignore[arg-type]


def test_other_parts_are_refused() -> None:
    with pytest.raises(NotFoundError) as caught:
        PhysicsSettings(self_collision="leg")
    assert str(caught.value) == (
        "physics: no self_collision named 'leg'. Known here: none, legs, all. Did you mean 'legs'?"
    )
