"""From phase to phase, from script to script: conditions, calls and returns."""

from pathlib import Path

import numpy as np
import pytest

from poise.controllers.script import layout as lay
from script_worlds import BODY, is_on, one_phase, open_world, read_target, script_torques, set_angle, where

LAST = "PHASE 1\nACTIONS\nPOSE lElbow(-.3);\nENDACTIONS\nENDPHASE\nENDSCRIPT\n"


def two_phases(*transitions: str) -> str:
    text = one_phase("POSE lElbow(0);", transition="\n".join(transitions))
    return text.replace("ENDSCRIPT\n", LAST)


def ticks_until(world, phase: list[tuple[int, int]], most: int = 500) -> int:
    """Ticks in which the law acted before it came to a phase."""
    for ticks in range(most):
        world.step(1)
        if where(world) == phase:
            return ticks
    return -1


def test_time_passes_strictly(tmp_path: Path) -> None:
    world = open_world(tmp_path, two_phases("TRANSITION to(1).after(time .05);"))
    assert ticks_until(world, [(0, 1)]) == 51


def test_complete_is_true_after_one_step(tmp_path: Path) -> None:
    assert ticks_until(open_world(tmp_path, two_phases("TRANSITION to(1).after(complete);")), [(0, 1)]) == 1


def test_iterations_are_counted_in_steps_where_nothing_is_called(tmp_path: Path) -> None:
    assert ticks_until(open_world(tmp_path, two_phases("TRANSITION to(1).after(iterations 7);")), [(0, 1)]) == 8


@pytest.mark.parametrize(
    ("condition", "lean", "fires"),
    [
        ("fallen > .6", 0.7, True),
        ("fallen > .6", 0.5, False),
        ("fallen < -.6", -0.7, True),
        ("fallen < -.6", 0.7, False),
        ("fallen x .6", -0.7, True),
        ("fallen x .6", 0.5, False),
        ("anglerange -1 .5", 0.3, True),
        ("anglerange -1 .5", 0.6, False),
        ("anglerange 2 -2", 3.0, True),
        ("anglerange 2 -2", -3.0, True),
        ("anglerange 2 -2", 0.0, False),
    ],
)
def test_the_lean_of_the_trunk(tmp_path: Path, condition: str, lean: float, fires: bool) -> None:
    world = open_world(tmp_path, two_phases(f"TRANSITION to(1).after({condition});"))
    world.step(1)
    world.percepts[0].root_q[1] += 2.0
    world.percepts[0].root_q[2] = lean
    world.percepts[0].root_v[:] = 0.0
    world.percepts[0].joint_v[:] = 0.0
    world.step(1)
    assert where(world) == [(0, 1 if fires else 0)]


def test_contact_and_its_end(tmp_path: Path) -> None:
    world = open_world(tmp_path, two_phases("TRANSITION to(1).after(nocontact rFoot);"))
    world.step(40)
    assert where(world) == [(0, 0)]
    world.percepts[0].root_q[1] += 0.5
    # A contact that is gone for less than a few milliseconds chatters.
    world.step(3)
    assert where(world) == [(0, 0)]
    world.step(4)
    assert where(world) == [(0, 1)]
    world = open_world(tmp_path, two_phases("TRANSITION to(1).after(contact rFoot);"))
    world.percepts[0].root_q[1] += 0.05
    world.step(50)
    assert where(world) == [(0, 0)]
    world.step(100)
    assert where(world) == [(0, 1)]


def test_stable_wants_every_joint_and_the_whole_body_at_rest(tmp_path: Path) -> None:
    text = two_phases("TRANSITION to(1).after(stable .5);")
    for joint, rate, speed, fires in (
        ("lWrist", 0.0, 0.0, True),
        ("lWrist", 5.0, 0.0, False),
        ("lWrist", 0.0, 2.0, False),
    ):
        world = open_world(tmp_path, text)
        set_angle(world, joint, 0.0, rate)
        world.percepts[0].root_v[0] = speed
        world.step(2)
        assert where(world) == [(0, 1 if fires else 0)]


def test_keys_are_parameters(tmp_path: Path) -> None:
    text = two_phases("TRANSITION to(1).after(press W);").replace(
        "POSE lElbow(-.3);\nENDACTIONS", "POSE lElbow(-.3);\nENDACTIONS\nTRANSITION to(0).after(release W);"
    )
    world = open_world(tmp_path, text)
    assert [p.name for p in world.controllers[0].parameters] == ["key_W"]
    world.step(20)
    assert where(world) == [(0, 0)]
    world.set_parameter("key_W", 1.0)
    world.step(2)
    assert where(world) == [(0, 1)]
    world.set_parameter("key_W", 0.0)
    world.step(2)
    assert where(world) == [(0, 0)]


