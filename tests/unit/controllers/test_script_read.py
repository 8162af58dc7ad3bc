"""The language of scripts: what it says, where it is wrong, and what it includes."""

import math
from pathlib import Path

import pytest

from poise.characters.catalog import LIBRARY as CHARACTERS
from poise.controllers.catalog import load_controller
from poise.controllers.limit_cycle.layout import STRATEGIES, VARIABLES
from poise.controllers.limit_cycle.scripts.read import load_script, parse_script
from poise.controllers.limit_cycle.scripts.script import Script
from poise.errors import FileFormatError
from poise.world.ground import PenaltyGround
from refusals import point_at, refusal_of_change

SHIPPED = CHARACTERS.parent / "scripts" / "human-walk.script"

ZERO = " ".join(["0"] * 15)
ROLL = ZERO.replace("0 0", "0 1", 1)
PITCH = ZERO.replace("0 0 0", "0 0 1", 1)
LEFT_ROLL = " ".join(["0"] * 8 + ["1"] + ["0"] * 6)
LEFT_PITCH = " ".join(["0"] * 9 + ["1"] + ["0"] * 5)
#: Two states for the bird, which has 15 degrees of freedom.
SMALL = f"""\
< robo-bird.bones
set sddt 0.0005
set pcstates 2
posecycle poses 0
{ZERO} 14 5
{ZERO} 15 5   # left
posecycle poses 1
{PITCH} 0
{ZERO} 0
posecycle poses 2
{ZERO} 0
{LEFT_PITCH} 0.1
posecycle poses 3
{ROLL} 0
{ZERO} 0
posecycle poses 4
{ZERO} 0
{LEFT_ROLL} 0
set Q_d 0.1,-0.02
balance 3 1 180 5 0:0 0.5 90 1 2:1
"""


def read(text: str) -> Script:
    return parse_script(text, "small.script")


def refusal(old: str, new: str) -> str:
    return refusal_of_change(read, SMALL, old, new)


def named(trial, key: str, names: tuple[str, ...]) -> str:
    return names[int(trial.spec.values[key])]


def test_a_trial_holds_all_that_stands_before_it() -> None:
    script = read(SMALL)
    (trial,) = script.trials
    assert script.character.name == "robo_bird"
    assert (trial.strides, trial.steps, trial.strategy, trial.target) == (3, 6, "FL", (0.1, -0.02))
    assert (trial.timestep_s, trial.ground, trial.name) == (0.0005, PenaltyGround(slip="text"), "")
    values = trial.spec.values
    assert [values[k] for k in ("tolerance", "most_deg", "sample_deg")] == [1, 180, 5]
    assert [values[k] for k in ("tolerance_side", "most_side_deg", "sample_side_deg")] == [0.5, 90, 1]
    assert (named(trial, "forward_by", VARIABLES), named(trial, "side_by", VARIABLES)) == ("up", "swing")


def test_the_state_that_waits_for_a_foot_begins_its_step() -> None:
    states = read(SMALL).trials[0].spec.base.states
    assert [(s.name, s.sensor, s.timeout_s, s.stance, s.ends_step, s.next) for s in states] == [
        ("S1", "right", 5.0, "right", True, 1),
        ("S2", "left", 5.0, "left", True, 0),
    ]


def test_without_sensors_the_perturbations_say_whose_step_a_state_belongs_to() -> None:
    text = SMALL.replace(" 14 5", " .1").replace(" 15 5", " .2")
    states = read(text).trials[0].spec.base.states
    assert [(s.sensor, s.hold_s, s.stance, s.ends_step) for s in states] == [
        ("", 0.1, "right", True),
        ("", 0.2, "left", True),
    ]


def test_the_tables_of_both_legs_make_one_perturbation_in_our_signs() -> None:
    forward, side = read(SMALL).trials[0].spec.changes
    one = math.radians(1.0)
    # In the file, a hip swings back with a positive pitch.
    assert (forward.name, [dict(s.pose_rad) for s in forward.graph.states]) == (
        "forward",
        [{"right_hip_pitch": -one}, {"left_hip_pitch": -one}],
    )
    assert [s.hold_s for s in forward.graph.states] == [0.0, 0.1]
    assert (side.name, [list(s.pose_rad) for s in side.graph.states]) == (
        "side",
        [["right_hip_roll"], ["left_hip_roll"]],
    )


