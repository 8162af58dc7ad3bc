"""`poise run`: what it prints, what it writes, and what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from poise.recordings.recording_file import load_recording

WALK = "simbicon/planar-walk"
KEYS = {
    "controller", "character", "seconds", "fallen", "fell_at_s", "up_at_end", "distance_m", "mean_speed_mps", "steps",
    "realtime_factor", "max_torque_nm", "work_j", "terrain", "friction", "seed", "timestep_s", "interrupted",
}  # fmt: skip


def without_note(text: str) -> str:
    """What was said beside that the loop is being compiled, which depends on what ran before."""
    return "".join(line for line in text.splitlines(True) if not line.startswith("Compiling the control loop"))


def test_a_run_prints_a_summary(poise) -> None:
    result = poise("run", WALK, "--seconds", "1")
    assert (result.exit_code, without_note(result.stderr)) == (0, "")
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[:2] == [f"{WALK} on biped7, flat", "outcome still on its feet"]
    assert [line.split()[0] for line in lines[2:]] == ["simulated", "distance", "mean", "steps", "peak", "work"]


def test_json_alone_goes_to_stdout(poise) -> None:
    result = poise(
        "run", WALK, "--seconds", "1", "--export", "a.csv", "--json", "-", "--seed", "7", "--terrain", "slope:1"
    )
    assert (result.exit_code, without_note(result.stderr)) == (0, "wrote a.csv\n")
    figures = json.loads(result.stdout)
    assert set(figures) >= KEYS
    wanted = {
        "controller": WALK, "character": "biped7", "seconds": 1.0, "fallen": False, "fell_at_s": None, "seed": 7,
        "terrain": "slope:angle_deg=1", "timestep_s": 0.0005, "interrupted": False,
    }  # fmt: skip
    assert {name: figures[name] for name in wanted} == wanted


def test_json_may_go_to_a_file(poise) -> None:
    result = poise("run", WALK, "--seconds", "0.5", "--json", "deep/a.json", "--make-folders")
    assert result.exit_code == 0
    assert result.stdout.endswith("wrote deep/a.json\n")
    assert set(json.loads(Path("deep/a.json").read_text())) >= KEYS


def test_what_a_controller_prints_does_not_spoil_the_json(poise) -> None:
    Path("talks.py").write_text(
        "import numpy as np\n"
        "from poise.world.controller import Controller\n"
        "from poise.world.linking import limp\n"
        "def build(character):\n"
        "    print('hello')\n"
        "    return Controller('talks', limp, np.zeros(1), np.zeros(1))\n"
    )
    result = poise("run", "talks.py", "--seconds", "0.1", "--json", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["controller"] == "talks"
    assert "hello\n" in result.stderr


def test_a_fall_is_a_result(poise) -> None:
    result = poise("run", WALK, "--seconds", "3", "--push", "5000,0,0.5,0.2", "--stop-on-fall", "--json", "-")
    assert result.exit_code == 0
    figures = json.loads(result.stdout)
    assert figures["fallen"] is True
    assert figures["seconds"] == pytest.approx(figures["fell_at_s"], abs=0.01)
    again = poise("run", WALK, "--seconds", "3", "--push", "5000,0,0.5,0.2")
    assert f"fell at {figures['fell_at_s']:.2f} s" in again.stdout


def test_everything_that_was_asked_for_reaches_the_run(poise) -> None:
    command = (
        f"run {WALK} --character biped7 --seconds 0.5 --set lift_duration=0.25 strike_duration_s=0.2 "
        "--scale legs=1.1 mass=0.9 --friction 0.5 --push 100,0,0.1,0.1 -50,180,0.2,0.1,left_thigh "
        "--at 0.3:lift_duration=0.2 0.4:lift_duration=0.3 --timestep 0.001 --record-hz 50 --export a.npz --json -"
    )
    result = poise(*command.split())
    assert result.exit_code == 0, result.stderr
    figures = json.loads(result.stdout)
    assert figures["parameters"]["lift_duration_s"] == 0.25
    assert figures["parameters"]["strike_duration_s"] == 0.2
    assert (figures["scale"], figures["friction"]) == ({"legs": 1.1, "mass": 0.9}, 0.5)
    assert [(p["force_n"], p["segment"]) for p in figures["pushes"]] == [(100.0, ""), (-50.0, "left_thigh")]
    recording = load_recording("a.npz")
    assert recording.timestep_s == 0.001
    assert recording.time_s[1] - recording.time_s[0] == pytest.approx(0.02)
    changes = [(round(e.time_s, 6), e.detail) for e in recording.events if e.kind == "parameter"]
    assert changes == [(0.3, "lift_duration=0.2"), (0.4, "lift_duration=0.3")]


@pytest.mark.parametrize("controller", [WALK, "script/walk", "walker/walk", "tracker/normal"])
def test_with_noise_a_seed_is_another_start_of_any_controller(poise, controller: str) -> None:
    def run(*options: str):
        result = poise("run", controller, "--seconds", "0.1", *options, "--export", "a.npz", "--json", "a.json")
        assert result.exit_code == 0, result.output
        return load_recording("a.npz"), json.loads(Path("a.json").read_text()), result.stdout

    plain, figures, text = run("--seed", "3")
    assert (figures["noise"], "noise" in plain.meta, "start noise" in text) == (0.0, False, False)
    noisy, figures, text = run("--seed", "3", "--noise", "0.05")
    assert (figures["noise"], noisy.meta["noise"]) == (0.05, {"spread": 0.05, "seed": 3})
    assert "start noise 0.05 on all velocities, seed 3" in " ".join(text.split())
    assert 0.01 < np.std(noisy.qvel[0] - plain.qvel[0]) < 0.1
    assert np.array_equal(run("--seed", "3", "--noise", "0.05")[0].qvel, noisy.qvel)
    assert not np.array_equal(run("--seed", "4", "--noise", "0.05")[0].qvel, noisy.qvel)


def test_a_random_body_whose_legs_collide(poise) -> None:
    command = "run pose/hold --character humanoid --random-body 7 --self-collision legs --seconds 0.1 --export a.npz"
    result = poise(*command.split())
    assert result.exit_code == 0, result.stderr
    recording = load_recording("a.npz")
    assert recording.characters[0].name == "humanoid-body7"
    assert recording.meta["random_body"] == 7
    assert recording.meta["physics"]["self_collision"] == "legs"


def test_what_comes_after_the_end_is_noted(poise) -> None:
    result = poise("run", WALK, "--seconds", "0.2", "--push", "100,0,5,0.1", "--at", "3:lift_duration=0.2")
    assert result.exit_code == 0
    assert result.stderr == (
        "note: a push starts at 5 s, and the run ends at 0.2 s.\n"
        "note: lift_duration changes at 3 s, and the run ends at 0.2 s.\n"
    )


def test_exports_are_written_and_named(poise) -> None:
    files = ["a.npz", "a.csv", "a.bvh", "a.png", "a.joints.png"]
    result = poise("run", WALK, "--seconds", "1", "--export", *files)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-5:] == [f"wrote {name}" for name in files]
    assert all(Path(name).stat().st_size > 100 for name in files)


def test_one_file_that_cannot_be_written_does_not_stop_the_others(poise) -> None:
    Path("file").touch()
    result = poise("run", WALK, "--seconds", "0.2", "--export", "file/a.csv", "b.csv", "--json", "c.json")
    assert result.exit_code == 2
    assert result.stderr == ("error: file/a.csv: could not be written, part of its path is a file, not a folder.\n")
    assert Path("b.csv").is_file() and Path("c.json").is_file()


def test_a_run_that_diverges_keeps_what_was_recorded(poise) -> None:
    wild = ["--set", "torso_kp=1e5", "torso_kd=1e5", "--timestep", "0.005"]
    result = poise("run", WALK, *wild, "--export", "a.npz")
    assert result.exit_code == 2
    assert "error: world: the state stopped being finite" in result.stderr
    assert "The last good snapshot is in 'out/diverged.npz'." in result.stderr
    assert Path("out/diverged.npz").is_file()
    assert load_recording("a.npz").meta["diverged"] is True


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("--seconds soon", "--seconds: not a number, got 'soon'. Write a number such as 0.5."),
        ("--seconds nan", "--seconds: not a finite number, got 'nan'. Write a number such as 0.5."),
        ("--seconds 1e9", "run: seconds is out of range, got 1000000000.0 s. Allowed: 0 to 1e+06 s."),
        ("--record-hz 0", "--record-hz: the number is out of range, got 0.0 Hz. Allowed: 1 to 100000 Hz."),
        ("--timestep 1", "--timestep: the number is out of range, got 1.0 s. Allowed: 1e-05 to 0.005 s."),
        ("--friction -1", "--friction: the number is out of range, got -1.0. Allowed: 0 to 100."),
        ("--noise -1", "--noise: the number is out of range, got -1.0. Allowed: 0 to 100."),
        ("--seed 1.5", "--seed: not a whole number, got '1.5'. Write a number such as 3."),
        (
            "--set lift_duration=9",
            f"controller {WALK}: lift_duration_s is out of range, got 9.0. Allowed: 0.02 to 2.",
        ),
        ("--at 1:lift_duration=9", f"controller {WALK}: lift_duration_s is out of range, got 9.0. Allowed: 0.02 to 2."),
        (
            "--push 1,2,3,4,left_knee",
            "segment: no segment named 'left_knee'. Known here: trunk, left_thigh, left_shank, left_foot, right_thigh, "
            "right_shank, right_foot. Did you mean 'left_shank'?",
        ),
        (
            "--scale leg=2",
            "scale: no part named 'leg'. Known here: left_leg, right_leg, legs, left_arm, right_arm, arms, trunk, "
            "head, feet, left_knee, right_knee, knee, mass. Did you mean 'legs'?",
        ),
        ("--random-body tall", "--random-body: not a whole number, got 'tall'. Write a number such as 3."),
        (
            "--self-collision arms",
            "--self-collision: no set of parts named 'arms'. Known here: none, legs, all.",
        ),
        ("--scale legs=100", "scale: legs is out of range, got 100.0. Allowed: 0.2 to 5."),
        (
            "--terrain slop",
            "terrain: no kind named 'slop'. Known here: flat, slope, steps, gaps, stones, walls, rough, hills, "
            "heightfield. Did you mean 'slope'?",
        ),
        ("--terrain slope:steep", "terrain slope: angle_deg must be a number, got 'steep'."),
        (
            "--export a.mp3",
            "a.mp3: cannot export to a file with this suffix. Allowed: .npz (recording), .csv (table), "
            ".bvh (motion), .joints.png (plot of joints), .com.png (plot of com), .contacts.png (plot of contacts), "
            ".png (film strip), .mp4 (video).",
        ),
    ],
)
def test_bad_input_is_refused(poise, options: str, text: str) -> None:
    result = poise("run", WALK, *options.split())
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {text}\n")


def test_unknown_names_are_refused(poise) -> None:
    result = poise("run", "simbicon/planar-wlk")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: controllers: no controller named 'simbicon/planar-wlk'. Known here: ")
    assert result.stderr.endswith("Did you mean 'simbicon/planar-walk'?\n")
    result = poise("run", WALK, "--character", "biped8")
    assert result.exit_code == 2
    assert result.stderr.endswith("Did you mean 'biped7'?\n")
    assert poise("run", "mine.toml").stderr == "error: controller mine.toml: there is no such file.\n"


def test_ctrl_c_keeps_what_was_recorded(poise, press_ctrl_c) -> None:
    press_ctrl_c("run")
    result = poise("run", WALK, "--seconds", "1000", "--export", "a.npz", "--json", "-")
    figures = json.loads(result.stdout)
    assert result.exit_code == 130
    assert figures["interrupted"] is True
    assert 0.0 < figures["seconds"] < 1000.0
    assert result.stderr == (
        f"wrote a.npz\ninterrupted at {figures['seconds']:.4g} s. The recording up to that time is kept.\n"
    )
    assert load_recording("a.npz").frames > 0


def test_the_command_works_in_a_process_of_its_own(tmp_path: Path) -> None:
    environment = {**os.environ, "TERM": "dumb", "NO_COLOR": "1", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "poise", "run", WALK, "--seconds", "0.5"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "peak torque" in done.stdout and "\x1b" not in done.stdout
    refused = subprocess.run([*command, "--seconds", "x"], cwd=tmp_path, capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "error: --seconds: not a number, got 'x'. Write a number such as 0.5.\n"


def test_a_reader_that_goes_away_does_no_harm(tmp_path: Path) -> None:
    command = f"{sys.executable} -m poise list terrains | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode in (0, 141)
    assert done.stderr == ""


def test_the_json_holds_changes_and_the_names_of_choices(poise) -> None:
    args = ("--set", "style=1", "--at", "0.1:style=march", "0.2:speed=0.5")
    figures = json.loads(poise("run", "walker/walk", "--seconds", "0.3", *args, "--json", "-").stdout)
    assert figures["parameters"]["style"] == "catwalk"
    assert figures["changes"] == [
        {"at_s": 0.1, "name": "style", "value": "march", "character": 0},
        {"at_s": 0.2, "name": "speed_mps", "value": 0.5, "character": 0},
    ]
    again = poise("run", "walker/walk", "--seconds", "0.1", "--set", f"style={figures['parameters']['style']}")
    assert again.exit_code == 0


def test_the_json_of_a_run_without_changes_says_so(poise) -> None:
    assert json.loads(poise("run", WALK, "--seconds", "0.1", "--json", "-").stdout)["changes"] == []