def test_random_branches_are_taken_as_often_as_they_say(tmp_path: Path) -> None:
    text = """BEGINSCRIPT a(void)
PHASE 0
ACTIONS
POSE lElbow(0);
ENDACTIONS
TRANSITION to(1).after(random .25);
TRANSITION to(2).after(random .5);
TRANSITION to(0).after(complete);
ENDPHASE
PHASE 1
ACTIONS
POSE lElbow(0);
ENDACTIONS
TRANSITION to(0).after(complete);
ENDPHASE
PHASE 2
ACTIONS
POSE lElbow(0);
ENDACTIONS
TRANSITION to(0).after(complete);
ENDPHASE
ENDSCRIPT
"""
    world = open_world(tmp_path, text)
    seen = [0, 0, 0]
    for _ in range(1500):
        world.step(1)
        seen[where(world)[0][1]] += 1
    assert seen[1] / (seen[1] + seen[2]) == pytest.approx(0.25 / (0.25 + 0.75 * 0.5), abs=0.05)


def test_the_first_transition_that_holds_is_taken(tmp_path: Path) -> None:
    both = ("TRANSITION to(1).after(time .01);", "TRANSITION to(-1).after(time .01);")
    world = open_world(tmp_path, two_phases(*both))
    world.step(20)
    assert where(world) == [(0, 1)]
    world = open_world(tmp_path, two_phases(*reversed(both)))
    world.step(20)
    assert where(world) == []


def test_a_script_that_has_ended_lets_go(tmp_path: Path) -> None:
    world = open_world(tmp_path, one_phase("POSE lKnee(1);", transition="TRANSITION to(-1).after(time .01);"))
    world.step(20)
    assert where(world) == []
    assert set(script_torques(world).values()) == {0.0}


CALLEE = "BEGINSCRIPT c(p, q)\nPHASE 0\nACTIONS\nPOSE lElbow(p), rElbow(q);\nENDACTIONS\n"
CALLEE += "TRANSITION to(1).after(time .01);\nENDPHASE\nPHASE 1\nACTIONS\nPOSE lWrist(q);\nENDACTIONS\n"
CALLEE += "TRANSITION to(-1).after(time .01);\nENDPHASE\nENDSCRIPT\n"


def call(*lines: str, parameters: str = "void") -> str:
    text = "\n".join(lines)
    return f"SCRIPTS c.t;\nBEGINSCRIPT m({parameters})\nPHASE 0\n{text}\nENDPHASE\n" + LAST


def test_a_call_passes_values_of_the_caller_and_returns(tmp_path: Path) -> None:
    text = "SET x = .5\n" + call(
        "> c.t(-.2, linterp(x, 0, 1, 0, -1));", "TRANSITION to(1).after(complete);", parameters="x"
    )
    world = open_world(tmp_path, text, c_t=CALLEE)
    world.step(1)
    assert where(world) == [(0, 0), (1, 0)]
    assert (read_target(world, "lElbow"), read_target(world, "rElbow")) == (-0.2, -0.5)
    world.step(30)
    assert where(world) == [(0, 1)]
    # What the callee set stays until someone else sets it.
    assert is_on(world, "lWrist") and read_target(world, "lWrist") == -0.5


def test_a_call_may_begin_in_the_middle(tmp_path: Path) -> None:
    world = open_world(tmp_path, call("> c.t(0, 0).atPhase(1);"), c_t=CALLEE)
    world.step(1)
    assert where(world) == [(0, 0), (1, 1)]


def test_a_call_is_made_again_until_a_transition_holds(tmp_path: Path) -> None:
    world = open_world(tmp_path, call("> c.t(0, 0);", "TRANSITION to(1).after(iterations 2);"), c_t=CALLEE)
    begun, before = 0, (-1, -1)
    for _ in range(200):
        world.step(1)
        now = where(world)[-1]
        begun += now == (1, 0) and before != (1, 0)
        before = now
    # N + 1 runs, as scripts of the language count.
    assert begun == 3
    assert where(world) == [(0, 1)]


def test_a_caller_cannot_interrupt_and_its_conditions_are_asked_at_the_end(tmp_path: Path) -> None:
    world = open_world(tmp_path, call("> c.t(0, 0);", "TRANSITION to(1).after(fallen > -1);"), c_t=CALLEE)
    world.step(15)
    assert where(world) == [(0, 0), (1, 1)]
    world.step(15)
    assert where(world) == [(0, 1)]


def test_the_torque_limit_of_a_callee_stays_unless_the_caller_has_its_own(tmp_path: Path) -> None:
    limited = "SET TORQUELIMIT = 50\n" + CALLEE
    for head, after in (("", 50.0), ("SET TORQUELIMIT = 200\n", 200.0)):
        text = head + call("> c.t(0, 0);", "TRANSITION to(1).after(complete);")
        world = open_world(tmp_path, text, c_t=limited)
        world.step(1)
        assert world.memories[0][lay.M_LIMIT] == 50.0
        world.step(40)
        assert where(world) == [(0, 1)]
        assert world.memories[0][lay.M_LIMIT] == after


