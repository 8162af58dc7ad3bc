"""Batches in threads and processes: the same results in the same order, whatever happens to the workers."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest

import batch_items
from poise.batches.batch import BatchError, open_batch
from poise.batches.threads import TrialsInterrupted, heartbeat
from poise.controllers.catalog import controller_names, find_controller, load_controller, read_controller_file
from poise.errors import InputError
from poise.rollout.scene import Scene
from poise.search import read_problem
from poise.search.batch_carry import Evaluator, pack, unpack
from poise.world.adopt import load_any_character

PROBLEM = """\
controller = "base.toml"
seconds = 1.5
settle_s = 0.5
timestep_s = 0.002
[vary]
lift_swing_hip = { plus_minus = 0.3 }
strike_cd = { low = 1.0, high = 3.0 }
[[objective]]
measure = "speed_mps"
near = 0.8
[[trials]]
noise_radps = 0.2
[[trials]]
speed_mps = 0.5
"""


@pytest.fixture(scope="module")
def processes():
    """Two processes for all tests that leave them alive."""
    with open_batch("processes", workers=2) as batch:
        yield batch


def interrupt_when(ready):
    """Ctrl-C for this process as soon as `ready()`."""

    def watch():
        while not ready():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=watch, daemon=True).start()


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_results_come_in_the_order_of_the_items(kind):
    parts = []
    with open_batch(kind, workers=2) as batch:
        assert batch.run(batch_items.nap_and_square, range(8), parts.append) == [k * k for k in range(8)]
        assert batch.run(batch_items.square, [5]) == [25]
        assert batch.run(batch_items.square, []) == []
    assert parts == sorted(parts) and parts[-1] == 1.0


def test_processes_are_kept_from_one_run_to_the_next(processes):
    first, second = (set(processes.run(batch_items.tell_pid, range(6))) for _ in range(2))
    assert first == second and len(first) == 2 and os.getpid() not in first


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_an_error_of_an_item_is_raised_as_it_is_and_the_workers_go_on_after_it(kind):
    with open_batch(kind, workers=2) as batch:
        with pytest.raises(ValueError, match=r"^no three here$"):
            batch.run(batch_items.fail_at_three, range(6))
        assert batch.run(batch_items.square, range(3)) == [0, 1, 4]


def test_an_error_that_cannot_travel_comes_as_its_text(processes):
    with pytest.raises(BatchError, match=r"^processes: MoodyError: the item is moody$"):
        processes.run(batch_items.fail_moodily, [0])


def test_an_items_own_broken_connection_is_not_taken_for_a_dead_process(processes):
    with pytest.raises(ConnectionResetError, match="of the item's own"):
        processes.run(batch_items.lose_connection, [0])


def test_a_result_that_cannot_travel_says_so(processes):
    with pytest.raises(BatchError, match=r"^processes: its result cannot be sent back: cannot pickle"):
        processes.run(batch_items.make_lock, [0])


def test_what_cannot_be_sent_is_refused_before_anything_runs(processes):
    with pytest.raises(InputError, match=r"^processes: the function cannot be sent to another process: "):
        processes.run(lambda x: x, [0])
    with pytest.raises(InputError, match=r"^processes: item 2 of 2, <.*lock.*> cannot be sent"):
        processes.run(batch_items.square, [0, threading.Lock()])


def test_a_process_that_dies_costs_its_item_which_is_run_again(tmp_path):
    heard = []
    with open_batch("processes", workers=2, say=heard.append) as batch:
        assert batch.run(batch_items.die_once, [(str(tmp_path), k) for k in range(7)]) == [k * k for k in range(7)]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["1", "4"]
    assert heard == ["a worker process died (by signal SIGKILL); its item is run again."] * 2


def test_an_item_that_always_kills_its_process_is_named():
    with open_batch("processes", workers=1) as batch:
        with pytest.raises(BatchError) as caught:
            batch.run(batch_items.die_always, [0, 1, 2, 3])
        assert str(caught.value) == (
            "processes: item 3 of 4, 2: its process died 3 times, the last time by signal SIGKILL. "
            "Run it with threads to see why."
        )
        assert batch.run(batch_items.square, [3]) == [9]


def test_ctrl_c_ends_processes_at_once_and_leaves_none(tmp_path):
    with open_batch("processes", workers=2) as batch:
        interrupt_when(lambda: len(list(tmp_path.iterdir())) == 2)
        began = time.monotonic()
        with pytest.raises(TrialsInterrupted) as caught:
            batch.run(batch_items.sleep_long, [str(tmp_path)] * 4)
        assert time.monotonic() - began < 30.0
    assert caught.value.results == {}
    pids = [int(p.name) for p in tmp_path.iterdir()]
    assert len(pids) == 2 and all(is_gone(pid) for pid in pids)


IN_A_TERMINAL = """
import sys
from batch_items import sleep_long
from poise.batches.batch import open_batch

