"""Problem files: what they mean, and what is said of those that make no sense."""

import pytest

from poise.errors import FileFormatError, NotFoundError
from poise.search import find_problem, problem_names, read_problem

PLAIN = """\
controller = "simbicon/planar-walk"
seconds = 8.0

[vary]
lift_swing_hip = { low = 0.2, high = 0.8 }
lift_torso = { plus_minus = 0.1, also = ["strike_torso"] }

[[objective]]
measure = "speed_mps"
near = 1.2
"""


@pytest.fixture
def read(tmp_path):
    def _read(text):
        path = tmp_path / "p.toml"
        path.write_text(text)
        return read_problem(path)

    return _read


def test_a_plain_problem_has_sensible_defaults(read):
    problem = read(PLAIN)
    assert problem.name == "p"
    assert problem.character == "biped7"
    assert problem.timestep_s == 0.001
    assert problem.settle_s == pytest.approx(2.4)
    assert [t.name for t in problem.trials] == ["plain"]
    hip, torso = problem.space.variables
    assert (hip.name, hip.low, hip.high, hip.start) == ("lift_swing_hip_rad", 0.2, 0.8, 0.4)
    assert (torso.low, torso.high, torso.start) == (-0.1, 0.1, 0.0)


def test_a_tied_parameter_follows_its_variable(read):
    values = read(PLAIN).parameters({"lift_swing_hip_rad": 0.5, "lift_torso_rad": 0.05})
    assert values == {"lift_swing_hip_rad": 0.5, "lift_torso_rad": 0.05, "strike_torso_rad": 0.05}


def test_what_is_set_moves_the_middle_of_plus_minus(read):
    problem = read(
        PLAIN.replace("[vary]", "[set]\nstrike_swing_hip = -0.5\n[vary]\nstrike_swing_knee = { plus_minus = 0.02 }")
    )
    assert problem.values == {"strike_swing_hip_rad": -0.5}
    assert problem.parameters({v.name: v.start for v in problem.space.variables})["strike_swing_hip_rad"] == -0.5


def test_more_generations_are_the_same_problem_and_another_range_is_not(read):
    fingerprint = read(PLAIN).fingerprint()
    assert read(PLAIN + "[search]\ngenerations = 99\n").fingerprint() == fingerprint
    assert read(PLAIN.replace("0.8", "0.9")).fingerprint() != fingerprint


def test_a_controller_beside_the_problem_is_found(read, tmp_path):
    walk = find_problem("planar-run").parent / "start" / "planar-run.toml"
    (tmp_path / "mine.toml").write_text(walk.read_text())
    text = "[vary]\nswing_torso = { plus_minus = 0.1 }\n"
    assert read('controller = "mine.toml"\n' + text).base == "mine.toml"


@pytest.mark.parametrize("name", problem_names())
def test_every_shipped_problem_can_be_read(name):
    problem = read_problem(name)
    assert problem.name == name
    assert problem.terms and len(problem.trials) > 1


def test_an_unknown_problem_is_refused():
    with pytest.raises(NotFoundError, match=r"no problem named 'planar-rum'.*Did you mean 'planar-run'"):
        read_problem("planar-rum")


#: What stands in the plain problem, what stands there instead, and where and how that is refused.
ERRORS = [
    (
        'controller = "simbicon/planar-walk"',
        'controller = "simbicon/planar-wal"',
        "1:1: controller: controllers: no controller named 'simbicon/planar-wal'.",
    ),
    ("seconds = 8.0", "seconds = -1", "2:1: seconds: out of range, got -1. Allowed: 0.1 to 3600."),
    ("seconds = 8.0", "secnds = 8.0", "2:1: secnds: no key named 'secnds'."),
    (
        "lift_swing_hip",
        "lift_swing_hop",
        "5:1: vary.lift_swing_hop: controller simbicon/planar-walk: no parameter named 'lift_swing_hop'.",
    ),
    (
        "high = 0.8",
        "high = 0.1",
        "5:1: vary.lift_swing_hip: variable lift_swing_hip_rad: low must be below high, got 0.2 and 0.1.",
    ),
    ("high = 0.8", "hih = 0.8", "5:1: vary.lift_swing_hip.hih: no key named 'hih'."),
    ("high = 0.8", "high = 99", "5:1: vary.lift_swing_hip.high: out of range, got 99. Allowed: -3.2 to 3.2."),
    (
        '["strike_torso"]',
        '["lift_swing_hip"]',
        "6:1: vary.lift_torso: lift_swing_hip_rad is varied already, by lift_swing_hip.",
    ),
    (
        "[vary]",
        "[set]\nlift_torso = 0.1\n[vary]",
        "8:1: vary.lift_torso: lift_torso_rad is given under [set]. It can be set or varied, not both.",
    ),
    ("speed_mps", "speed", "9:1: objective[0].measure: no measure named 'speed'."),
    (
        "near = 1.2",
        "near = 1.2\nat_most = 2",
        "8:3: objective[0]: near and at_most cannot both be wished. One of near, at_least, at_most is allowed.",
    ),
    ("near = 1.2", "near = true", "10:1: objective[0].near: must be a number, got True."),
    ("near = 1.2", 'near = 1.2\n[[trials]]\nterrain = "moon"', "12:1: trials[0].terrain: "),
    (
        "near = 1.2",
        "near = 1.2\n[[trials]]\npushes = [{ force_n = 1 }]",
        "12:1: trials[0].pushes[0]: start_s is missing.",
    ),
    (
        "near = 1.2",
        "near = 1.2\n[search]\npopulation = 4.5",
        "12:1: search.population: must be a whole number, got 4.5.",
    ),
    (
        "near = 1.2",
        "near = 1.2\n[search]\npopulation = 2",
        "12:1: search.population: out of range, got 2. Allowed: 4 to 10000.",
    ),
]


@pytest.mark.parametrize(("old", "new", "text"), ERRORS)
def test_what_is_wrong_is_named_with_its_place(read, old, new, text):
    assert old in PLAIN
    with pytest.raises(FileFormatError) as raised:
        read(PLAIN.replace(old, new))
    assert f"p.toml:{text}" in str(raised.value)


def test_a_problem_without_anything_to_vary_is_refused(read):
    with pytest.raises(FileFormatError, match="vary is missing"):
        read('controller = "simbicon/planar-walk"\n')
    with pytest.raises(FileFormatError, match="there is nothing to vary"):
        read('controller = "simbicon/planar-walk"\n[vary]\n')
