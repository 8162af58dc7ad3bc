"""A small search from end to end: the same whatever is interrupted, resumed or run in how many threads."""

import csv
import shutil
from dataclasses import replace

import numpy as np
import pytest

from poise.api import run
from poise.controllers.catalog import read_controller_file
from poise.errors import FileFormatError, InputError
from poise.optim.checkpoint import load_checkpoint
from poise.search import optimize, read_problem
from poise.search.evaluate import evaluate

PROBLEM = """\
description = "a small search"
controller = "simbicon/planar-walk"
seconds = 1.5
settle_s = 0.5
timestep_s = 0.002

[search]
generations = 4
population = 4
seed = 7

[check]
seconds = 2.0
timestep_s = 0.002

[vary]
lift_swing_hip = { plus_minus = 0.3 }
strike_cd = { low = 1.0, high = 3.0 }

[[objective]]
measure = "speed_mps"
near = 0.8
weight = 10.0

[[trials]]
name = "from rest"

[[trials]]
name = "disturbed"
speed_mps = 0.5
noise_radps = 0.2
pushes = [{ force_n = 100.0, direction_deg = 180.0, start_s = 0.7 }]
"""


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    path = tmp_path_factory.mktemp("problem") / "small.toml"
    path.write_text(PROBLEM)
    return path


@pytest.fixture(scope="module")
def whole(problem, tmp_path_factory):
    return optimize(problem, out=tmp_path_factory.mktemp("searches") / "whole", workers=1)


@pytest.fixture
def changed(tmp_path):
    """Makes another version of the problem."""

    def _changed(old, new):
        assert old in PROBLEM
        path = tmp_path / "small.toml"
        path.write_text(PROBLEM.replace(old, new))
        return path

    return _changed


def stop_after(generations):
    def progress(row, _total):
        if row.generation == generations:
            raise KeyboardInterrupt

    return progress


def test_it_leaves_history_plot_checkpoint_and_the_controller(whole):
    assert whole.generations == 4 and whole.evaluations == 16 and not whole.interrupted
    with open(whole.folder / "history.csv") as file:
        rows = list(csv.DictReader(file))
    assert [int(r["evaluations"]) for r in rows] == [4, 8, 12, 16]
    assert float(rows[-1]["best_cost"]) == whole.cost
    assert (whole.folder / "convergence.png").stat().st_size > 1000
    assert load_checkpoint(whole.folder / "checkpoint.npz").trace.generations == 4


def test_the_controller_runs_and_says_where_it_comes_from(whole):
    file = read_controller_file(whole.controller_path)
    assert file.description == "a small search"
    provenance = file.provenance
    assert provenance["seed"] == 7 and provenance["evaluations"] == 16 and provenance["cost"] == whole.cost
    assert provenance["command"].startswith("poise optimize ") and len(provenance["problem_sha256"]) == 64
    assert provenance["check"]["seconds"] == 2.0
    assert file.table["states"][0]["swing_hip_rad"] == whole.values["lift_swing_hip_rad"]
    done = run(str(whole.controller_path), seconds=2.0, timestep_s=0.002)
    assert round(done.metrics.mean_speed_mps, 4) == provenance["check"]["mean_speed_mps"]


def test_the_best_of_all_generations_is_kept(whole):
    costs = np.array(load_checkpoint(whole.folder / "checkpoint.npz").trace.costs)
    assert whole.cost == costs.min() <= costs[0].min()


def test_an_interrupted_search_resumes_to_the_same_result(problem, tmp_path, whole):
    stopped = optimize(problem, out=tmp_path / "stopped", workers=2, progress=stop_after(2))
    assert stopped.interrupted and stopped.generations == 2
    assert stopped.resume_hint == f"poise optimize {problem} --resume {tmp_path / 'stopped'}"
    resumed = optimize(problem, resume=tmp_path / "stopped", workers=1)
    assert resumed.values == whole.values and resumed.cost == whole.cost
    assert resumed.controller_path.read_text() == whole.controller_path.read_text()
    first, second = (load_checkpoint(r.folder / "checkpoint.npz").trace for r in (whole, resumed))
    assert np.array_equal(first.candidates, second.candidates)
    assert np.array_equal(first.costs, second.costs)


def test_a_search_can_go_on_with_more_generations(changed, whole, tmp_path):
    folder = shutil.copytree(whole.folder, tmp_path / "more")
    more = optimize(changed("generations = 4", "generations = 6"), resume=folder, workers=1)
    assert more.generations == 6 and more.cost <= whole.cost


def test_a_changed_problem_does_not_resume(changed, whole):
    with pytest.raises(FileFormatError, match="the problem has changed since that search began"):
        optimize(changed("near = 0.8", "near = 0.9"), resume=whole.folder)


def test_another_seed_does_not_resume(problem, whole):
    with pytest.raises(FileFormatError, match="that search has the seed 7, it cannot go on with 8"):
        optimize(problem, resume=whole.folder, seed=8)


def test_a_search_is_never_written_over(problem, whole):
    with pytest.raises(InputError, match=r"a search is there already. Go on with --resume"):
        optimize(problem, out=whole.folder)


def test_nothing_to_resume_is_said_so(problem, tmp_path):
    with pytest.raises(FileFormatError, match=r"no such file. A search writes it when it begins"):
        optimize(problem, resume=tmp_path / "nowhere")


def test_a_fall_costs_more_than_any_gait_and_the_earlier_the_more(problem):
    task = read_problem(problem)
    values = {"lift_swing_hip_rad": 0.4, "strike_cd_radpm": 2.2}
    good = evaluate(task, values)
    assert good.falls == 0 and good.cost < task.fall_weight
    broken = task.controller.with_values({"torso_kp_nm_per_rad": 0.0, "torso_kd_nms_per_rad": 0.0})
    fallen = evaluate(replace(task, controller=broken, seconds=4.0), values)
    assert fallen.falls == 2
    for trial in fallen.trials.values():
        assert trial.cost == pytest.approx(task.fall_weight * (2.0 - trial.fell_at_s / 4.0))