def test_the_order_of_the_dimensions_and_superposition_settle_the_strategy() -> None:
    def strategy(*lines: str, balance: str = "balance 3 1 180 5 0:0 1 180 1 0:1") -> str:
        return read(SMALL + "\n".join([*lines, balance])).trials[1].strategy

    assert strategy() == "FL"
    assert strategy(balance="balance 3 1 180 1 0:1 1 180 5 0:0") == "LF"
    assert strategy("set superposition true") == "SP"
    assert strategy("set superposition true", "set superposition false") == "FL"
    assert strategy("set strategy jacobian") == "jacobian"
    assert strategy("set strategy open", "set strategy auto") == "FL"
    assert set(STRATEGIES) == {"open", "FL", "LF", "SP", "jacobian"}


def test_lateral_first_takes_the_first_tables_for_the_side() -> None:
    trial = read(SMALL + "balance 3 1 180 1 0:1 1 180 5 0:0").trials[1]
    assert [list(s.pose_rad) for s in trial.spec.changes[1].graph.states] == [["right_hip_pitch"], ["left_hip_pitch"]]


def test_a_held_torso_puts_the_pelvis_in_its_place() -> None:
    balance = "balance 3 1 180 5 0:0 1 180 1 1:1\n"
    text = SHIPPED.read_text(encoding="utf-8").partition("set showfile")[0]
    text += f"set Q_d .1,0\nset torso_servo 5\n{balance}set torso_servo off\n{balance}"
    held, free = read(text).trials
    assert (named(held, "forward_by", VARIABLES), named(held, "side_by", VARIABLES)) == ("pelvis", "stance")
    assert (held.spec.values["servo"], held.spec.values["servo_rad"]) == (1.0, math.radians(5))
    assert (named(free, "forward_by", VARIABLES), free.spec.values.get("servo")) == ("up", None)


def test_the_initial_pose_may_lack_its_last_angle() -> None:
    angles = ",".join(["0"] * 13 + ["30"])
    trial = read(SMALL.replace("set Q_d", f"set hinit {angles}\nset Q_d")).trials[0]
    pose = trial.spec.start.joint_q_rad
    assert (len(pose), pose["left_ankle_pitch"], pose["left_ankle_roll"]) == (15, -math.radians(30), 0.0)


def test_ground_names_and_monitor_points_can_be_set() -> None:
    lines = "set kfspring 1000\nset kfdamp 10\nset friction .5\nset showfile a_Q=[.1,0].out\nset up_mon 10,11,13\n"
    trial = read(SMALL.replace("set Q_d", lines + "set cofm_mon 15,14\nset Q_d")).trials[0]
    assert trial.ground == PenaltyGround(1000, 10, 0.5, slip="text")
    assert trial.name == "a_Q=[.1,0].out"


def test_the_shipped_script_is_the_shipped_walk() -> None:
    script = load_script(SHIPPED)
    assert (script.character.name, len(script.trials)) == ("laszlo_human", 4)
    assert [t.strategy for t in script.trials] == ["FL", "SP", "jacobian", "SP"]
    mine = script.trials[0].spec.build(script.character)
    walk = load_controller("limit-cycle/human-walk", script.character)
    axes = script.character.axis_names
    rows = 6 * (5 + len(axes))
    # The base stands behind everything that is said of perturbations: two here, more there.
    first = mine.params[-3 * rows : -2 * rows]
    assert any((walk.params[k : k + rows] == first).all() for k in range(len(walk.params) - rows + 1))
    for axis, angle in walk.start.joint_q_rad.items():
        assert mine.start.joint_q_rad[axis] == angle


