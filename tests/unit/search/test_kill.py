"""A search that is killed in the middle of a generation ends with the same files as one that was not."""

import signal
import subprocess
import sys
import time
from importlib import import_module

import pytest

from poise.errors import FileFormatError
from poise.optim.checkpoint import load_checkpoint
from poise.search import optimize
from unit.search.small_problem import PROBLEM, change

GENERATIONS = 6
TEXT = change(PROBLEM, ("generations = 4", f"generations = {GENERATIONS}"), ("seconds = 1.5", "seconds = 3.0"))


def read_folder(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def count_generations(folder):
    """Generations in a checkpoint that another process may be writing at this moment."""
    try:
        return load_checkpoint(folder / "checkpoint.npz").trace.generations
    except FileFormatError as error:
        # It is there whole or not at all.
        assert "no such file" in str(error)
        return 0


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
        "checkpoint.npz", "checkpoint.npz.previous", "convergence.png", "history.csv", "problem.toml", "small.toml",
    }  # fmt: skip


def test_a_search_that_is_killed_between_checkpoint_and_history_loses_nothing(tmp_path, monkeypatch):
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
