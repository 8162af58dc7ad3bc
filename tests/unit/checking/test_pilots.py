"""Pilots that break the contract are found out, each by the check that is made for it."""

import runpy
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from poise.checking import CheckResult, check_controller, check_pilot
from poise.controllers.catalog import load_controller
from poise.world.adopt import load_any_character
from poise.world.world import World

WALK = "simbicon/planar-walk"


class Cadence:
    """Changes the lean of the trunk with every step."""

    name, events, period_s = "cadence", ("strike",), 0.0

    def __init__(self) -> None:
        self.steps = 0

    def decide(self, world: World, causes: Collection[str]) -> None:
        self.steps += "strike" in causes
        world.set_parameter("strike_torso", 0.02 * (self.steps % 7))

    def state(self) -> Mapping[str, Any]:
        return {"steps": self.steps}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.steps = int(state["steps"])


class Forgetful(Cadence):
    def state(self) -> Mapping[str, Any]:
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        pass


class Shover(Cadence):
    def decide(self, world: World, causes: Collection[str]) -> None:
        world.data.qvel[0] += 0.01


class Clockwatcher(Cadence):
    """Asks how often it was made, which no run should know."""

    made = 0

    def __init__(self) -> None:
        super().__init__()
        Clockwatcher.made += 1
        self.number = Clockwatcher.made

    def decide(self, world: World, causes: Collection[str]) -> None:
        world.set_parameter("strike_torso", 0.001 * (self.number % 7))


def failed(results: tuple[CheckResult, ...]) -> dict[str, str]:
    return {r.name: r.detail for r in results if not r.passed}


def test_a_good_pilot_passes() -> None:
    results = check_pilot(Cadence, WALK)
    assert not failed(results) and not any(r.skipped for r in results)


def test_a_pilot_that_forgets_is_found_out() -> None:
    found = failed(check_pilot(Forgetful, WALK))
    assert set(found) == {"snapshot-exact", "pilot state"}
    assert "its state is not complete" in found["pilot state"]


def test_a_pilot_that_moves_bodies_is_found_out() -> None:
    assert failed(check_pilot(Shover, WALK)) == {
        "pilot rollouts": "a decision of the pilot cadence changes the physics."
    }


def test_a_pilot_that_is_not_deterministic_is_found_out() -> None:
    found = failed(check_pilot(Clockwatcher, WALK))
    assert "deterministic" in found


def test_the_pilot_of_the_handbook_passes() -> None:
    example = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "own_pilot.py"))
    assert not failed(check_pilot(example["Cadence"], "walker/walk"))


def test_a_controller_without_a_pilot_skips_the_checks_of_pilots() -> None:
    body = load_any_character("biped7")
    results = {r.name: r for r in check_controller(load_controller(WALK, body), body)}
    assert results["pilot state"].skipped and results["pilot rollouts"].skipped
