"""A search that is killed in the middle of a generation ends with the same files as one that was not."""

import json
import shutil
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from poise.search import optimize
from unit.search.small_problem import PROBLEM, change

GENERATIONS = 6
TEXT = change(PROBLEM, ("generations = 4", f"generations = {GENERATIONS}"), ("seconds = 1.5", "seconds = 3.0"))


def read_folder(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def count_generations(folder):
    """Generations in a journal that another process may be writing at this moment; the first line has its notes."""
    journal = folder / "optimize.journal"
    return max(journal.read_bytes().count(b"\n") - 1, 0) if journal.exists() else 0


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["cma-es", "cma-c"])
def test_a_killed_search_ends_with_the_same_bits(tmp_path, algorithm):
    problem, folder = tmp_path / "small.toml", tmp_path / "killed"
    problem.write_text(TEXT)
    command = [sys.executable, "-m", "poise", "optimize", str(problem), "--algorithm", algorithm, "--out", str(folder)]
    search = subprocess.Popen([*command, "--workers", "2"], stderr=subprocess.PIPE)
    try:
        waited_until = time.monotonic() + 60.0
        while count_generations(folder) < 2:
            assert search.poll() is None, search.stderr.read().decode()
            assert time.monotonic() < waited_until
            time.sleep(0.005)
        # The next generation has begun and takes longer than this.
        time.sleep(0.02)
    finally:
        search.send_signal(signal.SIGKILL)
        search.communicate()
    assert search.returncode == -signal.SIGKILL
    assert 2 <= count_generations(folder) < GENERATIONS
    assert not (folder / "small.toml").exists()
    resumed = optimize(problem, resume=folder, workers=1)
    whole = optimize(problem, out=tmp_path / "whole", algorithm=algorithm, workers=1)
    assert whole.generations == resumed.generations == GENERATIONS
    assert read_folder(resumed.folder) == read_folder(whole.folder)
    assert set(read_folder(whole.folder)) == {
        "convergence.png", "history.csv", "optimize.journal", "problem.toml", "small.toml",
    }  # fmt: skip


def test_a_search_whose_journal_is_damaged_ends_with_the_same_bits(tmp_path):
    problem, said = tmp_path / "small.toml", []
    problem.write_text(PROBLEM)
    whole = optimize(problem, out=tmp_path / "whole", workers=1)
    folder = tmp_path / "damaged"
    shutil.copytree(whole.folder, folder)
    journal = folder / "optimize.journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:2], lines[2].replace(b"1", b"2"), *lines[3:]]))
    resumed = optimize(problem, resume=folder, workers=1, say=said.append)
    assert said == [f"{journal}: 1 of 5 entries are damaged and will be computed again."]
    assert resumed.cost == whole.cost
    assert sorted(set(journal.read_bytes().splitlines(keepends=True)) & set(lines)) == sorted(lines)
    apart = {"optimize.journal"}
    found, expected = read_folder(resumed.folder), read_folder(whole.folder)
    assert {k: v for k, v in found.items() if k not in apart} == {k: v for k, v in expected.items() if k not in apart}


TWO_SEARCHES = """
import json, os, sys
from poise.errors import PoiseError
from poise.search import optimize

problem, folder, tries = sys.argv[1], sys.argv[2], int(sys.argv[3])
whole = optimize(problem, out=folder + "/whole", workers=1)


def read(place):
    return {name: open(f"{place}/{name}", "rb").read() for name in os.listdir(place)}


def search(place, starts, answer):
    os.read(starts, 1)
    try:
        optimize(problem, out=place, workers=1)
        text = "done"
    except PoiseError as error:
        text = str(error)
    os.write(answer, text.encode())
    os._exit(0)


outcomes = []
for k in range(tries):
    place, pipes = f"{folder}/{k}", [os.pipe() for _ in range(3)]
    children = []
    for n in range(2):
        child = os.fork()
        if child == 0:
            search(place, pipes[2][0], pipes[n][1])
        children.append(child)
    os.write(pipes[2][1], b"gg")
    for child in children:
        os.waitpid(child, 0)
    said = [os.read(pipe[0], 4096).decode() for pipe in pipes[:2]]
    outcomes.append([children, said, read(place) == read(whole.folder)])
print(json.dumps(outcomes))
"""


def test_of_two_searches_in_one_folder_the_second_is_refused(tmp_path):
    problem = tmp_path / "small.toml"
    problem.write_text(change(PROBLEM, ("generations = 4", "generations = 1"), ("seconds = 1.5", "seconds = 0.6")))
    command = [sys.executable, "-c", TWO_SEARCHES, str(problem), str(tmp_path / "out"), "8"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    outcomes = json.loads(done.stdout)
    assert len(outcomes) == 8
    for processes, said, intact in outcomes:
        assert intact and said.count("done") == 1, said
        first = processes[said.index("done")]
        refusal = said[1 - said.index("done")]
        # On a busy machine the first may be done before the second begins.
        assert f"another search is running here, process {first}, since 20" in refusal or "already" in refusal
    assert any("process" in text for _, said, _ in outcomes for text in said)


@pytest.mark.slow
def test_jobs_killed_at_file_operations_resume_to_the_same_bits():
    """A sample of what `tools/kill_points.py` does at every operation."""
    tool = Path(__file__).parents[3] / "tools" / "kill_points.py"
    done = subprocess.run(
        [sys.executable, tool, "--points", "1", "--json"], capture_output=True, text=True, timeout=240
    )
    reports = json.loads(done.stdout)
    assert [report["job"] for report in reports] == ["optimize", "tame", "retouch", "transition", "graph learn"]
    assert [report["faults"] for report in reports] == [{}] * 5
    assert done.returncode == 0, done.stderr


def test_a_search_that_is_killed_between_journal_and_history_loses_nothing(tmp_path, monkeypatch):
    problem = tmp_path / "small.toml"
    problem.write_text(PROBLEM)
    whole = optimize(problem, out=tmp_path / "whole", workers=1)

    class Killed(BaseException):
        pass

    def die_in_the_third(path, rows):
        if len(rows) == 3:
            raise Killed
        save_history(path, rows)

    # The function of this name hides the module.
    module = import_module("poise.search.optimize")
    save_history = module.save_history
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(module, "save_history", die_in_the_third)
        optimize(problem, out=tmp_path / "killed", workers=1)
    assert count_generations(tmp_path / "killed") == 3
    assert len((tmp_path / "killed" / "history.csv").read_text().splitlines()) == 3
    resumed = optimize(problem, resume=tmp_path / "killed", workers=1)
    assert read_folder(resumed.folder) == read_folder(whole.folder)
