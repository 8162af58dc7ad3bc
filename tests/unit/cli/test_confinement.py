"""Data files read nothing outside their folder and the library, and no error quotes a file of another kind."""

import os
from pathlib import Path

import pytest

from poise import allowing
from poise.controllers.limit_cycle.scripts.read import load_script
from poise.errors import InputError
from poise.language.environment_file import read_environment
from poise.language.load import load_program
from poise.search import read_problem
from poise.trust import LIBRARY, Trust, check_readable, current_trust, reading
from poise.world.adopt import load_any_character, load_model

SECRET = "= = hunter2 <a\n] hunter2 ="
CALL = "BEGINSCRIPT main(void)\nPHASE 0\n{actions}\nTRANSITION to(-1).after(complete);\nENDPHASE\nENDSCRIPT\n"
EMPTY = CALL.format(actions="ACTIONS\n{actions}\nENDACTIONS")
HEAD = 'character = "lee13"\ndescription = ""\n'
PROBLEM = 'controller = "{controller}"\nseconds = 0.5\n[vary]\nlift_duration_s = {{ low = 0.25, high = 0.5 }}\n'
TRACK = '[[objective]]\nmeasure = "tracking_rad"\nreference = "{name}"\n'
GROUND = '[[objective]]\nmeasure = "speed_mps"\n[[trials]]\nterrain = "heightfield:{name}"\n'
ADOPT = '{key} = "{name}"\n[roles]\npelvis = "a"\n'

#: kind -> file, text, suffix of the file that it should name, and the command that reads it.
KINDS = {
    "include": ("main.ctl", "SCRIPTS {name};\n" + EMPTY.format(actions=""), ".t", ("script", "check")),
    "environment": ("main.ctl", "ENVIRONMENT {name};\n" + EMPTY.format(actions=""), ".env", ("script", "check")),
    "state": ("main.ctl", EMPTY.format(actions="LOAD {name};"), ".sav", ("script", "check")),
    "body of a script": ("main.ctl", "CHARACTER {name};\n" + EMPTY.format(actions=""), ".toml", ("script", "check")),
    "body of a controller": (
        "main.toml", 'method = "tracker"\ncharacter = "{name}"\ndescription = ""\nclip = "normal"\n', ".toml", ("run",),
    ),
    "guest": ("main.ctl", CALL.format(actions="> {name}(void);"), ".toml", ("run",)),
    "like": ("main.toml", f'method = "tracker"\n{HEAD}clip = "normal"\nlike = "{{name}}"\n', ".toml", ("run",)),
    "clip": ("main.toml", f'method = "tracker"\n{HEAD}clip = "{{name}}"\n', ".bvh", ("run",)),
    "retouched clip": ("main.toml", f'method = "tracker"\n{HEAD}clip = "{{name}}"\n', ".bvh", ("clip", "retouch")),
    "gait": ("main.toml", f'method = "simbicon-blend"\n{HEAD}gaits = ["{{name}}", "{{name}}"]\n', ".toml", ("run",)),
    "store": (
        "main.toml", f'method = "limit-cycle"\n{HEAD}like = "limit-cycle/human-walk"\nstore = "{{name}}"\n',
        ".npz", ("run",),
    ),
    "script of trials": ("main.script", "< human.bones\n< {name}\n", ".script", ("run",)),
    "bones": ("main.script", "< {name}\n", ".bones", ("run",)),
    "bones of a character": ("main.toml", 'bones = "{name}"\n', ".bones", ("show", "character")),
    "model": ("main.toml", ADOPT.replace("{key}", "mjcf"), ".xml", ("show", "character")),
    "robot": ("main.toml", ADOPT.replace("{key}", "urdf"), ".urdf", ("show", "character")),
    "reference": ("main.toml", PROBLEM.format(controller="simbicon/planar-walk") + TRACK, ".toml", ("optimize",)),
    "recording": ("main.toml", PROBLEM.format(controller="simbicon/planar-walk") + TRACK, ".npz", ("optimize",)),
    "base of a problem": ("main.toml", PROBLEM.format(controller="{name}"), ".toml", ("optimize",)),
    "picture": ("main.toml", PROBLEM.format(controller="simbicon/planar-walk") + GROUND, ".png", ("optimize",)),
}  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a data file, from a place where nothing of it can be found."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path / "home"


