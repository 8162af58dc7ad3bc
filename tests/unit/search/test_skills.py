"""Skills: parameters as functions of a task, in files and back."""

import numpy as np
import pytest

from poise.errors import FileFormatError, InputError
from poise.optim.skill_function import SkillFunction
from poise.search import read_problem
from poise.search.skills import Skill, find_values, load_skill, make_skill, save_skill
from unit.search.small_problem import TASK_PROBLEM, change

SKILL = Skill("speed_mps", 0.5, 1.0, {"a": (1.0, 2.0, 4.0), "b": (-1.0, 0.0, 0.5)})


@pytest.fixture
def problem(tmp_path):
    path = tmp_path / "p.toml"
    text = change(
        TASK_PROBLEM, ("strike_cd = {", 'lift_torso = { plus_minus = 0.1, also = ["strike_torso"] }\nstrike_cd = {')
    )
    path.write_text(change(text, ("[vary]", "[set]\nstrike_swing_knee = 0.1\n\n[vary]")))
    return read_problem(path)


def test_a_skill_is_a_polynomial_of_the_place_in_its_range():
    assert SKILL(0.5) == {"a": 1.0, "b": -1.0}
    assert SKILL(0.75) == {"a": 3.0, "b": -0.875}
    assert SKILL(1.0) == {"a": 7.0, "b": -0.5}
    with pytest.raises(InputError, match=r"skill: speed_mps is out of range, got 1.2. Allowed: 0.5 to 1"):
        SKILL(1.2)


def test_a_skill_comes_back_from_its_file(tmp_path):
    save_skill(tmp_path / "s.toml", SKILL, {"description": "x"}, {"seed": 1})
    assert load_skill(tmp_path / "s.toml") == SKILL


def test_what_was_found_is_told_in_the_parameters_own_units(problem):
    weights = np.array([[0.5, 0.0, -1.0], [2.0, 0.0, 0.25]])
    skill = make_skill(problem, SkillFunction(weights, 1))
    hip, torso, cd = problem.space.variables
    assert skill.weights["lift_swing_hip_rad"] == pytest.approx((hip.start + 0.5 * hip.spread, 2.0 * hip.spread))
    assert skill.weights["strike_cd_radpm"] == pytest.approx((cd.start - cd.spread, 0.25 * cd.spread), rel=1e-4)
    assert skill.weights["lift_torso_rad"] == skill.weights["strike_torso_rad"] == (torso.start, 0.0)
    assert skill.weights["strike_swing_knee_rad"] == (0.1, 0.0)


def test_values_of_a_skill_keep_to_their_ranges(problem):
    weights = np.array([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0]])
    skill = make_skill(problem, SkillFunction(weights, 1))
    hip = problem.space.variables[0]
    assert skill(0.9)["lift_swing_hip_rad"] > hip.high
    assert find_values(problem, skill, 0.9)["lift_swing_hip_rad"] == hip.high
    assert find_values(problem, skill, 0.6)["lift_swing_hip_rad"] == hip.start


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("low = 0.5", "low = 2.0", "skill: low must be below high, got 2 and 1."),
        ("degree = 2", "degree = 1", "skill.weights.a: must be a list of 2 numbers, got [1.0, 2.0, 4.0]."),
        ("degree = 2", "degree = 99", "skill.degree: out of range, got 99. Allowed: 0 to 9."),
        ("[skill]", "[skil]", "skill: low is missing. It must be a number."),
    ],
)
def test_a_file_that_is_no_skill_is_refused_with_its_place(tmp_path, old, new, text):
    save_skill(tmp_path / "s.toml", SKILL, {}, {})
    (tmp_path / "s.toml").write_text(change((tmp_path / "s.toml").read_text(), (old, new)))
    with pytest.raises(FileFormatError) as raised:
        load_skill(tmp_path / "s.toml")
    assert text in str(raised.value)
