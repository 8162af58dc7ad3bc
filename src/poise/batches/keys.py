"""Keys of a cluster: certificates made for it alone. Only their holders can connect to it or impersonate it.

A folder of keys holds `ca.pem`, `cert.pem` and `key.pem`, which scheduler, workers and clients all use, and
`cluster.json` with the cluster's address. Both ends of every connection prove that they hold the key.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from poise.batches.batch import BatchError
from poise.private import find_intruder, find_onlooker, make_private_folder, write_private_file

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

#: Environment variable for the folder of a cluster's keys, if no option gives it.
VARIABLE: Final = "POISE_CLUSTER_KEYS"
#: A cluster that runs longer must be restarted.
VALID_DAYS: Final = 365
#: Largest difference between the clocks of two machines.
SKEW: Final = timedelta(days=1)

_CA, _CERT, _KEY, _NOTE = "ca.pem", "cert.pem", "key.pem", "cluster.json"


@dataclass(frozen=True)
class Keys:
    """The files of a cluster's keys, which existed and were private when they were loaded."""

    folder: Path

    @property
    def ca(self) -> str:
        """The certificate that signed the other one."""
        return str(self.folder / _CA)

    @property
    def cert(self) -> str:
        """The certificate that every member of the cluster presents."""
        return str(self.folder / _CERT)

    @property
    def key(self) -> str:
        """The private key of that certificate."""
        return str(self.folder / _KEY)

    def make_security(self) -> Any:
        """Dask's settings to use these keys and refuse all connections without them."""
        from distributed import Security

        roles = ("client", "scheduler", "worker")
        certificates = {f"tls_{role}_cert": self.cert for role in roles}
        keys = {f"tls_{role}_key": self.key for role in roles}
        return Security(require_encryption=True, tls_ca_file=self.ca, **certificates, **keys)


def find_clusters_folder() -> Path:
    """The folder with the keys of this user's clusters."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(os.path.abspath(state)) / "poise" / "clusters"


@contextmanager
def keep_keys(folder: str | os.PathLike[str] | None = None) -> Iterator[Keys]:
    """Keys for a new cluster, removed at the end; keys in a folder given by the user are kept and reused."""
    if folder is not None:
        chosen = Path(os.path.abspath(folder))
        if not (chosen / _KEY).exists():
            with _explain_write(chosen):
                make_private_folder(chosen)
                _check_folder(chosen)
                _write_keys(chosen)
        yield load_keys(chosen)
        return
    root = find_clusters_folder()
    with _explain_write(root):
        make_private_folder(root)
        _remove_abandoned(root)
        made = Path(tempfile.mkdtemp(prefix="cluster-", dir=root))
    try:
        with _explain_write(made):
            _check_folder(made)
            _write_keys(made)
        yield load_keys(made)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def note_address(keys: Keys, address: str) -> None:
    """Stores the address of the cluster of these keys, by which clients of the same user find them."""
    note = {"address": address, "machine": platform.node(), "process": os.getpid()}
    with _explain_write(keys.folder):
        (keys.folder / _NOTE).unlink(missing_ok=True)
        write_private_file(keys.folder / _NOTE, json.dumps(note).encode())


def find_keys(address: str, folder: str | os.PathLike[str] | None = None) -> Keys | None:
    """The keys in a folder, in the one named by POISE_CLUSTER_KEYS, or of this user's cluster at an address."""
    folder = folder or os.environ.get(VARIABLE) or _find_folder(address)
    return None if folder is None else load_keys(Path(os.path.abspath(folder)))


def load_keys(folder: Path) -> Keys:
    """The keys in a folder; raises unless they are complete, currently valid, and private to this user."""
    keys, where = Keys(folder), f"keys {folder}"
    try:
        _check_folder(folder)
        for path in (keys.ca, keys.cert, keys.key):
            if reason := find_onlooker(Path(path)):
                raise _explain_privacy(where, reason)
        authority, certificate, private = _parse_keys(keys)
    except FileNotFoundError as error:
        raise BatchError(
            f"{where}: {error.filename} is missing. `poise cluster start` prints the folder of its keys."
        ) from error
    except OSError as error:
        raise BatchError(f"{where}: {error.filename} cannot be read, {error.strerror}.") from error
    except ValueError as error:
        raise BatchError(f"{where}: ca.pem, cert.pem or key.pem is damaged. Copy the folder again.") from error
    now = datetime.now(UTC)
    if certificate.public_key() != private.public_key() or not _has_signed(authority, certificate):
        raise BatchError(f"{where}: ca.pem, cert.pem and key.pem do not match. Copy the folder again.")
    if now > certificate.not_valid_after_utc:
        raise BatchError(
            f"{where}: expired on {certificate.not_valid_after_utc:%Y-%m-%d}. "
            "Delete the folder and start the cluster again."
        )
    if now < certificate.not_valid_before_utc:
        raise BatchError(
            f"{where}: valid only from {certificate.not_valid_before_utc:%Y-%m-%d}. Check the clock of this machine."
        )
    return keys


