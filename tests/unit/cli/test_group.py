"""How command lines are read, and what happens when something goes wrong."""

import errno
import os
import sys

import pytest

from poise import __version__
from poise.cli.failures import report
from poise.cli.group import repeat_options
from poise.errors import ExportError


def test_version(poise) -> None:
    result = poise("--version")
    assert (result.exit_code, result.stdout) == (0, f"poise {__version__}\n")


def test_without_a_command_help_is_shown(poise) -> None:
    result = poise()
    assert result.exit_code == 0
    assert "Usage: poise" in result.stdout
    for command in (
        "run",
        "demo",
        "studio",
        "list",
        "show",
        "check",
        "compare",
        "robustness",
        "sweep",
        "plot",
        "optimize",
        "reproduce",
        "claims",
        "bench",
    ):
        assert f" {command} " in result.stdout


@pytest.mark.parametrize(
    "command",
    [
        "run", "demo", "studio", "list", "show", "show character", "show controller", "show terrain", "check",
        "check controller", "compare", "robustness", "sweep", "plot", "optimize", "reproduce", "claims", "bench",
    ],
)  # fmt: skip
def test_every_command_has_help(poise, command: str) -> None:
    for option in ("--help", "-h"):
        result = poise(*command.split(), option)
        assert result.exit_code == 0
        assert f"Usage: poise {command}" in result.stdout


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (
            "rnu",
            "error: poise: no command named 'rnu'. Known here: run, demo, studio, list, transition, compare, "
            "robustness, sweep, plot, optimize, reproduce, claims, bench, show, check, script, graph, clip, tune, "
            "cluster. Did you mean 'run'?\n",
        ),
        (
            "show charactre",
            "error: poise show: no command named 'charactre'. Known here: character, controller, terrain, recording. "
            "Did you mean 'character'?\n",
        ),
        ("show", "error: poise show: missing command. Try 'poise show --help'.\n"),
        ("check", "error: poise check: missing command. Try 'poise check --help'.\n"),
        ("run", "error: poise run: NAME|FILE is missing. Try 'poise run --help'.\n"),
        ("compare a.npz", "error: poise compare: B is missing. Try 'poise compare --help'.\n"),
        ("run x --seconds", "error: poise: option '--seconds' requires an argument.\n"),
        (
            "bench --fast",
            "error: poise bench: no option named '--fast'. Known here: --json, --quick, --make-folders, --help.\n",
        ),
        (
            "compare a b --pgn x",
            "error: poise compare: no option named '--pgn'. Known here: --png, --json, --make-folders, --help. "
            "Did you mean '--png'?\n",
        ),
        (
            "compare a b c",
            "error: poise compare: got unexpected extra argument(s) (c). Try 'poise compare --help'.\n",
        ),
        (
            "list gaits",
            "error: poise list: no kind named 'gaits'. Known here: characters, controllers, clips, terrains, "
            "problems.\n",
        ),
    ],
)
def test_wrong_command_lines_are_explained(poise, args: str, text: str) -> None:
    result = poise(*args.split())
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", text)


def test_a_repeatable_option_may_have_several_values() -> None:
    args = "NAME --set a=1 b=2 --fast --push -1,2 -3,4 --seconds 5 --set=c=1 --set d=1"
    wanted = "NAME --set a=1 --set b=2 --fast --push -1,2 --push -3,4 --seconds 5 --set=c=1 --set d=1"
    assert repeat_options(args.split(), {"--set", "--push"}, {"--fast"}) == wanted.split()


def test_the_name_may_follow_a_repeatable_option() -> None:
    args = ["--set", "a=1", "NAME", "--json", "-"]
    assert repeat_options(args, {"--set"}, ()) == args


def test_a_fault_is_one_line_with_a_way_to_see_more(poise, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("poise.world.adopt.list_all_characters", fail)
    result = poise("list", "characters")
    text = "error: internal error in Poise: RuntimeError: two lines. Set POISE_DEBUG=1 to see where.\n"
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", text)
    monkeypatch.setenv("POISE_DEBUG", "1")
    assert report(RuntimeError("x")) == 1


def test_a_missing_extra_says_how_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(ModuleNotFoundError("No module named 'nicegui'", name="nicegui")) == 2
    assert capsys.readouterr().err == (
        "error: this needs the package nicegui. Install it with: pip install 'poise[studio]'.\n"
    )


def test_a_full_disk_is_no_fault_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    error = ExportError("could not be written, the disk is full", path="a.npz", errno=errno.ENOSPC)
    assert report(error) == 2
    assert capsys.readouterr().err == "error: a.npz: could not be written, the disk is full.\n"


def test_tracebacks_are_shown_on_request(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POISE_DEBUG", "1")
    try:
        os.strerror("no number")  # type: ignore[arg-type]
    except TypeError as error:
        assert report(error) == 1
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_ctrl_c_ends_any_command_quietly(poise, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("poise.world.adopt.list_all_characters", interrupt)
    result = poise("list", "characters")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted.\n")


def test_nothing_heavy_is_imported_before_a_command_runs() -> None:
    import subprocess

    code = "import sys, poise.cli; print([m for m in ('numba', 'mujoco', 'matplotlib', 'scipy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