def test_scripts_include_scripts_and_bones_beside_them(tmp_path: Path) -> None:
    for name in ("robo-bird.bones", "robo_bird.toml"):
        (tmp_path / name).write_text((CHARACTERS / name).read_text().replace('"robo_bird"', '"my_bird"'))
    (tmp_path / "tables.script").write_text(SMALL.partition("set Q_d")[0])
    (tmp_path / "main.script").write_text("<tables.script\nset Q_d .2,0\nbalance 1 1 180 5 0:0 1 180 1 0:1\n")
    script = load_script(tmp_path / "main.script")
    assert (script.character.name, script.trials[0].target) == ("my_bird", (0.2, 0.0))


def test_a_loop_of_includes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.script").write_text("< b.script\n")
    (tmp_path / "b.script").write_text("\n  < a.script\n")
    with pytest.raises(FileFormatError) as caught:
        load_script(tmp_path / "a.script")
    assert str(caught.value).replace(f"{tmp_path}/", "") == (
        "b.script:2:5: the files include each other in a loop, got 'a.script'.\n      < a.script\n        ^"
    )


def test_bones_without_a_table_are_refused(tmp_path: Path) -> None:
    (tmp_path / "human.bones").write_text((CHARACTERS / "human.bones").read_text())
    (tmp_path / "a.script").write_text("< human.bones\n")
    with pytest.raises(FileFormatError) as caught:
        load_script(tmp_path / "a.script")
    assert str(caught.value).replace(f"{tmp_path}/", "") == (
        "a.script:1:3: no table beside it names its parts, got 'human.bones'. "
        'Put a character\'s .toml file with bones = "human.bones" there.\n    < human.bones\n      ^'
    )


