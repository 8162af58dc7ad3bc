"""A small file with a large cost is refused at once, with the limit that it exceeds."""

import os
from pathlib import Path

import pytest

from poise.controllers.catalog import load_controller
from poise.controllers.limit_cycle.scripts.repair import repair_script
from poise.controllers.phases.linear import read_linear
from poise.errors import PoiseError
from poise.language.environment_file import read_environment
from poise.language.load import load_program
from poise.motion.load import load_clip
from poise.world.adopt import load_any_character, load_model
from poise.world.terrain import parse_terrain


def refusal(read, *args) -> str:
    with pytest.raises(PoiseError) as caught:
        read(*args)
    return str(caught.value)


# -- scripts -----------------------------------------------------------------------------------------------------------


def script(*lines: str, head: str = "") -> str:
    body = "\n".join(lines)
    return f"{head}\nBEGINSCRIPT a(void)\nPHASE 0\n{body}\nENDPHASE\nENDSCRIPT\n"


def nested(depth: int) -> str:
    return "linterp(" * depth + "1" + ",0,1,0,1)" * depth


SCRIPTS = {
    "2000 nested linterp": (
        script(f"TRANSITION to(0).after(time {nested(2000)});"),
        "main.ctl:4:220: nested too deeply. Allowed: at most 24 levels of brackets.",
    ),
    "a number of 5000 digits": (
        script(f"TRANSITION to(0).after(time {'9' * 5000});"),
        "main.ctl:4:29: a number has at most 40 digits, got 5000.",
    ),
    "a setting of 5000 digits": (
        script("TRANSITION to(0).after(time 1);", head=f"SET a = {'9' * 5000};"),
        "main.ctl:1:9: a number has at most 40 digits, got 5000.",
    ),
    "a phase of 5000 digits": (
        f"BEGINSCRIPT a(void)\nPHASE {'9' * 5000}\nENDPHASE\nENDSCRIPT\n",
        "main.ctl:2:7: a number has at most 40 digits, got 5000.",
    ),
    "a megabyte": ("#" * 1_000_000, "main.ctl: is too large. Allowed: at most 0.1 MB."),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_costly_script_is_refused(tmp_path: Path, name: str) -> None:
    text, reason = SCRIPTS[name]
    (tmp_path / "main.ctl").write_text(text)
    message = refusal(load_program, tmp_path / "main.ctl").split("\n")[0]
    assert message == f"{tmp_path}/{reason}"


def test_three_thousand_includes_are_refused(tmp_path: Path) -> None:
    call = "TRANSITION to(0).after(time 1);"
    for k in range(3000):
        (tmp_path / f"a{k}.t").write_text(script(call, head=f"SCRIPTS a{k + 1}.t;"))
    assert "more than 100 files are included" in refusal(load_program, tmp_path / "a0.t")
    names = ", ".join(f"a{k}.t" for k in range(3000))
    (tmp_path / "main.ctl").write_text(script(call, head=f"SCRIPTS {names};"))
    assert "more than 100 files are included" in refusal(load_program, tmp_path / "main.ctl")


def test_large_includes_are_refused_in_all(tmp_path: Path) -> None:
    call = "TRANSITION to(0).after(time 1);"
    for k in range(9):
        (tmp_path / f"a{k}.t").write_text(script(call, "#" * 90_000, head=f"SCRIPTS a{k + 1}.t;"))
    assert "the included files are too large in total. Allowed: at most 0.3 MB" in refusal(
        load_program, tmp_path / "a0.t"
    )


def test_scripts_that_call_the_next_one_twice_are_followed_once(tmp_path: Path) -> None:
    """Followed at every call, 60 levels would be 2^60 visits."""
    levels = 60
    for k in range(levels):
        calls = f"> a{k + 1}.t(void);\n> a{k + 1}.t(void);" if k + 1 < levels else ""
        head = f"SCRIPTS a{k + 1}.t;" if k + 1 < levels else ""
        phases = f"PHASE 0\n{calls}\nTRANSITION to(0).after(time 1);\nENDPHASE"
        (tmp_path / f"a{k}.t").write_text(f"{head}\nBEGINSCRIPT a{k}(void)\n{phases}\nENDSCRIPT\n")
    load_controller(str(tmp_path / "a0.t"), load_any_character("planar17"))


# -- environments ------------------------------------------------------------------------------------------------------

BOX = "Box(3, .4, .05, .4, 0, .45, -10);"
ENVIRONMENTS = {
    "50,000 stairs": (
        "ENTITIES { S = Stairs(0, .3, .1, 50000); }",
        "Stairs: the number of steps is out of range, got 50000",
    ),
    "twice 900 stairs": (
        "ENTITIES { S = Stairs(0, .3, .1, 900); T = Stairs(9, .3, .1, 900); }",
        "more than 1000 boxes, balls and steps in total",
    ),
    "900 times a group": (
        f"DEFINE A {{ {BOX * 50} }} ENTITIES {{ {''.join(f'E{k} = A(0,0,0); ' for k in range(900))} }}",
        "more than 1000 boxes, balls and steps in total",
    ),
    "50,000 groups": (f"DEFINE A {{ {BOX} }}\n" * 50_000, "is too large. Allowed: at most 0.2 MB."),
    "a number of 5000 digits": (
        f"ENTITIES {{ S = Stairs(0, .3, .1, {'9' * 5000}); }}",
        f"a number is expected, got '{'9' * 40}'",
    ),
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_costly_environment_is_refused(tmp_path: Path, name: str) -> None:
    text, reason = ENVIRONMENTS[name]
    (tmp_path / "base.env").write_text(text)
    message = refusal(read_environment, tmp_path / "base.env")
    assert message.startswith(f"{tmp_path}/base.env") and reason in message


# -- models ------------------------------------------------------------------------------------------------------------


def model(body: str = "", asset: str = "", head: str = "") -> str:
    return f"<mujoco>{head}<asset>{asset}</asset><worldbody>{body}</worldbody></mujoco>"


def replicate(*counts: int) -> str:
    opened = "".join(f'<replicate count="{count}">' for count in counts)
    return f'{opened}<body><geom size=".1"/></body>{"</replicate>" * len(counts)}'


MODELS = {
    "replicate": (model(replicate(100_000)), "<replicate> makes too many parts. Allowed: at most 5000 in all."),
    "replicate of replicate": (
        model(replicate(100, 100)),
        "<replicate> makes too many parts. Allowed: at most 5000 in all.",
    ),
    "composite": (
        model('<composite type="cable" count="90000 1 1" size="1"><geom size=".1"/></composite>'),
        "<composite> makes too many parts. Allowed: at most 5000 in all.",
    ),
    "flexcomp": (
        model('<flexcomp name="f" type="grid" count="99 99 99"/>'),
        "<flexcomp> makes too many parts. Allowed: at most 5000 in all.",
    ),
    "height field": (
        model(asset='<hfield name="h" nrow="50000" ncol="50000" size="1 1 1 1"/>'),
        "<hfield> makes too many points, got 2.5e+09. Allowed: at most 16777216 in all.",
    ),
    "texture": (
        model(asset='<texture name="t" type="2d" builtin="flat" width="90000" height="90000"/>'),
        "<texture> makes too many points, got 8.1e+09. Allowed: at most 16777216 in all.",
    ),
    "built-in mesh": (
        model(asset='<mesh name="m" builtin="sphere" params="9000"/>'),
        "<mesh> params is too large, got '9000'. Allowed: at most 100.",
    ),
    "nesting": (
        model("<body>" * 200 + "</body>" * 200),
        "nested too deeply. Allowed: at most 90 levels.",
    ),
    "10,000 bodies": (
        model('<body><geom size=".1"/></body>' * 10_000),
        "<geom> makes too many parts. Allowed: at most 5000 in all.",
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_costly_model_is_refused(tmp_path: Path, name: str) -> None:
    text, reason = MODELS[name]
    (tmp_path / "robot.xml").write_text(text)
    assert refusal(load_model, tmp_path / "robot.xml") == f"{tmp_path}/robot.xml: {reason}"


def test_models_that_attach_each_other_are_refused(tmp_path: Path) -> None:
    attach = '<attach model="{0}" prefix="{1}"/>'
    for here, there in (("a", "b"), ("b", "a")):
        body = f"<body>{attach.format(there, 'x')}</body>"
        (tmp_path / f"{here}.xml").write_text(model(body, f'<model name="{there}" file="{there}.xml"/>'))
    assert "files that include each other in a circle" in refusal(load_model, tmp_path / "a.xml")


def test_models_that_attach_the_next_one_ten_times_are_refused(tmp_path: Path) -> None:
    levels = 9
    for k in range(levels):
        copies = "".join(f'<attach model="m{k + 1}" prefix="p{c}"/>' for c in range(10))
        body, asset = f"<body>{copies}</body>", f'<model name="m{k + 1}" file="m{k + 1}.xml"/>'
        (tmp_path / f"m{k}.xml").write_text(model(body, asset) if k + 1 < levels else model('<geom size=".1"/>'))
    assert "makes too many parts" in refusal(load_model, tmp_path / "m0.xml")


def test_sizes_that_a_model_states_are_left_out(tmp_path: Path) -> None:
    """They are for a simulation of the model, which never takes place, and may be gigabytes."""
    head = '<size memory="900G" nuserdata="2000000000"/>'
    (tmp_path / "robot.xml").write_text(model('<body><geom size=".1"/></body>', head=head))
    found = load_model(tmp_path / "robot.xml")
    assert found.nuserdata == 0 and found.narena < 2**30


# -- motions and pictures ----------------------------------------------------------------------------------------------


def test_a_motion_on_one_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    path.write_text("HIERARCHY\nROOT a\n{\n" + "1 " * 500_000)
    assert refusal(load_clip, path) == (
        f"{path}:4: the line is too long, got 1000000 characters. Allowed: at most 200000."
    )


@pytest.mark.parametrize("word", ["9" * 190_000 + "x", "1." * 90_000, "-" * 190_000])
def test_a_word_that_fills_its_line_is_no_number(tmp_path: Path, word: str) -> None:
    path = tmp_path / "walk.bvh"
    path.write_text(f"HIERARCHY\nROOT a\n{{\nOFFSET 0 {word} 0\n")
    assert "is not a number" in refusal(load_clip, path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("walk.bvh", load_clip),
        ("walk.npz", load_clip),
        ("walk.json", load_clip),
        ("walk.ctl", load_program),
        ("base.env", read_environment),
        ("robot.xml", load_model),
        ("robot.toml", load_any_character),
        ("robot.bones", load_any_character),
        ("hills.png", lambda path: parse_terrain(f"heightfield:{path}")),
    ],
)
def test_a_pipe_is_refused_at_once(tmp_path: Path, name: str, read) -> None:
    os.mkfifo(tmp_path / name)
    message = refusal(read, tmp_path / name if "robot" not in name or name == "robot.xml" else str(tmp_path / name))
    assert "is a pipe. A file is needed." in message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_that_a_model_names_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tip.stl")
    (tmp_path / "robot.xml").write_text(model(asset='<mesh name="tip" file="tip.stl"/>'))
    assert refusal(load_model, tmp_path / "robot.xml") == (
        f"{tmp_path}/robot.xml: <mesh> names 'tip.stl', which is not a file."
    )


# -- patterns ----------------------------------------------------------------------------------------------------------

RUNS = {
    "controller.toml": 'method = "pose"\n' + " " * 190_000 + "x\n",
    "body.bones": "9" * 90_000 + "x",
    "main.ctl": script(f"TRANSITION to(0).after(time {'9' * 90_000}!);"),
    "base.env": "ENTITIES {" + "\n" * 190_000 + "!}",
}


@pytest.mark.parametrize("name", RUNS)
def test_a_long_run_of_one_character_is_read_in_one_go(tmp_path: Path, name: str) -> None:
    """A pattern that tries every way to part it would take minutes; this test would then never end."""
    path = tmp_path / name
    path.write_text(RUNS[name])
    read = {".toml": lambda p: load_controller(str(p), load_any_character("biped7")), ".ctl": load_program}
    refusal(read.get(path.suffix, read_environment if path.suffix == ".env" else load_any_character), path)


def test_a_long_line_of_a_pose_script_is_left_as_it_is() -> None:
    head = "posecycle poses 0\n1 2 3 4\n"
    for line in ("set hinit 1 2 3 4" + " " * 190_000 + "\x01#", "posecycle poses 3" + " " * 190_000 + "x"):
        assert repair_script(head + line) == (head + line, [])


def test_a_linear_form_of_spaces_is_refused() -> None:
    assert "must be a number or a sum" in refusal(read_linear, " " * 100_000 + "!", ["a"], "angle")


def test_an_exponent_is_not_written_out_in_gigabytes(tmp_path: Path) -> None:
    (tmp_path / "main.ctl").write_text(script("TRANSITION to(0).after(time 1e99999999);"))
    message = refusal(load_program, tmp_path / "main.ctl")
    assert "numbers are written without an exponent, got 1e99999999." in message and "Did you mean" not in message
