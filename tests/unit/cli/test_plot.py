"""`poise plot`: what it prints, draws and refuses."""

import json
from pathlib import Path

import pytest
from PIL import Image

WALK = "simbicon/planar-walk"
CYCLE = "limit-cycle/human-walk"


def said(result) -> str:
    """What is on stderr beside that the loop is being compiled, which depends on what ran before."""
    return "".join(line for line in result.stderr.splitlines(True) if not line.startswith("Compiling the control loop"))


@pytest.mark.parametrize("what", ["phase", "hips", "steps"])
def test_a_picture_of_any_controller(poise, what: str) -> None:
    result = poise("plot", what, WALK, "--steps", "3", "--out", "deep/a.png", "--make-folders")
    assert (result.exit_code, said(result)) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"{WALK} on biped7: 3 steps in 1.")
    assert lines[1:] == ["wrote deep/a.png"]
    with Image.open("deep/a.png") as image:
        assert image.format == "PNG" and image.width > 800


def test_without_a_name_it_goes_to_out(poise) -> None:
    Path("out").mkdir()
    Path("out/steps.png").write_text("old")
    result = poise("plot", "steps", WALK, "--seconds", "1.5")
    assert result.stdout.endswith("wrote out/steps.png\n")
    assert Path("out/steps.png").read_bytes().startswith(b"\x89PNG")


def test_the_numbers_go_to_stdout_alone(poise) -> None:
    command = f"plot phase {WALK} --axis left_knee_pitch --seconds 1 --seed 7 --set strike_cd=2 --scale legs=1.1"
    result = poise(*command.split(), "--terrain", "slope:1", "--json", "-", "--out", "a.svg")
    assert (result.exit_code, said(result)) == (0, "wrote a.svg\n")
    data = json.loads(result.stdout)
    assert (data["kind"], data["axis"], data["seed"], data["fell_at_s"]) == ("phase", "left_knee_pitch", 7, None)
    assert len(data["time_s"]) == len(data["angle_deg"]) == len(data["rate_degps"]) == 500
    assert data["settings"]["terrain"] == "slope:angle_deg=1"
    assert (data["settings"]["scale"], data["settings"]["changed"]) == ({"legs": 1.1}, {"strike_cd": 2.0})
    assert Path("a.svg").read_text().startswith("<?xml")


def test_values_of_a_limit_cycle(poise) -> None:
    result = poise("plot", "variable", "--steps", "3", "--set", "target=0.25", "--json", "a.json", "--out", "a.png")
    assert (result.exit_code, said(result)) == (0, "")
    assert result.stdout.splitlines()[1:] == ["wrote a.json", "wrote a.png"]
    data = json.loads(Path("a.json").read_text())
    assert (data["controller"], data["variables"]) == (CYCLE, ["up", "up"])
    assert [target[0] for target in data["target"]] == [0.25] * 3
    assert all(abs(ahead - 0.25) < 0.1 for ahead, _ in data["reached"])


def test_a_fall_is_drawn_and_said(poise) -> None:
    result = poise("plot", "hips", CYCLE, "--set", "strategy=open", "--json", "a.json", "--out", "a.png")
    assert (result.exit_code, said(result)) == (0, "")
    data = json.loads(Path("a.json").read_text())
    assert 1.0 < data["fell_at_s"] < 4.0 and data["time_s"][-1] <= data["fell_at_s"]
    assert result.stdout.splitlines()[0].endswith(f" steps, fell at {data['fell_at_s']:.2f} s")


def test_a_range_of_targets(poise) -> None:
    result = poise("plot", "range", "--targets", "0.9,0.3,0.9", "--steps", "1", "--json", "a.json", "--out", "a.png")
    assert (result.exit_code, said(result)) == (0, "")
    data = json.loads(Path("a.json").read_text())
    assert (data["kind"], data["targets"], data["most_steps"]) == ("range", [0.3, 0.9], 1)
    assert list(data["steps"]) == ["FL", "LF", "SP"]
    done = sum(count == 1 for counts in data["steps"].values() for count in counts)
    assert result.stdout.splitlines()[0] == f"{CYCLE} on laszlo_human: {done} of 6 trials do 1 step"


