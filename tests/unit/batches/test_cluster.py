"""Batches on a Dask cluster: a real scheduler, and workers in processes of their own that get killed."""

import json
import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import batch_items
from poise.batches.batch import BatchError, open_batch
from poise.batches.keys import keep_keys
from poise.batches.threads import TrialsInterrupted
from poise.errors import InputError
from poise.search import optimize, read_problem
from poise.search.batch_carry import Evaluator

pytest.importorskip("distributed")
pytest.importorskip("cryptography")

PROBLEM = """\
controller = "simbicon/planar-walk"
seconds = 1.5
settle_s = 0.5
timestep_s = 0.002
[vary]
lift_swing_hip = { plus_minus = 0.3 }
[[objective]]
measure = "speed_mps"
near = 0.8
[[trials]]
noise_radps = 0.2
"""


class Cluster:
    """A scheduler and its workers, as `dask scheduler` and `dask worker` start them, with keys or without."""

    def __init__(self, folder, keys, **environment):
        self.folder, self.keys = folder, None if keys is None else keys.folder
        tls = ("--tls-ca-file", keys.ca, "--tls-cert", keys.cert, "--tls-key", keys.key) if keys else ()
        self._common = (*tls, "--protocol", "tls" if keys else "tcp", "--no-dashboard")
        self._file = folder / "scheduler.json"
        options = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", self._file)
        self.scheduler = self._start("scheduler", *options, **environment)
        self.workers = []
        while not self._file.exists() or not self._file.read_text().endswith("}"):
            assert self.scheduler.poll() is None
            time.sleep(0.02)
        self.address = json.loads(self._file.read_text())["address"]

    def add_worker(self, **environment):
        options = ("--no-nanny", "--nthreads", "1", "--local-directory", self.folder)
        self.workers.append(self._start("worker", self.address, *options, **environment))
        return self.workers[-1]

    def replace(self, worker, **environment):
        """Another worker instead of one that is, or will be, dead."""
        worker.kill()
        worker.wait()
        self.workers.remove(worker)
        return self.add_worker(**environment)

    def _start(self, kind, *options, **environment):
        # Workers find what the tests have them do, and nothing else that only tests have.
        path = os.pathsep.join([str(Path(batch_items.__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        return subprocess.Popen(
            [sys.executable, "-m", "dask", kind, *map(str, options), *self._common],
            env={**os.environ, "PYTHONPATH": path, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    with keep_keys(tmp_path_factory.mktemp("keys") / "keys") as keys:
        yield keys


@pytest.fixture(scope="module")
def make_cluster(tmp_path_factory):
    clusters = []

    def make(workers, keys=None, **environment):
        clusters.append(Cluster(tmp_path_factory.mktemp("cluster"), keys, **environment))
        for _ in range(workers):
            clusters[-1].add_worker()
        return clusters[-1]

    yield make
    for cluster in clusters:
        cluster.end()


@pytest.fixture(scope="module")
def cluster(make_cluster, keys):
    """Two workers for the tests that leave them alive."""
    return make_cluster(2, keys)


@pytest.fixture(scope="module")
def batch(cluster):
    assert cluster.address.startswith("tls://")
    with open_batch(cluster=cluster.address, cluster_keys=cluster.keys) as batch:
        yield batch


def read_log(folder, k):
    """(what, process) of the lines that item k left."""
    path = folder / str(k)
    return [tuple(line.split()) for line in path.read_text().splitlines()] if path.exists() else []


def test_results_come_in_the_order_of_the_items(batch):
    parts = []
    assert batch.run(batch_items.nap_and_square, range(8), parts.append) == [k * k for k in range(8)]
    assert batch.run(batch_items.square, []) == []
    assert parts == [(k + 1) / 8 for k in range(8)]


def test_the_same_items_are_run_again_in_the_next_batch(batch, tmp_path):
    for runs in (1, 2):
        assert batch.run(batch_items.log_and_square, [(str(tmp_path), 3)]) == [9]
        assert [what for what, _ in read_log(tmp_path, 3)] == ["begin", "end"] * runs


def test_an_error_of_an_item_is_raised_as_it_is(batch):
    with pytest.raises(ValueError, match=r"^no three here$"):
        batch.run(batch_items.fail_at_three, range(6))
    assert batch.run(batch_items.square, range(3)) == [0, 1, 4]


def test_what_cannot_be_sent_is_refused(batch):
    with pytest.raises(InputError, match=r"function or item cannot be sent to another process: "):
        batch.run(batch_items.square, [threading.Lock()])


def test_a_cluster_finds_the_same_bits_as_threads(batch, tmp_path):
    (tmp_path / "small.toml").write_text(PROBLEM)
    problem = read_problem(tmp_path / "small.toml")
    (tmp_path / "small.toml").unlink()
    values = [{"lift_swing_hip_rad": 0.3 + 0.05 * k} for k in range(4)]
    with open_batch(workers=2) as threads:
        here = threads.run(Evaluator(problem), values)
    # The text of a float tells every bit of it.
    assert repr(batch.run(Evaluator(problem), values)) == repr(here)
    assert len({e.cost for e in here}) == len(values)


def test_ctrl_c_returns_at_once_and_what_waits_never_begins(batch, tmp_path):
    def interrupt():
        while not read_log(tmp_path, 0):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(TrialsInterrupted):
        batch.run(batch_items.log_and_square, [(str(tmp_path), k) for k in range(40)])
    # The workers take what comes next, and have not gone through all forty before.
    assert batch.run(batch_items.square, [7]) == [49]
    assert 1 <= len(list(tmp_path.iterdir())) < 10


def test_a_worker_killed_in_the_middle_changes_nothing(cluster, batch, tmp_path):
    victim, survivor = cluster.workers
    items = [(str(tmp_path), k) for k in range(10)]
    killed = []

    def kill_when_it_holds_something():
        while not killed:
            killed.extend(k for k in range(10) if read_log(tmp_path, k) == [("begin", str(victim.pid))])
            time.sleep(0.005)
        victim.kill()

    threading.Thread(target=kill_when_it_holds_something, daemon=True).start()
    assert batch.run(batch_items.log_and_square, items) == [k * k for k in range(10)]
    assert victim.wait() == -signal.SIGKILL
    (held,) = killed
    begun, again = ("begin", str(victim.pid)), [("begin", str(survivor.pid)), ("end", str(survivor.pid))]
    assert read_log(tmp_path, held) == [begun, *again]
    assert sum(read_log(tmp_path, k) == again for k in range(10)) >= 5
    cluster.replace(victim)


def test_a_search_whose_worker_is_killed_leaves_the_same_files_as_one_in_threads(cluster, tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(PROBLEM + "[search]\npopulation = 6\ngenerations = 4\n[check]\nseconds = 1.0\ntimestep_s = 0.002\n")
    here = optimize(path, out=tmp_path / "here", workers=2)
    victim = cluster.workers[0]

    def kill_in_the_next_generation(row, _total):
        if row.generation == 2:
            threading.Timer(0.05, victim.kill).start()

    workers = {"cluster": cluster.address, "cluster_keys": cluster.keys}
    there = optimize(path, out=tmp_path / "there", **workers, progress=kill_in_the_next_generation)
    assert victim.wait() == -signal.SIGKILL
    names = sorted(p.name for p in here.folder.iterdir())
    assert sorted(p.name for p in there.folder.iterdir()) == names
    for name in names:
        assert (there.folder / name).read_bytes() == (here.folder / name).read_bytes(), name
    cluster.replace(victim)


def test_when_all_workers_are_gone_it_waits_and_then_says_so(cluster, tmp_path):
    heard = []

    def kill_all():
        while not read_log(tmp_path, 0):
            time.sleep(0.005)
        for worker in cluster.workers:
            worker.kill()

    threading.Thread(target=kill_all, daemon=True).start()
    with (
        open_batch(cluster=cluster.address, cluster_keys=cluster.keys, say=heard.append, patience_s=0.5) as batch,
        pytest.raises(BatchError) as caught,
    ):
        batch.run(batch_items.log_and_square, [(str(tmp_path), k) for k in range(20)])
    assert str(caught.value) == (
        f"cluster {cluster.address}: no worker for 0.5 s. Start some with: poise cluster join {cluster.address}."
    )
    assert heard == [f"no worker at {cluster.address}; waiting for one …"]
    for worker in list(cluster.workers):
        cluster.replace(worker)


@pytest.mark.slow
def test_an_item_that_always_kills_its_worker_is_named(make_cluster):
    cluster = make_cluster(2, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1")
    with open_batch(cluster=cluster.address) as batch, pytest.raises(BatchError) as caught:
        batch.run(batch_items.die_always, [2])
    assert str(caught.value) == (
        f"cluster {cluster.address}: item 1 of 1, 2: 2 workers died running it. Run it with threads to see why."
    )


def test_a_scheduler_that_goes_away_is_said_so(make_cluster, tmp_path):
    cluster = make_cluster(1)

    def kill():
        while not read_log(tmp_path, 0):
            time.sleep(0.005)
        cluster.scheduler.kill()

    threading.Thread(target=kill, daemon=True).start()
    heard = []
    with open_batch(cluster=cluster.address, say=heard.append) as batch, pytest.raises(BatchError) as caught:
        batch.run(batch_items.log_and_square, [(str(tmp_path), k) for k in range(8)])
    assert heard[0] == (
        f"cluster {cluster.address}: this connection is not protected by keys. Anyone who can reach the scheduler "
        "can run programs on its workers and on this machine. `poise cluster start` starts a protected cluster."
    )
    assert str(caught.value) == (
        f"cluster {cluster.address}: the connection to the scheduler was lost. Start one with: poise cluster start."
    )


@pytest.mark.slow
def test_workers_with_another_poise_or_none_are_refused_also_when_they_come_later(make_cluster, tmp_path):
    import poise

    other = tmp_path / "poise" / "__init__.py"
    other.parent.mkdir()
    other.write_text(f"__version__ = '0.0.7'\n__path__ = [{str(Path(poise.__file__).parent)!r}]\n")
    cluster = make_cluster(1)
    refused = (
        rf"the worker tcp://\S+ has poise 0.0.7, this machine {poise.__version__}. All machines must have the same"
    )
    with open_batch(cluster=cluster.address) as batch:
        cluster.replace(cluster.workers[0], PYTHONPATH=str(tmp_path))
        with pytest.raises(BatchError, match=refused):
            batch.run(math.sqrt, [4.0])
    with pytest.raises(BatchError, match=refused):
        open_batch(cluster=cluster.address)
    other.write_text("")
    cluster.replace(cluster.workers[0], PYTHONPATH=str(tmp_path))
    with pytest.raises(BatchError, match=r"the worker tcp://\S+ cannot import this poise, .*'poise.batches'"):
        open_batch(cluster=cluster.address)


def test_an_unreachable_scheduler_is_refused_at_once():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    began = time.monotonic()
    with pytest.raises(BatchError) as caught:
        open_batch(cluster=f"tcp://127.0.0.1:{port}")
    # Dask itself would try for half a minute.
    assert time.monotonic() - began < 20.0
    assert str(caught.value) == (
        f"cluster tcp://127.0.0.1:{port}: no scheduler answers there, Connection refused. "
        "Start one with: poise cluster start."
    )


@pytest.mark.parametrize(
    "address", ["", "localhost", "127.0.0.1:8786", "tcp://:8786", "tcp://here", "tcp://a:b", "http://a:1"]
)
def test_a_malformed_address_is_refused(address):
    with pytest.raises(InputError) as caught:
        open_batch(cluster=address)
    assert str(caught.value) == (
        f"cluster: not the address of a scheduler, got {address!r}. Write tls://HOST:PORT, such as tls://127.0.0.1:8786."
    )


def test_without_dask_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BatchError) as caught:
        open_batch(cluster="tcp://127.0.0.1:8786")
    assert str(caught.value) == (
        "cluster tcp://127.0.0.1:8786: this needs the package distributed. "
        'Install it with: pip install "poise[cluster]".'
    )