def test_empty_phases_take_no_time(tmp_path: Path) -> None:
    glue = "".join(f"PHASE {k}\nTRANSITION to({k + 1}).after(complete);\nENDPHASE\n" for k in range(5))
    text = f"BEGINSCRIPT a(void)\n{glue}PHASE 5\nACTIONS\nPOSE lElbow(-1);\nENDACTIONS\nENDPHASE\nENDSCRIPT\n"
    world = open_world(tmp_path, text)
    world.step(1)
    assert where(world) == [(0, 5)]
    assert read_target(world, "lElbow") == -1.0


def test_an_empty_phase_that_waits_holds_the_pose(tmp_path: Path) -> None:
    text = two_phases("TRANSITION to(1).after(complete);").replace(
        "PHASE 1\nACTIONS\nPOSE lElbow(-.3);\nENDACTIONS\n", "PHASE 1\nTRANSITION to(0).after(time .05);\n"
    )
    world = open_world(tmp_path, text)
    world.step(30)
    assert where(world) == [(0, 1)]
    assert is_on(world, "lElbow")
    world.step(40)
    assert where(world) in ([(0, 0)], [(0, 1)])


def test_phases_that_lead_round_in_a_circle_do_not_hang(tmp_path: Path) -> None:
    text = "BEGINSCRIPT a(void)\nPHASE 0\nTRANSITION to(1).after(complete);\nENDPHASE\n"
    text += "PHASE 1\nTRANSITION to(0).after(complete);\nENDPHASE\nENDSCRIPT\n"
    world = open_world(tmp_path, text)
    world.step(5)
    assert len(where(world)) == 1


def test_a_ramp_begins_anew_when_its_phase_does(tmp_path: Path) -> None:
    text = one_phase("LIPOSE rShoulder(-1, 100, 30).time(.02);", transition="TRANSITION to(0).after(time .03);")
    world = open_world(tmp_path, text)
    targets = []
    for _ in range(70):
        world.step(1)
        targets.append(read_target(world, "rShoulder"))
    again = [k for k in range(1, 70) if targets[k] > targets[k - 1] + 0.5]
    assert again == [31, 62]


def test_all_scripts_of_the_corpus_run(tmp_path: Path) -> None:
    from poise.controllers.script.build import build_controller
    from poise.world.world import World

    corpus = Path(__file__).parents[2] / "language" / "corpus"
    for name in ("every_action.t", "every_condition.s", "as_printed.ctl", "endless.s", "other.t"):
        controller = build_controller(corpus / name, BODY.character, name)
        world = World([BODY.character], [controller])
        world.step(400)
        assert world.tick == 400 and np.isfinite(world.data.qpos).all(), name


def test_a_phase_that_is_never_reached_may_hold_any_error(tmp_path: Path) -> None:
    text = (
        "SCRIPTS none.t;\nBEGINSCRIPT a(void)\n"
        "PHASE 0\nACTIONS\nPOSE lHip(-.1);\nENDACTIONS\nTRANSITION to(2).after(time .01);\nENDPHASE\n"
        "PHASE 1\nACTIONS\nPOSE lHop(0);\nVPD pelvis(0).joint(lHip);\nEF lHip(q, 0, 0);\nENDACTIONS\n"
        "> none.t(1);\nTRANSITION to(9).after(contact lHop);\nENDPHASE\n"
        "PHASE 2\nACTIONS\nPOSE lHip(-.2);\nENDACTIONS\nENDPHASE\n"
        "PHASE 3\n> main.ctl(void);\nENDPHASE\nENDSCRIPT"
    )
    world = open_world(tmp_path, text)
    world.step(20)
    assert where(world) == [(0, 2)]
    assert read_target(world, "lHip") == -0.2


def test_a_phase_in_which_only_a_call_begins_is_reached(tmp_path: Path) -> None:
    callee = (
        "BEGINSCRIPT b(void)\nPHASE 0\nACTIONS\nPOSE lHip(0);\nENDACTIONS\nENDPHASE\n"
        "PHASE 1\nACTIONS\nPOSE lHip(-.2);\nENDACTIONS\nTRANSITION to(2).after(complete);\nENDPHASE\n"
        "PHASE 2\nACTIONS\nPOSE lHip(-.3);\nENDACTIONS\nENDPHASE\nENDSCRIPT"
    )
    main = "SCRIPTS b.t;\nBEGINSCRIPT a(void)\nPHASE 0\n> b.t(void).atPhase(1);\nENDPHASE\nENDSCRIPT"
    world = open_world(tmp_path, main, b_t=callee)
    world.step(5)
    assert where(world) == [(0, 0), (1, 2)]
    assert read_target(world, "lHip") == -0.3
