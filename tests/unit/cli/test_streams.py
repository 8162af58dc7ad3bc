"""Streams that are closed, full or cut off, odd locales, a folder that is gone: every command ends cleanly."""

import errno
import io
import json
import os
import pty
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from poise import __version__
from poise.cli.streams import _Sink

FULL = "error: stdout: could not be written, no space left on device.\n"
CLOSED = "error: stdout: could not be written, it is closed. Give the name of a file.\n"
UNKNOWN = "error: poise list: no kind named 'gaits'. Known here: characters, controllers, clips, terrains, problems.\n"
GONE = "error: the working directory no longer exists. Change to another one.\n"
VERSION = f"poise {__version__}\n"

POISE = (sys.executable, "-m", "poise")

#: A command that prints and writes as all do, but imports little. ASCII only: the locale is not yet known.
PROBE = r"""
from poise.cli.app import app, main
from poise.cli.screen import keep_stdout_for_json, make_console, make_table, note, write_json

NAME = "M\xfcller \u2192 \U0001f600"

def probe(json: str = "") -> None:
    with keep_stdout_for_json(json):
        note("at work \u2026")
        if json != "-":
            rows = [(f"{k}\xb0", NAME) for k in range(ROWS)]
            make_console().print(make_table(("angle", "name"), rows))
    if json:
        write_json(json, {"name": NAME})

app.command("probe")(probe)
main()
"""
NOTE = "at work …\n"


def probe(line: str, folder: Path, *args: str, rows: int = 3, **env: str | None) -> subprocess.CompletedProcess[str]:
    """Runs a shell line in which "$@" is the command `probe`."""
    code = PROBE.replace("ROWS", str(rows))
    return shell(line, folder, "probe", *args, command=(sys.executable, "-c", code), **env)


def shell(
    line: str, folder: Path, *args: str, command: Sequence[str] = POISE, **env: str | None
) -> subprocess.CompletedProcess[str]:
    """Runs a shell line in which "$@" is the command line of Poise; None takes a variable out of the environment."""
    given: Mapping[str, str | None] = {**os.environ, "POISE_DEBUG": None, "COLUMNS": None, "NO_COLOR": "1", **env}
    return subprocess.run(
        ["sh", "-c", line, "sh", *command, *args],
        cwd=folder,
        env={name: value for name, value in given.items() if value is not None},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=60,
    )


@pytest.mark.parametrize(
    ("line", "args", "outcome"),
    [
        ('"$@" >&-', "--version", (0, "", "")),
        ('"$@" 2>&-', "--version", (0, VERSION, "")),
        ('"$@" <&-', "--version", (0, VERSION, "")),
        ('"$@" >&- 2>&- <&-', "--version", (0, "", "")),
        ('"$@" >/dev/full', "--version", (2, "", FULL)),
        ('"$@" 2>/dev/full', "--version", (0, VERSION, "")),
        ('"$@" >/dev/full 2>/dev/full', "--version", (2, "", "")),
        ('"$@" >/dev/full 2>&-', "--version", (2, "", "")),
        ('"$@" >&- 2>/dev/full', "--version", (0, "", "")),
        ('"$@" >&-', "list gaits", (2, "", UNKNOWN)),
        ('"$@" 2>&-', "list gaits", (2, "", "")),
        ('"$@" >&- 2>&-', "list gaits", (2, "", "")),
        ('"$@" 2>/dev/full', "list gaits", (2, "", "")),
        ('"$@" >/dev/full', "list gaits", (2, "", UNKNOWN)),
        ('"$@" >/dev/full', "--help", (2, "", FULL)),
        ('"$@" >&-', "claims --json -", (2, "", CLOSED)),
        ('"$@" >&-', "show terrain slope:3", (0, "", "")),
    ],
)
def test_a_broken_stream_ends_nothing(tmp_path: Path, line: str, args: str, outcome: tuple[int, str, str]) -> None:
    done = shell(line, tmp_path, *args.split())
    assert (done.returncode, done.stdout, done.stderr) == outcome


@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [
        (">&-", 0, NOTE),
        (">/dev/full", 2, NOTE + FULL),
        (">&- 2>&- <&-", 0, ""),
        ("2>/dev/full", 0, ""),
        (">/dev/full 2>&-", 2, ""),
    ],
)
def test_a_file_is_written_whatever_happens_to_the_streams(
    tmp_path: Path, redirection: str, code: int, said: str
) -> None:
    done = probe(f'"$@" {redirection}', tmp_path, "--json", "a.json")
    assert (done.returncode, done.stderr) == (code, said)
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == {"name": "Müller → 😀"}


def test_json_for_a_full_disk_is_an_error(tmp_path: Path) -> None:
    done = probe('"$@" >/dev/full', tmp_path, "--json", "-")
    assert (done.returncode, done.stderr) == (2, NOTE + FULL)


def test_a_run_is_recorded_though_nobody_reads_its_summary(tmp_path: Path) -> None:
    options = ("--seconds", "0.1", "--json", "a.json", "--export", "a.npz", "a.csv")
    line = '{ "$@"; echo $? >code; } | true'
    done = shell(line, tmp_path, "run", "simbicon/planar-walk", *options)
    assert (done.stdout, done.stderr, (tmp_path / "code").read_text()) == ("", "", "141\n")
    assert {path.name for path in tmp_path.iterdir()} == {"a.json", "a.npz", "a.csv", "code"}


