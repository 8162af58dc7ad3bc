"""Only who holds the keys of a cluster can use it: attackers with none, with others, and as another user."""

import json
import os
import shutil
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import batch_items
from poise.batches import keys as batch_keys
from poise.batches.batch import BatchError, open_batch
from poise.batches.host import host_cluster
from poise.batches.keys import Keys, find_clusters_folder, find_keys, keep_keys, load_keys, note_address

distributed = pytest.importorskip("distributed")
pytest.importorskip("cryptography")

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no owners and modes")


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    """Where this user's keys go."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.delenv(batch_keys.VARIABLE, raising=False)
        yield


@pytest.fixture(scope="module")
def hosted(state):
    with host_cluster(1, port=0) as hosted:
        yield hosted


@pytest.fixture
def keys(tmp_path):
    with keep_keys(tmp_path / "keys") as keys:
        return keys


def submit_as(address, **security):
    """What an attacker gets who has a Dask of their own."""
    with distributed.Client(address, timeout=2, set_as_default=False, **security) as client:
        return client.submit(os.getpid).result(timeout=5)


def test_a_client_of_the_same_user_finds_the_keys_by_the_address(hosted):
    with open_batch(cluster=hosted.address) as batch:
        assert batch.run(batch_items.square, range(5)) == [k * k for k in range(5)]
    assert find_keys(hosted.address.replace("127.0.0.1", "localhost")) == hosted.keys
    assert find_keys("tls://127.0.0.1:1") is None


def test_a_client_without_keys_cannot_submit(hosted):
    with pytest.raises(OSError):
        submit_as(hosted.address.replace("tls", "tcp"))
    with pytest.raises(BatchError, match=r"A cluster with keys has an address that begins with tls://"):
        open_batch(cluster=hosted.address.replace("tls", "tcp"), say=str)


def test_a_client_with_the_keys_of_another_cluster_cannot_submit(hosted, keys):
    with pytest.raises(OSError):
        submit_as(hosted.address, security=keys.make_security())
    # Nor if it trusts any server: the cluster does not trust it.
    mixed = keys.folder.parent / "mixed"
    shutil.copytree(keys.folder, mixed)
    shutil.copy(hosted.keys.ca, mixed / "ca.pem")
    with pytest.raises(OSError):
        submit_as(hosted.address, security=Keys(mixed).make_security())
    with pytest.raises(BatchError) as caught:
        open_batch(cluster=hosted.address, cluster_keys=keys.folder)
    assert str(caught.value) == (
        f"cluster {hosted.address}: the keys in {keys.folder} are not those of this cluster. "
        "Copy them again: every start creates new ones, except with --keys."
    )


ATTACK = """
import os, sys
import distributed
other_keys = distributed.Security.temporary()
os.setgroups([]); os.setgid(65534); os.setuid(65534)
address, folder = sys.argv[1:]
for name in ("ca.pem", "cert.pem", "key.pem", "cluster.json"):
    try:
        open(os.path.join(folder, name)).close()
        print("read", name)
    except PermissionError:
        pass
for where in (address, address.replace("tls", "tcp")):
    try:
        security = other_keys if where.startswith("tls") else None
        with distributed.Client(where, timeout=2, security=security) as client:
            print("ran", client.submit(os.getpid).result(timeout=5))
    except OSError:
        pass
