"""A small search from end to end: the same whatever is interrupted, resumed or run in how many threads."""

import csv
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from poise.api import run
from poise.controllers.catalog import load_controller, read_controller_file
from poise.errors import FileFormatError, InputError, NotFoundError
from poise.optim.stopping import StopRules
from poise.search import optimize, read_problem
from poise.search.evaluate import evaluate
from poise.search.session import load_notes, open_session
from poise.search.skills import load_skill
from unit.search.small_problem import PROBLEM, TASK_PROBLEM, change


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

    def _changed(*pairs, text=PROBLEM):
        path = tmp_path / "small.toml"
        path.write_text(change(text, *pairs))
        return path

    return _changed


def read_folder(folder):
    """Name and bytes of every file."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def load_generations(folder):
    """Candidates, costs and failures of every generation in a search's journal."""
    lines = (folder / "optimize.journal").read_text().splitlines()[1:]
    return [json.loads(line.partition(" ")[2])[2] for line in lines]


def stop_after(generations):
    def progress(row, _total):
        if row.generation == generations:
            raise KeyboardInterrupt

    return progress


def test_it_leaves_history_plot_journal_and_the_controller(whole):
    assert whole.generations == 4 and whole.evaluations == 16 and not whole.interrupted
    with open(whole.folder / "history.csv") as file:
        rows = list(csv.DictReader(file))
    assert [int(r["evaluations"]) for r in rows] == [4, 8, 12, 16]
    assert float(rows[-1]["best_cost"]) == whole.cost
    assert (whole.folder / "convergence.png").stat().st_size > 1000
    assert len(load_generations(whole.folder)) == 4


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
    costs = np.array([generation["costs"] for generation in load_generations(whole.folder)])
    assert whole.cost == costs.min() <= costs[0].min()


def test_an_interrupted_search_resumes_to_the_same_result(problem, tmp_path, whole):
    stopped = optimize(problem, out=tmp_path / "stopped", workers=2, progress=stop_after(2))
    assert stopped.interrupted and stopped.generations == 2
    assert stopped.resume_hint == f"poise optimize {problem} --resume {tmp_path / 'stopped'}"
    resumed = optimize(problem, resume=tmp_path / "stopped", workers=1)
    assert resumed.values == whole.values and resumed.cost == whole.cost
    assert resumed.controller_path.read_text() == whole.controller_path.read_text()
    assert read_folder(resumed.folder) == read_folder(whole.folder)


def test_a_search_can_go_on_with_more_generations(changed, whole, tmp_path):
    folder = shutil.copytree(whole.folder, tmp_path / "more")
    more = optimize(changed(("generations = 4", "generations = 6")), resume=folder, workers=1)
    assert more.generations == 6 and more.cost <= whole.cost


def test_a_changed_problem_does_not_resume(changed, whole):
    with pytest.raises(FileFormatError) as error:
        optimize(changed(("near = 0.8", "near = 0.9")), resume=whole.folder)
    assert str(error.value) == (
        f"{whole.folder / 'optimize.journal'}: the problem has changed since that search began. "
        "Start a new one, or restore the original."
    )


def test_another_algorithm_does_not_resume(problem, whole):
    with pytest.raises(FileFormatError, match="that search has algorithm = cma-es and cannot continue with cma-c"):
        optimize(problem, resume=whole.folder, algorithm="cma-c")


def test_a_search_of_another_optimiser_does_not_resume(problem, whole, tmp_path):
    folder = shutil.copytree(whole.folder, tmp_path / "other")
    journal = folder / "optimize.journal"
    generations, notes = load_generations(folder), load_notes(journal)
    journal.unlink()
    generations[2]["points"][0][0] += 0.01
    with open_session(folder, "optimize", notes, folder=True) as session:
        for k, generation in enumerate(generations):
            session.recall(f"generation {k + 1}", lambda generation=generation: generation)
    with pytest.raises(FileFormatError) as error:
        optimize(problem, resume=folder)
    assert str(error.value) == f"{journal}: another version started that search. Start a new one."