def write(home: Path, kind: str, name: str) -> tuple[str, ...]:
    file, text, _, command = KINDS[kind]
    (home / file).write_text(text.replace("{name}", name))
    return (*command, str(home / file))


@pytest.mark.parametrize("how", ["up", "absolute", "link"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_outside_is_read(poise, home: Path, kind: str, how: str) -> None:
    secret = home.parent / f"secret{KINDS[kind][2]}"
    secret.write_text(SECRET)
    name = {"up": f"../{secret.name}", "absolute": str(secret), "link": f"link{secret.suffix}"}[how]
    if how == "link":
        # Some names are looked up from the working directory.
        for folder in (home, Path.cwd()):
            (folder / name).symlink_to(secret)
    result = poise(*write(home, kind, name))
    said = result.stdout + result.stderr
    assert result.exit_code != 0 or kind == "include"
    assert "outside its folder" in said, said
    assert "hunter2" not in said


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_another_kind_is_not_quoted(poise, home: Path, kind: str) -> None:
    """Wherever it lies: a private file may well lie beside a script."""
    (home / "shadow").write_text(SECRET)
    (home / ".env").write_text(SECRET)
    for name in ("shadow", ".env"):
        result = poise(*write(home, kind, name))
        assert "hunter2" not in result.stdout + result.stderr


@pytest.mark.parametrize("kind", ["include", "environment", "bones", "model", "script of trials"])
def test_a_link_to_a_file_of_another_kind_is_not_quoted(poise, home: Path, kind: str) -> None:
    (home / "shadow").write_text(SECRET)
    (home / f"link{KINDS[kind][2]}").symlink_to(home / "shadow")
    result = poise(*write(home, kind, f"link{KINDS[kind][2]}"))
    assert "hunter2" not in result.stdout + result.stderr


def test_the_error_says_what_is_allowed(poise, home: Path) -> None:
    (home.parent / "x.t").write_text(SECRET)
    (home / "main.ctl").write_text("SCRIPTS ../x.t;\n" + EMPTY.format(actions=""))
    result = poise("script", "check", str(home / "main.ctl"))
    said = result.stderr + result.stdout
    assert f"{home}/main.ctl:1:9: names a file outside its folder, got " in said
    allowed = f"Allowed: files in '{home}' and below, and those that Poise ships. Use --allow-outside if you trust it."
    assert allowed in said


def test_the_user_may_allow_it(poise, home: Path) -> None:
    (home.parent / "x.t").write_text(EMPTY.format(actions=""))
    (home / "main.ctl").write_text("SCRIPTS ../x.t;\n" + EMPTY.format(actions=""))
    assert "outside" in poise("script", "check", str(home / "main.ctl")).stderr
    result = poise("script", "check", str(home / "main.ctl"), "--allow-outside")
    assert (result.exit_code, "outside" in result.stderr) == (0, False)
    with allowing(outside=True):
        assert "../x.t" in load_program(home / "main.ctl").scripts


def test_the_user_may_name_a_link(home: Path) -> None:
    (home.parent / "x.ctl").write_text(EMPTY.format(actions=""))
    (home / "main.ctl").symlink_to(home.parent / "x.ctl")
    assert load_program(home / "main.ctl").script.label == "main"


def test_folders_above_are_passed_over_and_the_library_is_not(home: Path) -> None:
    (home.parent / "_gait.ctl").write_text(SECRET)
    (home / "main.ctl").write_text("SCRIPTS _gait.ctl;\n" + EMPTY.format(actions=""))
    assert load_program(home / "main.ctl").scripts["_gait.ctl"].path.is_relative_to(LIBRARY)


@pytest.mark.parametrize(
    "body",
    [
        '<include file="{name}"/>',
        '<include file="part.xml"/>',
        '<asset><mesh name="m" file="{name}"/></asset>',
        '<compiler meshdir="{folder}"/><asset><mesh name="m" file="secret.xml"/></asset>',
        '<asset><texture name="t" type="cube" fileup="{name}"/></asset>',
        '<asset><hfield name="h" file="{name}" size="1 1 1 1"/></asset>',
        '<asset><model name="m" file="{name}"/></asset>',
        '<asset><skin name="m" file="{name}"/></asset>',
    ],
)
@pytest.mark.parametrize("space", ["", ' xmlns="x"'])
def test_a_model_names_nothing_outside(home: Path, body: str, space: str) -> None:
    secret = home.parent / "secret.xml"
    secret.write_text(f"<mujoco><!-- {SECRET} --></mujoco>")
    for name in ("../secret.xml", str(secret)):
        text = body.replace("{name}", name).replace("{folder}", os.path.dirname(name))
        (home / "part.xml").write_text(f'<mujoco><include file="{name}"/></mujoco>')
        (home / "robot.xml").write_text(f"<mujoco{space}>{text}<worldbody/></mujoco>")
        with pytest.raises(InputError, match="outside its folder") as caught:
            load_model(home / "robot.xml")
        assert "hunter2" not in str(caught.value)


def test_a_model_hides_nothing_from_the_check(home: Path) -> None:
    (home / "robot.xml").write_text('<!DOCTYPE a [<!-- ]><mujoco><include file="/etc/x.xml"/></mujoco> -->]><mujoco/>')
    with pytest.raises(InputError, match="a model may not have a document type"):
        load_model(home / "robot.xml")


def test_a_model_may_name_what_is_below_it(home: Path) -> None:
    (home / "parts").mkdir()
    (home / "parts" / "leg.xml").write_text('<mujoco><worldbody><body name="leg"/></worldbody></mujoco>')
    (home / "robot.xml").write_text('<mujoco><include file="parts/leg.xml"/></mujoco>')
    assert load_model(home / "robot.xml").nbody == 2


def test_a_package_is_read_and_nothing_around_it(home: Path) -> None:
    (home / "main.toml").write_text('mjcf = "package:poise/../../secret.xml"\n[roles]\npelvis = "a"\n')
    with pytest.raises(InputError, match="outside its folder"):
        load_any_character(home / "main.toml")


def test_heights_lie_beside_their_environment(home: Path) -> None:
    (home.parent / "secret.hf").write_text(SECRET)
    (home / "base.env").write_text("ENTITIES { HILLS = Heightfield(../secret.hf); }")
    with pytest.raises(InputError, match=r"base\.env:1:32: names a file outside its folder"):
        read_environment(home / "base.env")
    (home / "base.env").unlink()
    (home / "base.env").symlink_to(home.parent / "secret.hf")
    (home / "main.ctl").write_text(EMPTY.format(actions=""))
    with pytest.raises(InputError, match="names a file outside its folder"):
        load_program(home / "main.ctl")


def test_states_that_a_run_saved_may_be_loaded(home: Path) -> None:
    Path("out").mkdir()
    Path("out/up.sav").write_text("saved")
    (home / "main.ctl").write_text(EMPTY.format(actions="LOAD up.sav;"))
    assert load_program(home / "main.ctl").states == {"up.sav": "saved"}
    (home / "main.ctl").write_text(EMPTY.format(actions="LOAD ../secret.sav;"))
    Path("secret.sav").write_text(SECRET)
    with pytest.raises(InputError, match="outside its folder"):
        load_program(home / "main.ctl")


def test_trust_is_what_the_first_file_gives(home: Path) -> None:
    assert current_trust() == Trust()
    (home / "deep").mkdir()
    with reading(home / "main.ctl"), reading(home / "deep" / "x.t"):
        check_readable(home / "other.t")
        check_readable(LIBRARY / "scripts" / "walk.ctl")
        for path in (home.parent / "x.t", home.with_name("home2") / "x.t", Path("/etc/passwd"), home / ".." / "x.t"):
            with pytest.raises(InputError, match="outside its folder"):
                check_readable(path)
    check_readable("/etc/passwd")


def test_shipped_problems_and_trials_are_read_from_anywhere(home: Path) -> None:
    assert read_problem("bird-walk").base
    scripts = sorted((LIBRARY / "scripts").glob("*.script"))
    assert scripts and all(load_script(path).trials for path in scripts)
