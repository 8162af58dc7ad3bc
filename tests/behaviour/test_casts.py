"""One world changes from walker to script to tracker and back at events, and a snapshot file replays it."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest

from poise.characters.catalog import load_character
from poise.checking.subject import find_difference
from poise.controllers.catalog import load_controller
from poise.rollout.simulate import simulate
from poise.world.cast import Cast
from poise.world.compile import PhysicsSettings
from poise.world.snapshots import load_snapshot, save_snapshot
from poise.world.world import World

#: The tracker's step time and ground serve all of them.
TICK_S = 1.0 / 900.0
LIFT_ARMS = """BEGINSCRIPT lift(void)
PHASE 0
ACTIONS POSE rElbow(.6), lElbow(.6); ENDACTIONS
TRANSITION to(1).after(time .05);
ENDPHASE
PHASE 1
ACTIONS POSE rElbow(.6), lElbow(.6); ENDACTIONS
TRANSITION to(-1).after(time .3);
ENDPHASE
ENDSCRIPT
"""


class Relay:
    """After three steps the script, after its first phase the tracker, and a tenth of a second later the walker."""

    name, events, period_s = "relay", ("step", "phase"), 0.05

    def __init__(self) -> None:
        self.steps, self.left = 0, 0

    def decide(self, world: World, causes: Collection[str]) -> None:
        self.steps += "step" in causes
        active = world.active()
        if active == "walker" and self.steps == 3:
            self.steps += 1
            world.switch("script")
        elif active == "script" and "phase" in causes:
            self.left = 3
            world.switch("tracker")
        elif active == "tracker" and "timer" in causes:
            self.left -= 1
            if not self.left:
                world.switch("walker")

    def state(self) -> Mapping[str, Any]:
        return {"steps": self.steps, "left": self.left}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.steps, self.left = int(state["steps"]), int(state["left"])


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Cast:
    body, script = load_character("humanoid"), tmp_path_factory.mktemp("scripts") / "lift.ctl"
    script.write_text(LIFT_ARMS)
    tracker = load_controller("tracker/normal", body).with_values({"track_kp": 400.0, "track_kv": 40.0})
    walker = load_controller("walker/walk", body).with_values({"speed": 0.6})
    return Cast({"walker": walker, "script": load_controller(script, body), "tracker": tracker})


def open_world(cast: Cast) -> World:
    settings = PhysicsSettings(timestep_s=TICK_S, ground="springs")
    world = World([load_character("humanoid")], [cast], settings=settings)
    world.add_pilot(Relay())
    return world


def test_a_body_goes_from_walker_to_script_to_tracker_and_back_and_walks_on(cast: Cast) -> None:
    world = open_world(cast)
    recording = simulate(world, 6.0)
    assert [e.detail for e in recording.events if e.kind == "switch"] == ["script", "tracker", "walker"]
    assert world.fell_at_s() is None and world.active() == "walker"
    assert world.percepts[0].com_w[0] > 1.5


@pytest.mark.parametrize("active", ["script", "tracker"])
def test_a_snapshot_file_replays_the_switches_to_the_same_bits(cast: Cast, active: str, tmp_path: Path) -> None:
    world, other = open_world(cast), open_world(cast)
    while world.active() != active:
        world.step(1)
    world.step(10)
    save_snapshot(world.snapshot(), tmp_path / "s.npz")
    other.restore(load_snapshot(tmp_path / "s.npz"))
    world.step(900)
    for _ in range(9):
        other.step(100)
    assert world.active() == other.active() == "walker"
    assert find_difference(world.snapshot(), other.snapshot()) == ""