@pytest.mark.parametrize("line", ['"$@" | true', '"$@" | head -c 1 >/dev/null', '"$@" 2>&1 | true'])
def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path, line: str) -> None:
    command, _, reader = line.partition("|")
    done = probe(f"{{ {command}; echo $? >code; }} | {reader}", tmp_path, rows=3000)
    assert (done.stdout, done.stderr) == ("", "" if "2>&1" in line else NOTE)
    assert (tmp_path / "code").read_text() == "141\n"


@pytest.mark.parametrize(
    ("env", "name"),
    [
        ({"PYTHONIOENCODING": "ascii"}, "M?ller ? ?"),
        ({"PYTHONIOENCODING": "latin-1"}, "M\N{REPLACEMENT CHARACTER}ller ? ?"),
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "M?ller ? ?"),
        ({"LC_ALL": "xx_YY.bogus", "PYTHONUTF8": "0"}, "M?ller ? ?"),
        ({"LC_ALL": None, "LANG": None, "LC_CTYPE": None}, "Müller → 😀"),
    ],
)
def test_text_is_printed_in_any_locale(tmp_path: Path, env: dict[str, str | None], name: str) -> None:
    usual: dict[str, str | None] = {"PYTHONIOENCODING": None, "PYTHONUTF8": None}
    done = probe('"$@"', tmp_path, **{**usual, **env})
    assert done.returncode == 0
    assert done.stdout.count(name) == 3
    done = shell('"$@"', tmp_path, "list", "gaits→", **{**usual, **env})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: poise list: no kind named 'gaits")


def test_json_keeps_its_data_where_the_encoding_lacks_a_character(tmp_path: Path) -> None:
    done = probe('"$@"', tmp_path, "--json", "-", PYTHONIOENCODING="ascii")
    assert done.stdout.isascii()
    assert json.loads(done.stdout) == {"name": "Müller → 😀"}


@pytest.mark.parametrize("width", ["0", "1", "-5", "9" * 30, "²"])
def test_any_width_will_do(tmp_path: Path, width: str) -> None:
    done = shell('"$@"', tmp_path, "--help", COLUMNS=width, LINES=width, TERMINAL_WIDTH=width, TERM=None)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: poise" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 10_000


def test_a_command_that_needs_no_folder_runs_without_one(tmp_path: Path) -> None:
    done = probe('mkdir gone && cd gone && rmdir ../gone && "$@"', tmp_path, "--json", f"{tmp_path}/a.json")
    assert (done.returncode, done.stderr) == (0, NOTE)
    assert (tmp_path / "a.json").is_file()


def test_a_file_in_a_folder_that_is_gone_is_an_error(tmp_path: Path) -> None:
    done = probe('mkdir gone && cd gone && rmdir ../gone && "$@"', tmp_path, "--json", "a.json")
    assert done.returncode == 2
    assert done.stderr == f"{NOTE}error: a.json: could not be written, the system says: No such file or directory.\n"


def test_a_lost_folder_is_named(poise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"

    def leave() -> None:
        folder.mkdir()
        os.chdir(folder)
        folder.rmdir()
        os.getcwd()

    monkeypatch.setattr("poise.world.adopt.list_all_characters", leave)
    result = poise("list", "characters")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", GONE)


def test_homes_and_temporary_folders_may_be_missing(tmp_path: Path) -> None:
    nowhere = "/dev/null/x"
    env = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "MPLCONFIGDIR"), nowhere)
    unset = dict.fromkeys(("POISE_CACHE_DIR", "NUMBA_CACHE_DIR"))
    done = shell('"$@"', tmp_path, "show", "terrain", "flat", **env, **unset)
    advice = "/dev/null/x/poise cannot hold compiled code, Not a directory. Name another folder in POISE_CACHE_DIR.\n"
    assert (done.returncode, done.stderr) == (0, advice)


def test_a_progress_bar_survives_its_terminal(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    command = [*POISE, "run", "simbicon/planar-walk", "--seconds", "10", "--json", "a.json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=slave, env=_terminal()) as process:
        os.close(slave)
        shown = os.read(master, 1)
        os.close(master)
        output, _ = process.communicate(timeout=60)
    assert (process.returncode, len(shown)) == (0, 1)
    assert b"wrote a.json" in output
    assert (tmp_path / "a.json").is_file()


def _terminal() -> dict[str, str]:
    return {**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm"}


class _Failing(io.RawIOBase):
    """A file that takes a few bytes and then fails."""

    def __init__(self, error: Exception, room: int = 3) -> None:
        self.error, self.room, self.written = error, room, b""

    def write(self, data: Any) -> int:
        taken = bytes(data)[: self.room - len(self.written)]
        if not taken:
            raise self.error
        self.written += taken
        return len(taken)


@pytest.mark.parametrize("error", [OSError(errno.EIO, "i/o"), BrokenPipeError(), ValueError("closed file")])
def test_a_sink_drops_what_cannot_be_written(error: Exception) -> None:
    raw = _Failing(error)
    sink = _Sink(raw)
    with io.TextIOWrapper(io.BufferedWriter(sink)) as stream:
        for _ in range(3):
            stream.write("abcdef")
            stream.flush()
    assert raw.written == b"abc"
    assert isinstance(sink.failure, OSError)


def test_a_sink_waits_for_a_slow_reader() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    data, read = b"x" * 300_000, bytearray()

    def drain() -> None:
        while len(read) < len(data):
            time.sleep(0.001)
            read.extend(os.read(reader, 65_536))

    thread = threading.Thread(target=drain)
    thread.start()
    with open(writer, "wb", buffering=0) as raw, io.BufferedWriter(_Sink(raw)) as stream:
        stream.write(data)
    thread.join()
    os.close(reader)
    assert bytes(read) == data
