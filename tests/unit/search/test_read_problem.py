"""Problem files: what they mean, and what is said of those that make no sense."""

from dataclasses import replace

import numpy as np
import pytest

from poise.errors import FileFormatError, NotFoundError
from poise.optim.stopping import StopRules
from poise.recordings.recording_file import save_recording
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


def test_rules_that_end_a_search_may_change_and_its_algorithm_may_not(read):
    fingerprint = read(PLAIN).fingerprint()
    rules = "[search]\nevaluations = 9\ntarget_cost = 1\nstagnation = 3\nmin_spread = 0.1\n"
    problem = read(PLAIN + rules)
    assert problem.fingerprint() == fingerprint
    assert problem.stop == StopRules(9, 1.0, 48, 0.1)
    assert read(PLAIN + '[search]\nalgorithm = "cma-c"\n').fingerprint() != fingerprint


def test_the_smaller_of_two_budgets_counts(read):
    assert read(PLAIN).stop == StopRules(640)
    assert read(PLAIN + "[search]\ngenerations = 3\npopulation = 5\n").stop.evaluations == 15
    assert read(PLAIN + "[search]\ngenerations = 3\nevaluations = 9\n").stop.evaluations == 9
    assert read(PLAIN + "[search]\nevaluations = 900\n").stop.evaluations == 900


def test_a_problem_with_a_task_is_searched_as_a_family(read):
    problem = read(
        PLAIN.replace("near = 1.2", 'near = "task"') + '[task]\nname = "speed_mps"\nlow = 0.5\nhigh = 1.0\ncount = 3\n'
    )
    assert problem.algorithm == "parametric"
    assert problem.task.values.tolist() == [0.5, 0.75, 1.0]
    (term,) = problem.terms
    assert [term.cost(0.8, task) for task in problem.task.values] == pytest.approx([0.3, 0.05, 0.2])


def test_what_is_tracked_is_run_or_read_and_must_not_change(read, tmp_path):
    text = (
        PLAIN.replace("seconds = 8.0", "seconds = 1.0").replace("speed_mps", "tracking_rad").replace("near = 1.2", "")
    )
    ran = read(text + 'reference = "simbicon/planar-walk"\n')
    motion = ran.terms[0].measure.reference
    assert motion.time_s[-1] == pytest.approx(1.0, abs=0.02)
    save_recording(motion, tmp_path / "walk.npz")
    loaded = read(text + 'reference = "walk.npz"\n')
    assert np.array_equal(loaded.terms[0].measure.reference.joint_q_rad, motion.joint_q_rad)
    before = loaded.fingerprint()
    save_recording(replace(motion, joint_q_rad=motion.joint_q_rad + 0.1), tmp_path / "walk.npz")
    after = read(text + 'reference = "walk.npz"\n').fingerprint()
    assert {name for name in before if before[name] != after[name]} == {"what is tracked"}


