"""A script calls other controllers by name: they have the body for the time of a phase."""

from pathlib import Path

import numpy as np
import pytest

from poise.controllers.catalog import load_controller
from poise.controllers.script.guests import find_guests
from poise.errors import FileFormatError
from poise.language.check import check_program
from poise.language.load import load_program
from poise.language.names import Body
from poise.language.parse import parse_script
from poise.language.write import write_script
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.world import World

HUMANOID = load_any_character("humanoid")
SETTINGS = PhysicsSettings(timestep_s=0.001, ground="default")


def script(*bodies: str, parameters: str = "void") -> str:
    text = "".join(f"PHASE {k}\n{body}\nENDPHASE\n" for k, body in enumerate(bodies))
    return f"BEGINSCRIPT a({parameters})\n{text}ENDSCRIPT\n"


def open_world(folder: Path, text: str) -> World:
    (folder / "main.ctl").write_text(text)
    return World([HUMANOID], [load_controller(folder / "main.ctl", HUMANOID)], settings=SETTINGS)


def test_a_guest_does_what_it_does_alone(tmp_path: Path) -> None:
    world = open_world(tmp_path, script("> walker/walk(speed=.6);\nTRANSITION to(-1).after(time 5);"))
    alone = load_controller("walker/walk", HUMANOID).with_values({"speed_mps": 0.6})
    other = World([HUMANOID], [alone], settings=SETTINGS)
    for each in (world, other):
        each.step(300)
    assert world.data.qpos.tobytes() == other.data.qpos.tobytes()


def test_a_transition_ends_the_guest_and_each_entry_begins_anew(tmp_path: Path) -> None:
    world = open_world(
        tmp_path,
        script(
            "> pose/hold(void);\nTRANSITION to(1).after(time .02);",
            "ACTIONS POSE left_knee_pitch(.3); ENDACTIONS\nTRANSITION to(2).after(time .01);",
            "> walker/walk(speed=v);\nTRANSITION to(0).after(time .05);",
            parameters="v",
        ),
    )
    world.set_parameter("v", 0.4)
    params, memory = world.params[0], world.memories[0]
    from poise.controllers.script import layout as lay

    seen = []
    for _ in range(200):
        world.step(1)
        row = int(memory[lay.M_GUEST])
        law = int(params[row + lay.G_LAW]) if row else -1
        if not seen or seen[-1][0] != law:
            seen.append((law, memory[int(params[row + lay.G_M_MEMORY]) :].copy() if row else None))
    assert [law for law, _ in seen[:7]] == [0, -1, 1, 0, -1, 1, 0]
    size = int(params[int(params[lay.H_GUESTS]) + lay.G_MEMORY_COUNT])
    assert np.array_equal(seen[0][1][:size], seen[3][1][:size])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("walker/walk(.8)", "arguments of a controller are named: walker/walk(name=value)."),
        ("walker/walk(sped=.8)", "controller walker/walk: no parameter named 'sped'."),
        ("walker/walk(speed=80)", "walker/walk: speed_mps is out of range, got 80.0. Allowed: -3 to 5."),
        ("walker/walk(void).atPhase(1)", "walker/walk is not a script and has no phases."),
        ("walker/wlk(void)", "controllers: no controller named 'walker/wlk'."),
        ("script/walk(void)", "a script is called by its file: SCRIPTS walk.ctl; and > walk.ctl(…);."),
        ("limit-cycle/human-walk(void)", "limit-cycle/human-walk needs a pilot, and a guest has none."),
    ],
)
def test_a_guest_that_cannot_be_is_named(tmp_path: Path, call: str, says: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        open_world(tmp_path, script(f"> {call};\nTRANSITION to(-1).after(time 1);"))
    assert caught.value.line == 3
    assert says in str(caught.value)


def test_a_guest_for_another_kind_of_body_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "main.ctl").write_text(script("> walker/walk(speed=.8);\nTRANSITION to(-1).after(time 1);"))
    planar = Body(load_any_character("planar17"))
    program = load_program(tmp_path / "main.ctl")
    program.guests = find_guests(program, planar.character, load_controller)
    (problem,) = check_program(program, planar)
    assert "character planar17: the walker needs a free root, but this body is planar." in str(problem)


def test_named_arguments_keep_their_form() -> None:
    text = script("    > walker/walk(speed=.8, style=1);\n    TRANSITION to(-1).after(time 1);")
    assert "> walker/walk(speed=.8, style=1);" in write_script(parse_script(text))


@pytest.mark.parametrize("style", [1e9, -1.0, 1.5])
def test_a_style_that_there_is_not_changes_nothing(tmp_path: Path, style: float) -> None:
    text = script("> walker/walk(speed=.6, style=x);\nTRANSITION to(-1).after(time 5);", parameters="x")
    asked, other = open_world(tmp_path, text), open_world(tmp_path, text)
    asked.set_parameter("x", 0.0)
    asked.params[0][asked.controllers[0].parameter("x").index] = style
    for each in (asked, other):
        each.step(100)
    assert asked.data.qpos.tobytes() == other.data.qpos.tobytes()