with open_batch("processes", workers=2) as batch:
    print("here", flush=True)
    try:
        batch.run(sleep_long, [sys.argv[1]] * 4)
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.parametrize("wait_for", [0, 2])
def test_ctrl_c_in_a_terminal_reaches_processes_that_start_or_run_without_a_word_from_them(tmp_path, wait_for):
    path = os.pathsep.join([os.path.dirname(batch_items.__file__), *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.Popen(
        [sys.executable, "-c", IN_A_TERMINAL, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A terminal sends Ctrl-C to a whole group of processes.
        start_new_session=True,
    )
    assert process.stdout.readline() == "here\n"
    time.sleep(0.3)
    while len(list(tmp_path.iterdir())) < wait_for:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=30) == ("interrupted\n", "")
    assert all(is_gone(int(p.name)) for p in tmp_path.iterdir())


def test_ctrl_c_ends_threads_at_their_next_heartbeat_and_gives_what_was_done():
    running = threading.Event()

    def work(k):
        if k == 0:
            return "done"
        running.set()
        while True:
            heartbeat()
            time.sleep(0.01)

    interrupt_when(running.is_set)
    with open_batch(workers=1) as batch, pytest.raises(TrialsInterrupted) as caught:
        batch.run(work, range(3))
    assert caught.value.results == {0: "done"}


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InputError, match=r"^kind: no kind of workers named 'thread'.*Did you mean 'threads'\?$"):
        open_batch("thread")
    with pytest.raises(InputError, match=r"^workers: the number of workers is out of range, got 0. At least 1.$"):
        open_batch(workers=0)
    with pytest.raises(InputError, match=r"a cluster brings its own workers. Omit their kind and number.$"):
        open_batch("processes", cluster="tcp://127.0.0.1:8786")


@pytest.fixture(scope="module")
def candidates(tmp_path_factory):
    """A problem that begins with a controller beside it, whose files are gone once it is packed."""
    folder = tmp_path_factory.mktemp("problem")
    (folder / "base.toml").write_text(find_controller("simbicon/planar-walk").read_text())
    (folder / "small.toml").write_text(PROBLEM)
    problem = read_problem(folder / "small.toml")
    data = pickle.dumps(Evaluator(problem))
    for path in folder.iterdir():
        path.unlink()
    return problem, data, [{"lift_swing_hip_rad": 0.3 + 0.05 * k, "strike_cd_radpm": 2.0} for k in range(4)]


def test_processes_find_the_same_bits_as_threads(candidates, processes):
    problem, _, values = candidates
    with open_batch(workers=2) as threads:
        here = threads.run(Evaluator(problem), values)
    there = processes.run(Evaluator(problem), values)
    # The text of a float tells every bit of it.
    assert repr(here) == repr(there)
    assert len({e.cost for e in here}) == len(values)


def test_a_problem_travels_without_its_files_and_with_compiled_functions_by_name(candidates):
    problem, data, values = candidates
    evaluator = pickle.loads(data)
    assert evaluator.problem.controller.law is problem.controller.law
    assert pickle.loads(data) is evaluator
    assert evaluator(values[0]).cost == Evaluator(problem)(values[0]).cost
    assert len(data) < 20_000


def find_one_of_each_method():
    files = [read_controller_file(name) for name in controller_names()]
    return list({file.method: file.name for file in files}.values())


@pytest.mark.parametrize("name", find_one_of_each_method())
def test_controllers_of_every_method_walk_the_same_after_they_were_packed(name):
    body = load_any_character(read_controller_file(name).character)
    controller = load_controller(name, body)
    packed = unpack(pack(controller))
    assert packed.law is controller.law
    worlds = [Scene(c, body).open() for c in (controller, packed)]
    for world in worlds:
        world.step(300)
    assert worlds[0].data.qpos.tobytes() == worlds[1].data.qpos.tobytes()
    assert worlds[0].time_s == pytest.approx(0.15)
