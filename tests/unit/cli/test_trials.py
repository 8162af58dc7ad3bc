"""`poise robustness`, `poise sweep` and their comparison: what they print, write and refuse."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from poise.cli.sweep import split_swept
from poise.cli.values import parse_numbers, parse_values
from poise.errors import InputError, PoiseError

WALK = "simbicon/planar-walk"
QUICK = ["--phases", "2", "--settle", "1", "--after", "1"]


def test_robustness_prints_the_matrix_and_writes_files(poise) -> None:
    result = poise("robustness", WALK, "--force", "200", "5000", *QUICK, "--png", "a.png", "--json", "a.json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "4 of 8 pushes survived; a step takes 0.3" in result.stdout
    assert "0° forward" in result.stdout and "180° backward" in result.stdout and "fell 0." in result.stdout
    data = json.loads(Path("a.json").read_text())
    assert (data["kind"], data["survived"], data["tried"], data["seed"]) == ("push-matrix", 4, 8, 0)
    assert data["settings"]["timestep_s"] == 0.0005
    assert Path("a.png").stat().st_size > 1000


def test_limits_and_trains(poise) -> None:
    result = poise("robustness", WALK, "--limits", "--directions", "180,0", "--tolerance", "400", *QUICK)
    assert result.exit_code == 0
    assert "the least of them: " in result.stdout
    train = ["--force", "50", "--duration", "0.2", "--repeat", "2", "--every", "1", "--seconds", "2"]
    result = poise("robustness", WALK, *train, "--settle", "1", "--json", "-")
    data = json.loads(result.stdout)
    assert [o["survived_pushes"] for o in data["outcomes"]] == [2, 2]
    assert data["settings"]["after_s"] == pytest.approx(0.8)


def test_random_pushes_print_where_the_falls_are_and_how_to_repeat_one(poise) -> None:
    args = ["--random", "8", "--seed", "3", "--settle", "1", "--after", "1", "--set", "torso_kp=600"]
    result = poise("robustness", WALK, "--force", "200", "5000", *args, "--json", "a.json", "--png", "a.png")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "8 of 8 random pushes survived, 100.0% (95 % interval: 67.6% to 100.0%)" in result.stdout
    assert "0 of 8 random pushes survived, 0.0% (95 % interval: 0.0% to 32.4%)" in result.stdout
    assert "5000 N: falls of pushes, by direction and phase of the step" in result.stdout
    tables, _, rest = result.stdout.partition("The first of them again:\n")
    assert max(len(line.rstrip()) for line in tables.splitlines()) <= 80
    data = json.loads(Path("a.json").read_text())
    assert (data["kind"], data["survived"], data["tried"], data["seed"]) == ("push-random", 8, 16, 3)
    assert [row["share"] for row in data["shares"]] == [1.0, 0.0]
    assert Path("a.png").stat().st_size > 1000
    words = shlex.split(rest.splitlines()[0])
    assert words[:2] == ["poise", "run"] and words[words.index("--seed") :][:2] == ["--seed", "3"]
    again = json.loads(poise(*words[1:], "--json", "-").stdout)
    first = next(o for o in data["outcomes"] if o["fell_after_s"] is not None)
    assert again["fell_at_s"] == pytest.approx(first["start_s"] + first["fell_after_s"], abs=1e-9)


def test_a_push_from_the_side_does_nothing_in_the_plane(poise) -> None:
    result = poise("robustness", WALK, "--directions", "90,", "--force", "9000", *QUICK)
    assert result.exit_code == 2
    result = poise("robustness", WALK, "--directions", "4", "--force", "100", *QUICK)
    assert result.stderr == "note: a push to the side has no effect on a planar body.\n"


@pytest.mark.parametrize(
    ("controller", "name", "value", "falls"),
    [
        # Its feet bounce: some strikes are no steps.
        ("simbicon/humanoid-slow-walk", "blend", "0.5", False),
        (WALK, "torso_kp", "5", True),
    ],
)
def test_run_and_sweep_report_the_same_steps(poise, controller: str, name: str, value: str, falls: bool) -> None:
    args = ["--seconds", "3", "--json", "-"]
    one = json.loads(poise("run", controller, "--set", f"{name}={value}", *args).stdout)
    many = json.loads(poise("sweep", controller, "--set", f"{name}={value},{value}", "--settle", "0", *args).stdout)
    for key in ("fell_at_s", "steps", "step_times_s", "step_lengths_m", "mean_step_time_s", "mean_step_length_m"):
        assert [row[key] for row in many["rows"]] == [one[key]] * 2, key
    assert (one["steps"] > 2, one["fell_at_s"] is not None) == (True, falls)


def test_sweep_prints_a_row_for_each_value(poise) -> None:
    args = ["--set", "lift_swing_hip=0.4:0.5:0.1", "strike_cd=2", "--seconds", "3", "--png", "a.png"]
    result = poise("sweep", WALK, *args, "--json", "a.json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "lift_swing_hip_rad" in result.stdout and "0 of 2 fell" in result.stdout
    data = json.loads(Path("a.json").read_text())
    assert [row["value"] for row in data["rows"]] == [0.4, 0.5]
    assert data["settings"]["changed"] == {"strike_cd": 2.0}
    assert Path("a.png").exists()


def test_two_of_them_are_compared(poise) -> None:
    for name, seconds in (("a", "2"), ("b", "3")):
        poise("sweep", WALK, "--set", "lift_swing_hip=0.4,0.5", "--seconds", seconds, "--json", f"{name}.json")
    result = poise("compare", "a.json", "b.json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "differing settings: seconds, settle_s; differing results: " in result.stdout
    data = json.loads(poise("compare", "a.json", "b.json", "--json", "-").stdout)
    assert data["kind"] == "sweep" and [row["name"] for row in data["settings"]] == ["seconds", "settle_s"]
    refused = poise("compare", "a.json", "b.json", "--png", "c.png")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "error: poise compare: only recordings have curves to draw. Leave out --png.\n",
    )


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (
            ["robustness", WALK, "--limits", "--repeat", "3"],
            "error: poise robustness: --limits and --repeat do not go together. Leave out one of them.\n",
        ),
        (
            ["robustness", WALK, "--random", "3", "--phases", "4"],
            "error: poise robustness: --random and --phases do not go together. Leave out one of them.\n",
        ),
        (
            ["robustness", WALK, "--random", "none"],
            "error: --random: not a whole number, got 'none'. Write a number such as 3.\n",
        ),
        (
            ["robustness", WALK, "--force", "strong"],
            "error: --force: not a number, got 'strong'. Write a number such as 0.5.\n",
        ),
        (
            ["sweep", WALK],
            "error: poise sweep: no parameter is swept. Write one range or list, such as speed=0:1.5:0.1 or "
            "style=walk,march.\n",
        ),
        (
            ["sweep", WALK, "--set", "a=1,2", "b=1:2:1"],
            "error: poise sweep: a and b are swept at once. Write one range or list, such as speed=0:1.5:0.1 or "
            "style=walk,march.\n",
        ),
        (
            ["sweep", WALK, "--set", "speed=0:1:0.5"],
            "error: controller simbicon/planar-walk: no parameter named 'speed'. ",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(poise, args: list[str], text: str) -> None:
    result = poise(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(text)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("5", [5.0]),
        ("1, 2,3", [1.0, 2.0, 3.0]),
        ("0:0.3:0.1", [0.0, 0.1, 0.2, 0.3]),
        ("1:0:-0.5", [1.0, 0.5, 0.0]),
        ("1:1:1", [1.0]),
        ("0:0.25:0.1", [0.0, 0.1, 0.2]),
    ],
)
def test_ranges_and_lists_are_read(text: str, numbers: list[float]) -> None:
    assert parse_numbers("--force", text) == numbers
    assert parse_values("--force", text) == numbers


def test_the_range_of_speeds_of_the_walker_has_both_ends() -> None:
    speeds = parse_numbers("--set speed", "-0.6:1.7:0.1")
    assert (len(speeds), speeds[0], speeds[-1]) == (24, -0.6, 1.7)


def test_lists_may_be_words() -> None:
    assert split_swept(["style=walk,march", "speed=1", "mood=calm"]) == (
        "style",
        ["walk", "march"],
        {"speed": 1.0, "mood": "calm"},
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0:1", "--force: a range has three numbers, got '0:1'. Write from:to:step, such as 0:1.5:0.1."),
        (
            "0:1:0",
            "--force: the step does not lead from start to end, got '0:1:0'. Write from:to:step, such as 0:1.5:0.1.",
        ),
        (
            "0:1:-1",
            "--force: the step does not lead from start to end, got '0:1:-1'. Write from:to:step, such as 0:1.5:0.1.",
        ),
        ("0:1:1e-9", "--force: 1000000001 values are too many, got '0:1:1e-9'. Allowed: 10000."),
        ("1,,2", "--force: not a number, got ''. Write a number such as 0.5."),
    ],
)
def test_ranges_that_make_no_sense_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_numbers("--force", text)
    assert str(caught.value) == message
    assert isinstance(caught.value, PoiseError)
