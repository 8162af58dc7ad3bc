"""Absurd command lines: each ends at once with exit code 2 and one clear message, and writes nothing."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

HUGE = "1" + "0" * 400
LONG = "x" * 100_000
SURROGATE = "a\udcffb"
WALK = "simbicon/planar-walk"
LIMIT_S = 20
LONGEST_MESSAGE = 2000

RUN = [
    ["run"],
    ["run", ""],
    ["run", " "],
    ["run", "."],
    ["run", "/"],
    ["run", "/dev/null"],
    ["run", "/dev/zero"],
    ["run", "/dev/full"],
    ["run", "folder"],
    ["run", "folder.toml"],
    ["run", "empty.toml"],
    ["run", "nul\0name"],
    ["run", SURROGATE],
    ["run", LONG],
    ["run", "../" * 2000],
    ["run", "--"],
    ["run", "--", "--seconds"],
    ["run", "-"],
    ["run", "-x"],
    ["run", "---"],
    ["run", "--seconds"],
    ["run", WALK, WALK],
    ["run", WALK, "--seconds", "nan"],
    ["run", WALK, "--seconds", "inf"],
    ["run", WALK, "--seconds", "-inf"],
    ["run", WALK, "--seconds", "-1"],
    ["run", WALK, "--seconds", HUGE],
    ["run", WALK, "--seconds", "1e400"],
    ["run", WALK, "--seconds", ""],
    ["run", WALK, "--seconds", "1,5"],
    ["run", WALK, "--seconds", "0x10"],
    ["run", WALK, "--seconds", LONG],
    ["run", WALK, "--seconds", SURROGATE],
    ["run", WALK, "--record-hz", "0"],
    ["run", WALK, "--record-hz", "-5"],
    ["run", WALK, "--record-hz", "1e9"],
    ["run", WALK, "--timestep", "0"],
    ["run", WALK, "--timestep", "-0.001"],
    ["run", WALK, "--timestep", "1e-300"],
    ["run", WALK, "--timestep", "1e6"],
    ["run", WALK, "--timestep", "nan"],
    ["run", WALK, "--seed", "-1"],
    ["run", WALK, "--seed", "1.5"],
    ["run", WALK, "--seed", HUGE],
    ["run", WALK, "--seed", "9" * 5000],
    ["run", WALK, "--seed", "½"],
    ["run", WALK, "--friction", "-1"],
    ["run", WALK, "--friction", "inf"],
    ["run", WALK, "--ground", "lava"],
    ["run", WALK, "--ground", ""],
    ["run", WALK, "--self-collision", "everything"],
    ["run", WALK, "--random-body", "-3"],
    ["run", WALK, "--random-body", "many"],
    ["run", WALK, "--character", ""],
    ["run", WALK, "--character", "nobody"],
    ["run", WALK, "--character", "/dev/zero"],
    ["run", WALK, "--character", "folder"],
    ["run", WALK, "--character", "a\0b"],
    ["run", WALK, "--set"],
    ["run", WALK, "--set", ""],
    ["run", WALK, "--set", "="],
    ["run", WALK, "--set", "=1"],
    ["run", WALK, "--set", "a=b=c"],
    ["run", WALK, "--set", "torso_kp=nan"],
    ["run", WALK, "--set", "torso_kp="],
    ["run", WALK, "--set", "torso_kp=1", "torso_kp=2"],
    ["run", WALK, "--set", f"{LONG}=1"],
    ["run", WALK, "--set", f"torso_kp={HUGE}"],
    ["run", WALK, "--set", f"{SURROGATE}=1"],
    ["run", WALK, "--scale", "legs=0"],
    ["run", WALK, "--scale", "legs=-1"],
    ["run", WALK, "--scale", "legs=1e300"],
    ["run", WALK, "--scale", "tail=2"],
    ["run", WALK, "--terrain", ""],
    ["run", WALK, "--terrain", ":"],
    ["run", WALK, "--terrain", "slope:nan"],
    ["run", WALK, "--terrain", "slope:89.999999"],
    ["run", WALK, "--terrain", "moon"],
    ["run", WALK, "--terrain", f"slope:{LONG}"],
    ["run", WALK, "--push", ""],
    ["run", WALK, "--push", "1,2,3"],
    ["run", WALK, "--push", "1,2,3,4,5,6"],
    ["run", WALK, "--push", "a,b,c,d"],
    ["run", WALK, "--push", "nan,0,1,0.1"],
    ["run", WALK, "--push", "600,0,-5,0.1"],
    ["run", WALK, "--push", "600,0,5,-0.1"],
    ["run", WALK, "--push", f"{HUGE},0,5,0.1"],
    ["run", WALK, "--push", "600,0,5,0.1,tail"],
    ["run", WALK, "--push", ",,,"],
    ["run", WALK, "--at", "3"],
    ["run", WALK, "--at", ":"],
    ["run", WALK, "--at", "-1:torso_kp=1"],
    ["run", WALK, "--at", "nan:torso_kp=1"],
    ["run", WALK, "--at", "1:nothing=1"],
    ["run", WALK, "--export", ""],
    ["run", WALK, "--export", "a"],
    ["run", WALK, "--export", "a.exe"],
    ["run", WALK, "--repair"],
    ["run", WALK, "--stop-on-fall=yes"],
    ["run", WALK, "--json"],
]  # fmt: skip

TRIALS = [
    ["robustness", WALK, "--force", "nan"],
    ["robustness", WALK, "--force", "0:1e9:1"],
    ["robustness", WALK, "--force", "1:0:1"],
    ["robustness", WALK, "--force", "1:2"],
    ["robustness", WALK, "--force", "0:1:0"],
    ["robustness", WALK, "--force", ","],
    ["robustness", WALK, "--directions", "0"],
    ["robustness", WALK, "--directions", "-4"],
    ["robustness", WALK, "--directions", "361"],
    ["robustness", WALK, "--phases", "0"],
    ["robustness", WALK, "--phases", HUGE],
    ["robustness", WALK, "--duration", "-1"],
    ["robustness", WALK, "--limits", "--repeat", "3"],
    ["robustness", WALK, "--limits", "--tolerance", "0"],
    ["robustness", WALK, "--limits", "--tolerance", "-5"],
    ["robustness", WALK, "--repeat", "0"],
    ["robustness", WALK, "--segment", "tail"],
    ["robustness", WALK, "--settle", "-1"],
    ["robustness", WALK, "--seconds", "0"],
    ["robustness", WALK, "--workers", "0"],
    ["robustness", WALK, "--workers", "-1"],
    ["robustness", WALK, "--workers", HUGE],
    ["sweep", WALK],
    ["sweep", WALK, "--set", "torso_kp=1"],
    ["sweep", WALK, "--set", "torso_kp=1,2", "strike_cd=1,2"],
    ["sweep", WALK, "--set", "torso_kp=1,,2"],
    ["sweep", WALK, "--set", "torso_kp=0:1:1e-9"],
    ["sweep", WALK, "--set", "torso_kp=-1e308:1e308:1e-308"],
    ["sweep", WALK, "--set", "nothing=1,2"],
    ["sweep", WALK, "--set", "torso_kp=1,2", "--settle", "40"],
    ["plot"],
    ["plot", ""],
    ["plot", "everything"],
    ["plot", "phase", WALK, "--seconds", "0"],
    ["plot", "phase", WALK, "--steps", "0"],
    ["plot", "phase", WALK, "--axis", "tail"],
    ["plot", "phase", WALK, "--targets", "1:2:1"],
    ["plot", "phase", WALK, "--out", "a.exe"],
    ["plot", "phase", WALK, "--out", ""],
    ["plot", "range", "--seconds", "3"],
    ["compare"],
    ["compare", "", ""],
    ["compare", "/dev/zero", "/dev/zero"],
    ["compare", "a.npz", "b.npz"],
    ["compare", "empty.npz", "empty.npz"],
    ["compare", "a.json", "b.json", "--png", "c.png"],
    ["compare", "folder", "folder"],
]  # fmt: skip

SEARCHES = [
    ["optimize"],
    ["optimize", ""],
    ["optimize", "folder"],
    ["optimize", "/dev/zero"],
    ["optimize", "empty.toml"],
    ["optimize", LONG],
    ["optimize", "planar-walk", "--workers", "0"],
    ["optimize", "planar-walk", "--workers", "two"],
    ["optimize", "planar-walk", "--seed", "-1"],
    ["optimize", "planar-walk", "--resume", "a", "--out", "b"],
    ["optimize", "planar-walk", "--cluster", "tcp://x", "--processes"],
    ["transition", "stand"],
    ["transition", "stand", "nothing"],
    ["transition", "", ""],
    ["transition", "stand", "walk", "--phases", "0"],
    ["transition", "stand", "walk", "--algorithm", "luck"],
    ["transition", "stand", "walk", "--generations", HUGE],
    ["transition", "stand", "walk", "--weight", "luck=1"],
    ["transition", "stand", "walk", "--weight", "com=nan"],
    ["transition", "stand", "walk", "--goal", "3:0"],
    ["transition", "stand", "walk", "--goal", "::::"],
    ["transition", "stand", "walk", "--pose", "lotus"],
    ["transition", "stand", "walk", "--noise", "-1"],
    ["transition", "stand", "walk", "--output", "a.exe"],
    ["transition", "stand", "walk", "--leave", "-1"],
    ["graph", "path", "stand", "nothing"],
    ["graph", "path", "", ""],
    ["graph", "wander", "--minutes", "-1"],
    ["graph", "wander", "--minutes", HUGE],
    ["graph", "wander", "--start", "nothing"],
    ["graph", "wander", "--export", "a.exe"],
    ["graph", "learn", "--tours", "-1"],
    ["graph", "learn", "--workers", "0"],
    ["graph", "nothing"],
]  # fmt: skip

FILES = [
    ["clip", "info", ""],
    ["clip", "info", "nothing"],
    ["clip", "info", "/dev/zero"],
    ["clip", "info", "folder"],
    ["clip", "info", "empty.bvh"],
    ["clip", "info", "backward", "--fps", "0"],
    ["clip", "info", "backward", "--unit", "furlong"],
    ["clip", "info", "backward", "--unit", "-1"],
    ["clip", "info", "backward", "--up", "down"],
    ["clip", "info", "backward", "--map", "tail"],
    ["clip", "info", "backward", "--map", "tail=x"],
    ["clip", "plot", "backward"],
    ["clip", "convert", "backward", "a.exe"],
    ["clip", "convert", "backward", ""],
    ["clip", "convert", "backward", "a.bvh", "--rate", "1e9"],
    ["clip", "convert", "backward", "a.bvh", "--smooth", "0"],
    ["clip", "convert", "backward", "a.bvh", "--from", "3", "--to", "1"],
    ["clip", "convert", "backward", "a.bvh", "--from", "nan"],
    ["clip", "convert", "backward", "a.bvh", "--target-unit", "0"],
    ["clip", "retarget", "backward", "--scale", "0"],
    ["clip", "retarget", "backward", "--scale", "nan"],
    ["clip", "retarget", "backward", "--character", "nobody"],
    ["clip", "retarget", "backward", "--export", "a.exe"],
    ["clip", "tame", "nothing"],
    ["clip", "tame", "backward", "--evaluations", "0"],
    ["clip", "tame", "backward", "--seconds", "-1"],
    ["clip", "tame", "backward", "--once", "--cycle", "1"],
    ["clip", "tame", "backward", "--cycle", "9999"],
    ["clip", "tame", "backward", "--out", "a.exe"],
    ["clip", "tame", "backward", "--start", "folder"],
    ["clip", "tame", "backward", "--character", "biped7"],
    ["clip", "retouch", "nothing.toml"],
    ["clip", "retouch", "a.exe"],
    ["clip", "retouch", "empty.toml"],
    ["clip", "retouch", "empty.toml", "--spread", "0"],
    ["script", "check"],
    ["script", "check", ""],
    ["script", "check", "folder"],
    ["script", "check", "/dev/zero"],
    ["script", "check", "nothing.ctl", "--character", "nobody"],
    ["script", "format", "folder"],
    ["script", "format", "nul\0.ctl"],
    ["script", "graph", "nothing.ctl"],
    ["script", "graph", "empty.ctl", "--png", "a.png"],
]  # fmt: skip

OTHERS = [
    [""],
    ["-"],
    ["--nothing"],
    ["--version=3"],
    [LONG],
    [SURROGATE],
    ["nul\0"],
    ["list", ""],
    ["list", "characters", "clips"],
    ["list", LONG],
    ["show"],
    ["show", ""],
    ["show", "character", ""],
    ["show", "character", "nobody"],
    ["show", "character", "biped7", "--scale", "legs=nan"],
    ["show", "character", "biped7", "--random-body", "x"],
    ["show", "character", "biped7", "--mjcf", "folder"],
    ["show", "controller", ""],
    ["show", "controller", WALK, "--character", "nobody"],
    ["show", "terrain", ""],
    ["show", "terrain", "slope:1,2,3,4"],
    ["show", "terrain", "slope:" + "9" * 5000],
    ["show", "terrain", "stairs:count=1e300"],
    ["check", "controller", ""],
    ["check", "controller", WALK, "--ground", "lava"],
    ["studio", "nothing", "--no-browser"],
    ["studio", "--port", "70000"],
    ["studio", "--port", "-1"],
    ["studio", "--port", "http"],
    ["studio", "--timestep", "nan"],
    ["demo", "--port", "70000"],
    ["demo", "--headless", "--port", "70000"],
    ["cluster"],
    ["cluster", "start", "--port", "70000"],
    ["cluster", "start", "--workers", "0"],
    ["cluster", "start", "--workers", "²"],
    ["cluster", "stop"],
    ["reproduce", ""],
    ["reproduce", "nothing"],
    ["reproduce", "list", "list"],
    ["reproduce", "bodies", "--seed", "-1"],
    ["reproduce", "bodies", "--seed", "1.5"],
    ["reproduce", "bodies", "--seed", HUGE],
    ["reproduce", "bodies", "--seed", "9" * 5000],
    ["reproduce", "bodies", "--quick", "--keep"],
    ["claims", "--system", ""],
    ["claims", "--system", "nothing"],
    ["claims", "--json", ""],
    ["claims", "--json", "folder"],
    ["claims", "--json", "/dev/full"],
    ["claims", "--json", "nul\0"],
    ["bench", "--json"],
    ["bench", "now"],
]  # fmt: skip

ALL = [*RUN, *TRIALS, *SEARCHES, *FILES, *OTHERS]


def test_there_are_many() -> None:
    assert len(ALL) >= 127


@pytest.fixture
def soon() -> Iterator[None]:
    """Ends a command that does not come back."""

    def end(number: int, frame: object) -> None:
        raise RuntimeError(f"not done after {LIMIT_S} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(LIMIT_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def furnished(tmp_path: Path) -> Path:
    """A folder with some things in it that are not what they seem."""
    for name in ("empty.toml", "empty.npz", "empty.bvh", "empty.ctl"):
        (tmp_path / name).touch()
    for name in ("folder", "folder.toml"):
        (tmp_path / name).mkdir()
    return tmp_path


def _name(args: list[str]) -> str:
    return " ".join(ascii(arg)[1:-1][:24] for arg in args) or "nothing"


def _skip_compile_note(stderr: str) -> str:
    """Return stderr without the note that a cold compile cache adds."""
    return "".join(line for line in stderr.splitlines(keepends=True) if not line.startswith("Compiling "))


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("args", ALL, ids=_name)
def test_an_absurd_command_line_is_refused(poise, furnished: Path, args: list[str]) -> None:
    before = sorted(os.listdir(furnished))
    result = poise(*args)
    assert result.exit_code == 2, result.output
    assert _skip_compile_note(result.stderr).startswith("error: ")
    assert "internal error in Poise" not in result.stderr
    assert "Traceback" not in result.output
    assert len(result.stderr) < LONGEST_MESSAGE
    assert all(c.isprintable() or c == "\n" for c in result.stderr)
    assert sorted(os.listdir(furnished)) == before