def test_values_are_rounded_but_never_leave_their_range(read):
    problem = read(PLAIN.replace("high = 0.8", "high = 0.7999996"))
    low, high = problem.space.bounds()
    assert problem.decode(high)["lift_swing_hip_rad"] == 0.7999996
    assert problem.decode(0.5 * (low + high))["lift_swing_hip_rad"] == 0.5


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
    ("high = 0.8", "hih = 0.8", "5:31: vary.lift_swing_hip.hih: no key named 'hih'."),
    ("high = 0.8", "high = 99", "5:31: vary.lift_swing_hip.high: out of range, got 99. Allowed: -3.2 to 3.2."),
    (
        '["strike_torso"]',
        '["lift_swing_hip"]',
        "6:1: vary.lift_torso: lift_swing_hip_rad is already varied by lift_swing_hip.",
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
        "8:3: objective[0]: near and at_most exclude each other. One of near, at_least, at_most is allowed.",
    ),
    ("near = 1.2", "near = true", "10:1: objective[0].near: must be a number, got True."),
    ("near = 1.2", 'near = 1.2\n[[trials]]\nterrain = "moon"', "12:1: trials[0].terrain: "),
    (
        "near = 1.2",
        "near = 1.2\n[[trials]]\npushes = [{ force_n = 1 }]",
        "12:11: trials[0].pushes[0]: start_s is missing.",
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
    (
        "simbicon/planar-walk",
        "pose/hold",
        "1:1: controller: pose/hold uses the method pose-hold, whose parameters cannot be written back to a file. ",
    ),
    (
        "near = 1.2",
        'near = 1.2\n[search]\nalgorithm = "cma"',
        "12:1: search.algorithm: no algorithm named 'cma'. Known here: cma-es, cma-c, one-plus-one, direct,",
    ),
    (
        "near = 1.2",
        'near = 1.2\n[search]\nalgorithm = "parametric"',
        "12:1: search.algorithm: parametric cannot search a problem that has no table [task]. Allowed here: cma-es,",
    ),
    (
        "near = 1.2",
        "near = 1.2\n[search]\nevaluations = 0",
        "12:1: search.evaluations: out of range, got 0. Allowed: 1 to 1e+07.",
    ),
    (
        "near = 1.2",
        'near = 1.2\n[[trials]]\nname = "a"\n[[trials]]\nname = "a"',
        "14:1: trials[1].name: another trial has this name, got 'a'.",
    ),
    (
        "near = 1.2",
        'near = "task"',
        "10:1: objective[0].near: 'task' needs a table [task], which the problem does not have.",
    ),
    (
        "near = 1.2",
        'near = 1.2\n[task]\nname = "a"\nlow = 0\nhigh = 1',
        "11:2: task: no term of the objective uses 'task', so all tasks are the same.",
    ),
    (
        "near = 1.2",
        'near = "task"\n[task]\nname = "a"\nlow = 1\nhigh = 1',
        "11:2: task: low must be below high, got 1 and 1.",
    ),
    (
        "near = 1.2",
        'near = "task"\n[task]\nname = "a"\nlow = 0\nhigh = 1\ncount = 3\ndegree = 3',
        "11:2: task: 3 tasks cannot determine a polynomial of degree 3. Use more tasks.",
    ),
    (
        'measure = "speed_mps"',
        'measure = "part_apex_m"',
        "8:3: objective[0]: part_apex_m needs a part of the body, such as of = 'trunk'.",
    ),
    (
        'measure = "speed_mps"',
        'measure = "part_apex_m"\nof = "hed"',
        "10:1: objective[0].of: character biped7: no part named 'hed'. Known here: pelvis, trunk,",
    ),
    (
        'measure = "speed_mps"',
        'measure = "speed_mps"\nof = "trunk"',
        "10:1: objective[0].of: speed_mps takes no part of the body. Those that do: part_height_m, part_apex_m.",
    ),
    (
        'measure = "speed_mps"',
        'measure = "tracking_rad"',
        "8:3: objective[0]: tracking_rad needs a reference: a recording, or a controller.",
    ),
    (
        'measure = "speed_mps"',
        'measure = "tracking_rad"\nreference = "nowhere.npz"',
        "10:1: objective[0].reference: nowhere.npz: no such file.",
    ),
    (
        'measure = "speed_mps"',
        'measure = "speed_mps"\nreference = "nowhere.npz"',
        "10:1: objective[0].reference: speed_mps takes no reference. Those that do: tracking_rad, com_tracking_m.",
    ),
    (
        "near = 1.2",
        'near = 1.2\n[[failures]]\nname = "a"\nmeasure = "speed_mps"',
        "11:3: failures[0]: a failure needs a limit: below, above or both.",
    ),
    (
        "near = 1.2",
        'near = 1.2\n[[failures]]\nname = "a"\nbelow = 1',
        "11:3: failures[0]: a failure needs either a measure, which is judged at the end, or a watch, which ends",
    ),
    (
        "near = 1.2",
        'near = 1.2\n[[failures]]\nname = "a"\nwatch = "speed_mps"\nbelow = 1',
        "13:1: failures[0].watch: no signal named 'speed_mps'. Known here: com_height_m, com_speed_mps, com_side_m,",
    ),
    (
        "near = 1.2",
        'near = 1.2\n[[failures]]\nname = "a"\nwatch = "height_m"\nbelow = 1',
        "11:3: failures[0]: height_m needs a part of the body, such as of = 'trunk'.",
    ),
    (
        "near = 1.2",
        'near = 1.2\n[[failures]]\nname = "a"\nwatch = "torque_nm"\nbelow = 5\nabove = 3',
        "14:1: failures[0].below: every value is below 5 or above 3.",
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
    with pytest.raises(FileFormatError, match="search: nothing to vary"):
        read('controller = "simbicon/planar-walk"\n[vary]\n')
