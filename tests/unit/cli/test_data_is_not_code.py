"""Data files run no Python: whatever names `evil.py`, it is run only for those who allow it."""

import time
from pathlib import Path

import pytest

from poise import allowing
from poise.batches.threads import run_trials
from poise.characters.catalog import load_character
from poise.controllers.catalog import default_character, load_controller
from poise.errors import InputError
from poise.rollout.scene import Scene
from poise.search import read_problem
from poise.studio.actor import load_actor, pack_drafts
from poise.studio.engine import Engine
from poise.studio.reading import read_script
from poise.studio.scenario import make_scenario
from poise.trust import Trust

CANARY = """
from pathlib import Path

from poise.controllers.catalog import load_controller

Path(__file__).with_name("ran").touch()
CHARACTER = "biped7"


def build(character):
    return load_controller("pose/hold", character)
"""
SCRIPT = """CHARACTER biped7;
BEGINSCRIPT main(void)
PHASE 0
> {name}(void);
TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
"""
REFUSED = "names a Python file, '{name}', and Python files are programs. Run it with --allow-python if you trust it."
PROBLEM = """
controller = "simbicon/planar-walk"
seconds = 0.5
[vary]
lift_duration_s = { low = 0.25, high = 0.5 }
[[objective]]
measure = "tracking_rad"
reference = "evil.py"
"""


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a canary, a script that calls it, one that includes that script, and a problem that tracks it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(CANARY)
    (tmp_path / "main.ctl").write_text(SCRIPT.format(name="evil.py"))
    outer = SCRIPT.format(name="main.ctl").replace("BEGINSCRIPT", "SCRIPTS main.ctl;\nBEGINSCRIPT")
    (tmp_path / "outer.ctl").write_text(outer)
    (tmp_path / "slash.ctl").write_text(SCRIPT.format(name="./evil.py"))
    (tmp_path / "absolute.ctl").write_text(SCRIPT.format(name=tmp_path / "evil.py"))
    (tmp_path / "problem.toml").write_text(PROBLEM)
    (tmp_path / "base.toml").write_text(PROBLEM.replace("simbicon/planar-walk", "evil.py"))
    head = 'character = "biped7"\ndescription = ""\n'
    (tmp_path / "blend.toml").write_text(f'method = "simbicon-blend"\n{head}gaits = ["evil.py", "evil.py"]\n')
    (tmp_path / "like.toml").write_text(f'method = "tracker"\n{head}clip = "normal"\nlike = "evil.py"\n')
    (tmp_path / "cycle.toml").write_text(f'method = "limit-cycle"\n{head}like = "evil.py"\n')
    (tmp_path / "body.toml").write_text(
        'method = "tracker"\ncharacter = "evil.py"\ndescription = ""\nclip = "normal"\n'
    )
    return tmp_path


SCRIPTS = ("main.ctl", "outer.ctl", "slash.ctl", "absolute.ctl")
DATA = (*SCRIPTS, "blend.toml", "like.toml", "cycle.toml", "body.toml")


COMMANDS = (
    ("show", "controller", "FILE"),
    ("check", "controller", "FILE"),
    ("sweep", "FILE", "--set", "x=1,2"),
    ("robustness", "FILE"),
    ("plot", "limit-cycle", "FILE", "--png", "a.png"),
)


@pytest.mark.parametrize(
    ("command", "file"),
    [*((("run", "FILE"), file) for file in DATA), *((command, file) for command in COMMANDS for file in DATA[::5])],
)
def test_no_command_runs_what_a_file_names(poise, evil: Path, command: tuple[str, ...], file: str) -> None:
    result = poise(*(word.replace("FILE", file) for word in command))
    assert result.exit_code != 0
    assert not (evil / "ran").exists()


@pytest.mark.parametrize(
    ("file", "place", "name"),
    [
        ("main.ctl", "main.ctl", "evil.py"),
        ("outer.ctl", "main.ctl", "evil.py"),
        ("slash.ctl", "slash.ctl", "evil.py"),
        ("absolute.ctl", "absolute.ctl", "FOLDER/evil.py"),
    ],
)
def test_the_error_of_a_run_points_at_the_call(poise, evil: Path, file: str, place: str, name: str) -> None:
    result = poise("run", file)
    text = REFUSED.format(name=name.replace("FOLDER", str(evil)))
    assert (result.exit_code, result.stderr.splitlines()[0]) == (2, f"error: {place}:4:3: {text}")