def test_who_stands_is_not_waited_for(poise) -> None:
    result = poise("plot", "phase", "walker/walk", "--steps", "2", "--out", "a.png")
    assert result.stdout == "walker/walk on humanoid: 0 steps in 5 s\nwrote a.png\n"
    assert said(result) == "note: 0 of 2 steps were done; then none came for 5 s.\n"


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (
            "fase",
            "poise plot: no plot named 'fase'. Known here: phase, hips, steps, variable, range. Did you mean 'phase'?",
        ),
        ("", "poise plot: WHAT is missing. Try 'poise plot --help'."),
        (
            f"phase {WALK} --axis left_kne",
            "axis: no axis named 'left_kne'. Known here: trunk_pitch, trunk_roll, left_hip_pitch, "
            "left_knee_pitch, left_ankle_pitch, right_hip_pitch, right_knee_pitch, right_ankle_pitch. "
            "Did you mean 'left_knee_pitch'?",
        ),
        (
            "steps pose/hold --seconds 5",
            "plot steps: pose/hold on humanoid: it falls at 2.58 s, before its first step ends. "
            "There is nothing to draw.",
        ),
        (
            f"hips {WALK} --out a.jpg",
            "a.jpg: cannot write a picture to a file with this suffix. Allowed: .png, .svg.",
        ),
        (f"hips {WALK} --axis trunk_roll", "poise plot hips: --axis is for phase. Leave it out."),
        ("range --seconds 5", "poise plot range: --seconds is for phase, hips, steps, variable. Leave it out."),
        (f"phase {WALK} --targets 0.3", "poise plot phase: --targets is for range. Leave it out."),
        (f"phase {WALK} --steps 0", "--steps: the number is out of range, got 0. Allowed: 1 to 10000."),
        (f"phase {WALK} --seconds 0", "--seconds: the number is out of range, got 0.0 s. Allowed: 0.1 to 1e+06 s."),
        ("range --targets a", "--targets: not a number, got 'a'. Write a number such as 0.5."),
        ("range --workers 0", "--workers: the number is out of range, got 0. Allowed: 1 to 1024."),
        (f"phase {WALK} --scale leg=2", "scale: no part named 'leg'. Known here: "),
        (f"variable {WALK}", f"controller {WALK}: it does not regulate a variable from step to step. "),
        (f"range {WALK}", f"controller {WALK}: it does not regulate a variable from step to step. "),
        ("phase simbicon/planar-wlk", "controllers: no controller named 'simbicon/planar-wlk'. Known here: "),
    ],
)
def test_bad_input_is_refused(poise, args: str, text: str) -> None:
    result = poise("plot", *args.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert said(result).startswith(f"error: {text}")
    assert not Path("out").exists()


def test_a_picture_that_cannot_be_written(poise) -> None:
    Path("file").touch()
    result = poise("plot", "steps", WALK, "--seconds", "1.5", "--out", "file/a.png", "--json", "a.json")
    assert result.exit_code == 2
    assert said(result) == "error: file/a.png: could not be written, part of its path is a file, not a folder.\n"
    assert Path("a.json").is_file()


def test_ctrl_c_draws_what_was_recorded(poise, press_ctrl_c) -> None:
    press_ctrl_c("plot")
    result = poise("plot", "phase", WALK, "--seconds", "1000", "--out", "a.png")
    assert (result.exit_code, said(result)) == (130, "interrupted. The plot shows the steps up to then.\n")
    assert Path("a.png").is_file()


def test_the_help_has_an_example(poise) -> None:
    assert "poise plot phase limit-cycle/human-walk --steps 40 --out phase.png" in poise("plot", "--help").stdout
