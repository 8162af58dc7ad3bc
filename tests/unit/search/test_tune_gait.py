"""The search for a gait from nothing: what it begins with, what its steps are worth, and that seeds repeat it."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tomli_w

from poise.characters.model import swap_side
from poise.errors import InputError, NotFoundError
from poise.search.drive import Told
from poise.search.tuning import gait as module
from poise.search.tuning.gait import Plan, check_gait, tune_gait
from poise.search.tuning.gait_tables import GAITS, NEUTRAL_DEG, Numbers, grow, make_table
from poise.search.tuning.gait_trial import (
    AIR,
    BOTH,
    JUDGES,
    OTHER,
    STANCE,
    GaitTrial,
    hop_share,
    judge_hop,
    judge_skip,
    judge_walk,
    run,
    run_worst,
)
from poise.search.tuning.graph import open_world
from poise.search.tuning.run import Order

BODY = "laszlo_human12"


@pytest.mark.parametrize("name", list(GAITS))
def test_every_state_begins_in_the_neutral_stance(name: str) -> None:
    table = make_table(name, BODY)
    poses = [state["pose_deg"] for state in table["states"]]
    wanted = {f"{side}_{axis}": angle for side in ("left", "right") for axis, angle in NEUTRAL_DEG.items()}
    assert all(wanted.items() <= pose.items() and pose == poses[0] for pose in poses)


@pytest.mark.parametrize("name", list(GAITS))
def test_the_table_before_the_search_is_a_controller(name: str) -> None:
    world = open_world(make_table(name, BODY), 0.0005)
    world.step(10)
    assert world.fell_at_s() is None


@pytest.mark.parametrize("name", list(GAITS))
def test_numbers_go_into_the_table_and_come_back(name: str) -> None:
    table = make_table(name, BODY)
    begin = Numbers(name, table).encode()
    point = np.clip(begin + np.random.default_rng(1).normal(0.0, 0.1, len(begin)), 0.0, 1.0)
    again = Numbers(name, Numbers(name, table).decode(point)).encode()
    assert again == pytest.approx(point, abs=1e-3)


def test_both_legs_of_a_hop_have_one_number() -> None:
    numbers = Numbers("hop", make_table("hop", BODY))
    for state in numbers.decode(np.linspace(0.0, 1.0, len(numbers.encode())))["states"]:
        assert all(state["pose_deg"][swap_side(axis)] == angle for axis, angle in state["pose_deg"].items())


def test_a_walk_begins_as_if_the_other_leg_had_just_stepped() -> None:
    numbers = Numbers("walk", make_table("walk", BODY))
    table = numbers.decode(np.linspace(0.0, 1.0, len(numbers.encode())))
    last = table["states"][-1]["pose_deg"]
    assert table["start"]["pose_deg"] == {swap_side(axis): angle for axis, angle in last.items()}


def test_a_skip_grows_from_the_poses_of_a_walk() -> None:
    walk = make_table("walk", BODY)
    for k, state in enumerate(walk["states"]):
        state["pose_deg"]["left_knee_pitch"] = float(k)
    knees = [state["pose_deg"]["left_knee_pitch"] for state in grow("skip", walk, BODY)["states"]]
    assert knees == [0.0, 1.0, 1.0, 2.0]


def test_a_table_can_be_checked(tmp_path: Path) -> None:
    table = tmp_path / "hop.toml"
    table.write_text(tomli_w.dumps(make_table("hop", BODY)))
    ((step, trial),) = check_gait(Plan("hop", timesteps_s=(0.001,)), table)
    assert step == 0.001 and not trial.whole


def test_the_walk_is_one_leg_after_the_other_and_ahead() -> None:
    good = [BOTH] * 2 + [STANCE] * 8
    assert judge_walk(good, 0.3) == 1.0
    assert judge_walk(good, 0.0) == 0.5
    assert judge_walk([BOTH] * 10, 0.3) == 0.0
    assert judge_walk([OTHER] * 10, 0.3) == 0.0
    assert judge_walk([STANCE] * 6 + [AIR] * 4, 0.3) == 0.0


def test_the_hop_leaves_and_lands_with_both_feet() -> None:
    assert judge_hop([BOTH] * 5 + [AIR] * 5, 0.2) == 1.0
    assert judge_hop([BOTH] * 5 + [AIR] * 5, 0.0) == 0.5
    assert judge_hop([BOTH] * 5 + [AIR] * 5, -0.2) == 0.0
    assert judge_hop([STANCE] * 5 + [AIR] * 5, 0.2) == 0.0
    assert judge_hop([BOTH] * 10, 0.2) == 0.0
    assert judge_hop([AIR] * 10, 0.2) == 0.0


def test_the_skip_lands_again_on_the_leg_that_it_left() -> None:
    skip = [BOTH] + [STANCE] * 4 + [AIR] * 2 + [STANCE] * 3
    assert hop_share(skip) == 0.2
    assert judge_skip(skip, 0.3) == pytest.approx(1.0)
    run_step = [BOTH] + [STANCE] * 7 + [AIR] * 2
    assert hop_share(run_step) == 0.0
    assert judge_skip(run_step, 0.3) == pytest.approx(0.3)
    assert hop_share([STANCE] * 4 + [AIR] * 2 + [OTHER] * 4) == 0.0


def test_more_steps_score_more_than_better_ones() -> None:
    def score(*worth: float) -> float:
        return GaitTrial(worth, False, 1.0, 0.0, 0.0).score

    assert score(0.5, 0.5, 0.5, 0.5) > score(1.0, 1.0)
    assert score(1.0, 1.0) > score(0.5, 0.5)


def test_what_stands_still_is_given_up() -> None:
    table = make_table("hop", BODY)
    trial = run(table, JUDGES["hop"], 60, 0.001)
    assert not trial.whole
    assert len(trial.worth) <= 3


def test_a_run_that_ends_early_spares_the_other_time_steps() -> None:
    table = make_table("walk", BODY)
    first = run(table, JUDGES["walk"], 60, 0.001)
    assert not first.whole
    assert run_worst(table, JUDGES["walk"], 60, [0.001, 0.0]) == first


SMALL = Plan(
    "hop", steps=6, timesteps_s=(0.001,), samples=4, spread=0.02, generations=2, population=4, seed=3, longer_at=0.0
)


def search(out: Path, plan: Plan = SMALL, resume: bool = False) -> str:
    tune_gait(Order("poise tune gait", out, "steps", plan.seed, {"seed": plan.seed}, resume), plan, workers=1)
    return out.read_text()


def test_equal_seeds_find_the_same_table(tmp_path: Path) -> None:
    texts = [search(tmp_path / f"{k}.toml", replace(SMALL, seed=seed)) for k, seed in enumerate((3, 3, 4))]
    assert texts[0] == texts[1] != texts[2]
    found = tomllib.loads(texts[0])
    assert found["character"] == BODY
    assert (found["provenance"]["command"], found["provenance"]["seed"]) == ("poise tune gait", 3)
    with pytest.raises(InputError) as error:
        search(tmp_path / "0.toml")
    assert str(error.value) == f"{tmp_path / '0.toml'}: already exists. Give another file."


def test_a_resumed_search_ends_with_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The length of the trials depends on all generations before: it is known again after a kill."""
    whole = search(tmp_path / "whole.toml")

    class KilledError(BaseException):
        pass

    take = module._Hunt.take

    def die_in_the_second(hunt: module._Hunt, told: Told) -> None:
        take(hunt, told)
        if hunt.generations == 2:
            raise KilledError

    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr(module._Hunt, "take", die_in_the_second)
        search(tmp_path / "killed.toml")
    assert search(tmp_path / "killed.toml", resume=True) == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["killed.toml", "whole.toml"]


def test_gaits_that_nobody_knows_are_named() -> None:
    with pytest.raises(NotFoundError) as error:
        Plan("wlak")
    assert (
        str(error.value) == "poise tune gait: no gait named 'wlak'. Known here: walk, hop, skip. Did you mean 'walk'?"
    )