@pytest.mark.parametrize("file", SCRIPTS)
def test_checking_a_script_runs_nothing_and_says_so(poise, evil: Path, file: str) -> None:
    result = poise("script", "check", file)
    assert "is a Python file and was not run: its arguments are not checked." in result.stderr + result.stdout
    assert (result.exit_code, (evil / "ran").exists()) == (0, False)
    assert poise("script", "format", "--check", file).exit_code in (0, 1)
    poise("script", "graph", file, "--png", "a.png")
    assert not (evil / "ran").exists()


@pytest.mark.parametrize("file", ["problem.toml", "base.toml"])
def test_no_problem_runs_its_reference_or_its_controller(poise, evil: Path, file: str) -> None:
    assert poise("optimize", file).exit_code == 2
    with pytest.raises(InputError):
        read_problem(evil / file)
    assert not (evil / "ran").exists()


def test_the_reference_of_a_problem_is_refused_at_its_line(evil: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_problem("problem.toml")
    assert str(caught.value).startswith(f"problem.toml:8:1: objective[0].reference: {REFUSED.format(name='evil.py')}")


def test_the_python_api_refuses_too_also_in_threads(evil: Path) -> None:
    def open_it() -> str:
        try:
            Scene("main.ctl").open()
        except InputError as error:
            return str(error)
        return ""

    for text in (open_it(), *run_trials([open_it])):
        assert REFUSED.format(name="evil.py") in text
    assert default_character("main.ctl") == "biped7"
    assert not (evil / "ran").exists()


def test_the_studio_refuses_in_a_file_and_in_a_draft(evil: Path) -> None:
    body = load_character("biped7")
    harmless = evil / "harmless.ctl"
    harmless.write_text(SCRIPT.format(name="pose/hold"))
    for path, text in ((evil / "main.ctl", None), (harmless, SCRIPT.format(name="evil.py"))):
        drafts = () if text is None else pack_drafts({path: text})
        reading = read_script(str(path), drafts, body)
        assert any("names a Python file" in remark.text for remark in reading.remarks)
        with pytest.raises(InputError, match="names a Python file"):
            load_actor(str(path), drafts, body)
    assert not (evil / "ran").exists()


@pytest.mark.parametrize("trust", [Trust(), Trust(allow_python=True)])
def test_worlds_of_the_studio_trust_what_its_user_trusts(evil: Path, trust: Trust) -> None:
    engine = Engine(make_scenario(str(evil / "main.ctl"), "biped7"), trust=trust).start()
    engine.pause()
    deadline = time.monotonic() + 60.0
    while engine.view.preparing and time.monotonic() < deadline:
        time.sleep(0.01)
    engine.close(timeout_s=60.0)
    assert (evil / "ran").exists() == trust.allow_python


def test_the_user_may_name_a_python_file(poise, evil: Path) -> None:
    assert poise("show", "controller", "evil.py").exit_code == 0
    assert (evil / "ran").exists()


def test_the_user_may_allow_it(poise, evil: Path) -> None:
    # It ends before anything is compiled, since there is no such parameter.
    result = poise("run", "main.ctl", "--set", "none=1", "--allow-python")
    assert "Python" not in result.stderr
    assert (evil / "ran").exists()
    # Only for that command.
    assert "names a Python file" in poise("run", "main.ctl", "--set", "none=1").stderr


def test_a_scene_takes_the_permission_along(evil: Path) -> None:
    with allowing(python=True):
        scene = Scene("main.ctl")
    assert run_trials([lambda: scene.open().controllers[0].name]) == ["main.ctl"]
    assert (evil / "ran").exists()


def test_a_python_file_outside_the_folder_needs_both(evil: Path) -> None:
    (evil / "deep").mkdir()
    (evil / "deep" / "up.ctl").write_text(SCRIPT.format(name="../evil.py"))
    body = load_character("biped7")
    with allowing(python=True), pytest.raises(InputError, match="names a file outside its folder"):
        load_controller("deep/up.ctl", body)
    assert not (evil / "ran").exists()
    with allowing(python=True, outside=True):
        load_controller("deep/up.ctl", body)