SETTINGS = (
    "kfspring, kfdamp, sddt, pcstates, hinit, Q_d, showfile, superposition, up_mon, cofm_mon, strategy, torso_servo, "
    "friction"
)
COLUMNS = "expected 16: 15 angles and a change of the hold time."
BASE_COLUMNS = (
    "expected 16 or 17: 15 angles and a hold time, or 15 angles, a monitor point and a time-out."
)  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("set sddt", "set sdd", f"2:5: no setting named 'sdd'. Known here: {SETTINGS}. Did you mean 'sddt'?"),
        ("set sddt 0.0005", "set", f"2:1: set takes a name and a value. Names: {SETTINGS}."),
        ("0.0005", "fast", "2:10: not a number, got 'fast'."),
        ("0.0005", "0.5", "2:10: out of range, got 0.5. Allowed: 1e-05 to 0.005."),
        ("0.0005", "0.0005 7", "2:17: sddt takes 1 value, got 2. Write: set sddt S."),
        ("set Q_d 0.1,-0.02", "set Q_d 0.1", "19:5: Q_d takes 2 values, got 1. Write: set Q_d AHEAD,ACROSS."),
        (
            "set Q_d",
            "set superposition maybe\nset Q_d",
            "19:19: no choice named 'maybe'. Known here: true, false.",
        ),
        (
            "set Q_d",
            "set strategy jacobi\nset Q_d",
            "19:14: no choice named 'jacobi'. Known here: auto, jacobian, open. Did you mean 'jacobian'?",
        ),
        (
            "set Q_d",
            "set showfile ../a\nset Q_d",
            "19:14: not a file name, got '../a'. Use one word of at most 200 characters, without folders.",
        ),
        (
            "set Q_d",
            "set hinit 1,2\nset Q_d",
            "19:5: hinit takes 15 angles, got 2. One for each degree of freedom; the last may be omitted.",
        ),
        (
            "set Q_d",
            "set up_mon 1,2,3\nset Q_d",
            "19:12: up_mon is 10,11,13 in robo-bird.bones, got '1,2,3'. Change it there and in the table beside it.",
        ),
        ("set Q_d", "set torso_servo 5\nset Q_d", "19:5: robo_bird has no waist (back_pitch) to hold its "
         "torso."),
        ("balance", "balanced", "20:1: no command named 'balanced'. Known here: set, posecycle, balance, <. "
         "Did you mean 'balance'?"),
        ("set Q_d", "kpd mon 4 0 0\nset Q_d", "19:1: kpd belongs in a .bones file. A script reads one with: "
         "< FILE.bones."),
        ("posecycle poses 0", "posecycle pose 0", "4:11: no kind of table named 'pose'. Known here: poses. "
         "Did you mean 'poses'?"),
        ("poses 4", "poses 5", "16:17: a table's number must be a whole number from 0 to 4, got '5'."),
        ("set pcstates 2", "", "4:1: the number of rows is not set. Write first: set pcstates N."),
        (f"{PITCH} 0", f"{PITCH} 0 0", f"8:33: a row of posecycle poses 1 has 17 columns, {COLUMNS}"),
        (f"{PITCH} 0", f"{PITCH}", f"8:29: a row of posecycle poses 1 has 15 columns, {COLUMNS}"),
        (" 14 5", " 14 5 9 9", f"5:36: a row of posecycle poses 0 has 19 columns, {BASE_COLUMNS}"),
        (f"{ROLL} 0\n", "", "13:17: posecycle poses 3 has 1 row, expected 2. `set pcstates` sets the number of rows."),
        ("set Q_d", "1 2 3\nset Q_d", "19:1: a row of numbers that belongs to no table: posecycle poses 4 has all of "
         "its 2. Write before it: posecycle poses N."),
        (PITCH, PITCH.replace("1", "l"), "8:5: not a number, got 'l'."),
        (" 14 5", " 9 5", "5:31: this monitor point is not on a foot, got 9. "
         "On feet: 1, 2, 3, 4, 5, 6, 7, 8, 14, 15."),
        (" 14 5", " 99 5", "5:31: a monitor point's number must be a whole number from 1 to 15, got '99'."),
        (f"{ZERO} 0\nposecycle poses 2", f"{ZERO} 1\nposecycle poses 2", "9:1: row 2 of posecycle poses 1 changes "
         "state S2, which belongs to the step on the left leg. Poses 1 is for the right leg: its other rows must be "
         "zero."),
        ("set Q_d 0.1,-0.02", "", "20:1: balance needs a target. Write first: set Q_d AHEAD,ACROSS."),
        ("balance 3", "balance 0", "20:9: the number of strides must be a whole number from 1 to 10000, got '0'."),
        (" 2:1", "", "20:1: balance takes 9 values, got 8. "
         "Write: balance STRIDES TOL KMAX KSAMPLE RV:ELEM TOL KMAX KSAMPLE RV:ELEM."),
        ("2:1", "2:0", "20:32: both dimensions regulate the same component, got '2:0'. "
         "One must be 0 (ahead), the other 1 (across)."),
        ("2:1", "3:1", "20:32: must be a regulation variable and a component, such as 0:1, got '3:1'. "
         "Variables: 0 up, 1 stance-COM, 2 swing-COM. Components: 0 ahead, 1 across."),
        ("robo-bird.bones", "robobird.bones", "1:3: no such file, beside the script or among the shipped characters, "
         f"got 'robobird.bones'. Shipped: {', '.join(sorted(p.name for p in CHARACTERS.glob('*.bones')))}. "
         "Did you mean 'robo-bird.bones'?"),
        ("< robo-bird.bones", "< poses.script", "1:3: no such file, got 'poses.script'."),
        ("set sddt", "< human.bones\nset sddt", "2:3: a body was already read from robo-bird.bones, "
         "got 'human.bones'."),
        ("< robo-bird.bones", "", "4:1: posecycle needs a body, but none has been read yet. "
         "Write first: < FILE.bones."),
    ],
)  # fmt: skip
def test_errors_say_where_and_what(old: str, new: str, text: str) -> None:
    line, column, reason = text.split(":", 2)
    expected = point_at(SMALL.replace(old, new, 1), "small.script", int(line), int(column), reason.lstrip())
    assert refusal(old, new) == expected


def test_a_script_needs_a_body_and_all_its_tables() -> None:
    with pytest.raises(FileFormatError) as caught:
        read("# nothing\n")
    assert str(caught.value) == "small.script: includes no body. A script needs a line: < FILE.bones."
    before, _, rest = SMALL.partition("posecycle poses 4")
    with pytest.raises(FileFormatError) as caught:
        read(before + rest.split("\n", 3)[3])
    assert "balance needs tables 0 to 4, but posecycle poses 4 is missing." in str(caught.value)
