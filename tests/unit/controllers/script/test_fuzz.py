"""Whatever the checker lets pass runs: random scripts of real joints and parts, compiled and stepped."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.checking.subject import ask
from poise.controllers.script.build import build_controller
from poise.errors import DivergedError, FileFormatError
from poise.language import tree
from poise.language.check import check_program
from poise.language.load import load_program
from poise.language.words import CONDITIONS
from poise.language.write import write_script
from poise.world.compile import PhysicsSettings
from poise.world.world import World
from script_worlds import BODY, PLANAR17

numbers = st.decimals(-2, 2, places=2).map(lambda d: tree.Number(f"{d:f}"))
small: Any = st.one_of(numbers, st.sampled_from(["p", "q"]).map(tree.Variable))
values: Any = st.one_of(small, st.tuples(*[small] * 5).map(lambda v: tree.Linterp(tuple(v))))
joints = st.sampled_from(BODY.joint_names).map(tree.Name)
parts = st.sampled_from(BODY.part_names).map(tree.Name)
gains = st.sampled_from([(), ("100",), ("300", "30"), ("0", "0")]).map(lambda g: tuple(tree.Number(x) for x in g))
targets = st.builds(tree.Target, joints, values, gains)
feedbacks = st.one_of(
    st.builds(tree.Feedback, joints, values, values, st.just("joint"), joints),
    st.builds(tree.Feedback, joints, values, values, st.just("part"), parts),
)
comfb2 = st.one_of(
    st.builds(tree.Comfb2, values, values, st.just(tree.Name("j")), joints),
    st.builds(tree.Comfb2, values, values, st.just(tree.Name("p")), parts),
    st.builds(tree.Comfb2, values, values, st.just(tree.Name("c")), st.just(tree.Name("x"))),
)
triples = st.tuples(values, values, values)
actions = st.one_of(
    st.builds(tree.Pose, st.lists(targets, min_size=1, max_size=4).map(tuple)),
    st.builds(tree.Lipose, targets, values),
    st.builds(tree.Posefb, st.lists(feedbacks, min_size=1, max_size=2).map(tuple)),
    comfb2,
    st.builds(tree.Vpd, parts, values, gains, joints, st.none() | st.just(tree.Name("s"))),
    st.builds(tree.Vf, triples, parts, joints),
    st.builds(tree.Vffb, parts, values, values, joints, parts | st.just(tree.Name("cop"))),
    st.builds(tree.Vfsfb, parts, values, joints, values),
    st.builds(tree.Ik, parts, st.sampled_from(["local", "global"]), triples, joints, st.none() | values),
    st.builds(tree.Gc, parts, joints),
    st.builds(tree.Ef, parts, triples),
    st.builds(tree.Match, joints, joints, st.just(()), st.none() | values),
    st.builds(tree.Hold, joints),
    st.builds(tree.Save, st.just(tree.Name("a.sav"))),
    st.builds(tree.Load, st.sampled_from(["a.sav", "b.sav"]).map(tree.Name)),
)
toggles = st.builds(tree.Toggle, st.sampled_from(["toggleVisible", "toggleCollidable"]), st.just(tree.Name("W")))


@st.composite
def conditions(draw: Any) -> tree.Condition:
    kind = draw(st.sampled_from(list(CONDITIONS)))
    count = {"complete": 0, "contact": 0, "nocontact": 0, "press": 0, "release": 0, "anglerange": 2}.get(kind, 1)
    name = None
    if kind in ("contact", "nocontact"):
        name = draw(parts)
    elif kind in ("press", "release", "pass"):
        name = tree.Name("W")
    sign = draw(st.sampled_from("<>x")) if kind == "fallen" else ""
    return tree.Condition(kind, name, sign, tuple(draw(values) for _ in range(count)))


calls = st.builds(tree.Call, st.just(tree.Name("other.t")), st.tuples(values, values), st.none() | st.just(1))
commands = st.one_of(
    st.builds(tree.Transition, st.integers(-1, 2), conditions()),
    st.builds(tree.Actions, st.lists(actions, max_size=4).map(tuple)),
    st.builds(tree.EnvActions, st.lists(toggles, max_size=2).map(tuple)),
)
phases = st.builds(tree.Phase, st.just(0), st.lists(commands, max_size=4).map(tuple))
callers = st.builds(
    tree.Phase, st.just(0), st.tuples(calls, st.builds(tree.Transition, st.integers(-1, 2), conditions()))
)
PARAMETERS = (tree.Name("p"), tree.Name("q"))
mains = st.builds(
    tree.Script,
    label=st.just("main"),
    parameters=st.just(PARAMETERS),
    phases=st.tuples(phases | callers, phases | callers, phases),
    includes=st.just((tree.Name("other.t"),)),
)
others = st.builds(
    tree.Script, label=st.just("other"), parameters=st.just(PARAMETERS), phases=st.tuples(phases, phases, phases)
)


@settings(max_examples=60, deadline=None)
@given(mains, others)
def test_a_script_without_errors_runs(main: tree.Script, other: tree.Script) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.ctl").write_text(write_script(main))
        (folder / "other.t").write_text(write_script(other))
        (folder / "base.env").write_text("ENTITIES { W = Box(3, .2, 1, .1, -10); }")
        problems = check_program(load_program(folder / "main.ctl"), BODY)
        try:
            controller = build_controller(folder / "main.ctl", PLANAR17, "main")
        except FileFormatError as error:
            assert str(error) in [str(p.error) for p in problems if p.severity == "error"]
            return
    world = World([PLANAR17], [controller], settings=PhysicsSettings(timestep_s=0.001))
    world.set_parameter("p", 0.3)
    world.set_parameter("q", -0.2)
    answer = ask(world)
    if all(np.all(np.isfinite(a)) for a in answer):
        try:
            world.step(40)
        except DivergedError:
            # A linterp whose two ends are one parameter divides by zero when it runs; the run ends with a clear error.
            return
    assert len(answer.torque) == len(PLANAR17.axes)