def _write_keys(folder: Path) -> None:
    """Creates and signs a certificate; discards the signing key, so no other certificate can be signed."""
    with needs_package("cluster"):
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    now = datetime.now(UTC)
    signer, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())

    def sign(name: str, owner: EllipticCurvePrivateKey, authority: bool) -> x509.Certificate:
        return (
            x509.CertificateBuilder()
            .subject_name(_name(name))
            .issuer_name(_name("poise cluster authority"))
            .public_key(owner.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - SKEW)
            .not_valid_after(now + timedelta(days=VALID_DAYS))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=0 if authority else None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(owner.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
            .sign(signer, hashes.SHA256())
        )

    write_private_file(folder / _CA, sign("poise cluster authority", signer, True).public_bytes(Encoding.PEM))
    write_private_file(folder / _CERT, sign("poise cluster", key, False).public_bytes(Encoding.PEM))
    write_private_file(folder / _KEY, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _name(text: str) -> x509.Name:
    from cryptography import x509

    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def _parse_keys(keys: Keys) -> tuple[x509.Certificate, x509.Certificate, Any]:
    with needs_package(f"keys {keys.folder}"):
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

    authority, certificate = (x509.load_pem_x509_certificate(Path(path).read_bytes()) for path in (keys.ca, keys.cert))
    return authority, certificate, load_pem_private_key(Path(keys.key).read_bytes(), None)


def _has_signed(authority: x509.Certificate, certificate: x509.Certificate) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        certificate.verify_directly_issued_by(authority)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def _check_folder(folder: Path) -> None:
    if reason := find_onlooker(folder) or find_intruder(folder):
        raise _explain_privacy(f"keys {folder}", reason)


def _explain_privacy(where: str, reason: str) -> BatchError:
    return BatchError(f"{where}: {reason}. Keys must be private: chmod 700 for the folder, 600 for the files in it.")


@contextmanager
def _explain_write(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BatchError(
            f"keys {folder}: cannot be written, {error.strerror or error}. Choose another folder with --keys."
        ) from error


@contextmanager
def needs_package(where: str) -> Iterator[None]:
    """Raises an error that says what to install if an import in the block fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise BatchError(
            f'{where}: this needs the package {error.name}. Install it with: pip install "poise[cluster]".'
        ) from error


def _read_notes(root: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Folders of keys and the content of their notes; a folder may disappear at any time."""
    with suppress(OSError):
        for folder in sorted(root.iterdir(), key=lambda f: f.stat().st_mtime, reverse=True):
            with suppress(OSError, ValueError):
                note = json.loads((folder / _NOTE).read_text())
                if isinstance(note, dict):
                    yield folder, note


def _find_folder(address: str) -> Path | None:
    """The keys of this user's cluster at an address; prefers clusters on this machine, then the newest."""
    parts = urlsplit(address)
    names = {parts.hostname}
    with suppress(OSError):
        names |= {str(entry[4][0]) for entry in socket.getaddrinfo(parts.hostname, None)}
    found: list[tuple[bool, int, Path]] = []
    for folder, note in _read_notes(find_clusters_folder()):
        with suppress(ValueError):
            known = urlsplit(str(note.get("address")))
            if known.port == parts.port and known.hostname in names:
                found.append((note.get("machine") != platform.node(), len(found), folder))
    return min(found)[2] if found else None


def _remove_abandoned(root: Path) -> None:
    """Removes the keys of clusters on this machine that were killed before they could do it themselves."""
    for folder, note in _read_notes(root):
        process = note.get("process")
        if note.get("machine") != platform.node() or not isinstance(process, int) or process <= 0:
            continue
        if os.name == "posix":
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                shutil.rmtree(folder, ignore_errors=True)
            except OSError:
                continue
