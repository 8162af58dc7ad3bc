"""`poise cluster start`: a real cluster in processes of its own, used, hurt and ended."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import batch_items
from poise.batches.batch import open_batch

pytest.importorskip("distributed")
pytest.importorskip("cryptography")


@pytest.fixture(autouse=True)
def clusters(tmp_path, monkeypatch):
    """Where the keys of clusters go."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "poise" / "clusters"


@pytest.fixture
def start():
    """Starts the command as a terminal would: in a process group of its own, which gets Ctrl-C as a whole."""
    started = []

    def _start(*options, command="start"):
        path = os.pathsep.join([str(Path(batch_items.__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        process = subprocess.Popen(
            [sys.executable, "-m", "poise", "cluster", command, *options],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield _start
    for process in started:
        # Those whose group is empty were ended by the test itself.
        for pid in find_group(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        process.stderr.close()


def find_group(group):
    """The living processes of a group."""
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, its_group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state != "Z":
            pids.append(int(folder.name))
    return pids


def wait_until(condition, seconds=30.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def read_address(process, options=""):
    line = process.stdout.readline()
    found = re.fullmatch(r"cluster at (tls://127\.0\.0\.1:\d+), workers: \d\. Ctrl-C ends it\.\n", line)
    assert found, line + process.stderr.read()
    assert process.stdout.readline().startswith("keys in /")
    assert process.stdout.readline() == f"use it with: poise optimize PROBLEM --cluster {found[1]}{options}\n"
    return found[1]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_a_cluster_works_mends_itself_and_leaves_nothing_behind_after_ctrl_c(start, clusters):
    process = start("--workers", "2", "--port", "0")
    heard = []
    with open_batch(cluster=read_address(process), say=heard.append) as batch:
        pids = set(batch.run(batch_items.tell_pid, range(8)))
        assert len(pids) == 2
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        others = set(batch.run(batch_items.tell_pid, range(8)))
        assert others and not others & pids
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (out, err, process.returncode) == ("the cluster has ended.\n", "", 0)
    wait_until(lambda: not find_group(process.pid))
    assert list(clusters.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_workers_join_with_a_copy_of_the_keys_and_end_with_the_cluster(start, tmp_path):
    process = start("--workers", "1", "--port", "0", "--keys", str(tmp_path / "kept"))
    address = read_address(process, f" --cluster-keys {tmp_path / 'kept'}")
    # The folder that scp -rp would leave on another machine.
    shutil.copytree(tmp_path / "kept", tmp_path / "copy")
    refused = start(address, command="join")
    assert refused.communicate(timeout=60) == (
        "",
        f"error: cluster {address}: no keys for it in {tmp_path}/poise/clusters. Copy the folder of keys that "
        "`poise cluster start` printed, and pass it with --cluster-keys or POISE_CLUSTER_KEYS.\n",
    )
    joined, interrupted = (
        start(address, "--workers", "1", "--keys", str(tmp_path / "copy"), command="join") for _ in range(2)
    )
    for crew in (joined, interrupted):
        line = crew.stdout.readline()
        assert line == f"joined {address}, workers: 1. Ctrl-C ends them.\n", line + crew.stderr.read()
    os.killpg(interrupted.pid, signal.SIGINT)
    out, err = interrupted.communicate(timeout=30)
    assert (out, err, interrupted.returncode) == ("the workers have ended.\n", "", 0)
    with open_batch(cluster=address, cluster_keys=tmp_path / "copy") as batch:
        assert len(set(batch.run(batch_items.tell_pid, range(8)))) == 2
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=30) == 0
    out, err = joined.communicate(timeout=30)
    assert (out, err, joined.returncode) == ("the cluster has ended.\n", "", 0)
    # A process that only waits for its parent may outlive it by a moment.
    wait_until(lambda: not any(find_group(p.pid) for p in (process, joined, interrupted)), seconds=10.0)
    assert sorted(p.name for p in (tmp_path / "kept").iterdir()) == ["ca.pem", "cert.pem", "cluster.json", "key.pem"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_workers_end_when_the_command_is_killed(start):
    process = start("--workers", "2", "--port", "0")
    read_address(process)
    process.kill()
    process.wait()
    wait_until(lambda: not find_group(process.pid))
    assert find_group(process.pid) == []


def test_a_port_that_is_taken_is_refused(poise):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        result = poise("cluster", "start", "--port", str(port))
    assert result.exit_code == 2
    assert result.stderr == (
        f"error: cluster 127.0.0.1:{port}: the port is taken. Choose another, or 0 for any free port.\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--workers", "0"), "--workers: the number is out of range, got 0. Allowed: 1 to 1024."),
        (("--port", "99999"), "--port: the number is out of range, got 99999. Allowed: 0 to 65535."),
        (("--host", "192.0.2.1"), "cluster 192.0.2.1:8786: it cannot be opened, Cannot assign requested address."),
    ],
)
def test_what_makes_no_sense_is_refused(poise, options, message):
    result = poise("cluster", "start", *options)
    assert (result.exit_code, result.stderr) == (2, f"error: {message}\n")