print("done")
"""


def others_can_enter(folder: Path) -> bool:
    """Whether another user can read what is installed there."""
    return all(place.stat().st_mode & stat.S_IXOTH for place in (folder, *folder.parents))


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become another user")
@pytest.mark.skipif(not others_can_enter(Path(sys.prefix)), reason="another user cannot import anything here")
def test_another_user_can_neither_read_the_keys_nor_submit(hosted):
    command = [sys.executable, "-c", ATTACK, hosted.address, str(hosted.keys.folder)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd="/", timeout=60)
    assert ran.stdout == "done\n", ran.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the open ports from /proc")
def test_every_other_port_of_the_cluster_is_encrypted_or_empty(hosted):
    psutil = pytest.importorskip("psutil")
    here = psutil.Process()
    opened = {c.laddr for p in (here, *here.children(recursive=True)) for c in p.net_connections("tcp") if not c.raddr}
    assert len(opened) >= 5 and {address.ip for address in opened} == {"127.0.0.1"}
    answers = set()
    for ip, port in opened:
        for page in ("", "health", "info/main/workers.html", "json/identity.json", "metrics", "api/v1/retire_workers"):
            try:
                answers.add(urllib.request.urlopen(f"http://{ip}:{port}/{page}", timeout=5).status)
            except urllib.error.HTTPError as error:
                answers.add(error.code)
            except OSError:
                answers.add("closed")
    assert answers == {404, "closed"}


@posix
def test_keys_are_private_and_removed_with_their_cluster(state):
    with keep_keys() as keys:
        modes = {p.name: p.stat().st_mode & 0o777 for p in (keys.folder, *keys.folder.iterdir())}
    assert modes == {keys.folder.name: 0o700, "ca.pem": 0o600, "cert.pem": 0o600, "key.pem": 0o600}
    assert not keys.folder.exists()


@posix
def test_keys_of_a_cluster_that_was_killed_are_removed_by_the_next(state, hosted):
    with keep_keys() as killed:
        shutil.copytree(killed.folder, killed.folder.with_name("killed"))
    folder = find_clusters_folder() / "killed"
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    note_address(Keys(folder), "tls://127.0.0.1:9")
    note = json.loads((folder / "cluster.json").read_text())
    (folder / "cluster.json").write_text(json.dumps({**note, "process": process.pid}))
    with keep_keys():
        assert not folder.exists()
        assert hosted.keys.folder.exists()


def test_a_folder_of_ones_own_is_kept_used_again_and_named_by_the_environment(keys, monkeypatch):
    before = (keys.folder / "key.pem").read_bytes()
    with keep_keys(keys.folder) as again:
        assert again == keys
    assert (keys.folder / "key.pem").read_bytes() == before
    monkeypatch.setenv(batch_keys.VARIABLE, str(keys.folder))
    assert find_keys("tls://192.0.2.1:8786") == keys


@posix
@pytest.mark.parametrize(
    ("name", "mode", "reason"),
    [
        ("", 0o755, "{} is open to other users (mode 755)"),
        ("key.pem", 0o644, "{}/key.pem is open to other users (mode 644)"),
        ("ca.pem", 0o660, "{}/ca.pem is open to other users (mode 660)"),
    ],
)
def test_keys_that_are_open_to_others_are_refused(keys, name, mode, reason):
    (keys.folder / name).chmod(mode)
    with pytest.raises(BatchError) as caught:
        load_keys(keys.folder)
    assert str(caught.value) == (
        f"keys {keys.folder}: {reason.format(keys.folder)}. "
        "Keys must be private: chmod 700 for the folder, 600 for the files in it."
    )


def test_keys_that_are_missing_damaged_mixed_up_or_expired_are_refused(keys, tmp_path, monkeypatch):
    def refuse(folder):
        with pytest.raises(BatchError) as caught:
            load_keys(folder)
        return str(caught.value).removeprefix(f"keys {folder}: ")

    nowhere = tmp_path / "nowhere"
    assert refuse(nowhere) == f"{nowhere} is missing. `poise cluster start` prints the folder of its keys."
    with keep_keys(tmp_path / "other") as other:
        shutil.copy(other.key, keys.key)
    text = "ca.pem, cert.pem and key.pem do not match. Copy the folder again."
    assert refuse(keys.folder) == text
    shutil.copy(other.cert, keys.cert)
    assert refuse(keys.folder) == text
    (keys.folder / "cert.pem").write_text("-----BEGIN CERTIFICATE-----\n")
    assert refuse(keys.folder) == "ca.pem, cert.pem or key.pem is damaged. Copy the folder again."
    (keys.folder / "cert.pem").unlink()
    assert refuse(keys.folder) == (
        f"{keys.folder}/cert.pem is missing. `poise cluster start` prints the folder of its keys."
    )
    monkeypatch.setattr(batch_keys, "VALID_DAYS", -0.5)
    expired = f"{datetime.now(UTC) - timedelta(days=0.5):%Y-%m-%d}"
    expected = rf"expired on {expired}. Delete the folder and start the cluster again.$"
    with pytest.raises(BatchError, match=expected), keep_keys(tmp_path / "old"):
        pass


def test_keys_without_encryption_or_a_cluster_are_refused(keys):
    with pytest.raises(BatchError) as caught:
        open_batch(cluster="tcp://127.0.0.1:8786", cluster_keys=keys.folder, say=str)
    assert str(caught.value) == (
        "cluster tcp://127.0.0.1:8786: keys are for encrypted connections. Write tls://127.0.0.1:8786."
    )
    with pytest.raises(ValueError, match="keys without a cluster"):
        open_batch(cluster_keys=keys.folder)