def test_a_search_of_an_older_version_is_left_alone(problem, tmp_path):
    (tmp_path / "checkpoint.npz").write_bytes(b"old")
    with pytest.raises(FileFormatError) as error:
        optimize(problem, resume=tmp_path)
    assert str(error.value) == f"{tmp_path / 'checkpoint.npz'}: was written by an older Poise. Start a new search."
    with pytest.raises(InputError) as refusal:
        optimize(problem, out=tmp_path)
    assert str(refusal.value) == (
        f"{tmp_path}: already holds a search of an older Poise. Give another folder with --out."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.npz"]


def test_another_seed_does_not_resume(problem, whole):
    with pytest.raises(FileFormatError, match="that search has seed = 7 and cannot continue with 8"):
        optimize(problem, resume=whole.folder, seed=8)


def test_a_search_is_never_written_over(problem, whole):
    with pytest.raises(InputError) as error:
        optimize(problem, out=whole.folder)
    assert str(error.value) == (
        f"{whole.folder / 'optimize.journal'}: holds an unfinished search. Continue it with --resume {whole.folder}, "
        "remove the file to start again, or give another folder with --out."
    )


def test_nothing_to_resume_is_said_so(problem, tmp_path):
    with pytest.raises(FileFormatError, match=r"no such file. A search writes it with its first results"):
        optimize(problem, resume=tmp_path / "nowhere")


def test_a_fall_costs_more_than_any_gait_and_the_earlier_the_more(problem):
    task = read_problem(problem)
    values = {"lift_swing_hip_rad": 0.4, "strike_cd_radpm": 2.2}
    good = evaluate(task, values)
    assert good.failures == () and good.cost < task.fall_weight
    broken = task.controller.with_values({"torso_kp_nm_per_rad": 0.0, "torso_kd_nms_per_rad": 0.0})
    fallen = evaluate(replace(task, controller=broken, seconds=4.0), values)
    assert set(fallen.failures) <= {"fall forward", "fall backward", "collapse"} and fallen.failures
    for trial in fallen.trials.values():
        assert trial.cost == pytest.approx(task.fall_weight * (2.0 - trial.failed_at_s / 4.0))


@pytest.mark.parametrize("algorithm", ["cma-c", "one-plus-one", "direct"])
def test_every_algorithm_resumes_to_the_same_files(problem, tmp_path, algorithm):
    whole = optimize(problem, out=tmp_path / "whole", workers=1, algorithm=algorithm)
    assert whole.evaluations == 16 and whole.stopped_by == "evaluations" and whole.algorithm == algorithm
    optimize(problem, out=tmp_path / "again", workers=2, algorithm=algorithm, progress=stop_after(3))
    again = optimize(problem, resume=tmp_path / "again", workers=1)
    assert again.algorithm == algorithm
    assert read_folder(again.folder) == read_folder(whole.folder)


def test_a_search_that_has_only_begun_can_be_resumed(problem, tmp_path, whole):
    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("poise.search.batch_carry.Evaluator.__call__", interrupt)
        optimize(problem, out=tmp_path / "again", workers=1)
    resumed = optimize(problem, resume=tmp_path / "again", workers=1)
    assert read_folder(resumed.folder) == read_folder(whole.folder)


def test_files_that_were_never_finished_are_swept_away(problem, tmp_path, whole):
    folder = shutil.copytree(whole.folder, tmp_path / "again")
    (folder / ".poise-0123456789abcdef.part.npz").write_bytes(b"half of a fi")
    (folder / "history.csv").write_text("generation,evaluations\n1,")
    resumed = optimize(problem, resume=folder, workers=1)
    assert read_folder(resumed.folder) == read_folder(whole.folder)


def test_processes_change_nothing(problem, tmp_path, whole):
    other = optimize(problem, out=tmp_path / "other", workers=2, processes=True)
    assert read_folder(other.folder) == read_folder(whole.folder)


@pytest.mark.parametrize(
    ("rule", "reason", "evaluations"),
    [
        ("evaluations = 7", "evaluations", 8),
        ("target_cost = 1000.0", "target cost", 4),
        ("stagnation = 1", "stagnation", 8),
        ("min_spread = 1.0", "spread", 4),
    ],
)
def test_the_rule_that_ends_a_search_is_named(changed, tmp_path, rule, reason, evaluations):
    path = changed(("generations = 4", "generations = 4\n" + rule))
    result = optimize(path, out=tmp_path / "out", workers=1)
    assert (result.stopped_by, result.evaluations) == (reason, evaluations)
    assert read_controller_file(result.controller_path).provenance["stopped_by"] == reason


def test_stop_rules_can_be_given_in_python(problem, tmp_path):
    result = optimize(problem, out=tmp_path / "out", workers=1, stop=StopRules(evaluations=5))
    assert (result.stopped_by, result.evaluations) == ("evaluations", 8)


def test_failures_are_counted_by_name_and_the_best_is_one_that_did_not_fail(changed, tmp_path):
    rule = '[[failures]]\nname = "too fast"\nmeasure = "speed_mps"\nabove = 0.75\n[[trials]]\nname = "from rest"'
    path = changed(('[[trials]]\nname = "from rest"', rule))
    result = optimize(path, out=tmp_path / "out", workers=1, algorithm="cma-c")
    assert result.failures["too fast"] > 0
    assert result.evaluation.failures == ()
    assert all(t.measured["speed_mps"] <= 0.75 for t in result.evaluation.trials.values())
    assert read_controller_file(result.controller_path).provenance["failures"] == result.failures
    generations = load_generations(result.folder)
    assert sum("too fast" in names for g in generations for names in g["failures"]) == result.failures["too fast"]
    judged = [pair for g in generations for pair in zip(g["costs"], g["failures"], strict=True)]
    assert result.cost == min(cost for cost, failures in judged if not failures)


def test_a_task_is_searched_as_one_function(tmp_path):
    path = tmp_path / "family.toml"
    path.write_text(TASK_PROBLEM)
    result = optimize(path, out=tmp_path / "whole", workers=1)
    assert result.algorithm == "parametric" and [t.value for t in result.tasks] == pytest.approx([0.6, 0.75, 0.9])
    assert result.cost == pytest.approx(np.mean([t.cost for t in result.tasks]))
    skill = load_skill(result.folder / "family.skill.toml")
    assert skill == result.skill and skill.degree == 1
    for task in result.tasks:
        assert skill(task.value) == pytest.approx(task.values, rel=1e-4)
        file = read_controller_file(task.controller_path)
        assert file.table["states"][0]["swing_hip_rad"] == task.values["lift_swing_hip_rad"]
        assert file.provenance["task"] == {"speed_mps": task.value}
    optimize(path, out=tmp_path / "again", workers=2, progress=stop_after(2))
    again = optimize(path, resume=tmp_path / "again", workers=1)
    assert read_folder(again.folder) == read_folder(result.folder)


def test_algorithms_and_tasks_must_fit(problem, tmp_path, changed):
    with pytest.raises(InputError) as raised:
        optimize(problem, out=tmp_path / "out", algorithm="parametric")
    assert str(raised.value) == (
        "parametric cannot search a problem that has no table [task]. "
        "Allowed here: cma-es, cma-c, one-plus-one, direct."
    )
    with pytest.raises(InputError, match=r"cma-es cannot search a problem that has a table \[task\]"):
        optimize(changed(text=TASK_PROBLEM), out=tmp_path / "out", algorithm="cma-es")
    with pytest.raises(InputError, match=r"search: no algorithm named 'cma-se'.*Did you mean 'cma-es'"):
        optimize(problem, out=tmp_path / "out", algorithm="cma-se")
    with pytest.raises(InputError, match="search: direct takes at most 10000 candidates, got 40000"):
        many = changed(("generations = 4", "generations = 10000"))
        optimize(many, out=tmp_path / "out", algorithm="direct")
    assert not (tmp_path / "out").exists()


def test_a_method_that_knows_skills_gets_one_in_its_own_file(tmp_path):
    path = tmp_path / "hop.toml"
    path.write_text("""\
controller = "bioloid/jump"
seconds = 0.3
settle_s = 0.0
timestep_s = 0.002
[task]
name = "apex_m"
low = 0.2
high = 0.3
count = 2
[search]
evaluations = 2
[check]
seconds = 0.1
[vary]
thrust_n = { low = 50.0, high = 120.0 }
[[objective]]
measure = "apex_m"
near = "task"
""")
    result = optimize(path, out=tmp_path / "out", workers=1)
    assert result.controller_path == tmp_path / "out" / "hop.toml"
    controller = load_controller(result.controller_path, read_problem(path).body)
    assert [p.name for p in controller.parameters if p.name == "apex_m"] and controller.value("apex_m") == 0.25
    assert read_controller_file(result.controller_path).table["skill"]["weights"] == {
        "thrust_n": list(result.skill.weights["thrust_n"])
    }


def test_another_ground_is_searched_on_kept_and_asked_for(problem, whole, tmp_path):
    with pytest.raises(NotFoundError, match=r"no ground named 'frim'.* Did you mean 'firm'\?"):
        optimize(problem, out=tmp_path / "none", ground="frim")
    firm = optimize(problem, out=tmp_path / "firm", ground="firm", workers=1, progress=stop_after(2))
    assert firm.interrupted and firm.cost != whole.cost
    assert load_notes(tmp_path / "firm" / "optimize.journal")["the ground"] == "firm"
    with pytest.raises(FileFormatError, match="the ground has changed since that search began"):
        optimize(problem, resume=tmp_path / "firm", ground="default")
    done = optimize(problem, resume=tmp_path / "firm", workers=1)
    file = read_controller_file(done.controller_path)
    assert file.ground == "firm"
    assert file.provenance["command"].endswith("small.toml --ground firm --seed 7")
    assert read_controller_file(whole.controller_path).ground is None
